/* Part 1 of the explainer. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { say, minus, plus, largest, paint, wake, example: table } = posenc.parts;
  const { count, fixed, sci, measured, fill } = posenc.format;
  const { config, strings, extra } = posenc.data();
  const { words: rows, head, scale, order: seats, bound, seed, limits } = extra.order;

  /** @typedef {number[] | Float64Array} Row */
  /** @typedef {"first" | "second"} Which */

  const box = document.getElementById("figure-order");
  const input = /** @type {HTMLInputElement} */ (document.getElementById("order-words"));
  const built = input.defaultValue.split(" ");
  let names = built;
  /** Which of the first sentence's words stands at each slot of the second. @type {number[]} */
  let order = seats;

  /** @param {string} text */
  function tell(text) {
    write(box.querySelector(".said"), text);
    posenc.say(text, "words");
  }

  /**
   * @param {Element} element
   * @param {string} text
   */
  function write(element, text) {
    if (element.textContent !== text) {
      element.textContent = text;
    }
  }

  /** The words of the build keep their lists; every other word has one of its own. */
  const meaning = (name) => (built.includes(name) ? rows[built.indexOf(name)] : posenc.words.row(name, config.d_model, seed));

  /** Takes what was typed; what cannot be taken is said. Fewer words than make an order change nothing. */
  function take() {
    const { words, typed, cut } = posenc.words.read(input.value, limits);
    const notes = [
      typed < limits.least ? strings["order.few"] : "",
      typed > limits.most ? fill(strings["order.many"], { most: count(limits.most), words: count(typed) }) : "",
      cut ? fill(strings["order.long"], { letters: count(limits.letters) }) : "",
    ];
    tell(notes.filter(Boolean).join(" "));
    if (typed < limits.least || words.join(" ") === names.join(" ")) {
      return;
    }
    const kept = words.length === names.length && order.some((word, slot) => words[word] !== words[slot]);
    names = words;
    order = kept ? order : posenc.words.turned(words);
  }

  /** Attention over both sentences, with or without places and mask. */
  function attend({ placed, mask }) {
    const seated = (/** @type {number} */ word, /** @type {number} */ slot) =>
      placed === "on" ? plus(meaning(names[word]), table[slot]) : meaning(names[word]);
    const read = (/** @type {number[]} */ sentence) => {
      const x = sentence.map(seated);
      const causal = mask === "on";
      return {
        sentence,
        answers: posenc.attention.attend(x, head, causal),
        weights: posenc.attention.weights(x, head, causal),
      };
    };
    return { first: read(names.map((_, word) => word)), second: read(order) };
  }

  /** @param {Record<string, any>} shown */
  function draw(shown) {
    const { first, second } = attend(shown);
    const told = { first: names.join(" "), second: order.map((word) => names[word]).join(" ") };
    box.querySelectorAll("[data-sentence]").forEach((place) => write(place, told[place.dataset.sentence]));
    fit(box.querySelector(".seats tbody"), names.length);
    const changes = names.map((_, word) => answer(word, first, second, told));
    find(Math.max(...changes));
    look("first", first);
    look("second", second);
  }

  /**
   * One word's line: its two answers, and how far they differ.
   * @param {number} word
   * @param {{answers: Row[]}} first
   * @param {{answers: Row[]}} second
   * @param {Record<Which, string>} told
   */
  function answer(word, first, second, told) {
    const line = /** @type {HTMLElement} */ (box.querySelector(".seats tbody").children[word]);
    const there = order.indexOf(word);
    const change = largest(minus(first.answers[word], second.answers[there]));
    line.dataset.word = String(word);
    write(line.querySelector("bdi"), names[word]);
    /** @type {[Which, number, Row][]} */
    const both = [
      ["first", word, first.answers[word]],
      ["second", there, second.answers[there]],
    ];
    both.forEach(([which, slot, row], column) => {
      const strip = line.querySelectorAll(".strip")[column];
      const words = { sentence: told[which], word: names[word], slot: count(slot) };
      write(line.querySelectorAll("[data-slot]")[column], count(slot));
      strip.setAttribute("aria-label", fill(strings["order.answer"], words));
      paint(strip, row, scale);
    });
    say(line, ".output", fixed(change, 2));
    return change;
  }

  /** @param {number} change the largest */
  function find(change) {
    const same = change <= bound;
    const finding = /** @type {HTMLElement} */ (box.querySelector(".finding"));
    finding.dataset.finding = same ? "same" : "changed";
    const [found, words] = [finding.querySelector("[data-found]"), same ? strings["order.same"] : strings["order.changed"]];
    if (found.textContent !== words) {
      write(found, words);
      posenc.say(words, "order");
    }
    write(finding.querySelector('[data-output="change"]'), same ? fill(strings["order.below"], { bound: sci(bound, 0) }) : fixed(change, 4));
    write(finding.querySelector('[data-output="just"]'), measured(change));
    finding.querySelector("[data-just]").toggleAttribute("hidden", !same);
  }

  /**
   * Who looks at whom in one sentence.
   * @param {Which} which
   * @param {{sentence: number[], weights: Row[]}} read
   */
  function look(which, { sentence, weights }) {
    const grid = box.querySelector(`[data-weights="${which}"]`);
    const lines = [grid.querySelector("thead tr"), ...fit(grid.querySelector("tbody"), sentence.length)];
    lines.forEach((line) => fit(line, sentence.length + 1));
    sentence.forEach((word, i) => {
      write(lines[0].children[i + 1].firstElementChild, names[word]);
      write(lines[i + 1].querySelector("bdi"), names[word]);
      weights[i].forEach((share, j) => {
        const cell = lines[i + 1].children[j + 1];
        cell.querySelector("rect").setAttribute("fill-opacity", fixed(share, 2));
        write(cell.querySelector("span"), fixed(100 * share, 0));
      });
    });
  }

  /**
   * As many children as wanted, each like the last.
   * @param {Element} parent
   * @param {number} wanted
   */
  function fit(parent, wanted) {
    while (parent.children.length > wanted) {
      parent.lastElementChild.remove();
    }
    while (parent.children.length < wanted) {
      parent.append(parent.lastElementChild.cloneNode(true));
    }
    return [...parent.children];
  }

  function shuffle() {
    const other = posenc.words.shuffled(names, order);
    tell(other ? "" : strings["order.alone"]);
    order = other ?? order;
    draw(posenc.state.shown);
  }

  function restore() {
    input.value = input.defaultValue;
    [names, order] = [built, seats];
    tell("");
    draw(posenc.state.shown);
  }

  input.value = input.defaultValue; // a browser may have kept what was typed on an earlier visit
  input.addEventListener("input", take); // before `wake` draws
  input.addEventListener("change", () => {
    input.value = names.join(" ");
  });
  box.querySelector('[data-do="shuffle"]').addEventListener("click", shuffle);
  posenc.state.onReset(restore);
  wake("order", ["placed", "mask"], (_, shown) => draw(shown));
})();
