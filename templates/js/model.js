/**
 * Window 3: the wavelengths and the ruler, for whatever width, base and number of positions. Mirrors
 * posenc/web/windows/model.py.
 */
(function () {
  "use strict";

  const posenc = globalThis.posenc;
  const { count, fixed, measured, sci, fill } = posenc.format;
  const { strings } = posenc.data();
  const MOST_RULES = 12;
  const MOST_TICKS = 160;

  /** @param {number} x a wavelength: fewer decimals the longer it is */
  function length(x) {
    return x >= 1e-3 && x < 1e9 ? fixed(x, x < 100 ? 3 : x < 1e5 ? 1 : 0) : sci(x);
  }

  /**
   * @param {Record<string, any>} shown
   * @param {number[] | Float64Array} omega
   */
  function slope({ base }, omega) {
    const last = measured(omega[omega.length - 1]);
    if (omega.length === 1) {
      return fill(strings["model.single"], { last });
    }
    return fill(strings[base === 1 ? "model.level" : base > 1 ? "model.falls" : "model.rises"], { last });
  }

  /**
   * One pair's row of the ruler: a tick, in percent of its length, at each whole wavelength.
   * @param {number} pair
   * @param {number} wavelength
   * @param {number} span
   */
  function rule(pair, wavelength, span) {
    const solid = span / wavelength > MOST_TICKS;
    const ticks = [];
    for (let turn = 0; !solid && turn * wavelength < span + 1e-9; turn += 1) {
      ticks.push(((turn * wavelength) / span) * 100);
    }
    return { pair, wavelength: length(wavelength), ticks, solid };
  }

  /**
   * Pairs at even spaces, the half-way ones to the even neighbour, as NumPy rounds.
   * @param {number} pairs
   */
  function ruled(pairs) {
    const drawn = Math.min(pairs, MOST_RULES);
    const spaced = Array.from({ length: drawn }, (_, index) => (drawn > 1 ? (index * (pairs - 1)) / (drawn - 1) : 0));
    const even = (x) => (x % 1 === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
    return [...new Set(spaced.map(even))];
  }

  /** @param {Record<string, any>} shown */
  function paint(shown) {
    const omega = posenc.engine.frequencies(shown.d_model, shown.base);
    const wavelengths = Array.from(omega, (each) => (2 * Math.PI) / each);
    const first = 2 * Math.PI;
    const span = Math.min(Math.max(shown.n_positions - 1, Math.ceil(2 * first)), Math.ceil(20 * first));
    const rules = ruled(omega.length).map((pair) => rule(pair, wavelengths[pair], span));
    posenc.views.write({
      "model.slope": slope(shown, omega),
      "model.shortest": length(Math.min(...wavelengths)),
      "model.longest": length(Math.max(...wavelengths)),
      "model.ruler": fill(strings["model.ruler"], { span: count(span) }),
      "model.cut":
        rules.length < omega.length
          ? fill(strings["model.cut"], { drawn: rules.length, pairs: count(omega.length) })
          : "",
    });
    const list = document.querySelector("[data-rules]");
    while (list.children.length > rules.length) {
      list.lastElementChild.remove();
    }
    while (list.children.length < rules.length) {
      list.append(list.children[0].cloneNode(true));
    }
    rules.forEach(({ pair, wavelength, ticks, solid }, index) => {
      const line = list.children[index];
      line.querySelector(".rule-pair").textContent = String(pair);
      line.querySelector(".rule-length").textContent = wavelength;
      const marks = ticks.map((tick, at) => `M${tick.toFixed(3)} ${at ? 2 : 0}V9.5`);
      line.querySelector("path").setAttribute("d", `M0 9.5H100${marks.join("")}`);
      line.querySelector("rect").toggleAttribute("display", !solid);
      if (!solid) {
        line.querySelector("rect").setAttribute("display", "none");
      }
    });
  }

  posenc.state.on((shown, changed) => {
    if (["d_model", "base", "n_positions"].some((name) => changed.has(name))) {
      paint(shown);
    }
  });
})();
