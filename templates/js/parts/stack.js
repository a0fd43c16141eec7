/* Part 4 of the explainer: one wave under two slots, and the margin that many waves keep. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, curve, wake } = posenc.parts;
  const { fixed, count, measured } = posenc.format;
  const { frequencies } = posenc.engine;
  const { config, strings, extra } = posenc.data();
  const { slots, span, tie, close, steps, rows: mostRows, gears } = extra.stack;
  const ROUNDING = 1e-12; // heights no farther apart are equal, as in posenc/experiments.py

  /**
   * Slots for one swing.
   * @param {number} omega
   */
  function swing(omega) {
    const length = (2 * Math.PI) / omega;
    return length < 1e5 ? fixed(length, 1) : measured(length);
  }

  // ---- one wave ----

  const lone = document.getElementById("figure-stack");
  const slider = /** @type {HTMLInputElement} */ (lone.querySelector('input[name="stack-omega"]'));
  const stops = /** @type {HTMLButtonElement[]} */ ([...lone.querySelectorAll(".stop")]);
  const stopped = stops.map((stop) => Number(stop.dataset.omega));

  /**
   * The speed at a place of the slider: a stop that is nearer than half a step is met exactly.
   * @param {number} place
   */
  function met(place) {
    const near = stopped.find((omega) => Math.abs(Math.log10(omega) - place) <= 0.5 / steps + 1e-9);
    return near ?? Number((10 ** place).toPrecision(4));
  }

  /** @param {number} omega */
  function verdict(omega) {
    const [near, far] = slots.map((slot) => Math.sin(slot * omega));
    if (Math.abs(far - near) <= ROUNDING) {
      return "tie";
    }
    if (Math.abs(far - near) > close) {
      return "apart";
    }
    return slots[1] * omega < Math.PI / 2 ? "slow" : "near";
  }

  /**
   * The chosen wave, and how high two slots sit on it.
   * @param {HTMLElement} box
   * @param {Record<string, any>} shown
   */
  function wave(box, { omega }) {
    const plot = box.querySelector(".chosen");
    const heights = slots.map((slot) => Math.sin(slot * omega));
    draw(plot, ".curve", { d: curve(omega, span) });
    heights.forEach((height, i) => {
      draw(plot, `[data-slot="${slots[i]}"]`, { d: `M${slots[i]} ${(-height).toFixed(4)}h.001` });
      say(box, `[data-output="height-${i}"]`, fixed(height, 5));
      say(box, `[data-way="${i}"]`, strings[Math.cos(slots[i] * omega) > 0 ? "stack.rising" : "stack.falling"]);
    });
    say(box, '[data-output="apart"]', fixed(Math.abs(heights[1] - heights[0]), 5));
    say(box, '[data-output="speed"]', measured(omega));
    say(box, '[data-output="swing"]', swing(omega));
    const finding = /** @type {HTMLElement} */ (box.querySelector(".finding"));
    finding.dataset.verdict = verdict(omega);
    const found = strings[`stack.${verdict(omega)}`];
    if (finding.textContent !== found) {
      finding.textContent = found;
      posenc.say(found, "stack");
    }
    slider.value = String(Math.log10(omega));
    slider.setAttribute("aria-valuetext", measured(omega));
    stops.forEach((stop, i) => stop.setAttribute("aria-pressed", String(Math.abs(stopped[i] / omega - 1) < 1e-9)));
  }

  slider.addEventListener("input", () => posenc.state.set({ omega: met(Number(slider.value)) }));
  stops.forEach((stop, i) => {
    stop.disabled = false;
    stop.addEventListener("click", () => posenc.state.set({ omega: stopped[i] }, { rested: true }));
  });
  wake("stack", ["omega"], wave);

  // ---- the stack ----

  /**
   * The closest two of n rows when only the first 1, 2, … pairs are kept, as in posenc/experiments.py.
   * @param {Float64Array} omega
   * @param {number} n
   */
  function clashes(omega, n) {
    const closest = Array.from(omega, () => Infinity);
    for (let k = 1; k < n; k += 1) {
      let square = 0;
      omega.forEach((each, pair) => {
        square += 4 * Math.sin((k * each) / 2) ** 2;
        closest[pair] = Math.min(closest[pair], square);
      });
    }
    return closest.map(Math.sqrt);
  }

  const margin = document.getElementById("figure-margin");
  const body = margin.querySelector("tbody");
  let listed = `${config.d_model},${config.n_positions},${config.base}`;
  let clash = clashes(frequencies(config.d_model, config.base), config.n_positions);

  /**
   * The pairs of another stack: as many rows as there is room for.
   * @param {Record<string, any>} shown
   */
  function list({ d_model: width, n_positions: n, base }) {
    const omega = frequencies(width, base);
    const rows = Math.min(omega.length, mostRows);
    const all = clash[clash.length - 1];
    while (body.children.length > rows) {
      body.lastElementChild.remove();
    }
    while (body.children.length < rows) {
      body.append(body.children[0].cloneNode(true));
    }
    [...body.rows].forEach((row, pair) => {
      row.dataset.pair = String(pair);
      say(row, "th", count(pair));
      draw(row, ".curve", { d: curve(omega[pair], span) });
      say(row, "[data-wavelength]", swing(omega[pair]));
      say(row, "[data-clash]", fixed(clash[pair], 4));
      draw(row, ".share rect", { width: (n > 1 ? (100 * clash[pair]) / all : 0).toFixed(2) });
    });
    margin.querySelector("[data-more]").hidden = rows === omega.length;
  }

  /**
   * The list up to the last pair that is kept, and the margin that they buy.
   * @param {HTMLElement} box
   * @param {Record<string, any>} shown
   */
  function stack(box, shown) {
    const recipe = `${shown.d_model},${shown.n_positions},${shown.base}`;
    if (recipe !== listed) {
      listed = recipe;
      clash = clashes(frequencies(shown.d_model, shown.base), shown.n_positions);
      list(shown);
    }
    [...body.rows].forEach((row, pair) => {
      row.classList.toggle("dropped", pair > shown.kept);
      row.classList.toggle("chosen", pair === shown.pair);
    });
    posenc.views.write({
      "margin.kept": count(shown.kept),
      "margin.slots": count(shown.n_positions),
      "margin.clash": fixed(clash[shown.kept], 4),
    });
    gears.forEach(([teeth, direction], i) => {
      const gear = box.querySelector(`[data-gear="${i}"]`);
      const degrees = ((direction * shown.pos * gears[0][0]) / teeth / Math.PI) * 180;
      const turned = (((degrees % 360) + 360) % 360).toFixed(2);
      gear.setAttribute("transform", gear.getAttribute("transform").replace(/rotate\(.*\)/, `rotate(${turned})`));
      gear.classList.toggle("dropped", i > shown.kept);
    });
    const [fewer, more] = box.querySelectorAll("[data-step]");
    fewer.disabled = shown.kept === 0;
    more.disabled = shown.kept === shown.d_model / 2 - 1;
  }

  for (const button of margin.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      posenc.state.set({ kept: posenc.state.now.kept + Number(button.dataset.step) }, { rested: true });
    });
  }
  for (const [type, act] of [
    ["pointerover", (/** @type {any} */ at) => posenc.state.look(at)],
    ["click", (/** @type {any} */ at) => at && posenc.state.set(at, { rested: true })],
  ]) {
    body.addEventListener(type, ({ target }) => {
      const row = /** @type {HTMLElement | null} */ (target.closest("tr"));
      act(row && { pair: Number(row.dataset.pair) });
    });
  }
  body.addEventListener("pointerleave", () => posenc.state.look(null));
  wake("margin", ["d_model", "n_positions", "base", "pos", "pair", "kept"], stack);
})();
