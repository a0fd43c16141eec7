/**
 * The page's one state: set by its controls, its link and its figures, and told to every painter once a frame.
 *
 * A control needs no script of its own: data-bind="pos" ties an input or a select to a field. The link holds what
 * differs from the start; Back and Forward step through the states at which a reader came to rest.
 */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const { states, format } = posenc;
  const { state: fields, elsewhere, strings } = posenc.data();
  const WORD = /^[\w.-]{1,40}$/; // what a field of the other page may be
  const REST = 400; // ms without a change after which a reader has come to rest
  const DRAG = 5; // px that a number in a sentence is dragged for each step
  const DECADE = 120; // px for each power of ten, where steps are not even
  const LOG_STEPS = 100; // of a slider, for each power of ten
  const MOST_DIGITS = 12; // for which the style sheet has a width

  /** @typedef {Record<string, number | string>} Values */
  /** @typedef {HTMLInputElement | HTMLSelectElement} Control */
  /** @typedef {(shown: Values, changed: Set<string>) => void} Painter */

  const byName = Object.fromEntries(fields.map((field) => [field.name, field]));
  const bar = document.getElementById("state-bar");
  /** @type {[string, string][]} */
  let kept = []; // the other page's fields, as the link had them
  /** @type {Painter[]} */
  const painters = [];
  /** @type {Values} */
  let now = states.start(fields);
  /** @type {Values | null} */
  let pointed = null;
  /** @type {Values | null} what was before a number that is still being typed or dragged: on the way to it nothing is lost */
  let held = null;
  /** @type {Set<string>} */
  let changed = new Set();
  let resting = 0;
  let frame = 0;

  const shown = () => (pointed ? { ...now, ...pointed } : now);

  /**
   * Changes some values. What is out of reach is said, and the nearest is taken.
   * @param {Record<string, string | number>} asked
   * @param {{rested?: boolean, holding?: boolean}} [how] whether the reader has come to rest with it; whether it is one
   *   of many on the way to it
   */
  function set(asked, { rested = false, holding = false } = {}) {
    const [before, was] = [shown(), now];
    held = holding ? (held ?? now) : null;
    const { values, notes } = states.change(fields, held ?? now, asked);
    now = values;
    pointed = null;
    held = rested ? null : held;
    note(before, was);
    clearTimeout(resting);
    if (rested) {
      rest(notes);
    } else {
      resting = window.setTimeout(rest, REST, notes);
    }
  }

  /**
   * What the reader points at is shown in every view, and is not kept.
   * @param {Values | null} seen
   */
  function look(seen) {
    const before = shown();
    pointed = seen && states.change(fields, now, seen).values;
    note(before);
  }

  /**
   * @param {Values} before what was shown
   * @param {Values} [was] what was settled: a value that was pointed at may have become the reader's own
   */
  function note(before, was = now) {
    const after = shown();
    fields.forEach(({ name }) => (before[name] !== after[name] || was[name] !== now[name]) && changed.add(name));
    if (changed.size && !frame) {
      frame = requestAnimationFrame(paint);
    }
  }

  function paint() {
    const names = changed;
    changed = new Set();
    frame = 0;
    follow();
    const values = Object.freeze({ ...shown() });
    painters.forEach((painter) => tried(() => painter(values, names)));
  }

  /** @param {() => void} work one figure's, which must not stop another's */
  function tried(work) {
    try {
      work();
    } catch (error) {
      console.error(error);
    }
  }

  /**
   * Calls a painter now, and at every change.
   * @param {Painter} painter
   */
  function on(painter) {
    painters.push(painter);
    tried(() => painter(Object.freeze({ ...shown() }), new Set(fields.map(({ name }) => name))));
  }

  // ---- the link ----

  /** @param {import("./state").Note[]} notes */
  function rest(notes) {
    say(notes);
    const query = link();
    if (query !== location.search) {
      const url = new URL(location.href);
      url.search = query;
      history.pushState(null, "", url);
    }
    carry(query);
  }

  /** Takes the state of the link as it stands; what it does not name is as at the start. */
  function open() {
    clearTimeout(resting);
    controls.forEach((control) => (control.dataset.typing = "false")); // a number half typed is not this state's
    const given = new URLSearchParams(location.search);
    kept = elsewhere.filter((key) => WORD.test(given.get(key) ?? "")).map((key) => [key, given.get(key)]);
    const [before, was] = [shown(), now];
    const { values, notes } = states.change(fields, states.start(fields), states.read(fields, location.search));
    now = values;
    pointed = held = null;
    note(before, was);
    say(notes);
    carry(link());
  }

  /** The query of this state, and with it what the other page has said of its own figures. */
  function link() {
    const query = new URLSearchParams(states.write(fields, now));
    kept.forEach(([key, value]) => query.set(key, value));
    return query.size ? `?${query}` : "";
  }

  /**
   * Links to the other page take the state along.
   * @param {string} query
   */
  function carry(query) {
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-carry]"))) {
      const [path, anchor] = link.getAttribute("href").split("#");
      link.setAttribute("href", path.split("?")[0] + query + (anchor === undefined ? "" : `#${anchor}`));
    }
  }

  /**
   * The same page in another language opens in this state, and where the reader is.
   * @param {HTMLAnchorElement} way
   */
  function keepPlace(way) {
    const [path] = way.getAttribute("href").split(/[?#]/);
    const at = place();
    way.setAttribute("href", path + link() + (at ? `#${at}` : ""));
  }

  /** The section at the reader's eye; at the top of the page, what the address names. */
  function place() {
    const eye = innerHeight / 3;
    const sections = [...document.querySelectorAll("main section[id]")];
    const read = sections.filter((section) => {
      const { top, bottom } = section.getBoundingClientRect();
      return top <= eye && bottom > eye;
    });
    return (read.pop() ?? document.getElementById(decodeURIComponent(location.hash.slice(1))))?.id ?? "";
  }

  for (const way of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-language]"))) {
    for (const event of ["pointerdown", "focus", "click"]) {
      way.addEventListener(event, () => keepPlace(way));
    }
  }

  // ---- what is said ----

  /** @param {string} text */
  function tell(text) {
    const place = bar.querySelector("[data-said]");
    bar.hidden = !text && !states.write(fields, now);
    bar.toggleAttribute("data-moved", states.write(fields, now) !== "");
    place.textContent = text;
    posenc.say?.(text);
  }

  /** @param {import("./state").Note[]} notes */
  function say(notes) {
    const words = notes.map(({ name, asked, taken }) =>
      format.fill(strings["state.taken"], { name: strings[`state.${byName[name].key}`] ?? name, asked, taken: written(name, taken) }),
    );
    tell(words.join(" "));
  }

  /**
   * A value as a reader sees it.
   * @param {string} name
   * @param {number | string} value
   */
  function written(name, value) {
    if (typeof value === "string") {
      return strings[`choice.${value}`];
    }
    return byName[name].step ? format.count(value) : format.plain(value);
  }

  // ---- controls ----

  /** @type {Control[]} */
  const controls = [...document.querySelectorAll("[data-bind]")];
  const places = fields.map(({ name, start }) => ({
    name,
    start,
    told: [...document.querySelectorAll(`[data-state="${name}"]`)],
    marked: [...document.querySelectorAll(`[data-field="${name}"]`)],
  }));

  /** @param {Control} control */
  const fieldOf = (control) => byName[control.dataset.bind];

  /** @param {Control} control */
  const isLog = (control) => control.type === "range" && fieldOf(control).step === null;

  /** Every control as the state has it; one that is being typed into is left alone. */
  function follow() {
    const values = shown();
    for (const control of controls) {
      const field = fieldOf(control);
      const value = values[field.name];
      if (control.type === "checkbox") {
        control.checked = value === "on";
      } else if (control.type === "radio") {
        control.checked = control.value === value;
      } else if (field.choices.length) {
        control.value = String(value);
      } else {
        number(/** @type {HTMLInputElement} */ (control), field, Number(value), values);
      }
    }
    for (const { name, start, told, marked } of places) {
      told.forEach((place) => (place.textContent = written(name, values[name])));
      marked.forEach((place) => place.toggleAttribute("data-moved", now[name] !== start));
    }
    if (states.write(fields, now)) {
      bar.hidden = false;
      bar.toggleAttribute("data-moved", true);
    }
  }

  /**
   * @param {HTMLInputElement} input
   * @param {{name: string, step: number | null}} field
   * @param {number} value
   * @param {Values} values
   */
  function number(input, field, value, values) {
    const [least, most] = states.limits(field, values);
    if (isLog(input)) {
      Object.assign(input, { min: Math.log10(least), max: Math.log10(most), step: 1 / LOG_STEPS });
      input.value = String(Math.log10(value));
    } else {
      if (!input.dataset.own) {
        Object.assign(input, { min: least, max: most, step: field.step ?? "any" });
      }
      if (input.type === "range" || document.activeElement !== input || input.dataset.typing !== "true") {
        input.value = String(value);
      }
    }
    if (input.type === "range") {
      input.setAttribute("aria-valuetext", written(field.name, value));
    } else {
      input.dataset.digits = String(Math.min(String(value).length, MOST_DIGITS));
    }
  }

  /**
   * What a control asks for.
   * @param {Control} control
   */
  function asked(control) {
    if (control.type === "checkbox") {
      return /** @type {HTMLInputElement} */ (control).checked ? "on" : "off";
    }
    if (isLog(control)) {
      return Number((10 ** Number(control.value)).toPrecision(3));
    }
    return control.type === "range" ? Number(control.value) : control.value;
  }

  /** @param {Control} control */
  function wake(control) {
    const { name } = fieldOf(control);
    control.disabled = false;
    control.addEventListener("input", () => {
      control.dataset.typing = String(control.type === "number");
      const value = asked(control);
      if (control.type !== "number" || sound(name, value)) {
        set({ [name]: value }, { holding: true });
      }
    });
    control.addEventListener("change", () => {
      control.dataset.typing = "false";
      set({ [name]: asked(control) }, { rested: true, holding: true });
      follow();
    });
    if (control.classList.contains("scrub")) {
      drag(/** @type {HTMLInputElement} */ (control));
    }
  }

  /**
   * Is this what the reader will have, rather than half of it?
   * @param {string} name
   * @param {string | number} value
   */
  const sound = (name, value) => states.change(fields, now, { [name]: value }).notes.length === 0;

  /**
   * A number in a sentence follows a drag to the side.
   * @param {HTMLInputElement} input
   */
  function drag(input) {
    const field = fieldOf(input);
    /** @type {{x: number, value: number, moved: boolean} | null} */
    let from = null;
    input.addEventListener("pointerdown", ({ clientX, button, pointerId }) => {
      from = button === 0 ? { x: clientX, value: Number(now[field.name]), moved: false } : null;
      if (from) {
        input.setPointerCapture(pointerId); // at once: a quick hand has left it by the next event
      }
    });
    input.addEventListener("pointermove", (event) => {
      const way = from ? event.clientX - from.x : 0;
      if (!from || (!from.moved && Math.abs(way) < DRAG)) {
        return;
      }
      if (!from.moved) {
        from.moved = true;
        input.blur();
      }
      const steps = Math.trunc(way / DRAG);
      const to = field.step ? from.value + steps * field.step : Number((from.value * 10 ** (way / DECADE)).toPrecision(3));
      const [least, most] = states.limits(field, now);
      set({ [field.name]: Math.min(Math.max(to, least), most) }, { holding: true });
    });
    for (const end of ["pointerup", "pointercancel"]) {
      input.addEventListener(end, () => {
        if (from?.moved) {
          set({}, { rested: true });
        }
        from = null;
      });
    }
  }

  // ---- copy the link, begin again ----

  /** Copies the link; where that is refused, shows it to be copied by hand. */
  async function copy() {
    const url = new URL(location.href);
    url.search = states.write(fields, now);
    try {
      await navigator.clipboard.writeText(url.href);
      tell(strings[posenc.table?.given ? "state.copied-formula" : "state.copied"]);
    } catch {
      tell(format.fill(strings["state.copy"], { link: url.href }));
    }
  }

  /** What brings back things that are no part of the state. @type {(() => void)[]} */
  const beside = [];

  function reset() {
    kept = [];
    set(states.start(fields), { rested: true });
    if (posenc.table?.given) {
      posenc.table.give(null); // even where it is as large as the formula's at the start
    }
    beside.forEach((restore) => restore());
    tell(strings["state.reset"]);
  }

  /** What is reached by keyboard comes to rest above the bar, and the page's end can be scrolled above it. */
  new ResizeObserver(() => {
    for (const place of [document.documentElement, document.querySelector(".foot")]) {
      place.style.setProperty("--below", `${bar.offsetHeight}px`); // not inherited: that would restyle the whole page
    }
  }).observe(bar);

  posenc.state = {
    get now() {
      return Object.freeze({ ...now });
    },
    get shown() {
      return Object.freeze({ ...shown() });
    },
    set,
    look,
    on,
    tell,
    onReset: (/** @type {() => void} */ restore) => beside.push(restore),
  };

  open();
  follow();
  controls.forEach(wake);
  addEventListener("popstate", open);
  addEventListener("load", () => {
    if (!posenc.alive) {
      const unserved = document.getElementById("unserved");
      unserved.hidden = false; // a script did not come: nothing follows the controls
      posenc.say?.(unserved.textContent);
      const dead = "main :is(input, select, textarea, button), [data-do]";
      document.querySelectorAll(dead).forEach((/** @type {any} */ control) => (control.disabled = true));
    }
  });
  document.querySelectorAll('[data-do="copy-link"]').forEach((button) => button.addEventListener("click", copy));
  document.querySelectorAll('[data-do="reset"]').forEach((button) => button.addEventListener("click", reset));
  document.querySelectorAll("[data-do]").forEach((button) => (button.disabled = false));
})();
