/* What the explainer's figures share. Each figure has a script of its own in parts/, and stood complete without it. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { config, extra } = posenc.data();
  const LEAST = 120; // points of a curve

  /** @typedef {number[] | Float64Array} Row */

  /** @param {string} name */
  const figure = (name) => document.getElementById(`figure-${name}`);

  /**
   * @param {Element} within
   * @param {string} selector
   * @param {string} text
   */
  function say(within, selector, text) {
    within.querySelector(selector).textContent = text;
  }

  /**
   * @param {Element} within
   * @param {string} selector
   * @param {Record<string, string | number>} attributes
   */
  function draw(within, selector, attributes) {
    for (const element of within.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, String(value));
      }
    }
  }

  /**
   * @param {Element} within
   * @param {string} name
   * @returns {number}
   */
  const amount = (within, name) => Number(within.querySelector(`input[name="${name}"]`).value);

  /** @param {Row} row */
  const size = (row) => Math.hypot(...row);

  /**
   * @param {Row} a
   * @param {Row} b
   */
  const minus = (a, b) => Float64Array.from(a, (value, i) => value - b[i]);

  /**
   * @param {Row} a
   * @param {Row} b
   */
  const plus = (a, b) => Float64Array.from(a, (value, i) => value + b[i]);

  /** @param {Row} row */
  const largest = (row) => Math.max(...Array.from(row, Math.abs));

  /** @param {string} stop "#rrggbb" */
  const channels = (stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16));

  /**
   * The heatmaps' colour at −1 … 1, on straight lines between their stops.
   * @param {number} share
   */
  function colour(share) {
    const stops = extra.colours;
    const place = ((Math.min(Math.max(Number(share.toFixed(3)), -1), 1) + 1) / 2) * (stops.length - 1);
    const lower = Math.min(Math.floor(place), stops.length - 2);
    const above = channels(stops[lower + 1]);
    const mixed = channels(stops[lower]).map((a, i) => Math.floor(a + (above[i] - a) * (place - lower) + 0.5));
    return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
  }

  /**
   * Colours a strip's cells by the numbers of a row, fully at ±scale; those that are rather blue lie below zero.
   * @param {Element} svg
   * @param {Row} row
   * @param {number} scale
   */
  function paint(svg, row, scale) {
    svg.querySelectorAll("rect").forEach((cell, i) => {
      const shade = colour(row[i] / scale);
      cell.setAttribute("fill", shade);
      cell.classList.toggle("below", shade.slice(1, 3) < shade.slice(5));
    });
  }

  /**
   * The sine as a path, y downwards, a dozen points a swing or more; of many swings, which are small, to two decimals.
   * @param {number} frequency
   * @param {number} span
   * @param {number} [phase] with which it begins
   */
  function curve(frequency, span, phase = 0) {
    const n = Math.max(LEAST, Math.round(((span * frequency) / (2 * Math.PI)) * 12));
    const digits = n === LEAST ? 3 : 2;
    const points = Array.from({ length: n + 1 }, (_, i) => {
      const x = (i * span) / n;
      return `${x.toFixed(2)} ${(-Math.sin(x * frequency + phase)).toFixed(digits)}`;
    });
    return `M${points.join("L")}`;
  }

  /**
   * @param {Row} a
   * @param {Row} b
   */
  const dot = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);

  /** Each figure's first drawing has a task of its own: all at once would hold up the page. @param {() => void} work */
  const soon = (work) => void setTimeout(work);

  /**
   * Ties a figure to the page's state: `play` is called soon, whenever one of the fields that it uses changes, and
   * whenever a control of the figure's own (one without data-bind) does.
   * @param {string} name
   * @param {string[]} uses
   * @param {(box: HTMLElement, shown: Record<string, any>) => void} play
   */
  function wake(name, uses, play) {
    const box = figure(name);
    soon(() => posenc.state.on((shown, changed) => uses.some((field) => changed.has(field)) && play(box, shown)));
    for (const input of box.querySelectorAll("input:not([data-bind])")) {
      input.checked = input.defaultChecked; // a browser may have kept what was chosen on an earlier visit
      input.disabled = false;
      input.addEventListener("input", () => play(box, posenc.state.shown));
    }
  }

  /**
   * The row vector times the matrix.
   * @param {Row} row
   * @param {Row[]} matrix
   */
  function through(row, matrix) {
    return Float64Array.from(matrix[0], (_, j) => row.reduce((total, value, i) => total + value * matrix[i][j], 0));
  }

  /** Figures that keep to the worked example say so while the page shows another one. */
  posenc.state.on((shown) => {
    const same = ["d_model", "n_positions", "base"].every((name) => shown[name] === config[name]);
    for (const note of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-example-note]"))) {
      note.hidden = same;
    }
  });

  /** The table of the worked example. */
  const example = posenc.engine.encode(Array.from({ length: config.n_positions }, (_, slot) => slot), config.d_model, config.base);

  posenc.parts = { example, say, draw, amount, size, minus, plus, largest, colour, paint, curve, through, dot, soon, wake };
})();
