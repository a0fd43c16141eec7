/**
 * The five invariants of a table whose oddities were set aside: rows upwards, pairs side by side, scale 1.
 *
 * R_k is built from the table's own frequencies and positions; `ladder` compares with the known table that it should
 * be. Shift is bounded by n residuals from the first row. Of many rows those are compared that are neighbours along one
 * direction. Mirrors posenc/check/measure.py; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { rint, range } = check.numbers;

  const ALL_PAIRS_UP_TO = 2e7; // cells compared
  const DIRECTION = 0.6180339887498949; // of the line along which rows are sorted: no pattern of columns follows it
  const NOWHERE = Object.freeze({ position: null, k: null, pair: null });

  /** @typedef {Float64Array[]} Table */
  /** @typedef {{position: number | null, k: number | null, pair: number | null}} Where */
  /**
   * @typedef {object} Invariant
   * @property {string} name
   * @property {number} measured
   * @property {"<=" | ">="} relation
   * @property {number} bound
   * @property {Where} where
   * @property {"all-rows" | "all-pairs" | "linear-shift" | "sorted-rows"} method what the number stands on
   * @property {boolean} holds
   */

  /**
   * @param {Table} rows shape (n, 2m), sine beside cosine
   * @param {Float64Array} positions
   * @param {Float64Array} omega shape (m,)
   * @param {Table} reference
   * @param {number} tolerance
   * @returns {Generator<void, Invariant[], void>} it rests between the five
   */
  function* invariants(rows, positions, omega, reference, tolerance) {
    const found = [bounded(rows, positions, tolerance)];
    yield;
    found.push(length(rows, positions, tolerance));
    yield;
    found.push(distinct(rows, positions, tolerance));
    yield;
    found.push(shift(rows, positions, omega, tolerance));
    yield;
    found.push(ladder(rows, reference, positions, tolerance));
    yield;
    return found;
  }

  /**
   * @param {string} name
   * @param {number} measured
   * @param {Where} where
   * @param {number} bound
   * @param {Invariant["method"]} method
   * @returns {Invariant}
   */
  function invariant(name, measured, where, bound, method = "all-rows") {
    const relation = name === "distinct" ? ">=" : "<=";
    const holds = relation === "<=" ? measured <= bound : measured >= bound;
    return Object.freeze({ name, measured, relation, bound, where, method, holds });
  }

  /**
   * @param {Float64Array} positions
   * @param {number} row
   * @param {number | null} [column]
   * @returns {Where}
   */
  function at(positions, row, column = null) {
    const position = positions[row];
    const known = Number.isFinite(position) && Math.abs(position) < 2 ** 53 ? rint(position) + 0 : null;
    return { position: known, k: null, pair: column === null ? null : Math.floor(column / 2) };
  }

  /**
   * The largest of n × columns errors and its place; the first NaN counts as the largest.
   * @param {number} n
   * @param {number} columns
   * @param {(row: number, column: number) => number} error
   */
  function worst(n, columns, error) {
    let found = { value: error(0, 0), row: 0, column: 0 };
    for (let row = 0; row < n; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const value = error(row, column);
        if (!(value <= found.value)) {
          if (Number.isNaN(found.value)) {
            return found;
          }
          found = { value, row, column };
        }
      }
    }
    return found;
  }

  /**
   * @param {Table} rows
   * @param {Float64Array} positions
   * @param {number} tolerance
   */
  function bounded(rows, positions, tolerance) {
    const { value, row, column } = worst(rows.length, rows[0].length, (r, c) => Math.abs(rows[r][c]));
    return invariant("bounded", value, at(positions, row, column), 1 + 2 * tolerance);
  }

  /**
   * @param {Table} rows
   * @param {Float64Array} positions
   * @param {number} tolerance
   */
  function length(rows, positions, tolerance) {
    const width = rows[0].length;
    const whole = Math.sqrt(Math.floor(width / 2));
    const { value, row } = worst(rows.length, 1, (r) => {
      let squares = 0;
      for (let j = 0; j < width; j += 1) {
        squares += rows[r][j] * rows[r][j];
      }
      return Math.abs(Math.sqrt(squares) - whole);
    });
    return invariant("length", value, at(positions, row), Math.sqrt(width) * tolerance);
  }

  /**
   * @param {Table} rows
   * @param {Float64Array} positions
   * @param {Float64Array} omega
   * @param {number} tolerance
   */
  function shift(rows, positions, omega, tolerance) {
    const [first] = rows;
    let [sine, cosine] = [0, 1];
    const { value, row, column } = worst(rows.length, first.length, (r, c) => {
      if (c % 2 === 0) {
        const turn = (positions[r] - positions[0]) * omega[c / 2];
        [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
        return Math.abs(rows[r][c] - (cosine * first[c] + sine * first[c + 1]));
      }
      return Math.abs(rows[r][c] - (cosine * first[c] - sine * first[c - 1]));
    });
    return invariant("shift", 2 * value, at(positions, row, column), 6 * tolerance, "linear-shift");
  }

  /**
   * @param {Table} rows
   * @param {Table} reference
   * @param {Float64Array} positions
   * @param {number} tolerance
   */
  function ladder(rows, reference, positions, tolerance) {
    const error = (/** @type {number} */ r, /** @type {number} */ c) => Math.abs(rows[r][c] - reference[r][c]);
    const { value, row, column } = worst(rows.length, rows[0].length, error);
    return invariant("ladder", value, at(positions, row, column), 1.5 * tolerance);
  }

  /**
   * @param {Table} rows
   * @param {Float64Array} positions
   * @param {number} tolerance
   */
  function distinct(rows, positions, tolerance) {
    const [n, width] = [rows.length, rows[0].length];
    if (n === 1) {
      return invariant("distinct", rows[0].every(Number.isFinite) ? Infinity : NaN, NOWHERE, tolerance, "all-pairs");
    }
    const few = n * n * width <= ALL_PAIRS_UP_TO;
    const { value, one, other } = few ? closest(rows) : neighbours(rows);
    return invariant("distinct", value, between(positions, one, other), tolerance, few ? "all-pairs" : "sorted-rows");
  }

  /** @typedef {{value: number, one: number, other: number}} Pair */

  /**
   * @param {Table} rows
   * @returns {Pair}
   */
  function closest(rows) {
    let best = { value: Infinity, one: 0, other: 1 };
    for (let k = 1; k < rows.length; k += 1) {
      for (let row = 0; row + k < rows.length; row += 1) {
        const value = apart(rows[row], rows[row + k]);
        if (!(value >= best.value)) {
          best = { value, one: row, other: row + k };
          if (Number.isNaN(value)) {
            return best;
          }
        }
      }
    }
    return best;
  }

  /**
   * The closest of rows that are neighbours along one direction.
   * @param {Table} rows
   * @returns {Pair}
   */
  function neighbours(rows) {
    const direction = Float64Array.from(rows[0], (_, j) => Math.cos(DIRECTION * (j + 1) ** 2));
    const line = rows.map((row) => row.reduce((sum, value, j) => sum + value * direction[j], 0));
    const last = (/** @type {number} */ x) => (Number.isNaN(x) ? 1 : 0);
    const order = range(rows.length).sort((a, b) => last(line[a]) - last(line[b]) || line[a] - line[b] || a - b);
    let best = { value: Infinity, one: order[0], other: order[1] };
    for (let place = 1; place < order.length && !Number.isNaN(best.value); place += 1) {
      const [one, other] = [order[place - 1], order[place]];
      const value = apart(rows[one], rows[other]);
      if (!(value >= best.value)) {
        best = { value, one, other };
      }
    }
    return { value: best.value, one: Math.min(best.one, best.other), other: Math.max(best.one, best.other) };
  }

  /**
   * @param {Float64Array} one
   * @param {Float64Array} other
   */
  function apart(one, other) {
    let squares = 0;
    for (let j = 0; j < one.length; j += 1) {
      const difference = other[j] - one[j];
      squares += difference * difference;
    }
    return Math.sqrt(squares);
  }

  /**
   * @param {Float64Array} positions
   * @param {number} one
   * @param {number} other
   * @returns {Where}
   */
  function between(positions, one, other) {
    const gap = positions[other] - positions[one];
    return { ...at(positions, one), k: Number.isInteger(gap) ? gap : null };
  }

  check.measure = { invariants };
})();
