/**
 * Two-dimensional encodings, flattened row by row: some columns tell x, the others y.
 *
 * Row r of the table belongs to the place (y, x) = (r // W, r % W). A column of x repeats every W rows; a column of y
 * keeps its value for W rows. Each kind is then a table of its own: W rows of x columns, H rows of y columns.
 * Mirrors posenc/check/grids.py; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { median, range } = check.numbers;

  const LEAST = 4; // rows and columns of a grid
  const [KEPT, HALF] = [0.9, 0.5];

  /** @typedef {Float64Array[]} Table */
  /**
   * @typedef {object} Grid
   * @property {number} height
   * @property {number} width
   * @property {number[]} x the columns that tell x
   * @property {number[]} y
   * @property {"blocks" | "fours" | "mixed"} order all of one axis before the other; sin x, cos x, sin y, cos y; neither
   * @property {"x" | "y"} first the axis of the first column
   */

  /**
   * The grid that explains every column, if there is one; the squarest, if there are several.
   * @param {Table} table
   * @param {number} tolerance
   * @returns {Grid | null}
   */
  function grid(table, tolerance) {
    const rows = table.length;
    if (table[0].length < 4) {
      return null;
    }
    let best = null;
    for (let width = LEAST; width <= Math.floor(rows / LEAST); width += 1) {
      const one = rows % width === 0 ? of(table, width, tolerance) : null;
      if (one && (best === null || Math.abs(one.height - one.width) < Math.abs(best.height - best.width))) {
        best = one;
      }
    }
    return best;
  }

  /**
   * @param {Table} table
   * @param {number} width
   * @param {number} tolerance
   * @returns {Grid | null}
   */
  function of(table, width, tolerance) {
    if (!likely(table, width, tolerance)) {
      return null;
    }
    const height = table.length / width;
    const columns = range(table[0].length);
    const isX = columns.map((column) => share(table, width, column, alongY(table, width, column), true, tolerance));
    const isY = columns.map((column) => share(table, width, column, alongX(table, width, column), false, tolerance));
    if (!columns.every((column) => isX[column] || isY[column])) {
      return null;
    }
    const sureX = columns.filter((column) => isX[column] && !isY[column]);
    const sureY = columns.filter((column) => isY[column] && !isX[column]);
    if (!sureX.length || !sureY.length) {
      return null;
    }
    const half = Math.floor(columns.length / 2);
    /** @type {["blocks" | "fours", (column: number) => boolean][]} */
    const orders = [
      ["blocks", (column) => column >= half],
      ["fours", (column) => Math.floor(column / 2) % 2 === 1],
    ];
    for (const [order, second] of orders) {
      for (const first of /** @type {const} */ (["x", "y"])) {
        const ofX = (/** @type {number} */ column) => second(column) === (first === "y");
        if (sureX.every(ofX) && !sureY.some(ofX)) {
          const [x, y] = [columns.filter(ofX), columns.filter((column) => !ofX(column))];
          return { height, width, x, y, order, first };
        }
      }
    }
    if (columns.some((column) => isX[column] && isY[column])) {
      return null;
    }
    return { height, width, x: sureX, y: sureY, order: "mixed", first: isX[0] ? "x" : "y" };
  }

  /**
   * The column at each x: its median over y.
   * @param {Table} table
   * @param {number} width
   * @param {number} column
   */
  function alongY(table, width, column) {
    const height = table.length / width;
    const values = new Float64Array(height);
    return Float64Array.from({ length: width }, (_, x) => {
      for (let y = 0; y < height; y += 1) {
        values[y] = table[y * width + x][column];
      }
      return median(values);
    });
  }

  /**
   * The column at each y: its median over x.
   * @param {Table} table
   * @param {number} width
   * @param {number} column
   */
  function alongX(table, width, column) {
    const values = new Float64Array(width);
    return Float64Array.from({ length: table.length / width }, (_, y) => {
      for (let x = 0; x < width; x += 1) {
        values[x] = table[y * width + x][column];
      }
      return median(values);
    });
  }

  /**
   * Whether nearly all of a column's cells are those of its axis.
   * @param {Table} table
   * @param {number} width
   * @param {number} column
   * @param {Float64Array} axis
   * @param {boolean} ofX
   * @param {number} tolerance
   */
  function share(table, width, column, axis, ofX, tolerance) {
    let near = 0;
    for (let row = 0; row < table.length; row += 1) {
      const place = ofX ? row % width : Math.floor(row / width);
      near += Math.abs(table[row][column] - axis[place]) <= 2 * tolerance ? 1 : 0;
    }
    return near / table.length >= KEPT;
  }

  /**
   * By the first two rows of the grid: every column repeats from one to the next, or stays in the first.
   * @param {Table} table
   * @param {number} width
   * @param {number} tolerance
   */
  function likely(table, width, tolerance) {
    const [first] = table;
    for (let column = 0; column < first.length; column += 1) {
      let [repeats, stays] = [0, 0];
      for (let x = 0; x < width; x += 1) {
        repeats += Math.abs(table[width + x][column] - table[x][column]) <= 2 * tolerance ? 1 : 0;
        stays += Math.abs(table[x][column] - first[column]) <= 2 * tolerance ? 1 : 0;
      }
      if (Math.max(repeats, stays) / width < HALF) {
        return false;
      }
    }
    return true;
  }

  /**
   * The table of x and the table of y.
   * @param {Table} table
   * @param {Grid} found
   * @returns {[Table, Table]}
   */
  function axes(table, found) {
    const sides = (/** @type {Float64Array[]} */ columns, /** @type {number} */ length) =>
      range(length).map((place) => Float64Array.from(columns, (column) => column[place]));
    return [
      sides(found.x.map((column) => alongY(table, found.width, column)), found.width),
      sides(found.y.map((column) => alongX(table, found.width, column)), found.height),
    ];
  }

  check.grids = { LEAST, grid, axes };
})();
