/* Part 7 of the explainer: the whole table and one slot's address, held by the page's one state. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, size, paint, curve, soon } = posenc.parts;
  const { fixed, count } = posenc.format;
  const { encode, frequencies } = posenc.engine;
  const { config, strings } = posenc.data();
  const { element, write } = posenc.views;

  const box = document.getElementById("figure-address");

  /**
   * As many cells in the strip as there are columns.
   * @param {Element} strip
   * @param {number} columns
   */
  function fitStrip(strip, columns) {
    if (strip.children.length !== columns) {
      strip.setAttribute("viewBox", `0 0 ${columns} 1`);
      const cells = Array.from({ length: columns }, (_, x) => element("rect", { x, width: 1, height: 1 }));
      strip.replaceChildren(...cells);
    }
  }

  /** @param {Record<string, any>} shown */
  function facts({ pos, d_model, base }) {
    const [row] = encode([pos], d_model, base);
    const strip = box.querySelector(".strip");
    fitStrip(strip, d_model);
    paint(strip, row, 1);
    write({
      "address.least": fixed(row.reduce((a, b) => Math.min(a, b)), 3),
      "address.most": fixed(row.reduce((a, b) => Math.max(a, b)), 3),
      "address.length": fixed(size(row), 4),
    });
  }

  /**
   * The nearest of the other rows: a distance depends on the offset alone.
   * @param {Record<string, any>} shown
   */
  function nearest({ pos, d_model, n_positions, base }) {
    const omega = frequencies(d_model, base);
    const farthest = Math.max(pos, n_positions - 1 - pos);
    let least = Infinity;
    /** @type {number[]} */
    let offsets = [];
    for (let k = 1; k <= farthest; k += 1) {
      const apart = Math.sqrt(omega.reduce((sum, each) => sum + (2 * Math.sin((each * k) / 2)) ** 2, 0));
      if (apart < least - config.tolerance) {
        [least, offsets] = [apart, [k]];
      } else if (apart <= least + config.tolerance) {
        offsets.push(k);
      }
    }
    const slots = [...new Set(offsets.flatMap((k) => [pos - k, pos + k]))].filter((at) => at >= 0 && at < n_positions);
    write({
      "address.nearest": posenc.format.listed(slots.sort((a, b) => a - b).map(count)) || strings["address.none"],
      "address.distance": slots.length ? fixed(least, 4) : strings["address.none"],
    });
  }

  let drawn = "";

  /**
   * The waves of some pairs, each with the slot's height on it.
   * @param {Record<string, any>} shown
   */
  function waves({ pos, pair, d_model, n_positions, base }) {
    const omega = frequencies(d_model, base);
    const pairs = posenc.views.waves(omega.length, pair);
    const span = Math.max(n_positions - 1, 1);
    const list = box.querySelector("[data-waves]");
    const name = [pairs, span, base, d_model].join();
    if (drawn !== name) {
      const [model] = list.children;
      while (list.children.length < pairs.length) {
        list.append(model.cloneNode(true));
      }
      while (list.children.length > pairs.length) {
        list.lastElementChild.remove();
      }
      pairs.forEach((each, index) => {
        const item = /** @type {HTMLElement} */ (list.children[index]);
        item.dataset.pair = String(each);
        say(item, ".wave-pair", count(each));
        item.querySelector("svg").setAttribute("viewBox", `0 -1.2 ${span} 2.4`);
        item.querySelector(".axis").setAttribute("d", `M0 0H${span}`);
        item.querySelector(".curve").setAttribute("d", curve(omega[each], span));
      });
      drawn = name;
    }
    pairs.forEach((each, index) => {
      const item = list.children[index];
      const height = Math.sin(pos * omega[each]);
      item.classList.toggle("chosen", each === pair);
      item.querySelector(".cursor").setAttribute("d", `M${pos} -1.2V1.2`);
      item.querySelector(".dot").setAttribute("d", `M${pos} ${(-height + 0).toFixed(3)}h.001`);
      say(item, ".wave-height", fixed(height, 2));
    });
  }

  for (const type of ["pointerover", "click"]) {
    box.querySelector("[data-waves]").addEventListener(type, ({ target }) => {
      const item = /** @type {HTMLElement | null} */ (target.closest("li"));
      const at = item && { pair: Number(item.dataset.pair) };
      if (type === "click" && at) {
        posenc.state.set(at, { rested: true });
      } else {
        posenc.state.look(at);
      }
    });
  }
  box.querySelector("[data-waves]").addEventListener("pointerleave", () => posenc.state.look(null));

  /** @param {{rows: Float64Array[], recipe: {d_model: number, base: number}}} made */
  function table({ rows, recipe }) {
    const { cells, columns } = posenc.views;
    posenc.heatmap("whole").update({ z: cells(rows), x: columns(recipe, "cell.column"), rows: rows.length });
  }

  posenc.state.on(posenc.views.hands);
  posenc.state.on(posenc.views.marks);
  soon(() => posenc.state.on(facts));
  soon(() =>
    posenc.state.on((shown, changed) => {
      if (["pos", "d_model", "n_positions", "base"].some((name) => changed.has(name))) {
        nearest(shown);
      }
    }),
  );
  soon(() => posenc.state.on(waves));
  soon(() => posenc.table.on(table));
})();
