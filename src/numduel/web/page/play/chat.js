// The remarks that players can make. They appear on the speaker's panel for a while.

import { byId, make, set, show } from "../common/dom.js";
import { COLON, t } from "../common/language.js";
import { post } from "../common/api.js";
import { announce, attempt } from "../common/notify.js";

const SHOWN = 5000; // milliseconds

// muted(): whether the reader has muted the opponent. Returns a function that shows a game.
export function chat(path, muted) {
  /** @type {(Server.Said | null)[] | null} */
  let heard = null;
  /** @type {HTMLElement[]} */
  const bubbles = [];
  byId("talk-menu").addEventListener("click", ({ target }) => {
    const what = target.closest("[data-remark]")?.dataset.remark;
    if (!what) return;
    byId("talk-menu").hidePopover();
    attempt(() => post(`${path}/say`, { what }));
  });

  // What the button for a remark says.
  function told(what) {
    const buttons = [...byId("talk-menu").querySelectorAll("[data-remark]")];
    return buttons.find(({ dataset }) => dataset.remark === what)?.textContent?.trim() || what;
  }

  function say(index, what, who) {
    const bubble = make("span", { class: "remark", "aria-hidden": "true" }, what);
    bubbles[index]?.remove();
    bubbles[index] = bubble;
    document.querySelector(`.player[data-seat="${index + 1}"]`)?.append(bubble);
    announce(`${who}${COLON}${what}`);
    setTimeout(() => bubble.remove(), SHOWN);
  }

  return (/** @type {Shown} */ { you, game }) => {
    const apart = game.two_people && !game.one_screen;
    show(byId("talk"), apart);
    set(byId("talk"), "data-vacant", !you); // it keeps its place for a player who sits down later
    show(/** @type {HTMLElement} */ (document.querySelector("[data-signal=mute]")), apart);
    // Remarks made before the page was opened are not repeated.
    const before = heard ?? game.remarks;
    heard = game.remarks;
    game.remarks.forEach((remark, index) => {
      const fresh = remark && remark.at !== before[index]?.at;
      const own = you === index + 1;
      if (fresh && (own || !muted())) say(index, told(remark.what), own ? t("You") : game.names[index]);
    });
  };
}
