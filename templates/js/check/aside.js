/** Rows and columns that are set aside before judging: those that are zero throughout. Mirrors posenc/check/aside.py. */
(function () {
  "use strict";

  const { range } = posenc.check.numbers;

  /**
   * Rows and columns that remain, and the longest run of rows without a gap.
   * @typedef {{rows: number[], columns: number[], run: number[]}} Kept
   */

  /**
   * What to judge: all but zero rows and columns; a zero column may also be the sine of a wave too slow to move, if
   * there are as many columns that stand still.
   * @param {Float64Array[]} table
   * @returns {Generator<Readonly<Kept>, void>}
   */
  function* kept(table) {
    const rows = range(table.length).filter((row) => table[row].some((value) => value !== 0));
    const all = range(table[0].length);
    const columns = all.filter((column) => table.some((row) => row[column] !== 0));
    const zeros = all.length - columns.length;
    const run = longestRun(rows);
    const everything = Object.freeze({ rows, columns: all, run });
    const others = Object.freeze({ rows, columns, run });
    if (zeros === 0) {
      yield everything;
      return;
    }
    if (columns.filter((column) => still(table, rows, column)).length >= zeros) {
      yield everything;
      yield others;
    } else {
      yield others;
      yield everything;
    }
  }

  /** @param {Float64Array[]} table @param {number[]} rows @param {number} column */
  function still(table, rows, column) {
    return rows.every((row) => Math.abs(table[row][column] - table[rows[0]][column]) <= 1e-9);
  }

  /**
   * The longest run of consecutive numbers, the first of equals.
   * @param {number[]} rows
   */
  function longestRun(rows) {
    let best = [0, 0];
    let first = 0;
    for (let i = 1; i <= rows.length; i += 1) {
      if (i === rows.length || rows[i] - rows[i - 1] !== 1) {
        best = i - first > best[1] - best[0] ? [first, i] : best;
        first = i;
      }
    }
    return rows.slice(...best);
  }

  posenc.check.aside = Object.freeze({ kept, longestRun });
})();
