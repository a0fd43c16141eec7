/**
 * From a model that makes the table again to the diagnosis: what it is called, what is odd, what cannot be told.
 *
 * Mirrors posenc/check/reading.py; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { median, argsort, range, part, rint, significant } = check.numbers;
  const { note, diagnosis } = check.diagnosis;

  const TIMESTEPS = [900, 1000]; // where a schedule of 1000 diffusion steps begins
  const TIGHT = 0.995;
  const COMPUTED = 8; // times the tolerance: what computing in float32 may add to a table nearly as it was stored

  /** @typedef {Float64Array[]} Table */
  /** @typedef {any} Model see models.js */
  /** @typedef {any} Setting see fit.js */
  /** @typedef {{rows: number[], columns: number[], run: number[]}} Kept */
  /** @typedef {{key: string, standing: string, numbers: Record<string, number>} | null} Order */
  /**
   * @typedef {object} Case one table with what is known before judging
   * @property {Table} table
   * @property {any} stored see storage.js
   * @property {number} tolerance
   * @property {{value: number, standing: string, key: string}[]} bases
   * @property {number | null} wanted the base that it should have, if it was given
   */

  /**
   * What every diagnosis begins with.
   * @param {Case} given
   */
  function facts(given) {
    const { table, stored, tolerance } = given;
    /** @type {[number, number]} */
    const shape = [table.length, table[0].length];
    return { shape, storage: stored.key, decimals: stored.places, tolerance };
  }

  /**
   * The diagnosis of a table that the model makes again, all but a few of its cells. Rests between its parts.
   * @param {Case} given
   * @param {Kept} aside
   * @param {Setting} setting
   * @param {Model} model
   * @param {Order} order
   */
  function* reading(given, aside, setting, model, order) {
    const table = part(given.table, aside.rows, aside.columns);
    const made = check.models.predicted(model, setting.rows, setting.columns);
    yield;
    const apart = apartFrom(table, made);
    yield;
    const allowed = allowance(given, setting, model, apart);
    yield;
    const firstBug = bugOf(given, model, setting, order) || edits(table, apart, allowed, made, aside);
    yield;
    const noted = [...notesOf(given, aside, setting, model, order, table, allowed)];
    const oddities = noted.filter((each) => each.standing === "oddity");
    const bug = firstBug || noted.find((each) => each.standing === "rejected") || null;
    const key = keyOf(model, aside, given, setting);
    const reference = referenceOf(model, given);
    const ideal = reference === model ? made : check.models.predicted(reference, setting.rows, setting.columns);
    yield;
    const most = check.bugs.largest(allowed);
    const claims = yield* invariantsOf(table, setting, model, ideal, most);
    return diagnosis(
      bug ? "rejected" : oddities.length ? "accepted with an oddity" : "accepted",
      bug ? bug.key : key,
      facts(given),
      {
        convention: Object.freeze({
          key,
          layout: model.layout.key,
          ladder: model.ladder.key,
          base: hasBase(model) ? model.base : null,
          width: model.width,
          start: model.start,
          step: model.step,
          scale: model.scale,
        }),
        bug,
        oddities,
        notes: noted.filter((each) => each.standing === "accepted"),
        ambiguities: [...ambiguities(model, setting, given)],
        invariants: claims,
        nearest: nearestOf(table, aside, reference, ideal, given),
      },
    );
  }

  /**
   * @param {Table} table
   * @param {Table} other
   */
  function apartFrom(table, other) {
    return table.map((row, r) => {
      const [known, apart] = [other[r], new Float64Array(row.length)];
      for (let c = 0; c < apart.length; c += 1) {
        apart[c] = Math.abs(row[c] - known[c]);
      }
      return apart;
    });
  }

  /**
   * What each cell may be off; less where a table stored in a low format was computed in a high one.
   * @param {Case} given
   * @param {Setting} setting
   * @param {Model} model
   * @param {Table} apart
   * @returns {Table}
   */
  function allowance(given, setting, model, apart) {
    const allowed = check.models.slack(model, setting.rows, setting.columns, given.stored, given.tolerance);
    if (given.stored.phase > 1e-9 && shareWithin(apart, given.tolerance) >= TIGHT) {
      const most = COMPUTED * given.tolerance;
      for (const row of allowed) {
        for (let c = 0; c < row.length; c += 1) {
          row[c] = Math.min(row[c], most);
        }
      }
    }
    return allowed;
  }

  /**
   * @param {Table} apart
   * @param {number} tolerance
   */
  function shareWithin(apart, tolerance) {
    let near = 0;
    for (const row of apart) {
      for (let j = 0; j < row.length; j += 1) {
        near += row[j] <= tolerance ? 1 : 0;
      }
    }
    return near / (apart.length * apart[0].length);
  }

  /**
   * The place of the largest difference, the first of equals.
   * @param {Table} apart
   */
  function farthest(apart) {
    let [row, column] = [0, 0];
    for (let r = 0; r < apart.length; r += 1) {
      for (let c = 0; c < apart[r].length; c += 1) {
        if (apart[r][c] > apart[row][column]) {
          [row, column] = [r, c];
        }
      }
    }
    return [row, column];
  }

  /**
   * Numbers of 0 … n − 1 that are not among the sorted kept ones.
   * @param {number} n
   * @param {number[]} kept
   */
  function without(n, kept) {
    const those = new Set(kept);
    return range(n).filter((place) => !those.has(place));
  }

  /**
   * @param {Model} model
   * @param {Kept} aside
   * @param {Case} given
   * @param {Setting} setting
   */
  function keyOf(model, aside, given, setting) {
    if (model.offsets !== null) {
      return check.conventions.ROTARY;
    }
    const zero = without(given.table.length, aside.rows);
    const one = Math.sqrt(2 / aside.columns.length);
    const unit = Math.abs(Math.abs(model.scale) - one) <= 2 * given.tolerance && setting.columns !== 2;
    return check.conventions.named(model.layout.key, model.ladder.key, { padded: isOne(zero), unit });
  }

  /** @param {number[]} rows */
  function isOne(rows) {
    return rows.length === 1 && rows[0] === 1;
  }

  /** @param {Model} model */
  function hasBase(model) {
    return model.ladder.takesBase && model.omega.length > 1;
  }

  // ---- bugs of a model ----

  /**
   * @param {Case} given
   * @param {Model} model
   * @param {Setting} setting
   * @param {Order} order
   */
  function bugOf(given, model, setting, order) {
    if (model.ladder.standing === "rejected") {
      return note(model.ladder.key, { base: model.base, width: model.width }, "rejected");
    }
    if (order !== null && order.standing === "rejected") {
      return note(order.key, order.numbers, "rejected");
    }
    if (given.wanted !== null && hasBase(model) && Math.abs(model.base / given.wanted - 1) > 1e-6) {
      return note("other-base", { base: model.base, wanted: given.wanted }, "rejected");
    }
    return null;
  }

  /**
   * Cells that the model does not make: single ones, or whole rows or columns.
   * @param {Table} table
   * @param {Table} apart
   * @param {Table} allowed
   * @param {Table} made
   * @param {Kept} aside
   */
  function edits(table, apart, allowed, made, aside) {
    const [height, width] = [table.length, table[0].length];
    const { count, rows, columns } = counts(apart, (row, column) => allowed[row][column]);
    if (count === 0) {
      return null;
    }
    const [row, column] = farthest(apart);
    const numbers = {
      count,
      row: aside.rows[row],
      column: aside.columns[column],
      difference: apart[row][column],
      value: table[row][column],
      expected: made[row][column],
    };
    if (height > 3 && columns > 1 && count >= 0.4 * rows * width && rows < (columns * height) / 4) {
      return note("wrong-rows", { ...numbers, rows }, "rejected");
    }
    if (rows > 1 && count >= 0.4 * columns * height && height > 3) {
      return note("wrong-columns", { ...numbers, columns }, "rejected");
    }
    return note("edited-cells", numbers, "rejected");
  }

  /**
   * How many cells are farther off than allowed, in how many rows and columns.
   * @param {Table} apart
   * @param {(row: number, column: number) => number} allowed
   */
  function counts(apart, allowed) {
    let [count, rows] = [0, 0];
    const columns = new Set();
    apart.forEach((row, r) => {
      const before = count;
      for (let c = 0; c < row.length; c += 1) {
        if (row[c] > allowed(r, c)) {
          count += 1;
          columns.add(c);
        }
      }
      rows += count > before ? 1 : 0;
    });
    return { count, rows, columns: columns.size };
  }

  // ---- what is worth saying ----

  /**
   * @param {Case} given
   * @param {Kept} aside
   * @param {Setting} setting
   * @param {Model} model
   * @param {Order} order
   * @param {Table} table
   * @param {Table} allowed
   */
  function* notesOf(given, aside, setting, model, order, table, allowed) {
    yield* setAside(given, aside, model);
    yield* columnsOf(model, aside);
    if (order === null) {
      yield* stepsOf(model, setting);
    } else if (order.standing !== "rejected") {
      yield note(order.key, order.numbers, "oddity");
    }
    yield* scaleOf(model, setting, given);
    if (hasBase(model) && model.ladder.standing !== "rejected" && given.wanted === null) {
      const base = check.ladders.baseStanding(model.base);
      if (base.standing !== "accepted") {
        yield note(base.key, { base: model.base }, "oddity");
      }
    }
    if (model.ladder.standing === "oddity") {
      yield note("frequencies-float32", {}, "oddity");
    }
    yield* storedOf(given.stored);
    yield* twins(table, allowed, order);
    yield* vector(model, given);
  }

  /** @param {{key: string, places: number}} stored */
  function* storedOf({ key, places }) {
    if (key === "bfloat16" || key === "float16") {
      yield note(`stored-${key}`, {}, "oddity");
    } else if (key === "float32") {
      yield note("stored-float32");
    } else if (key === "decimals" || key === "digits") {
      yield note(`stored-${key}`, { places }, places < 3 ? "oddity" : "accepted");
    }
  }

  /**
   * @param {Case} given
   * @param {Kept} aside
   * @param {Model} model
   */
  function* setAside(given, aside, model) {
    const rows = without(given.table.length, aside.rows);
    if (rows.length) {
      const usual = isOne(rows) && model.ladder.key.startsWith("tensor2tensor");
      yield note("zero-rows", { count: rows.length, row: rows[0] }, usual ? "accepted" : "oddity");
    }
    const width = given.table[0].length;
    const columns = without(width, aside.columns);
    if (columns.length) {
      const last = columns.length === 1 && columns[0] === width - 1 && width % 2 === 1;
      yield note("zero-columns", { count: columns.length, column: columns[0] }, last ? "accepted" : "oddity");
    }
  }

  /**
   * @param {Model} model
   * @param {Kept} aside
   */
  function* columnsOf(model, aside) {
    if (model.layout.key === "permuted") {
      yield note("permuted");
    }
    if (model.layout.alone !== null) {
      const key = model.width === aside.columns.length ? "sine-alone-odd" : "sine-alone-even";
      yield note(key, { column: aside.columns[model.layout.alone], width: model.width }, "oddity");
    }
  }

  /**
   * @param {Model} model
   * @param {Setting} setting
   */
  function* stepsOf(model, setting) {
    const { start, step } = model;
    const size = Math.abs(step);
    const rows = setting.rows.length;
    const last = start + step * setting.rows[rows - 1];
    const span = size * (setting.rows[rows - 1] - setting.rows[0]);
    if (step < 0) {
      yield note(last < -1e-9 ? "negative" : "downwards", { start, last });
    }
    if (model.ladder.freeUnits) {
      yield note("coordinates", { start, last, step });
    } else if (size === 1) {
      if ((start !== 0 && start !== 1 && step > 0) || start === 1) {
        yield note("starts", { start, last });
      }
    } else {
      yield stride(model, span, last, rows);
    }
  }

  /**
   * Positions in other steps than one: what is usual, and what is a slip.
   * @param {Model} model
   * @param {number} span
   * @param {number} last
   * @param {number} rows
   */
  function stride(model, span, last, rows) {
    const size = Math.abs(model.step);
    const far = Math.max(Math.abs(model.start), Math.abs(last));
    const told = { step: size, last: far };
    if (Math.abs(span - 1) < 1e-6 || Math.abs(span + size - 1) < 1e-6 || Math.abs(span - 0.999) < 1e-9) {
      return note("unit-time", told, "oddity");
    }
    if (near(size, Math.PI / 180) || near(size, 180 / Math.PI)) {
      return note("degrees", told, "rejected");
    }
    if (fullTurn(size, rows)) {
      return note("normalised", told);
    }
    if (near(size, 2 * Math.PI)) {
      return note("two-pi", told, "oddity");
    }
    if (size < 1) {
      const whole = near(1 / size, rint(1 / size));
      return note("interpolated", { factor: 1 / size, step: size }, whole ? "accepted" : "oddity");
    }
    if (TIMESTEPS[0] <= far && far <= TIMESTEPS[1] && (size > 2 || !Number.isInteger(size))) {
      return note("timesteps", { start: model.start, last, step: model.step });
    }
    if (Number.isInteger(size)) {
      return note("positions-multiplied", { step: size }, "rejected");
    }
    return note("other-step", told, "oddity");
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  function near(x, y) {
    return Math.abs(x - y) <= 1e-5 * Math.abs(y);
  }

  /**
   * Positions over their number, times 2π, as DETR normalises them.
   * @param {number} size
   * @param {number} rows
   */
  function fullTurn(size, rows) {
    return [rows, rows - 1].some((count) => count > 0 && near(size * count, 2 * Math.PI));
  }

  /**
   * @param {Model} model
   * @param {Setting} setting
   * @param {Case} given
   */
  function* scaleOf(model, setting, given) {
    if (model.amplitudes !== null) {
      return;
    }
    const [size, width, slip] = [Math.abs(model.scale), setting.columns, 2 * given.tolerance];
    const is = (/** @type {number} */ scale) => Math.abs(size - scale) <= slip;
    if (model.scale < 0) {
      yield note("minus", {}, "oddity");
    }
    if (is(1)) {
      return;
    }
    if (size >= 2 - slip && is(rint(size)) && !(near(size, Math.sqrt(width)) && size > 3)) {
      yield note("added-twice", { times: rint(size) }, "rejected");
    } else if (is(Math.sqrt(2 / width))) {
      yield note("unit-length", { scale: size });
    } else if (is(Math.sqrt(width))) {
      yield note("times-root-width", { scale: size }, "oddity");
    } else if (is(1 / Math.sqrt(width))) {
      yield note("over-root-width", { scale: size }, "oddity");
    } else {
      yield note("scaled", { scale: size }, "oddity");
    }
  }

  /**
   * The first and the last row alike: a whole turn of every wave.
   * @param {Table} table
   * @param {Table} allowed
   * @param {Order} order
   */
  function* twins(table, allowed, order) {
    const last = table.length - 1;
    const alike = () =>
      table[0].every((value, c) => Math.abs(value - table[last][c]) <= allowed[0][c] + allowed[last][c]);
    if (order === null && table.length > 2 && alike()) {
      yield note("ends-alike", { last }, "oddity");
    }
  }

  /**
   * @param {Model} model
   * @param {Case} given
   */
  function* vector(model, given) {
    const { offsets, amplitudes } = model;
    if (offsets === null || amplitudes === null) {
      return;
    }
    const slip = 4 * given.tolerance;
    const size = median(amplitudes);
    const alike = amplitudes.every((/** @type {number} */ each) => Math.abs(each - size) <= slip);
    const level = offsets.every(
      (/** @type {number} */ each) => Math.abs(Math.sin((each - offsets[0]) / 2)) <= slip / size,
    );
    if (alike && level) {
      yield note("rotated-constant", { size });
    } else if (alike && Math.abs(size - 1) <= slip) {
      yield note("phases-differ", {}, "rejected");
    } else {
      yield note("rotated-vector", {}, "oddity");
    }
  }

  // ---- what cannot be told ----

  /**
   * @param {Model} model
   * @param {Setting} setting
   * @param {Case} given
   */
  function* ambiguities(model, setting, given) {
    const { BASES, BROKEN, CONFUSABLE, KNOWN, paper } = check.ladders;
    const pairs = model.omega.length;
    if (pairs === 1 && model.ladder.takesBase) {
      yield note("one-pair");
      return;
    }
    const places = check.models.at(model, setting.rows);
    const far = places.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, Math.abs(b)), 1);
    const most = Math.max(Math.abs(model.start), far);
    const least = (2 * given.tolerance) / Math.max(Math.abs(model.scale), 1e-12) + 1e-9;
    const allowed = model.omega.map(
      (/** @type {number} */ own) => (least + check.models.lost(given.stored.phase, own) * most) / most,
    );
    const alike = (/** @type {Float64Array} */ omega) =>
      omega.every((own, i) => Math.abs(own - model.omega[i]) <= allowed[i]);

    const seen = new Set([`${model.ladder.key.replace(/-float32$/, "")} ${model.base}`]);
    for (const ladder of [...KNOWN.slice(0, 6), ...BROKEN.filter((slip) => CONFUSABLE.includes(slip.key))]) {
      const accepted = ladder.standing === "accepted";
      for (const base of ladder.takesBase && accepted ? BASES : BASES.slice(0, 1)) {
        const own = ladder.key === model.ladder.key && !ladder.takesBase;
        if (own || seen.has(`${ladder.key} ${base.value}`)) {
          continue;
        }
        if (alike(ladder.omega(pairs, setting.widths[0], base.value))) {
          seen.add(`${ladder.key} ${base.value}`);
          yield note(accepted ? "other-ladder" : "known-slip", { ladder: ladder.key, base: base.value });
        }
      }
    }
    const known = BASES.some((base) => base.value === model.base);
    const { key } = model.ladder;
    if (!known && pairs > 1 && (key === "paper" || key === "tensor2tensor")) {
      const rungs = { paper: model.width / 2, tensor2tensor: pairs - 1 };
      const other = key === "paper" ? "tensor2tensor" : "paper";
      const same = model.base ** (rungs[other] / rungs[/** @type {"paper"} */ (key)]);
      yield note("other-ladder", { ladder: other, base: significant(same, 5) });
    }
    if (key === "paper" && model.base > 1 && model.base !== BASES[0].value) {
      const width = (model.width * Math.log(BASES[0].value)) / Math.log(model.base);
      const whole = 2 * rint(width / 2);
      if (whole > model.width && alike(paper(pairs, whole, BASES[0].value))) {
        yield note("cut-from", { base: BASES[0].value, width: whole, columns: setting.columns });
      }
    }
    if (Math.abs(Math.abs(model.scale) - 2) < 1e-9 && setting.columns === 4) {
      yield note("two-is-root-four");
    }
    if (setting.rows.length < 4) {
      yield note("few-rows", { rows: setting.rows.length });
    }
  }

  // ---- measured ----

  /**
   * The known table that a model should be: itself, or the paper's ladder where its own is a slip.
   * @param {Model} model
   * @param {Case} given
   * @returns {Model}
   */
  function referenceOf(model, given) {
    const wanted = given.wanted ?? model.base;
    const slip = model.ladder.standing === "rejected";
    if (!slip && (!hasBase(model) || wanted === model.base)) {
      return model;
    }
    const ladder = slip ? check.ladders.KNOWN[0] : model.ladder;
    const base = ladder.takesBase ? wanted : model.base;
    const omega = ladder.omega(model.omega.length, model.width, base);
    return Object.freeze({ ...model, ladder, base, omega, amplitudes: null, offsets: null });
  }

  /**
   * Oddities set aside: columns in pairs, rows upwards, scale 1; a rotated vector keeps its own lengths.
   * @param {Table} table
   * @param {Setting} setting
   * @param {Model} model
   * @param {Table} ideal
   * @param {number} tolerance
   */
  function* invariantsOf(table, setting, model, ideal, tolerance) {
    const { sines, cosines } = model.layout;
    const pairs = sines.length;
    const size = model.amplitudes ?? new Float64Array(pairs).fill(model.scale);
    const positions = check.models.at(model, setting.rows);
    const upwards = argsort(positions);
    const normal = (/** @type {Table} */ values) =>
      upwards.map((row) => {
        const [given, made] = [values[row], new Float64Array(2 * pairs)];
        for (let i = 0; i < pairs; i += 1) {
          made[2 * i] = given[sines[i]] / size[i];
          made[2 * i + 1] = given[cosines[i]] / size[i];
        }
        return made;
      });
    const least = size.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.min(a, Math.abs(b)), Infinity);
    const ordered = Float64Array.from(upwards, (row) => positions[row]);
    const omega = model.omega.slice(0, pairs);
    const [rows, reference] = [normal(table), normal(ideal)];
    yield;
    return yield* check.measure.invariants(rows, ordered, omega, reference, tolerance / least);
  }

  /**
   * @param {Table} table
   * @param {Kept} aside
   * @param {Model} reference
   * @param {Table} ideal
   * @param {Case} given
   */
  function nearestOf(table, aside, reference, ideal, given) {
    const apart = apartFrom(table, ideal);
    const [row, column] = farthest(apart);
    return Object.freeze({
      key: check.conventions.named(reference.layout.key, reference.ladder.key, { padded: false, unit: false }),
      base: reference.base,
      start: reference.start,
      difference: apart[row][column],
      row: aside.rows[row],
      column: aside.columns[column],
      value: table[row][column],
      expected: ideal[row][column],
      share: shareWithin(apart, given.tolerance),
    });
  }

  check.reading = { facts, reading, apartFrom, shareWithin, farthest, counts };
})();
