/**
 * A model: everything that makes a table, so that the table can be made again and compared cell by cell. Mirrors
 * posenc/check/models.py.
 */
(function () {
  "use strict";

  /** @typedef {Float64Array[]} Table */
  /**
   * value = scale · sin or cos of (position · ω_i + offset_i), position = start + step · row.
   *
   * omega has one rung more than there are pairs when a sine stands alone. `amplitudes` and `offsets` are those of a
   * rotated vector, else null. `positions` is given when they do not run in equal steps.
   * @typedef {{layout: import("./waves").Layout, ladder: import("./ladders").Ladder, base: number, width: number,
   *   omega: Float64Array, scale: number, start: number, step: number, amplitudes: Float64Array | null,
   *   offsets: Float64Array | null, positions: Float64Array | null}} Model
   */

  /** @param {Omit<Model, "amplitudes" | "offsets" | "positions"> & Partial<Model>} given @returns {Readonly<Model>} */
  function modelOf(given) {
    return Object.freeze({ amplitudes: null, offsets: null, positions: null, ...given });
  }

  /** The same model, but for some of its fields. @param {Model} model @param {Partial<Model>} other */
  function replaced(model, other) {
    return Object.freeze({ ...model, ...other });
  }

  /**
   * Positions of rows, counted from 0.
   * @param {Model} model
   * @param {ArrayLike<number>} rows
   * @returns {Float64Array}
   */
  function at(model, rows) {
    const { positions, start, step } = model;
    return Float64Array.from(rows, (row) => (positions ? positions[Math.trunc(row)] : start + step * row));
  }

  /**
   * One row of the table at a position, written into `row`.
   * @param {Model} model
   * @param {number} position
   * @param {Float64Array} row
   */
  function fill(model, position, row) {
    const { amplitudes, layout, offsets, omega, scale } = model;
    const pairs = layout.sines.length;
    for (let i = 0; i < pairs; i += 1) {
      const angle = position * omega[i] + (offsets ? offsets[i] : 0);
      const size = amplitudes ? amplitudes[i] : scale;
      row[layout.sines[i]] = size * Math.sin(angle);
      row[layout.cosines[i]] = size * Math.cos(angle);
    }
    if (layout.alone !== null) {
      row[layout.alone] = scale * Math.sin(position * omega[pairs]);
    }
  }

  /**
   * How far each cell of a row may be off, written into `row`.
   * @param {Model} model
   * @param {number} position
   * @param {Float64Array} row
   * @param {number} phase relative error of a phase
   * @param {number} tolerance
   */
  function allow(model, position, row, phase, tolerance) {
    const { layout, omega, scale } = model;
    const pairs = layout.sines.length;
    const least = Math.abs(scale) === 1 && !model.amplitudes ? tolerance : 1.5 * tolerance;
    const lost = Math.abs(scale) * phase * Math.abs(position);
    row.fill(least);
    for (let i = 0; i < pairs; i += 1) {
      row[layout.sines[i]] = row[layout.cosines[i]] = least + lost * omega[i];
    }
    if (layout.alone !== null) {
      row[layout.alone] = least + lost * omega[pairs];
    }
  }

  /**
   * The table that the model makes at these rows, `width` columns wide.
   * @param {Model} model
   * @param {ArrayLike<number>} rows
   * @param {number} width
   * @returns {Table}
   */
  function predicted(model, rows, width) {
    return Array.from(at(model, rows), (position) => {
      const row = new Float64Array(width);
      fill(model, position, row);
      return row;
    });
  }

  /**
   * How far each cell may be off: more where the scale was measured, and where phases were computed in float32.
   * @param {Model} model
   * @param {ArrayLike<number>} rows
   * @param {number} width
   * @param {import("./storage").Storage} stored
   * @param {number} tolerance
   * @returns {Table}
   */
  function slack(model, rows, width, stored, tolerance) {
    return Array.from(at(model, rows), (position) => {
      const row = new Float64Array(width);
      allow(model, position, row, stored.phase, tolerance);
      return row;
    });
  }

  posenc.check.models = Object.freeze({ modelOf, replaced, at, fill, allow, predicted, slack });
})();
