/**
 * What was found, as a value: keys and numbers. Sentences are made of it elsewhere (sentences.js).
 *
 * Mirrors posenc/check/diagnosis.py; touches no page. `record` is what JSON has of it, in Python's keys.
 */
(function () {
  "use strict";

  /** @typedef {"accepted" | "accepted with an oddity" | "rejected" | "not a sinusoidal encoding"} Verdict */
  /** @typedef {Record<string, number | string>} Numbers */
  /** @typedef {{key: string, numbers: Numbers, standing: "accepted" | "oddity" | "rejected"}} Note */
  /**
   * @typedef {object} Found the convention that makes the table again; `base` is null where it cannot be told
   * @property {string} key
   * @property {string} layout
   * @property {string} ladder
   * @property {number | null} base
   * @property {number} width
   * @property {number} start
   * @property {number} step
   * @property {number} scale
   */
  /**
   * @typedef {object} Nearest the nearest known table and the cell where this one is farthest from it
   * @property {string} key
   * @property {number} base
   * @property {number} start
   * @property {number} difference
   * @property {number} row
   * @property {number} column
   * @property {number} value
   * @property {number} expected
   * @property {number} share
   */
  /**
   * @typedef {object} Invariant
   * @property {string} name
   * @property {number} measured
   * @property {"<=" | ">="} relation
   * @property {number} bound
   * @property {{position: number | null, k: number | null, pair: number | null}} where
   * @property {string} method
   * @property {boolean} holds
   */
  /**
   * @typedef {object} Facts what every diagnosis begins with
   * @property {[number, number]} shape
   * @property {string} storage
   * @property {number} decimals
   * @property {number} tolerance
   */
  /**
   * @typedef {object} Diagnosis
   * @property {Verdict} verdict
   * @property {string} name
   * @property {[number, number]} shape
   * @property {string} storage
   * @property {number} decimals
   * @property {number} tolerance
   * @property {Found | null} convention
   * @property {Note | null} bug
   * @property {Note[]} oddities
   * @property {Note[]} notes
   * @property {Note[]} ambiguities
   * @property {Invariant[]} invariants
   * @property {Nearest | null} nearest
   * @property {boolean} accepted
   * @property {ReturnType<typeof record>} record as in `--json` of the command line
   */

  /**
   * @param {string} key
   * @param {Numbers} [numbers]
   * @param {Note["standing"]} [standing]
   * @returns {Note}
   */
  function note(key, numbers = {}, standing = "accepted") {
    return Object.freeze({ key, numbers, standing });
  }

  /**
   * The answer for one table.
   * @param {Verdict} verdict
   * @param {string} name
   * @param {Facts} facts
   * @param {Partial<Diagnosis>} [rest]
   * @returns {Diagnosis}
   */
  function diagnosis(verdict, name, facts, rest = {}) {
    const { shape, storage, decimals, tolerance } = facts;
    const { convention = null, bug = null, oddities = [], notes = [], ambiguities = [], invariants = [] } = rest;
    const { nearest = null } = rest;
    const found = { verdict, name, shape, storage, decimals, tolerance, convention, bug, oddities, notes, ambiguities };
    return finished({ ...found, invariants, nearest });
  }

  /**
   * The same diagnosis with other parts.
   * @param {Diagnosis} found
   * @param {Partial<Diagnosis>} parts
   */
  function replaced(found, parts) {
    const { accepted, record: _, ...rest } = { ...found, ...parts };
    return finished(rest);
  }

  /** @param {Omit<Diagnosis, "accepted" | "record">} parts */
  function finished(parts) {
    const accepted = parts.verdict === "accepted" || parts.verdict === "accepted with an oddity";
    const found = { ...parts, accepted };
    Object.defineProperty(found, "record", { get: () => record(found) });
    return Object.freeze(found);
  }

  /**
   * For JSON, which has no NaN and no ∞: null stands for both.
   * @param {Omit<Diagnosis, "record">} found
   */
  function record(found) {
    const { convention } = found;
    const told = convention && { ...convention, direction: direction(convention) };
    return plain({ ...found, convention: told });
  }

  /** @param {Found} found */
  function direction(found) {
    return found.step < 0 ? "down" : "up";
  }

  /** @param {any} value */
  function plain(value) {
    if (typeof value === "number") {
      return Number.isFinite(value) ? value : null;
    }
    if (Array.isArray(value)) {
      return value.map(plain);
    }
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
    }
    return value;
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.check = posenc.check || {};
  posenc.check.diagnosis = { note, diagnosis, replaced, record, direction };
})();
