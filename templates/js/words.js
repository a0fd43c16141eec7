/**
 * Words that a reader types: held to what the figure can show, and each given a list of numbers of its own. Touches
 * no page. tests/test_part_order.py makes the same numbers another way.
 */
(function () {
  "use strict";

  /** @typedef {{least: number, most: number, letters: number}} Limits */
  /** @typedef {{words: string[], typed: number, cut: boolean}} Sentence how many were typed; whether one was too long */

  const READ = 10_000; // characters of a text that are looked at
  const DECIMALS = 4; // as the build's own words
  const TRIES = 200;
  const UNSEEN = /(?![\s\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu; // but for the joiners of emoji and of Persian
  const SEEN = /[^\p{M}\u200c\u200d]/u;
  const HEAPED = /(\p{M}{4})\p{M}+/gu; // marks on one letter, beyond what a language needs

  /**
   * The words of a text, no more and no longer than the limits allow.
   * @param {string} text
   * @param {Limits} limits
   * @returns {Sentence}
   */
  function read(text, { most, letters }) {
    const clean = text.slice(0, READ).normalize("NFC").replace(UNSEEN, "").replace(HEAPED, "$1");
    const typed = clean.split(/\s+/u).filter((word) => SEEN.test(word));
    const taken = typed.slice(0, most);
    const words = taken.map((word) => split(word).slice(0, letters).join(""));
    return { words, typed: typed.length, cut: words.some((word, i) => word !== taken[i]) };
  }

  /**
   * The letters as a reader counts them: an emoji of many signs is one.
   * @param {string} word
   */
  function split(word) {
    if (!Intl.Segmenter) {
      return [...word];
    }
    return Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(word), ({ segment }) => segment);
  }

  /**
   * The list of numbers of a word: the same for the same word, whoever types it. FNV-1a over its UTF-8 bytes starts
   * mulberry32, whose numbers become a bell curve of spread one by Box and Muller.
   * @param {string} word
   * @param {number} width even
   * @param {number} seed
   * @returns {number[]}
   */
  function row(word, width, seed) {
    const next = generator(hash(word, seed));
    const numbers = [];
    while (numbers.length < width) {
      const reach = Math.sqrt(-2 * Math.log(1 - next()));
      const angle = 2 * Math.PI * next();
      numbers.push(reach * Math.cos(angle), reach * Math.sin(angle));
    }
    return numbers.map((number) => Number(number.toFixed(DECIMALS)) + 0);
  }

  /**
   * @param {string} word
   * @param {number} seed
   */
  function hash(word, seed) {
    let state = 0x811c9dc5 ^ seed;
    for (const byte of new TextEncoder().encode(word)) {
      state = Math.imul(state ^ byte, 0x01000193);
    }
    return state >>> 0;
  }

  /**
   * mulberry32: numbers from 0 up to 1.
   * @param {number} state
   */
  function generator(state) {
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  /**
   * The words from last to first; where that reads the same, with the first one at the end.
   * @param {string[]} words
   * @returns {number[]}
   */
  function turned(words) {
    const back = words.map((_, i) => words.length - 1 - i);
    const on = words.map((_, i) => (i + 1) % words.length);
    return reads(words, back) === reads(words, words.keys()) ? on : back;
  }

  /**
   * Another order than the one given, which reads neither like that one nor like the words as they come; null where
   * there is none.
   * @param {string[]} words
   * @param {number[]} order
   * @param {() => number} [random] from 0 up to 1
   * @returns {number[] | null}
   */
  function shuffled(words, order, random = Math.random) {
    const seen = [reads(words, words.keys()), reads(words, order)];
    for (let i = 0; i < TRIES; i += 1) {
      const drawn = drawing(words.length, random);
      if (!seen.includes(reads(words, drawn))) {
        return drawn;
      }
    }
    return null;
  }

  /**
   * @param {string[]} words
   * @param {Iterable<number>} order
   */
  const reads = (words, order) => Array.from(order, (i) => words[i]).join(" ");

  /**
   * @param {number} n
   * @param {() => number} random
   */
  function drawing(n, random) {
    const order = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.words = { read, row, turned, shuffled };
})();
