// How well the class played, after the end: on the screen, on paper, as a file.

import { byId, make, show, write } from "../common/dom.js";
import { file, get } from "../common/api.js";
import { accuracyText, count, eventPath, gamesText, speedText } from "./event.js";
import { news } from "./news.js";
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

// button(player): what opens all that can be done for them. What is returned shows an event.
/**
 * @param {string} code
 * @param {string} secret
 * @param {(player: Server.ClassPlayer) => HTMLElement} button
 */
export function classPage(code, secret, button) {
  const path = eventPath(code);
  const want = news(async () => {
    const { players, missed } = await get(`${path}/class`, secret);
    byId("class-rows").replaceChildren(...players.map((one) => row(one, button(one))));
    byId("missed").replaceChildren(...missed.map(idea));
    show(byId("none-missed"), !missed.length);
  }, PAUSE);

  async function save() {
    const href = URL.createObjectURL(await file(`${path}/table.csv`, secret));
    make("a", { href, download: `event-${code}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), SAVED);
  }

  byId("print").addEventListener("click", () => print());
  byId("csv").addEventListener("click", () => attempt(save));

  // Games are judged after they have ended: then there is something new.
  return (/** @type {Server.Event} */ event) => {
    const over = event.phase === "ended";
    show(byId("class"), over);
    show(byId("people-part"), !over);
    write(byId("class-when"), `${gamesText(event)} · ${day(event)}`);
    want(over ? event.number : null);
  };
}
