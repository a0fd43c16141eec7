/* Part 6 of the explainer: hands carried ahead, by the turn or by maps that were fitted, and the likeness of slots. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, size, minus, plus, largest, through, soon, wake } = posenc.parts;
  const { fixed, sci, count, fill } = posenc.format;
  const { encode, frequencies, rotate } = posenc.engine;
  const { config, strings, extra } = posenc.data();
  const { bound, wrong, far, maps, decimals, word } = extra.turn;
  const { degrees, element, write } = posenc.views;
  const DIALS = 16;
  const REACH = 7.5;
  const FULL = 1.5; // the miss at which a bar is full

  /** @typedef {Float64Array} Row */
  /** @typedef {Record<string, any>} Shown */

  const box = document.getElementById("figure-turn");

  // ---- dials: as templates/macros/dials.html ----

  /**
   * @param {Element} svg
   * @param {number} dials
   */
  function fit(svg, dials) {
    if (svg.children.length === dials) {
      return;
    }
    svg.setAttribute("viewBox", `0 0 ${20 * dials} 20`);
    const made = Array.from({ length: dials }, (_, pair) => {
      const dial = element("g", { "data-pair": pair });
      const circle = element("circle", { cx: 10 + 20 * pair, cy: 10, r: 8.5 });
      dial.append(circle, element("path", { class: "goal" }), element("path", { class: "hand" }));
      return dial;
    });
    svg.replaceChildren(...made);
  }

  /**
   * Points the hands to the pairs of a row, cut at the rim, over those of the row that they should show.
   * @param {Element} svg
   * @param {Row | null} row null: no hands
   * @param {Row} goal
   * @param {number} chosen
   * @returns {number} how many of the dials are seen to be wrong
   */
  function point(svg, row, goal, chosen) {
    fit(svg, Math.min(goal.length / 2, DIALS));
    let misses = 0;
    [...svg.children].forEach((dial, pair) => {
      const tip = (/** @type {Row} */ of) => {
        const [sine, cosine] = [of[2 * pair], of[2 * pair + 1]];
        const cut = Math.max(1, Math.hypot(sine, cosine));
        const x = (10 + 20 * pair + (REACH * sine) / cut).toFixed(2);
        return `M${10 + 20 * pair} 10L${x} ${(10 - (REACH * cosine) / cut).toFixed(2)}`;
      };
      const off = row ? Math.hypot(row[2 * pair] - goal[2 * pair], row[2 * pair + 1] - goal[2 * pair + 1]) : 0;
      dial.classList.toggle("wrong", off > wrong);
      dial.classList.toggle("handless", !row);
      dial.querySelector("circle").classList.toggle("chosen", pair === chosen);
      dial.querySelector(".goal").setAttribute("d", tip(goal));
      dial.querySelector(".hand").setAttribute("d", tip(row ?? goal));
      misses += Number(off > wrong);
    });
    return misses;
  }

  // ---- what carries a row k slots ahead ----

  /** Were the free maps fitted on just this? @param {Shown} shown */
  const fitted = ({ d_model, n_positions, base, k }) =>
    k === extra.turn.k && d_model === config.d_model && n_positions === config.n_positions && base === config.base;

  /** @type {{rows: Row[] | null, k: number, blocks: number[][]}} */
  let kept = { rows: null, k: 0, blocks: [] };

  /**
   * Cosine and sine of each pair's turn by least squares over all slots, as in posenc/experiments.py; null while the
   * table is being built.
   * @param {Shown} shown
   */
  function pairs({ d_model, n_positions, base, k }) {
    const made = posenc.table.made;
    const { recipe } = made ?? {};
    if (recipe?.d_model !== d_model || recipe.n_positions !== n_positions || recipe.base !== base) {
      return null;
    }
    if (kept.rows !== made.rows || kept.k !== k) {
      kept = { rows: made.rows, k, blocks: fittedPairs(made.rows, k) };
    }
    return kept.blocks;
  }

  /**
   * @param {Row[]} rows
   * @param {number} k
   */
  function fittedPairs(rows, k) {
    const [first, last] = [Math.max(0, -k), rows.length - Math.max(0, k)];
    const sums = new Float64Array(rows[0].length);
    for (let slot = first; slot < last; slot += 1) {
      const [row, later] = [rows[slot], rows[slot + k]];
      for (let i = 0; i < row.length; i += 2) {
        sums[i] += row[i] * later[i] + row[i + 1] * later[i + 1];
        sums[i + 1] += row[i + 1] * later[i] - row[i] * later[i + 1];
      }
    }
    const mean = sums.map((sum) => sum / (last - first));
    return Array.from({ length: mean.length / 2 }, (_, pair) => [mean[2 * pair], mean[2 * pair + 1]]);
  }

  /**
   * The row that a map makes of a row, or null where there is no such map.
   * @param {string} map
   * @param {Row} row
   * @param {Shown} shown
   * @param {Float64Array} omega
   * @returns {Row | null}
   */
  function carried(map, row, shown, omega) {
    if (map === "turn") {
      return rotate([row], shown.k, omega)[0];
    }
    if (map !== "paired") {
      return fitted(shown) ? through(row, maps[map]) : null;
    }
    const blocks = pairs(shown);
    const turned = new Float64Array(row.length);
    blocks?.forEach(([cosine, sine], pair) => {
      const [s, c] = [row[2 * pair], row[2 * pair + 1]];
      turned[2 * pair] = cosine * s + sine * c;
      turned[2 * pair + 1] = cosine * c - sine * s;
    });
    return blocks && turned;
  }

  /**
   * A miss in words: a bound where it vanishes, and no more digits than stand fast.
   * @param {number} miss
   * @param {number} [places]
   */
  function told(miss, places = 2) {
    for (const limit of [bound, config.tolerance]) {
      if (miss <= limit) {
        return fill(strings["turn.below"], { bound: sci(limit, 0) });
      }
    }
    return miss < wrong ? sci(miss, 0) : fixed(miss, places);
  }

  // ---- the figure ----

  /** @param {number} k */
  function stair(k) {
    const [height, way] = [Math.abs(k), k >= 0 ? 1 : -1];
    const first = Math.max(0, height - extra.turn.steps);
    const place = (/** @type {number} */ step) => {
      const reach = 18 + (26 * (step - first)) / Math.max(height - first, 7);
      return `${(reach * Math.sin(way * step)).toFixed(2)} ${(-reach * Math.cos(way * step)).toFixed(2)}`;
    };
    const line = Array.from({ length: (height - first) * 8 + 1 }, (_, each) => place(first + each / 8));
    const steps = Array.from({ length: height - first + 1 }, (_, each) => place(first + each));
    draw(box, ".stair-line", { d: `M${line.join("L")}` });
    draw(box, ".stair-steps", { d: steps.map((at) => `M${at}h.001`).join("") });
    draw(box, ".stair-hand", { d: `M0 0L${steps[steps.length - 1]}` });
  }

  /**
   * @param {HTMLElement} figure
   * @param {Shown} shown
   */
  function turn(figure, shown) {
    const { d_model, base, k, pair, map } = shown;
    const omega = frequencies(d_model, base);
    const worded = shown.word === "on" && d_model === config.d_model;
    const laden = (/** @type {Row} */ row) => (worded ? plus(row, word) : row);
    for (const [name, slot] of [["pos", shown.pos], ["second", shown.second], ["far", far]]) {
      const [here, there] = encode([slot, slot + k], d_model, base).map(laden);
      const start = figure.querySelector(`[data-start="${name}"]`);
      const landing = figure.querySelector(`[data-landing="${name}"]`);
      say(start, ".output", count(slot));
      say(landing, ".output", count(slot + k));
      point(start.querySelector("svg"), here, here, pair);
      const landed = carried(map, here, shown, omega);
      const misses = point(landing.querySelector("svg"), landed, there, pair);
      const finding = /** @type {HTMLElement} */ (landing.querySelector(".finding"));
      finding.dataset.finding = !landed ? "none" : misses ? "changed" : "same";
      say(landing, "[data-miss]", missed(landed, there, worded, map));
    }
    const [turned] = encode([k], d_model, base);
    point(figure.querySelector('[data-hands="turn"] svg'), turned, turned, pair);
    angles(figure.querySelector(".angles"), omega, k);
    say(figure, "[data-turned]", strings[map === "turn" ? "turn.same" : "turn.wanted"]);
    stair(k);
    rates(figure, shown, omega);
    figure.querySelector("[data-wordless]").hidden = shown.word === "off" || worded;
    if (d_model === config.d_model && base === config.base) {
      write({ "turn.word": fixed(size(minus(rotate([word], k, omega)[0], word)), 2) });
    }
  }

  /**
   * @param {Row | null} landed
   * @param {Row} goal
   * @param {boolean} worded
   * @param {string} map
   */
  function missed(landed, goal, worded, map) {
    if (!landed) {
      return strings["turn.none"];
    }
    const miss = minus(landed, goal);
    return worded
      ? fill(strings["turn.apart"], { apart: told(size(miss)) })
      : fill(strings["turn.miss"], { miss: told(largest(miss), decimals[map]) });
  }

  /**
   * @param {Element} list
   * @param {Float64Array} omega
   * @param {number} k
   */
  function angles(list, omega, k) {
    const written = Array.from(omega.slice(0, DIALS), (each) => degrees(k * each));
    while (list.children.length > written.length) {
      list.lastElementChild.remove();
    }
    while (list.children.length < written.length) {
      list.append(document.createElement("li"));
    }
    written.forEach((each, i) => {
      list.children[i].textContent = each;
    });
    list.classList.toggle("many", written.length > 8);
  }

  /**
   * How far off each map is at the far slot, without any word.
   * @param {HTMLElement} figure
   * @param {Shown} shown
   * @param {Float64Array} omega
   */
  function rates(figure, shown, omega) {
    const [here, there] = encode([far, far + shown.k], shown.d_model, shown.base);
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (figure.querySelectorAll("[data-map]"))) {
      const { map } = row.dataset;
      const landed = carried(map, here, shown, omega);
      const miss = landed ? largest(minus(landed, there)) : 0;
      row.classList.toggle("chosen", map === shown.map);
      say(row, ".output", landed ? told(miss, decimals[map]) : strings["turn.none"]);
      draw(row, ".share rect", { width: Math.min(Math.round((100 * miss) / FULL), 100).toFixed(1) });
    }
    figure.querySelector("[data-unfitted]").hidden = fitted(shown);
  }

  const refit = /** @type {HTMLButtonElement} */ (box.querySelector("[data-refit]"));
  refit.disabled = false;
  refit.addEventListener("click", () => {
    const { d_model, n_positions, base } = config;
    posenc.state.set({ d_model, n_positions, base, k: extra.turn.k }, { rested: true });
    box.querySelector('[data-bind="map"]:checked').focus({ preventScroll: true });
  });

  // ---- the hand: turning the stair, pointing at a dial ----

  const dial = /** @type {SVGElement} */ (box.querySelector(".stair"));
  /** @type {{angle: number, k: number, before: number} | null} */
  let held = null;

  /** Clockwise from twelve, in radians. @param {PointerEvent} event */
  function angle({ clientX, clientY }) {
    const { left, top, width, height } = dial.getBoundingClientRect();
    return Math.atan2(clientX - left - width / 2, top + height / 2 - clientY);
  }

  dial.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      event.preventDefault();
      dial.setPointerCapture(event.pointerId);
      held = { angle: angle(event), k: posenc.state.now.k, before: posenc.state.now.k };
    }
  });
  dial.addEventListener("pointermove", (event) => {
    if (held) {
      const to = angle(event);
      const way = to - held.angle;
      held.k += way - 2 * Math.PI * Math.round(way / (2 * Math.PI)); // one radian is one step
      held.angle = to;
      const most = posenc.state.now.n_positions - 1;
      held.k = Math.min(Math.max(held.k, -most), most);
      posenc.state.set({ k: Math.round(held.k) });
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    dial.addEventListener(end, () => {
      if (held) {
        posenc.state.set(end === "pointerup" ? {} : { k: held.before }, { rested: true }); // cancelled: the page scrolls
      }
      held = null;
    });
  }

  const turning = box.querySelector(".turning");
  turning.addEventListener("pointerover", ({ target }) => {
    const at = /** @type {HTMLElement | null} */ (target.closest("g[data-pair]"));
    if (!held) {
      posenc.state.look(at && { pair: Number(at.dataset.pair) });
    }
  });
  turning.addEventListener("click", ({ target }) => {
    const at = /** @type {HTMLElement | null} */ (target.closest("g[data-pair]"));
    if (at) {
      posenc.state.set({ pair: Number(at.dataset.pair) }, { rested: true });
    }
  });
  turning.addEventListener("pointerleave", () => held || posenc.state.look(null));

  wake("turn", ["d_model", "n_positions", "base", "pos", "second", "k", "pair", "map", "word"], turn);
  soon(() => posenc.table.on(() => turn(box, posenc.state.shown)));

  // ---- the likeness of two slots ----

  const MOST = 64; // slots that are compared, as in posenc/web/heatmaps.py
  const recipe = (/** @type {Shown} */ { d_model, n_positions, base }) => [d_model, n_positions, base].join();
  let compared = recipe(config);

  /**
   * The mean cosine of the angles between two slots' hands.
   * @param {Float64Array} omega
   * @param {number} gap
   */
  const likeness = (omega, gap) => omega.reduce((sum, each) => sum + Math.cos(each * gap), 0) / omega.length;

  /**
   * Compares the slots of another table.
   * @param {HTMLElement} figure
   * @param {Float64Array} omega
   * @param {number} slots
   */
  function compare(figure, omega, slots) {
    const heights = Array.from({ length: slots }, (_, gap) => likeness(omega, gap));
    const rows = Array.from({ length: slots }, (_, row) =>
      Array.from({ length: slots }, (_, column) => Number(heights[Math.abs(column - row)].toFixed(4)) + 0),
    );
    const heatmap = posenc.heatmap("similarity");
    heatmap.update({ z: rows, rows: slots });
    const span = Math.max(slots - 1, 1);
    const low = Math.min(...heights) < 0 ? -1 : 0;
    const profile = figure.querySelector(".plot");
    profile.setAttribute("viewBox", `0 -1 ${span} ${1 - low}`);
    draw(profile, ".axis", { d: `M0 0H${span}` });
    draw(profile, ".curve", { d: `M${heights.map((height, gap) => `${gap} ${(-height + 0).toFixed(3)}`).join("L")}` });
    draw(profile, ".level", { d: `M0 ${(-likeness(omega, extra.turn.like[0])).toFixed(3)}H${span}` });
    levels(figure.querySelector(".likeness-profile .scale"), low);
    say(figure, "[data-span]", count(span));
    figure.querySelector(".likeness-marks").setAttribute("viewBox", `0 0 ${slots} ${slots}`);
    for (const mark of figure.querySelectorAll(".heatmap-frame [data-gap]")) {
      const gap = Number(mark.dataset.gap);
      mark.toggleAttribute("hidden", gap >= slots);
      if (mark.matches("path")) {
        mark.setAttribute("d", `M${gap + 0.5} .5L${slots - 0.5} ${slots - 0.5 - gap}`);
      } else {
        mark.setAttribute("y", `${(((slots - 0.5 - gap) / slots) * 100).toFixed(3)}%`);
      }
    }
    for (const gap of extra.turn.like) {
      draw(profile, `.dot[data-gap="${gap}"]`, {
        d: gap < slots ? `M${gap} ${(-likeness(omega, gap)).toFixed(3)}h.001` : "",
      });
    }
  }

  /**
   * The heights that the curve spans: one, nought, and minus one where it goes below.
   * @param {Element} scale
   * @param {number} low
   */
  function levels(scale, low) {
    const marks = low < 0 ? [1, 0, -1] : [1, 0];
    while (scale.children.length > marks.length) {
      scale.lastElementChild.remove();
    }
    while (scale.children.length < marks.length) {
      scale.append(scale.children[0].cloneNode(true));
    }
    marks.forEach((mark, i) => {
      scale.children[i].setAttribute("y", `${(100 * (1 - mark)) / (1 - low)}%`);
      scale.children[i].textContent = count(mark);
    });
  }

  /**
   * @param {HTMLElement} figure
   * @param {Shown} shown
   */
  function alike(figure, shown) {
    const omega = frequencies(shown.d_model, shown.base);
    const slots = Math.min(shown.n_positions, MOST);
    if (recipe(shown) !== compared) {
      compared = recipe(shown);
      compare(figure, omega, slots);
    }
    const gap = Math.abs(shown.k);
    const score = likeness(omega, gap);
    const profile = figure.querySelector(".plot");
    const [, , , height] = profile.getAttribute("viewBox").split(" ").map(Number);
    draw(profile, ".cursor", { d: gap < slots ? `M${gap} -1V${height - 1}` : "" });
    draw(profile, "[data-k]", { d: gap < slots ? `M${gap} ${(-score + 0).toFixed(3)}h.001` : "" });
    const inside = shown.pos < slots && shown.second < slots;
    draw(figure, "[data-cursor]", inside ? { x: shown.second, y: shown.pos, width: 1 } : { width: 0 });
    tellScore(shown);
    follow();
    const lowest = Array.from({ length: slots }, (_, each) => likeness(omega, each)).reduce((a, b) => Math.min(a, b));
    const [near, distant] = extra.turn.like.map((each) => fixed(likeness(omega, each), 3));
    write({ "like.near": near, "like.far": distant, "like.k": fixed(score, 3), "like.lowest": fixed(lowest, 3) });
  }

  const map = /** @type {HTMLElement} */ (document.querySelector('[data-heatmap="similarity"]'));
  const board = /** @type {HTMLElement} */ (map.querySelector(".heatmap-frame"));

  /** @param {Shown} shown */
  function tellScore({ d_model, base, pos, second }) {
    const gap = Math.abs(second - pos);
    say(map, "p[data-cell]", fill(strings["like.cell"], {
      row: count(pos),
      column: count(second),
      gap: count(gap),
      value: fixed(likeness(frequencies(d_model, base), gap), 4),
    }));
  }

  /** The scores depend on the gap alone: a row for each says it all. */
  const follow = posenc.numbers(map, () => {
    const { d_model, base, n_positions, pos, second } = posenc.state.now;
    const omega = frequencies(d_model, base);
    const head = map.querySelectorAll("thead th")[1].textContent;
    const gaps = Array.from({ length: Math.min(n_positions, MOST) }, (_, gap) => gap);
    return {
      columns: [[head, ""]],
      rows: gaps.map((gap) => [count(gap), [fixed(likeness(omega, gap), 4)]]),
      chosen: Math.abs(second - pos),
    };
  });

  posenc.cells(map, {
    name: strings["like.keys"],
    at: () => {
      const { rows } = posenc.heatmap("similarity").size();
      const { pos, second } = posenc.state.now;
      return { row: Math.min(pos, rows - 1), column: Math.min(second, rows - 1) };
    },
    size: posenc.heatmap("similarity").size,
    choose: ({ row, column }) => {
      posenc.state.set({ pos: row, second: column });
      tellScore(posenc.state.now);
    },
  });
  const slotsAt = (/** @type {PointerEvent | MouseEvent} */ event) => {
    const at = posenc.heatmap("similarity").cell(event);
    return at && { pos: at.row, second: at.column };
  };
  board.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") {
      posenc.state.look(slotsAt(event));
    }
  });
  board.addEventListener("pointerleave", () => posenc.state.look(null));
  board.addEventListener("click", (event) => {
    const at = slotsAt(event);
    if (at) {
      posenc.state.set(at, { rested: true });
    }
  });
  wake("likeness", ["d_model", "n_positions", "base", "pos", "second", "k"], alike);
})();
