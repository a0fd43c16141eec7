/* Part 4 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, curve, wake } = posenc.parts;
  const { fixed } = posenc.format;
  const { omega, extra } = posenc.data();

  /** The chosen wave, and how high two slots sit on it. */
  function stack(box) {
    const { slots, span, tie } = extra.stack;
    const choice = box.querySelector("input:checked").value;
    const frequency = choice === "tie" ? tie : omega[Number(choice)];
    const plot = box.querySelector(".chosen");
    const heights = slots.map((slot) => Math.sin(slot * frequency));
    draw(plot, ".curve", { d: curve(frequency, span) });
    heights.forEach((height, i) => {
      draw(plot, `[data-slot="${slots[i]}"]`, { d: `M${slots[i]} ${-height}h0` });
      say(box, `[name="height-${i}"]`, fixed(height, 4));
    });
    say(box, '[name="apart"]', fixed(Math.abs(heights[1] - heights[0]), 4));
  }

  wake("stack", [], stack);
})();
