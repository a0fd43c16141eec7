/* Part 1 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, minus, plus, largest, paint, wake } = posenc.parts;
  const { fixed } = posenc.format;
  const { config, table, strings, extra } = posenc.data();

  /** Attention over both sentences, with or without places and mask. */
  function order(box) {
    const { words, head, scale, order: seats } = extra.order;
    const placed = box.querySelector('input[value="with"]').checked;
    const causal = box.querySelector('input[name="order-mask"]').checked;
    const seated = (row, seat) => (placed ? plus(row, table[seat]) : row);
    const first = posenc.attention.attend(words.map(seated), head, causal);
    const moved = posenc.attention.attend(seats.map((word, seat) => seated(words[word], seat)), head, causal);
    let change = 0;
    for (const line of box.querySelectorAll("tr[data-word]")) {
      const word = Number(line.dataset.word);
      const second = moved[seats.indexOf(word)];
      const difference = largest(minus(first[word], second));
      const [here, there] = line.querySelectorAll(".strip");
      paint(here, first[word], scale);
      paint(there, second, scale);
      say(line, "output", fixed(difference, 2));
      change = Math.max(change, difference);
    }
    const same = change <= config.tolerance;
    const finding = box.querySelector(".finding");
    finding.dataset.finding = same ? "same" : "changed";
    finding.textContent = same ? strings["order.same"] : strings["order.changed"];
  }

  wake("order", [], order);
})();
