/* The explainer's figures: each control changes its own figure, which stood complete without it. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { fixed, sci, count, measured, fill } = posenc.format;
  const { encode, rotate } = posenc.engine;
  const { config, omega, table, strings, extra } = posenc.data();

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
   * Colours a strip's cells by the numbers of a row, fully at ±scale.
   * @param {Element} svg
   * @param {Row} row
   * @param {number} scale
   */
  function paint(svg, row, scale) {
    svg.querySelectorAll("rect").forEach((cell, i) => cell.setAttribute("fill", colour(row[i] / scale)));
  }

  /**
   * The sine as a path, y downwards, a dozen points a swing or more.
   * @param {number} frequency
   * @param {number} span
   */
  function curve(frequency, span) {
    const n = Math.max(120, Math.round(((span * frequency) / (2 * Math.PI)) * 12));
    const points = Array.from({ length: n + 1 }, (_, i) => {
      const x = (i * span) / n;
      return `${x.toFixed(2)} ${(-Math.sin(x * frequency)).toFixed(3)}`;
    });
    return `M${points.join("L")}`;
  }

  /** Attention over both sentences, with or without places and mask. */
  function order(box) {
    const { words, head, scale, order: seats } = extra.order;
    const placed = box.querySelector('input[value="with"]').checked;
    const causal = box.querySelector('input[name="order-mask"]').checked;
    const seated = (row, seat) => (placed ? plus(row, table[seat]) : row);
    const first = posenc.attention.attend(words.map(seated), head, causal);
    const moved = posenc.attention.attend(seats.map((word, seat) => seated(words[word], seat)), head, causal);
    let change = 0;
    for (const line of box.querySelectorAll("tr[data-word]")) {
      const word = Number(line.dataset.word);
      const second = moved[seats.indexOf(word)];
      const difference = largest(minus(first[word], second));
      const [here, there] = line.querySelectorAll(".strip");
      paint(here, first[word], scale);
      paint(there, second, scale);
      say(line, "output", fixed(difference, 2));
      change = Math.max(change, difference);
    }
    const same = change <= config.tolerance;
    const finding = box.querySelector(".finding");
    finding.dataset.finding = same ? "same" : "changed";
    finding.textContent = same ? strings["order.same"] : strings["order.changed"];
  }

  /** The three lengths at the chosen slot, drawn on the longest one's scale. */
  function tally(box) {
    const { slots, width } = extra.count;
    const slider = box.querySelector("input");
    const slot = slots[Number(slider.value)];
    const lengths = {
      raw: slot * Math.sqrt(width),
      word: Math.sqrt(width),
      encoding: size(encode([slot], width, config.base)[0]),
    };
    const longest = Math.max(...Object.values(lengths));
    slider.setAttribute("aria-valuetext", count(slot));
    say(box, '[data-output="slot"]', count(slot));
    for (const [name, length] of Object.entries(lengths)) {
      const bar = box.querySelector(`[data-bar="${name}"]`);
      draw(bar, "rect", { width: ((100 * length) / longest).toFixed(3) });
      say(bar, "output", fixed(length, 1));
    }
  }

  /** The chosen moment, and the other one of its swing, or of the swing before it, with the same sine. */
  function wave(box) {
    const { pair, span } = extra.wave;
    const frequency = omega[pair];
    const turn = (2 * Math.PI) / frequency;
    const slot = amount(box, "wave-slot");
    const mirrored = Math.floor(slot / turn) * turn + ((((turn / 2 - slot) % turn) + turn) % turn);
    const rival = mirrored > span ? mirrored - turn : mirrored;
    say(box, '[data-output="slot"]', count(slot));
    draw(box, ".level", { d: `M0 ${-Math.sin(slot * frequency)}H${span}` });
    [slot, rival].forEach((at, i) => {
      const sine = Math.sin(at * frequency);
      const cosine = Math.cos(at * frequency);
      draw(box, `.cursor[data-moment="${i}"]`, { d: `M${at} -1.15V1.15` });
      draw(box, `[data-sine="${i}"]`, { d: `M${at} ${-sine}h0` });
      draw(box, `[data-cosine="${i}"]`, { d: `M${at} ${-cosine}h0` });
      const reading = box.querySelector(`.moments [data-moment="${i}"]`);
      posenc.clocks.set(reading.querySelector("svg"), at, [frequency]);
      say(reading, '[name="at"]', fixed(at, 2));
      say(reading, '[name="sine"]', fixed(sine, 3));
      say(reading, '[name="cosine"]', fixed(cosine, 3));
    });
  }

  /** The chosen wave, and how high two slots sit on it. */
  function stack(box) {
    const { slots, span, tie } = extra.stack;
    const choice = box.querySelector("input:checked").value;
    const frequency = choice === "tie" ? tie : omega[Number(choice)];
    const plot = box.querySelector(".chosen");
    const heights = slots.map((slot) => Math.sin(slot * frequency));
    draw(plot, ".curve", { d: curve(frequency, span) });
    heights.forEach((height, i) => {
      draw(plot, `[data-slot="${slots[i]}"]`, { d: `M${slots[i]} ${-height}h0` });
      say(box, `[name="height-${i}"]`, fixed(height, 4));
    });
    say(box, '[name="apart"]', fixed(Math.abs(heights[1] - heights[0]), 4));
  }

  /** The words stay as they are; the places they are laid on move along. */
  function sum(box) {
    const { z: words, y: names } = JSON.parse(
      box.querySelector('[data-heatmap="sum-words"] script').textContent,
    ).data[0];
    const labels = box.dataset.words.split(" ");
    return () => {
      const start = amount(box, "sum-start");
      const places = table.slice(start, start + words.length);
      const y = names.map((_, i) => fill(strings["sum.row"], { word: labels[i], position: start + i }));
      say(box, '[data-output="start"]', count(start));
      posenc.heatmap("sum-words").update({ z: words, y });
      posenc.heatmap("sum-encoding").update({ z: places, y });
      posenc.heatmap("sum-total").update({ z: words.map((word, i) => plus(word, places[i])), y });
    };
  }

  /** @param {number} angle */
  function degrees(angle) {
    const turned = ((angle * 180) / Math.PI) % 360;
    return `${fixed(turned, turned >= 10 ? 0 : turned >= 1 ? 1 : 2)}°`;
  }

  /** The hands before and after a step, and the turn between, which asks for k alone. */
  function turn(box) {
    const slot = amount(box, "turn-slot");
    const k = amount(box, "turn-k");
    const [turned] = rotate(encode([slot], config.d_model, config.base), k, omega);
    const residual = largest(minus(turned, encode([slot + k], config.d_model, config.base)[0]));
    say(box, '[data-output="slot"]', count(slot));
    say(box, '[data-output="k"]', count(k));
    say(box, '[name="before"]', count(slot));
    say(box, '[name="after"]', count(slot + k));
    const { bound } = extra.turn;
    const below = () => fill(strings["turn.below"], { bound: sci(bound, 0) });
    say(box, '[name="residual"]', residual <= bound ? below() : measured(residual));
    const clocks = (name) => box.querySelector(`[data-hands="${name}"] svg`);
    posenc.clocks.set(clocks("before"), slot, omega);
    posenc.clocks.set(clocks("turn"), k, omega);
    posenc.clocks.set(clocks("after"), slot + k, omega);
    box.querySelectorAll(".angles li").forEach((line, i) => {
      line.textContent = degrees(k * omega[i]);
    });
  }

  /** One slot's hands, numbers and nearest neighbours. */
  function address(box) {
    const slot = amount(box, "address-slot");
    const row = encode([slot], config.d_model, config.base)[0];
    const apart = table.map((other, i) => (i === slot ? Infinity : size(minus(row, other))));
    const distance = Math.min(...apart);
    const nearest = apart.flatMap((each, i) => (each <= distance + config.tolerance ? [count(i)] : []));
    say(box, '[data-output="slot"]', count(slot));
    posenc.clocks.set(box.querySelector(".clocks"), slot, omega);
    paint(box.querySelector(".strip"), row, 1);
    say(box, '[name="least"]', fixed(Math.min(...row), 3));
    say(box, '[name="most"]', fixed(Math.max(...row), 3));
    say(box, '[name="length"]', fixed(size(row), 4));
    say(box, '[name="nearest"]', nearest.join(", "));
    say(box, '[name="distance"]', fixed(distance, 4));
  }

  /**
   * The row vector times the matrix.
   * @param {Row} row
   * @param {Row[]} matrix
   */
  function through(row, matrix) {
    return Float64Array.from(matrix[0], (_, j) => row.reduce((total, value, i) => total + value * matrix[i][j], 0));
  }

  /**
   * @param {Row} a
   * @param {Row} b
   */
  const dot = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);

  /** Both schemes from the same two words and the same two matrices; the gap is the key's slot less the query's. */
  function coda(box) {
    const { words, head } = extra.order;
    const [query, key] = extra.coda.words.map((word) => words[word]);
    const sides = {
      additive: [
        table.map((place) => through(plus(query, place), head.w_q)),
        table.map((place) => through(plus(key, place), head.w_k)),
      ],
      rotary: [
        table.map((_, slot) => rotate([through(query, head.w_q)], slot, omega)[0]),
        table.map((_, slot) => rotate([through(key, head.w_k)], slot, omega)[0]),
      ],
    };
    return () => {
      const gap = amount(box, "coda-gap");
      const start = Math.max(0, -gap);
      say(box, '[data-output="gap"]', count(gap));
      box.querySelector("input").setAttribute("aria-valuetext", count(gap));
      for (const [scheme, [queries, keys]] of Object.entries(sides)) {
        const met = queries.slice(start, Math.min(queries.length, queries.length - gap));
        const heights = met.map((query, i) => dot(query, keys[start + i + gap]));
        const plot = box.querySelector(`[data-scheme="${scheme}"]`);
        draw(plot, ".dot", { d: heights.map((height, i) => `M${start + i} ${(-height).toFixed(3)}h0`).join("") });
        say(plot, '[name="mean"]', fixed(heights.reduce((total, height) => total + height, 0) / heights.length, 2));
        say(plot, '[name="spread"]', fixed(Math.max(...heights) - Math.min(...heights), 2));
      }
    };
  }

  /**
   * Wakes a figure's controls. What needs preparing is prepared when a control is first touched.
   * @param {string} name
   * @param {(box: HTMLElement) => void | (() => void)} play
   * @param {boolean} [prepared] `play` returns what is to be done on every change
   */
  function wake(name, play, prepared = false) {
    const box = figure(name);
    /** @type {() => void} */
    let change = () => {
      if (prepared) {
        change = play(box);
        change();
      } else {
        play(box);
      }
    };
    for (const input of box.querySelectorAll("input")) {
      input.checked = input.defaultChecked; // a browser may have kept what was chosen on an earlier visit
      input.disabled = false;
      input.addEventListener("input", () => change());
    }
  }

  wake("order", order);
  wake("count", tally);
  wake("wave", wave);
  wake("stack", stack);
  wake("sum", sum, true);
  wake("turn", turn);
  wake("address", address);
  wake("coda", coda, true);
})();
