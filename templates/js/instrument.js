/**
 * The instrument: what the state says → the table → what is true of it → what the page shows. The table is built from
 * the formula and proved again at load, at every click, at every change of the state and at every planted fault.
 *
 * What the page holds when it comes is the build's, and is named so. It becomes this browser's by a run of the
 * witness that came to its end; a run that did not, for whatever reason, takes every claim back.
 */
(function () {
  "use strict";

  const NAMES = ["bounded", "length", "distinct", "shift", "ladder"];
  const SIDES = ["a", "b"];
  const NONE = "—";
  const CLEAN = "none";
  const RECIPE = ["d_model", "n_positions", "base", "tamper"]; // the fields that a table is made of
  const RAW = "raw"; // the one fault of which the panel can say what every column holds
  const GIVEN = "given"; // no fault of ours: the table is the reader's own
  const TICK = 0.1; // ms: the finest step of the clock that browsers give to a page
  const BUDGET = 16; // ms at once: the table that the page comes with is proved in them
  const BURST = 200; // ms: while changes follow each other faster, what is dragged comes first
  const BUDGET_IN_A_BURST = 4;

  /** @typedef {Record<string, number | null>} Where */
  /** @typedef {{d_model: number, n_positions: number, base: number, fault: string}} Recipe */
  /** @typedef {{name: string, measured: number, where: Where, holds: boolean, method: string, ms: number}} Finding */
  /** @typedef {{measured: number, holds: boolean} | null} Agreement with the table that Python wrote, if it is as large */
  /** @typedef {{findings: Finding[], unique: number, agreement: Agreement}} Judgement */

  /** @param {string} id */
  const byId = (id) => document.getElementById(id);

  // ---- what needs no other script and no data ----

  /** @type {Map<string, Element[]>} the places that wait for each text */
  const places = new Map();
  for (const place of document.querySelectorAll("[data-live]")) {
    const name = place.getAttribute("data-live");
    places.set(name, [...(places.get(name) ?? []), place]);
  }

  /** @param {Record<string, string>} words */
  function write(words) {
    for (const [name, text] of Object.entries(words)) {
      for (const place of places.get(name) ?? []) {
        if (place.textContent !== text) {
          place.textContent = text;
        }
      }
    }
  }

  /** @param {"checking" | "holds" | "broken"} word */
  function flag(word) {
    byId("window-7").dataset.verdict = word;
    byId("bar").dataset.verdict = word;
    byId("window-8").dataset.verdict = word;
  }

  /** The lines that say of an invariant, or of the agreement, whether it holds. @type {Record<string, HTMLElement[]>} */
  const rowsOf = Object.fromEntries(
    [...NAMES, "agreement"].map((name) => [
      name,
      [...document.querySelectorAll(`[data-invariant="${name}"], [data-statement="${name}"], [data-now="${name}"]`)],
    ]),
  );

  /**
   * @param {string} name
   * @param {boolean | "checking"} holds
   * @param {number} [measured]
   */
  function mark(name, holds, measured = NaN) {
    for (const row of name === "agreement" ? [byId("agreement"), ...rowsOf[name]] : rowsOf[name]) {
      row.dataset.holds = String(holds);
      if (row.hasAttribute("data-measured")) {
        row.dataset.measured = String(measured);
      }
    }
  }

  /** @param {string} text */
  const announce = (text) => globalThis.posenc?.say?.(text, "verdict");

  /**
   * Nothing is known any more: no run came to its end, or the last one did not.
   * @param {unknown} error
   */
  function fail(error) {
    console.error(error);
    const { failed, unchecked } = byId("witness").dataset;
    const said = `${failed}: ${error instanceof Error ? error.message : error}`;
    byId("main").dataset.run = "failed";
    byId("main").dataset.stale = ""; // until a run comes to its end, however long it waits
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
    for (const number of windows) {
      const note = byId(`stale-${number}`);
      if (stale && note.hidden) {
        globalThis.posenc?.say?.(note.textContent);
      }
      note.hidden = !stale;
    }
  }

  // ---- the bench ----

  /** @param {any} posenc the other scripts */
  function bench(posenc) {
    for (const name of ["engine", "format", "proof", "linear", "slices", "state", "table", "views", "graveyard"]) {
      if (!posenc[name]) {
        throw new Error(`${name}.js is missing`);
      }
    }
    const { engine, format, proof, state } = posenc;
    const { config: built, table: pythons, strings, extra } = posenc.data();
    const run = posenc.slices.latest();
    let runs = 0;
    let begun = 0;
    let lately = -Infinity; // when the last run began
    /** @type {string | Float64Array[]} */
    let painted = ""; // the recipe of the table in the panel, or a reader's own table
    let order = extra.lineage.order;
    let allRows = false;
    let stretched = false;

    /**
     * @param {string} key
     * @param {Record<string, string | number>} [values]
     */
    const say = (key, values = {}) => format.fill(strings[key], values);

    /** @param {Recipe} recipe */
    const isBuilt = ({ d_model, n_positions, base }) =>
      d_model === built.d_model && n_positions === built.n_positions && base === built.base;

    // ---- compute ----

    /**
     * All that is asked of a table, in slices.
     * @param {Float64Array[]} table
     * @param {Recipe} recipe
     * @returns {Generator<{done: number}, Judgement, void>}
     */
    function* judgement(table, recipe) {
      const findings = yield* proof.slices(table, { ...recipe, tolerance: built.tolerance });
      const unique = yield* posenc.linear.uniqueSlices(table);
      if (!isBuilt(recipe)) {
        return { findings, unique, agreement: null };
      }
      const measured = yield* proof.agreementSlices(table, pythons);
      return { findings, unique, agreement: { measured, holds: measured <= extra.agreement } };
    }

    // ---- words ----

    /** @param {Finding[]} findings */
    const total = (findings) => format.fixed(findings.reduce((sum, { ms }) => sum + ms, 0), 1);

    /** @param {string[]} names */
    function list(names) {
      const head = format.listed(names.slice(0, -1));
      return head ? say("list", { head, last: names[names.length - 1] }) : names.join("");
    }

    /** @param {Finding[]} findings */
    function verdict(findings) {
      const names = (holds) => findings.filter((finding) => finding.holds === holds).map(({ name }) => say(`invariant.${name}`));
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
      return format.listed(words) || say("where.none");
    }

    /** @param {Agreement} agreement */
    function tableWord(agreement) {
      return say(agreement ? (agreement.holds ? "table.agrees" : "table.differs") : "table.other");
    }

    /**
     * What the witness's numbers say, in the page's words.
     * @param {Judgement} judgement
     * @param {Recipe} recipe
     */
    function findingWords({ findings, unique, agreement }, recipe) {
      const by = Object.fromEntries(findings.map((finding) => [finding.name, finding]));
      const held = findings.filter(({ holds }) => holds).length;
      const known = !Number.isNaN(by.distinct.measured); // a row without numbers is like no other, and unlike none
      const counts = { rows: format.count(recipe.n_positions), unique: known ? format.count(unique) : NONE };
      const onlyTable = held === findings.length && agreement?.holds === false;
      const tally = say(onlyTable ? "tally-differs" : "tally", { held, all: findings.length });
      const measuredTurn = format.measured(by.shift.measured);
      const words = {
        verdict: verdict(findings),
        "verdict-table": tableWord(agreement),
        tally,
        live: tally,
        table: tableWord(agreement),
        unique: say(recipe.n_positions === 1 ? "unique-one" : "unique", counts),
        "unique-short": say("unique-short", counts),
        range: say(by.bounded.holds ? "range.holds" : "range.fell", {
          largest: format.measured(by.bounded.measured),
        }),
        turn: say(by.shift.holds ? "turn.holds" : "turn.fell"),
        "turn-error": measuredTurn,
        "turn-measured": say("turn.measured", {
          measured: measuredTurn,
          tolerance: format.measured(built.tolerance),
        }),
        "word-agreement": agreement ? say(agreement.holds ? "word.holds" : "word.fell") : say("word.none"),
        "measured-agreement": agreement ? format.measured(agreement.measured) : NONE,
      };
      for (const { name, measured, where, holds, method, ms } of findings) {
        words[`word-${name}`] = say(holds ? "word.holds" : "word.fell");
        words[`now-${name}`] = words[`word-${name}`];
        words[`measured-${name}`] = format.measured(measured);
        words[`where-${name}`] = place(where);
        words[`method-${name}`] = say(`method.${method}`);
        words[`ms-${name}`] = ms < TICK ? say("instant", { ms: format.fixed(TICK, 1) }) : say("milliseconds", { ms: format.fixed(ms, 1) });
      }
      return words;
    }

    /**
     * The two positions, the turn between them, and the shift by k, on the table as it is: faults included.
     * @param {Record<string, any>} shown
     */
    function probeWords(shown) {
      const recipe = { ...shown, fault: shown.tamper };
      const { pos, second, k } = shown;
      const omega = engine.frequencies(shown.d_model, shown.base);
      const [a, b, ahead] = [pos, second, pos + k].map((position) => posenc.table.row(recipe, position));
      const apart = Math.sqrt(a.reduce((sum, value, column) => sum + (b[column] - value) ** 2, 0));
      const off = (row, by, other) => {
        const [turned] = engine.rotate([row], by, omega);
        return format.measured(other.reduce((worst, value, column) => Math.max(worst, Math.abs(value - turned[column])), 0));
      };
      const words = {
        "probe-distance": format.measured(apart),
        "probe-turned": off(a, second - pos, b),
        "probe-ahead": ahead.some(Number.isNaN) ? NONE : off(a, k, ahead), // a reader's own table ends somewhere
      };
      [pos, second].forEach((probe, side) => {
        const note = shown.d_model > 2 * extra.most_dials ? "probe.cut" : "probe.on";
        const formulas = posenc.table.given ? "probe.given" : shown.tamper === CLEAN ? note : "probe.off";
        words[`probe-note-${SIDES[side]}`] = say(formulas, {
          probe: format.count(probe),
          dials: extra.most_dials,
        });
        Object.assign(words, tagWords(shown, probe, side));
      });
      return words;
    }

    /**
     * The wall's rows of one probe: each scheme by its own rule, whatever the switch says.
     * @param {Record<string, any>} shown
     * @param {number} probe
     * @param {number} side
     */
    function tagWords({ d_model, n_positions, base }, probe, side) {
      const [row] = engine.encode([probe], d_model, base);
      const values = Array.from(row.slice(0, extra.most_values), (value) => format.fixed(value, 3)).join("  ");
      return {
        [`tag-raw-${side}`]: format.count(probe),
        [`tag-onehot-${side}`]: say("wall.onehot", {
          column: format.count(probe),
          columns: format.count(n_positions),
        }),
        [`tag-scaled-${side}`]: format.measured(probe / Math.max(n_positions - 1, 1)),
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

    // ---- paint ----

    /**
     * The cells, and what the panel says of them to those who point at it or hear it.
     * @param {Float64Array[]} table
     * @param {Recipe} recipe
     */
    function paintPanel(table, recipe) {
      const clean = recipe.fault === CLEAN;
      const raw = recipe.fault === RAW;
      const given = recipe.fault === GIVEN;
      const size = { rows: format.count(recipe.n_positions), columns: format.count(recipe.d_model) };
      const kind = given ? "given" : raw ? "tampered" : "faulty";
      const [column, label] = given ? ["panel.column.given", "panel.label.given"] : raw ? ["panel.column", "panel.label"] : ["panel.column.faulty", "panel.label.faulty"];
      posenc.heatmap("panel").update({
        z: posenc.views.cells(table),
        shades: stretched ? stretch(table) : null,
        x: posenc.views.columns(recipe, clean ? "cell.column" : column),
        label: clean && isBuilt(recipe) ? null : say(clean ? "panel.label.clean" : label, size),
        rows: allRows ? recipe.n_positions : extra.first_rows,
      });
      write({
        "panel-columns": say(clean ? "panel.columns.clean" : `panel.columns.${kind}`),
        "panel-stretch": stretchWords(recipe),
        "panel-all": say("panel.all", { rows: format.count(recipe.n_positions) }),
      });
      byId("rows").hidden = recipe.n_positions <= extra.first_rows;
    }

    /**
     * Each column by itself from −1 at its least to +1 at its greatest; one that never changes is 0.
     * @param {Float64Array[]} table
     */
    function stretch(table) {
      const least = Float64Array.from(table[0]);
      const greatest = Float64Array.from(table[0]);
      for (const row of table) {
        for (let column = 0; column < row.length; column += 1) {
          least[column] = Math.min(least[column], row[column]);
          greatest[column] = Math.max(greatest[column], row[column]);
        }
      }
      return table.map((row) => {
        const shades = new Float64Array(row.length);
        for (let column = 0; column < row.length; column += 1) {
          const range = greatest[column] - least[column];
          shades[column] = range > 0 ? (2 * (row[column] - least[column])) / range - 1 : 0;
        }
        return shades;
      });
    }

    /** @param {Recipe} recipe */
    function stretchWords(recipe) {
      if (recipe.fault === GIVEN) {
        return say(stretched ? "panel.given.stretched" : "panel.given");
      }
      if (recipe.fault !== CLEAN) {
        return say("panel.scale");
      }
      const omega = engine.frequencies(recipe.d_model, recipe.base);
      const share = ((recipe.n_positions - 1) * omega[omega.length - 1]) / (2 * Math.PI);
      const words = { rows: format.count(recipe.n_positions), turns: format.measured(share) };
      return say(stretched ? "panel.stretched" : "panel.flat", words);
    }

    /** @param {Record<string, any>} shown */
    function paintProbes(shown) {
      for (const box of document.querySelectorAll("[data-posture]")) {
        box.toggleAttribute("data-off", shown.tamper !== CLEAN || Boolean(posenc.table.given));
      }
      write(probeWords(shown));
    }

    // ---- runs ----

    /**
     * The proof of a table, and all that shows it. A newer one takes the place of one that has not ended.
     * @param {{rows: Float64Array[], recipe: Recipe}} made
     */
    async function judge({ rows, recipe }) {
      begun += 1;
      const work = judgement(rows, recipe);
      const now = performance.now();
      const hurried = now - lately <= BURST;
      const end = now + (hurried ? BUDGET_IN_A_BURST : BUDGET);
      lately = now;
      try {
        let step = work.next();
        while (!step.done && performance.now() < end) {
          step = work.next();
        }
        if (step.done) {
          void run(nothing()).catch(() => {}); // an older run is over too
          show(step.value, rows, recipe);
          return;
        }
        wait(step.value.done); // no older verdict stands beside a newer table
        run(nothing()).catch(() => {}); // and none that was on its way comes now
        if (hurried) {
          await new Promise((resolve) => setTimeout(resolve, BURST));
          if (posenc.table.made?.rows !== rows) {
            return; // the hand went on
          }
        }
        show(await run(work, { progress: ({ done }) => wait(done) }), rows, recipe);
      } catch (error) {
        if (!(error instanceof DOMException && error.name === "AbortError")) {
          fail(error);
        }
      }
    }

    /** @returns {Generator<never, void, void>} */
    function* nothing() {}

    /**
     * @param {Judgement} found
     * @param {Float64Array[]} rows
     * @param {Recipe} recipe
     */
    function show(found, rows, recipe) {
      const { findings, agreement } = found;
      const holds = agreement?.holds !== false && findings.every((finding) => finding.holds === true);
      runs += 1;
      const words = {
        ...findingWords(found, recipe),
        runs: say("runs", { runs, ms: total(findings) }),
      };
      if (byId("main").dataset.stale === "") {
        part([0], () => paintPanel(rows, recipe));
        part([1, 4], () => paintProbes(state.shown));
        part([4], () => posenc.views.hands(state.shown));
      }
      delete byId("main").dataset.stale;
      delete byId("main").dataset.run;
      write(words);
      findings.forEach((finding) => mark(finding.name, finding.holds, finding.measured));
      mark("agreement", agreement ? agreement.holds : "none", agreement?.measured);
      flag(holds ? "holds" : "broken");
      byId("runs").dataset.runs = String(runs);
      sayEngine(recipe.fault);
      byId("live-statements").hidden = false;
      announce([words.verdict, words["verdict-table"]].join("; "));
      enable();
    }

    /** What would make the page's first task too long has one of its own. @param {() => void} work */
    const soon = (work) => setTimeout(work);

    /** @param {() => void} work */
    function guarded(work) {
      try {
        work();
      } catch (error) {
        fail(error);
      }
    }

    /** The controls wait for a run that came to its end. */
    function enable() {
      for (const control of document.querySelectorAll("#bench :disabled")) {
        control.disabled = false;
      }
    }

    /**
     * Nothing holds and nothing fell while a run goes on.
     * @param {number} done the share of it that is done
     */
    function wait(done) {
      const checking = done ? say("verdict.share", { share: Math.floor(100 * done) }) : say("verdict.checking");
      const words = { "verdict-table": "", verdict: checking, tally: say("verdict.checking"), live: checking }; // the bar never grows
      if (byId("main").dataset.run !== "checking") {
        for (const slot of ["unique", "range", "turn", "table"]) {
          words[slot] = checking;
        }
        for (const name of [...NAMES, "agreement"]) {
          mark(name, "checking");
          words[`word-${name}`] = words[`now-${name}`] = say("verdict.checking");
        }
        byId("main").dataset.run = "checking";
        flag("checking");
      }
      write(words);
    }

    /** Builds the table once more, from the formula, and proves it. */
    const check = () => {
      posenc.table.again();
      waitForTable();
    };

    /** A table that takes its time is not there yet: nothing is known of it. */
    function waitForTable() {
      if (!posenc.table.made) {
        run(nothing()).catch(() => {}); // what was being proved is no longer asked for
        guarded(() => wait(0));
      }
    }

    // ---- controls ----

    /** The switch and the choice of its fault, as the state has them. */
    function followSwitch({ tamper, n_positions }) {
      byId("tamper").checked = tamper !== CLEAN;
      sayEngine(posenc.table.given ? GIVEN : tamper);
      for (const radio of document.querySelectorAll("input[name=fault]")) {
        radio.checked = tamper === CLEAN ? radio.checked : radio.value === tamper;
      }
      expect(chosenFault(), n_positions);
    }

    /** What the table is built by is known at once, whatever becomes of its proof. @param {string} fault */
    function sayEngine(fault) {
      const word = fault === CLEAN ? "clean" : fault === GIVEN ? "given" : "tampered";
      write({ state: say(`state.${word}`) });
      byId("state").dataset.state = byId("bar").dataset.state = word;
      document.querySelector('#bar a[data-live="state"]').setAttribute("href", word === "given" ? "#your-table" : "#window-6");
    }

    const chosenFault = () => document.querySelector("input[name=fault]:checked").value;

    /**
     * What the chosen fault should break, by the build; a fault that bites further on only, in a table that long.
     * @param {string} fault
     * @param {number} rows
     */
    function expect(fault, rows) {
      const later = extra.later[fault];
      const expected = later && rows >= later.rows ? later.verdicts : extra.faults[fault];
      for (const name of NAMES) {
        const line = document.querySelector(`[data-now="${name}"]`).closest("[data-expected]");
        line.setAttribute("data-expected", expected[name] ? "holds" : "fell");
        write({ [`expected-${name}`]: say(expected[name] ? "expected.holds" : "expected.fell") });
      }
    }

    /** The graveyard's counter-examples, on the table as the state has it; a claim that it does not refute stands. */
    function dig({ d_model, n_positions, base, pos, second }) {
      const given = [{ d_model, n_positions, base, tolerance: built.tolerance }, [pos, second], extra.graveyard];
      write(posenc.graveyard(...given));
      const standing = posenc.graveyard.standing(...given);
      for (const grave of document.querySelectorAll("[data-grave]")) {
        grave.toggleAttribute("data-standing", standing.includes(grave.dataset.grave));
      }
    }

    const plant = () => state.set({ tamper: byId("tamper").checked ? chosenFault() : CLEAN }, { rested: true });

    /**
     * Is this a click on a control's label? The browser makes a second one of it, on the control.
     * @param {Element} target
     */
    function passesOn(target) {
      const control = target.closest("label")?.control;
      return Boolean(control) && !control.contains(target);
    }

    function listen() {
      byId("stretch").checked = false; // a browser may have kept what was chosen on an earlier visit
      byId("rows-first").checked = true;
      for (const radio of document.querySelectorAll("input[name=rows]")) {
        radio.addEventListener("change", () => part([0], showRows));
      }
      document.querySelector('[data-heatmap="panel"]').addEventListener("beyond", () => {
        byId("rows-all").checked = true; // the cursor goes on where the first rows end
        part([0], showRows);
      });
      byId("stretch").addEventListener("change", () => {
        stretched = byId("stretch").checked;
        const { made } = posenc.table;
        if (made) {
          part([0], () => paintPanel(made.rows, made.recipe));
        }
      });
      posenc.state.onReset(resetViews);
      byId("shuffle").addEventListener("click", () => {
        order = shuffled(order);
        part([5], () => write(lineageWords(order)));
      });
      byId("tamper").addEventListener("change", plant);
      for (const radio of document.querySelectorAll("input[name=fault]")) {
        radio.addEventListener("change", () => {
          expect(chosenFault(), state.now.n_positions);
          plant();
        });
      }
      byId("main").addEventListener("click", ({ target }) => {
        if (!passesOn(target)) {
          const before = begun; // a control that the click changes begins a run by itself
          requestAnimationFrame(() => setTimeout(() => begun === before && check()));
        }
      });
    }

    /** What is no part of the state, as it was built. */
    function resetViews() {
      order = extra.lineage.order;
      byId("stretch").checked = stretched = false;
      byId("rows-first").checked = true;
      document.querySelector("input[name=fault]").checked = true;
      expect(chosenFault(), state.now.n_positions);
      part([5], () => write(lineageWords(order)));
      part([0], showRows);
      if (posenc.table.made) {
        part([0], () => paintPanel(posenc.table.made.rows, posenc.table.made.recipe));
      }
    }

    function showRows() {
      allRows = byId("rows-all").checked;
      posenc.heatmap("panel").rows(allRows ? posenc.state.now.n_positions : extra.first_rows);
    }

    /** What the build measured for its own table says so while another is shown. */
    function noteBuilt(shown) {
      const given = Boolean(posenc.table.given);
      const other = given || !isBuilt({ ...shown, fault: CLEAN });
      for (const note of document.querySelectorAll("[data-built]")) {
        note.hidden = !other;
      }
      for (const note of document.querySelectorAll("[data-formula-only]")) {
        note.hidden = shown.tamper === CLEAN && !given;
      }
    }

    /**
     * All that tells a reader's own table from the formula's.
     * @param {Record<string, any>} shown
     */
    function turnTo(shown) {
      followSwitch(shown);
      noteBuilt(shown);
      part([0], () => posenc.views.marks(shown));
      part([1, 4], () => paintProbes(shown));
    }

    listen();
    state.on(followSwitch);
    state.on(noteBuilt);
    state.on((shown) => part([1, 4], () => paintProbes(shown)));
    soon(() =>
      state.on((shown, changed) => {
        if (["d_model", "n_positions", "base", "pos", "second"].some((name) => changed.has(name))) {
          part([2], () => dig(shown));
        }
      }),
    );
    const followTable = ({ rows, recipe }) => {
      const own = recipe.fault === GIVEN;
      const name = own ? rows : JSON.stringify(recipe);
      if (name !== painted) {
        part([0], () => paintPanel(rows, recipe));
      }
      if (name !== painted && (own || typeof painted !== "string")) {
        turnTo(state.shown); // the state may be as before, and tells its painters nothing
      }
      painted = name;
    };
    soon(() => posenc.table.on(followTable));
    state.on((shown) => part([0], () => posenc.views.marks(shown)));
    state.on((shown) => part([4], () => posenc.views.hands(shown)));
    let first = true;
    posenc.table.on((made) => {
      if (first) {
        soon(() => judge(posenc.table.made ?? made)); // after all that draws the page
      } else {
        void judge(made);
      }
      first = false;
    }, fail);
    state.on((_, changed) => RECIPE.some((name) => changed.has(name)) && waitForTable());
    soon(() => part([5], () => write(lineageWords(order))));
  }

  try {
    bench(globalThis.posenc ?? {});
  } catch (error) {
    fail(error);
  }
})();
