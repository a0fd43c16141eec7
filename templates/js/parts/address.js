/* Part 7 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, amount, size, minus, paint, wake } = posenc.parts;
  const { fixed, count } = posenc.format;
  const { encode } = posenc.engine;
  const { config, omega, table } = posenc.data();

  /** One slot's hands, numbers and nearest neighbours. */
  function address(box) {
    const slot = amount(box, "address-slot");
    const row = encode([slot], config.d_model, config.base)[0];
    const apart = table.map((other, i) => (i === slot ? Infinity : size(minus(row, other))));
    const distance = Math.min(...apart);
    const nearest = apart.flatMap((each, i) => (each <= distance + config.tolerance ? [count(i)] : []));
    say(box, '[data-output="slot"]', count(slot));
    posenc.clocks.set(box.querySelector(".clocks"), slot, omega);
    paint(box.querySelector(".strip"), row, 1);
    say(box, '[name="least"]', fixed(Math.min(...row), 3));
    say(box, '[name="most"]', fixed(Math.max(...row), 3));
    say(box, '[name="length"]', fixed(size(row), 4));
    say(box, '[name="nearest"]', nearest.join(", "));
    say(box, '[name="distance"]', fixed(distance, 4));
  }

  wake("address", [], address);
})();
