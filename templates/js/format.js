/**
 * Numbers as a reader sees them, in the signs of the page's language. Mirrors posenc/web/format.py to the letter;
 * touches no page, but for `posenc.data()`, which reads the page's JSON block when it is first asked.
 */
(function () {
  "use strict";

  /** How English writes numbers, as `Style` in posenc/web/format.py; the page's data say how its own language does. */
  let style = {
    decimal: ".",
    group: ",",
    minus: "−",
    lead: "",
    times_ten: "\u00a0×\u00a010", // no-break spaces: a number never splits over two lines
    nan: "not a number",
    infinity: "∞",
    comma: ", ",
  };
  const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const ALL_DIGITS = 100; // the most that JavaScript writes; a number midway shows by then
  const [LARGE, NEARLY] = [1e9, 1e-3]; // a scaled number below the first is right to far less than the second

  /**
   * `x` with so many decimals, thousands parted; never −0.
   * @param {number} x
   * @param {number} decimals
   */
  function fixed(x, decimals) {
    if (!Number.isFinite(x)) {
      return unbounded(x);
    }
    const [whole, fraction] = written(Math.abs(x), decimals).split(".");
    const parted = whole.replace(/\B(?=(\d{3})+$)/g, () => style.group);
    const text = fraction === undefined ? parted : parted + style.decimal + fraction;
    return x < 0 && /[1-9]/.test(text) ? style.minus + text : text;
  }

  /** @param {number} n */
  function count(n) {
    return fixed(n, 0);
  }

  /**
   * `x` as a mantissa times a power of ten, in characters that keep their superscripts when copied.
   * @param {number} x
   * @param {number} [decimals]
   */
  function sci(x, decimals = 1) {
    if (!Number.isFinite(x)) {
      return unbounded(x);
    }
    const size = Math.abs(x);
    const [nearest, exponent] = size.toExponential(decimals).split("e");
    const mantissa = evenWhenMidway(nearest, size.toExponential(ALL_DIGITS).split("e")[0], decimals);
    const signed = (x < 0 ? style.minus : "") + mantissa.replace(".", () => style.decimal);
    return style.lead + signed + style.times_ten + superscript(Number(exponent));
  }

  /**
   * A measured number: plain between 0.001 and 100,000, as a power of ten outside, 0 as 0.
   * @param {number} x
   */
  function measured(x) {
    if (x === 0 || !Number.isFinite(x)) {
      return x === 0 ? "0" : unbounded(x);
    }
    const size = Math.abs(x);
    if (size < 1e-3 || size >= 1e5) {
      return sci(x);
    }
    return fixed(x, size < 10 ? 4 : 2);
  }

  /**
   * A number that was chosen: whole ones as they are, others as measured ones.
   * @param {number} x
   */
  function plain(x) {
    return Number.isInteger(x) && Math.abs(x) < 1e15 ? count(x) : measured(x);
  }

  /** @param {string[]} texts */
  const listed = (texts) => texts.join(style.comma);

  /**
   * The template with each `{name}` replaced by the value of that name.
   * @param {string} template
   * @param {Record<string, string | number>} values
   */
  function fill(template, values) {
    return template.replace(/\{(\w+)\}/g, (slot, name) => {
      if (!Object.hasOwn(values, name)) {
        throw new RangeError(`values must have ${name}, wanted by ${JSON.stringify(template)}`);
      }
      return String(values[name]);
    });
  }

  /**
   * @param {number} size not negative
   * @param {number} decimals
   */
  function written(size, decimals) {
    if (size > Number.MAX_SAFE_INTEGER) {
      return BigInt(size).toString() + (decimals > 0 ? `.${"0".repeat(decimals)}` : "");
    }
    const nearest = size.toFixed(decimals);
    const scaled = size * 10 ** decimals;
    const midway = scaled > LARGE || Math.abs((scaled % 1) - 0.5) < NEARLY; // else all digits need not be looked at
    return midway ? evenWhenMidway(nearest, size.toFixed(ALL_DIGITS), decimals) : nearest;
  }

  /**
   * Python rounds a number midway between two neighbours to the even one, JavaScript to the larger one.
   * @param {string} nearest
   * @param {string} digits the same number with all its digits
   * @param {number} decimals
   */
  function evenWhenMidway(nearest, digits, decimals) {
    const kept = digits.indexOf(".") + (decimals > 0 ? decimals + 1 : 0);
    const below = digits.slice(0, kept);
    const midway = /^50*$/.test(digits.slice(kept).replace(".", ""));
    return midway && /[02468]$/.test(below) ? below : nearest;
  }

  /** @param {number} exponent */
  function superscript(exponent) {
    return String(exponent).replace("-", "⁻").replace(/\d/g, (digit) => SUPERSCRIPT[Number(digit)]);
  }

  /** @param {number} x */
  function unbounded(x) {
    if (Number.isNaN(x)) {
      return style.nan;
    }
    return (x > 0 ? "" : style.minus) + style.infinity;
  }

  /** @type {any} */
  let read;

  /** What the build wrote for the page's scripts, in `<script type="application/json" id="data">`. */
  function data() {
    if (!read) {
      read = JSON.parse(document.getElementById("data").textContent);
      write(read.style ?? {});
    }
    return read;
  }

  /**
   * From here on numbers are written so.
   * @param {Partial<typeof style>} signs
   */
  function write(signs) {
    style = { ...style, ...signs };
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.format = { fixed, sci, count, measured, plain, listed, fill, write };
  posenc.data = data;
})();
