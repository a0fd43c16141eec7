/** Window 8: the table as a file, the encoding as a short program, and whom to cite. */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const { fill } = posenc.format;
  const { config: built, strings, programs } = posenc.data();
  const TYPES = { csv: "text/csv", json: "application/json", npy: "application/octet-stream" };
  const KEPT = 10_000; // ms that a browser may take to fetch a file that it was given
  const run = posenc.slices.latest();
  const said = document.getElementById("take-said");

  /** @param {string} text */
  function tell(text) {
    said.textContent = text;
    posenc.say(text);
  }

  /**
   * @param {string} kind
   * @param {{rows: Float64Array[], recipe: Record<string, any>}} made
   */
  async function contents(kind, { rows, recipe }) {
    const { d_model, n_positions, base, fault } = recipe;
    if (kind === "npy") {
      return posenc.downloads.npy(rows);
    }
    const made = { d_model, n_positions, base, fault, tolerance: built.tolerance };
    const config = fault === "given" ? { d_model, n_positions } : made; // a reader's own was made by no base
    return run(kind === "csv" ? posenc.downloads.csvSlices(rows) : posenc.downloads.jsonSlices(rows, config));
  }

  /** @param {string} kind */
  async function download(kind) {
    const { made } = posenc.table;
    if (!made) {
      return; // a larger one is being built
    }
    const { d_model, n_positions, base, fault } = made.recipe;
    const how = fault === "given" ? "given" : `base${base}${fault === "none" ? "" : `-${fault}`}`;
    const name = `pe-${n_positions}x${d_model}-${how}.${kind}`;
    said.textContent = strings["take.writing"]; // a moment: only what came of it is said aloud
    const blob = new Blob([await contents(kind, made)], { type: TYPES[kind] });
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
    tell(fill(strings["take.written"], { name }));
  }

  /** @param {string} name */
  async function copy(name) {
    const place = document.querySelector(`[data-text="${name}"]`);
    try {
      await navigator.clipboard.writeText(place.textContent);
      tell(strings["take.copied"]);
    } catch {
      getSelection().selectAllChildren(place); // to be copied by hand
      tell(strings["take.copy"]);
    }
  }

  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-download]"))) {
    button.addEventListener("click", () => {
      download(button.dataset.download).catch((error) => {
        if (error.name !== "AbortError") {
          console.error(error);
          tell(strings["take.failed"]);
        }
      });
    });
  }
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
    button.disabled = false;
    button.addEventListener("click", () => void copy(button.dataset.copy));
  }
  posenc.state.on(({ d_model, n_positions, base }) => {
    for (const [name, program] of Object.entries(programs)) {
      const text = fill(program, { d_model, n_positions, base });
      const place = document.querySelector(`[data-text="${name}"]`);
      if (place.textContent !== text) {
        place.textContent = text;
      }
    }
  });
  posenc.table.on(() => {
    document.querySelectorAll("[data-download]").forEach((button) => (button.disabled = false));
  });
})();
