/* Part 5 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, amount, plus, wake } = posenc.parts;
  const { count, fill } = posenc.format;
  const { table, strings } = posenc.data();

  /** The words stay as they are; the places they are laid on move along. */
  function sum(box) {
    const { z: words, y: names } = JSON.parse(
      box.querySelector('[data-heatmap="sum-words"] script').textContent,
    ).data[0];
    const labels = box.dataset.words.split(" ");
    return () => {
      const start = amount(box, "sum-start");
      const places = table.slice(start, start + words.length);
      const y = names.map((_, i) => fill(strings["sum.row"], { word: labels[i], position: start + i }));
      say(box, '[data-output="start"]', count(start));
      posenc.heatmap("sum-words").update({ z: words, y });
      posenc.heatmap("sum-encoding").update({ z: places, y });
      posenc.heatmap("sum-total").update({ z: words.map((word, i) => plus(word, places[i])), y });
    };
  }

  wake("sum", [], sum);
})();
