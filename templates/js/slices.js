/**
 * Work in slices: a generator is run a few milliseconds at a time, and the page breathes in between.
 *
 * No worker runs from file://, so long work shares the one thread with the reader. A generator that rests often is
 * stopped at its next rest after `budget` milliseconds, and goes on once the browser has had its turn. Touches no page.
 */
(function () {
  "use strict";

  const BUDGET = 8; // ms: half a frame, which leaves the other half to the browser

  /** @type {(() => void)[]} */
  const waiting = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()();

  /** The event loop's next turn: by a message, which hidden tabs do not hold back as they do timers and frames. */
  function turn() {
    return new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
  }

  /**
   * What the generator returns, or the error it throws. The first slice runs at once.
   * `progress` is told at every rest of the page what the generator yielded last.
   * @template P, T
   * @param {Generator<P, T, void>} work
   * @param {object} [options]
   * @param {number} [options.budget] milliseconds of one slice
   * @param {AbortSignal} [options.signal] ends the work between two slices; the promise is rejected with its reason
   * @param {() => Promise<unknown>} [options.wait] between two slices
   * @param {(value: P) => void} [options.progress]
   * @returns {Promise<T>}
   */
  async function run(work, { budget = BUDGET, signal, wait = turn, progress = () => {} } = {}) {
    for (;;) {
      signal?.throwIfAborted();
      const end = performance.now() + budget;
      let step = work.next();
      while (!step.done && performance.now() < end) {
        step = work.next();
      }
      if (step.done) {
        return step.value;
      }
      progress(step.value);
      await wait();
    }
  }

  /**
   * `run` for work of which only the newest counts: each call ends the one before, whose promise is rejected with
   * an AbortError.
   */
  function latest() {
    let newest = new AbortController();
    /**
     * @param {Generator} work
     * @param {object} [options] those of `run`, but for its signal
     */
    return (work, options = {}) => {
      newest.abort();
      newest = new AbortController();
      return run(work, { ...options, signal: newest.signal });
    };
  }

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  posenc.slices = { run, latest };
})();
