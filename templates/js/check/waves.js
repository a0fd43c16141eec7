/**
 * Columns as waves: which belong together, and how fast and from where each pair turns.
 *
 * Two columns are sine and cosine of one wave when their squares add to a constant. The pair is then a point on a
 * circle, and its phase θ_r = atan2(sine, cosine) grows by the same δ (mod 2π) from row to row: θ_r = φ + δ·r. No fit
 * of a matrix anywhere: δ is the median of wrapped differences, refined over ever longer lags.
 * Mirrors posenc/check/waves.py.
 */
(function () {
  "use strict";

  const { TURN, argsort, column, mean, median, range, spaced, wrap } = posenc.check.numbers;

  /** @typedef {Float64Array[]} Table */
  /**
   * Where sines and cosines stand; `alone` is a column of sines without a partner, or null.
   * @typedef {{key: string, sines: number[], cosines: number[], alone: number | null}} Layout
   */
  /**
   * Amplitude, step δ and first phase φ of each pair; `steady` is the least share of rows at which a pair keeps them,
   * `circular` the least share of rows at which a pair keeps its amplitude.
   * @typedef {{layout: Layout, amplitude: Float64Array, step: Float64Array, phase: Float64Array, steady: number,
   *   circular: number}} Waves
   */

  /** Share of rows at which every pair must lie on its circle, in equal steps, to be tried at all. */
  const ROUND = 0.7;

  /** Radians per position below which a wave tells nothing. */
  const STILL = 1e-15;

  const MEASURED = 192; // rows on which waves are measured
  const [CELLS, LEAST] = [2 ** 15, 48]; // phases that are followed at a time, and of how many rows at least
  const COARSE = 1e-3; // radians by which a phase may leave its line: more than any format's rounding, less than any slip
  const SAMPLED = 24; // rows by which columns are paired
  const HALF = 0.5;
  const FEW = 8; // partners looked at for each column
  const ROUNDS = 64; // and how often

  /**
   * @param {string} key
   * @param {number[]} sines
   * @param {number[]} cosines
   * @param {number | null} [alone]
   * @returns {Readonly<Layout>}
   */
  function layoutOf(key, sines, cosines, alone = null) {
    return Object.freeze({ key, sines, cosines, alone });
  }

  /** The same pairs read the other way round. @param {Layout} layout @param {string} key */
  function turned(layout, key) {
    return layoutOf(key, layout.cosines, layout.sines, layout.alone);
  }

  /** The same pairs in another order. @param {Layout} layout @param {number[]} order */
  function ordered(layout, order) {
    const { key, sines, cosines, alone } = layout;
    return layoutOf(key, order.map((i) => sines[i]), order.map((i) => cosines[i]), alone);
  }

  /**
   * The four usual orders of columns, each before its turned one; with an odd width the last sine stands alone.
   * @param {number} width
   * @returns {Layout[]}
   */
  function layouts(width) {
    const pairs = Math.floor(width / 2);
    const odd = width % 2;
    const rungs = range(pairs);
    const interleaved = layoutOf(
      "interleaved",
      rungs.map((i) => 2 * i),
      rungs.map((i) => 2 * i + 1),
      odd ? width - 1 : null,
    );
    const found = [interleaved, turned(interleaved, "cos-first")];
    if (width > 2) {
      const halves = layoutOf("halves", rungs, rungs.map((i) => pairs + odd + i), odd ? pairs : null);
      found.push(halves, turned(halves, "cos-halves"));
    }
    return found;
  }

  /**
   * The least share of rows, over all pairs, whose squares add to the pair's own constant.
   * @param {Table} table
   * @param {Layout} layout
   * @param {number} tolerance
   */
  function circular(table, layout, tolerance) {
    if (!layout.sines.length || !table.length) {
      return 0;
    }
    let least = 1;
    for (let i = 0; i < layout.sines.length; i += 1) {
      const squares = summedSquares(table, layout, i);
      const middle = median(squares);
      const slack = 4 * tolerance * Math.sqrt(middle) + 4 * tolerance ** 2;
      if (!(middle > slack)) {
        return 0;
      }
      least = Math.min(least, share(squares, (square) => Math.abs(square - middle) <= slack));
    }
    return least;
  }

  /** sine² + cosine² of one pair. @param {Table} table @param {Layout} layout @param {number} pair */
  function summedSquares(table, layout, pair) {
    const sine = layout.sines[pair];
    const cosine = layout.cosines[pair];
    const squares = new Float64Array(table.length);
    for (let i = 0; i < squares.length; i += 1) {
      const row = table[i];
      squares[i] = row[sine] * row[sine] + row[cosine] * row[cosine];
    }
    return squares;
  }

  /** The share of values that are so. @param {Float64Array} values @param {(value: number) => boolean} so */
  function share(values, so) {
    let count = 0;
    for (let i = 0; i < values.length; i += 1) {
      count += so(values[i]) ? 1 : 0;
    }
    return count / values.length;
  }

  /**
   * The same pairs, fastest first, each so turned that it steps upwards (or downwards); one that hardly steps has its
   * cosine where the values are larger.
   * @param {Waves} measured
   * @param {Table} table
   * @param {number} tolerance
   * @param {boolean} downwards
   */
  function oriented(measured, table, tolerance, downwards) {
    const order = argsort(measured.step.map((step) => -Math.abs(step)));
    const sorted = ordered(measured.layout, order);
    const size = median(measured.amplitude);
    const swap = order.map((from, i) => {
      const step = measured.step[from];
      if (Math.abs(step) * table.length * size < 8 * tolerance + COARSE) {
        return meanSize(table, sorted.sines[i]) > meanSize(table, sorted.cosines[i]);
      }
      return downwards ? step > 0 : step < 0;
    });
    const { sines, cosines, alone } = sorted;
    return layoutOf(
      "permuted",
      sines.map((sine, i) => (swap[i] ? cosines[i] : sine)),
      cosines.map((cosine, i) => (swap[i] ? sines[i] : cosine)),
      alone,
    );
  }

  /** @param {Table} table @param {number} place */
  function meanSize(table, place) {
    return mean(column(table, place).map(Math.abs));
  }

  /**
   * Pairs in any order of columns: two belong together when their squares add to the same constant everywhere.
   *
   * Over all cells of an encoding the mean of the squares is half that constant. The best partners are taken first.
   * Which of two is the sine is not known yet.
   * @param {Table} table
   * @param {number} tolerance
   * @returns {Layout | null}
   */
  function matched(table, tolerance) {
    const width = table[0].length;
    if (width < 4 || table.length < 4) {
      return null;
    }
    const chosen = spaced(table.length, SAMPLED);
    const squares = range(width).map((place) => column(table, place, chosen).map((value) => value * value));
    if (lonely(squares, tolerance)) {
      return null;
    }
    const constant =
      width % 2 === 0 ? 2 * mean(squares.map(mean)) : Math.max(...squares.map((values) => Math.max(...values)));
    const partners = partnersOf(squares.map((values) => values.map((square) => square - constant / 2)));
    if (partners.length < Math.floor(width / 2)) {
      return null;
    }
    const taken = new Set(partners.flat());
    const left = range(width).filter((place) => !taken.has(place));
    return layoutOf(
      "permuted",
      partners.map(([one]) => one),
      partners.map(([, other]) => other),
      left.length ? left[0] : null,
    );
  }

  /**
   * Whether two of the first columns keep to a circle with no other column, not even at half of the rows.
   * @param {Float64Array[]} squares by column
   * @param {number} tolerance
   */
  function lonely(squares, tolerance) {
    const near = (/** @type {Float64Array} */ one, /** @type {Float64Array} */ other) => {
      const sums = one.map((square, row) => square + other[row]);
      const middle = median(sums);
      const slack = 4 * tolerance * Math.sqrt(middle) + 4 * tolerance ** 2;
      return middle > slack && share(sums, (sum) => Math.abs(sum - middle) <= slack) >= HALF;
    };
    const alone = squares.slice(0, FEW).filter((one) => !squares.some((other) => other !== one && near(one, other)));
    return alone.length > 1;
  }

  /**
   * Pairs by how well they cancel, each column once; who finds all its nearest taken looks again among the rest.
   * @param {Float64Array[]} squares by column
   * @returns {[number, number][]}
   */
  function partnersOf(squares) {
    let left = range(squares.length);
    /** @type {[number, number][]} */
    const pairs = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      /** @type {Set<number>} */
      const taken = new Set();
      for (const { one, other } of nearest(left.map((place) => squares[place]))) {
        if (!taken.has(one) && !taken.has(other)) {
          taken.add(one).add(other);
          pairs.push([left[one], left[other]]);
        }
      }
      left = left.filter((_, i) => !taken.has(i));
      if (left.length < 2) {
        return pairs;
      }
    }
    for (let i = 0; i + 1 < left.length; i += 2) {
      pairs.push([left[i], left[i + 1]]);
    }
    return pairs;
  }

  /**
   * Each column with the few that cancel it best, the best of all first.
   * @param {Float64Array[]} squares by column
   */
  function nearest(squares) {
    const width = squares.length;
    const few = Math.min(FEW, width - 1);
    const sizes = squares.map((values) => dot(values, values));
    /** @type {Map<number, {cost: number, one: number, other: number}>} */
    const found = new Map();
    const costs = new Float64Array(few);
    const places = new Int32Array(few);
    for (let i = 0; i < width; i += 1) {
      let held = 0;
      for (let j = 0; j < width; j += 1) {
        const apart = i === j ? Infinity : sizes[i] + sizes[j] + 2 * dot(squares[i], squares[j]);
        if (i === j || (held === few && !(apart < costs[few - 1]))) {
          continue;
        }
        held = Math.min(held + 1, few);
        let at = held - 1;
        for (; at > 0 && costs[at - 1] > apart; at -= 1) {
          costs[at] = costs[at - 1];
          places[at] = places[at - 1];
        }
        costs[at] = apart;
        places[at] = j;
      }
      for (const j of places) {
        const [one, other] = i < j ? [i, j] : [j, i];
        found.set(one * width + other, { cost: cancelled(squares[i], squares[j]), one, other });
      }
    }
    return [...found.values()].sort((a, b) => a.cost - b.cost || a.one - b.one || a.other - b.other);
  }

  /** @param {Float64Array} one @param {Float64Array} other */
  function dot(one, other) {
    let sum = 0;
    for (let i = 0; i < one.length; i += 1) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  /** What two columns leave of each other. @param {Float64Array} one @param {Float64Array} other */
  function cancelled(one, other) {
    let sum = 0;
    for (let i = 0; i < one.length; i += 1) {
      sum += (one[i] + other[i]) ** 2;
    }
    return sum;
  }

  /**
   * Amplitudes and phases of all pairs, measured on rows without a gap, row `first` and on; φ is that at row 0.
   * null if the pairs of this layout do not stay on circles.
   * @param {Table} table
   * @param {Layout} layout
   * @param {number} tolerance
   * @param {number} first
   * @returns {Readonly<Waves> | null}
   */
  function waves(table, layout, tolerance, first) {
    const some = spread(table.length);
    const chosen = some.map((row) => table[row]);
    const roundShare = circular(chosen, layout, tolerance);
    if (roundShare < ROUND) {
      return null;
    }
    const pairs = layout.sines.length;
    const amplitude = new Float64Array(pairs);
    const step = new Float64Array(pairs);
    const phase = new Float64Array(pairs);
    const followed = Math.max(Math.min(MEASURED, Math.floor(CELLS / Math.max(pairs, 1))), LEAST);
    let steady = 1;
    for (let i = 0; i < pairs; i += 1) {
      amplitude[i] = Math.sqrt(median(summedSquares(chosen, layout, i)));
      const theta = phasesOf(table, layout.sines[i], layout.cosines[i]);
      const each = stepOf(theta, followed);
      const straight = Float64Array.from(some, (row) => theta[row] - each * row);
      const middle = meanAngle(straight);
      const rest = straight.map((angle) => wrap(angle - middle));
      const offset = median(rest);
      const allowed = 4 * tolerance + COARSE * amplitude[i];
      const size = amplitude[i];
      steady = Math.min(steady, share(rest, (angle) => Math.abs(wrap(angle - offset)) * size <= allowed));
      step[i] = wrap(each);
      phase[i] = wrap(middle + offset - each * first);
    }
    return Object.freeze({ layout, amplitude, step, phase, steady, circular: roundShare });
  }

  /** θ of one pair at every row. @param {Table} table @param {number} sine @param {number} cosine */
  function phasesOf(table, sine, cosine) {
    const theta = new Float64Array(table.length);
    for (let i = 0; i < theta.length; i += 1) {
      theta[i] = Math.atan2(table[i][sine], table[i][cosine]);
    }
    return theta;
  }

  /** @type {Map<string, number[]>} */
  const spreads = new Map();

  /** At most so many rows of n, evenly spread. @param {number} n @param {number} [most] */
  function spread(n, most = MEASURED) {
    const key = `${n} ${most}`;
    const rows = spreads.get(key) ?? spaced(n, most);
    spreads.set(key, rows);
    return rows;
  }

  /** The same waves with sine and cosine changing places: θ becomes π/2 − θ. @param {Waves} waves @param {string} key */
  function readOtherWay(waves, key) {
    return Object.freeze({
      ...waves,
      layout: turned(waves.layout, key),
      step: waves.step.map((step) => -step),
      phase: waves.phase.map((phase) => wrap(Math.PI / 2 - phase)),
    });
  }

  /**
   * The same waves in another order of the same pairs, some of them with sine and cosine changing places.
   * @param {Waves} measured
   * @param {Layout} layout
   * @returns {Readonly<Waves>}
   */
  function readAs(measured, layout) {
    const { sines, cosines } = measured.layout;
    const place = new Map([...sines.entries(), ...cosines.entries()].map(([pair, at]) => [at, pair]));
    const order = layout.sines.map((at) => /** @type {number} */ (place.get(at)));
    const turned = layout.sines.map((at, i) => at !== sines[order[i]]);
    const step = Float64Array.from(order, (pair, i) => (turned[i] ? -1 : 1) * measured.step[pair]);
    const phase = Float64Array.from(order, (pair, i) =>
      turned[i] ? wrap(Math.PI / 2 - measured.phase[pair]) : measured.phase[pair],
    );
    const amplitude = Float64Array.from(order, (pair) => measured.amplitude[pair]);
    return Object.freeze({ ...measured, layout, amplitude, step, phase });
  }

  /** The direction of the mean of points on a circle. @param {Float64Array} angles */
  function meanAngle(angles) {
    let sine = 0;
    let cosine = 0;
    for (let i = 0; i < angles.length; i += 1) {
      sine += Math.sin(angles[i]);
      cosine += Math.cos(angles[i]);
    }
    return Math.atan2(sine / angles.length, cosine / angles.length);
  }

  /**
   * δ of a pair: from row to row, then over 2, 4, 8 … rows, each time so much finer.
   * @param {Float64Array} theta
   * @param {number} most rows that are looked at
   */
  function stepOf(theta, most) {
    const n = theta.length;
    let step = 0;
    for (let lag = 1; lag <= Math.max(Math.floor(n / 2), 1) && lag < n; lag *= 2) {
      const early = spread(n - lag, most);
      const rest = new Float64Array(early.length);
      for (let i = 0; i < early.length; i += 1) {
        rest[i] = theta[early[i] + lag] - theta[early[i]] - lag * step;
      }
      const middle = meanAngle(rest);
      step += (middle + median(rest.map((angle) => wrap(angle - middle)))) / lag;
    }
    return step;
  }

  posenc.check.waves = Object.freeze({
    TURN,
    ROUND,
    STILL,
    layoutOf,
    turned,
    ordered,
    layouts,
    circular,
    oriented,
    matched,
    waves,
    spread,
    phasesOf,
    readAs,
    readOtherWay,
    wrap,
  });
})();
