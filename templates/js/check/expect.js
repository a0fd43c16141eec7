/** Is a table the one that was expected? Mirrors posenc/check/expect.py; touches no page. */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});

  /** The narrower convention is one of the wider, too. @type {Record<string, string[]>} */
  const ALSO = { fairseq: ["tensor2tensor"], mlx: ["tensor2tensor"] };

  /** Conventions that are one with two columns. */
  const ONE_PAIR = [
    ["vaswani", "halves", "tensor2tensor", "interleaved-tensor2tensor"],
    ["cos-first", "guided-diffusion", "diffusers", "cos-first-tensor2tensor"],
  ];

  /**
   * Accepted, and of that convention.
   * @param {import("./diagnosis.js").Diagnosis} diagnosis
   * @param {string} convention
   */
  function isExpected(diagnosis, convention) {
    const { name } = diagnosis;
    const pair = diagnosis.ambiguities.some((note) => note.key === "one-pair");
    const alike = pair ? ONE_PAIR.filter((keys) => keys.includes(name)).flat() : [];
    return diagnosis.accepted && [name, ...(ALSO[name] ?? []), ...alike].includes(convention);
  }

  check.expect = { isExpected };
})();
