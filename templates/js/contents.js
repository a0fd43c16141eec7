/** Where the reader is: marks the part at hand and those read to their end in the table of contents, and says so. */
(() => {
  "use strict";

  const { strings } = globalThis.posenc.data();
  const { fill } = globalThis.posenc.format;
  const LINE = "-33% 0px -66% 0px"; // a part is at hand while it crosses this height of the window

  const contents = document.getElementById("contents");
  const along = document.getElementById("along");
  const disclosure = along.querySelector("details");
  const parts = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".part")]);
  disclosure.append(contents.querySelector("ol").cloneNode(true));
  const lists = [contents, along].map((nav) => /** @type {HTMLElement[]} */ ([...nav.querySelectorAll("li")]));

  const places = [contents, along].map((nav) => /** @type {HTMLElement} */ (nav.querySelector('[data-at="told"]')));
  const title = along.querySelector('[data-at="title"]');

  /** @param {number} index the part at hand; −1 for none */
  function mark(index) {
    for (const items of lists) {
      items.forEach((item, part) => {
        if (part === index) item.firstElementChild.setAttribute("aria-current", "location");
        else item.firstElementChild.removeAttribute("aria-current");
      });
    }
    const told = index < 0 ? "" : fill(strings["contents.told"], { part: index + 1, parts: parts.length });
    for (const place of places) place.textContent = told;
    title.textContent = index < 0 ? "" : lists[0][index].firstElementChild.textContent;
    places[0].hidden = index < 0;
    along.hidden = index < 0;
    if (ended.has(index)) read(index);
    if (index < 0) disclosure.open = false;
  }

  /** @param {number} index */
  function read(index) {
    for (const items of lists) {
      if (items[index].dataset.read !== undefined) continue;
      items[index].dataset.read = "";
      const said = document.createElement("span");
      said.className = "visually-hidden";
      said.textContent = ` ${strings["contents.read"]}`;
      items[index].append(said);
    }
  }

  /** @type {Set<number>} */
  const crossing = new Set();
  /** @type {Set<number>} those whose end is in view: read, if they are at hand, and not if a link jumped past them */
  const ended = new Set();
  const atHand = () => Math.max(-1, ...crossing);
  const here = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const index = parts.indexOf(/** @type {HTMLElement} */ (target));
        if (isIntersecting) crossing.add(index);
        else crossing.delete(index);
      }
      mark(atHand());
    },
    { rootMargin: LINE },
  );
  const ends = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const index = parts.indexOf(target.closest(".part"));
      if (isIntersecting) ended.add(index);
      else ended.delete(index);
    }
    mark(atHand());
  });
  for (const part of parts) {
    here.observe(part);
    ends.observe(part.querySelector(".onward"));
  }

  along.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a")) disclosure.open = false;
  });
  along.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !disclosure.open) return;
    disclosure.open = false;
    disclosure.querySelector("summary").focus();
  });
})();
