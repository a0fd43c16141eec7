/* Part 8 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, amount, plus, through, dot, wake } = posenc.parts;
  const { fixed, count } = posenc.format;
  const { rotate } = posenc.engine;
  const { omega, table, extra } = posenc.data();

  /** Both schemes from the same two words and the same two matrices; the gap is the key's slot less the query's. */
  function coda(box) {
    const { words, head } = extra.order;
    const [query, key] = extra.coda.words.map((word) => words[word]);
    const sides = {
      additive: [
        table.map((place) => through(plus(query, place), head.w_q)),
        table.map((place) => through(plus(key, place), head.w_k)),
      ],
      rotary: [
        table.map((_, slot) => rotate([through(query, head.w_q)], slot, omega)[0]),
        table.map((_, slot) => rotate([through(key, head.w_k)], slot, omega)[0]),
      ],
    };
    return () => {
      const gap = amount(box, "coda-gap");
      const start = Math.max(0, -gap);
      say(box, '[data-output="gap"]', count(gap));
      box.querySelector("input").setAttribute("aria-valuetext", count(gap));
      for (const [scheme, [queries, keys]] of Object.entries(sides)) {
        const met = queries.slice(start, Math.min(queries.length, queries.length - gap));
        const heights = met.map((query, i) => dot(query, keys[start + i + gap]));
        const plot = box.querySelector(`[data-scheme="${scheme}"]`);
        draw(plot, ".dot", { d: heights.map((height, i) => `M${start + i} ${(-height).toFixed(3)}h0`).join("") });
        say(plot, '[name="mean"]', fixed(heights.reduce((total, height) => total + height, 0) / heights.length, 2));
        say(plot, '[name="spread"]', fixed(Math.max(...heights) - Math.min(...heights), 2));
      }
    };
  }

  wake("coda", [], coda);
})();
