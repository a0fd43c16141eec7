/**
 * What remains when no model makes the table: bugs of another make, wrong parts, drift, added words, or nothing.
 *
 * Mirrors posenc/check/remains.py; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { median, picked } = check.numbers;
  const { note, diagnosis, replaced } = check.diagnosis;
  const { facts, apartFrom, shareWithin, farthest, counts } = check.reading;

  /** Bugs that are less than certain: the transpose is not taken for one of these. */
  const GUESSES = Object.freeze([
    "under-words",
    "wrong-rows",
    "wrong-columns",
    "edited-cells",
    "unknown-ladder",
    "not-finite",
  ]);

  const STARTS = [0, 1, 2];
  const DRIFT = 0.05; // the root of the mean squared difference up to which a table is called a drifted one
  const MATCHING = 0.9;
  const PARTLY = 0.5;
  const FEWEST_DROPPED = 0.02;
  const PREFILTER = 8; // rows compared first, of wide tables half as many
  const WIDE = 128;
  const SAMPLED = 2 ** 16; // cells
  const [SURE, FAIRLY] = [5, 3]; // standard errors
  const ALIKE = 1 + 1e-9; // sums of squares that differ by less are the same

  /** @typedef {Float64Array[]} Table */
  /** @typedef {import("./reading.js").Case} Case */
  /** @typedef {{key: string, model: any}} Known a known table of the same size: its name, and how it is made */
  /** @typedef {{known: Known, rows: Table}} Beside a known table at the sampled rows */
  /** @typedef {{table: Table, known: Beside[]}} Sample at most 192 rows of the table, fewer of wide ones, beside the same rows of all known tables */

  /**
   * @param {Known} known
   * @param {Float64Array} rows
   * @param {number} columns
   * @returns {Table}
   */
  function rowsOf(known, rows, columns) {
    return check.models.predicted(known.model, rows, columns);
  }

  /**
   * The named conventions at the first starts, on the first base.
   * @param {Case} given
   * @returns {Generator<Known, void, void>}
   */
  function* knownTables(given) {
    const width = given.table[0].length;
    const base = given.bases[0].value;
    const all = check.waves.layouts(width);
    for (const convention of check.conventions.CONVENTIONS) {
      const layout = all.find((/** @type {any} */ each) => each.key === convention.layout);
      if (convention.padded || convention.unit || !layout || !layout.sines.length) {
        continue;
      }
      const ladder = check.ladders.KNOWN.find((/** @type {any} */ each) => each.key === convention.ladder);
      const omega = ladder.omega(layout.sines.length + (layout.alone === null ? 0 : 1), width, base);
      const plain = { amplitudes: null, offsets: null, positions: null };
      for (const start of STARTS) {
        const model = Object.freeze({ layout, ladder, base, width, omega, scale: 1, start, step: 1, ...plain });
        yield { key: convention.key, model };
      }
    }
  }

  /** @type {WeakMap<Case, Sample>} */
  const samples = new WeakMap();

  /**
   * Each case is sampled once.
   * @param {Case} given
   * @returns {Sample}
   */
  function sampleOf(given) {
    const made = samples.get(given) || sampled(given);
    samples.set(given, made);
    return made;
  }

  /** @param {Case} given */
  function sampled(given) {
    /** @type {number[]} */
    const columns = given.table[0].length;
    const rows = check.waves.spread(given.table.length, Math.min(192, Math.max(Math.floor(SAMPLED / columns), 32)));
    const places = Float64Array.from(rows);
    const known = [...knownTables(given)].map((each) => ({ known: each, rows: rowsOf(each, places, columns) }));
    return { table: rows.map((row) => given.table[row]), known };
  }

  /** The nearest known table; of tables that rounding alone tells apart the first. @param {Sample} sample */
  function closest({ table, known }) {
    const squares = known.map((beside) => squaresOf(table, beside.rows));
    const least = Math.min(...squares) * ALIKE;
    return known[Math.max(squares.findIndex((sum) => sum <= least), 0)];
  }

  /**
   * @param {Table} table
   * @param {Table} other
   */
  function squaresOf(table, other) {
    let sum = 0;
    for (let r = 0; r < table.length; r += 1) {
      const [one, two] = [table[r], other[r]];
      for (let c = 0; c < one.length; c += 1) {
        sum += (one[c] - two[c]) ** 2;
      }
    }
    return sum;
  }

  /**
   * @param {Case} given
   * @param {Known} known
   */
  function whole(given, known) {
    return rowsOf(known, upTo(given.table.length), given.table[0].length);
  }

  /** @param {number} n */
  function upTo(n) {
    return Float64Array.from({ length: n }, (_, row) => row);
  }

  // ---- NaN and ∞ ----

  /**
   * NaN and ∞. Which columns they fill tells the bug; the rows without any tell the rest.
   * @param {Case} given
   * @param {(given: Case) => Generator<any, any, void>} judged
   */
  function* notFinite(given, judged) {
    const { table } = given;
    const width = table[0].length;
    const bad = new Int32Array(width);
    /** @type {number[]} */
    const rest = [];
    let [count, row, column] = [0, 0, 0];
    table.forEach((values, r) => {
      const before = count;
      values.forEach((value, c) => {
        if (!Number.isFinite(value)) {
          [row, column] = count ? [row, column] : [r, c];
          count += 1;
          bad[c] += 1;
        }
      });
      if (count === before) {
        rest.push(r);
      }
    });
    const key = keyOf(bad, table.length, table.every((values) => values.every(Number.isNaN)));
    const bug = note(key, { count, row, column }, "rejected");
    yield;
    const invariants = yield* plain(given);
    const found = diagnosis("rejected", key, facts(given), { bug, invariants });
    if (key !== "not-finite" || rest.length < 4) {
      return found;
    }
    const run = check.aside.longestRun(rest);
    const some = yield* judged(Object.freeze({ ...given, table: run.map((/** @type {number} */ r) => table[r]) }));
    const { nearest, convention } = some;
    const back = nearest && Object.freeze({ ...nearest, row: nearest.row + run[0] });
    return replaced(found, { nearest: back, convention });
  }

  /**
   * @param {Int32Array} bad how many cells of each column are not finite
   * @param {number} height
   * @param {boolean} nothing is there no cell but NaN?
   */
  function keyOf(bad, height, nothing) {
    const full = bad.filter((count) => count === height).length;
    const clean = bad.filter((count) => count === 0).length;
    const left = bad.length - full;
    if (bad.length === 2 && nothing) {
      return "one-pair-divides";
    }
    if (left > 0 && left <= 2 && full >= 2 && clean === left) {
      return "negative-base";
    }
    return left === 0 ? "all-not-finite" : "not-finite";
  }

  // ---- made bugs, and one row ----

  /**
   * The diagnosis if the bug makes this table.
   * @param {Case} given
   * @param {{key: string, make: (positions: Float64Array, columns: number, base: number) => Table}} bug
   */
  function* madeBy(given, bug) {
    const { table } = given;
    const [height, width] = [table.length, table[0].length];
    if (width < 2 || height < 2) {
      return null;
    }
    const few = upTo(Math.min(height, width <= WIDE ? PREFILTER : PREFILTER / 2));
    const someRows = table.slice(0, few.length);
    for (const base of given.bases.slice(0, 2)) {
      for (const start of STARTS) {
        const at = (/** @type {number} */ row) => row + start;
        const some = bug.make(few.map(at), width, base.value);
        if (some[0].length !== width || share(someRows, some, given.tolerance) < PARTLY) {
          continue;
        }
        const made = bug.make(upTo(height).map(at), width, base.value);
        if (share(table, made, computed(given, height)) >= MATCHING) {
          const told = note(bug.key, { base: base.value, start }, "rejected");
          return yield* againstNearest(given, diagnosis("rejected", bug.key, facts(given), { bug: told }));
        }
      }
    }
    return null;
  }

  /**
   * @param {Case} given
   * @param {number} height
   */
  function computed(given, height) {
    return given.tolerance + given.stored.phase * height;
  }

  /**
   * The conventions that make this one row.
   * @param {Case} given
   */
  function* singleRow(given) {
    const fits = [...knownTables(given)].filter((known) => share(whole(given, known), given.table, given.tolerance) === 1);
    if (!fits.length) {
      return null;
    }
    const [{ key }] = fits;
    const others = [...new Set(fits.map((known) => known.key))].filter((other) => other !== key);
    const ambiguities = [
      note("few-rows", { rows: 1 }),
      ...others.map((convention) => note("other-convention", { convention })),
    ];
    return yield* againstNearest(given, diagnosis("accepted", key, facts(given), { ambiguities }));
  }

  // ---- what remains ----

  /**
   * Wrong parts of a known table, a drifted one, one with words added, circles on no ladder; else nothing known.
   * @param {Case} given
   */
  function* whatRemains(given) {
    const foreign = "not a sinusoidal encoding";
    if (given.table[0].length < 2) {
      const told = note("one-column", {}, "rejected");
      return diagnosis(foreign, told.key, facts(given), { notes: [told] });
    }
    for (const one of [wrongPartsOf, underWords, unknownLadder]) {
      const found = one(given);
      yield;
      if (found) {
        return yield* againstNearest(given, found);
      }
    }
    const cells = given.table.length * given.table[0].length;
    const mean = sumOf(given.table, (value) => value) / cells;
    const spread = Math.sqrt(sumOf(given.table, (value) => (value - mean) ** 2) / cells);
    const told = note("looks-learned", { mean, spread }, "rejected");
    yield;
    return yield* againstNearest(given, diagnosis(foreign, "unknown", facts(given), { notes: [told] }));
  }

  /**
   * @param {Table} table
   * @param {(value: number, row: number, column: number) => number} of
   */
  function sumOf(table, of) {
    let sum = 0;
    for (let r = 0; r < table.length; r += 1) {
      for (let c = 0; c < table[r].length; c += 1) {
        sum += of(table[r][c], r, c);
      }
    }
    return sum;
  }

  /**
   * A known table with wrong cells, rows or columns, beside the nearest.
   * @param {Case} given
   */
  function* wrongParts(given) {
    const found = wrongPartsOf(given);
    yield;
    return found && (yield* againstNearest(given, found));
  }

  /** @param {Case} given */
  function wrongPartsOf(given) {
    const sample = sampleOf(given);
    const allowed = computed(given, given.table.length);
    let best = { beside: sample.known[0], near: -1 };
    for (const beside of sample.known) {
      const near = share(sample.table, beside.rows, allowed);
      best = near > best.near ? { beside, near } : best;
    }
    if (best.near < PARTLY || trivial(sample.table, best.beside.rows, allowed)) {
      return null;
    }
    const rows = whole(given, best.beside.known);
    const apart = apartFrom(given.table, rows);
    const [row, column] = farthest(apart);
    const wrong = counts(apart, () => allowed);
    if (wrong.count === 0) {
      return null;
    }
    const numbers = {
      count: wrong.count,
      row,
      column,
      difference: apart[row][column],
      value: given.table[row][column],
      expected: rows[row][column],
      rows: wrong.rows,
      columns: wrong.columns,
    };
    const [height, width] = [apart.length, apart[0].length];
    let key = "edited-cells";
    if (wrong.count >= 0.5 * wrong.columns * height && wrong.columns < width) {
      key = "wrong-columns";
    } else if (wrong.count >= 0.5 * wrong.rows * width && wrong.rows < height) {
      key = "wrong-rows";
    }
    return diagnosis("rejected", key, facts(given), { bug: note(key, numbers, "rejected") });
  }

  /**
   * Whether only still columns agree: ones, which any table may hold.
   * @param {Table} table
   * @param {Table} known
   * @param {number} allowed
   */
  function trivial(table, known, allowed) {
    const mean = meansOf(known);
    const moving = [...mean.keys()].filter((column) => {
      const squares = known.reduce((sum, row) => sum + (row[column] - mean[column]) ** 2, 0);
      return Math.sqrt(squares / known.length) > 0.1;
    });
    const of = (/** @type {Table} */ values) => values.map((row) => picked(row, moving));
    return !moving.length || share(of(table), of(known), allowed) < PARTLY / 2;
  }

  /**
   * The mean of each column.
   * @param {Table} table
   */
  function meansOf(table) {
    const sums = new Float64Array(table[0].length);
    for (const row of table) {
      for (let c = 0; c < sums.length; c += 1) {
        sums[c] += row[c];
      }
    }
    return sums.map((sum) => sum / table.length);
  }

  /**
   * A known table with cells set to zero here and there, and the others scaled alike: dropout was applied.
   * @param {Case} given
   */
  function* dropped(given) {
    const { table } = given;
    const cells = table.length * table[0].length;
    const zero = sumOf(table, (value) => (value === 0 ? 1 : 0)) / cells;
    if (!(FEWEST_DROPPED <= zero && zero <= 1 - FEWEST_DROPPED) || table[0].length < 2) {
      return null;
    }
    const sample = sampleOf(given);
    const there = sumOf(sample.table, (value) => (value === 0 ? 0 : 1));
    for (const { known, rows } of sample.known) {
      yield;
      const factor = factorsOf(sample.table, rows);
      const allowed = 2 * factor * computed(given, table.length);
      const near = (/** @type {number} */ value, /** @type {number} */ r, /** @type {number} */ c) =>
        value !== 0 && Math.abs(value - factor * rows[r][c]) <= allowed ? 1 : 0;
      if (!(factor > 0) || !(sumOf(sample.table, near) / there >= MATCHING)) {
        continue;
      }
      const made = whole(given, known);
      const gone = (/** @type {number} */ value, /** @type {number} */ r, /** @type {number} */ c) =>
        value === 0 && Math.abs(made[r][c]) > allowed ? 1 : 0;
      const lost = sumOf(table, gone) / cells;
      const touched = table.filter((row) => row.includes(0)).length / table.length;
      const still = [...table[0].keys()].some((column) => table.every((row) => row[column] === 0));
      if (lost >= FEWEST_DROPPED && touched > PARTLY && !still) {
        const told = note("dropped-out", { share: 100 * lost, factor }, "rejected");
        return yield* againstNearest(given, diagnosis("rejected", told.key, facts(given), { bug: told }));
      }
    }
    return null;
  }

  /**
   * How many times the known values the others are, in the middle; NaN without any.
   * @param {Table} table
   * @param {Table} known
   */
  function factorsOf(table, known) {
    /** @type {number[]} */
    const factors = [];
    table.forEach((row, r) => {
      for (let c = 0; c < row.length; c += 1) {
        if (row[c] !== 0 && Math.abs(known[r][c]) > 0.1) {
          factors.push(row[c] / known[r][c]);
        }
      }
    });
    return median(factors);
  }

  /**
   * A known table times about 1, and something added: little of it is drift, much of it words.
   *
   * The factor a = Σxp / Σp² is one number for the whole table; z is how many standard errors it is from 0.
   * @param {Case} given
   */
  function underWords(given) {
    const sample = sampleOf(given);
    const { known, rows } = closest(sample);
    const { factor, z } = factorOf(sample.table, rows);
    const moving = factorOf(centred(sample.table), centred(rows)).z;
    if (!(z > SURE && moving > FAIRLY && factor > 0.5 && factor < 1.6)) {
      return null;
    }
    const apart = apartFrom(given.table, whole(given, known));
    const cells = apart.length * apart[0].length;
    const spread = Math.sqrt(sumOf(apart, (value) => value * value) / cells);
    const numbers = { spread, largest: check.bugs.largest(apart) };
    if (spread > DRIFT) {
      return diagnosis("rejected", "under-words", facts(given), { bug: note("under-words", numbers, "rejected") });
    }
    const oddities = [note("drifted", numbers, "oddity")];
    return diagnosis("accepted with an oddity", known.key, facts(given), { oddities });
  }

  /** @param {Table} table */
  function centred(table) {
    const mean = meansOf(table);
    return table.map((row) => {
      const values = new Float64Array(row.length);
      for (let c = 0; c < values.length; c += 1) {
        values[c] = row[c] - mean[c];
      }
      return values;
    });
  }

  /**
   * @param {Table} table
   * @param {Table} known
   */
  function factorOf(table, known) {
    const size = sumOf(known, (value) => value * value);
    const factor = size ? sumOf(known, (value, r, c) => value * table[r][c]) / size : 0;
    const rest = sumOf(known, (value, r, c) => (table[r][c] - factor * value) ** 2) / (table.length * table[0].length);
    return { factor, z: (Math.abs(factor) * Math.sqrt(size)) / Math.max(Math.sqrt(rest), 1e-12) };
  }

  /**
   * Pairs that turn in equal steps, at frequencies that no known ladder has.
   * @param {Case} given
   */
  function unknownLadder(given) {
    const { table } = given;
    if (table.length < 4 || table[0].length % 2) {
      return null;
    }
    const all = check.waves.layouts(table[0].length);
    for (const layout of all.filter((/** @type {any} */ _, /** @type {number} */ place) => place % 2 === 0)) {
      const found = check.waves.waves(table, layout, given.tolerance, 0);
      if (found !== null && found.circular >= MATCHING && found.steady >= MATCHING) {
        const steps = Array.from(found.step, Math.abs);
        const numbers = { fastest: Math.max(...steps), slowest: Math.min(...steps) };
        const told = note("unknown-ladder", numbers, "rejected");
        return diagnosis("rejected", told.key, facts(given), { bug: told });
      }
    }
    return null;
  }

  // ---- the nearest ----

  /**
   * The same diagnosis with the nearest known table and the invariants, measured as that table would have them.
   * @param {Case} given
   * @param {import("./diagnosis.js").Diagnosis} found
   */
  function* againstNearest(given, found) {
    if (given.table[0].length < 2) {
      return found;
    }
    const { known } = closest(sampleOf(given));
    yield;
    const expected = whole(given, known);
    yield;
    const apart = apartFrom(given.table, expected);
    const [row, column] = farthest(apart);
    const nearest = Object.freeze({
      key: known.key,
      base: known.model.base,
      start: known.model.start,
      difference: apart[row][column],
      row,
      column,
      value: given.table[row][column],
      expected: expected[row][column],
      share: shareWithin(apart, given.tolerance),
    });
    yield;
    const invariants = yield* measured(given, known, expected);
    return replaced(found, { nearest, invariants });
  }

  /**
   * The invariants as the first known table would have them.
   * @param {Case} given
   */
  function* plain(given) {
    const [first] = knownTables(given);
    return first ? yield* measured(given, first, whole(given, first)) : [];
  }

  /**
   * @param {Case} given
   * @param {Known} known
   * @param {Table} expected
   */
  function* measured(given, known, expected) {
    const { table, tolerance } = given;
    const { sines, cosines } = known.model.layout;
    const normal = (/** @type {Table} */ values) =>
      values.map((row) => {
        const made = new Float64Array(2 * sines.length);
        for (let i = 0; i < sines.length; i += 1) {
          made[2 * i] = row[sines[i]];
          made[2 * i + 1] = row[cosines[i]];
        }
        return made;
      });
    const positions = check.models.at(known.model, upTo(table.length));
    const omega = known.model.omega.slice(0, sines.length);
    const [rows, reference] = [normal(table), normal(expected)];
    yield;
    return yield* check.measure.invariants(rows, positions, omega, reference, tolerance);
  }

  /**
   * @param {Table} table
   * @param {Table} other
   * @param {number} allowed
   */
  function share(table, other, allowed) {
    let near = 0;
    for (let r = 0; r < table.length; r += 1) {
      const [one, two] = [table[r], other[r]];
      for (let c = 0; c < one.length; c += 1) {
        near += Math.abs(one[c] - two[c]) <= allowed ? 1 : 0;
      }
    }
    return near / (table.length * table[0].length);
  }

  check.remains = { GUESSES, dropped, notFinite, madeBy, singleRow, whatRemains, wrongParts, againstNearest };
})();
