/**
 * The numbers of a heatmap as a table, behind a disclosure: what the build wrote, filled anew with what the page now
 * shows, and only while it is open. Of a large table it holds the part with the chosen cell, and says which.
 */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const { count, fixed, fill } = posenc.format;
  const { strings } = posenc.data();
  const MOST = 64; // rows and columns, as in posenc/web/heatmaps.py
  const REST = 150; // ms: a table is filled when the hand pauses, not in each frame of a drag

  /**
   * @typedef {object} Shown
   * @property {string} [part] which part of the whole this is; as the build has it unless told
   * @property {[string, string][]} columns what heads each, and what is said below it
   * @property {[string, string[]][]} rows what heads each, and its values
   * @property {number} chosen the row that is marked
   */

  /**
   * @param {HTMLElement} box a heatmap
   * @param {() => Shown | null} read what is to be shown; null: nothing is known yet
   * @returns {() => void} to be called when that may have changed
   */
  function numbers(box, read) {
    const details = /** @type {HTMLDetailsElement} */ (box.querySelector("[data-numbers]"));
    let resting = 0;

    function show() {
      const shown = details.open && read();
      if (shown) {
        write(details, shown);
      }
    }

    details.addEventListener("toggle", show);
    return () => {
      clearTimeout(resting);
      if (details.open) {
        resting = window.setTimeout(show, REST);
      }
    };
  }

  /**
   * @param {HTMLElement} details
   * @param {Shown} shown
   */
  function write(details, { part, columns, rows, chosen }) {
    if (part) {
      put(details.querySelector("[data-part]"), part);
    }
    const [, ...heads] = fit(details.querySelector("thead tr"), columns.length + 1);
    heads.forEach((head, index) => {
      const [name, wave] = columns[index];
      const below = document.createElement("span");
      below.textContent = wave;
      head.replaceChildren(...(wave ? [`${name} `, below] : [name]));
    });
    fit(details.querySelector("tbody"), rows.length).forEach((line, index) => {
      const [head, ...cells] = fit(line, columns.length + 1);
      const [name, values] = rows[index];
      put(head, name);
      cells.forEach((cell, column) => put(cell, values[column]));
      line.classList.toggle("chosen", index === chosen);
    });
  }

  /**
   * As many children as wanted, each like the last.
   * @param {Element} parent
   * @param {number} wanted
   */
  function fit(parent, wanted) {
    while (parent.children.length > wanted) {
      parent.lastElementChild.remove();
    }
    while (parent.children.length < wanted) {
      parent.append(parent.lastElementChild.cloneNode(true));
    }
    return [...parent.children];
  }

  /**
   * @param {Element} place
   * @param {string} text
   */
  function put(place, text) {
    if (place.textContent !== text) {
      place.textContent = text;
    }
  }

  /**
   * Which of so many, in parts of at most 64: the part with the chosen one.
   * @param {number} all
   * @param {number} chosen
   */
  function part(all, chosen) {
    const first = Math.floor(chosen / MOST) * MOST;
    return { first, last: Math.min(first + MOST, all) - 1 };
  }

  /** The part of the page's table with the position and the pair of its state. @returns {Shown | null} */
  function table() {
    const { made } = posenc.table;
    if (!made) {
      return null; // it is being built, and comes
    }
    const { recipe, rows } = made;
    const { pos, pair } = posenc.state.now;
    const [down, across] = [part(rows.length, pos), part(rows[0].length, 2 * pair)];
    const clean = recipe.fault === "none";
    const wave = (/** @type {number} */ column) => (clean ? strings[column % 2 ? "wave.cosine" : "wave.sine"] : "");
    return {
      part: fill(strings["numbers.part"], {
        first: count(down.first),
        last: count(down.last),
        rows: count(rows.length),
        left: count(across.first),
        right: count(across.last),
        columns: count(rows[0].length),
      }),
      columns: range(across).map((column) => [count(column), wave(column)]),
      rows: range(down).map((at) => [count(at), range(across).map((column) => fixed(rows[at][column], 4))]),
      chosen: pos - down.first,
    };
  }

  /** @param {{first: number, last: number}} part */
  const range = ({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

  posenc.numbers = numbers;
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-follow]"))) {
    const follow = numbers(box, table);
    posenc.table.on(follow);
    posenc.state.on(follow);
  }
})();
