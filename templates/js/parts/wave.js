/* Part 3 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, draw, curve, wake } = posenc.parts;
  const { fixed, count, measured } = posenc.format;
  const { frequencies } = posenc.engine;
  const { config, strings, extra } = posenc.data();
  const { rod, arc } = extra.wave;

  /** @typedef {{frequency: number, pair: number, first: number, span: number}} View which wave, and the slots of the plot */

  const box = document.getElementById("figure-wave");
  const plot = /** @type {SVGElement} */ (box.querySelector(".plot"));
  const hand = /** @type {SVGElement} */ (box.querySelector('.moments [data-moment="0"] .clocks'));
  /** @type {View} */
  let view;
  /** What the curves show; at first what the build drew. */
  let drawn = [frequencies(config.d_model, config.base)[extra.wave.pair], 0, extra.wave.span].join();

  /**
   * The plot goes on page by page, each at least one swing long.
   * @param {Record<string, any>} shown
   * @returns {View}
   */
  function viewed({ pos, d_model: width, base }) {
    const omega = frequencies(width, base);
    const pair = Math.min(extra.wave.pair, omega.length - 1);
    const span = Math.max(extra.wave.span, Math.ceil((2 * Math.PI) / omega[pair]));
    return { frequency: omega[pair], pair, first: Math.floor(pos / (span + 1)) * (span + 1), span };
  }

  /**
   * The nearest other moment on the plot with the same sine and the opposite cosine.
   * @param {number} moment
   */
  function rival(moment) {
    const { frequency, first, span } = view;
    const turn = (2 * Math.PI) / frequency;
    const after = moment + ((((turn / 2 - 2 * moment) % turn) + turn) % turn);
    const here = [after - turn, after].filter((at) => first <= at && at <= first + span);
    return here.reduce((a, b) => (Math.abs(b - moment) < Math.abs(a - moment) ? b : a));
  }

  /** The two curves, when the plot or the wave is another. */
  function curves() {
    const { frequency, first, span } = view;
    const name = [frequency, first, span].join();
    if (name === drawn) {
      return;
    }
    drawn = name;
    plot.setAttribute("viewBox", `0 -1.15 ${span} 2.3`);
    draw(plot, ".axis", { d: `M0 0H${span}M0 -1H${span}M0 1H${span}` });
    draw(plot, ".curve:not(.second)", { d: curve(frequency, span, first * frequency) });
    draw(plot, ".curve.second", { d: curve(frequency, span, first * frequency + Math.PI / 2) });
    say(box, '[data-end="first"]', count(first));
    say(box, '[data-end="last"]', count(first + span));
  }

  /**
   * @param {number} at
   * @param {number} i
   */
  function moment(at, i) {
    const { frequency, first, span } = view;
    const [sine, cosine] = [Math.sin(at * frequency), Math.cos(at * frequency)];
    const x = Number((at - first).toFixed(3));
    const [sineY, cosineY] = [(-sine).toFixed(4), (-cosine).toFixed(4)];
    if (i === 0) {
      draw(plot, ".level", { d: `M0 ${sineY}H${span}` });
    }
    draw(plot, `.cursor[data-moment="${i}"]`, { d: `M${x} -1.15V1.15` });
    draw(plot, `[data-sine="${i}"]`, { d: `M${x} ${sineY}h.001` });
    draw(plot, `[data-cosine="${i}"]`, { d: `M${x} ${cosineY}h.001` });
    const reading = box.querySelector(`.moments [data-moment="${i}"]`);
    const lean = ((arc * Math.PI) / 180) * sine;
    const [bobX, bobY] = [(rod * Math.sin(lean)).toFixed(2), (rod * Math.cos(lean)).toFixed(2)];
    draw(reading, ".rod", { d: `M0 0L${bobX} ${bobY}` });
    draw(reading, ".pendulum circle", { cx: bobX, cy: bobY });
    posenc.clocks.set(reading.querySelector(".clocks"), at, [frequency]);
    say(reading, '[data-output="at"]', fixed(at, 2));
    say(reading, '[data-output="sine"]', fixed(sine, 3));
    say(reading, '[data-output="cosine"]', fixed(cosine, 3));
    say(reading, '[data-output="way"]', way(cosine));
  }

  /** @param {number} cosine */
  function way(cosine) {
    if (Math.abs(cosine) < 5e-4) {
      return strings["wave.turning"];
    }
    return cosine > 0 ? strings["wave.rising"] : strings["wave.falling"];
  }

  /** The chosen moment, and the other one that one height alone cannot tell from it. */
  function wave(_, shown) {
    view = viewed(shown);
    curves();
    [shown.pos, rival(shown.pos)].forEach(moment);
    const { frequency, pair } = view;
    const angle = shown.pos * frequency;
    posenc.views.write({
      "wave.pair": count(pair),
      "wave.pairs": count(shown.d_model / 2),
      "wave.length": fixed((2 * Math.PI) / frequency, 1),
      "wave.speed": measured(frequency),
      "wave.angle": measured(angle),
      "wave.high": fixed(Math.sin(angle), 3),
      "wave.up": fixed(Math.cos(angle), 3),
    });
  }

  // ---- the hand of the reader ----

  /**
   * The slot under the pointer.
   * @param {PointerEvent} event
   * @param {View} on
   */
  function slotAt({ clientX }, { first, span }) {
    const { left, width } = plot.getBoundingClientRect();
    const share = Math.min(Math.max((clientX - left) / width, 0), 1);
    const last = Number(posenc.state.now.n_positions) - 1;
    return Math.min(Math.round(first + share * span), last);
  }

  /**
   * How far the pointer stands round the clock, clockwise from twelve.
   * @param {PointerEvent} event
   */
  function angleAt({ clientX, clientY }) {
    const { left, top, width, height } = hand.getBoundingClientRect();
    return Math.atan2(clientX - left - width / 2, top + height / 2 - clientY);
  }

  /**
   * @param {SVGElement} element
   * @param {(event: PointerEvent) => (event: PointerEvent) => number} grip makes, of where a drag begins, the slot that
   *   every later place of it means
   */
  function draggable(element, grip) {
    /** @type {((event: PointerEvent) => number) | null} */
    let slot = null;
    let before = 0; // the slot to go back to, when the finger scrolls the page
    element.addEventListener("dragstart", (event) => event.preventDefault()); // selected text would be carried off
    element.addEventListener("pointerdown", (event) => {
      if (event.button === 0) {
        before = Number(posenc.state.now.pos);
        slot = grip(event);
        element.setPointerCapture(event.pointerId);
        element.classList.add("held");
        if (event.pointerType !== "touch") {
          posenc.state.set({ pos: slot(event) });
        }
      }
    });
    element.addEventListener("pointermove", (event) => slot && posenc.state.set({ pos: slot(event) }));
    for (const end of ["pointerup", "pointercancel"]) {
      element.addEventListener(end, (event) => {
        if (slot) {
          posenc.state.set({ pos: end === "pointerup" ? slot(event) : before }, { rested: true });
        }
        slot = null;
        element.classList.remove("held");
      });
    }
  }

  /** The plot that was taken hold of stays what it was until it is let go. */
  draggable(plot, () => {
    const on = view;
    return (event) => slotAt(event, on);
  });

  /** The hand may be turned on and on: every round is one swing. */
  draggable(hand, (start) => {
    const last = Number(posenc.state.now.n_positions) - 1;
    let before = angleAt(start);
    let moment = Number(posenc.state.now.pos);
    return (event) => {
      const angle = angleAt(event);
      const turned = ((((angle - before + Math.PI) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)) - Math.PI;
      before = angle;
      moment = Math.min(Math.max(moment + turned / view.frequency, 0), last);
      return Math.round(moment);
    };
  });

  /** Pointing shows a slot in every view, and keeps nothing; a page that scrolls under a still mouse is not pointing. */
  let still = [NaN, NaN];
  plot.addEventListener("pointerenter", ({ clientX, clientY }) => {
    still = [clientX, clientY];
  });
  plot.addEventListener("pointermove", (event) => {
    const moved = event.clientX !== still[0] || event.clientY !== still[1];
    if (event.pointerType === "mouse" && event.buttons === 0 && moved) {
      still = [event.clientX, event.clientY];
      posenc.state.look({ pos: slotAt(event, view) });
    }
  });
  plot.addEventListener("pointerleave", () => posenc.state.look(null));

  wake("wave", ["pos", "d_model", "base"], wave);
})();
