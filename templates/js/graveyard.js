/**
 * The numbers that refute the graveyard's claims at a width, a base and two positions, as they are written.
 *
 * Mirrors posenc/graveyard.py and posenc/web/windows/graveyard.py, claim for claim, for the claims whose numbers depend
 * on the table; touches no page.
 */
(function () {
  "use strict";

  /** @typedef {{d_model: number, n_positions: number, base: number, tolerance: number}} Config */
  /** @typedef {{words: Record<string, string>, refuted: boolean}} Grave */

  /**
   * @typedef {object} Chosen what the build chose for the counter-examples, in the page's data
   * @property {number} rows whose closest two are looked for
   * @property {number[]} bases
   * @property {number} base the paper's
   * @property {number} far
   * @property {number} reach
   * @property {number} seen
   */

  const DEGREES = 180 / Math.PI;

  /**
   * @param {Float64Array} values
   * @param {(value: number) => number} of
   */
  const sum = (values, of) => values.reduce((total, value) => total + of(value), 0);

  /** @param {Float64Array} values */
  const last = (values) => values[values.length - 1];

  /** @param {Float64Array | number[]} row */
  const norm = (row) => Math.sqrt(row.reduce((total, value) => total + value * value, 0));

  /**
   * Of two rows k apart: D(k)² = Σ 4 sin²(ω_i k / 2).
   * @param {Float64Array} omega
   * @param {number} k
   */
  const distance = (omega, k) => Math.sqrt(sum(omega, (frequency) => 4 * Math.sin((frequency * k) / 2) ** 2));

  /**
   * The closest two of so many rows, at a width and base.
   * @param {number} rows
   * @param {number} dModel
   * @param {number} base
   */
  function closest(rows, dModel, base) {
    const omega = globalThis.posenc.engine.frequencies(dModel, base);
    let least = Infinity;
    for (let k = 1; k < rows; k += 1) {
      least = Math.min(least, distance(omega, k));
    }
    return least;
  }

  /**
   * The first offset that a later one outdoes, and the farthest that does.
   * @param {Float64Array} omega
   * @param {Chosen} chosen
   */
  function decay(omega, { reach, seen }) {
    const alike = Array.from({ length: reach }, (_, k) => sum(omega, (w) => Math.cos((k + 1) * w)) / omega.length);
    const later = [...alike];
    for (let k = reach - 2; k >= 0; k -= 1) {
      later[k] = Math.max(later[k], later[k + 1]);
    }
    const near = alike.findIndex((value, k) => k + 1 < reach && later[k + 1] >= value + seen);
    const ends = near < 0 ? [0, reach - 1] : [near, alike.findLastIndex((value) => value >= alike[near] + seen)];
    return { refuted: near >= 0, offsets: ends.map((k) => k + 1), likeness: ends.map((k) => alike[k]) };
  }

  /**
   * Every claim, in the order of the graves.
   * @param {Config} config
   * @param {number[]} probes
   * @param {Chosen} chosen
   * @returns {Record<string, Grave>}
   */
  function graves(config, probes, chosen) {
    const { engine, faults, format } = globalThis.posenc;
    const { count, fixed, measured, plain } = format;
    const { d_model: width, base, n_positions: rows, tolerance } = config;
    const omega = engine.frequencies(width, base);
    const [a, b] = probes;
    const [slowest, fewest] = [Math.min(...omega), Math.sqrt(width / 2)];

    const first = omega[0] * DEGREES;
    const one = norm(faults.rows.cosine(1, config));
    const apart = Math.pow(base, -2 / width) * DEGREES;
    const [longest, limit] = [(2 * Math.PI) / slowest, 2 * Math.PI * base];
    const [far, two] = [distance(omega, chosen.far), closest(chosen.rows, width, chosen.bases[0])];
    const likeness = decay(omega, chosen);
    const [end, ahead] = [rows - 1, 10 * rows];
    const margins = chosen.bases.map((other) => closest(chosen.rows, width, other));
    const best = margins.findIndex((margin) => margin > Math.max(...margins) - chosen.seen);
    const own = margins[chosen.bases.indexOf(chosen.base)];
    const k = b - a;
    const turns = [omega[0], last(omega)].map((frequency) => modulo(k * frequency * DEGREES, 360));
    const [at, to] = engine.encode(probes, width, base);
    const sums = [at, to].map((row) => norm(row.map((value) => 1 + value)));
    const word = Math.sqrt(width);
    const orders = [[at, to], probes.map((probe) => faults.rows.halves(probe, config))].map(([from, onto]) =>
      from.reduce((total, value, column) => total + value * onto[column], 0),
    );

    return {
      slow: {
        words: { first: measured(first), last: measured(last(omega) * DEGREES) },
        refuted: last(omega) < omega[0],
      },
      cosine: {
        words: { length: measured(one), true: measured(fewest) },
        refuted: Math.abs(one - fewest) > tolerance,
      },
      column: {
        words: { sine: measured(DEGREES), cosine: measured(apart) },
        refuted: Math.abs(DEGREES - apart) > tolerance,
      },
      limit: {
        words: { longest: measured(longest), limit: measured(limit) },
        refuted: longest < limit * (1 - tolerance),
      },
      unique: { words: { far: measured(far), two: measured(two) }, refuted: Math.min(far, two) > tolerance },
      decay: {
        words: {
          near: count(likeness.offsets[0]),
          "near-likeness": fixed(likeness.likeness[0], 3),
          far: count(likeness.offsets[1]),
          "far-likeness": fixed(likeness.likeness[1], 3),
        },
        refuted: likeness.refuted,
      },
      length: {
        words: {
          last: count(end),
          seen: measured(end * slowest * DEGREES),
          later: count(ahead),
          ahead: measured(ahead * slowest * DEGREES),
        },
        refuted: ahead * slowest * DEGREES < 360,
      },
      search: {
        words: { best: plain(chosen.bases[best]), apart: measured(margins[best]), own: measured(own) },
        refuted: margins[best] > own,
      },
      angle: {
        words: { k: count(k), first: measured(turns[0]), last: measured(turns[1]) },
        refuted: Math.abs(turns[0] - turns[1]) > tolerance,
      },
      rotates: {
        words: {
          width: count(width),
          word: measured(word),
          a: count(a),
          "at-a": measured(sums[0]),
          b: count(b),
          "at-b": measured(sums[1]),
        },
        refuted: Math.max(...sums.map((length) => Math.abs(length - word))) > tolerance,
      },
      halves: {
        words: { a: count(a), b: count(b), paired: measured(orders[0]), halved: measured(orders[1]) },
        refuted: Math.abs(orders[0] - orders[1]) <= tolerance,
      },
    };
  }

  /**
   * Not below zero, as Python's %.
   * @param {number} value
   * @param {number} divisor
   */
  const modulo = (value, divisor) => ((value % divisor) + divisor) % divisor;

  /**
   * Every number by the key of the places that show it.
   * @param {Config} config
   * @param {number[]} probes two positions
   * @param {Chosen} chosen
   * @returns {Record<string, string>}
   */
  function graveyard(config, probes, chosen) {
    const found = Object.entries(graves(config, probes, chosen));
    const named = ([name, { words }]) => Object.entries(words).map(([what, text]) => [`grave.${name}-${what}`, text]);
    return Object.fromEntries(found.flatMap(named));
  }

  /**
   * The claims that these numbers do not refute.
   * @param {Config} config
   * @param {number[]} probes
   * @param {Chosen} chosen
   * @returns {string[]}
   */
  graveyard.standing = (config, probes, chosen) =>
    Object.entries(graves(config, probes, chosen))
      .filter(([, { refuted }]) => !refuted)
      .map(([name]) => name);

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.graveyard = graveyard;
})();
