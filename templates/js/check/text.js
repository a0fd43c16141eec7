/**
 * Tables as text: CSV as people have it, tabs, blanks, JSON. Bytes in, an array out, or Unreadable with the place.
 *
 * Mirrors posenc/check/text.py, down to how Python's csv and float read; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});

  const [MAX_COLUMNS, MAX_ROWS, MAX_CELLS, MAX_LINE] = [2 ** 16, 2 ** 20, 2 ** 22, 2 ** 21];
  const MAX_FIELD = 2 ** 17; // signs of one cell
  const DEPTH = 8; // of lists in JSON
  const NOTHING = new Set(["", "nan", "na", "n/a", "null", "none", "-nan", "+nan", "#n/a"]);
  const INDEX_NAMES = new Set(["", "index", "idx", "pos", "position", "row", "unnamed: 0", "#", "t", "step"]);
  const COMMA_NUMBERS = /^\s*[-+−]?\d+,\d+(?:[eE][-+−]?\d+)?(?:\s+[-+−]?\d+,\d+(?:[eE][-+−]?\d+)?)+\s*$/;
  const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
  const ENDLESS = /^([-+]?)inf(?:inity)?$/i;
  const ENDLESS_DIGITS = /(?:^|[[,:\s-])\d{310,}(?![\d.eE])/; // a whole number beyond all floats
  const LINE_ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;
  const BLANKS = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
  const OUTER_BLANKS = new RegExp(`^${BLANKS}|${BLANKS}$`, "g");
  const INNER_BLANKS = new RegExp(BLANKS);
  const SIGNS = Object.freeze({ "−": "-", "\u00a0": " ", "\u202f": " ", "﹣": "-", "－": "-" });

  /** @typedef {{shape: number[], data: Float64Array, dtype: string, kind: string}} Flat row after row */

  /** Why a file cannot be read: a key of the words, and its numbers. The words themselves come where they are known. */
  class Unreadable extends Error {
    /**
     * @param {string} key
     * @param {Record<string, any>} [numbers]
     */
    constructor(key, numbers = {}) {
      super(key);
      this.name = "Unreadable";
      this.key = key;
      this.numbers = numbers;
    }
  }

  /**
   * @param {number[]} shape
   * @param {Float64Array} data
   * @returns {Flat}
   */
  function flat(shape, data) {
    return { shape, data, dtype: "float64", kind: "f" };
  }

  /**
   * Rows of numbers; header, index, both or nothing was left out.
   * @param {Uint8Array} content
   * @returns {{array: Flat, without: string}}
   */
  function fromText(content) {
    const text = decoded(content).replace(/[[\]]/g, " ");
    const lines = linesOf(text);
    if (!lines.length) {
      throw new Unreadable("no-numbers");
    }
    const { delimiter, comma } = separators(lines);
    const cells = cellsOf(lines, delimiter);
    const header = splitHeader(cells, comma);
    const rows = header === null ? cells : cells.slice(1);
    if (!rows.length) {
      throw new Unreadable("no-numbers");
    }
    let table = numbersOf(rows, comma, header === null ? 1 : 2);
    if (table[0].length > 1 && rows.every((row) => row[row.length - 1] === "")) {
      table = table.map((row) => row.subarray(0, -1)); // every row ends with a separator
    }
    const index = isIndex(table, header);
    const kept = index ? table.map((row) => row.subarray(1)) : table;
    const without = { true: { true: "both", false: "header" }, false: { true: "index", false: "" } };
    return { array: joined(kept), without: without[`${header !== null}`][`${index}`] };
  }

  /**
   * Lines with something in them, comments left out; no more and no longer ones than a table may have.
   * @param {string} text
   */
  function linesOf(text) {
    const found = countOf(text, "\n") + countOf(text, "\r");
    if (found > 2 * MAX_ROWS) {
      throw new Unreadable("lines", { lines: found, limit: MAX_ROWS });
    }
    const lines = text.split(LINE_ENDS);
    const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
    if (longest > MAX_LINE) {
      throw new Unreadable("long-line", { row: 1 + lines.findIndex((line) => line.length === longest) });
    }
    return lines.filter((line) => !/^[#%]|^$/.test(stripped(line)));
  }

  /**
   * @param {string} text
   * @param {string} sign
   */
  function countOf(text, sign) {
    let count = 0;
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
      count += 1;
    }
    return count;
  }

  /** @param {Float64Array[]} table */
  function joined(table) {
    const [height, width] = [table.length, table[0].length];
    const data = new Float64Array(height * width);
    table.forEach((row, place) => data.set(row, place * width));
    return flat([height, width], data);
  }

  /** @param {string} text */
  function stripped(text) {
    return text.replace(OUTER_BLANKS, "");
  }

  /**
   * UTF-8, with or without its mark, or UTF-16 with it; line ends of any system.
   * @param {Uint8Array} content
   */
  function decoded(content) {
    const [first, second] = content;
    const mark = first === 0xff && second === 0xfe ? "le" : first === 0xfe && second === 0xff ? "be" : "";
    let text;
    try {
      text = new TextDecoder(mark ? `utf-16${mark}` : "utf-8", { fatal: true }).decode(content);
    } catch {
      throw new Unreadable("not-text");
    }
    if (text.includes("\0")) {
      throw new Unreadable("not-text");
    }
    return text.replace(/[−\u00a0\u202f﹣－]/g, (sign) => SIGNS[/** @type {"−"} */ (sign)]);
  }

  /**
   * What stands between two cells (null for blanks), and whether a comma is the decimal sign.
   * @param {string[]} lines
   */
  function separators(lines) {
    const some = lines.slice(0, 20);
    const together = some.join("\n");
    for (const sign of [";", "\t", "|"]) {
      if (together.includes(sign)) {
        const comma = /\d,\d/.test(together) && !together.replace(/[A-Za-z]\S*/g, "").includes(".");
        return { delimiter: sign, comma };
      }
    }
    if (some.every((line) => COMMA_NUMBERS.test(line))) {
      return { delimiter: null, comma: true };
    }
    return { delimiter: together.includes(",") ? "," : null, comma: false };
  }

  /**
   * @param {string[]} lines
   * @param {string | null} delimiter
   * @returns {string[][]}
   */
  function cellsOf(lines, delimiter) {
    const quoted = delimiter !== null && lines.some((line) => line.includes('"'));
    const split = (/** @type {string} */ line) =>
      delimiter === null ? stripped(line).split(INNER_BLANKS) : line.split(delimiter);
    const rows = quoted ? records(lines.join("\n"), delimiter) : lines.map(split);
    if (rows.reduce((count, row) => count + row.length, 0) > MAX_CELLS) {
      throw new Unreadable("text-cells", { limit: MAX_CELLS });
    }
    for (const row of rows) {
      for (let column = 0; column < row.length; column += 1) {
        if (row[column].length > MAX_FIELD) {
          throw new Unreadable("not-text");
        }
        row[column] = stripped(row[column]);
      }
    }
    return rows;
  }

  /**
   * Rows of cells that may stand in quotes, sign by sign as Python's csv reads them.
   * @param {string} text
   * @param {string} delimiter
   */
  function records(text, delimiter) {
    /** @type {string[][]} */
    const rows = [];
    /** @type {string[]} */
    let row = [];
    let cell = "";
    /** @type {"begin" | "plain" | "quoted" | "closed"} */
    let state = "begin";
    const save = () => {
      row.push(cell);
      [cell, state] = ["", "begin"];
    };
    for (const sign of `${text}\n`) {
      if (state === "quoted") {
        [cell, state] = sign === '"' ? [cell, "closed"] : [cell + sign, "quoted"];
      } else if (sign === "\n") {
        save();
        rows.push(row);
        row = [];
      } else if (sign === delimiter) {
        save();
      } else if (state === "begin") {
        if (sign === '"') {
          state = "quoted";
        } else if (sign !== " ") {
          [cell, state] = [sign, "plain"];
        }
      } else {
        state = state === "closed" && sign === '"' ? "quoted" : "plain";
        cell += sign;
      }
    }
    if (state === "quoted") {
      row.push(cell);
      rows.push(row);
    }
    return rows;
  }

  /**
   * The first row if it is none of numbers, or counts the columns as pandas does.
   * @param {string[][]} cells
   * @param {boolean} comma
   */
  function splitHeader(cells, comma) {
    const [first] = cells;
    if (first.some((cell) => numberOf(cell, comma) === null)) {
      return first;
    }
    const names = first[0] === "" ? first.slice(1) : first;
    return names.length > 2 && names.every((name, column) => name === String(column)) ? first : null;
  }

  /**
   * @param {string[][]} rows
   * @param {boolean} comma
   * @param {number} firstLine
   */
  function numbersOf(rows, comma, firstLine) {
    const wanted = rows[0].length;
    if (wanted > MAX_COLUMNS) {
      throw new Unreadable("columns", { columns: wanted, limit: MAX_COLUMNS });
    }
    return rows.map((cells, place) => {
      const row = place + firstLine;
      if (cells.length !== wanted) {
        throw new Unreadable("ragged", { row, found: cells.length, wanted });
      }
      return Float64Array.from(cells, (cell, column) => {
        const number = numberOf(cell, comma);
        if (number === null) {
          const text = quotedAs([...cell].slice(0, 40).join(""));
          throw new Unreadable("not-a-number", { row, column: column + 1, text });
        }
        return number;
      });
    });
  }

  /**
   * The cell's number, NaN for what stands for nothing, null for words.
   * @param {string} cell
   * @param {boolean} comma
   */
  function numberOf(cell, comma) {
    const text = comma ? cell.replaceAll(",", ".") : cell;
    if (NUMBER.test(text)) {
      return Number(text);
    }
    if (NOTHING.has(cell.toLowerCase())) {
      return NaN;
    }
    const endless = ENDLESS.exec(text);
    return endless === null ? null : endless[1] === "-" ? -Infinity : Infinity;
  }

  /**
   * A text in quotes as Python shows it.
   * @param {string} text
   */
  function quotedAs(text) {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
    const shown = escaped.replace(/[\p{C}\p{Z}]/gu, (sign) => (sign === " " ? sign : coded(sign)));
    return quote + shown + quote;
  }

  /** @param {string} sign */
  function coded(sign) {
    const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[sign];
    const code = /** @type {number} */ (sign.codePointAt(0));
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return named ?? `\\${letter}${code.toString(16).padStart(Number(digits), "0")}`;
  }

  /**
   * Whether the first column counts the rows; not when its neighbour is the same (the raw index is a bug to find).
   * @param {Float64Array[]} table
   * @param {string[] | null} header
   */
  function isIndex(table, header) {
    if (table[0].length < 2 || table.length < 3) {
      return false;
    }
    const first = table[0][0];
    const counts = Number.isInteger(first) && table.every((row, place) => row[0] === first + place);
    const named = header !== null && INDEX_NAMES.has(stripped(header[0]).toLowerCase());
    return counts && (named || !table.every((row) => row[0] === row[1]));
  }

  // ---- JSON ----

  /**
   * Rows of numbers, or an object with such values by name; null is NaN.
   * @param {Uint8Array} content
   * @returns {Map<string, Flat>}
   */
  function fromJson(content) {
    const text = decoded(content);
    if (Math.max(countOf(text, ","), countOf(text, "[")) > MAX_CELLS) {
      throw new Unreadable("text-cells", { limit: MAX_CELLS });
    }
    const found = parsed(text);
    if (ENDLESS_DIGITS.test(text)) {
      throw new Unreadable("json-shape");
    }
    if (Array.isArray(found)) {
      return new Map([["", arrayOf(found)]]);
    }
    const arrays = Object.entries(found ?? {}).filter(([, value]) => Array.isArray(value));
    if (typeof found !== "object" || !arrays.length) {
      throw new Unreadable("json-shape");
    }
    const made = arrays.length === 1 ? arrayOf : late;
    return new Map(arrays.map(([key, value]) => [key, made(value)]));
  }

  /**
   * JSON with the NaN and Infinity that Python writes: outside its texts they become null, and numbers too large.
   * @param {string} text
   */
  function parsed(text) {
    const plain = text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (found) =>
      found[0] === '"' ? found : found === "NaN" ? "null" : found.replace("Infinity", "1e999"),
    );
    try {
      return JSON.parse(plain);
    } catch (error) {
      throw new Unreadable("json", { reason: String(/** @type {Error} */ (error).message).slice(0, 200) });
    }
  }

  /**
   * An array that may not be the one that is wanted: its faults are no reason to refuse the others.
   * @param {any[]} value
   */
  function late(value) {
    try {
      return arrayOf(value);
    } catch (error) {
      if (error instanceof Unreadable) {
        return flat([0, 0], new Float64Array(0));
      }
      throw error;
    }
  }

  /**
   * @param {any[]} rows
   * @returns {Flat}
   */
  function arrayOf(rows) {
    if (rows.length && rows.every(Array.isArray)) {
      const wanted = rows[0].length;
      const place = rows.findIndex((row) => row.length !== wanted);
      if (place >= 0) {
        throw new Unreadable("ragged", { row: place + 1, found: rows[place].length, wanted });
      }
    }
    const shape = shapeOf(rows);
    /** @type {number[]} */
    const data = [];
    const fill = (/** @type {any} */ value, /** @type {number} */ depth) => {
      if (!Array.isArray(value)) {
        if (depth !== shape.length || (value !== null && typeof value !== "number")) {
          throw new Unreadable("json-shape");
        }
        data.push(value === null ? NaN : value);
      } else {
        if (value.length !== shape[depth]) {
          throw new Unreadable("json-shape");
        }
        value.forEach((each) => fill(each, depth + 1));
      }
    };
    fill(rows, 0);
    return flat(shape, Float64Array.from(data));
  }

  /** @param {any} value */
  function shapeOf(value) {
    const shape = [];
    for (let each = value; Array.isArray(each); [each] = each) {
      shape.push(each.length);
      if (shape.length > DEPTH + 1) {
        throw new Unreadable("json-shape");
      }
    }
    return shape;
  }

  check.text = { Unreadable, flat, fromText, fromJson, decoded };
})();
