/**
 * Lays the page out piece by piece. What is far from the screen waits (base.css), so that no layout is a long task:
 * each of the page's script files ends with a call that lays out the next pieces, and the rest comes after the last.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const BUDGET = 4; // ms after which no further piece is begun in the same task

  /** Sections and, after each of the long ones, its figures. @type {HTMLElement[]} */
  const waiting = [...document.querySelectorAll(".part, .window, .glossary, .part .figure-block")];

  function lay() {
    const end = performance.now() + BUDGET;
    while (waiting.length && performance.now() < end) {
      const piece = waiting.shift();
      piece.toggleAttribute("data-laid", true);
      piece.getBoundingClientRect(); // now, not with the next frame's others
    }
  }

  function layTheRest() {
    if (waiting.length) {
      lay();
      setTimeout(layTheRest);
    }
  }

  /** @type {Set<string>} the files that have run to their end */
  const ended = (posenc.ended = new Set());

  /** @param {string} file whose end this is */
  posenc.end = (file) => {
    ended.add(file);
    lay();
  };

  const [entry] = performance.getEntriesByType("navigation");
  if (entry?.type === "navigate") {
    document.addEventListener("DOMContentLoaded", () => setTimeout(layTheRest));
  } else {
    waiting.splice(0).forEach((piece) => piece.toggleAttribute("data-laid", true)); // a reader comes back to where they were
  }
})();
