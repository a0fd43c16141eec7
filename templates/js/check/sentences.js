/**
 * A diagnosis in words: labelled lines, made of keys, numbers and the texts of content/<lang>/check.md alone.
 *
 * `strings` holds those texts by their keys as the page has them, "check.verdict.accepted" and so on.
 * Mirrors posenc/check/sentences.py; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { direction } = check.diagnosis;

  const MINUS = "−";
  const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const PLACEHOLDER = /\{([a-z-]+)\}/g;
  const PREFIX = "check.";
  const ALL_DIGITS = 100; // the most that JavaScript writes; a number midway shows by then
  const VERDICTS = Object.freeze({
    accepted: "accepted",
    "accepted with an oddity": "oddity",
    rejected: "rejected",
    "not a sinusoidal encoding": "foreign",
  });
  const MOODS = Object.freeze({ accepted: "good", oddity: "odd", rejected: "bad", foreign: "bad" });

  /** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
  /** @typedef {Record<string, string>} Strings */
  /** @typedef {"good" | "odd" | "bad" | "plain"} Mood for those who show it in colour */
  /** @typedef {{label: string, text: string, mood: Mood}} Line a label and what it says */
  /**
   * @typedef {object} Expectation
   * @property {string} [without] what was left out of a file of text: header, index, both
   * @property {string} [expected] the convention that it should have been, where it is another
   * @property {number | null} [base] its base
   */

  /** What a file or its name brings along, with all that would steer a terminal or turn the line round written out. @param {string} text */
  function visible(text) {
    return text.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  /**
   * Whole numbers as they are, others with four decimals, small and large ones as a power of ten; no hyphen-minus.
   * @param {number | string} x
   */
  function number(x) {
    if (typeof x === "string") {
      return visible(x);
    }
    if (!Number.isFinite(x)) {
      return Number.isNaN(x) ? "NaN" : x > 0 ? "∞" : `${MINUS}∞`;
    }
    const text = sized(Math.abs(x));
    return x < 0 && /[^0.]/.test(text) ? MINUS + text : text;
  }

  /** @param {number} size */
  function sized(size) {
    if (Number.isInteger(size) && size < 1e15) {
      return String(size);
    }
    if (size < 1e-3 || size >= 1e6) {
      const [mantissa, exponent] = size.toExponential(1).split("e");
      const [exact] = size.toExponential(ALL_DIGITS).split("e");
      return `${midway(exact, 1) ? even(exact, 1) : mantissa} × 10${superscript(Number(exponent))}`;
    }
    const exact = size.toFixed(ALL_DIGITS);
    return midway(exact, 4) ? even(exact, 4) : size.toFixed(4);
  }

  /**
   * Whether all that follows so many decimals is one half.
   * @param {string} exact
   * @param {number} decimals
   */
  function midway(exact, decimals) {
    return /^50*$/.test(exact.slice(exact.indexOf(".") + 1 + decimals));
  }

  /**
   * A number midway, with an even last digit.
   * @param {string} exact
   * @param {number} decimals
   */
  function even(exact, decimals) {
    const cut = exact.slice(0, exact.indexOf(".") + 1 + decimals);
    const up = Number(cut) + 10 ** -decimals;
    return Number(cut.slice(-1)) % 2 === 0 ? cut : up.toFixed(decimals);
  }

  /** @param {number} exponent */
  function superscript(exponent) {
    return String(exponent).replace(/[-\d]/g, (sign) => (sign === "-" ? "⁻" : SUPERSCRIPT[Number(sign)]));
  }

  /**
   * The text of a key with its numbers filled in.
   * @param {Strings} strings
   * @param {string} key
   * @param {Record<string, any>} [numbers]
   */
  function say(strings, key, numbers = {}) {
    const text = strings[PREFIX + key];
    if (text === undefined) {
      throw new RangeError(`strings must have ${PREFIX}${key}`);
    }
    return text.replace(PLACEHOLDER, (whole, name) => (name in numbers ? number(numbers[name]) : whole));
  }

  /**
   * Why a file cannot be read: the sentence of an Unreadable.
   * @param {{key: string, numbers: Record<string, any>}} error
   * @param {Strings} strings
   */
  function reason({ key, numbers }, strings) {
    const { because, ...rest } = numbers;
    return say(strings, `error.${key}`, because ? { ...rest, reason: say(strings, `reason.${because}`) } : rest);
  }

  /**
   * All that is said of a table: its name and size, the verdict and what it is, then the rest in the order in which
   * it is read, as the command line does.
   * @param {Diagnosis} diagnosis
   * @param {string} name of its file
   * @param {Strings} strings
   * @param {Expectation} [expectation]
   * @returns {Line[]}
   */
  function sentences(diagnosis, name, strings, { without = "", expected = "", base = null } = {}) {
    const [rows, columns] = diagnosis.shape;
    const line = lineIn(strings);
    const head = { label: "", text: say(strings, "head", { name, rows, columns }), mood: /** @type {Mood} */ ("plain") };
    const said = [head, verdict(diagnosis, strings)];
    if (expected) {
      const key = base === null ? "expected.other" : "expected.base";
      said.push(line("label.expected", say(strings, key, { wanted: expected, base }), "bad"));
    }
    if (without) {
      said.push(line("label.read", say(strings, `read.${without}`)));
    }
    return [...said, ...lines(diagnosis, strings)];
  }

  /**
   * @param {Strings} strings
   * @returns {(label: string, text: string, mood?: Mood) => Line}
   */
  function lineIn(strings) {
    return (label, text, mood = "plain") => ({ label: say(strings, label), text, mood });
  }

  /**
   * The verdict and what the table is.
   * @param {Diagnosis} diagnosis
   * @param {Strings} strings
   */
  function verdict(diagnosis, strings) {
    const key = VERDICTS[diagnosis.verdict];
    return lineIn(strings)(`verdict.${key}`, what(diagnosis, strings), /** @type {Mood} */ (MOODS[key]));
  }

  /**
   * @param {Diagnosis} diagnosis
   * @param {Strings} strings
   */
  function what({ bug, verdict, name }, strings) {
    if (bug !== null) {
      return say(strings, `bug.${bug.key}`, bug.numbers);
    }
    return say(strings, verdict === "not a sinusoidal encoding" ? `foreign.${name}` : `convention.${name}`);
  }

  /**
   * Everything else.
   * @param {Diagnosis} diagnosis
   * @param {Strings} strings
   * @returns {Generator<Line, void, void>}
   */
  function* lines(diagnosis, strings) {
    const line = lineIn(strings);
    const { bug, convention, storage, decimals, tolerance } = diagnosis;
    if (bug !== null) {
      yield* remedy(bug, strings);
    }
    if (convention !== null) {
      if (bug !== null && convention.key !== "other") {
        yield line("label.note", say(strings, `convention.${convention.key}`));
      }
      yield* found(convention, diagnosis, strings);
    }
    yield line("label.stored", say(strings, `stored.${storage}`, { decimals, tolerance }));
    for (const { key, numbers } of diagnosis.oddities) {
      yield line("label.oddity", say(strings, `note.${key}`, numbers), "odd");
    }
    for (const { key, numbers } of diagnosis.notes) {
      yield line("label.note", say(strings, `note.${key}`, numbers));
    }
    for (const { key, numbers } of diagnosis.ambiguities) {
      yield line("label.unsure", say(strings, `ambiguity.${key}`, numbers), "odd");
    }
    for (const claim of diagnosis.invariants) {
      yield invariant(claim, strings);
    }
    yield* nearest(diagnosis, strings);
  }

  /**
   * @param {import("./diagnosis.js").Note} bug
   * @param {Strings} strings
   */
  function* remedy({ key, numbers }, strings) {
    const line = lineIn(strings);
    yield line("label.fix", say(strings, `fix.${key}`, numbers), "good");
    if (`${PREFIX}met.${key}` in strings) {
      yield line("label.met", say(strings, `met.${key}`));
    }
  }

  /**
   * @param {import("./diagnosis.js").Found} convention
   * @param {Diagnosis} diagnosis
   * @param {Strings} strings
   */
  function* found(convention, diagnosis, strings) {
    const line = lineIn(strings);
    const { layout, base, width, scale } = convention;
    yield line("label.layout", say(strings, `layout.${layout}`));
    const unknown = base === null && /^(paper|tensor2tensor)/.test(convention.ladder);
    const ladder = unknown ? "ladder.one" : `ladder.${convention.ladder}`;
    const known = PREFIX + ladder in strings ? ladder : "ladder.slip";
    yield line("label.ladder", say(strings, known, { base: base ?? 0, width }));
    const told = [...diagnosis.oddities, ...diagnosis.notes].map((note) => note.key);
    if (diagnosis.bug === null && !told.includes("irregular-positions") && !told.includes("grid")) {
      yield line("label.positions", positions(convention, diagnosis, strings));
    }
    if (Math.abs(scale - 1) > 2 * diagnosis.tolerance) {
      yield line("label.scale", say(strings, "scale", { scale }));
    }
  }

  /**
   * @param {import("./diagnosis.js").Found} convention
   * @param {Diagnosis} diagnosis
   * @param {Strings} strings
   */
  function positions(convention, diagnosis, strings) {
    const transposed = diagnosis.oddities.some((note) => note.key === "transposed");
    const rows = diagnosis.shape[transposed ? 1 : 0];
    const { start, step } = convention;
    const numbers = { start, last: start + step * (rows - 1), step: Math.abs(step) };
    const way = direction(convention);
    const steps = way === "up" ? "step" : "down-step";
    return say(strings, `positions.${Math.abs(step) === 1 ? way : steps}`, numbers);
  }

  /**
   * One of the five, held or fallen.
   * @param {import("./diagnosis.js").Invariant} claim
   * @param {Strings} strings
   */
  function invariant(claim, strings) {
    const { name, measured, bound, holds } = claim;
    const relation = claim.relation === "<=" ? "≤" : "≥";
    const text = say(strings, "invariant", { claim: name, measured, relation, bound });
    const where = placeOf(claim.where, strings);
    const told = !holds && where ? say(strings, "invariant.at", { text, where }) : text;
    return lineIn(strings)(holds ? "label.holds" : "label.fell", told, holds ? "good" : "bad");
  }

  /**
   * @param {{position: number | null, k: number | null, pair: number | null}} where
   * @param {Strings} strings
   */
  function placeOf(where, strings) {
    const parts = /** @type {const} */ (["position", "k", "pair"]).filter((part) => where[part] !== null);
    return parts.map((part) => say(strings, `where.${part}`, { [part]: String(where[part]) })).join(", ");
  }

  /**
   * @param {Diagnosis} diagnosis
   * @param {Strings} strings
   */
  function* nearest({ nearest: near }, strings) {
    if (near === null || near.share === 1) {
      return;
    }
    const { key, share, ...rest } = near;
    const numbers = { ...rest, convention: key, share: `${Math.floor(1000 * share) / 10} %` };
    yield lineIn(strings)("label.nearest", say(strings, "nearest", numbers));
  }

  check.sentences = Object.assign(sentences, { say, number, reason, verdict, lines, invariant });
})();
