/**
 * The five invariants of the encoding, measured on a given table.
 *
 * `bounded`, `length` and `shift` hold whatever the frequencies, if rows and turns share them; `distinct`
 * holds for almost any. Only `ladder` says that the frequencies are the paper's.
 * A NaN anywhere breaks all five: `worse` and `closer` let it win, and no comparison with NaN holds.
 * Mirrors posenc/proof.py function for function and touches no page.
 */
(function () {
  "use strict";

  /** @typedef {number[] | Float64Array} Numbers */
  /** @typedef {{d_model: number, n_positions: number, base: number, tolerance: number}} Config */
  /** @typedef {{position: number|null, k: number|null, pair: number|null}} Where */
  /**
   * @typedef {object} Invariant
   * @property {string} name
   * @property {number} measured
   * @property {"<=" | ">="} relation
   * @property {number} bound
   * @property {Where} where
   * @property {boolean} holds
   */

  /**
   * Is `value` larger than the largest so far? The first NaN is, and nothing after it.
   * @param {number} value
   * @param {number} largest
   */
  function worse(value, largest) {
    return !(value <= largest) && !Number.isNaN(largest);
  }

  /**
   * Is `value` smaller than the smallest so far? The first NaN is, and nothing after it.
   * @param {number} value
   * @param {number} smallest
   */
  function closer(value, smallest) {
    return !(value >= smallest) && !Number.isNaN(smallest);
  }

  /**
   * @param {string} name
   * @param {number} measured
   * @param {"<=" | ">="} relation
   * @param {number} bound
   * @param {{position?: number, k?: number, pair?: number}} where
   * @returns {Invariant}
   */
  function invariant(name, measured, relation, bound, { position = null, k = null, pair = null }) {
    const holds = relation === "<=" ? measured <= bound : measured >= bound;
    return { name, measured, relation, bound, where: { position, k, pair }, holds };
  }

  /**
   * The largest error over all cells and its place.
   * @param {Numbers[]} table
   * @param {(position: number, column: number) => number} error
   */
  function worstCell(table, error) {
    let measured = -Infinity;
    let where = {};
    table.forEach((row, position) => {
      for (let column = 0; column < row.length; column += 1) {
        const size = error(position, column);
        if (worse(size, measured)) {
          measured = size;
          where = { position, pair: Math.floor(column / 2) };
        }
      }
    });
    return { measured, where };
  }

  /**
   * @param {Numbers[]} table
   * @returns {Invariant}
   */
  function bounded(table) {
    const { measured, where } = worstCell(table, (position, column) => Math.abs(table[position][column]));
    return invariant("bounded", measured, "<=", 1, where);
  }

  /**
   * Each pair has sin² + cos² = 1, so a row has length √(d/2).
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Invariant}
   */
  function length(table, config) {
    const expected = Math.sqrt(config.d_model / 2);
    let measured = -Infinity;
    let place = 0;
    table.forEach((row, position) => {
      let square = 0;
      for (let column = 0; column < row.length; column += 1) {
        square += row[column] * row[column];
      }
      const error = Math.abs(Math.sqrt(square) - expected);
      if (worse(error, measured)) {
        measured = error;
        place = position;
      }
    });
    return invariant("length", measured, "<=", config.tolerance, { position: place });
  }

  /**
   * Euclidean distance of the closest two rows; with one row there is no pair: ∞.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Invariant}
   */
  function distinct(table, config) {
    const n = table.length;
    if (n === 1) {
      const unmatched = Array.from(table[0]).every(Number.isFinite) ? Infinity : NaN;
      return invariant("distinct", unmatched, ">=", config.tolerance, {});
    }
    let measured = Infinity;
    let where = { position: 0, k: 1 };
    for (let k = 1; k < n; k += 1) {
      for (let position = 0; position + k < n; position += 1) {
        const distance = distanceOf(table[position], table[position + k]);
        if (closer(distance, measured)) {
          measured = distance;
          where = { position, k };
        }
      }
    }
    return invariant("distinct", measured, ">=", config.tolerance, where);
  }

  /**
   * Largest entry of PE(pos + k) − R_k PE(pos) over all pairs of rows; R_k comes from k and ω alone.
   * The idle shift k = 0 is kept: it is what a table of one row is measured by.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Invariant}
   */
  function shift(table, config) {
    const n = table.length;
    const pairs = config.d_model / 2;
    const omega = globalThis.posenc.engine.frequencies(config.d_model, config.base);
    let measured = -Infinity;
    let where = {};
    for (let k = 0; k < n; k += 1) {
      const blocks = Float64Array.from(globalThis.posenc.engine.rotation(k, omega).flat(2));
      for (let position = 0; position + k < n; position += 1) {
        const from = table[position];
        const to = table[position + k];
        for (let pair = 0; pair < pairs; pair += 1) {
          const sin = from[2 * pair];
          const cos = from[2 * pair + 1];
          const upper = Math.abs(to[2 * pair] - (blocks[4 * pair] * sin + blocks[4 * pair + 1] * cos));
          const lower = Math.abs(to[2 * pair + 1] - (blocks[4 * pair + 2] * sin + blocks[4 * pair + 3] * cos));
          if (worse(upper, measured)) {
            measured = upper;
            where = { position, k, pair };
          }
          if (worse(lower, measured)) {
            measured = lower;
            where = { position, k, pair };
          }
        }
      }
    }
    return invariant("shift", measured, "<=", config.tolerance, where);
  }

  /**
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Invariant}
   */
  function ladder(table, config) {
    const { measured, where } = worstCell(table, (position, column) =>
      Math.abs(table[position][column] - byTheBook(position, column, config)),
    );
    return invariant("ladder", measured, "<=", config.tolerance, where);
  }

  /**
   * A cell from the paper's two formulas alone: shares nothing with the engine.
   * @param {number} position
   * @param {number} column
   * @param {Config} config
   */
  function byTheBook(position, column, config) {
    const i = Math.floor(column / 2);
    const angle = position / Math.pow(config.base, (2 * i) / config.d_model);
    return column % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  }

  /**
   * @param {Numbers} one
   * @param {Numbers} other
   */
  function distanceOf(one, other) {
    let square = 0;
    for (let column = 0; column < one.length; column += 1) {
      const difference = other[column] - one[column];
      square += difference * difference;
    }
    return Math.sqrt(square);
  }

  const CHECKS = [bounded, length, distinct, shift, ladder];

  /**
   * Measure every invariant on `table`, rows for positions 0 … n − 1.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {{config: Config, invariants: Invariant[], broken: Invariant[], holds: boolean}}
   */
  function prove(table, config) {
    globalThis.posenc.checks.width("d_model", config.d_model);
    globalThis.posenc.checks.integer("n_positions", config.n_positions, 1);
    const rows = floats(table);
    if (rows.length !== config.n_positions || rows.some((row) => row.length !== config.d_model)) {
      throw new RangeError(
        `table must have ${config.n_positions} rows of ${config.d_model} columns, got ${shapeOf(rows)}`,
      );
    }
    const invariants = CHECKS.map((check) => check(rows, config));
    const broken = invariants.filter((claim) => !claim.holds);
    return { config, invariants, broken, holds: broken.length === 0 };
  }

  /**
   * Largest |difference| of two tables of the same shape; NaN if there is one.
   * @param {Numbers[]} table
   * @param {Numbers[]} other
   * @returns {number}
   */
  function agreement(table, other) {
    const [ours, theirs] = [floats(table), floats(other)];
    if (ours.length !== theirs.length || ours.some((row, i) => row.length !== theirs[i].length)) {
      throw new RangeError(`other must have ${shapeOf(ours)}, got ${shapeOf(theirs)}`);
    }
    return worstCell(ours, (position, column) => Math.abs(ours[position][column] - theirs[position][column]))
      .measured;
  }

  /**
   * The rows as Float64Array. A cell that is no number (JSON has null for NaN) is NaN, not 0.
   * @param {Numbers[]} table
   * @returns {Float64Array[]}
   */
  function floats(table) {
    return Array.from(table, (row) =>
      row instanceof Float64Array
        ? row
        : Float64Array.from(row, (cell) => (typeof cell === "number" ? cell : NaN)),
    );
  }

  /** @param {Float64Array[]} rows */
  function shapeOf(rows) {
    return `${rows.length} rows of ${Array.from(new Set(rows.map((row) => row.length))).join(" and ")} columns`;
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.proof = { CHECKS, bounded, length, distinct, shift, ladder, prove, agreement };
})();
