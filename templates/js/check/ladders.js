/**
 * Ladders: the frequencies that conventions and known bugs give to their pairs. Mirrors posenc/check/ladders.py.
 *
 * A ladder is told by a function (pairs, width, base) → ω, radians per position, pair by pair in the order in which its
 * code writes them. `width` is the d of the exponent 2i/d, which is not always the number of columns.
 */
(function () {
  "use strict";

  const { rounded } = posenc.check.numbers;

  /** @typedef {"accepted" | "oddity" | "rejected"} Standing */
  /** @typedef {(pairs: number, width: number, base: number) => Float64Array} Omega */
  /**
   * key names it in words and JSON; standing is what a table on it deserves; takesBase says whether base matters;
   * freeUnits whether its positions are free to be no whole numbers (coordinates of a field rather than of a text);
   * phase is the relative error that its frequencies may have whatever the table was stored in (see models.js, lost).
   * @typedef {{key: string, omega: Omega, standing: Standing, takesBase: boolean, freeUnits: boolean, phase: number}}
   *   Ladder
   */
  /**
   * A base that models use; `key` names the note that goes with it, if any.
   * @typedef {{value: number, standing: Standing, key: string}} Base
   */

  /** @param {number} pairs @param {(rung: number) => number} of @returns {Float64Array} */
  function rungs(pairs, of) {
    const omega = new Float64Array(pairs);
    for (let i = 0; i < pairs; i += 1) {
      omega[i] = of(i);
    }
    return omega;
  }

  /** @type {Omega} */
  const paper = (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, (-2 * i) / width));

  /** @type {Omega} */
  const tensor2tensor = (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, -i / Math.max(pairs - 1, 1)));

  /** @type {Omega} */
  const octaves = (pairs) => rungs(pairs, (i) => Math.pow(2, i));

  /** @type {Omega} */
  const octavesPi = (pairs) => rungs(pairs, (i) => Math.PI * Math.pow(2, Math.min(i, 1000)));

  /** @type {Omega} */
  const linear = (pairs) => rungs(pairs, (i) => i + 1);

  /**
   * Llama 3.1's scaling of the paper's ladder: slow waves eight times slower, the middle in between.
   * @type {Omega}
   */
  const llama3 = (pairs, width, base) => {
    const [factor, low, high, length] = [8, 1, 4, 8192];
    return paper(pairs, width, base).map((omega) => {
      const turns = (length * omega) / (2 * Math.PI);
      const blend = Math.min(Math.max((turns - low) / (high - low), 0), 1);
      return ((1 - blend) * omega) / factor + blend * omega;
    });
  };

  /**
   * The frequencies of another ladder, kept in a lower format.
   * @param {import("./numbers").Format} kind
   * @param {Omega} of
   * @returns {Omega}
   */
  function held(kind, of) {
    return (pairs, width, base) => rounded(of(pairs, width, base), kind);
  }

  /** Fewer pairs would be told from no slip. @param {number} pairs */
  const doubles = (pairs) => pairs >= 4 && pairs % 2 === 0;

  /**
   * Every frequency twice, as cat((f, f)) leaves them in a rotary cache; as repeat_interleave, in `beside`.
   * @type {Omega}
   */
  const cached = (pairs, _, base) =>
    rungs(pairs, (i) => (doubles(pairs) ? Math.pow(base, (-2 * (i % (pairs / 2))) / pairs) : NaN));

  /** @type {Omega} */
  const beside = (pairs, _, base) =>
    rungs(pairs, (i) => (doubles(pairs) ? Math.pow(base, (-2 * Math.floor(i / 2)) / pairs) : NaN));

  /**
   * exp of −log(base) / d // 2, floored to a whole number before it is multiplied by 0, 2, 4 …
   * @param {number} divisor
   * @returns {Omega}
   */
  function floored(divisor) {
    return (pairs, width, base) => {
      const whole = Math.floor(-Math.log(base) / (divisor * width) / 2);
      return rungs(pairs, (i) => Math.exp(whole * 2 * i));
    };
  }

  /**
   * @param {string} key
   * @param {Omega} omega
   * @param {Partial<Ladder>} [rest]
   * @returns {Readonly<Ladder>}
   */
  function ladder(key, omega, rest = {}) {
    return Object.freeze({ key, omega, standing: "accepted", takesBase: true, freeUnits: false, phase: 0, ...rest });
  }

  const FIELD = { takesBase: false, freeUnits: true };

  /** @type {readonly Ladder[]} */
  const KNOWN = Object.freeze([
    ladder("paper", paper),
    ladder("tensor2tensor", tensor2tensor),
    ladder("llama3", llama3),
    ladder("octaves-pi", octavesPi, FIELD),
    ladder("octaves", octaves, FIELD),
    ladder("linear", linear, FIELD),
    ladder("paper-float32", held("float32", paper), { standing: "oddity" }),
    ladder("tensor2tensor-float32", held("float32", tensor2tensor), { standing: "oddity" }),
    ladder("rope-cache", cached),
    ladder("rope-cache", beside),
  ]);

  /**
   * Frequencies computed in float32, each with an error of its own, under sines of a higher precision.
   * @type {readonly Ladder[]}
   */
  const SINGLE = Object.freeze([
    ladder("paper-float32", paper, { standing: "oddity", phase: 2.4e-7 }),
    ladder("tensor2tensor-float32", tensor2tensor, { standing: "oddity", phase: 2.4e-7 }),
  ]);

  /** @type {[string, Omega][]} */
  const SLIPS = [
    ["one-frequency", (pairs) => rungs(pairs, () => 1)],
    ["exponent-doubled", (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, (-4 * i) / width))],
    ["exponent-halved", (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, -i / width))],
    ["exponent-from-one", (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, (-2 * (i + 1)) / width))],
    ["exponent-undivided", (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, -2 * i))],
    ["exponent-undivided", (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, -i))],
    ["multiplied", (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, (2 * i) / width))],
    ["multiplied", (pairs, width, base) => rungs(pairs, (i) => Math.pow(base, i / Math.max(pairs - 1, 1)))],
    ["precedence", floored(1)],
    ["precedence", floored(2)],
    ["precedence", (pairs) => rungs(pairs, (i) => Math.exp(-2 * i))],
    ["power-swapped", (pairs, width, base) => rungs(pairs, (i) => Math.pow(i / pairs, 1 / base))],
    [
      "power-swapped",
      (pairs, width, base) => rungs(pairs, (i) => Math.pow(i / Math.max(pairs - 1, 1), 1 / base)),
    ],
    ["wrong-logarithm", (pairs, width, base) => rungs(pairs, (i) => Math.exp((-2 * Math.log10(base) * i) / width))],
    ["wrong-logarithm", (pairs, width, base) => rungs(pairs, (i) => Math.exp((-2 * Math.log2(base) * i) / width))],
    [
      "denominator-truncated",
      (pairs, width, base) => rungs(pairs, (i) => 1 / Math.floor(Math.pow(base, (2 * i) / width) + 1e-12)),
    ],
    ["frequencies-bfloat16", held("bfloat16", paper)],
    ["frequencies-bfloat16", held("bfloat16", tensor2tensor)],
    ["frequencies-float16", held("float16", paper)],
    ["frequencies-float16", held("float16", tensor2tensor)],
  ];

  /**
   * Slips in the frequencies alone: tables on them stay bounded, distinct and turn by an exact R_k.
   * @type {readonly Ladder[]}
   */
  const BROKEN = Object.freeze(SLIPS.map(([key, omega]) => ladder(key, omega, { standing: "rejected" })));

  /** Slips whose table may be another base's good one, and is then told beside it. */
  const CONFUSABLE = Object.freeze([
    "exponent-doubled",
    "exponent-halved",
    "exponent-from-one",
    "multiplied",
    "one-frequency",
  ]);

  /** @param {number} value @param {Standing} [standing] @param {string} [key] @returns {Readonly<Base>} */
  function baseOf(value, standing = "accepted", key = "") {
    return Object.freeze({ value, standing, key });
  }

  /**
   * In the order in which they are tried.
   * @type {readonly Base[]}
   */
  const BASES = Object.freeze([
    baseOf(10000),
    baseOf(500000),
    baseOf(1000000),
    baseOf(1000, "oddity", "missing-zero"),
    baseOf(100, "oddity", "exponent-halved"),
    baseOf(100000, "oddity", "one-zero-more"),
    baseOf(20, "oddity", "small-base"),
    baseOf(5000000),
    baseOf(10000000),
  ]);

  /**
   * The known base of that value, or an unusual one.
   * @param {number} base
   */
  function baseStanding(base) {
    return BASES.find((known) => known.value === base) || baseOf(base, "oddity", "unusual-base");
  }

  posenc.check.ladders = Object.freeze({
    paper,
    tensor2tensor,
    octaves,
    octavesPi,
    linear,
    llama3,
    held,
    floored,
    KNOWN,
    SINGLE,
    BROKEN,
    CONFUSABLE,
    BASES,
    baseStanding,
  });
})();
