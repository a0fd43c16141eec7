/* Part 8 of the explainer: one glance's score at one gap, the place added on top or turned in, under any tables. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, plus, through, dot, wake, example: table } = posenc.parts;
  const { fixed, sci, count, fill } = posenc.format;
  const { rotate } = posenc.engine;
  const { config, omega, strings, extra } = posenc.data();
  const { query, key, seed, bound } = extra.coda;

  const box = document.getElementById("figure-coda");

  /** @typedef {Float64Array[] | number[][]} Matrix */
  /** @typedef {{additive: number[][], rotary: number[][]}} Scores row: the first word's slot; column: the second's */

  /**
   * A pair of random tables: the page's own, or those that a number stands for, made as typed words are.
   * @param {number} number
   * @returns {{w_q: Matrix, w_k: Matrix}}
   */
  function tables(number) {
    if (number === 0) {
      return extra.order.head;
    }
    const width = config.d_model;
    const drawn = (/** @type {string} */ name) => {
      const numbers = posenc.words.row(`${name} ${number}`, width * width, seed);
      return Array.from({ length: width }, (_, row) =>
        numbers.slice(row * width, (row + 1) * width).map((each) => each / Math.sqrt(width)),
      );
    };
    return { w_q: drawn("q"), w_k: drawn("k") };
  }

  /**
   * Both schemes from the same two words and the same two tables.
   * @param {{w_q: Matrix, w_k: Matrix}} tables
   * @returns {Scores}
   */
  function scored({ w_q, w_k }) {
    const [q, k] = [through(query, w_q), through(key, w_k)];
    const meet = (/** @type {Float64Array[]} */ queries, /** @type {Float64Array[]} */ keys) =>
      queries.map((each) => keys.map((other) => dot(each, other)));
    return {
      additive: meet(
        table.map((place) => through(plus(query, place), w_q)),
        table.map((place) => through(plus(key, place), w_k)),
      ),
      rotary: meet(
        table.map((_, slot) => rotate([q], slot, omega)[0]),
        table.map((_, slot) => rotate([k], slot, omega)[0]),
      ),
    };
  }

  /**
   * The scores of the words at one gap: the second word's slot less the first's.
   * @param {number[][]} scores
   * @param {number} gap
   */
  function along(scores, gap) {
    const first = Math.max(0, -gap);
    return scores.slice(first, Math.max(first, scores.length - Math.max(0, gap))).map((row, i) => row[first + i + gap]);
  }

  /** @param {number[]} heights */
  const range = (heights) => Math.max(...heights) - Math.min(...heights);

  /**
   * The widest range at any one gap.
   * @param {number[][]} scores
   */
  function widest(scores) {
    const gaps = Array.from({ length: 2 * scores.length - 1 }, (_, i) => i + 1 - scores.length);
    return Math.max(...gaps.map((gap) => range(along(scores, gap))));
  }

  /** @type {{number: number, scores: Scores}} */
  let drawn = { number: 0, scores: scored(tables(0)) };

  /** One scale for both plots, in whole numbers, and the ranges over all gaps. */
  function redraw({ additive, rotary }) {
    const all = [additive, rotary].flat(2);
    const low = Math.floor(Math.min(...all));
    const high = Math.ceil(Math.max(...all));
    for (const [scheme, scores] of Object.entries({ additive, rotary })) {
      const plot = box.querySelector(`[data-scheme="${scheme}"]`);
      draw(plot, ".plot", { viewBox: `-1 ${-high} ${scores.length + 1} ${high - low}` });
      const marks = [high, 0, low];
      plot.querySelectorAll(".scale text").forEach((mark, i) => {
        mark.setAttribute("y", `${Number(((100 * (high - marks[i])) / (high - low)).toFixed(2))}%`);
        mark.textContent = count(marks[i]);
      });
      const spread = widest(scores);
      say(plot, '[data-output="all"]', spread <= bound ? fill(strings["turn.below"], { bound: sci(bound, 0) }) : fixed(spread, 2));
    }
  }

  /**
   * @param {HTMLElement} figure
   * @param {Record<string, any>} shown
   */
  function coda(figure, shown) {
    if (drawn.number !== shown.draw) {
      drawn = { number: shown.draw, scores: scored(tables(shown.draw)) };
      redraw(drawn.scores);
    }
    const start = Math.max(0, -shown.k);
    for (const [scheme, scores] of Object.entries(drawn.scores)) {
      const heights = along(scores, shown.k);
      const plot = figure.querySelector(`[data-scheme="${scheme}"]`);
      const mean = heights.reduce((total, height) => total + height, 0) / heights.length;
      draw(plot, ".dot", { d: heights.map((height, i) => `M${start + i} ${(-height + 0).toFixed(3)}h.001`).join("") });
      say(plot, '[data-output="mean"]', heights.length ? fixed(mean, 2) : strings["coda.none"]);
      say(plot, '[data-output="spread"]', heights.length ? fixed(range(heights), 2) : strings["coda.none"]);
    }
  }

  const another = /** @type {HTMLButtonElement} */ (box.querySelector("[data-draw]"));
  another.disabled = false;
  another.addEventListener("click", () => {
    posenc.state.set({ draw: (posenc.state.now.draw + 1) % (extra.coda.draws + 1) }, { rested: true });
  });
  wake("coda", ["k", "draw"], coda);
})();
