/**
 * Conventions by name: which layout on which ladder. Their words are in the content. Mirrors
 * posenc/check/conventions.py.
 */
(function () {
  "use strict";

  /**
   * key is what `--expect` takes; layout and ladder are what a table must have; `padded` and `unit` narrow it to tables
   * with a zero row at index 1 and to tables whose rows have length 1.
   * @typedef {{key: string, layout: string, ladder: string, padded: boolean, unit: boolean}} Convention
   */

  /**
   * @param {string} key
   * @param {string} layout
   * @param {string} ladder
   * @param {{padded?: boolean, unit?: boolean}} [narrow]
   * @returns {Readonly<Convention>}
   */
  function convention(key, layout, ladder, { padded = false, unit = false } = {}) {
    return Object.freeze({ key, layout, ladder, padded, unit });
  }

  /**
   * The narrower ones first.
   * @type {readonly Convention[]}
   */
  const CONVENTIONS = Object.freeze([
    convention("fairseq", "halves", "tensor2tensor", { padded: true }),
    convention("mlx", "halves", "tensor2tensor", { unit: true }),
    convention("vaswani", "interleaved", "paper"),
    convention("halves", "halves", "paper"),
    convention("tensor2tensor", "halves", "tensor2tensor"),
    convention("cos-first", "cos-first", "paper"),
    convention("guided-diffusion", "cos-halves", "paper"),
    convention("diffusers", "cos-halves", "tensor2tensor"),
    convention("interleaved-tensor2tensor", "interleaved", "tensor2tensor"),
    convention("cos-first-tensor2tensor", "cos-first", "tensor2tensor"),
    convention("permuted", "permuted", "paper"),
    convention("permuted-tensor2tensor", "permuted", "tensor2tensor"),
  ]);

  /**
   * Conventions that are known by their ladder in any layout.
   * @type {Readonly<Record<string, string>>}
   */
  const BY_LADDER = Object.freeze({
    "octaves-pi": "nerf",
    octaves: "octaves",
    linear: "linear",
    llama3: "llama3",
    "rope-cache": "rope-cache",
  });

  const ROTARY = "rope";

  /**
   * Two-dimensional ones: by the order of their columns.
   * @type {Readonly<Record<string, string>>}
   */
  const GRIDS = Object.freeze({ fours: "loftr", blocks: "detr", "blocks-halves": "mae", mixed: "grid" });

  const EXPECTABLE = Object.freeze([
    ...CONVENTIONS.map(({ key }) => key),
    ...Object.values(BY_LADDER),
    ROTARY,
    ...Object.values(GRIDS),
  ]);

  /**
   * The convention's key; `other` for a mixture that nobody has named.
   * @param {string} layout
   * @param {string} ladder
   * @param {{padded: boolean, unit: boolean}} table
   */
  function named(layout, ladder, { padded, unit }) {
    const plain = ladder.replace(/-float32$/, "");
    if (plain in BY_LADDER) {
      return BY_LADDER[plain];
    }
    const found = CONVENTIONS.find(
      (each) =>
        each.layout === layout && each.ladder === plain && (!each.padded || padded) && (!each.unit || unit),
    );
    return found ? found.key : "other";
  }

  posenc.check.conventions = Object.freeze({ CONVENTIONS, BY_LADDER, ROTARY, GRIDS, EXPECTABLE, named });
})();
