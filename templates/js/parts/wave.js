/* Part 3 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, amount, wake } = posenc.parts;
  const { fixed, count } = posenc.format;
  const { omega, extra } = posenc.data();

  /** The chosen moment, and the other one of its swing, or of the swing before it, with the same sine. */
  function wave(box) {
    const { pair, span } = extra.wave;
    const frequency = omega[pair];
    const turn = (2 * Math.PI) / frequency;
    const slot = amount(box, "wave-slot");
    const mirrored = Math.floor(slot / turn) * turn + ((((turn / 2 - slot) % turn) + turn) % turn);
    const rival = mirrored > span ? mirrored - turn : mirrored;
    say(box, '[data-output="slot"]', count(slot));
    draw(box, ".level", { d: `M0 ${-Math.sin(slot * frequency)}H${span}` });
    [slot, rival].forEach((at, i) => {
      const sine = Math.sin(at * frequency);
      const cosine = Math.cos(at * frequency);
      draw(box, `.cursor[data-moment="${i}"]`, { d: `M${at} -1.15V1.15` });
      draw(box, `[data-sine="${i}"]`, { d: `M${at} ${-sine}h0` });
      draw(box, `[data-cosine="${i}"]`, { d: `M${at} ${-cosine}h0` });
      const reading = box.querySelector(`.moments [data-moment="${i}"]`);
      posenc.clocks.set(reading.querySelector("svg"), at, [frequency]);
      say(reading, '[name="at"]', fixed(at, 2));
      say(reading, '[name="sine"]', fixed(sine, 3));
      say(reading, '[name="cosine"]', fixed(cosine, 3));
    });
  }

  wake("wave", [], wave);
})();
