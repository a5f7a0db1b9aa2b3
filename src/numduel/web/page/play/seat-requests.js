// Who has no invitation: they are told what they see, may ask for the free seat, or only watch.
// Who waits at the game sees who asks, and decides.

import { byId, make, show, write } from "../common/dom.js";
import { post } from "../common/api.js";
import { keep, recall, remember } from "../common/storage.js";
import { sit } from "../common/key.js";
import { announce, attempt } from "../common/notify.js";

export class SeatRequests {
  /** @type {string} */ id;
  /** @type {(data: Server.Snapshot) => void} */ answered;
  /** @type {() => void} */ again;
  /** @type {Seat} */ you;
  /** @type {boolean} */ open;
  /** @type {boolean} */ taken;
  /** @type {string} */ title;
  /** @type {string[]} */ names;
  /** @type {boolean} */ visits;

  // answered(data) takes what the server says; again() connects again: the seat may be ours now.
  constructor(id, answered, again) {
    Object.assign(this, { id, answered, again });
    this.path = `/api/games/${id}/requests`;
    this.only = new URLSearchParams(location.search).has("watch"); // a link to watch, not to play
    this.invited = location.hash.length > 1;
    this.request = recall(`request.${id}`, null); // the number of what was asked here
    byId("asking-name").value = recall("name", "");
    byId("asking-form").addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => this.ask());
    });
  }

  // `secret` is an invitation that may still be used: then there is no need to ask.
  /** @param {Shown & { secret: string }} shown */
  show({ you, game, secret }) {
    const taken = !game.seats.includes(false);
    const open = !taken && !game.outcome;
    Object.assign(this, { you, taken, open, names: game.names, title: game.called });
    this.host = game.names[you ? 2 - you : game.seats.indexOf(true)];
    const looks = !you && !(open && secret);
    this.visits ||= looks && !this.invited;
    // For who comes without an invitation this line stays, so that nothing below it moves.
    show(byId("watching"), looks || this.visits);
    this.line(this.seen());
    if (you || game.outcome) this.forget();
    this.waits = game.requests.some(({ number }) => number === this.request);
    const free = looks && open && !this.only && this.request === null;
    show(byId("asking-form"), free);
    write(byId("asking-text"), this.told());
    this.list(you ? game.requests : []);
    show(byId("asking"), free || this.request !== null || this.rows.length > 0);
    if (taken && this.request !== null && !this.looked) {
      this.looked = true;
      this.again();
    }
  }

  // A line that gets shorter keeps its place, too.
  line(text) {
    const node = byId("watching");
    node.style.minHeight = `${node.getBoundingClientRect().height}px`;
    write(node, text);
  }

  seen() {
    if (this.you) return `${this.host} lets you play.`;
    if (this.open && !this.only) {
      return `${this.host}’s game of ${this.title}, waiting for a second player.`;
    }
    if (this.taken && this.invited) {
      const both = this.names.join(" and ");
      return `This invitation has been used: ${both} play here. You are only watching.`;
    }
    return "You are only watching this game.";
  }

  told() {
    if (this.request === null) return "";
    // By whom it is taken, the next connection tells.
    if (this.taken && !this.looked) return byId("asking-text").textContent;
    if (this.taken) return "Somebody else has the seat now. You can watch.";
    if (this.waits) return `You have asked ${this.host} to play. Wait here for the answer.`;
    return `${this.host} would rather not play now. You can watch.`;
  }

  async ask() {
    const name = byId("asking-name").value.trim();
    keep("name", name);
    const answer = await sit(this.path, { name, cookie: true });
    this.request = answer.request;
    keep(`request.${this.id}`, answer.request);
    remember(this.id);
    this.answered(answer);
  }

  forget() {
    if (this.request !== null) keep(`request.${this.id}`, null);
    this.request = null;
  }

  // -- who waits at the game ------------------------------------------------------------------

  get rows() {
    return /** @type {HTMLElement[]} */ ([...byId("asking-list").children]);
  }

  // Rows stay the same elements: somebody else who asks must not take the focus away.
  /** @param {Server.Asking[]} requests */
  list(requests) {
    const listed = this.rows.map((row) => Number(row.dataset.request));
    for (const row of this.rows) {
      if (!requests.some(({ number }) => number === Number(row.dataset.request))) row.remove();
    }
    for (const request of requests.filter(({ number }) => !listed.includes(number))) {
      byId("asking-list").append(this.row(request));
      announce(`${request.name} asks to play.`);
    }
  }

  /** @param {Server.Asking} request */
  row({ number, name }) {
    const button = (say, label, look) =>
      make("button", {
        type: "button",
        class: look,
        "data-say": say,
        onclick: () => attempt(() => this.decide(number, say)),
      }, label);
    return make("li", { class: "asker", "data-request": number },
      make("span", {}, make("strong", {}, name), " asks to play."),
      make("span", { class: "row" },
        button("accept", `Play with ${name}`, "button small strong"),
        button("refuse", "Decline", "button small")));
  }

  async decide(number, say) {
    this.answered(await post(`${this.path}/${number}`, { say }));
    byId("status").focus(); // the buttons are gone
  }
}
