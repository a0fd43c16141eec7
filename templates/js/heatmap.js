/**
 * The live heatmaps: Plotly over the picture that the build left in each box.
 *
 * `posenc.heatmap(name)` works before Plotly comes (the picture is painted anew), after it, and without it.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const MOST_TICKS = 8;
  const LABEL_HEIGHT = 16; // px: labels closer than this step aside
  const LEVELS = 255; // as many colours as the build's pictures have
  const SLACK = 1e-9; // rounding is not off the scale
  const BURST = 200; // ms: updates that follow each other faster are drawn on a canvas, and by Plotly when they end
  const PLOTLY_CELLS = 16_384; // as many as Plotly draws within a frame; beyond them the canvas stays
  const SVG = "http://www.w3.org/2000/svg";

  /** @typedef {ArrayLike<number | null>[]} Cells rows of values */
  /**
   * @typedef {object} Change
   * @property {Cells} [z] values
   * @property {string[] | null} [x] what the hover labels say of each column; null: as the build left it
   * @property {string | null} [label] the accessible name; null: as the build left it
   * @property {Cells | null} [shades] what is coloured in place of the values, on the same scale; null: the values
   * @property {number} [rows] how many rows show; as many as before unless told
   */
  /** @typedef {ReturnType<typeof create>} Heatmap */

  /** @type {Map<string, Heatmap>} */
  const heatmaps = new Map();

  /** @param {HTMLElement} box */
  function create(box) {
    const graph = find(box, ".heatmap-graph");
    const figure = JSON.parse(find(box, "script[type='application/json']").textContent);
    const [trace] = figure.data;
    const paint = painter(trace, figure.layout.plot_bgcolor);
    const named = graph.getAttribute("aria-label");
    /** @type {{z: Cells, shades: Cells | null, columns: number, trace: {x?: string[]}, rows: number, probes: number[], pair: number, cursor: [number, number] | null}} */
    const state = {
      z: trace.z,
      columns: trace.z[0].length,
      shades: null,
      trace: {},
      rows: figure.layout.yaxis.range[0] + 0.5,
      probes: [...box.querySelectorAll("[data-mark]")].map((mark) => Number(mark.dataset.position)),
      pair: Number(/** @type {HTMLElement | null} */ (box.querySelector("[data-pair]"))?.dataset.pair ?? 0),
      cursor: null, // until a script says where it is, it is where the build drew it
    };
    let pictured = true; // the picture shows what the state says
    let height = 0; // px of the cells, as last laid out: asking anew in the middle of a frame costs the frame
    let last = -Infinity; // when the last update was drawn
    let ending = 0;
    /** @type {HTMLCanvasElement | null} */
    let canvas = null;

    /**
     * New values, of any size, or new words for what they are. The colour scale stays as it is.
     * @param {Change} change
     */
    function update({ z, x, label, shades, rows: shown }) {
      if (z) {
        state.z = z;
        state.shades = shades ?? null;
        pictured = false;
        sayOffScale();
      }
      if (label !== undefined) {
        graph.setAttribute("aria-label", label ?? named);
      }
      Object.assign(state.trace, x !== undefined && { x: x ?? trace.x });
      resize(shown ?? state.rows);
      burst();
    }

    /**
     * Shows the first so many rows.
     * @param {number} count
     */
    function rows(count) {
      resize(count);
      show();
    }

    /** @param {number} count */
    function resize(count) {
      const fitting = Math.max(1, Math.min(count, state.z.length));
      const columns = state.z[0].length;
      const image = find(box, ".heatmap-cells image");
      if (image.getAttribute("height") !== String(state.z.length)) {
        image.setAttribute("height", String(state.z.length)); // all rows are in it, however few are shown
      }
      if (fitting === state.rows && columns === state.columns) {
        return;
      }
      state.rows = fitting;
      for (const name of [".heatmap-cells", ".heatmap-below"]) {
        find(box, name).setAttribute("viewBox", `0 0 ${columns} ${fitting}`);
      }
      placeTicks(find(box, ".heatmap-y"), fitting);
      if (columns !== state.columns) {
        state.columns = columns;
        placeColumns(find(box, ".heatmap-x"), columns);
        image.setAttribute("width", String(columns));
      }
      placeMarks();
      placePair();
      placeCursor();
    }

    /** One change is drawn as it comes; of many in a row, all but the first on the canvas. */
    function burst() {
      const calm = performance.now() - last > BURST;
      clearTimeout(ending);
      if (calm) {
        show();
      } else {
        live();
        ending = window.setTimeout(show, BURST);
      }
      last = performance.now(); // however long it took
    }

    /** Draws on the canvas, at once and whatever the size. */
    function live() {
      if (!canvas) {
        canvas = document.createElement("canvas");
        canvas.className = "heatmap-live";
        canvas.setAttribute("aria-hidden", "true");
        find(box, ".heatmap-frame").insertBefore(canvas, graph);
      }
      paint(canvas, (state.shades ?? state.z).slice(0, state.rows));
      posenc.plots?.drop(box);
      box.dataset.state = "live";
    }

    /**
     * Marks a pair's two columns.
     * @param {number} index
     */
    function pair(index) {
      state.pair = index;
      placePair();
    }

    function placePair() {
      for (const rect of box.querySelectorAll("[data-pair] rect")) {
        rect.setAttribute("x", percent((2 * state.pair) / state.columns));
        rect.setAttribute("width", percent(2 / state.columns));
      }
    }

    /**
     * Frames a cell: the one that is told in words.
     * @param {number} row
     * @param {number} column
     */
    function cursor(row, column) {
      state.cursor = [row, column];
      placeCursor();
    }

    function placeCursor() {
      const mark = box.querySelector("g[data-cursor]");
      if (!mark || !state.cursor) {
        return;
      }
      const [row, column] = state.cursor;
      const place = { x: column / state.columns, width: 1 / state.columns, y: row / state.rows, height: 1 / state.rows };
      for (const rect of mark.children) {
        Object.entries(place).forEach(([name, share]) => rect.setAttribute(name, percent(share)));
      }
      if (row < state.rows) {
        mark.removeAttribute("display");
      } else {
        mark.setAttribute("display", "none");
      }
    }

    /**
     * The row and the column at a point of the window, or null beside the cells.
     * @param {{clientX: number, clientY: number}} point
     */
    function cell({ clientX, clientY }) {
      const { left, top, width, height } = find(box, ".heatmap-art").getBoundingClientRect();
      const row = Math.floor(((clientY - top) / height) * state.rows);
      const column = Math.floor(((clientX - left) / width) * state.columns);
      const inside = row >= 0 && row < state.rows && column >= 0 && column < state.columns;
      return inside ? { row, column } : null;
    }

    /**
     * What stands in a cell, and what its column is called.
     * @param {number} row
     * @param {number} column
     */
    function read(row, column) {
      return { value: state.z[row]?.[column] ?? NaN, column: String((state.trace.x ?? trace.x)[column] ?? column) };
    }

    /**
     * Moves the marks.
     * @param {number[]} positions
     */
    function probes(positions) {
      if (positions.join() !== state.probes.join()) { // to place them is to lay out the page
        state.probes = [...positions];
        placeMarks();
      }
    }

    function sayOffScale() {
      let off = 0;
      for (const row of state.z) {
        for (let column = 0; column < row.length; column += 1) {
          off += Number(Math.abs(row[column]) > trace.zmax + SLACK);
        }
      }
      const note = find(box, ".heatmap-off");
      note.hidden = off === 0;
      note.textContent = off === 0 ? "" : posenc.format.fill(figure.off_scale, { off: posenc.format.count(off), cells: posenc.format.count(state.z.length * state.z[0].length) });
    }

    function placeMarks() {
      height ||= find(box, ".heatmap-art").getBoundingClientRect().height || 1;
      const places = marks(state.probes, state.rows, height);
      box.querySelectorAll("[data-mark]").forEach((mark, index) => placeMark(mark, places[index]));
    }

    /** Draws with Plotly when it is here and the box is on the page, or else paints the picture. */
    function show() {
      const yaxis = { ...figure.layout.yaxis, range: [state.rows - 0.5, -0.5] };
      if (state.z.length * state.columns > PLOTLY_CELLS) {
        live();
        return;
      }
      const z = state.z.map((row) => Array.from(row)); // Plotly takes no notice of arrays changed in place
      const xaxis = { ...figure.layout.xaxis, range: [-0.5, state.columns - 0.5] };
      const y = trace.y.length === z.length ? trace.y : z.map((_, row) => row);
      const hovertemplate = trace.hovertemplate.replace("%{z:", "%{customdata:");
      const shaded = state.shades && { z: state.shades.map((row) => Array.from(row)), customdata: z, hovertemplate };
      const data = [{ ...trace, ...state.trace, y, z, ...shaded }];
      const drawn = posenc.plots?.draw(box, graph, { ...figure, data, layout: { ...figure.layout, xaxis, yaxis } });
      if (!drawn) {
        picture();
        box.dataset.state = "picture";
      }
    }

    function picture() {
      if (!pictured) {
        const sheet = document.createElement("canvas");
        paint(sheet, state.shades ?? state.z);
        find(box, ".heatmap-cells image").setAttribute("href", sheet.toDataURL());
        placeSigns(sheet, state.shades ?? state.z);
        pictured = true;
      }
    }

    /**
     * Which cells are marked as below zero, on paper.
     * @param {HTMLCanvasElement} sheet
     * @param {Cells} z
     */
    function placeSigns(sheet, z) {
      const signs = z.map((row) => Array.from(row, (value) => (value < 0 ? 1 : -1)));
      signer(sheet, signs);
      const mask = find(box, ".heatmap-below image");
      mask.setAttribute("href", sheet.toDataURL());
      mask.setAttribute("width", String(state.columns));
      for (const part of [mask, find(box, ".heatmap-below > rect")]) {
        part.setAttribute("height", String(z.length));
      }
    }

    addEventListener("beforeprint", picture); // on paper the picture stands for the plot
    new ResizeObserver(() => {
      height = 0;
      if (state.probes.length) {
        placeMarks();
      }
      show();
    }).observe(graph);
    return { box, update, rows, probes, pair, cursor, cell, read, show, size: () => ({ rows: state.rows, columns: state.columns }) };
  }

  /** White where a mask lets through, black elsewhere. */
  const signer = painter({ zmax: 1, colorscale: [[0, "#000000"], [1, "#ffffff"]] }, "#000000");

  /**
   * From values to a picture with the build's colours.
   * @param {{zmax: number, colorscale: [number, string][]}} trace
   * @param {string} notANumber
   */
  function painter({ zmax, colorscale }, notANumber) {
    const palette = Array.from({ length: LEVELS }, (_, level) => shade(colorscale, level / (LEVELS - 1)));
    const missing = rgb(notANumber);

    /** @param {number | null} value */
    function colour(value) {
      if (value === null || Number.isNaN(value)) {
        return missing;
      }
      const share = (Math.max(-1, Math.min(1, value / zmax)) + 1) / 2;
      return palette[Math.round(share * (LEVELS - 1))];
    }

    /**
     * @param {HTMLCanvasElement} canvas
     * @param {Cells} z
     */
    return (canvas, z) => {
      canvas.width = z[0].length;
      canvas.height = z.length;
      const context = canvas.getContext("2d");
      const image = context.createImageData(canvas.width, canvas.height);
      let at = 0;
      for (const row of z) {
        for (let column = 0; column < canvas.width; column += 1, at += 4) {
          const [red, green, blue] = colour(row[column]);
          image.data[at] = red;
          image.data[at + 1] = green;
          image.data[at + 2] = blue;
          image.data[at + 3] = 255;
        }
      }
      context.putImageData(image, 0, 0);
    };
  }

  /**
   * The colour at a place from 0 to 1, on a straight line between two stops.
   * @param {[number, string][]} stops
   * @param {number} place
   */
  function shade(stops, place) {
    const after = Math.max(1, stops.findIndex(([at]) => at >= place));
    const [[from, low], [to, high]] = [stops[after - 1], stops[after]];
    const share = (place - from) / (to - from);
    const end = rgb(high);
    return rgb(low).map((channel, index) => Math.round(channel + share * (end[index] - channel)));
  }

  /** @param {string} colour #rrggbb */
  function rgb(colour) {
    return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  }

  /**
   * Every 1st, 2nd, 4th … of so many rows, as `ticks` in posenc/web/heatmaps.py.
   * @param {Element} group
   * @param {number} count
   */
  function placeTicks(group, count) {
    tick(group, count, (y) => ({ x: "0", y, dx: "-.5em", dy: ".35em", "text-anchor": "end" }));
  }

  /**
   * @param {Element} group
   * @param {number} count of columns
   */
  function placeColumns(group, count) {
    tick(group, count, (x) => ({ x, y: "100%", dy: "1.25em", "text-anchor": "middle" }));
  }

  /**
   * @param {Element} group
   * @param {number} count
   * @param {(centre: string) => Record<string, string>} place
   */
  function tick(group, count, place) {
    let step = 1;
    while (step * MOST_TICKS < count) {
      step *= 2;
    }
    const texts = [];
    for (let index = 0; index < count; index += step) {
      const text = document.createElementNS(SVG, "text");
      const attributes = place(percent((index + 0.5) / count));
      Object.entries(attributes).forEach(([name, value]) => text.setAttribute(name, value));
      text.textContent = String(index);
      texts.push(text);
    }
    group.replaceChildren(...texts);
  }

  /**
   * As `marks` in posenc/web/heatmaps.py.
   * @param {number[]} positions
   * @param {number} rows
   * @param {number} height
   */
  function marks(positions, rows, height) {
    const lowest = Math.min(...positions);
    const centres = positions.map((position) => (position < rows ? (position + 0.5) / rows : 1));
    return positions.map((position, index) => {
      const inside = position < rows;
      const gaps = centres.filter((_, at) => at !== index).map((centre) => centres[index] - centre);
      const crowd = gaps.filter((gap) => Math.abs(gap) * height < LABEL_HEIGHT);
      const lower = crowd.some((gap) => gap > 0 || (gap === 0 && position > lowest));
      return {
        position,
        place: positions.indexOf(position) < index ? "twin" : inside ? "row" : "below",
        y: percent(position / rows),
        height: percent(1 / rows),
        labelY: percent(centres[index]),
        labelDy: crowd.length ? (lower ? "0.95em" : "-0.25em") : "0.35em",
        label: `${inside ? "◂" : "▾"} ${position}`,
      };
    });
  }

  /**
   * @param {Element} mark
   * @param {ReturnType<typeof marks>[0]} to
   */
  function placeMark(mark, to) {
    mark.setAttribute("data-position", String(to.position));
    mark.setAttribute("data-place", to.place);
    for (const rect of mark.querySelectorAll("rect")) {
      rect.setAttribute("y", to.y);
      rect.setAttribute("height", to.height);
    }
    const text = find(mark, "text");
    text.setAttribute("y", to.labelY);
    text.setAttribute("dy", to.labelDy);
    text.textContent = to.label;
  }

  /** @param {number} share */
  function percent(share) {
    return `${(100 * share).toFixed(3)}%`;
  }

  /**
   * @param {ParentNode} within
   * @param {string} selector
   * @returns {any}
   */
  function find(within, selector) {
    const found = within.querySelector(selector);
    if (!found) {
      throw new Error(`nothing on the page matches ${selector}`);
    }
    return found;
  }

  /**
   * The heatmap of that name on this page.
   * @param {string} name
   * @returns {Heatmap}
   */
  function heatmap(name) {
    let made = heatmaps.get(name);
    if (!made) {
      made = create(find(document, `[data-heatmap="${name}"]`));
      heatmaps.set(name, made);
    }
    return made;
  }

  posenc.heatmap = heatmap;
  for (const box of document.querySelectorAll("[data-heatmap]")) {
    posenc.plots?.over(box, heatmap(box.dataset.heatmap).show);
  }
})();
