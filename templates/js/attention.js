/**
 * One head of scaled dot-product self-attention (Vaswani et al. 2017, section 3.2.1).
 * Mirrors posenc/attention.py; its head and words come from the build. Touches no page.
 */
(function () {
  "use strict";

  /** @typedef {(number[] | Float64Array)[]} Matrix */
  /** @typedef {{w_q: Matrix, w_k: Matrix, w_v: Matrix}} Head */

  /**
   * @param {Matrix} a
   * @param {Matrix} b
   * @returns {Float64Array[]}
   */
  function product(a, b) {
    const columns = b[0].length;
    return Array.from(a, (row) => {
      const result = new Float64Array(columns);
      for (let i = 0; i < row.length; i += 1) {
        for (let j = 0; j < columns; j += 1) {
          result[j] += row[i] * b[i][j];
        }
      }
      return result;
    });
  }

  /**
   * @param {number[] | Float64Array} a
   * @param {number[] | Float64Array} b
   */
  function dot(a, b) {
    let sum = 0;
    for (let i = 0; i < a.length; i += 1) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** @param {Float64Array} scores */
  function softmax(scores) {
    const largest = Math.max(...scores);
    const grown = scores.map((score) => Math.exp(score - largest));
    const sum = grown.reduce((total, value) => total + value, 0);
    return grown.map((value) => value / sum);
  }

  /**
   * Attention weights, n rows adding to 1. With `causal`, no row looks past itself.
   * @param {Matrix} x
   * @param {Head} head
   * @param {boolean} [causal]
   * @returns {Float64Array[]}
   */
  function weights(x, head, causal = false) {
    const queries = product(x, head.w_q);
    const keys = product(x, head.w_k);
    const scale = Math.sqrt(x[0].length);
    return queries.map((query, row) =>
      softmax(
        Float64Array.from(keys, (key, column) =>
          causal && column > row ? -Infinity : dot(query, key) / scale,
        ),
      ),
    );
  }

  /**
   * The head's output for each row of x.
   * @param {Matrix} x
   * @param {Head} head
   * @param {boolean} [causal]
   * @returns {Float64Array[]}
   */
  function attend(x, head, causal = false) {
    return product(weights(x, head, causal), product(x, head.w_v));
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.attention = { weights, attend };
})();
