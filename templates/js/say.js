/**
 * What a page says aloud: the one polite live region, for verdicts and answers. Visible text stays where it is.
 *
 * `posenc.say(text)` says what has just happened; `posenc.say(text, about)` says how something stands, once, and again
 * only when it stands otherwise. Nothing is said while a hand is on its way: all that is to be said waits for it.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const CALM = 300; // ms without a key, a drag or a newer text
  const region = document.getElementById("announce");

  /** @type {Map<string | symbol, string>} what waits to be said, by what it is about */
  const waiting = new Map();
  /** @type {Map<string, string>} what was said last of that which stands */
  const standing = new Map();
  let calm = 0;

  /**
   * @param {string} text
   * @param {string} [about] what the text is the state of; without it the text is an event, and is always said
   */
  function say(text, about) {
    const name = about ?? Symbol("event");
    waiting.delete(name); // what is newest comes last
    if (!text) {
      standing.delete(about);
    } else if (standing.get(about) !== text) {
      waiting.set(name, text);
    }
    wait();
  }

  function wait() {
    clearTimeout(calm);
    if (waiting.size) {
      calm = window.setTimeout(speak, CALM);
    }
  }

  function speak() {
    for (const [name, text] of waiting) {
      if (typeof name === "string") {
        standing.set(name, text);
      }
    }
    region.replaceChildren([...waiting.values()].join(" ")); // a new node: the same words are heard again
    waiting.clear();
  }

  for (const type of ["input", "keydown", "pointermove"]) {
    const busy = (/** @type {Event} */ event) => (type !== "pointermove" || /** @type {PointerEvent} */ (event).buttons) && wait();
    addEventListener(type, busy, { capture: true, passive: true });
  }

  posenc.say = say;
})();
