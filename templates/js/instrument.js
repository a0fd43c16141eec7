/**
 * The instrument: what the controls say → what is true of it → what the page shows. The table is built
 * from the formula and proved again at load, at every click and at every throw of the switch.
 *
 * What the page holds when it comes is the build's, and is named so. It becomes this browser's by a run of the
 * witness that came to its end; a run that did not, for whatever reason, takes every claim back.
 */
(function () {
  "use strict";

  const NAMES = ["bounded", "length", "distinct", "shift", "ladder"];
  const SIDES = ["a", "b"];
  const NONE = "—";
  const TICK = 0.1; // ms: the finest step of the clock that browsers give to a page
  // Above this many multiplications a run is felt: it waits until “checking…” has been seen.
  const FELT = 3e7;

  /** @typedef {Record<string, number | null>} Where */
  /** @typedef {{name: string, measured: number, where: Where, holds: boolean, ms: number}} Finding */
  /** @typedef {{measured: number, holds: boolean}} Agreement with the table that Python wrote */

  /** @param {string} id */
  const byId = (id) => document.getElementById(id);

  // ---- what needs no other script and no data ----

  /** @param {Record<string, string>} words */
  function write(words) {
    for (const slot of document.querySelectorAll("[data-live]")) {
      const text = words[slot.getAttribute("data-live")];
      if (text !== undefined && slot.textContent !== text) {
        slot.textContent = text;
      }
    }
  }

  /** @param {"checking" | "holds" | "broken"} word */
  function flag(word) {
    byId("window-7").dataset.verdict = word;
    byId("bar").dataset.verdict = word;
    byId("window-8").dataset.verdict = word;
  }

  /** @param {string} name of an invariant, or agreement */
  const rowsOf = (name) =>
    document.querySelectorAll(`[data-invariant="${name}"], [data-statement="${name}"], [data-now="${name}"]`);

  /**
   * @param {string} name
   * @param {boolean | "checking"} holds
   * @param {number} [measured]
   */
  function mark(name, holds, measured = NaN) {
    for (const row of name === "agreement" ? [byId("agreement"), ...rowsOf(name)] : rowsOf(name)) {
      row.dataset.holds = String(holds);
      if (row.hasAttribute("data-measured")) {
        row.dataset.measured = String(measured);
      }
    }
  }

  /** @param {string} text */
  function announce(text) {
    if (byId("announce").textContent !== text) {
      byId("announce").textContent = text;
    }
  }

  /**
   * Nothing is known any more: no run came to its end, or the last one did not.
   * @param {unknown} error
   */
  function fail(error) {
    console.error(error);
    const { failed, unchecked } = byId("witness").dataset;
    const said = `${failed}: ${error instanceof Error ? error.message : error}`;
    byId("main").dataset.run = "failed";
    byId("bar").dataset.state = byId("state").dataset.state = "unknown";
    flag("broken");
    const words = { verdict: said, "verdict-table": "", "turn-measured": NONE, "unique-short": NONE, "turn-error": NONE };
    for (const slot of ["state", "tally", "runs", "live", "unique", "range", "turn", "table", "agreement"]) {
      words[slot] = unchecked;
    }
    for (const name of [...NAMES, "agreement"]) {
      mark(name, false);
      Object.assign(words, { [`word-${name}`]: unchecked, [`now-${name}`]: unchecked });
      ["measured", "where", "ms"].forEach((part) => (words[`${part}-${name}`] = NONE));
    }
    [0, 4].forEach((number) => (byId(`stale-${number}`).hidden = false));
    write(words);
    announce(said);
  }

  /**
   * One part of the page brought up to date. If it cannot be, its window says so, and the others go on.
   * @param {number[]} windows
   * @param {() => void} work
   */
  function part(windows, work) {
    let stale = false;
    try {
      work();
    } catch (error) {
      console.error(error);
      stale = true;
    }
    windows.forEach((number) => (byId(`stale-${number}`).hidden = !stale));
  }

  // ---- the bench ----

  /** @param {any} posenc the other scripts */
  function bench(posenc) {
    const { engine, proof, format } = posenc;
    const { config, table: pythons, strings, extra } = posenc.data();
    const heavy = config.n_positions * config.n_positions * config.d_model > FELT;

    const state = {
      probes: [...config.probes],
      order: extra.lineage.order,
      runs: 0,
      tampered: null,
      table: pythons, // the last one that was witnessed; before the first run, the build's
    };

    /**
     * @param {string} key
     * @param {Record<string, string | number>} [values]
     */
    const say = (key, values = {}) => format.fill(strings[key], values);

    // ---- compute: pure functions of the state ----

    /** @param {boolean} tampered */
    function build(tampered) {
      if (tampered) {
        return posenc.faults.rawIndex(config);
      }
      const positions = Array.from({ length: config.n_positions }, (_, position) => position);
      return engine.encode(positions, config.d_model, config.base);
    }

    /**
     * @param {Float64Array[]} table
     * @returns {Finding[]}
     */
    function witness(table) {
      return NAMES.map((name) => {
        const start = performance.now();
        const { measured, where, holds } = proof[name](table, config);
        return { name, measured, where: where ?? {}, holds, ms: performance.now() - start };
      });
    }

    /**
     * @param {Float64Array[]} table
     * @returns {Agreement}
     */
    function compare(table) {
      const measured = proof.agreement(table, pythons);
      return { measured, holds: measured <= extra.agreement };
    }

    /** @param {Finding[]} findings */
    const total = (findings) => format.fixed(findings.reduce((sum, { ms }) => sum + ms, 0), 1);

    /** @param {string[]} names */
    function list(names) {
      const head = names.slice(0, -1).join(", ");
      return head ? say("list", { head, last: names[names.length - 1] }) : names.join("");
    }

    /** @param {Finding[]} findings */
    function verdict(findings) {
      const names = (holds) => findings.filter((finding) => finding.holds === holds).map(({ name }) => name);
      const [held, fell] = [names(true), names(false)];
      if (fell.length === 0) {
        return say("verdict.holds", { held: list(held) });
      }
      if (held.length === 0) {
        return say("verdict.fell", { fell: list(fell) });
      }
      const key = held.length === 1 ? "verdict.mixed-one" : "verdict.mixed";
      return say(key, { fell: list(fell), held: list(held) });
    }

    /** @param {Where} where */
    function place(where) {
      const named = ["position", "k", "pair"].filter((name) => Number.isInteger(where[name]));
      const words = named.map((name) => say(`where.${name}`, { [name]: format.count(where[name]) }));
      return words.join(", ") || say("where.none");
    }

    /**
     * How many rows there are when rows of the very same numbers count once; −0 is 0.
     * @param {Float64Array[]} table
     */
    const uniqueRows = (table) => new Set(table.map((row) => row.join())).size;

    /**
     * What the witness's numbers say, in the page's words.
     * @param {Finding[]} findings
     * @param {Float64Array[]} table
     * @param {Agreement} agreement
     */
    function findingWords(findings, table, agreement) {
      const by = Object.fromEntries(findings.map((finding) => [finding.name, finding]));
      const held = findings.filter(({ holds }) => holds).length;
      const rows = format.count(config.n_positions);
      const unique = format.count(uniqueRows(table));
      const onlyTable = held === findings.length && !agreement.holds;
      const tally = say(onlyTable ? "tally-differs" : "tally", { held, all: findings.length });
      const words = {
        verdict: verdict(findings),
        "verdict-table": say(agreement.holds ? "table.agrees" : "table.differs"),
        tally,
        live: tally,
        table: say(agreement.holds ? "table.agrees" : "table.differs"),
        unique: say(config.n_positions === 1 ? "unique-one" : "unique", { rows, unique }),
        "unique-short": say("unique-short", { rows, unique }),
        range: say(by.bounded.holds ? "range.holds" : "range.fell", {
          largest: format.measured(by.bounded.measured),
        }),
        turn: say(by.shift.holds ? "turn.holds" : "turn.fell"),
        "turn-error": format.measured(by.shift.measured),
        "turn-measured": say("turn.measured", {
          measured: format.measured(by.shift.measured),
          tolerance: format.measured(config.tolerance),
        }),
        "word-agreement": say(agreement.holds ? "word.holds" : "word.fell"),
        "measured-agreement": format.measured(agreement.measured),
      };
      for (const { name, measured, where, holds, ms } of findings) {
        words[`word-${name}`] = say(holds ? "word.holds" : "word.fell");
        words[`now-${name}`] = words[`word-${name}`];
        words[`measured-${name}`] = format.measured(measured);
        words[`where-${name}`] = place(where);
        words[`ms-${name}`] = ms < TICK ? say("instant", { ms: TICK }) : say("milliseconds", { ms: format.fixed(ms, 1) });
      }
      return words;
    }

    /**
     * @param {number[]} probes
     * @param {Float64Array[]} table
     * @param {boolean} tampered
     */
    function probeWords(probes, table, tampered) {
      const [a, b] = probes.map((probe) => table[probe]);
      const omega = engine.frequencies(config.d_model, config.base);
      const turned = engine.rotate([a], probes[1] - probes[0], omega)[0];
      const apart = Math.sqrt(a.reduce((sum, value, column) => sum + (b[column] - value) ** 2, 0));
      const off = b.reduce((worst, value, column) => Math.max(worst, Math.abs(value - turned[column])), 0);
      const words = { "probe-distance": format.measured(apart), "probe-turned": format.measured(off) };
      probes.forEach((probe, side) => {
        const note = config.d_model > 2 * extra.most_dials ? "probe.cut" : "probe.on";
        words[`probe-note-${SIDES[side]}`] = say(tampered ? "probe.off" : note, {
          probe: format.count(probe),
          dials: extra.most_dials,
        });
        Object.assign(words, tagWords(probe, side));
      });
      return words;
    }

    /**
     * The wall's rows of one probe: each scheme by its own rule, whatever the switch says.
     * @param {number} probe
     * @param {number} side
     */
    function tagWords(probe, side) {
      const [row] = engine.encode([probe], config.d_model, config.base);
      const values = Array.from(row.slice(0, extra.most_values), (value) => format.fixed(value, 3)).join("  ");
      return {
        [`tag-raw-${side}`]: format.count(probe),
        [`tag-onehot-${side}`]: say("wall.onehot", {
          column: format.count(probe),
          columns: format.count(config.n_positions),
        }),
        [`tag-scaled-${side}`]: format.measured(probe / Math.max(config.n_positions - 1, 1)),
        [`tag-sinusoid-${side}`]: row.length > extra.most_values ? say("wall.more", { values }) : values,
      };
    }

    /**
     * Each word's largest change of output between the two seatings.
     * @param {number[]} order which word takes each seat
     * @param {Float64Array[]} seats
     * @param {boolean} causal
     */
    function moved(order, seats, causal) {
      const { words, head } = extra.lineage;
      const seated = (rows) => rows.map((row, seat) => row.map((value, column) => value + seats[seat][column]));
      const before = posenc.attention.attend(seated(words), head, causal);
      const after = posenc.attention.attend(seated(order.map((word) => words[word])), head, causal);
      return order.map((word, seat) =>
        after[seat].reduce((worst, value, column) => Math.max(worst, Math.abs(value - before[word][column])), 0),
      );
    }

    /** @param {number[]} order */
    function lineageWords(order) {
      const { words, names, base } = extra.lineage;
      const width = words[0].length;
      const seats = engine.encode(names.map((_, seat) => seat), width, base);
      const nowhere = seats.map((row) => row.map(() => 0));
      const error = (x) => (x === 0 ? "0" : format.sci(x, 0));
      const columns = {
        bare: [moved(order, nowhere, false), error],
        placed: [moved(order, seats, false), (x) => format.fixed(x, 3)],
        masked: [moved(order, nowhere, true), (x) => format.fixed(x, 3)],
      };
      const said = { "lineage-by": say("lineage.by-browser") };
      for (const [name, [changes, written]] of Object.entries(columns)) {
        said[`lineage-${name}`] = written(Math.max(...changes));
        changes.forEach((change, seat) => (said[`lineage-${name}-${seat}`] = written(change)));
      }
      order.forEach((word, seat) => {
        said[`lineage-word-${seat}`] = names[word];
        said[`lineage-seats-${seat}`] = say("lineage.seats", { from: word, to: seat });
      });
      return said;
    }

    /**
     * Another order than the one before, in which at least one word leaves its seat.
     * @param {number[]} before
     */
    function shuffled(before) {
      const order = [...before];
      for (let last = order.length - 1; last > 0; last -= 1) {
        const other = Math.floor(Math.random() * (last + 1));
        [order[last], order[other]] = [order[other], order[last]];
      }
      const same = order.every((word, seat) => word === seat) || order.join() === before.join();
      return same ? shuffled(before) : order;
    }

    /**
     * A whole position in range, or the one before when nothing was meant.
     * @param {string} typed
     * @param {number} before
     */
    function probeFrom(typed, before) {
      const value = Number(typed);
      const last = config.n_positions - 1;
      if (typed.trim() === "" || !Number.isFinite(value)) {
        const kept = { taken: format.count(before), last: format.count(last) };
        return { taken: before, said: say("probe.nonsense", kept) };
      }
      const taken = Math.min(Math.max(Math.round(value), 0), last);
      const note = { typed, taken: format.count(taken), last: format.count(last) };
      return { taken, said: taken === value ? "" : say("probe.clamped", note) };
    }

    // ---- paint ----

    /**
     * The cells, and what the panel says of them to those who point at it or hear it.
     * @param {Float64Array[]} table
     * @param {boolean} tampered
     */
    function paintPanel(table, tampered) {
      const rounded = (value) => Math.round(value * 1e4) / 1e4 + 0; // as the build's own figure
      const z = table.map((row) => Array.from(row, rounded));
      const size = { rows: format.count(config.n_positions), columns: format.count(config.d_model) };
      const columns = Array.from({ length: config.d_model }, (_, dimension) => say("panel.column", { dimension }));
      const words = tampered ? { x: columns, label: say("panel.label", size) } : { x: null, label: null };
      posenc.heatmap("panel").update({ z, ...words });
      write({ "panel-columns": say(tampered ? "panel.columns.tampered" : "panel.columns.clean") });
    }

    /** @param {number} side */
    const probeBox = (side) => document.querySelector(`[data-probe="${SIDES[side]}"]`);

    /** @param {number} side */
    function turnHands(side) {
      const omega = engine.frequencies(config.d_model, config.base).slice(0, extra.most_dials);
      posenc.clocks.set(probeBox(side).querySelector("[data-clocks]"), state.probes[side], omega);
    }

    /** @param {Float64Array[]} table */
    function paintProbes(table) {
      const tampered = state.tampered === true;
      state.probes.forEach((_, side) => probeBox(side).toggleAttribute("data-off", tampered));
      write(probeWords(state.probes, table, tampered));
    }

    // ---- runs ----

    /** The switch as it stands: the table it asks for, the proof of it, and all that shows either. */
    function judge() {
      const tampered = byId("tamper").checked;
      const table = build(tampered);
      const findings = witness(table);
      const agreement = compare(table);
      const holds = agreement.holds && findings.every((finding) => finding.holds === true);
      const words = {
        ...findingWords(findings, table, agreement),
        state: say(tampered ? "state.tampered" : "state.clean"),
        runs: say("runs", { runs: state.runs + 1, ms: total(findings) }),
      };
      const said = [words.verdict, words["verdict-table"]].join("; ");
      const changed = tampered !== state.tampered; // the first run too: from here on the numbers are this browser's
      Object.assign(state, { tampered, table, runs: state.runs + 1 });
      delete byId("main").dataset.run;
      write(words);
      findings.forEach((finding) => mark(finding.name, finding.holds, finding.measured));
      mark("agreement", agreement.holds, agreement.measured);
      flag(holds ? "holds" : "broken");
      byId("runs").dataset.runs = String(state.runs);
      byId("state").dataset.state = byId("bar").dataset.state = tampered ? "tampered" : "clean";
      byId("live-statements").hidden = false;
      announce(said);
      if (changed) {
        part([0], () => paintPanel(table, tampered));
        part([1, 4], () => paintProbes(table));
      }
    }

    /** @param {() => void} work */
    function guarded(work) {
      try {
        work();
      } catch (error) {
        state.tampered = null; // whatever comes next is a change
        fail(error);
      }
    }

    function run() {
      guarded(() => {
        judge();
        enable();
      });
    }

    /** The controls wait for a run that came to its end. */
    function enable() {
      for (const control of document.querySelectorAll("#bench :disabled")) {
        control.disabled = false;
      }
    }

    let waiting = false;

    /** At once where that is not felt; else after “checking…” has been on the screen. */
    function check() {
      if (!heavy) {
        run();
        return;
      }
      guarded(wait);
      if (!waiting) {
        waiting = true;
        requestAnimationFrame(() => setTimeout(() => ((waiting = false), run())));
      }
    }

    /** Nothing holds and nothing fell while a run goes on. */
    function wait() {
      const checking = say("verdict.checking");
      const words = { "verdict-table": "" };
      for (const slot of ["verdict", "tally", "live", "unique", "range", "turn", "table"]) {
        words[slot] = checking;
      }
      for (const name of [...NAMES, "agreement"]) {
        mark(name, "checking");
        words[`word-${name}`] = words[`now-${name}`] = checking;
      }
      byId("main").dataset.run = "checking";
      flag("checking");
      write(words);
    }

    /**
     * @param {HTMLInputElement} input
     * @param {number} side
     * @param {boolean} final whether the reader is done typing
     */
    function moveProbe(input, side, final) {
      const { taken, said } = probeFrom(input.value, state.probes[side]);
      byId("probe-said").textContent = final ? said : ""; // of what stands in the box, or of nothing
      if (said && !final) {
        return;
      }
      state.probes[side] = taken;
      if (final) {
        input.value = String(taken);
      }
      part([0], () => posenc.heatmap("panel").probes([...state.probes]));
      part([1, 4], () => {
        turnHands(side);
        paintProbes(state.table);
      });
    }

    /**
     * Is this a click on a control's label? The browser makes a second one of it, on the control.
     * @param {Element} target
     */
    function passesOn(target) {
      const control = target.closest("label")?.control;
      return Boolean(control) && !control.contains(target);
    }

    function listen() {
      SIDES.forEach((side, index) => {
        const input = byId(`probe-${side}`);
        input.addEventListener("input", () => moveProbe(input, index, false));
        input.addEventListener("change", () => moveProbe(input, index, true));
      });
      for (const radio of document.querySelectorAll("input[name=rows]")) {
        radio.addEventListener("change", () => part([0], showRows));
      }
      byId("shuffle").addEventListener("click", () => {
        state.order = shuffled(state.order);
        part([5], () => write(lineageWords(state.order)));
      });
      const follow = () => {
        if (byId("tamper").checked !== state.tampered) {
          check(); // thrown without a click, or by a browser that kept it from an earlier visit
        }
      };
      byId("tamper").addEventListener("change", follow);
      addEventListener("load", follow);
      byId("main").addEventListener("click", ({ target }) => {
        if (!passesOn(target)) {
          check();
        }
      });
    }

    function showRows() {
      const all = byId("rows-all").checked;
      posenc.heatmap("panel").rows(all ? config.n_positions : extra.first_rows);
    }

    listen();
    check();
    part([5], () => write(lineageWords(state.order)));
  }

  try {
    bench(globalThis.posenc ?? {});
  } catch (error) {
    fail(error);
  }
})();
