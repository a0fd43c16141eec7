/**
 * A table as a file: CSV, JSON and NumPy's own format. Touches no page: the text or the bytes are all it gives.
 *
 * Every float64 comes back as it was, bit for bit: as text it has the fewest digits that no other number shares.
 * JSON knows neither NaN nor ∞, so null stands for both there; CSV says NaN, Infinity and -Infinity.
 * Text of a large table takes its time: the generators rest, as in proof.js.
 */
(function () {
  "use strict";

  const DIGITS = 4; // times what a sine costs, is what writing a number does
  const ALIGNED = 64; // bytes: where NumPy wants the numbers to begin

  /** @typedef {number[] | Float64Array} Numbers */

  /**
   * The table with one line per row, and no line for names.
   * @param {Numbers[]} table
   * @returns {Generator<{done: number}, string, void>}
   */
  function* csvSlices(table) {
    return (yield* lines(table, text)).map((line) => `${line}\n`).join("");
  }

  /**
   * The table as rows of columns, one row a line, and the config that it was built from.
   * @param {Numbers[]} table
   * @param {object} config
   * @returns {Generator<{done: number}, string, void>}
   */
  function* jsonSlices(table, config) {
    const rows = yield* lines(table, (value) => (Number.isFinite(value) ? text(value) : "null"));
    return `{"config": ${JSON.stringify(config)},\n"table": [\n${rows.map((row) => `[${row}]`).join(",\n")}\n]}\n`;
  }

  /**
   * @param {Numbers[]} table
   * @param {(value: number) => string} cell
   * @returns {Generator<{done: number}, string[], void>}
   */
  function* lines(table, cell) {
    const written = [];
    yield* globalThis.posenc.proof.byRows(table.length, DIGITS * table[0].length, (from, to) => {
      for (let position = from; position < to; position += 1) {
        written.push(Array.from(table[position], cell).join(","));
      }
    });
    return written;
  }

  /** @param {number} value */
  function text(value) {
    return Object.is(value, -0) ? "-0.0" : String(value); // String(-0) is 0, and a JSON -0 an integer to Python
  }

  /**
   * A .npy file, format 1.0: magic, version, length of the header, header, then the rows as little-endian float64.
   * @param {Numbers[]} table
   * @returns {Uint8Array}
   */
  function npy(table) {
    const columns = table[0].length;
    const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${table.length}, ${columns}), }`;
    const before = "\x93NUMPY\x01\x00".length + 2;
    const first = Math.ceil((before + header.length + 1) / ALIGNED) * ALIGNED;
    const start = `\x93NUMPY\x01\x00__${header.padEnd(first - before - 1)}\n`;
    const bytes = new Uint8Array(first + table.length * columns * Float64Array.BYTES_PER_ELEMENT);
    bytes.set(Uint8Array.from(start, (sign) => sign.charCodeAt(0)));
    const view = new DataView(bytes.buffer);
    view.setUint16(before - 2, first - before, true);
    table.forEach((row, position) => {
      for (let column = 0; column < columns; column += 1) {
        const cell = position * columns + column;
        view.setFloat64(first + cell * Float64Array.BYTES_PER_ELEMENT, row[column], true);
      }
    });
    return bytes;
  }

  /** @param {Numbers[]} table */
  const csv = (table) => globalThis.posenc.proof.finish(csvSlices(table));

  /**
   * @param {Numbers[]} table
   * @param {object} config
   */
  const json = (table, config) => globalThis.posenc.proof.finish(jsonSlices(table, config));

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.downloads = { csv, json, npy, csvSlices, jsonSlices };
})();
