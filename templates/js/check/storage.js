/**
 * In which format were the values stored? Decided by what can be represented in it, never by the size of an error.
 *
 * A format is believed when all but a few cells are representable in it; the few are suspects of having been edited.
 * Mirrors posenc/check/storage.py.
 */
(function () {
  "use strict";

  const { FORMATS, decimal, printed, rint, significant } = posenc.check.numbers;

  /**
   * key: float64, float32, float16, bfloat16, decimals, digits; places: how many decimals or digits. `absolute` and
   * `relative` bound what storing alone does to a value; `phase` tells the relative error of a phase (models.js, lost)
   * in the format that the table was computed in: mostly float32 where it is stored in less than float64.
   * @typedef {{key: string, places: number, absolute: number, relative: number, phase: number}} Storage
   */

  const STRAY = 2; // cells that need not be representable: they may have been edited
  const STRAY_SHARE = 0.005;
  const DECIMALS = 12;
  const SHORT_DECIMALS = 6; // of numbers that were then kept as float32
  const DIGITS = [2, 3, 4, 5, 6, 7, 8, 9, 10];
  const SINGLE_DIGITS = 7; // from so many decimals on, values may be float32 as it is printed
  const SAMPLE = 2048;

  /** @param {Partial<Storage> & {key: string}} given @returns {Readonly<Storage>} */
  function made(given) {
    return Object.freeze({ places: 0, absolute: 0, relative: 0, phase: 0, ...given });
  }

  const DOUBLE = 1e-15;
  const SINGLE = 2.4e-7;
  const FLOAT64 = made({ key: "float64", phase: DOUBLE });
  const FLOAT32 = made({ key: "float32", relative: 2 ** -24, phase: SINGLE });
  const FLOAT16 = made({ key: "float16", absolute: 2 ** -25, relative: 2 ** -11, phase: SINGLE });
  const BFLOAT16 = made({ key: "bfloat16", relative: 2 ** -8, phase: SINGLE });
  /** float64 that holds what was computed in float32 and then scaled. */
  const COMPUTED_LOW = made({ key: "float64", relative: 2 ** -23, phase: SINGLE });
  const PRINTED = made({ key: "float32", relative: 1.2 * 2 ** -24, phase: SINGLE });

  /** @param {number} places @param {number} [relative] */
  function decimals(places, relative = 0) {
    return made({ key: "decimals", places, absolute: 0.5 * Number(`1e-${places}`), relative, phase: SINGLE });
  }

  /**
   * How far a value of size `scale` may be from the truth by its storage alone, and at least `least`.
   * @param {Storage} stored
   * @param {number} scale
   * @param {number} least
   */
  function toleranceOf(stored, scale, least) {
    return Math.max(least, 1.02 * (stored.absolute + stored.relative * scale));
  }

  /**
   * The lowest format in which nearly all values are representable, float64 if there is none.
   * @param {Float64Array[]} table
   */
  function storage(table) {
    const values = finite(table);
    if (values.every((value) => value === rint(value))) {
      return FLOAT64;
    }
    const every = Math.max(Math.floor(values.length / SAMPLE), 1);
    const sample = values.filter((_, i) => i % every === 0);
    const all = (/** @type {(value: number) => boolean} */ good) => most(sample, good) && most(values, good);
    if (all((value) => FORMATS.bfloat16(value) === value)) {
      return BFLOAT16;
    }
    if (all((value) => FORMATS.float16(value) === value)) {
      return FLOAT16;
    }
    if (all((value) => Math.fround(value) === value)) {
      return shortSingles(all);
    }
    for (let places = 1; places <= DECIMALS; places += 1) {
      if (places === SINGLE_DIGITS && most(sample, (value) => significant(value, places - 1) === value)) {
        return fewDigits(sample);
      }
      if (places === SINGLE_DIGITS && most(sample, isPrinted)) {
        return PRINTED;
      }
      if (all((value) => decimal(value, places) === value)) {
        return decimals(places);
      }
    }
    return most(sample, (value) => significant(value, 9) === value) ? fewDigits(sample) : FLOAT64;
  }

  /** @param {Float64Array[]} table */
  function finite(table) {
    const values = new Float64Array(table.length * table[0].length);
    let length = 0;
    for (const row of table) {
      for (const value of row) {
        if (Number.isFinite(value)) {
          values[length] = value;
          length += 1;
        }
      }
    }
    return values.subarray(0, length);
  }

  /**
   * float32, unless each is the single of a number with a few decimals.
   * @param {(good: (value: number) => boolean) => boolean} all
   */
  function shortSingles(all) {
    for (let places = 1; places <= SHORT_DECIMALS; places += 1) {
      if (all((value) => Math.fround(decimal(value, places)) === value)) {
        return decimals(places, 2 ** -24);
      }
    }
    return FLOAT32;
  }

  /** At most nine significant digits: float32 as it is printed, or fewer. @param {Float64Array} sample */
  function fewDigits(sample) {
    for (const places of DIGITS) {
      if (most(sample, (value) => significant(value, places) === value)) {
        if (places >= 7 && sample.every(isPrinted)) {
          break;
        }
        return made({ key: "digits", places, relative: 0.5 * Number(`1e${1 - places}`), phase: SINGLE });
      }
    }
    return PRINTED;
  }

  /** Whether a value's float32 prints as it stands, and is the value. @param {number} value */
  function isPrinted(value) {
    const single = Math.fround(value);
    return Number.isFinite(single) && printed(single) === value;
  }

  /**
   * Whether all but a few values are good.
   * @param {Float64Array} values
   * @param {(value: number) => boolean} good
   */
  function most(values, good) {
    const allowed = Math.max(values.length > 15 ? STRAY : 0, STRAY_SHARE * values.length);
    let bad = 0;
    for (let i = 0; i < values.length; i += 1) {
      if (!good(values[i])) {
        bad += 1;
        if (bad > allowed) {
          return false;
        }
      }
    }
    return true;
  }

  posenc.check.storage = Object.freeze({ storage, toleranceOf, FLOAT64, FLOAT32, FLOAT16, BFLOAT16, PRINTED, COMPUTED_LOW });
})();
