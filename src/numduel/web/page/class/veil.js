// What the host says to everybody takes over a player's screen: a pause while it lasts, and a
// message until it is dismissed. One that was shown in a pause goes with it.

import { button, make } from "../common/dom.js";
import { t } from "../common/language.js";
import { openDialog } from "../common/dialog.js";
import { keep, recall } from "../common/storage.js";

const PAUSED = t("Paused by your teacher");

// Returns a function that shows what an event has to say now to somebody who takes part or not.
export function hostsVeil() {
  /** @type {HTMLDialogElement | null} */
  let dialog = null;
  let shown = "";

  /** @param {Server.Event} event @param {boolean} takesPart */
  function show(event, takesPart) {
    const paused = takesPart && event.phase === "paused";
    const fresh = takesPart && event.phase !== "ended" && event.message_at !== recall("line", 0);
    const message = paused || fresh ? event.message : "";
    if (paused && message) keep("line", event.message_at);
    const wanted = paused || message ? `${paused} ${message}` : "";
    if (wanted === shown) return;
    shown = wanted;
    dialog?.close();
    dialog = wanted ? open(event, paused, message, takesPart) : null;
  }

  function open(event, paused, message, takesPart) {
    const title = make("h2", { id: "veil-title" }, paused ? PAUSED : message);
    const opened = openDialog("veil", title, paused
      ? [message ? make("p", {}, message) : null]
      : [button(t("OK"), () => opened.close(), { class: "button strong", id: "veil-close" })],
    () => {
      if (opened !== dialog) return;
      shown = "";
      dialog = null;
      if (paused) show(event, takesPart); // some browsers let a second Escape through
      else keep("line", event.message_at);
    });
    opened.addEventListener("cancel", (pressed) => paused && pressed.preventDefault());
    return opened;
  }

  return show;
}
