/**
 * The cells of a heatmap by keyboard: arrows, Home, End and the page keys move a cursor, and each cell is said in words.
 */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const { strings } = posenc.data();
  const STRIDE = 8; // rows that a page key moves

  /** @typedef {{row: number, column: number}} Cell */
  /**
   * @typedef {object} Hand
   * @property {string} name of the cells as a whole
   * @property {() => Cell} at where the cursor is
   * @property {() => {rows: number, columns: number}} size
   * @property {(cell: Cell) => void} choose moves it; the sentence of the heatmap then tells that cell
   */

  /**
   * @param {HTMLElement} box a heatmap
   * @param {Hand} hand
   */
  function cells(box, { name, at, size, choose }) {
    const frame = /** @type {HTMLElement} */ (box.querySelector(".heatmap-frame"));
    const told = box.querySelector("p[data-cell]");
    const picture = box.querySelector(".heatmap-graph"); // no reader comes to it inside an application
    const words = {
      role: "application",
      "aria-roledescription": strings["cell.role"],
      "aria-label": name,
      "aria-describedby": `${told.id} ${picture.id}`,
    };
    Object.entries(words).forEach(([attribute, text]) => frame.setAttribute(attribute, text));
    frame.tabIndex = 0;
    frame.addEventListener("keydown", (event) => {
      const { row, column } = at();
      const last = { row: size().rows - 1, column: size().columns - 1 };
      /** @type {Record<string, [number, number]>} */
      const moves = {
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        PageUp: [row - STRIDE, column],
        PageDown: [row + STRIDE, column],
        Home: event.ctrlKey ? [0, 0] : [row, 0],
        End: event.ctrlKey ? [last.row, last.column] : [row, last.column],
      };
      const to = moves[event.key];
      if (!to || event.altKey || event.metaKey) {
        return;
      }
      event.preventDefault();
      const inside = (/** @type {number} */ place, /** @type {number} */ most) => Math.min(Math.max(place, 0), most);
      choose({ row: inside(to[0], last.row), column: inside(to[1], last.column) });
      posenc.say(told.textContent, told.id);
    });
  }

  posenc.cells = cells;
})();
