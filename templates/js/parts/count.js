/* Part 2 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, size, wake } = posenc.parts;
  const { fixed, fill } = posenc.format;
  const { encode } = posenc.engine;
  const { strings, extra } = posenc.data();
  const { width, visible } = extra.count;

  /** The three lengths at the chosen slot, on the longest one's scale, and again so large that the word shows. */
  function tally(box, { count, base }) {
    const lengths = {
      raw: count * Math.sqrt(width),
      word: Math.sqrt(width),
      encoding: size(encode([count], width, base)[0]),
    };
    const longest = Math.max(lengths.raw, lengths.word);
    const full = visible * lengths.word;
    for (const [name, length] of Object.entries(lengths)) {
      const bar = box.querySelector(`[data-bar="${name}"]`);
      draw(bar, "rect", { width: ((100 * length) / longest).toFixed(3) });
      say(bar, ".output", fixed(length, 1));
      draw(box, `[data-near="${name}"] rect`, { width: Math.min((100 * length) / full, 100).toFixed(3) });
    }
    const beyond = lengths.raw > full;
    box.querySelector(".lens").toggleAttribute("data-beyond", beyond);
    const times = lengths.raw / full;
    const widths = fixed(times, times >= 100 ? 0 : 1);
    say(box, "[data-lens]", beyond ? fill(strings["count.beyond"], { widths }) : strings["count.within"]);
  }

  wake("count", ["count", "base"], tally);
})();
