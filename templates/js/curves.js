/** The live curves: Plotly over the drawing that the build left in each box, as it is and at every size. */
(function () {
  "use strict";

  const { plots } = globalThis.posenc;

  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-curves]"))) {
    const graph = box.querySelector(".curves-graph");
    const figure = JSON.parse(box.querySelector("script[type='application/json']").textContent);
    const show = () => plots.draw(box, graph, figure);
    plots.over(box, show);
    new ResizeObserver(show).observe(graph);
  }
})();
