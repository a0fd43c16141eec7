/**
 * The sinusoidal positional encoding (Vaswani et al. 2017, arXiv:1706.03762, section 3.5).
 *
 *     PE(pos, 2i)     = sin(pos · ω_i)
 *     PE(pos, 2i + 1) = cos(pos · ω_i)        ω_i = 1 / base^(2i / d_model),  i = 0 … d_model/2 − 1
 *
 * Mirrors posenc/engine.py and checks.py function for function and touches no page. Arguments are named in errors as
 * they are named there.
 */
(function () {
  "use strict";

  /** @typedef {number[] | Float64Array} Numbers */
  /** @typedef {{d_model: number, n_positions: number, base: number, tolerance: number}} Config */

  /** @param {unknown} value */
  function shown(value) {
    return typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value);
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {string} allowed
   */
  function failure(name, value, allowed) {
    return new RangeError(`${name} must be ${allowed}, got ${shown(value)}`);
  }

  /**
   * A whole number of at least `minimum`.
   * @param {string} name
   * @param {unknown} value
   * @param {number} minimum
   * @returns {number}
   */
  function integer(name, value, minimum) {
    if (!Number.isInteger(value) || value < minimum) {
      throw failure(name, value, `an integer of at least ${minimum}`);
    }
    return value;
  }

  /**
   * An even whole number of at least 2.
   * @param {string} name
   * @param {unknown} value
   * @returns {number}
   */
  function width(name, value) {
    if (!Number.isInteger(value) || value < 2 || value % 2 !== 0) {
      throw failure(name, value, "an even integer of at least 2");
    }
    return value;
  }

  /**
   * A finite number, above zero when `positive`.
   * @param {string} name
   * @param {unknown} value
   * @param {boolean} [positive]
   * @returns {number}
   */
  function real(name, value, positive = false) {
    if (!Number.isFinite(value) || (positive && value <= 0)) {
      throw failure(name, value, positive ? "a finite number above 0" : "a finite number");
    }
    return value;
  }

  /**
   * A one-dimensional array of at least one finite number, as Float64Array.
   * @param {string} name
   * @param {unknown} value
   * @returns {Float64Array}
   */
  function vector(name, value) {
    const listed = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
    if (!listed || !Array.prototype.every.call(value, (item) => typeof item === "number")) {
      throw failure(name, value, "a one-dimensional sequence of real numbers");
    }
    if (value.length < 1) {
      throw failure(name, value, "at least one number long");
    }
    const first = value.findIndex((item) => !Number.isFinite(item));
    if (first >= 0) {
      throw new RangeError(`${name} must be finite numbers, got ${value[first]} at index ${first}`);
    }
    return Float64Array.from(value);
  }

  /**
   * Angular frequency ω_i of each pair, in radians per position.
   * @param {number} dModel
   * @param {number} [base]
   * @returns {Float64Array}
   */
  function frequencies(dModel, base = 10000) {
    width("d_model", dModel);
    real("base", base, true);
    return Float64Array.from({ length: dModel / 2 }, (_, i) => 1 / Math.pow(base, (2 * i) / dModel));
  }

  /**
   * Positions per full turn of each pair, 2π/ω_i.
   * @param {Numbers} omega
   * @returns {Float64Array}
   */
  function wavelengths(omega) {
    return vector("omega", omega).map((frequency) => (2 * Math.PI) / frequency);
  }

  /**
   * One row per position. Positions may be any finite real numbers.
   * @param {Numbers} positions
   * @param {number} dModel
   * @param {number} [base]
   * @returns {Float64Array[]}
   */
  function encode(positions, dModel, base = 10000) {
    const steps = vector("positions", positions);
    const omega = frequencies(dModel, base);
    return Array.from(steps, (position) => {
      const row = new Float64Array(dModel);
      angles("positions", position, omega).forEach((angle, i) => {
        row[2 * i] = Math.sin(angle);
        row[2 * i + 1] = Math.cos(angle);
      });
      return row;
    });
  }

  /**
   * The 2×2 blocks of R_k, acting on (sine, cosine) of each pair; built from k and ω alone.
   * Each block turns its pair clockwise by k·ω_i.
   * @param {number} k
   * @param {Numbers} omega
   * @returns {number[][][]}
   */
  function rotation(k, omega) {
    return Array.from(angles("k", real("k", k), vector("omega", omega)), (angle) => {
      const cos = Math.cos(angle);
      const sin = Math.sin(angle);
      return [[cos, sin], [-sin, cos]];
    });
  }

  /**
   * R_k applied to each row.
   * @param {Numbers[]} rows
   * @param {number} k
   * @param {Numbers} omega
   * @returns {Float64Array[]}
   */
  function rotate(rows, k, omega) {
    const blocks = rotation(k, omega);
    return Array.from(rows, (row) => {
      if (row.length !== 2 * blocks.length) {
        throw new RangeError(
          `rows must have ${2 * blocks.length} columns, one pair per frequency, got ${row.length}`,
        );
      }
      const turned = new Float64Array(row.length);
      blocks.forEach(([upper, lower], i) => {
        turned[2 * i] = upper[0] * row[2 * i] + upper[1] * row[2 * i + 1];
        turned[2 * i + 1] = lower[0] * row[2 * i] + lower[1] * row[2 * i + 1];
      });
      return turned;
    });
  }

  /**
   * @param {string} name
   * @param {number} step
   * @param {Float64Array} omega
   */
  function angles(name, step, omega) {
    const turned = omega.map((frequency) => step * frequency);
    if (!turned.every(Number.isFinite)) {
      throw new RangeError(`${name} must keep ${name}·ω finite, got ${Math.abs(step)}`);
    }
    return turned;
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.checks = { integer, width, real, vector };
  posenc.engine = { frequencies, wavelengths, encode, rotation, rotate };
})();
