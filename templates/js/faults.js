/**
 * Planted faults: tables that are not the encoding, each a slip that is made, or nearly made, in earnest.
 *
 * A fault is told by its rows: `rows[name](position, config)` is one row, so that a page can build a table in slices.
 * Mirrors posenc/faults.py function for function and touches no page.
 */
(function () {
  "use strict";

  /** @typedef {{d_model: number, n_positions: number, base: number}} Config */
  /** @typedef {(position: number, config: Config) => Float64Array} Row */

  const BFLOAT16 = 256; // 2 to the number of bits of its significand, the hidden one counted

  /** @type {{key: string, omega: Float64Array}} the last ladder, as the rows of a table share one */
  let ladder = { key: "", omega: new Float64Array() };

  /**
   * @param {number} dModel
   * @param {number} base
   */
  function frequencies(dModel, base) {
    const key = `${dModel} ${base}`;
    if (ladder.key !== key) {
      ladder = { key, omega: globalThis.posenc.engine.frequencies(dModel, base) };
    }
    return ladder.omega;
  }

  /**
   * Sine and cosine of each pair, side by side.
   * @param {number} position
   * @param {Config} config
   * @param {number} [width] of the ladder
   */
  function encoded(position, config, width = config.d_model) {
    const omega = frequencies(width, config.base);
    const row = new Float64Array(config.d_model);
    for (let i = 0; 2 * i < row.length; i += 1) {
      row[2 * i] = Math.sin(position * omega[i]);
      row[2 * i + 1] = Math.cos(position * omega[i]);
    }
    return row;
  }

  /** @type {Row} PE = pos: every column holds the position itself. */
  const raw = (position, config) => new Float64Array(config.d_model).fill(position);

  /** @type {Row} the cosine of pair i at exponent 2(i + 1) */
  function cosine(position, config) {
    const omega = frequencies(config.d_model, config.base);
    const step = Math.pow(config.base, -2 / config.d_model);
    return encoded(position, config).map((value, column) =>
      column % 2 ? Math.cos(position * (omega[(column - 1) / 2] * step)) : value,
    );
  }

  /** @type {Row} exponent i/d for 2i/d: the first half of an encoding twice as wide */
  const exponent = (position, config) => encoded(position, config, 2 * config.d_model);

  /** @type {Row} the sine in the cosine's place too */
  const sine = (position, config) => encoded(position, config).map((_, column, row) => row[column - (column % 2)]);

  /** @type {Row} positions counted from 1 */
  const fromOne = (position, config) => encoded(position + 1, config);

  /** @type {Row} all sines, then all cosines */
  function halves(position, config) {
    const row = encoded(position, config);
    const half = row.length / 2;
    return row.map((_, column) => row[column < half ? 2 * column : 2 * (column - half) + 1]);
  }

  /** @type {Row} positions rounded to bfloat16 before the encoding sees them */
  const bfloat16 = (position, config) => encoded(rounded(position), config);

  /**
   * A whole number rounded to the nearest that bfloat16 holds, ties to even.
   * @param {number} whole
   */
  function rounded(whole) {
    let unit = 1;
    while (Math.abs(whole) >= BFLOAT16 * unit) {
      unit *= 2;
    }
    const units = whole / unit;
    const below = Math.floor(units);
    const up = units - below > 0.5 || (units - below === 0.5 && below % 2 !== 0);
    return (below + Number(up)) * unit;
  }

  /**
   * The column that belongs in each place, where only the order is strange.
   * @type {Record<string, (config: Config) => number[]>}
   */
  const mend = {
    halves: ({ d_model: width }) =>
      Array.from({ length: width }, (_, column) => Math.floor(column / 2) + (column % 2) * (width / 2)),
  };

  /** @type {Record<string, Row>} in the order in which the page offers them */
  const rows = { raw, cosine, exponent, sine, "from-one": fromOne, halves, bfloat16 };

  /**
   * The table of the raw index.
   * @param {Config} config
   * @returns {Float64Array[]}
   */
  const rawIndex = (config) => Array.from({ length: config.n_positions }, (_, position) => raw(position, config));

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.faults = { names: Object.keys(rows), rows, mend, rawIndex };
})();
