/**
 * Plotly, when it comes: asked for with the first sign that a reader wants a plot. It nears the screen after a scroll, or
 * is pointed at, focused or touched. Until then, and if it never comes, what the build drew in each box stands for the
 * plot.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const NEAR = "400px";
  const WANTED = ["pointerover", "pointerdown", "focusin"];

  /** @typedef {{data: object[], layout: object, config: object}} Figure */

  /** @type {(arrived: boolean) => void} */
  let settle;
  /** @type {Promise<boolean>} true when Plotly is here, false when it will not come */
  const ready = new Promise((resolve) => { settle = resolve; });
  let asked = false;
  /** @type {WeakMap<HTMLElement, object>} of each box the drawing that was begun last */
  const newest = new WeakMap();

  /** Asks for Plotly, once. */
  function ask() {
    if (!asked) {
      asked = true;
      void posenc.later("plotly").then(() => settle("Plotly" in globalThis));
    }
  }

  /** Asks once the page has been painted as it now stands. */
  const soon = () => requestAnimationFrame(() => setTimeout(ask));

  const near = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        near.disconnect();
        soon();
      }
    },
    { rootMargin: NEAR },
  );
  const scrolled = new Promise((resolve) => addEventListener("scroll", resolve, { once: true, passive: true }));

  /**
   * Calls `show` when Plotly has come: one plot per task, so that the page stays responsive while they are drawn.
   * @param {Element} box
   * @param {() => void} show
   */
  function over(box, show) {
    scrolled.then(() => asked || near.observe(box));
    WANTED.forEach((sign) => box.addEventListener(sign, soon, { once: true, passive: true }));
    ready.then((arrived) => arrived && setTimeout(show));
  }

  /**
   * Draws in the graph's present size, if Plotly is here and the graph is on the page; says whether it did.
   * @param {HTMLElement} box
   * @param {HTMLElement} graph
   * @param {Figure} figure
   */
  function draw(box, graph, { data, layout, config }) {
    const Plotly = /** @type {any} */ (globalThis).Plotly;
    if (!Plotly) {
      return false; // before the size is asked for, which would lay out the page
    }
    const { clientWidth: width, clientHeight: height } = graph;
    if (!width || !height) {
      return false;
    }
    const drawing = {};
    newest.set(box, drawing);
    Plotly.react(graph, data, { ...structuredClone(layout), width, height }, config).then(() => {
      if (newest.get(box) === drawing) {
        box.dataset.state = "plot"; // unless something newer is shown by now
      }
    });
    return true;
  }

  /**
   * What Plotly is at in that box is out of date.
   * @param {HTMLElement} box
   */
  const drop = (box) => newest.delete(box);

  posenc.plots = { ready, over, draw, drop };
})();
