// Who takes part, and what the host can do for one of them.

import { byId, focused, isolated, make, set, show, write } from "../common/dom.js";
import { confirm } from "../common/confirm.js";
import { accuracyText, COMPUTER, nameOf, player } from "./event.js";
import { choose, field } from "../common/fields.js";
import { rows } from "../common/rows.js";
import { announce } from "../common/notify.js";

// What somebody is doing now.
/**
 * @param {Server.Event} event
 * @param {Server.PlayerNow} one
 */
function doing(event, { away, game, opponent, kind }) {
  const parts = [kind === "human" ? "" : `computer: ${kind}`];
  if (game) parts.push(`plays ${nameOf(event, opponent)}`);
  if (away) parts.push("away");
  else if (!game && event.phase === "running") parts.push("waits for an opponent");
  return parts.filter(Boolean).join(", ");
}

export class People {
  /** @type {(what: string, body: object) => Promise<any>} */ act;
  /** @type {Server.Event} */ event;
  /** @type {number} */ number;
  /** @type {HTMLDialogElement | null} */ dialog;
  /** @type {HTMLElement} */ wrong;
  /** @type {HTMLElement} */ told;
  /** @type {boolean} */ busy;

  // act(what, body) does something as the host, and resolves to the answer or fails.
  constructor(act) {
    this.act = act;
  }

  /** @param {Server.Event} event */
  show(event) {
    this.event = event;
    const { players, room } = event;
    const here = players.filter(({ away }) => !away).length;
    const away = here < players.length ? `, ${players.length - here} away` : "";
    write(byId("people-title"), players.length ? `${here} here${away}` : "Who is here");
    set(byId("people-title"), "title", `Room for ${room}`);
    show(byId("nobody"), !players.length);
    show(byId("people"), players.length > 0);
    rows(byId("people-rows"), players, {
      key: ({ number }) => number,
      make: (one) => this.row(one),
      paint: (row, one) => this.paint(row, one),
      next: byId("people-title"),
    });
    if (this.dialog && !player(event, this.number)) this.dialog.close();
  }

  /** @param {Server.PlayerNow} one */
  row(one) {
    return make("tr", {},
      make("td"),
      make("th", { scope: "row" }, make("bdi", { class: "person" }),
        make("span", { class: "doing" })),
      make("td"),
      make("td"),
      make("td", {}, this.button(one)));
  }

  // Opens all that can be done for somebody.
  /** @param {Server.Standing} one */
  button({ number, nickname }) {
    return make("button", {
      type: "button",
      class: "button small look-after",
      "aria-label": `Look after ${nickname}`,
      onclick: () => this.open(number),
    }, "…");
  }

  /**
   * @param {HTMLElement} row
   * @param {Server.PlayerNow} one
   */
  paint(row, one) {
    const [place, who, won, kept, more] = row.children;
    const begun = this.event.phase !== "open";
    set(row, "data-away", one.away);
    write(place, begun ? String(one.place) : "");
    write(who.firstChild, one.nickname);
    write(who.lastChild, doing(this.event, one));
    write(won, begun ? `${one.wins} of ${one.games}` : "");
    write(kept, begun ? accuracyText(one) : "");
    set(more.firstChild, "aria-label", `Look after ${one.nickname}`);
  }

  // -- one of them ----------------------------------------------------------------------------

  open(number) {
    const { event } = this;
    const one = player(event, number);
    if (!one) return;
    const back = focused();
    this.number = number;
    this.wrong = make("p", { class: "alert", role: "alert" });
    this.told = make("p", { class: "personal", role: "status" });
    this.dialog = make("dialog", { class: "ask manage", "aria-labelledby": "manage-title" },
      make("h2", { id: "manage-title" }, make("bdi", {}, one.nickname)),
      make("p", { class: "soft" }, doing(event, one)),
      this.wrong,
      this.told,
      this.naming(one),
      event.phase === "running" && !one.pairing ? this.pairing(one) : null,
      make("div", { class: "row" }, ...this.buttons(one)),
      make("button", { type: "button", class: "button strong wide", onclick: () => this.close() },
        "Close"));
    this.dialog.addEventListener("close", () => {
      this.dialog?.remove();
      this.dialog = null;
      (back?.isConnected ? back : byId("phase")).focus();
    });
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  close() {
    this.dialog?.close();
  }

  // What goes wrong is told in the dialog, which covers the page. A second press while the first is
  // on its way is none.
  async attempt(work) {
    if (this.busy) return;
    this.busy = true;
    write(this.wrong, "");
    try {
      await work();
    } catch (error) {
      write(this.wrong, error.message);
    }
    this.busy = false;
  }

  form(work, ...children) {
    const onsubmit = (event) => {
      event.preventDefault();
      this.attempt(work);
    };
    return make("form", { class: "row ends", onsubmit }, ...children);
  }

  /** @param {Server.PlayerNow} one */
  naming({ number, nickname }) {
    const how = { type: "text", autocomplete: "off", dir: "auto" };
    const input = make("input", { ...how, value: nickname });
    return this.form(async () => {
      await this.act("rename", { player: number, nickname: input.value });
      this.close();
    }, field("Nickname", input, "field grow"), make("button", { class: "button" }, "Rename"));
  }

  // Only those who are free can be paired now.
  /** @param {Server.PlayerNow} one */
  pairing({ number, nickname }) {
    const { event } = this;
    const free = event.players.filter(({ pairing, away }) => !pairing && !away);
    const others = free.map((one) => one.number).filter((other) => other !== number);
    const named = [...others, COMPUTER];
    const whom = choose(named.map((other) => [other, nameOf(event, other)]));
    const game = choose([["", "Whichever is due"],
      ...event.games.map(({ text, called, changes }) => [text, [called, ...changes].join(", ")])]);
    return this.form(async () => {
      const chosen = game.value && { game: game.value };
      await this.act("pair", { players: [number, Number(whom.value)], ...chosen });
      this.close();
    },
    field(`${isolated(nickname)} plays`, whom, "field grow"),
    event.games.length > 1 ? field("Game", game, "field grow") : null,
    make("button", { class: "button" }, "Pair them"));
  }

  /** @param {Server.PlayerNow} one */
  buttons(one) {
    const button = (label, work) =>
      make("button", { type: "button", class: "button", onclick: () => this.attempt(work) }, label);
    const found = [];
    if (one.kind === "human") found.push(button("New four digits", () => this.renew(one)));
    if (one.pairing) {
      const other = nameOf(this.event, one.opponent);
      found.push(button(`The games go to ${other}`, () => this.sure(
        `${isolated(one.nickname)} loses what is left of the games with ${other}.`, "Give them",
        "forfeit", { player: one.number })));
    }
    found.push(button("Remove", () => this.sure(
      `${isolated(one.nickname)} does not take part any more, and vanishes from the table.`,
      "Remove", "remove", { player: one.number })));
    return found;
  }

  /** @param {Server.PlayerNow} one */
  async renew({ number, nickname }) {
    const { code } = await this.act("code", { player: number });
    this.told.replaceChildren(`New four digits of ${isolated(nickname)}: `, make("strong", {}, code));
    announce(`New four digits of ${nickname}: ${[...code].join(" ")}`);
  }

  async sure(question, yes, what, body) {
    if (!(await confirm(question, yes, "Go back"))) return;
    await this.act(what, body);
    this.close();
  }
}
