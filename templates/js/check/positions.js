/**
 * Positions row by row, for tables whose rows do not run in equal steps, and what their order tells. Mirrors
 * posenc/check/positions.py.
 */
(function () {
  "use strict";

  const { argmax, argmin, argsort, counted, decimal, diff, rint, rounded, unique, wrap } = posenc.check.numbers;
  const { STILL, spread } = posenc.check.waves;

  /**
   * What the positions are: a key, the verdict that it deserves and the numbers to tell.
   * @typedef {{key: string, standing: string, numbers: Record<string, number>}} Order
   */
  /** @typedef {(positions: Float64Array) => Readonly<Order> | null} Describe */

  const MOST = 0.9;
  const PLACES = 6; // decimals to which steps are compared

  /** @param {string} key @param {string} standing @param {Record<string, number>} numbers @returns {Readonly<Order>} */
  function orderAs(key, standing, numbers) {
    return Object.freeze({ key, standing, numbers: Object.freeze(numbers) });
  }

  /**
   * The waves that tell, slowest first. One so slow that `error` in its angle leaves the next one's turn in doubt is
   * passed over. Of more than `most` only some are followed, evenly chosen, with the first and the last.
   * @param {Float64Array} omega
   * @param {number} error
   * @param {number} [most]
   * @returns {number[]}
   */
  function slowToFast(omega, error, most = Infinity) {
    const all = argsort(omega).filter((index) => omega[index] > STILL);
    const order = all.length > most ? spread(all.length, most).map((place) => all[place]) : all;
    let first = 0;
    while (first + 1 < order.length && (error / omega[order[first]]) * omega[order[first + 1]] > 1) {
      first += 1;
    }
    return order.slice(first);
  }

  /**
   * The position of each row from its phases, slowest wave first: each faster one makes it finer.
   * @param {Float64Array[]} theta
   * @param {Float64Array} omega
   * @param {number} error
   * @returns {Float64Array}
   */
  function recovered(theta, omega, error) {
    const [slowest, ...faster] = slowToFast(omega, error);
    return Float64Array.from(theta, (angles) => {
      if (slowest === undefined) {
        return 0;
      }
      let position = angles[slowest] / omega[slowest];
      for (const index of faster) {
        position += wrap(angles[index] - omega[index] * position) / omega[index];
      }
      return position;
    });
  }

  /**
   * The first description that the positions fit; any others are irregular, which is all that can be said.
   * @param {Float64Array} found
   * @param {number} fine
   * @returns {Readonly<Order>}
   */
  function orderOf(found, fine) {
    const near = Math.max(fine, 1e-6);
    const positions = found.map((position) => (Math.abs(position - rint(position)) <= near ? rint(position) : position));
    for (const describe of DESCRIPTIONS) {
      const order = describe(positions);
      if (order) {
        return order;
      }
    }
    const least = positions.reduce((one, other) => Math.min(one, other));
    const most = positions.reduce((one, other) => Math.max(one, other));
    return orderAs("irregular-positions", "oddity", { least, most });
  }

  /** @param {Float64Array} values */
  function short(values) {
    return values.map((value) => decimal(value, PLACES));
  }

  /** Whether all steps are the same, and there is one. @param {Float64Array} positions */
  function even(positions) {
    return unique(short(diff(positions))).length === 1;
  }

  /** @param {Float64Array} one @param {Float64Array} other */
  function close(one, other) {
    return one.every((value, i) => Math.abs(value - other[i]) <= 1e-6 + 1e-5 * Math.abs(other[i]));
  }

  /** The first row that stands still, 0 if none does. @param {Float64Array} positions */
  function held(positions) {
    return Math.max(diff(positions).indexOf(0), 0);
  }

  /**
   * Start and step that most rows keep: the most frequent step, then the most frequent start.
   * @param {Float64Array} positions
   * @returns {[number, number]}
   */
  function line(positions) {
    const steps = short(diff(positions));
    const moving = steps.filter((step) => step !== 0);
    const step = steps.length ? mostFrequent(moving.length ? moving : steps) : 0;
    return [mostFrequent(short(positions.map((position, row) => position - step * row))), step];
  }

  /** @param {Float64Array} values */
  function mostFrequent(values) {
    const { kinds, often } = counted(values);
    return kinds[argmax(often)];
  }

  /** @type {Describe} */
  function clamped(positions) {
    const n = positions.length;
    const last = positions[n - 1];
    let run = 0;
    while (run < n && positions[n - 1 - run] === last) {
      run += 1;
    }
    const body = positions.subarray(0, n - run + 1);
    return run < 2 || body.length < 2 || !even(body)
      ? null
      : orderAs("clamped", "rejected", { row: n - run, position: last });
  }

  /** @param {"bfloat16" | "float16"} kind @returns {Describe} */
  function heldIn(kind) {
    return (positions) => {
      if (positions.some((position) => position !== rint(position)) || !diff(positions).includes(0)) {
        return null;
      }
      const first = Math.trunc(positions[0]);
      for (let start = first - 8; start <= first + 8; start += 1) {
        const line = rounded(positions.map((_, row) => start + row), kind);
        if (line.every((position, row) => position === positions[row])) {
          const row = held(positions);
          return orderAs(`positions-${kind}`, "rejected", { start, row: row + 1, position: positions[row] });
        }
      }
      return null;
    };
  }

  /**
   * Counted anew after some rows.
   * @type {Describe}
   */
  function reset(positions) {
    const length = diff(positions).findIndex((step) => step < 0) + 1;
    if (length < 2 || !even(positions.subarray(0, length))) {
      return null;
    }
    const again = positions.map((_, row) => positions[row % length]);
    return close(again, positions) ? orderAs("restarted", "rejected", { row: length }) : null;
  }

  /** @type {Describe} */
  function repeated(positions) {
    const times = diff(positions).findIndex((step) => step !== 0) + 1;
    if (times < 2) {
      return null;
    }
    const kept = positions.filter((_, row) => row % times === 0);
    return even(kept) && positions.every((position, row) => position === kept[Math.floor(row / times)])
      ? orderAs("repeated-rows", "rejected", { times })
      : null;
  }

  /** @type {Describe} */
  function misplaced(positions) {
    const [start, step] = line(positions);
    const wrong = [...positions.keys()].filter((row) => Math.abs(positions[row] - start - step * row) > 1e-3);
    if (step === 0 || !wrong.length || wrong.length > (1 - MOST) * positions.length + 2) {
      return null;
    }
    const row = wrong[0];
    const numbers = { count: wrong.length, row, position: positions[row], expected: start + step * row };
    return orderAs("misplaced-rows", "rejected", numbers);
  }

  /**
   * One step is another than all others: rows are missing, or stand twice.
   * @type {Describe}
   */
  function jump(positions) {
    const steps = short(diff(positions));
    const { kinds, often } = counted(steps);
    if (kinds.length !== 2 || Math.min(...often) !== 1 || steps.length < 4) {
      return null;
    }
    const row = steps.indexOf(kinds[argmin(often)]) + 1;
    return orderAs("jump", "rejected", { row, position: positions[row], before: positions[row - 1] });
  }

  /** @type {Describe} */
  function shuffled(positions) {
    const steps = diff(Float64Array.from(positions).sort());
    return steps.length && close(steps, steps.map(() => steps[0])) && steps[0] > 0
      ? orderAs("shuffled-rows", "rejected", { first: positions[0], second: positions[1] })
      : null;
  }

  /**
   * Whole positions that stand more than once, unevenly.
   * @type {Describe}
   */
  function quantised(positions) {
    if (positions.some((position) => position !== rint(position)) || unique(positions).length === positions.length) {
      return null;
    }
    const row = held(positions);
    return orderAs("repeated-positions", "rejected", { row: row + 1, position: positions[row] });
  }

  /** @type {readonly Describe[]} */
  const DESCRIPTIONS = Object.freeze([
    clamped,
    heldIn("bfloat16"),
    heldIn("float16"),
    reset,
    jump,
    repeated,
    misplaced,
    shuffled,
    quantised,
  ]);

  posenc.check.positions = Object.freeze({ MOST, slowToFast, recovered, orderOf });
})();
