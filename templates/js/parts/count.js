/* Part 2 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, size, wake } = posenc.parts;
  const { fixed, count } = posenc.format;
  const { encode } = posenc.engine;
  const { config, extra } = posenc.data();

  /** The three lengths at the chosen slot, drawn on the longest one's scale. */
  function tally(box) {
    const { slots, width } = extra.count;
    const slider = box.querySelector("input");
    const slot = slots[Number(slider.value)];
    const lengths = {
      raw: slot * Math.sqrt(width),
      word: Math.sqrt(width),
      encoding: size(encode([slot], width, config.base)[0]),
    };
    const longest = Math.max(...Object.values(lengths));
    slider.setAttribute("aria-valuetext", count(slot));
    say(box, '[data-output="slot"]', count(slot));
    for (const [name, length] of Object.entries(lengths)) {
      const bar = box.querySelector(`[data-bar="${name}"]`);
      draw(bar, "rect", { width: ((100 * length) / longest).toFixed(3) });
      say(bar, "output", fixed(length, 1));
    }
  }

  wake("count", [], tally);
})();
