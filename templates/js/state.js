/**
 * The values that a reader can change, held within their limits, and how they stand in a link. The fields come from
 * posenc/web/state.py. Touches no page.
 */
(function () {
  "use strict";

  /**
   * @typedef {object} Field
   * @property {string} name
   * @property {string} key its name in a link
   * @property {number | string} start
   * @property {number} least
   * @property {number} most
   * @property {number | null} step null: any real number
   * @property {[string, number] | null} within the field that it stays below, and a divisor of that field's value
   * @property {boolean} signed and above its negative
   * @property {string[]} choices
   */
  /** @typedef {Record<string, number | string>} Values */
  /** @typedef {{name: string, asked: string, taken: number | string}} Note something was asked for that cannot be */

  const LONGEST = 24; // characters of a senseless value that are said back

  /**
   * @param {Field[]} fields
   * @returns {Values}
   */
  const start = (fields) => Object.fromEntries(fields.map((field) => [field.name, field.start]));

  /**
   * The least and the most that a field may be, given the fields it depends on.
   * @param {Field} field
   * @param {Values} values
   * @returns {[number, number]}
   */
  function limits(field, values) {
    if (!field.within) {
      return [field.least, field.most];
    }
    const [name, divisor] = field.within;
    const most = Math.max(Math.floor(Number(values[name]) / divisor) - 1, 0);
    return [field.signed ? -most : 0, most];
  }

  /**
   * The number that a reader typed, or NaN: commas and spaces may part thousands, and a minus may be a real one.
   * @param {string | number} asked
   */
  function number(asked) {
    const text = String(asked).replace(/[\s,\u00a0_]/g, "").replace("\u2212", "-");
    return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
  }

  /**
   * The nearest that a field may be; what it was before, where nothing is near.
   * @param {Field} field
   * @param {string | number} asked
   * @param {Values} values of the fields before it, and what this one was
   */
  function nearest(field, asked, values) {
    if (field.choices.length) {
      return field.choices.includes(String(asked)) ? String(asked) : values[field.name];
    }
    const [least, most] = limits(field, values);
    const wanted = typeof asked === "number" ? asked : number(asked);
    const known = Number.isNaN(wanted) ? Number(values[field.name]) : wanted;
    const stepped = field.step ? Math.round((known - field.least) / field.step) * field.step + field.least : known;
    return Math.min(Math.max(stepped, least), most) + 0;
  }

  /**
   * The values after a change, all within their limits, and what of it had to be told otherwise.
   * @param {Field[]} fields
   * @param {Values} now
   * @param {Record<string, string | number>} asked
   * @returns {{values: Values, notes: Note[]}}
   */
  function change(fields, now, asked) {
    const values = { ...now };
    /** @type {Note[]} */
    const notes = [];
    for (const field of fields) {
      const { name } = field;
      const wanted = Object.hasOwn(asked, name);
      values[name] = nearest(field, wanted ? asked[name] : now[name], values);
      const said = wanted && (field.choices.length ? asked[name] === values[name] : number(asked[name]) === values[name]);
      if (wanted && !said) {
        notes.push({ name, asked: shortened(asked[name]), taken: values[name] });
      }
    }
    return { values, notes };
  }

  /** @param {string | number} asked */
  function shortened(asked) {
    const text = [...String(asked)];
    return text.length > LONGEST ? `${text.slice(0, LONGEST).join("")}…` : text.join("");
  }

  /**
   * What the query of a link asks for.
   * @param {Field[]} fields
   * @param {string} query
   * @returns {Record<string, string>}
   */
  function read(fields, query) {
    const given = new URLSearchParams(query);
    const asked = fields.filter(({ key }) => given.has(key)).map(({ name, key }) => [name, given.get(key)]);
    return Object.fromEntries(asked);
  }

  /**
   * The query of a link to these values: only what differs from the start.
   * @param {Field[]} fields
   * @param {Values} values
   */
  function write(fields, values) {
    const query = new URLSearchParams();
    for (const { name, key, start: first } of fields) {
      if (values[name] !== first) {
        query.set(key, String(values[name]));
      }
    }
    return query.size ? `?${query}` : "";
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.states = { start, limits, number, change, read, write };
})();
