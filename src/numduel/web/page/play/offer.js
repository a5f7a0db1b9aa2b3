// The other seat is offered again, until who sits there has moved: a friend who cannot get in any
// more, or somebody else who was first.

import { byId, show, write } from "../common/dom.js";
import { post } from "../common/api.js";
import { confirm } from "../common/confirm.js";
import { keep, recall } from "../common/storage.js";
import { attempt } from "../common/notify.js";

export class Offer {
  /** @type {Server.Game} */ game;
  /** @type {string} */ name;
  /** @type {string} */ id;
  /** @type {(data: Server.Snapshot) => void} */ offered;
  /** @type {boolean} */ asked;

  // offered(data) takes what the server says.
  constructor(id, offered) {
    Object.assign(this, { id, offered, asked: false });
    byId("offer-again").addEventListener("click", () => attempt(() => this.again()));
  }

  /** @param {Shown} shown */
  show({ you, game }) {
    this.game = game;
    const taken = you && game.newcomer !== you ? game.newcomer : null;
    show(byId("offer"), taken !== null);
    this.name = taken ? game.names[taken - 1] : "";
    write(byId("offer-text"), taken ? `${this.name} has taken the seat, and has not moved yet.` : "");
    if (you && game.seats.includes(false) && !game.outcome) this.link();
  }

  // The link of a game that was created on another device of the same player.
  link() {
    if (this.asked || recall(`invite.${this.id}`)) return;
    this.asked = true;
    this.offer().catch(() => {}); // then there is none to show
  }

  async again() {
    const question = `Take the seat from ${this.name} and offer it again? Their link stops working.`;
    const { newcomer } = this.game;
    if (!(await confirm(question, "Offer the seat again", "Leave it"))) return;
    if (this.game.newcomer === newcomer) await this.offer();
    byId("status").focus();
  }

  async offer() {
    const answer = await post(`/api/games/${this.id}/offer`, { after: this.game.number });
    keep(`invite.${this.id}`, answer.invite);
    this.offered(answer);
  }
}
