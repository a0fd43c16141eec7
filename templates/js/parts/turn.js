/* Part 6 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, amount, minus, largest, wake } = posenc.parts;
  const { fixed, sci, count, measured, fill } = posenc.format;
  const { encode, rotate } = posenc.engine;
  const { config, omega, strings, extra } = posenc.data();

  /** @param {number} angle */
  function degrees(angle) {
    const turned = ((angle * 180) / Math.PI) % 360;
    return `${fixed(turned, turned >= 10 ? 0 : turned >= 1 ? 1 : 2)}°`;
  }

  /** The hands before and after a step, and the turn between, which asks for k alone. */
  function turn(box) {
    const slot = amount(box, "turn-slot");
    const k = amount(box, "turn-k");
    const [turned] = rotate(encode([slot], config.d_model, config.base), k, omega);
    const residual = largest(minus(turned, encode([slot + k], config.d_model, config.base)[0]));
    say(box, '[data-output="slot"]', count(slot));
    say(box, '[data-output="k"]', count(k));
    say(box, '[name="before"]', count(slot));
    say(box, '[name="after"]', count(slot + k));
    const { bound } = extra.turn;
    const below = () => fill(strings["turn.below"], { bound: sci(bound, 0) });
    say(box, '[name="residual"]', residual <= bound ? below() : measured(residual));
    const clocks = (name) => box.querySelector(`[data-hands="${name}"] svg`);
    posenc.clocks.set(clocks("before"), slot, omega);
    posenc.clocks.set(clocks("turn"), k, omega);
    posenc.clocks.set(clocks("after"), slot + k, omega);
    box.querySelectorAll(".angles li").forEach((line, i) => {
      line.textContent = degrees(k * omega[i]);
    });
  }

  wake("turn", [], turn);
})();
