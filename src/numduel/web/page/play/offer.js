// The other seat is offered again, until who sits there has moved: a friend who cannot get in any
// more, or somebody else who was first.

import { byId, show, write } from "../common/dom.js";
import { post } from "../common/api.js";
import { confirm } from "../common/dialog.js";
import { keep, recall } from "../common/storage.js";
import { attempt } from "../common/notify.js";

// offered(data) takes what the server says. What is returned shows a game.
export function seatOffer(id, offered) {
  /** @type {Server.Game} */
  let game;
  let asked = false;
  byId("offer-again").addEventListener("click", () => attempt(again));

  async function again() {
    const { newcomer, names } = game;
    const who = names[(newcomer ?? 0) - 1];
    const question = `Take the seat from ${who} and offer it again? Their link stops working.`;
    if (!(await confirm(question, "Offer the seat again", "Leave it"))) return;
    if (game.newcomer === newcomer) await offer();
    byId("status").focus();
  }

  async function offer() {
    const answer = await post(`/api/games/${id}/offer`, { after: game.number });
    keep(`invite.${id}`, answer.invite);
    offered(answer);
  }

  return (/** @type {Shown} */ shown) => {
    const { you } = shown;
    ({ game } = shown);
    const taken = you && game.newcomer !== you ? game.newcomer : null;
    show(byId("offer"), taken !== null);
    const text = taken && `${game.names[taken - 1]} has taken the seat, and has not moved yet.`;
    write(byId("offer-text"), text || "");
    if (!you || !game.seats.includes(false) || game.outcome) return;
    if (asked || recall(`invite.${id}`)) return;
    // The link of a game that was created on another device of the same player.
    asked = true;
    offer().catch(() => {}); // then there is none to show
  };
}
