/** Last of a page's own scripts: that all it needs is here. bind.js says so on the page when it is not. */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const needed = ["say", "engine", "format", "state", "table", "cells", "numbers", "views", "slices", "linear"];
  const own = document.getElementById("bench") ? ["instrument", "instrument-windows"] : ["explainer", "explainer-figures", "explainer-whole"];
  posenc.alive = needed.every((name) => posenc[name]) && own.every((file) => posenc.ended?.has(file) ?? true);
})();
