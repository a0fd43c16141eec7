/**
 * Known bugs that no ladder tells: tables of another make. A new bug is a new value in SHAPES or in MADE.
 *
 * SHAPES know a table by what it plainly is. MADE make the table that a slip makes, to be compared cell by cell.
 * Mirrors posenc/check/bugs.py; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { mean, rint } = check.numbers;

  /** @typedef {Float64Array[]} Table */
  /** @typedef {Record<string, number>} Numbers */
  /** @typedef {(pairs: number, width: number, base: number) => Float64Array} Omega */
  /**
   * @typedef {object} Shape `told` gives the numbers of a table that is one, null for any other
   * @property {string} key
   * @property {(table: Table, tolerance: number) => Numbers | null} told
   * @property {"rejected" | "foreign"} standing what it deserves: foreign is no sinusoidal encoding at all
   */
  /**
   * @typedef {object} Made known by making it
   * @property {string} key
   * @property {(positions: Float64Array, columns: number, base: number) => Table} make
   */

  /** @param {Table} table */
  function largest(table) {
    let most = 0;
    for (const row of table) {
      for (let j = 0; j < row.length; j += 1) {
        const size = Math.abs(row[j]);
        most = size > most ? size : most;
      }
    }
    return most;
  }

  /** @type {Shape["told"]} */
  function allZero(table) {
    return table.every((row) => row.every((value) => value === 0)) ? {} : null;
  }

  /** @type {Shape["told"]} */
  function constant(table, tolerance) {
    const [first] = table;
    const alike = () => table.every((row) => row.every((value, j) => Math.abs(value - first[j]) <= tolerance));
    return table.length > 1 && alike() ? {} : null;
  }

  /**
   * Every column the position, or the position over something.
   * @type {Shape["told"]}
   */
  function raw(table, tolerance) {
    const n = table.length;
    if (n < 3 || table[0].length < 2) {
      return null;
    }
    if (!table.every((row) => row.every((value) => Math.abs(value - row[0]) <= tolerance))) {
      return null;
    }
    if (!linear(table, 0, tolerance)) {
      return null;
    }
    return { step: (table[n - 1][0] - table[0][0]) / (n - 1), largest: largest(table) };
  }

  /** @type {Shape["told"]} */
  function angles(table, tolerance) {
    if (table.length < 4 || table[0].length < 2) {
      return null;
    }
    const most = largest(table);
    if (most < 1.5) {
      return null;
    }
    return table[0].every((_, column) => linear(table, column, tolerance)) ? { largest: most } : null;
  }

  /**
   * Whether a column grows in equal steps; float32 may have rounded large ones.
   * @param {Table} table
   * @param {number} column
   * @param {number} tolerance
   */
  function linear(table, column, tolerance) {
    const first = table[0][column];
    const slope = (table[table.length - 1][column] - first) / (table.length - 1);
    const straight = (/** @type {Float64Array} */ row, /** @type {number} */ place) => {
      const line = first + slope * place;
      return Math.abs(row[column] - line) <= 4 * tolerance * Math.max(1, Math.abs(line));
    };
    return slope !== 0 && table.every(straight);
  }

  /** @type {Shape["told"]} */
  function oneHot(table, tolerance) {
    const held = new Set();
    let count = 0;
    for (const row of table) {
      let ones = 0;
      for (let j = 0; j < row.length; j += 1) {
        if (Math.abs(row[j] - 1) <= tolerance) {
          ones += 1;
          held.add(j);
        } else if (!(Math.abs(row[j]) <= tolerance)) {
          return null;
        }
      }
      if (ones > 1) {
        return null;
      }
      count += ones;
    }
    return count > 2 && held.size > 2 ? {} : null;
  }

  /** @type {readonly Shape[]} */
  const SHAPES = Object.freeze([
    { key: "all-zeros", told: allZero, standing: "rejected" },
    { key: "constant-rows", told: constant, standing: "rejected" },
    { key: "raw-index", told: raw, standing: "rejected" },
    { key: "angles", told: angles, standing: "rejected" },
    { key: "one-hot", told: oneHot, standing: "foreign" },
  ]);

  /**
   * Rows of sines and cosines side by side, or in halves.
   * @param {Float64Array} positions
   * @param {number} pairs
   * @param {number} columns
   * @param {boolean} halves
   * @param {(position: number, pair: number) => number} sine
   * @param {(position: number, pair: number) => number} cosine
   * @param {(row: Float64Array) => void} [finish] what is done to a row before it is cut to its columns
   * @returns {Table}
   */
  function filled(positions, pairs, columns, halves, sine, cosine, finish = () => {}) {
    return Array.from(positions, (position) => {
      const row = new Float64Array(2 * pairs);
      for (let i = 0; i < pairs; i += 1) {
        row[halves ? i : 2 * i] = sine(position, i);
        row[halves ? pairs + i : 2 * i + 1] = cosine(position, i);
      }
      finish(row);
      return row.length === columns ? row : row.slice(0, columns);
    });
  }

  /**
   * A slip in the paper's layout and in halves, on the paper's and on tensor2tensor's ladder.
   * @param {string} key
   * @param {(w: Float64Array, d: number, b: number) => [Float64Array, Float64Array]} ladders of sines and of cosines
   * @param {(angle: number) => number} [sine]
   * @param {(angle: number) => number} [cosine]
   * @param {(row: Float64Array) => void} [finish]
   * @returns {Made[]}
   */
  function both(key, ladders, sine = Math.sin, cosine = Math.cos, finish = () => {}) {
    const made = (/** @type {Omega} */ ladder, /** @type {boolean} */ halves) => ({
      key,
      make: (/** @type {Float64Array} */ positions, /** @type {number} */ columns, /** @type {number} */ base) => {
        const pairs = Math.floor((columns + 1) / 2);
        const [first, second] = ladders(ladder(pairs, columns, base), columns, base);
        const [one, other] = [
          (/** @type {number} */ p, /** @type {number} */ i) => sine(p * first[i]),
          (/** @type {number} */ p, /** @type {number} */ i) => cosine(p * second[i]),
        ];
        return filled(positions, pairs, columns, halves, one, other, finish);
      },
    });
    const { paper, tensor2tensor } = check.ladders;
    return [paper, tensor2tensor].flatMap((ladder) => [made(ladder, false), made(ladder, true)]);
  }

  /**
   * Each row less its mean, over its spread; `small` is what keeps the division finite.
   * @param {number} small
   * @returns {(row: Float64Array) => void}
   */
  function layerNormed(small) {
    return (row) => {
      const middle = mean(row);
      const size = Math.sqrt(mean(row.map((value) => (value - middle) ** 2)) + small);
      for (let i = 0; i < row.length; i += 1) {
        row[i] = (row[i] - middle) / size;
      }
    };
  }

  /** @param {number} x */
  const minus = (x) => Math.cos(x) - Math.sin(x);

  /** @param {number} x */
  const plus = (x) => Math.cos(x) + Math.sin(x);

  /**
   * A vector of ones rotated with columns j and j + d/2 as pairs, by angles that belong to 2i and 2i + 1.
   * @type {Made["make"]}
   */
  function ropeMixed(positions, columns, base) {
    const half = Math.floor(columns / 2);
    const omega = check.ladders.paper(half, columns, base);
    const at = (/** @type {number} */ column) => omega[Math.floor(column / 2)];
    return filled(positions, half, 2 * half, true, (p, i) => minus(p * at(i)), (p, i) => plus(p * at(half + i)));
  }

  /**
   * The other way: neighbours as pairs, by angles that belong to j and j + d/2.
   * @type {Made["make"]}
   */
  function ropeMixedBack(positions, columns, base) {
    const half = Math.floor(columns / 2);
    const omega = check.ladders.paper(half, columns, base);
    const at = (/** @type {number} */ column) => omega[column % half];
    return filled(positions, half, columns, false, (p, i) => minus(p * at(2 * i)), (p, i) => plus(p * at(2 * i + 1)));
  }

  /** @type {Made["make"]} */
  function rowsNotColumns(positions, columns, base) {
    const omega = check.ladders.paper(Math.floor((columns + 1) / 2), columns, base);
    return Array.from(positions, (position, row) => {
      const wave = row % 2 ? Math.cos : Math.sin;
      return Float64Array.from({ length: columns }, (_, column) => wave(position * omega[Math.floor(column / 2)]));
    });
  }

  /**
   * Position and dimension change places.
   * @type {Made["make"]}
   */
  function swapped(positions, columns, base) {
    const rates = positions.map((position) => base ** ((-2 * position) / columns));
    const pairs = Math.floor((columns + 1) / 2);
    return filled(rates, pairs, columns, false, (rate, i) => Math.sin(rate * i), (rate, i) => Math.cos(rate * i));
  }

  /**
   * @param {Float64Array} w
   * @param {number} factor
   */
  const times = (w, factor) => w.map((omega) => omega * factor);
  /** @param {(x: number) => number} whole */
  const cut = (whole) => [
    (/** @type {number} */ x) => whole(Math.sin(x)),
    (/** @type {number} */ x) => whole(Math.cos(x)),
  ];

  /** @type {readonly Made[]} */
  const MADE = Object.freeze([
    ...both("per-column-exponent", (w, d, b) => [w.map((x) => x * x), w.map((x) => x * x * b ** (-2 / d))]),
    ...both("per-column-exponent", (w, d, b) => [w, times(w, b ** (-1 / d))]),
    ...both("cosine-one-ahead", (w, d, b) => [w, times(w, b ** (-2 / d))]),
    ...both("same-wave-twice", (w) => [w, w], Math.sin, Math.sin),
    ...both("same-wave-twice", (w) => [w, w], Math.cos, Math.cos),
    ...both("cosine-of-sine", (w) => [w, w], Math.sin, (x) => Math.cos(Math.sin(x))),
    ...both("integers", (w) => [w, w], ...cut(Math.trunc)),
    ...both("integers", (w) => [w, w], ...cut(rint)),
    ...both("layer-normed", (w) => [w, w], Math.sin, Math.cos, layerNormed(1e-5)),
    ...both("layer-normed", (w) => [w, w], Math.sin, Math.cos, layerNormed(0)),
    { key: "rope-mixed", make: ropeMixed },
    { key: "rope-mixed", make: ropeMixedBack },
    { key: "rows-not-columns", make: rowsNotColumns },
    { key: "swapped", make: swapped },
  ]);

  check.bugs = { SHAPES, MADE, largest };
})();
