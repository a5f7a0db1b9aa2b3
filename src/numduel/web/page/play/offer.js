// Offering the other seat again until its player has moved: the friend may be locked out, or
// somebody else was first.

import { byId, show, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { post } from "../common/api.js";
import { confirm } from "../common/dialog.js";
import { keep, recall } from "../common/storage.js";
import { attempt } from "../common/notify.js";

// offered(data) takes the server's answer. Returns a function that shows a game.
export function seatOffer(id, offered) {
  /** @type {Server.Game} */
  let game;
  let asked = false;
  byId("offer-again").addEventListener("click", () => attempt(again));

  async function again() {
    const { newcomer, names } = game;
    const question = t("Take the seat from {name} and offer it again? Their link will stop working.",
      { name: names[(newcomer ?? 0) - 1] });
    if (!(await confirm(question, t("Offer the seat again"), t("Leave it")))) return;
    if (game.newcomer === newcomer) await offer();
    byId("status").focus();
  }

  async function offer() {
    const answer = await post(`/api/v1/games/${id}/offer`, { after: game.number });
    keep(`invite.${id}`, answer.invite);
    offered(answer);
  }

  return (/** @type {Shown} */ shown) => {
    const { you } = shown;
    ({ game } = shown);
    const taken = you && game.newcomer !== you ? game.newcomer : null;
    show(byId("offer"), taken !== null);
    const text = taken && t("{name} has taken the seat but has not moved yet.",
      { name: game.names[taken - 1] });
    write(byId("offer-text"), text || "");
    if (!you || !game.seats.includes(false) || game.outcome) return;
    if (asked || recall(`invite.${id}`)) return;
    // The game was created on another device, which has the link.
    asked = true;
    offer().catch(() => {}); // then there is no link to show
  };
}
