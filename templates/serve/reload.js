/**
 * The development server's ear on a page: reloads it when a build has changed the site, and lays the message of a
 * build that failed over it. Only the server adds this script; the site knows nothing of it.
 *
 * `data-stamp` names what the page was made from. The server tells the stamps that are still good: a page whose own is
 * not among them is old, however often the server was restarted meanwhile.
 */
(function () {
  "use strict";

  const AGAIN = 1000; // ms until a server that refused is asked again

  /** @typedef {{id: string, good: string[], error: string | null}} State */

  const { events, stamp } = document.currentScript.dataset;
  const host = document.createElement("div");
  const overlay = host.attachShadow({ mode: "open" });
  overlay.append(document.getElementById("serve-overlay").content);
  const dialog = overlay.querySelector("dialog");

  /** @type {EventSource | null} */
  let source = null;
  let leaving = false;
  /** @type {string | null} the failed build that was shown last: closed by hand, it stays closed */
  let shown = null;

  /** Only a page that is seen listens: browsers allow six connections to a server for all their tabs. */
  function listen() {
    if (source || leaving || document.hidden) {
      return;
    }
    source = new EventSource(events);
    source.addEventListener("message", (event) => follow(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) {
        rest();
        setTimeout(listen, AGAIN);
      }
    });
  }

  function rest() {
    source?.close();
    source = null;
  }

  /** @param {State} state */
  function follow(state) {
    if (state.error !== null) {
      show(state.id, state.error);
      return;
    }
    dialog.close();
    if (!state.good.includes(stamp)) {
      leaving = true;
      rest();
      location.reload();
    }
  }

  /**
   * @param {string} id
   * @param {string} error
   */
  function show(id, error) {
    if (id === shown) {
      return;
    }
    shown = id;
    overlay.querySelector("pre").textContent = error;
    document.body.append(host);
    if (!dialog.open) {
      dialog.showModal();
    }
  }

  overlay.querySelector("button").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => (dialog.open ? undefined : host.remove()));
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
  window.addEventListener("pagehide", rest);
  window.addEventListener("pageshow", listen);
  listen();
})();
