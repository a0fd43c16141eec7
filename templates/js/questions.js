/* The questions of the explainer: says whether a guess was right, and opens nothing by itself. */
(() => {
  "use strict";

  const posenc = globalThis.posenc;
  const { strings } = posenc.data();

  for (const question of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".question"))) {
    const said = question.querySelector(".question-said");
    for (const option of /** @type {NodeListOf<HTMLInputElement>} */ (question.querySelectorAll('input[type="radio"]'))) {
      option.checked = false; // a browser may have kept a guess from an earlier visit
      option.addEventListener("change", () => {
        const right = option.value === question.dataset.right;
        question.dataset.guess = right ? "right" : "wrong";
        said.textContent = right ? strings["question.right"] : strings["question.wrong"];
        posenc.say(said.textContent);
      });
    }
  }
})();
