/**
 * Numbers as NumPy and Python reckon with them, where JavaScript does otherwise: halves to even, decimals rounded on
 * the exact value, lower formats by their bits, medians, stable orders. Mirrors what posenc/check asks of them and
 * posenc/formats.py's `rounded`; touches no page.
 *
 * A table is an array of rows, each a Float64Array; indices are plain arrays.
 */
(function () {
  "use strict";

  /** @typedef {Float64Array[]} Table */
  /** @typedef {"float64" | "float32" | "bfloat16" | "float16"} Format */

  const TURN = 2 * Math.PI;
  const SHORT = 64; // values that are sorted by insertion
  const WHOLE = 2 ** 52; // from here on every float64 is a whole number
  const TINY = 2 ** -120; // above it, a float32 keeps six digits
  const EXACT = 60; // decimals that tell a half from what is nearly one

  const bits = new Uint32Array(2);
  const float = new Float64Array(bits.buffer);
  float[0] = 1;
  const HIGH = bits[1] === 0 ? 0 : 1; // which of the two words holds sign and exponent
  const LOW = 1 - HIGH;

  /**
   * The nearest whole number, halves to even.
   * @param {number} x
   */
  function rint(x) {
    if (x >= 0) {
      return x < WHOLE ? x + WHOLE - WHOLE : x;
    }
    return x > -WHOLE ? -(-x + WHOLE - WHOLE) : x;
  }

  /**
   * The same angle between −π and π.
   * @param {number} angle
   */
  function wrap(angle) {
    return angle - TURN * rint(angle / TURN);
  }

  /**
   * round(x, places) of Python: by the exact value, halves to even.
   * @param {number} x
   * @param {number} [places]
   */
  function pythonRound(x, places = 0) {
    if (places === 0 || !Number.isFinite(x)) {
      return rint(x);
    }
    if (Math.abs(x) >= 1e21) {
      return x;
    }
    const text = x.toFixed(places);
    return Number(halfway(x.toFixed(places + EXACT > 100 ? 100 : places + EXACT), places) ? even(x, text) : text);
  }

  /** Whether the decimals after the kept ones are exactly one half. @param {string} exact @param {number} places */
  function halfway(exact, places) {
    const rest = exact.slice(exact.indexOf(".") + 1 + places);
    return /^50*$/.test(rest);
  }

  /** A half that was rounded away from zero, rounded to an even digit. @param {number} x @param {string} text */
  function even(x, text) {
    if (Number(text.at(-1)) % 2 === 0) {
      return text;
    }
    const places = text.length - 1 - text.indexOf(".");
    const other = (2 * x - Number(text)).toFixed(places);
    return Number(other.at(-1)) % 2 === 0 ? other : text;
  }

  /**
   * np.round(x, places): the product with a power of ten, rounded.
   * @param {number} x
   * @param {number} places
   */
  function decimal(x, places) {
    const power = Number(`1e${places}`);
    return rint(x * power) / power;
  }

  /**
   * The number that is read from x written with so many significant digits, as Python writes it.
   * @param {number} x
   * @param {number} places
   */
  function significant(x, places) {
    const text = x.toExponential(places - 1);
    if (Number(text) === x) {
      return x;
    }
    const exact = x.toExponential(Math.min(places - 1 + EXACT, 100));
    const [digits, exponent] = exact.split("e");
    if (!/^50*$/.test(digits.replace(/^-?\d\.?/, "").slice(places - 1))) {
      return Number(text);
    }
    const kept = digits.slice(0, digits.indexOf(".") + places).replace(/\.$/, "");
    return Number(Number(kept.at(-1)) % 2 === 0 ? `${kept}e${exponent}` : text);
  }

  /**
   * The number that the shortest text of a float32 is read as.
   * @param {number} single
   */
  function printed(single) {
    for (let places = Math.abs(single) < TINY ? 1 : 6; places < 9; places += 1) {
      const value = significant(single, places);
      if (Math.fround(value) === single) {
        return value;
      }
    }
    return significant(single, 9);
  }

  /**
   * The nearest float64 with so many bits after the leading one, ties to even.
   * @param {number} x
   * @param {number} kept at most 20
   */
  function shortened(x, kept) {
    if (x === 0 || !Number.isFinite(x)) {
      return x;
    }
    const dropped = 20 - kept;
    const unit = 2 ** dropped;
    float[0] = x;
    const rest = bits[HIGH] % unit;
    const odd = Math.floor(bits[HIGH] / unit) % 2 === 1;
    const half = unit / 2;
    const up = rest > half || (rest === half && (bits[LOW] > 0 || odd));
    bits[HIGH] = bits[HIGH] - rest + (up ? unit : 0);
    bits[LOW] = 0;
    return float[0];
  }

  /** @param {number} x */
  function bfloat16(x) {
    return shortened(x, 7);
  }

  /** @param {number} x */
  function float16(x) {
    const size = Math.abs(x);
    if (size >= 65520) {
      return x < 0 ? -Infinity : Infinity;
    }
    return size < 2 ** -14 ? rint(x * 2 ** 24) / 2 ** 24 : shortened(x, 10);
  }

  /** @type {Record<Format, (x: number) => number>} */
  const FORMATS = { float64: (x) => x, float32: Math.fround, bfloat16, float16 };

  /**
   * Each value rounded to the nearest of a format, ties to even.
   * @param {Float64Array} values
   * @param {Format} kind
   */
  function rounded(values, kind) {
    return values.map(FORMATS[kind]);
  }

  /**
   * The middle of all values, or the mean of the two in the middle; NaN if there is a NaN.
   * @param {ArrayLike<number>} values
   */
  function median(values) {
    const sorted = values.length <= SHORT ? inserted(values) : Float64Array.from(values).sort();
    const middle = sorted.length >> 1;
    if (sorted.length === 0 || Number.isNaN(sorted[sorted.length - 1])) {
      return NaN;
    }
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** A few values, sorted by insertion, which is sooner done; NaN last. @param {ArrayLike<number>} values */
  function inserted(values) {
    const sorted = new Float64Array(values.length);
    let kept = 0;
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i];
      if (Number.isNaN(value)) {
        continue;
      }
      let at = kept;
      for (; at > 0 && sorted[at - 1] > value; at -= 1) {
        sorted[at] = sorted[at - 1];
      }
      sorted[at] = value;
      kept += 1;
    }
    return sorted.fill(NaN, kept);
  }

  /**
   * np.quantile: between the two nearest, in proportion.
   * @param {ArrayLike<number>} values
   * @param {number} share
   */
  function quantile(values, share) {
    const left = Float64Array.from(values);
    const place = share * (left.length - 1);
    const below = Math.floor(place);
    const low = select(left, below);
    const high = below + 1 < left.length ? select(left, below + 1) : low;
    const part = place - below;
    return part >= 0.5 ? high - (high - low) * (1 - part) : low + (high - low) * part;
  }

  /**
   * The value that would stand at `place` if all were sorted; the values change their order.
   * @param {Float64Array} values
   * @param {number} place
   */
  function select(values, place) {
    let first = 0;
    let last = values.length - 1;
    while (first < last) {
      const middle = values[(first + last) >> 1];
      let i = first;
      let j = last;
      while (i <= j) {
        while (values[i] < middle) {
          i += 1;
        }
        while (values[j] > middle) {
          j -= 1;
        }
        if (i <= j) {
          [values[i], values[j]] = [values[j], values[i]];
          i += 1;
          j -= 1;
        }
      }
      if (place <= j) {
        last = j;
      } else if (place >= i) {
        first = i;
      } else {
        break;
      }
    }
    return values[place];
  }

  /** @param {ArrayLike<number>} values */
  function mean(values) {
    let sum = 0;
    for (let i = 0; i < values.length; i += 1) {
      sum += values[i];
    }
    return sum / values.length;
  }

  /**
   * The order that sorts, equals as they came.
   * @param {ArrayLike<number>} values
   * @returns {number[]}
   */
  function argsort(values) {
    return range(values.length).sort((one, other) => values[one] - values[other]);
  }

  /** The first place of the largest value. @param {ArrayLike<number>} values */
  function argmax(values) {
    let best = 0;
    for (let i = 1; i < values.length; i += 1) {
      if (values[i] > values[best]) {
        best = i;
      }
    }
    return best;
  }

  /** The first place of the least value. @param {ArrayLike<number>} values */
  function argmin(values) {
    let best = 0;
    for (let i = 1; i < values.length; i += 1) {
      if (values[i] < values[best]) {
        best = i;
      }
    }
    return best;
  }

  /**
   * Each value once, sorted, and how often it stands.
   * @param {ArrayLike<number>} values
   */
  function counted(values) {
    const sorted = Float64Array.from(values).sort();
    /** @type {number[]} */
    const kinds = [];
    /** @type {number[]} */
    const often = [];
    for (const value of sorted) {
      if (kinds.length > 0 && kinds[kinds.length - 1] === value) {
        often[often.length - 1] += 1;
      } else {
        kinds.push(value);
        often.push(1);
      }
    }
    return { kinds, often };
  }

  /** Each value once, sorted. @param {ArrayLike<number>} values */
  function unique(values) {
    return counted(values).kinds;
  }

  /** @param {ArrayLike<number>} values */
  function diff(values) {
    return Float64Array.from({ length: Math.max(values.length - 1, 0) }, (_, i) => values[i + 1] - values[i]);
  }

  /** 0 … length − 1. @param {number} length @returns {number[]} */
  function range(length) {
    const places = new Array(length);
    for (let i = 0; i < length; i += 1) {
      places[i] = i;
    }
    return places;
  }

  /**
   * Places of at most `most` of n rows, evenly spread, first and last among them.
   * @param {number} n
   * @param {number} most
   * @returns {number[]}
   */
  function spaced(n, most) {
    const count = Math.min(n, most);
    if (count < 2) {
      return range(count);
    }
    const step = (n - 1) / (count - 1);
    const places = range(count).map((i) => Math.trunc(i * step));
    places[count - 1] = n - 1;
    return places.filter((place, i) => i === 0 || place !== places[i - 1]);
  }

  /** One column at some rows. @param {Table} table @param {number} column @param {ArrayLike<number>} [rows] */
  function column(table, column, rows) {
    const length = rows ? rows.length : table.length;
    const values = new Float64Array(length);
    for (let i = 0; i < length; i += 1) {
      values[i] = table[rows ? rows[i] : i][column];
    }
    return values;
  }

  /**
   * Some rows and columns of a table, in their order; rows that are whole are not copied.
   * @param {Table} table
   * @param {number[]} rows
   * @param {number[]} columns
   */
  function part(table, rows, columns) {
    if (columns.length === table[0].length) {
      return rows.map((row) => table[row]);
    }
    return rows.map((row) => picked(table[row], columns));
  }

  /** Some columns of a row. @param {Float64Array} row @param {ArrayLike<number>} columns */
  function picked(row, columns) {
    const values = new Float64Array(columns.length);
    for (let i = 0; i < values.length; i += 1) {
      values[i] = row[columns[i]];
    }
    return values;
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.check = posenc.check || {};
  posenc.check.numbers = Object.freeze({
    TURN,
    rint,
    wrap,
    pythonRound,
    decimal,
    significant,
    printed,
    rounded,
    median,
    quantile,
    mean,
    argsort,
    argmax,
    argmin,
    counted,
    unique,
    diff,
    range,
    spaced,
    column,
    part,
    picked,
    FORMATS: Object.freeze(FORMATS),
  });
})();
