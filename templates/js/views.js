/**
 * What both pages show of one position, one pair and one shift: numbers in sentences and formulas, hands, waves, the
 * row as a table, and the marks on the heatmap. Every view follows the page's state; pointing at one marks the others.
 */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const { count, fixed, measured, plain, fill } = posenc.format;
  const { encode, frequencies } = posenc.engine;
  const { strings } = posenc.data();
  const MOST_WAVES = 8;
  const MOST_DIALS = 16;
  const MOST_ROUNDED = 16_384; // cells; more are drawn on a canvas, which has no labels
  const SVG = "http://www.w3.org/2000/svg";

  /** @typedef {Record<string, any>} Values */

  // ---- numbers: as posenc/web/now.py ----

  /** @param {number} angle */
  function degrees(angle) {
    const turned = ((((angle * 180) / Math.PI) % 360) + 360) % 360;
    return `${fixed(turned, turned >= 10 ? 0 : turned >= 1 ? 1 : 2)}°`;
  }

  /**
   * @param {Values} state
   * @returns {Record<string, string>}
   */
  function now(state) {
    const omega = frequencies(state.d_model, state.base)[state.pair];
    const [here, there] = encode([state.pos, state.second], state.d_model, state.base);
    const angle = state.pos * omega;
    return {
      "now.d": count(state.d_model),
      "now.n": count(state.n_positions),
      "now.last": count(state.n_positions - 1),
      "now.base": plain(state.base),
      "now.pos": count(state.pos),
      "now.second": count(state.second),
      "now.k": count(state.k),
      "now.pair": count(state.pair),
      "now.pairs": count(state.d_model / 2),
      "now.even": count(2 * state.pair),
      "now.odd": count(2 * state.pair + 1),
      "now.landing": count(state.pos + state.k),
      "now.offset": count(state.second - state.pos),
      "now.omega": measured(omega),
      "now.wavelength": measured((2 * Math.PI) / omega),
      "now.rounds": count(Math.floor(angle / (2 * Math.PI))),
      "now.hand": degrees(angle),
      "now.step": degrees(state.k * omega),
      "now.sine": fixed(Math.sin(angle), 4),
      "now.cosine": fixed(Math.cos(angle), 4),
      "now.distance": fixed(Math.hypot(...there.map((value, column) => value - here[column])), 4),
    };
  }

  /**
   * The pairs whose waves are drawn: all, or some evenly spaced ones with the chosen one among them.
   * @param {number} pairs
   * @param {number} pair
   */
  function waves(pairs, pair) {
    const last = pairs - 1;
    if (last < MOST_WAVES) {
      return Array.from({ length: pairs }, (_, index) => index);
    }
    const spaced = Array.from({ length: MOST_WAVES }, (_, i) => Math.floor((i * last) / (MOST_WAVES - 1) + 0.5));
    const far = spaced.map((each) => Math.abs(each - pair));
    spaced[far.indexOf(Math.min(...far))] = pair;
    return spaced;
  }

  // ---- painters ----

  /** @type {Map<string, Element[]>} the places that wait for each text */
  const places = new Map();
  for (const place of document.querySelectorAll("[data-live]")) {
    const name = place.getAttribute("data-live");
    places.set(name, [...(places.get(name) ?? []), place]);
  }

  /**
   * Writes texts into the places that wait for them.
   * @param {Record<string, string>} words
   */
  function write(words) {
    for (const [name, text] of Object.entries(words)) {
      for (const place of places.get(name) ?? []) {
        if (place.textContent !== text) {
          place.textContent = text;
        }
      }
    }
  }

  /**
   * The formula with the state's numbers in it, for those who hear it.
   * @param {Record<string, string>} written
   */
  function formula(written) {
    const names = ["pos", "even", "odd", "base", "d", "sine", "cosine"];
    const words = fill(strings["formula.filled"], Object.fromEntries(names.map((name) => [name, written[`now.${name}`]])));
    document.querySelectorAll("math.filled").forEach((math) => math.setAttribute("aria-label", words));
  }

  /**
   * As many dials as there are pairs, in the rows of templates/macros/clocks.html.
   * @param {SVGElement} svg
   * @param {number} dials
   */
  function fitDials(svg, dials) {
    if (svg.querySelectorAll("line").length === dials) {
      return;
    }
    const columns = Math.min(dials, 16);
    const rows = Math.ceil(dials / 16);
    const pixels = Number(svg.getAttribute("width")) / (Number(svg.getAttribute("viewBox").split(" ")[2]) / 20);
    svg.setAttribute("viewBox", `0 0 ${20 * columns} ${20 * rows}`);
    svg.setAttribute("width", String(pixels * columns));
    svg.setAttribute("height", String(pixels * rows));
    svg.replaceChildren(
      ...Array.from({ length: dials }, (_, index) => {
        const [x, y] = [10 + 20 * (index % 16), 10 + 20 * Math.floor(index / 16)];
        return [element("circle", { cx: x, cy: y, r: 8.5 }), element("line", { x1: x, y1: y, x2: x, y2: y - 7.5 })];
      }).flat(),
    );
  }

  /**
   * @param {string} name
   * @param {Record<string, string | number>} attributes
   */
  function element(name, attributes) {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, String(value)));
    return made;
  }

  /**
   * The postures: data-hands names what they stand for.
   * @param {Values} shown
   */
  function hands(shown) {
    const omega = frequencies(shown.d_model, shown.base).slice(0, MOST_DIALS);
    const steps = { pos: shown.pos, second: shown.second, k: shown.k, landing: shown.pos + shown.k };
    for (const box of document.querySelectorAll("[data-posture]")) {
      const svg = /** @type {SVGElement} */ (box.querySelector("svg"));
      fitDials(svg, omega.length);
      posenc.clocks.set(svg, steps[/** @type {HTMLElement} */ (box).dataset.posture], omega);
      svg.querySelectorAll("circle").forEach((dial, index) => dial.classList.toggle("chosen", index === shown.pair));
    }
  }

  /**
   * One position's row, pair by pair.
   * @param {Values} shown
   */
  function rows(shown) {
    const omega = frequencies(shown.d_model, shown.base);
    for (const body of document.querySelectorAll("[data-row] tbody")) {
      fitRows(body, omega.length);
      omega.forEach((each, pair) => {
        const angle = shown.pos * each;
        const turned = [degrees(angle), fixed(Math.sin(angle), 4), fixed(Math.cos(angle), 4)];
        const cells = [count(pair), measured(each), measured((2 * Math.PI) / each), ...turned];
        const line = body.children[pair];
        line.classList.toggle("chosen", pair === shown.pair);
        fillIn(line, cells);
      });
    }
  }

  /**
   * The turn from one position to the second, pair by pair.
   * @param {Values} shown
   */
  function turns(shown) {
    const omega = frequencies(shown.d_model, shown.base);
    for (const body of document.querySelectorAll("[data-turn] tbody")) {
      const [here, there] = encode([shown.pos, shown.second], shown.d_model, shown.base);
      const offset = shown.second - shown.pos;
      const [turned] = posenc.engine.rotate([here], offset, omega);
      fitRows(body, omega.length);
      omega.forEach((each, pair) => {
        const columns = [2 * pair, 2 * pair + 1];
        const values = [here, turned, there].flatMap((row) => columns.map((column) => fixed(row[column], 3)));
        fillIn(body.children[pair], [count(pair), degrees(offset * each), ...values]);
      });
    }
  }

  /**
   * @param {Element} line
   * @param {string[]} texts
   */
  function fillIn(line, texts) {
    texts.forEach((text, column) => {
      const cell = line.children[column];
      if (cell.textContent !== text) {
        cell.textContent = text;
      }
    });
  }

  /**
   * @param {Element} body
   * @param {number} lines
   */
  function fitRows(body, lines) {
    while (body.children.length > lines) {
      body.lastElementChild.remove();
    }
    while (body.children.length < lines) {
      body.append(body.children[0].cloneNode(true));
    }
  }

  /**
   * The heatmaps that follow the state: the rows of both positions, the columns of the pair, and one cell in words.
   * @param {Values} shown
   */
  function marks(shown) {
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-follow]"))) {
      const heatmap = posenc.heatmap(box.dataset.heatmap);
      heatmap.probes([shown.pos, shown.second]);
      heatmap.pair(shown.pair);
      tellCell(box, shown);
    }
  }

  /** The column of the pair that the reader is at, and of the one that is pointed at: 0 for sine, 1 for cosine. */
  let half = 0;
  /** @type {number | null} */
  let pointed = null;

  /**
   * @param {HTMLElement} box
   * @param {Values} shown
   */
  function tellCell(box, shown) {
    const wave = pointed ?? half;
    const column = 2 * shown.pair + wave;
    const { d_model, base, n_positions, tamper: fault = "none" } = shown;
    const value = posenc.table.row({ d_model, base, n_positions, fault }, shown.pos)[column];
    const formulas = fault === "none" && !posenc.table.given;
    const words = fill(strings[formulas ? "cell" : "cell.plain"], {
      position: count(shown.pos),
      dimension: count(column),
      wave: strings[wave ? "wave.cosine" : "wave.sine"],
      wavelength: measured((2 * Math.PI) / frequencies(d_model, base)[shown.pair]),
      value: fixed(value, 4),
    });
    posenc.heatmap(box.dataset.heatmap).cursor(shown.pos, column);
    const place = box.querySelector("[data-cell]");
    if (place.textContent !== words) {
      place.textContent = words;
    }
  }

  /**
   * A table's values for a heatmap: rounded as the build rounds its own, where a hover label would show it.
   * @param {Float64Array[]} table
   */
  function cells(table) {
    if (table.length * table[0].length > MOST_ROUNDED) {
      return table;
    }
    return table.map((row) => Array.from(row, (value) => Math.round(value * 1e4) / 1e4 + 0));
  }

  /**
   * What the hover labels say of each column.
   * @param {{d_model: number, base: number}} recipe
   * @param {string} key of the text
   */
  function columns({ d_model, base }, key) {
    const lengths = Array.from(frequencies(d_model, base), (omega) => measured((2 * Math.PI) / omega));
    return Array.from({ length: d_model }, (_, dimension) =>
      fill(strings[key], {
        dimension,
        wave: strings[dimension % 2 ? "wave.cosine" : "wave.sine"],
        wavelength: lengths[Math.floor(dimension / 2)],
      }),
    );
  }

  // ---- the hand: pointing, choosing, keys ----

  /** @param {HTMLElement} box a heatmap that follows the state */
  function touch(box) {
    const frame = /** @type {HTMLElement} */ (box.querySelector(".heatmap-frame"));
    const heatmap = posenc.heatmap(box.dataset.heatmap);
    /** @param {{row: number, column: number}} cell */
    const asState = ({ row, column }) => ({ pos: row, pair: Math.floor(column / 2) });

    /** @param {{row: number, column: number} | null} cell null: nothing is pointed at */
    function point(cell) {
      pointed = cell && cell.column % 2;
      posenc.state.look(cell && asState(cell));
      tellCell(box, posenc.state.shown);
    }

    /**
     * @param {{row: number, column: number}} cell
     * @param {{rested?: boolean}} [how]
     */
    function choose(cell, how) {
      half = cell.column % 2;
      pointed = null;
      posenc.state.set(asState(cell), how);
      tellCell(box, posenc.state.now);
    }

    posenc.cells(box, {
      name: strings["cell.keys"],
      at: () => ({ row: posenc.state.now.pos, column: 2 * posenc.state.now.pair + half }),
      size: () => ({ rows: posenc.state.now.n_positions, columns: posenc.state.now.d_model }),
      choose: (cell) => {
        if (cell.row >= heatmap.size().rows) {
          box.dispatchEvent(new Event("beyond")); // of the rows that show
        }
        choose(cell);
      },
    });
    frame.addEventListener("pointermove", (event) => point(event.pointerType === "touch" ? null : heatmap.cell(event)));
    frame.addEventListener("pointerleave", () => point(null));
    frame.addEventListener("click", (event) => {
      const cell = heatmap.cell(event);
      if (cell) {
        choose(cell, { rested: true });
      }
    });
  }

  posenc.views = { now, waves, degrees, cells, columns, hands, marks, write, element };
  posenc.state.on((shown) => {
    const written = now(shown);
    write(written);
    formula(written);
  });
  posenc.state.on(rows);
  posenc.state.on(turns);
  if (posenc.heatmap) {
    document.querySelectorAll("[data-follow]").forEach((box) => touch(/** @type {HTMLElement} */ (box)));
    posenc.state.onReset(() => {
      half = 0;
      marks(posenc.state.shown);
    });
  }
})();
