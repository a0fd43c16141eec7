/**
 * From measured waves to a model: which ladder, base, start, step and sign make these phases? Mirrors
 * posenc/check/fit.py.
 *
 * A frequency is known only modulo a turn per row, so a step or a start x is found from the slow pairs to the fast
 * ones: the slowest gives x coarsely and without doubt, each faster one makes it finer (`unwound`). Every candidate is
 * then held against all pairs (`consistent`) and against the cells of the table; nothing is believed because it was
 * fitted.
 *
 * Stages, the first that explains the table wins: the named ladders in steps of one; the known slips; a base that
 * nobody named; then the same in other steps; then a rotated vector, whose pairs keep their own lengths and first
 * phases.
 */
(function () {
  "use strict";

  const { argmax, argsort, median, pythonRound, rint, significant, wrap } = posenc.check.numbers;
  const { BROKEN, KNOWN, SINGLE } = posenc.check.ladders;
  const { lost, modelOf, predicted, replaced, slack } = posenc.check.models;
  const { slowToFast } = posenc.check.positions;
  const { ROUND, STILL, spread } = posenc.check.waves;

  /** @typedef {import("./ladders").Base} Base */
  /** @typedef {import("./ladders").Ladder} Ladder */
  /** @typedef {import("./models").Model} Model */
  /** @typedef {import("./waves").Waves} Waves */
  /**
   * What is known before fitting: the bases to try, how values were stored, the tolerance of a cell, the rows that are
   * not set aside, the number of columns and the widths that an exponent may have been divided by.
   * @typedef {{bases: readonly Base[], stored: import("./storage").Storage, tolerance: number, rows: Float64Array,
   *   columns: number, widths: number[]}} Setting
   */
  /**
   * One ladder with numbers, still without step and start.
   * @typedef {{ladder: Ladder, base: number, width: number, omega: Float64Array}} Try
   */
  /** @typedef {(waves: Waves, setting: Setting) => Iterable<Model>} Stage */

  /** Share of cells that a model must make again to be believed; the others are then edits, and are told. */
  const MOST = 0.9;

  /** Beyond these nothing is believed: waves slow enough would explain any phase. */
  const MOST_STEP = 1e4;
  const MOST_POSITION = 2 ** 40;
  const MOST_OMEGA = 2 ** 50;

  const INTERPOLATED = Array.from({ length: 63 }, (_, i) => i + 2);
  const NICE_DIGITS = [1, 2, 3, 4, 5, 6];
  const NO_DIGITS = 9; // stands for more than six
  const FAR_TURNS = 256; // of the slowest wave, after which a start is still looked for
  const LOW = 1e-9; // relative error of phases below which it is no matter how far rows are
  const FOLLOWED = 64; // waves that lead from the slowest to the fastest
  const FASTEST = 6; // waves by which whole starts are looked for
  const SMALL_STARTS = 4096; // a table of one pair knows its start modulo a turn only; this far it is looked for
  const ALIKE = 0.7; // share of pairs whose length must be that of the middle one
  const SLIP = 1e-2; // of a length; below it pairs may be alike
  const ANGLE = 1e-7; // and of an angle
  const TRIED = 1e3; // ladders with numbers
  const BY_CHANCE = 1e-2; // what may be left to chance
  const BY_CHANCE_A_ROW = 0.1;

  /**
   * The first stage's best model that makes at least MOST of the cells again: the one that makes most of them, and of
   * those that make as many the least odd. Rests often, for work in slices.
   * @param {Float64Array[]} table
   * @param {readonly Waves[]} measured
   * @param {Setting} setting
   * @param {readonly Stage[]} [stages]
   * @returns {Generator<void, Model | null, void>}
   */
  function* explaining(table, measured, setting, stages = STAGES) {
    const good = measured.filter((waves) => waves.circular >= ROUND && waves.steady >= ROUND);
    for (const stage of stages) {
      /** @type {{odd: number[], model: Model} | null} */
      let best = null;
      for (const waves of good) {
        for (const model of stage(waves, setting)) {
          const share = agreement(table, model, setting);
          const odd = [-share, ...oddness(model, setting)];
          if (share >= MOST && (best === null || before(odd, best.odd))) {
            best = { odd, model };
          }
          yield;
        }
        yield;
      }
      if (best) {
        return best.model;
      }
    }
    return null;
  }

  /**
   * `explaining` in one go.
   * @param {Float64Array[]} table
   * @param {readonly Waves[]} measured
   * @param {Setting} setting
   * @param {readonly Stage[]} [stages]
   */
  function explained(table, measured, setting, stages = STAGES) {
    return through(explaining(table, measured, setting, stages));
  }

  /**
   * What a generator returns. @template T @param {Generator<void, T, void>} work @returns {T}
   */
  function through(work) {
    let step = work.next();
    while (!step.done) {
      step = work.next();
    }
    return step.value;
  }

  /**
   * The share of cells that the model makes again, on rows spread over the table.
   * @param {Float64Array[]} table
   * @param {Model} model
   * @param {Setting} setting
   */
  function agreement(table, model, setting) {
    const some = spread(table.length);
    const rows = some.map((row) => setting.rows[row]);
    const made = predicted(model, rows, setting.columns);
    const allowed = slack(model, rows, setting.columns, setting.stored, setting.tolerance);
    let good = 0;
    some.forEach((from, i) => {
      for (let column = 0; column < setting.columns; column += 1) {
        good += Math.abs(table[from][column] - made[i][column]) <= allowed[i][column] ? 1 : 0;
      }
    });
    return good / (some.length * setting.columns);
  }

  /** Whether one list of numbers comes before another. @param {number[]} one @param {number[]} other */
  function before(one, other) {
    const first = one.findIndex((value, i) => value !== other[i]);
    return first >= 0 && one[first] < other[first];
  }

  /**
   * Starts at 0 come before whole starts before others, upwards before downwards, plus before minus.
   * @param {Model} model
   * @param {Setting} setting
   * @returns {number[]}
   */
  function oddness(model, setting) {
    const last = model.start + model.step * setting.rows[setting.rows.length - 1];
    const whole = Math.abs(model.start - rint(model.start)) < 1e-9;
    const firstIsZero = Math.abs(model.start) < 1e-9 || Math.abs(last) < 1e-9;
    return [
      model.ladder.freeUnits && !roundUnit(model, setting) ? 1 : 0,
      digitsOf(model.base),
      firstIsZero ? 0 : whole ? 1 : 2,
      model.scale < 0 ? 1 : 0,
      Math.trunc(Math.min(Math.abs(Math.min(model.start, last)), 1e6)),
      model.step < 0 ? 1 : 0,
    ];
  }

  /** How many digits a base needs. @param {number} base */
  function digitsOf(base) {
    return NICE_DIGITS.find((digits) => significant(base, digits) === base) || NO_DIGITS;
  }

  /** Whether coordinates go through 1 or 2 in so many rows, or in whole steps. @param {Model} model @param {Setting} setting */
  function roundUnit(model, { rows }) {
    const last = rows[rows.length - 1];
    return [1, last, last + 1].some((count) => {
      const span = Math.abs(model.step) * count;
      return Math.abs(span - rint(span)) < 1e-6 && rint(span) >= 1 && rint(span) <= 2;
    });
  }

  /**
   * The x with ω_i·x ≡ angle_i (mod 2π) for all i, from the slowest wave to the fastest.
   * @param {Float64Array} angles
   * @param {Float64Array} omega
   * @param {number} error in an angle
   */
  function unwound(angles, omega, error) {
    const [slowest, ...faster] = slowToFast(omega, error, FOLLOWED);
    if (slowest === undefined) {
      return 0;
    }
    let x = angles[slowest] / omega[slowest];
    for (const index of faster) {
      x += wrap(angles[index] - omega[index] * x) / omega[index];
    }
    return x;
  }

  /**
   * Steps, and first phases, of all pairs are those of the model, as far as cells can tell.
   * @param {Waves} waves
   * @param {Float64Array} omega
   * @param {Model} model
   * @param {Setting} setting
   * @param {{phases?: boolean}} [options]
   */
  function consistent(waves, omega, model, setting, { phases = true } = {}) {
    const last = setting.rows[setting.rows.length - 1];
    const far = Math.max(Math.abs(model.start), Math.abs(model.start + model.step * last));
    if (Math.abs(model.step) > MOST_STEP || far > MOST_POSITION) {
      return false;
    }
    const half = model.scale < 0 ? Math.PI : 0;
    for (let i = 0; i < waves.step.length; i += 1) {
      const allowed = allowedOf(waves, omega, model, setting, far, i);
      if (Math.abs(wrap(waves.step[i] - omega[i] * model.step)) * Math.max(last, 1) > 2 * allowed) {
        return false;
      }
      if (phases && Math.abs(wrap(waves.phase[i] + half - omega[i] * model.start)) > allowed) {
        return false;
      }
    }
    return true;
  }

  /**
   * How far the first phase of a pair may be off.
   * @param {Waves} waves
   * @param {Float64Array} omega
   * @param {Model} model
   * @param {Setting} setting
   * @param {number} far
   * @param {number} pair
   */
  function allowedOf(waves, omega, model, setting, far, pair) {
    const phase = 2 * Math.max(setting.stored.phase, model.ladder.phase) + 1e-15;
    return (6 * setting.tolerance) / waves.amplitude[pair] + lost(phase, omega[pair]) * far;
  }

  /**
   * Whether a start so far away is more than a coincidence: of so many whole positions, and so many ladders tried, none
   * would fit all pairs by chance. Slips are believed at whole and half positions only.
   * @param {Waves} waves
   * @param {Float64Array} omega
   * @param {Model} model
   * @param {Setting} setting
   */
  function believable(waves, omega, model, setting) {
    const start = Math.abs(model.start);
    if (model.ladder.standing === "rejected" && Math.abs(2 * start - rint(2 * start)) > 1e-6) {
      return false;
    }
    if (start < SMALL_STARTS) {
      return true;
    }
    let chance = Math.log(start * TRIED);
    for (let i = 0; i < waves.step.length; i += 1) {
      chance += Math.log(Math.min(allowedOf(waves, omega, model, setting, start, i) / Math.PI, 1));
    }
    return chance < Math.log(BY_CHANCE);
  }

  /**
   * Whether positions as far as that, one for each row, are more than a coincidence: the fastest pair may have any phase
   * then, the others tell whether a position fits.
   * @param {Waves} waves
   * @param {Float64Array} omega
   * @param {Model} model
   * @param {Setting} setting
   * @param {number} far
   */
  function placeable(waves, omega, model, setting, far) {
    const fastest = argmax(omega);
    let chance = Math.log(Math.max(far, 1));
    for (let i = 0; i < omega.length; i += 1) {
      const share = Math.min(allowedOf(waves, omega, model, setting, far, i) / Math.PI, 1);
      chance += i === fastest ? 0 : Math.log(share);
    }
    return chance < Math.log(BY_CHANCE_A_ROW);
  }

  // --- what is tried

  /** Rungs of a ladder: one for each pair, and one for a sine that stands alone. @param {Waves} waves */
  function rungsOf({ layout }) {
    return layout.sines.length + (layout.alone === null ? 0 : 1);
  }

  /**
   * @param {readonly Ladder[]} ladders
   * @param {readonly Base[]} bases
   * @param {Waves} waves
   * @param {Setting} setting
   * @returns {Generator<Try, void>}
   */
  function* named(ladders, bases, waves, setting) {
    for (const ladder of ladders) {
      /** @type {Float64Array[]} */
      const seen = [];
      for (const base of ladder.takesBase ? bases : bases.slice(0, 1)) {
        for (const width of setting.widths) {
          const omega = ladder.omega(rungsOf(waves), width, base.value);
          if (omega.every((each) => each < MOST_OMEGA) && !seen.some((other) => omega.every((each, i) => each === other[i]))) {
            seen.push(omega);
            yield { ladder, base: base.value, width, omega };
          }
        }
      }
    }
  }

  /** How far a step may be off by its measure. @param {Waves} waves @param {Setting} setting */
  function stepError(waves, setting) {
    const last = setting.rows[setting.rows.length - 1];
    return (8 * setting.tolerance) / median(waves.amplitude) / Math.max(last, 1);
  }

  /**
   * The paper's and tensor2tensor's form with the base that the steps of the pairs tell, roundest first.
   * @param {Waves} waves
   * @param {Setting} setting
   * @returns {Generator<Try, void>}
   */
  function* measuredBase(waves, setting) {
    const size = waves.step.map(Math.abs);
    const error = stepError(waves, setting);
    const sure = Array.from(size.keys()).filter((rung) => size[rung] > 4 * error);
    if (size.length < 2 || sure[0] !== 0 || sure.length < 2) {
      return;
    }
    let above = 0;
    let below = 0;
    for (const rung of sure) {
      const weight = size[rung] ** 2;
      above += weight * rung * Math.log(size[rung] / size[0]);
      below += weight * rung ** 2;
    }
    const slope = above / Math.max(below, 1e-300);
    if (slope >= -1e-9) {
      return;
    }
    const rungs = rungsOf(waves);
    for (const ladder of KNOWN.slice(0, 2)) {
      const paper = ladder.key === "paper";
      for (const width of paper ? setting.widths : setting.widths.slice(0, 1)) {
        const exact = Math.exp(Math.min(-slope * (paper ? width / 2 : Math.max(rungs - 1, 1)), 600));
        for (const base of [...NICE_DIGITS.map((digits) => significant(exact, digits)), exact]) {
          yield { ladder, base, width, omega: ladder.omega(rungs, width, base) };
        }
      }
    }
  }

  /**
   * Frequencies in equal steps, whatever the step.
   * @param {Waves} waves
   * @param {Setting} setting
   * @returns {Generator<Try, void>}
   */
  function* straight(waves, setting) {
    const size = waves.step.map(Math.abs);
    const pairs = size.length;
    if (pairs < 3 || waves.layout.alone !== null || size[0] === 0) {
      return;
    }
    const slope = (size[pairs - 1] - size[0]) / (pairs - 1) / size[0];
    const omega = size.map((_, rung) => 1 + slope * rung);
    if (omega.every((each) => each > 0)) {
      const ladder = KNOWN.find(({ key }) => key === "linear");
      yield { ladder, base: setting.bases[0].value, width: setting.widths[0], omega };
    }
  }

  // --- from a ladder to models

  /**
   * @param {Iterable<Try>} tries
   * @param {Waves} waves
   * @param {Setting} setting
   * @param {"unit" | "free"} steps
   * @returns {Generator<Model, void>}
   */
  function* models(tries, waves, setting, steps) {
    if (noStart(waves, setting)) {
      return;
    }
    const scale = roundScale(median(waves.amplitude), setting);
    for (const tried of tries) {
      const omega = tried.omega.subarray(0, waves.layout.sines.length);
      const start = about(waves, omega, tried.ladder.phase, setting);
      for (const step of stepsOf(waves, omega, setting, steps)) {
        const model = modelOf({ layout: waves.layout, ...tried, scale, start, step });
        if (consistent(waves, omega, model, setting, { phases: false })) {
          for (const sign of [1, -1]) {
            yield* started(waves, omega, replaced(model, { scale: sign * scale }), setting);
          }
        }
      }
    }
  }

  /**
   * How far away the first position may be, plus or minus: what phases lose in float32 grows with it.
   * @param {Waves} waves
   * @param {Float64Array} omega
   * @param {number} phase
   * @param {Setting} setting
   */
  function about(waves, omega, phase, setting) {
    if (Math.max(setting.stored.phase, phase) < LOW) {
      return 0;
    }
    const error = (8 * setting.tolerance) / median(waves.amplitude);
    const doubled = waves.phase.map((angle) => wrap(2 * angle));
    return Math.min(Math.abs(unwound(doubled, omega.map((each) => 2 * each), error)), MOST_POSITION / 2);
  }

  /**
   * Whether no first position can explain these pairs, whatever the ladder: many have another length than the rest, or
   * all begin at one angle, which is neither 0 nor half a turn, though they turn at different speeds.
   * @param {Waves} waves
   * @param {Setting} setting
   */
  function noStart({ amplitude, phase, step }, setting) {
    const size = median(amplitude);
    const slip = 8 * setting.tolerance;
    const alike = amplitude.filter((each) => Math.abs(each - size) <= slip + SLIP * size).length;
    if (alike / amplitude.length < ALIKE) {
      return true;
    }
    const apart = (/** @type {Float64Array} */ angles) =>
      angles.reduce((most, angle) => Math.max(most, Math.abs(wrap(angle - angles[0]))), 0);
    if (step.length < 3 || slip > SLIP * size || apart(step) < SLIP) {
      return false;
    }
    return apart(phase) * size <= slip + ANGLE && Math.abs(Math.sin(phase[0])) * size > 4 * slip + SLIP;
  }

  /**
   * The factor that somebody may have chosen, if it is as near as the cells can tell.
   * @param {number} scale
   * @param {Setting} setting
   */
  function roundScale(scale, setting) {
    const width = setting.widths[0];
    const chosen = [1, 2, 3, Math.sqrt(2), 0.5, Math.sqrt(2 / width), Math.sqrt(width), 1 / Math.sqrt(width)];
    const nearby = [...chosen, ...[2, 3, 4, 5, 6, 7].map((places) => pythonRound(scale, places))];
    const found = nearby.find((each) => Math.abs(each - scale) <= 1.5 * setting.tolerance);
    return found === undefined ? scale : found;
  }

  /**
   * @param {Waves} waves
   * @param {Float64Array} omega
   * @param {Setting} setting
   * @param {"unit" | "free"} kind
   * @returns {number[]}
   */
  function stepsOf(waves, omega, setting, kind) {
    if (kind === "unit") {
      return [1, -1];
    }
    const error = stepError(waves, setting);
    const fastest = argmax(omega);
    if (omega[fastest] <= STILL) {
      return [];
    }
    const fine = Math.max(error / omega[fastest], 1e-12);
    const exacts = [waves.step[fastest] / omega[fastest], unwound(waves.step, omega, error)];
    const found = exacts.flatMap((exact) => [...rounder(exact, fine), exact]);
    return found.filter((step, i) => step !== 0 && found.indexOf(step) === i);
  }

  /**
   * Whole numbers, whole parts and short decimals as near as x was measured.
   * @param {number} x
   * @param {number} fine
   */
  function rounder(x, fine) {
    const parts = INTERPOLATED.map((part) => (x > 0 ? 1 / part : -1 / part));
    const nice = [rint(x), ...parts, pythonRound(x, 2), pythonRound(x, 3)];
    return nice.filter((each) => each !== 0 && Math.abs(each - x) <= fine);
  }

  /**
   * The first position: from the phases, slow to fast, if that is a whole number; else the nearest whole one that fits;
   * else what was found. Where steps are not whole, multiples of a step stand for whole numbers.
   * @param {Waves} waves
   * @param {Float64Array} omega
   * @param {Model} model
   * @param {Setting} setting
   * @returns {Generator<Model, void>}
   */
  function* started(waves, omega, model, setting) {
    const turned = waves.phase.map((phase) => wrap(phase + (model.scale < 0 ? Math.PI : 0)));
    const error = (4 * setting.tolerance) / median(waves.amplitude);
    const exact = unwound(turned, omega, error);
    const starts = [rint(exact), model.step * rint(exact / model.step)];
    if (omega.length === 1) {
      starts.unshift(...wholeStarts(turned, omega, 3 * error));
    } else if (Math.abs(model.step) === 1) {
      starts.push(...wholeStarts(turned, omega, 2 * error + 1e-9), ...farStarts(turned, omega, error));
    }
    for (const start of new Set([...starts, pythonRound(exact, 4), exact])) {
      const begun = replaced(model, { start: start + 0 });
      if (consistent(waves, omega, begun, setting) && believable(waves, omega, begun, setting)) {
        yield begun;
        return;
      }
    }
  }

  /** Nearest to 0 first, equals as they came. @param {number[]} whole */
  function nearestFirst(whole) {
    return whole.sort((one, other) => Math.abs(one) - Math.abs(other));
  }

  /**
   * Whole positions at which the fastest waves have these phases, nearest to 0 first.
   * @param {Float64Array} phase
   * @param {Float64Array} omega
   * @param {number} error
   */
  function wholeStarts(phase, omega, error) {
    let whole = Array.from({ length: SMALL_STARTS + 1 }, (_, i) => i - 1);
    for (const index of argsort(omega.map((each) => -each)).slice(0, FASTEST)) {
      const allowed = error + 1e-6 * omega[index];
      whole = whole.filter((position) => Math.abs(wrap(phase[index] - omega[index] * position)) <= allowed);
    }
    return nearestFirst(whole).slice(0, 4);
  }

  /**
   * Positions after some turns of the slowest wave, made finer wave by wave: the whole ones, nearest to 0 first.
   * @param {Float64Array} phase
   * @param {Float64Array} omega
   * @param {number} error
   */
  function farStarts(phase, omega, error) {
    const [slowest, ...faster] = slowToFast(omega, 0, FOLLOWED);
    if (slowest === undefined) {
      return [];
    }
    const found = [];
    for (let turns = -2; turns < FAR_TURNS; turns += 1) {
      let x = (phase[slowest] + 2 * Math.PI * turns) / omega[slowest];
      for (const index of faster) {
        x += wrap(phase[index] - omega[index] * x) / omega[index];
      }
      if (Math.abs(x - rint(x)) <= error + 1e-6 && Math.abs(x) < MOST_POSITION) {
        found.push(rint(x));
      }
    }
    return nearestFirst(found).slice(0, 8);
  }

  /**
   * Steps on a ladder, lengths and first phases of the pairs' own: a vector turned by R_k.
   * @type {Stage}
   */
  function* rotated(waves, setting) {
    if (waves.layout.alone !== null || waves.layout.sines.length < 2) {
      return;
    }
    for (const tried of [...named(KNOWN.slice(0, 3), setting.bases, waves, setting), ...measuredBase(waves, setting)]) {
      for (const step of [1, -1]) {
        const model = modelOf({ layout: waves.layout, ...tried, scale: 1, start: 0, step });
        if (consistent(waves, tried.omega, model, setting, { phases: false })) {
          yield replaced(model, { amplitudes: waves.amplitude, offsets: waves.phase });
        }
      }
    }
  }

  /**
   * @param {readonly Ladder[]} ladders
   * @param {"unit" | "free"} steps
   * @param {number} [most] bases that are tried
   * @returns {Stage}
   */
  function stageOf(ladders, steps, most) {
    return (waves, setting) =>
      models(named(ladders, setting.bases.slice(0, most), waves, setting), waves, setting, steps);
  }

  /**
   * With one or two pairs nearly every slip is some base's good table, and is taken for that.
   * @type {Stage}
   */
  function fewPairs(waves, setting) {
    return waves.layout.sines.length <= 2 ? stageOf(KNOWN, "unit")(waves, setting) : [];
  }

  /** @type {readonly Stage[]} */
  const STAGES = Object.freeze([
    stageOf(KNOWN, "unit", 1),
    stageOf(KNOWN.slice(0, 1), "unit"),
    fewPairs,
    stageOf(SINGLE, "unit", 1),
    stageOf(BROKEN, "unit", 1),
    stageOf(KNOWN, "unit"),
    (waves, setting) => models(measuredBase(waves, setting), waves, setting, "unit"),
    stageOf(KNOWN, "free", 1),
    (waves, setting) => models(measuredBase(waves, setting), waves, setting, "free"),
    (waves, setting) => models(straight(waves, setting), waves, setting, "free"),
    stageOf(KNOWN, "free"),
  ]);

  /**
   * Tried when no other order of columns explains the table either.
   * @type {readonly Stage[]}
   */
  const LATE = Object.freeze([stageOf(BROKEN, "free", 1), rotated]);

  posenc.check.fit = Object.freeze({
    MOST,
    STAGES,
    LATE,
    explaining,
    explained,
    through,
    agreement,
    unwound,
    consistent,
    believable,
    placeable,
  });
})();
