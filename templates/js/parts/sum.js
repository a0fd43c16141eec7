/* Part 5 of the explainer: words, places and their sums, number by number. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, plus, paint, wake } = posenc.parts;
  const { fixed, count, fill } = posenc.format;
  const { encode } = posenc.engine;
  const { config, strings, extra } = posenc.data();
  const { kinds, limit } = extra.sum;

  const box = document.getElementById("figure-sum");
  const board = /** @type {HTMLElement} */ (box.querySelector(".addends"));
  board.tabIndex = 0; // its keys need this script
  const rows = /** @type {HTMLTableRowElement[]} */ ([...board.querySelectorAll("tbody tr")]);
  const names = box.dataset.words.split(" ");
  const words = kinds.map((kind) => extra.sum.words[kind]);
  const first = { row: rows.findIndex((row) => row.classList.contains("told")), half: 0 };
  const told = { ...first };
  let pointed = told;
  let begun = Number(rows[0].querySelector("[data-slot]").textContent);

  /** @param {number} pair of the state, which may have more of them than the words here */
  const column = (pair) => 2 * Math.min(pair, config.d_model / 2 - 1) + pointed.half;

  /** The words stay as they are; the places they are laid on move along. */
  function move(start, places) {
    begun = start;
    rows.forEach((row, at) => {
      const [, place, total] = row.querySelectorAll("svg");
      say(row, "[data-slot]", count(start + at));
      paint(place, places[at], limit);
      paint(total, plus(words[at], places[at]), limit);
    });
  }

  /**
   * @param {HTMLElement} figure
   * @param {Record<string, any>} shown
   */
  function sum(figure, { pos, pair }) {
    const places = encode(words.map((_, at) => pos + at), config.d_model, config.base);
    if (pos !== begun) {
      move(pos, places);
    }
    const at = column(pair);
    const { row } = pointed;
    for (const frame of figure.querySelectorAll(".row-strip path")) {
      frame.setAttribute("d", `M${at - (at % 2)} 0h2v1h-2z`);
    }
    rows.forEach((line, index) => line.classList.toggle("told", index === row));
    const [meaning, place] = [words[row][at], places[row][at]];
    say(figure, "[data-told]", fill(strings["sum.told"], {
      column: count(at),
      word: names[row],
      slot: count(pos + row),
      meaning: fixed(meaning, 4),
      place: fixed(place, 4),
      sum: fixed(meaning + place, 4),
    }));
  }

  const show = () => sum(box, posenc.state.shown);

  /**
   * The row and the number under the pointer, or null beside the strips.
   * @param {PointerEvent | MouseEvent} event
   */
  function cell({ target, clientX }) {
    const strip = /** @type {Element} */ (target).closest(".row-strip");
    if (!strip) {
      return null;
    }
    const { left, width } = strip.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * config.d_model);
    return { row: rows.indexOf(strip.closest("tr")), column: Math.min(Math.max(at, 0), config.d_model - 1) };
  }

  /**
   * @param {{row: number, column: number}} at
   * @param {{rested?: boolean}} [how]
   */
  function settle({ row, column: number }, how) {
    Object.assign(told, { row, half: number % 2 });
    pointed = told;
    posenc.state.set({ pair: Math.floor(number / 2) }, how);
    show();
  }

  board.setAttribute("role", "application");
  board.setAttribute("aria-roledescription", strings["cell.role"]);
  board.addEventListener("pointermove", (event) => {
    const at = event.pointerType === "touch" ? null : cell(event);
    pointed = at ? { row: at.row, half: at.column % 2 } : told;
    posenc.state.look(at && { pair: Math.floor(at.column / 2) });
    show();
  });
  board.addEventListener("pointerleave", () => {
    pointed = told;
    posenc.state.look(null);
    show();
  });
  board.addEventListener("click", (event) => {
    const at = cell(event);
    if (at) {
      settle(at, { rested: true });
    }
  });
  board.addEventListener("keydown", (event) => {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = moves[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    pointed = told;
    const at = column(posenc.state.now.pair);
    settle({
      row: Math.min(Math.max(told.row + step[0], 0), rows.length - 1),
      column: Math.min(Math.max(at + step[1], 0), config.d_model - 1),
    });
    posenc.say(board.parentElement.querySelector("[data-told]").textContent, "sum");
  });

  posenc.state.onReset(() => {
    Object.assign(told, first);
    show();
  });
  wake("sum", ["pos", "pair"], sum);
})();
