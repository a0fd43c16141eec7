/* Turns the hands of a posture drawn by templates/macros/clocks.html. */
(() => {
  "use strict";
  const posenc = (globalThis.posenc ??= {});

  const REACH = 7.5;

  /**
   * Points each hand to its pair's phase: clockwise from twelve by position · omega[i].
   * @param {SVGElement} svg
   * @param {number} position
   * @param {number[]} omega
   */
  function set(svg, position, omega) {
    svg.querySelectorAll("line").forEach((hand, i) => {
      const angle = position * omega[i];
      hand.setAttribute("x2", String(Number(hand.getAttribute("x1")) + REACH * Math.sin(angle)));
      hand.setAttribute("y2", String(Number(hand.getAttribute("y1")) - REACH * Math.cos(angle)));
    });
  }

  posenc.clocks = { set };
})();
