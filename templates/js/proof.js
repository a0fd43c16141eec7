/**
 * The five invariants of the encoding, measured on a given table.
 *
 * `bounded`, `length` and `shift` hold whatever the frequencies, if rows and turns share them; `distinct`
 * holds for almost any. Only `ladder` says that the frequencies are the paper's.
 * A NaN anywhere breaks all five: `worse` and `closer` let it win, and no comparison with NaN holds.
 * Mirrors posenc/proof.py function for function and touches no page.
 *
 * Each check is a generator that rests every so many cells, so that slices.js can run it without holding up the page;
 * the function of its name runs it through at once. `slices` and `prove` compare every pair of rows up to
 * ALL_PAIRS_UP_TO positions, and take the bounds of linear.js above; `method` says which.
 */
(function () {
  "use strict";

  const ALL_PAIRS_UP_TO = 256;
  const CELLS = 2 ** 14; // of a table between two rests: below a millisecond of sines
  const PAIRED = 2 ** 17; // cells of rows that are compared, which is sooner done

  /** @typedef {number[] | Float64Array} Numbers */
  /** @typedef {{d_model: number, n_positions: number, base: number, tolerance: number}} Config */
  /** @typedef {{position: number|null, k: number|null, pair: number|null}} Where */
  /** @typedef {"all-rows" | "all-pairs" | "linear-shift" | "linear-distance"} Method */
  /** @typedef {{measured: number, where: Partial<Where>}} Found */
  /**
   * @template T
   * @typedef {Generator<{done: number}, T, void>} Slices work that tells at each rest how much is done, from 0 to 1
   */
  /**
   * @typedef {object} Invariant
   * @property {string} name
   * @property {number} measured
   * @property {"<=" | ">="} relation
   * @property {number} bound
   * @property {Where} where
   * @property {boolean} holds
   * @property {Method} method what the number stands on
   * @property {number} [ms] what it took, without the rests; of `slices` and `prove`
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
   * @param {Found} found
   * @param {Config} config
   * @param {Method} [method]
   * @returns {Invariant}
   */
  function invariant(name, { measured, where }, config, method = "all-rows") {
    const { position = null, k = null, pair = null } = where;
    const relation = name === "distinct" ? ">=" : "<=";
    const bound = name === "bounded" ? 1 : config.tolerance;
    const holds = relation === "<=" ? measured <= bound : measured >= bound;
    return { name, measured, relation, bound, where: { position, k, pair }, holds, method };
  }

  // ---- in slices, or at once ----

  /**
   * n rows of so many columns, a few at a time.
   * @param {number} n
   * @param {number} columns
   * @param {(from: number, to: number) => void} work on rows from … to − 1
   * @returns {Slices<void>}
   */
  function* byRows(n, columns, work) {
    const few = Math.max(Math.floor(CELLS / columns), 1);
    for (let from = 0; from < n; from += few) {
      const to = Math.min(from + few, n);
      work(from, to);
      yield { done: to / n };
    }
  }

  /**
   * Every pair of n rows, position and position + k, a few at a time, by growing k.
   * @param {number} n
   * @param {number} columns
   * @param {number} first the smallest k: 0 pairs each row with itself too
   * @param {(k: number, from: number, to: number) => void} work on positions from … to − 1
   * @returns {Slices<void>}
   */
  function* byPairs(n, columns, first, work) {
    const few = Math.max(Math.floor(PAIRED / columns), 1);
    const all = ((n - first) * (n - first + 1)) / 2;
    let [seen, rested] = [0, 0];
    for (let k = first; k < n; k += 1) {
      for (let from = 0; from + k < n; from += few) {
        const to = Math.min(from + few, n - k);
        work(k, from, to);
        seen += to - from;
        if (seen - rested >= few) {
          rested = seen;
          yield { done: seen / all };
        }
      }
    }
  }

  /**
   * Work that is a part of another: its share of that begins and ends there.
   * @template T
   * @param {Slices<T>} work
   * @param {number} begins
   * @param {number} ends
   * @returns {Slices<T>}
   */
  function* part(work, begins, ends) {
    for (;;) {
      const { value, done } = work.next();
      if (done) {
        return value;
      }
      yield { done: begins + (ends - begins) * value.done };
    }
  }

  /**
   * What the work returns, run through without a rest.
   * @template T
   * @param {Slices<T>} work
   * @returns {T}
   */
  function finish(work) {
    let step = work.next();
    while (!step.done) {
      step = work.next();
    }
    return step.value;
  }

  /**
   * A check, and the milliseconds that it took.
   * @param {Slices<Invariant>} check
   * @returns {Slices<Invariant>}
   */
  function* timed(check) {
    let ms = 0;
    for (;;) {
      const start = performance.now();
      const { value, done } = check.next();
      ms += performance.now() - start;
      if (done) {
        return { ...value, ms };
      }
      yield value;
    }
  }

  /**
   * Checks one after the other.
   * @param {[number, Slices<Invariant>][]} checks each with its weight: how long it takes beside the others
   * @returns {Slices<Invariant[]>}
   */
  function* inTurn(checks) {
    const all = checks.reduce((sum, [weight]) => sum + weight, 0);
    const invariants = [];
    let before = 0;
    for (const [weight, check] of checks) {
      invariants.push(yield* part(timed(check), before / all, (before + weight) / all));
      before += weight;
    }
    return invariants;
  }

  // ---- the checks ----

  /**
   * The largest error over all cells and its place.
   * @param {Numbers[]} table
   * @param {(position: number, column: number) => number} error
   * @returns {Slices<Found>}
   */
  function* worstCell(table, error) {
    let measured = -Infinity;
    let where = {};
    yield* byRows(table.length, table[0].length, (from, to) => {
      for (let position = from; position < to; position += 1) {
        for (let column = 0; column < table[position].length; column += 1) {
          const size = error(position, column);
          if (worse(size, measured)) {
            measured = size;
            where = { position, pair: Math.floor(column / 2) };
          }
        }
      }
    });
    return { measured, where };
  }

  /**
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Slices<Invariant>}
   */
  function* boundedSlices(table, config) {
    const size = (position, column) => Math.abs(table[position][column]);
    return invariant("bounded", yield* worstCell(table, size), config);
  }

  /**
   * Each pair has sin² + cos² = 1, so a row has length √(d/2).
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Slices<Invariant>}
   */
  function* lengthSlices(table, config) {
    const expected = Math.sqrt(config.d_model / 2);
    const nothing = new Float64Array(config.d_model);
    let measured = -Infinity;
    let where = {};
    yield* byRows(table.length, config.d_model, (from, to) => {
      for (let position = from; position < to; position += 1) {
        const error = Math.abs(Math.sqrt(squareApart(nothing, table[position])) - expected);
        if (worse(error, measured)) {
          measured = error;
          where = { position };
        }
      }
    });
    return invariant("length", { measured, where }, config);
  }

  /**
   * Euclidean distance of the closest two rows; with one row there is no pair: ∞.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Slices<Invariant>}
   */
  function* distinctSlices(table, config) {
    const n = table.length;
    const size = (position, column) => Math.abs(table[position][column]);
    const finite = Number.isFinite((yield* part(worstCell(table, size), 0, 0.1)).measured);
    if (n === 1) {
      return invariant("distinct", { measured: finite ? Infinity : NaN, where: {} }, config, "all-pairs");
    }
    let closest = Infinity;
    let where = { position: 0, k: 1 };
    const comparing = byPairs(n, config.d_model, 1, (k, from, to) => {
      for (let position = from; position < to && !Number.isNaN(closest); position += 1) {
        // Rows farther apart than the closest need no exact distance, unless the rest of them hides a NaN.
        const square = squareApart(table[position], table[position + k], finite ? closest : Infinity);
        if (closer(square, closest)) {
          closest = square;
          where = { position, k };
        }
      }
    });
    yield* part(comparing, 0.1, 1);
    return invariant("distinct", { measured: Math.sqrt(closest), where }, config, "all-pairs");
  }

  /**
   * Largest entry of PE(pos + k) − R_k PE(pos) over all pairs of rows; R_k comes from k and ω alone.
   * The idle shift k = 0 is kept: it is what a table of one row is measured by.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Slices<Invariant>}
   */
  function* shiftSlices(table, config) {
    const pairs = config.d_model / 2;
    const omega = globalThis.posenc.engine.frequencies(config.d_model, config.base);
    let measured = -Infinity;
    let where = {};
    let turn = new Float64Array();
    yield* byPairs(table.length, config.d_model, 0, (k, from, to) => {
      turn = from === 0 ? turnBy(k, omega) : turn;
      for (let position = from; position < to; position += 1) {
        const row = table[position];
        const later = table[position + k];
        for (let pair = 0; pair < pairs; pair += 1) {
          const sin = row[2 * pair];
          const cos = row[2 * pair + 1];
          const upper = Math.abs(later[2 * pair] - (turn[4 * pair] * sin + turn[4 * pair + 1] * cos));
          const lower = Math.abs(later[2 * pair + 1] - (turn[4 * pair + 2] * sin + turn[4 * pair + 3] * cos));
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
    });
    return invariant("shift", { measured, where }, config, "all-pairs");
  }

  /**
   * Every cell against the paper's two formulas alone, which share nothing with the engine.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Slices<Invariant>}
   */
  function* ladderSlices(table, config) {
    const power = Float64Array.from({ length: config.d_model / 2 }, (_, i) =>
      Math.pow(config.base, (2 * i) / config.d_model),
    );
    const error = (position, column) => {
      const angle = position / power[column >> 1];
      return Math.abs(table[position][column] - (column % 2 === 0 ? Math.sin(angle) : Math.cos(angle)));
    };
    return invariant("ladder", yield* worstCell(table, error), config);
  }

  /**
   * The blocks of R_k in one line, four numbers a pair, by rows.
   * @param {number} k
   * @param {Float64Array} omega
   */
  function turnBy(k, omega) {
    const turn = new Float64Array(4 * omega.length);
    globalThis.posenc.engine.rotation(k, omega).forEach((block, pair) => {
      turn[4 * pair] = block[0][0];
      turn[4 * pair + 1] = block[0][1];
      turn[4 * pair + 2] = block[1][0];
      turn[4 * pair + 3] = block[1][1];
    });
    return turn;
  }

  /**
   * The square of the distance of two rows; or of a part of it, once that is more than `enough`.
   * @param {Numbers} one
   * @param {Numbers} other
   * @param {number} [enough]
   */
  function squareApart(one, other, enough = Infinity) {
    let square = 0;
    for (let column = 0; column < one.length && !(square > enough); column += 1) {
      const difference = other[column] - one[column];
      square += difference * difference;
    }
    return square;
  }

  // ---- the proof ----

  /**
   * Every invariant of `table`, rows for positions 0 … n − 1, in slices.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {Slices<Invariant[]>}
   */
  function* slices(table, config) {
    globalThis.posenc.checks.width("d_model", config.d_model);
    const n = globalThis.posenc.checks.integer("n_positions", config.n_positions, 1);
    const rows = yield* part(floats(table), 0, 0);
    if (rows.length !== n || rows.some((row) => row.length !== config.d_model)) {
      throw new RangeError(`table must have ${n} rows of ${config.d_model} columns, got ${shapeOf(rows)}`);
    }
    if (n > ALL_PAIRS_UP_TO) {
      return yield* globalThis.posenc.linear.slices(rows, config);
    }
    return yield* inTurn([
      [1, boundedSlices(rows, config)],
      [1, lengthSlices(rows, config)],
      [n / 2, distinctSlices(rows, config)],
      [n, shiftSlices(rows, config)],
      [20, ladderSlices(rows, config)],
    ]);
  }

  /**
   * Measure every invariant on `table`, at once.
   * @param {Numbers[]} table
   * @param {Config} config
   * @returns {{config: Config, invariants: Invariant[], broken: Invariant[], holds: boolean}}
   */
  function prove(table, config) {
    const invariants = finish(slices(table, config));
    const broken = invariants.filter((claim) => !claim.holds);
    return { config, invariants, broken, holds: broken.length === 0 };
  }

  /**
   * Largest |difference| of two tables of the same shape; NaN if there is one.
   * @param {Numbers[]} table
   * @param {Numbers[]} other
   * @returns {Slices<number>}
   */
  function* agreementSlices(table, other) {
    const ours = yield* part(floats(table), 0, 0);
    const theirs = yield* part(floats(other), 0, 0);
    if (ours.length !== theirs.length || ours.some((row, i) => row.length !== theirs[i].length)) {
      throw new RangeError(`other must have ${shapeOf(ours)}, got ${shapeOf(theirs)}`);
    }
    const error = (position, column) => Math.abs(ours[position][column] - theirs[position][column]);
    return (yield* worstCell(ours, error)).measured;
  }

  /**
   * The rows as Float64Array. A cell that is no number (JSON has null for NaN) is NaN, not 0.
   * @param {Numbers[]} table
   * @returns {Slices<Float64Array[]>}
   */
  function* floats(table) {
    const rows = [];
    const number = (cell) => (typeof cell === "number" ? cell : NaN);
    yield* byRows(table.length, table[0]?.length || 1, (from, to) => {
      for (const row of table.slice(from, to)) {
        rows.push(row instanceof Float64Array ? row : Float64Array.from(row, number));
      }
    });
    return rows;
  }

  /** @param {Float64Array[]} rows */
  function shapeOf(rows) {
    return `${rows.length} rows of ${Array.from(new Set(rows.map((row) => row.length))).join(" and ")} columns`;
  }

  /**
   * @template T
   * @param {(...given: any[]) => Slices<T>} check
   * @returns {(...given: any[]) => T}
   */
  const atOnce = (check) => (...given) => finish(check(...given));

  const [bounded, length, distinct, shift, ladder] = [
    boundedSlices, lengthSlices, distinctSlices, shiftSlices, ladderSlices,
  ].map(atOnce);
  const agreement = atOnce(agreementSlices);

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.proof = {
    ALL_PAIRS_UP_TO,
    CHECKS: [bounded, length, distinct, shift, ladder],
    ...{ bounded, length, distinct, shift, ladder, prove, agreement },
    ...{ boundedSlices, lengthSlices, distinctSlices, shiftSlices, ladderSlices, slices, agreementSlices },
    ...{ byRows, part, inTurn, finish, worse, closer, invariant, squareApart }, // for linear.js and downloads.js
  };
})();
