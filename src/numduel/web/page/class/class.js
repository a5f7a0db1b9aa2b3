// How well the class played, after the end: on the screen, on paper, as a file.

import { byId, make, show, write } from "../common/dom.js";
import { file, get } from "../common/api.js";
import { accuracyText, count, eventPath, gamesText, speedText } from "./event.js";
import { News } from "./news.js";
import { attempt } from "../common/notify.js";

const PAUSE = 1000; // milliseconds
const SAVED = 10_000; // milliseconds after which a browser has taken a file

/** @param {Server.Event} event */
const day = ({ created }) =>
  new Date(1000 * created).toLocaleDateString("en", { dateStyle: "long" });

const cell = (text) => make("td", {}, text);

/**
 * @param {Server.ClassPlayer} one
 * @param {HTMLElement} button
 */
const row = (one, button) =>
  make("tr", {},
    cell(String(one.place)),
    make("th", { scope: "row" }, make("bdi", {}, one.nickname)),
    cell(`${one.wins} of ${one.games}`),
    cell(accuracyText(one)),
    cell(speedText(one)),
    cell(one.missed?.instruction ?? ""),
    make("td", { class: "no-print" }, button));

// "Leave them as few answers as you can." and how often that would have been better.
/** @param {Server.Missed} missed */
const idea = ({ game, instruction, times, players, name, step }) =>
  make("li", {},
    make("strong", {}, instruction), " ",
    make("span", { class: "soft" },
      `${game}: ${count(times, "time")}, by ${count(players, "player")}. `),
    make("a", { class: "no-print", href: `/learn/${name}#${step ?? ""}` }, "Lesson"));

export class ClassPage {
  /** @type {`/api/events/${string}`} */ path;
  /** @type {string} */ code;
  /** @type {string} */ secret;
  /** @type {(player: Server.ClassPlayer) => HTMLElement} */ button;

  // button(player): what opens all that can be done for them.
  constructor(code, secret, button) {
    Object.assign(this, { path: eventPath(code), code, secret, button });
    this.news = new News(() => this.load(), PAUSE);
    byId("print").addEventListener("click", () => print());
    byId("csv").addEventListener("click", () => attempt(() => this.save()));
  }

  // Games are judged after they have ended: then there is something new.
  /** @param {Server.Event} event */
  show(event) {
    const over = event.phase === "ended";
    show(byId("class"), over);
    show(byId("people-part"), !over);
    write(byId("class-when"), `${gamesText(event)} · ${day(event)}`);
    this.news.want(over ? event.number : null);
  }

  async load() {
    const { players, missed } = await get(`${this.path}/class`, this.secret);
    byId("class-rows").replaceChildren(...players.map((one) => row(one, this.button(one))));
    byId("missed").replaceChildren(...missed.map(idea));
    show(byId("none-missed"), !missed.length);
  }

  async save() {
    const href = URL.createObjectURL(await file(`${this.path}/table.csv`, this.secret));
    make("a", { href, download: `event-${this.code}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), SAVED);
  }
}
