/**
 * Window 4: a reader's own table, from a file or pasted. It is read in this page, diagnosed in the words of the command
 * line, and put in the formula's place, where the panel shows it and the witness judges it. The check itself comes when
 * a reader first shows that they want it.
 *
 * What a file says is only ever text on the page. Whatever is given last counts.
 */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const { fill, count } = posenc.format;
  const { config: built, state: fields, strings, extra } = posenc.data();
  const MB = 1e6;
  const PAINTED = 20; // ms in which what was said is painted, before the work that holds up the page
  const SECOND = 1000;
  const MOST_SIGNS = 60; // of a file's name
  const MOST_ARRAYS = 1000; // that are offered
  const WANTED = ["pointerenter", "focusin", "dragenter"];
  const LEAST = { d_model: 8, n_positions: 16 }; // in which the example's bug can be told
  const ADDRESS = /(https:\/\/[^\s,]+)/;

  /** @typedef {{name: string, size: number, content: () => Promise<Uint8Array | string>}} Source */
  /** @typedef {{label: string, text: string, mood: string}} Line */

  /** @param {string} id @returns {any} */
  const byId = (id) => document.getElementById(`yours-${id}`);
  /** @param {string} key @param {Record<string, any>} [values] */
  const say = (key, values = {}) => fill(strings[key], values);

  let newest = new AbortController();
  /** @type {Source | null} what was given last, from which a table is chosen */
  let source = null;
  /** @type {Record<string, any> | null} what the formula's knobs stood at before the table came */
  let before = null;

  // ---- what is said ----

  /**
   * @param {string} text
   * @param {"" | "bad" | "busy"} [mood]
   */
  function tell(text, mood = "") {
    byId("state").textContent = text;
    byId("state").dataset.mood = mood;
    posenc.say(text, "yours");
  }

  /** Nothing is known of a table that cannot be read. @param {string} text */
  function refuse(text) {
    byId("answer").hidden = true;
    tell(text, "bad");
  }

  // ---- reading and judging ----

  /** What the reader gave before is no longer waited for. @param {Source} given */
  function begin(given) {
    if (source !== given) {
      byId("choice").hidden = true;
    }
    source = given;
    newest.abort();
    newest = new AbortController();
    posenc.say("", "yours"); // the same answer is said again
    return newest.signal;
  }

  const painted = () => new Promise((resolve) => setTimeout(resolve, PAINTED));

  /**
   * @param {Source} given
   * @param {string | null} [array] which of its tables
   */
  async function check(given, array = null) {
    const signal = begin(given);
    const name = shortened(given.name);
    try {
      if (given.size >= extra.yours.megabytes * MB) {
        refuse(say("yours.large", { name, size: count(Math.ceil(given.size / MB)), limit: extra.yours.megabytes }));
        return;
      }
      tell(say("yours.reading", { name }), "busy");
      if (!(await posenc.later("check")) || !posenc.check?.read) {
        if (!signal.aborted) {
          refuse(say("yours.blocked"));
        }
        return;
      }
      const content = await given.content();
      await painted();
      if (signal.aborted) {
        return; // before the work, not after it
      }
      const read = await posenc.check.read(name, content, { array, strings });
      if (!signal.aborted) {
        await judge(read, name, signal);
      }
    } catch (error) {
      if (!signal.aborted) {
        explain(error, name);
      }
    }
  }

  /**
   * @param {{rows: Float64Array[], without: string}} read
   * @param {string} name
   * @param {AbortSignal} signal
   */
  async function judge({ rows, without }, name, signal) {
    const size = { rows: count(rows.length), columns: count(rows[0].length) };
    tell(say("yours.checking", size), "busy");
    await painted();
    const begun = performance.now();
    let told = 0;
    const progress = () => {
      const seconds = Math.floor((performance.now() - begun) / SECOND);
      if (seconds > told) {
        told = seconds;
        byId("state").textContent = say("yours.still", { ...size, seconds }); // said aloud once is enough
      }
    };
    const diagnosis = await posenc.check.diagnoseInSlices(rows, { signal, progress });
    if (!signal.aborted) {
      show(diagnosis, posenc.check.sentences(diagnosis, name, strings, { without }));
      place(rows, name);
    }
  }

  /**
   * Why there is no answer.
   * @param {any} error
   * @param {string} name
   */
  function explain(error, name) {
    const { key, arrays } = error;
    if (key === "names" && arrays) {
      offer(arrays);
      refuse(say("yours.several", { name }));
    } else if (key) {
      refuse(say("yours.unreadable", { name, reason: error.message }));
    } else if (error instanceof DOMException) {
      refuse(say("yours.closed", { name })); // a folder, or a file that is gone or forbidden
    } else {
      console.error(error);
      refuse(say("yours.failed", { name }));
    }
  }

  /** @param {string[]} arrays */
  function offer(arrays) {
    const options = arrays.slice(0, MOST_ARRAYS).map((name) => new Option(shortened(name), name));
    const first = new Option(say("yours.choose"), "", true, true);
    first.disabled = true;
    byId("array").replaceChildren(first, ...options);
    byId("choice").hidden = false;
  }

  /** @param {string} name */
  function shortened(name) {
    const signs = [...name];
    return signs.length > MOST_SIGNS ? `${signs.slice(0, MOST_SIGNS - 1).join("")}…` : name;
  }

  // ---- the answer ----

  /**
   * The sentences of the command line, in its order.
   * @param {{bug: {key: string} | null}} diagnosis
   * @param {Line[]} sentences
   */
  function show({ bug }, [head, verdict, ...lines]) {
    const claims = lines.findIndex(({ label }) => isClaim(label));
    const cut = claims < 0 ? lines.length : claims;
    const met = bug ? strings[`check.met.${bug.key}`] : undefined;
    byId("name").textContent = head.text;
    const [word, what] = byId("verdict").children;
    word.textContent = verdict.label;
    what.textContent = verdict.text;
    byId("verdict").dataset.mood = verdict.mood;
    byId("lines").replaceChildren(...lines.slice(0, cut).map((line) => item(line, met)));
    byId("invariants").replaceChildren(...lines.slice(cut).map((line) => item(line, met)));
    byId("measured").hidden = claims < 0;
    byId("answer").hidden = false;
    tell("");
    posenc.say(`${head.text}. ${verdict.label}: ${verdict.text}`, "yours");
    byId("answer").scrollIntoView({ block: "nearest" });
  }

  /** @param {string} label */
  const isClaim = (label) => label === strings["check.label.holds"] || label === strings["check.label.fell"];

  /**
   * @param {Line} line
   * @param {string} [met] where others met the bug: the one text that may hold addresses, for it is our own
   */
  function item({ label, text, mood }, met) {
    const box = document.createElement("div");
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = label;
    if (label === strings["check.label.fix"]) {
      const code = document.createElement("code");
      code.textContent = text;
      description.append(code);
    } else {
      description.append(...(text === met ? linked(text) : [text]));
    }
    box.dataset.mood = isClaim(label) || mood === "odd" ? mood : "plain";
    box.append(term, description);
    return box;
  }

  /** @param {string} text */
  function linked(text) {
    return text.split(ADDRESS).map((part) => {
      if (!ADDRESS.test(part)) {
        return part;
      }
      return Object.assign(document.createElement("a"), { href: part, textContent: part });
    });
  }

  // ---- the bench ----

  /**
   * In the formula's place, if the bench takes tables of that size.
   * @param {Float64Array[]} rows
   * @param {string} name
   */
  function place(rows, name) {
    const [height, width] = [rows.length, rows[0].length];
    const most = Object.fromEntries(fields.map((field) => [field.name, field.most]));
    const fits = width % 2 === 0 && width <= most.d_model && height <= most.n_positions;
    if (fits) {
      before = posenc.table.given ? before : posenc.state.now;
      posenc.state.set({ d_model: width, n_positions: height, tamper: "none" }, { rested: true });
      posenc.table.give(rows, name);
    } else if (posenc.table.given) {
      back();
    }
    const limits = { columns: count(most.d_model), rows: count(most.n_positions) };
    byId("bench").textContent = fits ? "" : say("yours.apart", limits);
  }

  /** The formula, as it stood before the table came. */
  function back() {
    const { d_model, n_positions, base, pos, second, k, pair } = before ?? posenc.state.now;
    before = null;
    posenc.state.set({ d_model, n_positions, base, pos, second, k, pair, tamper: "none" }, { rested: true });
    posenc.table.give(null);
  }

  function follow() {
    const { given } = posenc.table;
    for (const note of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-yours]"))) {
      note.hidden = !given;
    }
    if (given) {
      posenc.views.write({ "yours-shown": say("yours.shown", { name: given.name }) });
    } else if (before) {
      before = null;
      byId("bench").textContent = say("yours.gone");
    }
  }

  // ---- what a reader gives ----

  /** @param {File} file */
  function takeFile(file) {
    const content = async () => new Uint8Array(await file.arrayBuffer());
    void check({ name: file.name, size: file.size, content });
  }

  /** @param {string} name */
  function takeText(name) {
    const { value } = byId("text");
    void check({ name, size: value.length, content: async () => value });
  }

  /**
   * A table of which only the ladder falls: ω = exp(−2i), for a product that was floored too early. Met in earnest.
   * @returns {Float64Array[]}
   */
  function example() {
    const [width, height] = [Math.max(built.d_model, LEAST.d_model), Math.max(built.n_positions, LEAST.n_positions)];
    return Array.from({ length: height }, (_, position) =>
      Float64Array.from({ length: width }, (_, column) => {
        const angle = position * Math.exp(-2 * Math.floor(column / 2));
        return column % 2 ? Math.cos(angle) : Math.sin(angle);
      }),
    );
  }

  /** @param {DragEvent} event */
  const carriesFiles = ({ dataTransfer }) => Boolean(dataTransfer?.types.includes("Files"));

  /** A file may be dropped here; anywhere else it must not take the reader off the page. */
  function listenToDrops() {
    const zone = byId("drop");
    /** @param {DragEvent} event */
    const inside = (event) => event.target instanceof Node && zone.contains(event.target);
    for (const type of ["dragenter", "dragover"]) {
      addEventListener(type, (/** @type {any} */ event) => {
        if (carriesFiles(event)) {
          event.preventDefault();
          event.dataTransfer.dropEffect = inside(event) ? "copy" : "none";
          zone.toggleAttribute("data-over", inside(event));
        }
      });
    }
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) {
        zone.removeAttribute("data-over"); // it left the page
      }
    });
    addEventListener("drop", (event) => {
      zone.removeAttribute("data-over");
      if (carriesFiles(event)) {
        event.preventDefault();
        const file = event.dataTransfer.files[0];
        if (inside(event) && file) {
          takeFile(file);
        }
      }
    });
  }

  function listen() {
    posenc.state.onReset(() => {
      newest.abort();
      if (byId("state").dataset.mood === "busy") {
        tell("");
      }
    });
    for (const sign of WANTED) {
      byId("drop").addEventListener(sign, () => void posenc.later("check"), { once: true, passive: true });
    }
    byId("file").addEventListener("click", () => (byId("file").value = "")); // the same file, mended, is a change again
    byId("file").addEventListener("change", () => {
      const [file] = byId("file").files;
      if (file) {
        takeFile(file);
      }
    });
    byId("check").addEventListener("click", () => takeText(say("yours.pasted")));
    byId("example").addEventListener("click", () => {
      byId("text").value = posenc.downloads.csv(example());
      takeText(say("yours.example"));
    });
    byId("array").addEventListener("change", () => void (source && check(source, byId("array").value)));
    for (const button of document.querySelectorAll("[data-back]")) {
      button.disabled = false;
      button.addEventListener("click", () => {
        back();
        byId("bench").textContent = say("yours.gone");
        posenc.say(say("yours.gone"), "yours");
        const heading = /** @type {HTMLElement} */ (button.closest(".yours") ? document.getElementById("your-table") : button.closest(".window").querySelector("h2"));
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true }); // the button is gone
      });
    }
    byId("file").value = ""; // a browser may have kept the name of an earlier visit's
    for (const name of ["file", "text", "check", "example"]) {
      byId(name).disabled = false;
    }
  }

  listen();
  listenToDrops();
  posenc.table.on(follow);
})();
