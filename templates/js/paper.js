/** Opens what folds for printing, in browsers whose style sheets cannot (Firefox before 143, Safari before 18.4). */
(function () {
  "use strict";

  if (CSS.supports("selector(::details-content)")) {
    return; // print.css does it
  }
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("main details:not([open])")) {
      details.open = true;
      opened.push(details);
    }
  });
  addEventListener("afterprint", () => {
    opened.forEach((details) => {
      details.open = false;
    });
    opened = [];
  });
})();
