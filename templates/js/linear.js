/**
 * The proof in n steps instead of n²/2; and the other work on a whole table, in slices.
 *
 * Let e_p = PE(p) − R_p PE(0) be what the shift from the first row leaves over at row p: n residuals, measured pair
 * by pair. R keeps lengths, and R_a R_b = R_(a+b). Then for every two rows p < q, with k = q − p:
 *
 *     shift     PE(q) − R_k PE(p) = e_q − R_k e_p, so its size is at most |e_q| + |e_p|;
 *     distinct  PE(q) − PE(p) = R_p (PE(k) − PE(0) − e_k) + e_q − e_p,
 *               so its size is at least |PE(k) − PE(0)| − |e_k| − |e_q| − |e_p|.
 *
 * Mirrors posenc/linear.py and touches no page. It differs in two things: R_k turns by the rounded product k·ω where
 * Python's phases are exact, so `slack` grows with n; and where the bound of `distinct` breaks, all pairs are compared.
 */
(function () {
  "use strict";

  const SLACK = 1e-15; // what measuring one pair of e_p may round
  const HALF_UNIT = 2 ** -53; // what a product may round, relative to its size

  /** @typedef {number[] | Float64Array} Numbers */
  /** @typedef {{d_model: number, n_positions: number, base: number, tolerance: number}} Config */
  /** @typedef {import("./proof.js").Invariant} Invariant */
  /** @typedef {import("./proof.js").Found} Found */
  /**
   * @template T
   * @typedef {import("./proof.js").Slices<T>} Slices
   */

  /**
   * Every invariant of `table`, rows for positions 0 … n − 1.
   * @param {Float64Array[]} table
   * @param {Config} config
   * @returns {Slices<Invariant[]>}
   */
  function* slices(table, config) {
    const { boundedSlices, lengthSlices, ladderSlices, inTurn } = globalThis.posenc.proof;
    const left = residuals();
    const invariants = yield* inTurn([
      [1, boundedSlices(table, config)],
      [1, lengthSlices(table, config)],
      [20, shiftSlices(table, config, left)],
      [1, distinctSlices(table, config, left)],
      [20, ladderSlices(table, config)],
    ]);
    const [bounded, length, shift, distinct, ladder] = invariants;
    return [bounded, length, distinct, shift, ladder];
  }

  /** The largest residual of a pair, with its place, and of a row: their squares. */
  function residuals() {
    return { pair: -Infinity, where: {}, row: -Infinity };
  }

  /**
   * @param {Float64Array[]} table
   * @param {Config} config
   * @param {ReturnType<typeof residuals>} left takes the residuals, for `distinct`
   * @returns {Slices<Invariant>}
   */
  function* shiftSlices(table, config, left) {
    const { byRows, invariant } = globalThis.posenc.proof;
    const omega = globalThis.posenc.engine.frequencies(config.d_model, config.base);
    yield* byRows(table.length, config.d_model, (from, to) => {
      for (let k = from; k < to; k += 1) {
        leaveOver(table[k], table[0], k, omega, left);
      }
    });
    const residual = Math.sqrt(left.pair);
    const found = { measured: 2 * (residual + slack(config)), where: residual > 0 ? left.where : {} };
    return invariant("shift", found, config, "linear-shift");
  }

  /**
   * What one row has that is not the first row, turned by R_k: made of sin kω and cos kω, it is a rotation.
   * @param {Float64Array} row
   * @param {Float64Array} origin
   * @param {number} k
   * @param {Float64Array} omega
   * @param {ReturnType<typeof residuals>} left
   */
  function leaveOver(row, origin, k, omega, left) {
    const { worse } = globalThis.posenc.proof;
    let whole = 0;
    for (let pair = 0; pair < omega.length; pair += 1) {
      const sin = Math.sin(k * omega[pair]);
      const cos = Math.cos(k * omega[pair]);
      const upper = row[2 * pair] - (cos * origin[2 * pair] + sin * origin[2 * pair + 1]);
      const lower = row[2 * pair + 1] - (cos * origin[2 * pair + 1] - sin * origin[2 * pair]);
      const square = upper * upper + lower * lower;
      whole += square;
      if (worse(square, left.pair)) {
        left.pair = square;
        left.where = { position: 0, k, pair };
      }
    }
    if (worse(whole, left.row)) {
      left.row = whole;
    }
  }

  /**
   * The n − 1 distances from the first row, less what the residuals take from them; where that says nothing, every
   * pair of rows itself.
   * @param {Float64Array[]} table
   * @param {Config} config
   * @param {ReturnType<typeof residuals>} left
   * @returns {Slices<Invariant>}
   */
  function* distinctSlices(table, config, left) {
    const { byRows, closer, invariant, part, squareApart } = globalThis.posenc.proof;
    let nearest = squareApart(table[0], table[0]) === 0 ? Infinity : NaN; // NaN: the first row itself is not finite
    let where = {};
    const measuring = byRows(table.length, config.d_model, (from, to) => {
      for (let k = Math.max(from, 1); k < to; k += 1) {
        const square = squareApart(table[0], table[k]);
        if (closer(square, nearest)) {
          nearest = square;
          where = { position: 0, k };
        }
      }
    });
    yield* part(measuring, 0, 0.1);
    const rounded = slack(config) * Math.sqrt(config.d_model / 2);
    const certain = Math.sqrt(nearest) - 3 * (Math.sqrt(left.row) + rounded);
    const claim = invariant("distinct", { measured: certain, where }, config, "linear-distance");
    return claim.holds ? claim : yield* part(globalThis.posenc.proof.distinctSlices(table, config), 0.1, 1);
  }

  /**
   * What float64 rounds in one pair of e_p: most of it in the angle k·ω, by half a unit of its last place.
   * @param {Config} config
   */
  function slack(config) {
    const omega = globalThis.posenc.engine.frequencies(config.d_model, config.base);
    return SLACK + (config.n_positions - 1) * Math.max(omega[0], omega[omega.length - 1]) * HALF_UNIT;
  }

  // ---- the table ----

  /**
   * The table of the encoding, or of a fault that gives a row for a position.
   * @param {Config} config
   * @param {(position: number, config: Config) => Numbers} [fault]
   * @returns {Slices<Float64Array[]>}
   */
  function* buildSlices(config, fault) {
    const { d_model: columns, n_positions: n, base } = config;
    const table = [];
    yield* globalThis.posenc.proof.byRows(n, columns, (from, to) => {
      const positions = Array.from({ length: to - from }, (_, row) => from + row);
      const rows = fault
        ? positions.map((position) => Float64Array.from(fault(position, config)))
        : globalThis.posenc.engine.encode(positions, columns, base);
      table.push(...rows);
    });
    return table;
  }

  /**
   * How many rows there are when rows of the very same numbers count once; −0 is 0, and NaN is NaN.
   * @param {Numbers[]} table
   * @returns {Slices<number>}
   */
  function* uniqueSlices(table) {
    /** @type {Map<number, Numbers[]>} rows by a hash of their bits: those that share one are compared */
    const alike = new Map();
    let unique = 0;
    yield* globalThis.posenc.proof.byRows(table.length, table[0].length, (from, to) => {
      for (let position = from; position < to; position += 1) {
        const row = table[position];
        const hash = hashOf(row);
        const others = alike.get(hash) ?? [];
        if (!others.some((other) => same(row, other))) {
          alike.set(hash, [...others, row]);
          unique += 1;
        }
      }
    });
    return unique;
  }

  const cell = new Float64Array(1);
  const bits = new Uint32Array(cell.buffer);

  /** @param {Numbers} row */
  function hashOf(row) {
    let hash = 0;
    for (let column = 0; column < row.length; column += 1) {
      cell[0] = Number.isNaN(row[column]) ? NaN : row[column] + 0; // −0 + 0 is 0; a NaN has many bit patterns
      hash = Math.imul(hash ^ bits[0], 0x9e3779b1);
      hash = Math.imul(hash ^ (hash >>> 15) ^ bits[1], 0x85ebca6b);
      hash ^= hash >>> 13;
    }
    return hash;
  }

  /**
   * @param {Numbers} one
   * @param {Numbers} other
   */
  function same(one, other) {
    return one.length === other.length && one.every((value, column) => Object.is(value + 0, other[column] + 0));
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.linear = { slices, buildSlices, uniqueSlices };
})();
