// The host's reminder to a player who does not move: a large banner over the top of the page that
// stays until they do, and a buzz.

import { isolated, make, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { giveSignal } from "../common/signals.js";

const FRESH = 60; // seconds for which a reminder is shown to somebody who opens the page

// Returns a function that takes the player, if they are to move, the server's time, and the name of
// who waits.
export function nudges() {
  let seen = 0; // when the last reminder came
  const banner = make("p", { id: "nudge", class: "nudge", role: "alert" });
  document.body.append(banner);

  return (/** @type {Server.PlayerNow | undefined} */ me, now, opponent) => {
    if (!me) write(banner, "");
    const at = me?.nudged ?? 0;
    if (at <= seen) return;
    seen = at;
    if (now - at > FRESH) return;
    const text = t("It is your turn! {name} is waiting for you.", { name: isolated(opponent) });
    write(banner, text);
    giveSignal("nudge", text);
  };
}
