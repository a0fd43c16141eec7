/**
 * The table that the page's state asks for, built from the formula: at once while it is small, in slices when it is
 * large, and told to those who wait for it. A newer one replaces one that is still being built.
 *
 * A reader's own table stands in its place until the state asks for another: its rows are then those of the recipe that
 * the state had, with the fault "given".
 */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const AT_ONCE = 32_768; // cells that are built within a frame
  const GIVEN = "given";

  /** @typedef {{d_model: number, n_positions: number, base: number, fault: string}} Recipe */
  /** @typedef {{rows: Float64Array[], recipe: Recipe}} Made */
  /** @typedef {(made: Made) => void} Waiting */
  /** @typedef {{rows: Float64Array[], name: string, recipe: Recipe}} Given a reader's own, and what it stands in place of */

  /** @type {Waiting[]} */
  const waiting = [];
  /** @type {((error: unknown) => void)[]} */
  const failing = [];
  /** @type {Made | null} */
  let made = null;
  /** @type {AbortController | null} */
  let building = null;
  /** @type {string | Given} */
  let asked = "";
  /** @type {Given | null} */
  let given = null;

  /** @param {Record<string, any>} shown */
  const recipeOf = ({ d_model, n_positions, base, tamper = "none" }) => ({ d_model, n_positions, base, fault: tamper });

  /**
   * One row of a recipe.
   * @param {Recipe} recipe
   * @param {number} position
   * @returns {Float64Array}
   */
  function row(recipe, position) {
    if (given && same(recipe, given.recipe)) {
      return given.rows[position] ?? new Float64Array(recipe.d_model).fill(NaN);
    }
    if (recipe.fault !== "none") {
      return posenc.faults.rows[recipe.fault](position, recipe);
    }
    return posenc.engine.encode([position], recipe.d_model, recipe.base)[0];
  }

  /**
   * @param {Recipe} one
   * @param {Recipe} other
   */
  function same(one, other) {
    return one.d_model === other.d_model && one.n_positions === other.n_positions && one.base === other.base && one.fault === other.fault;
  }

  /** @param {Record<string, any>} shown */
  async function make(shown) {
    const recipe = recipeOf(shown);
    if (given && !same(recipe, given.recipe)) {
      given = null; // whoever turns the formula's knobs means the formula
    }
    const name = given ?? JSON.stringify(recipe);
    if (name === asked) {
      return;
    }
    asked = name;
    building?.abort();
    if (given) {
      building = null;
      tell({ rows: given.rows, recipe: { ...recipe, fault: GIVEN } });
      return;
    }
    made = null; // what was built before is no longer what the state asks for
    if (recipe.n_positions * recipe.d_model <= AT_ONCE) {
      building = null;
      const positions = Array.from({ length: recipe.n_positions }, (_, position) => position);
      const clean = recipe.fault === "none"; // then the frequencies are computed once, not for every row
      const rows = clean ? posenc.engine.encode(positions, recipe.d_model, recipe.base) : positions.map((at) => row(recipe, at));
      tell({ rows, recipe });
      return;
    }
    building = new AbortController();
    const { signal } = building;
    const work = posenc.linear.buildSlices(recipe, posenc.faults.rows[recipe.fault]);
    const rows = await posenc.slices.run(work, { signal }).catch((error) => {
      if (!signal.aborted) {
        throw error;
      }
    });
    if (rows && !signal.aborted) {
      tell({ rows, recipe });
    }
  }

  /** @param {unknown} error */
  function fail(error) {
    asked = ""; // whatever comes next is a change
    console.error(error);
    failing.forEach((listener) => listener(error));
  }

  /** @param {Made} table */
  function tell(table) {
    made = table;
    for (const listener of waiting) {
      try {
        listener(table);
      } catch (error) {
        console.error(error);
      }
    }
  }

  /**
   * Calls back with the table now, if there is one, and with every later one; `failed` with why there is none.
   * @param {Waiting} listener
   * @param {(error: unknown) => void} [failed]
   */
  function on(listener, failed = () => {}) {
    waiting.push(listener);
    failing.push(failed);
    if (made) {
      listener(made);
    }
  }

  posenc.table = {
    on,
    row,
    /** Builds the table of the state once more. */
    again: () => {
      asked = "";
      make(posenc.state.shown).catch(fail);
    },
    get made() {
      return made;
    },
    get given() {
      return given;
    },
    /**
     * Puts a reader's table, as large as the state's, in the formula's place; null puts the formula back.
     * @param {Float64Array[] | null} rows
     * @param {string} [name]
     */
    give(rows, name = "") {
      given = rows && { rows, name, recipe: recipeOf(posenc.state.shown) };
      asked = "";
      make(posenc.state.shown).catch(fail);
    },
  };
  posenc.state.on((shown, changed) => {
    if (["d_model", "n_positions", "base", "tamper"].some((name) => changed.has(name))) {
      make(shown).catch(fail);
    }
  });
})();
