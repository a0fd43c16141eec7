/**
 * Judging a table, step by step. Each step either answers or hands on:
 *
 *  1. finite        NaN and ∞ are a bug of their own; the rows without them tell the rest.
 *  2. storage       the lowest format in which all but a few values are representable gives the tolerance of a cell.
 *  3. plain shapes  zeros, constant rows, the raw index, angles, one-hot (bugs.js SHAPES).
 *  4. set aside     rows and columns that are zero throughout (aside.js).
 *  5. waves         columns in pairs: the four usual layouts, else any order by squares that cancel; a step and a
 *                   first phase for each pair (waves.js).
 *  6. ladder        the named ladders, known slips, a base of its own, other steps, a rotated vector (fit.js); the
 *                   model must make the cells again.
 *  7. positions     pairs on circles but not in equal steps: each row's position by a known ladder (positions.js).
 *  8. grid          columns of x and of y, each judged as a table of its own (grids.js).
 *  9. made bugs     tables that known slips make, cell by cell (bugs.js MADE); then rows of tokens on top, dropout,
 *                   values computed in float32 and kept in float64.
 * 10. transpose     the same steps on the table turned over.
 * 11. remains       a known table with wrong cells, a drifted one, one under words; else no sinusoidal encoding
 *                   (remains.js).
 *
 * Mirrors posenc/check/judge.py; touches no page. Every step is a generator that rests between its parts, so that
 * slices.js can run it without holding up the page; `diagnose` runs it through at once.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { column, part, rint, median, quantile } = check.numbers;
  const { note, diagnosis, replaced } = check.diagnosis;
  const { facts } = check.reading;

  const MAX_CELLS = 2 ** 25;
  const PARTS = ["wrong-rows", "wrong-columns", "edited-cells"];
  const COMPUTED_BEFORE = ["float64", "decimals", "digits"];
  const LEAST_BELOW = 4; // rows
  const TOKENS = [1, 2]; // a class token, and one of distillation
  const TOLERANCE = 1e-9; // of a cell even in float64

  /** @typedef {Float64Array[]} Table */
  /** @typedef {import("./reading.js").Case} Case */
  /** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
  /** @typedef {{rows: number[], columns: number[], run: number[]}} Kept */
  /** @typedef {Generator<void, Diagnosis | null, void>} Step a step of the judging, with its rests */

  /**
   * Which convention is this table, or which bug?
   * @param {ArrayLike<number>[]} rows positions in rows, columns in any order
   * @param {object} [options]
   * @param {number | null} [options.base] the one that the table should have, when that is known
   * @param {number | null} [options.tolerance] what a cell may be off even in float64; for lower formats the format
   *   itself decides
   * @returns {Diagnosis}
   */
  function diagnose(rows, options = {}) {
    const work = slices(rows, options);
    let step = work.next();
    while (!step.done) {
      step = work.next();
    }
    return step.value;
  }

  /**
   * The same without holding up the page; options are those of `diagnose` and of slices.js.
   * @param {ArrayLike<number>[]} rows
   * @param {{base?: number | null, tolerance?: number | null, signal?: AbortSignal}} [options]
   * @returns {Promise<Diagnosis>}
   */
  function diagnoseInSlices(rows, options = {}) {
    const { base, tolerance, ...rest } = options;
    return posenc.slices.run(slices(rows, { base, tolerance }), rest);
  }

  /**
   * @param {ArrayLike<number>[]} rows
   * @param {{base?: number | null, tolerance?: number | null}} options
   * @returns {Generator<void, Diagnosis, void>}
   */
  function* slices(rows, { base = null, tolerance = null }) {
    const table = tableOf(rows);
    const least = tolerance === null ? TOLERANCE : positive("tolerance", tolerance);
    const wanted = base === null ? null : positive("base", base);
    yield;
    const given = caseOf(table, wanted, least);
    yield;
    return yield* judged(given);
  }

  /**
   * @param {string} name
   * @param {number} value
   */
  function positive(name, value) {
    if (!(Number.isFinite(value) && value > 0)) {
      throw new RangeError(`${name} must be a finite number above 0, got ${value}`);
    }
    return value;
  }

  /**
   * @param {ArrayLike<number>[]} rows
   * @returns {Table}
   */
  function tableOf(rows) {
    const width = rows.length ? rows[0].length : 0;
    if (!width || rows.some((row) => row.length !== width)) {
      throw new RangeError("rows must be as long as the first, which has at least one number");
    }
    if (rows.length * width > MAX_CELLS) {
      throw new RangeError(`rows must have at most ${MAX_CELLS} cells, got ${rows.length * width}`);
    }
    return rows.map((row) => (row instanceof Float64Array ? row : Float64Array.from(row)));
  }

  /**
   * @param {Table} table
   * @param {number | null} wanted
   * @param {number} least
   * @returns {Case}
   */
  function caseOf(table, wanted, least) {
    const stored = check.storage.storage(table);
    const scale = stored.relative ? scaleOf(table) : 1;
    const { BASES, baseStanding } = check.ladders;
    const bases = wanted === null ? BASES : [baseStanding(wanted)];
    return Object.freeze({ table, stored, tolerance: check.storage.toleranceOf(stored, scale, least), bases, wanted });
  }

  /**
   * The size that nine of ten values keep within, but for zeros.
   * @param {Table} table
   */
  function scaleOf(table) {
    const sizes = new Float64Array(table.length * table[0].length);
    let count = 0;
    for (const row of table) {
      for (let c = 0; c < row.length; c += 1) {
        if (row[c] !== 0 && Number.isFinite(row[c])) {
          sizes[count] = Math.abs(row[c]);
          count += 1;
        }
      }
    }
    return count ? 1.02 * quantile(sizes.subarray(0, count), 0.9) : 1;
  }

  /**
   * The first step that has an answer.
   * @param {Case} given
   * @returns {Generator<void, Diagnosis, void>}
   */
  function* judged(given) {
    if (!given.table.every((row) => row.every(Number.isFinite))) {
      return yield* check.remains.notFinite(given, judged);
    }
    let found = yield* recognised(given);
    if (found === null || PARTS.includes(found.name)) {
      found = (yield* withTokens(given, found)) || (yield* check.remains.dropped(given)) || found;
    }
    if (found === null && COMPUTED_BEFORE.includes(given.stored.key)) {
      found = yield* computedLow(given);
    }
    if (found !== null) {
      return found;
    }
    yield;
    const over = yield* recognised(Object.freeze({ ...given, table: turnedOver(given.table) }));
    const sure = over !== null && (over.accepted || (over.bug !== null && !check.remains.GUESSES.includes(over.bug.key)));
    return sure ? turnedBack(over, given) : yield* check.remains.whatRemains(given);
  }

  /**
   * Rows of another making on top, such as a class token's, over a table that begins at position 0, or a grid.
   * @param {Case} given
   * @param {Diagnosis | null} found
   * @returns {Step}
   */
  function* withTokens(given, found) {
    const told = found?.bug?.numbers ?? {};
    for (const count of TOKENS) {
      const below = Object.freeze({ ...given, table: given.table.slice(count) });
      const top = given.table.slice(0, count);
      if (below.table.length < LEAST_BELOW || top.every((row) => row.every((value) => value === 0))) {
        return null;
      }
      let rest = null;
      if (found === null) {
        rest = yield* inGrids(below);
      } else if (told.rows === count && told.row < count) {
        rest = yield* inWaves(below);
      }
      if (rest !== null && rest.accepted && rest.convention && (found === null || rest.convention.start === 0)) {
        return withRowsOnTop(rest, given, count);
      }
    }
    return null;
  }

  /**
   * @param {Diagnosis} rest
   * @param {Case} given
   * @param {number} count
   */
  function withRowsOnTop(rest, given, count) {
    const { nearest } = rest;
    return replaced(rest, {
      verdict: "accepted with an oddity",
      oddities: [note("token-rows", { count }, "oddity"), ...rest.oddities],
      shape: facts(given).shape,
      nearest: nearest && Object.freeze({ ...nearest, row: nearest.row + count }),
    });
  }

  /**
   * Values that were computed in float32, and scaled or rounded afterwards.
   * @param {Case} given
   * @returns {Step}
   */
  function* computedLow(given) {
    const { COMPUTED_LOW, toleranceOf } = check.storage;
    const tolerance = toleranceOf(COMPUTED_LOW, scaleOf(given.table), given.tolerance);
    if (tolerance <= 2 * given.tolerance) {
      return null;
    }
    const found = yield* inWaves(Object.freeze({ ...given, stored: COMPUTED_LOW, tolerance }));
    if (found === null || !found.accepted) {
      return null;
    }
    const { key, places } = given.stored;
    const oddities = [...found.oddities, note("computed-float32", {}, "oddity")];
    return replaced(found, { verdict: "accepted with an oddity", oddities, storage: key, decimals: places });
  }

  /** @param {Table} table */
  function turnedOver(table) {
    return Array.from(table[0], (_, place) => column(table, place));
  }

  /**
   * Steps 3 to 9: a convention or a bug by name.
   * @param {Case} given
   * @returns {Step}
   */
  function* recognised(given) {
    for (const { key, told, standing } of check.bugs.SHAPES) {
      const numbers = told(given.table, given.tolerance);
      if (numbers !== null) {
        return yield* shaped(given, key, standing, numbers);
      }
    }
    yield;
    return (yield* inWaves(given)) || (yield* inGrids(given)) || (yield* inMade(given));
  }

  /**
   * @param {Case} given
   * @returns {Step}
   */
  function* inMade(given) {
    for (const bug of check.bugs.MADE) {
      const found = yield* check.remains.madeBy(given, bug);
      if (found !== null) {
        return found;
      }
      yield;
    }
    return null;
  }

  /**
   * @param {Case} given
   * @param {string} key
   * @param {string} standing
   * @param {Record<string, number>} numbers
   */
  function* shaped(given, key, standing, numbers) {
    const foreign = standing === "foreign";
    const told = note(key, numbers, "rejected");
    const parts = foreign ? { notes: [told] } : { bug: told };
    const verdict = foreign ? "not a sinusoidal encoding" : "rejected";
    return yield* check.remains.againstNearest(given, diagnosis(verdict, key, facts(given), parts));
  }

  // ---- one dimension ----

  /**
   * @param {Case} given
   * @returns {Step}
   */
  function* inWaves(given) {
    for (const aside of check.aside.kept(given.table)) {
      if (aside.run.length < 2 || aside.columns.length < 2) {
        const found = given.table.length === 1 ? yield* check.remains.singleRow(given) : null;
        if (found !== null) {
          return found;
        }
        continue;
      }
      const { model, setting } = yield* modelOf(given, aside);
      yield;
      if (model !== null) {
        const read = yield* check.reading.reading(given, aside, setting, model, null);
        return read.name === "phases-differ" ? (yield* check.remains.wrongParts(given)) || read : read;
      }
    }
    for (const aside of check.aside.kept(given.table)) {
      const found = yield* outOfStep(given, aside);
      if (found !== null) {
        const parts = yield* check.remains.wrongParts(given); // a wrong pair would move every position
        const { setting, model, order } = found;
        const wrong = parts !== null && parts.name === "wrong-columns";
        return wrong ? parts : yield* check.reading.reading(given, aside, setting, model, order);
      }
    }
    return null;
  }

  /**
   * @param {Case} given
   * @param {Kept} aside
   */
  function settingOf(given, aside) {
    const columns = aside.columns.length;
    const whole = given.table[0].length;
    const widths = [...new Set([columns, whole, whole + (whole % 2)])];
    const { bases, stored, tolerance } = given;
    return Object.freeze({ bases, stored, tolerance, rows: Float64Array.from(aside.rows), columns, widths });
  }

  /**
   * @param {Case} given
   * @param {Kept} aside
   */
  function* modelOf(given, aside) {
    const { waves, matched, oriented, readAs, ROUND } = check.waves;
    const setting = settingOf(given, aside);
    const { tolerance } = given;
    const table = part(given.table, aside.rows, aside.columns);
    const block = part(given.table, aside.run, aside.columns);
    const [first] = aside.run;
    yield;

    const usual = yield* usualOf(block, tolerance, first);
    let model = yield* check.fit.explaining(table, usual, setting);
    if (model !== null) {
      return { model, setting };
    }
    let good = usual.filter((each) => each.steady >= ROUND);
    if (!good.length) {
      const pairs = matched(block, tolerance);
      yield;
      const anyOrder = pairs && waves(block, pairs, tolerance, first);
      good = anyOrder ? [anyOrder] : [];
    }
    const others = [];
    for (const each of good.slice(0, 1)) {
      for (const downwards of [false, true]) {
        yield;
        others.push(readAs(each, oriented(each, block, tolerance, downwards)));
      }
    }
    model = yield* check.fit.explaining(table, others, setting);
    model = model || (yield* check.fit.explaining(table, usual, setting, check.fit.LATE));
    return { model, setting };
  }

  /**
   * The waves of the usual layouts whose pairs stay on circles.
   * @param {Table} block
   * @param {number} tolerance
   * @param {number} first
   */
  function* usualOf(block, tolerance, first) {
    const { layouts, waves, readOtherWay } = check.waves;
    const all = layouts(block[0].length);
    const found = [];
    for (let place = 0; place < all.length; place += 2) {
      const measured = waves(block, all[place], tolerance, first);
      if (measured !== null) {
        found.push(measured, readOtherWay(measured, all[place + 1].key));
      }
      yield;
    }
    return found;
  }

  /**
   * Rows on the circles of a known ladder, each at a position of its own.
   * @param {Case} given
   * @param {Kept} aside
   */
  function* outOfStep(given, aside) {
    if (aside.rows.length < 4 || aside.columns.length < 4) {
      return null;
    }
    const setting = settingOf(given, aside);
    const table = part(given.table, aside.rows, aside.columns);
    for (const measured of yield* usualOf(table, given.tolerance, 0)) {
      const { sines, cosines } = measured.layout;
      const theta = table.map((row) =>
        Float64Array.from(sines, (/** @type {number} */ column, i) => Math.atan2(row[column], row[cosines[i]])),
      );
      for (const ladder of check.ladders.KNOWN.slice(0, 2)) {
        for (const base of given.bases.slice(0, 4)) {
          const model = placed(theta, ladder, base, measured, setting, given);
          if (check.fit.agreement(table, model, setting) >= check.waves.ROUND) {
            const places = Float64Array.from(aside.rows, (row) => model.positions[row]);
            const far = places.reduce((most, place) => Math.max(most, Math.abs(place)), 0);
            if (!check.fit.placeable(measured, model.omega.subarray(0, sines.length), model, setting, far)) {
              continue;
            }
            return { model, setting, order: check.positions.orderOf(places, 4 * given.tolerance) };
          }
          yield;
        }
      }
    }
    return null;
  }

  /**
   * @param {Table} theta
   * @param {any} ladder
   * @param {{value: number}} base
   * @param {any} measured
   * @param {any} setting
   * @param {Case} given
   */
  function placed(theta, ladder, base, measured, setting, given) {
    const { layout, amplitude } = measured;
    const [width] = setting.widths;
    const omega = ladder.omega(layout.sines.length + (layout.alone === null ? 0 : 1), width, base.value);
    const middle = median(amplitude);
    const scale = Math.abs(middle - 1) <= Math.max(given.tolerance, 1e-6) ? 1 : middle;
    const turning = omega.slice(0, layout.sines.length);
    const found = check.positions.recovered(theta, turning, (8 * given.tolerance) / scale);
    const fine = Math.max(4 * given.tolerance, 1e-6);
    const positions = new Float64Array(given.table.length);
    setting.rows.forEach((/** @type {number} */ row, /** @type {number} */ place) => {
      const whole = rint(found[place]);
      positions[row] = Math.abs(found[place] - whole) <= fine ? whole : found[place];
    });
    const plain = { start: 0, step: 1, amplitudes: null, offsets: null };
    return Object.freeze({ layout, ladder, base: base.value, width, omega, scale, ...plain, positions });
  }

  // ---- two dimensions ----

  /**
   * @param {Case} given
   * @returns {Step}
   */
  function* inGrids(given) {
    for (const aside of check.aside.kept(given.table)) {
      const table = part(given.table, aside.run, aside.columns);
      const found = check.grids.grid(table, given.tolerance);
      yield;
      if (found === null) {
        continue;
      }
      const [ofX, ofY] = check.grids.axes(table, found);
      const x = yield* inWaves(Object.freeze({ ...given, table: ofX }));
      const y = yield* inWaves(Object.freeze({ ...given, table: ofY }));
      if (x !== null && y !== null) {
        return ofGrid(given, aside, found, x, y);
      }
    }
    return null;
  }

  /**
   * @param {Case} given
   * @param {Kept} aside
   * @param {import("./grids.js").Grid} found
   * @param {Diagnosis} x
   * @param {Diagnosis} y
   */
  function ofGrid(given, aside, found, x, y) {
    const { height, width, first } = found;
    const inner = x.convention ? x.convention.layout : "interleaved";
    const order = found.order === "blocks" && inner.includes("halves") ? "blocks-halves" : found.order;
    const key = check.conventions.GRIDS[order] ?? "grid";
    let bug = x.bug || y.bug;
    const ambiguities = [...x.ambiguities];
    if (bug === null && order === "blocks-halves" && first === "y") {
      const turned = { height: width, width: height };
      bug = height === width ? null : note("grid-order", turned, "rejected");
      ambiguities.push(note("grid-order", { height, width }));
    }
    const oddities = byKey([...x.oddities, ...y.oddities]);
    const notes = byKey([...x.notes, ...y.notes]);
    const run = new Set(aside.run);
    const padding = [...given.table.keys()].filter((row) => !run.has(row));
    if (padding.length) {
      notes.set("zero-rows", note("zero-rows", { count: padding.length, row: padding[0] }));
    }
    const fallen = (/** @type {Diagnosis} */ axis) => axis.invariants.filter((claim) => !claim.holds).length;
    return diagnosis(
      bug ? "rejected" : oddities.size ? "accepted with an oddity" : "accepted",
      bug ? bug.key : key,
      facts(given),
      {
        convention: x.convention && Object.freeze({ ...x.convention, key }),
        bug,
        oddities: [...oddities.values()],
        notes: [note("grid", { height, width, first }), ...notes.values()],
        ambiguities,
        invariants: (fallen(y) > fallen(x) ? y : x).invariants,
        nearest: x.nearest,
      },
    );
  }

  /** @param {import("./diagnosis.js").Note[]} notes the last of each key, in the order of the first */
  function byKey(notes) {
    return new Map(notes.map((each) => [each.key, each]));
  }

  // ---- turned over ----

  /**
   * The diagnosis of the transpose, told of the table as it came.
   * @param {Diagnosis} over
   * @param {Case} given
   */
  function turnedBack(over, given) {
    const { nearest } = over;
    return replaced(over, {
      verdict: over.accepted ? "accepted with an oddity" : over.verdict,
      oddities: [note("transposed", {}, "oddity"), ...over.oddities],
      shape: facts(given).shape,
      nearest: nearest && Object.freeze({ ...nearest, row: nearest.column, column: nearest.row }),
    });
  }

  check.judge = { MAX_CELLS, slices, judged };
  check.diagnose = diagnose;
  check.diagnoseInSlices = diagnoseInSlices;
})();
