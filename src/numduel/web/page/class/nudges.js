// The host's reminder to a player who does not move: a large banner over the top of the page that
// stays until they do, and a buzz. Where they look at something else, it leads to their game.

import { isolated, make, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { giveSignal } from "../common/signals.js";

const FRESH = 60; // seconds for which a reminder is shown to somebody who opens the page

// Returns a function that takes the player, if somebody waits for them, the server's time, the name
// of who waits, and the id of the game that this page shows, if any.
export function nudges() {
  let seen = 0; // when the last reminder came
  const banner = make("p", { id: "nudge", class: "nudge", role: "alert" });
  document.body.append(banner);

  return (/** @type {Server.PlayerNow | undefined} */ me, now, opponent, here = "") => {
    if (!me) write(banner, "");
    const at = me?.nudged ?? 0;
    if (at <= seen) return;
    seen = at;
    if (now - at > FRESH) return;
    const text = t("It is your turn! {name} is waiting for you.", { name: isolated(opponent) });
    if (me?.game === here) write(banner, text);
    else banner.replaceChildren(make("a", { href: `/play/${me?.game}` }, text));
    giveSignal("nudge", text);
  };
}
