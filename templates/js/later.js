/**
 * Scripts that come when they are wanted: `posenc.later("plotly")` brings the file that the page names in data-plotly,
 * once. As a classic script element, which works from disk.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});

  /** @type {Map<string, Promise<boolean>>} */
  const asked = new Map();

  /**
   * Whether the script came. One that did not is asked for anew the next time.
   * @param {string} name
   * @returns {Promise<boolean>}
   */
  function later(name) {
    const coming = asked.get(name) ?? bring(name);
    asked.set(name, coming);
    void coming.then((arrived) => arrived || asked.delete(name));
    return coming;
  }

  /** @param {string} name */
  function bring(name) {
    const script = document.createElement("script");
    const carried = document.getElementById(`${name}-source`); // a page that is a single file has it in itself
    if (carried) {
      script.text = carried.textContent;
      document.head.append(script); // runs at once, and fires no event
      return Promise.resolve(true);
    }
    /** @type {Promise<boolean>} */
    const arrived = new Promise((resolve) => {
      script.addEventListener("load", () => resolve(true));
      script.addEventListener("error", () => resolve(false));
    });
    script.src = document.body.dataset[name] ?? "";
    document.head.append(script);
    return arrived;
  }

  posenc.later = later;
})();
