/**
 * The switch between the system's colours, light and dark. What was chosen is remembered; head/theme.js sets it
 * before the page is first painted. The colours themselves are the style sheet's.
 */
(function () {
  "use strict";

  const KEY = "posenc-theme";
  const THEMES = ["light", "dark"];
  const select = /** @type {HTMLSelectElement | null} */ (document.getElementById("theme"));

  /** @param {string | null} theme any other word is the system's */
  function wear(theme) {
    const chosen = THEMES.includes(theme ?? "") ? theme : null;
    if (chosen) {
      document.documentElement.dataset.theme = chosen;
    } else {
      delete document.documentElement.dataset.theme;
    }
    select.value = chosen ?? "system";
  }

  /** @param {string} theme */
  function remember(theme) {
    try {
      if (THEMES.includes(theme)) {
        localStorage.setItem(KEY, theme);
      } else {
        localStorage.removeItem(KEY);
      }
    } catch {
      // a browser that keeps nothing: the choice lasts as long as the page
    }
  }

  if (!select) {
    return;
  }
  wear(document.documentElement.dataset.theme ?? null);
  select.disabled = false;
  select.addEventListener("change", () => {
    wear(select.value);
    remember(select.value);
  });
  addEventListener("storage", ({ key, newValue }) => key === KEY && wear(newValue)); // chosen in another window
})();
