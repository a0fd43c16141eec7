/**
 * Lays the page out section by section. What is far from the screen waits (base.css), so that no layout is a long task;
 * each of the page's script files ends with a call that fetches one section, and by the last of them all is there.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  /** @type {HTMLElement[]} */
  const waiting = [...document.querySelectorAll(".part, .window, .glossary")];

  /** @param {HTMLElement} section */
  const place = (section) => section.toggleAttribute("data-laid", true);

  /** @type {Set<string>} the files that have run to their end */
  const ended = (posenc.ended = new Set());

  /** @param {string} file whose end this is */
  posenc.lay = (file) => {
    ended.add(file);
    const section = waiting.shift();
    if (section) {
      place(section);
      section.getBoundingClientRect(); // now, not with the next frame's others
    }
  };

  const [entry] = performance.getEntriesByType("navigation");
  if (entry?.type !== "navigate") {
    waiting.splice(0).forEach(place); // a reader comes back to where they were
  }
})();
