/**
 * A model: everything that makes a table, so that the table can be made again and compared cell by cell. Mirrors
 * posenc/check/models.py.
 */
(function () {
  "use strict";

  const { BASES } = posenc.check.ladders;

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
   * By how much a phase may be off for each position, when ω was computed as exp(−e) in the format that `phase` tells
   * of: the rounding of e itself makes the error of ω grow with e.
   * @param {number} phase
   * @param {number} omega
   */
  function lost(phase, omega) {
    return phase * omega * (1 + Math.abs(Math.log(Math.max(omega, 1e-300))));
  }

  /**
   * How far each cell may be off: more where scale or base was measured, and where phases were computed in float32.
   * @param {Model} model
   * @param {ArrayLike<number>} rows
   * @param {number} width
   * @param {import("./storage").Storage} stored
   * @param {number} tolerance
   * @returns {Table}
   */
  function slack(model, rows, width, stored, tolerance) {
    const { amplitudes, base, ladder, layout, omega, scale } = model;
    const phase = Math.max(stored.phase, ladder.phase);
    const measured = ladder.takesBase && BASES.every(({ value }) => value !== base);
    const times = measured ? 3 : Math.abs(scale) === 1 && !amplitudes ? 1 : 1.5;
    const each = new Float64Array(width);
    const places = layout.alone === null ? layout.sines : [...layout.sines, layout.alone];
    places.forEach((place, i) => {
      each[place] = Math.abs(scale) * lost(phase, omega[i]);
    });
    layout.cosines.forEach((place, i) => {
      each[place] = each[layout.sines[i]];
    });
    return Array.from(at(model, rows), (position) =>
      each.map((loss) => Math.abs(position) * loss + times * tolerance),
    );
  }

  posenc.check.models = Object.freeze({ modelOf, replaced, at, fill, predicted, lost, slack });
})();
