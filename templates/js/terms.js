/**
 * Shows a term's definition beside its link: on hover, on focus, at the first touch; Escape puts it away. The link
 * itself leads to the glossary and is described by it, so that nothing here is needed to read the page.
 */
(() => {
  "use strict";

  const LINGER = 250; // milliseconds in which a pointer can cross from the link to the definition
  const EDGE = 8; // pixels that stay free beside it

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true"); // screen readers have the same words from the glossary
  document.body.append(tip);

  /** @type {HTMLAnchorElement | null} */
  let shown = null;
  let leaving = 0;

  /** @param {HTMLAnchorElement} link */
  function show(link) {
    clearTimeout(leaving);
    if (shown === link) return;
    const entry = document.getElementById(link.getAttribute("aria-describedby"));
    tip.replaceChildren(...[...entry.childNodes].map((node) => node.cloneNode(true)));
    tip.hidden = false;
    shown = link;
    place(link);
  }

  /** Below the link's last line, or above its first where there is no room. @param {HTMLAnchorElement} link */
  function place(link) {
    tip.style.left = "0";
    tip.style.top = "0";
    const lines = [...link.getClientRects()];
    const [first, last] = [lines[0], lines[lines.length - 1]];
    const { width, height } = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth - width - EDGE;
    const below = last.bottom + height <= globalThis.innerHeight || first.top < height;
    tip.style.left = `${Math.max(EDGE, Math.min(last.left, room)) + globalThis.scrollX}px`;
    tip.style.top = `${(below ? last.bottom : first.top - height) + globalThis.scrollY}px`;
  }

  function hide() {
    clearTimeout(leaving);
    tip.hidden = true;
    shown = null;
  }

  function leave() {
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      if (shown && document.activeElement !== shown) hide();
    }, LINGER);
  }

  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a.term"))) {
    let touched = false;
    link.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && show(link));
    link.addEventListener("pointerleave", leave);
    link.addEventListener("focus", () => link.matches(":focus-visible") && show(link));
    link.addEventListener("blur", hide);
    link.addEventListener("pointerdown", (event) => {
      touched = event.pointerType === "touch" && shown !== link;
    });
    link.addEventListener("click", (event) => {
      if (touched) {
        event.preventDefault(); // the second touch follows the link
        show(link);
      } else {
        hide();
      }
      touched = false;
    });
  }
  tip.addEventListener("pointerenter", () => clearTimeout(leaving));
  tip.addEventListener("pointerleave", leave);
  globalThis.addEventListener("resize", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("pointerdown", (event) => {
    const within = /** @type {Element} */ (event.target).closest("a.term, .tip");
    if (!within) hide();
  });
})();
