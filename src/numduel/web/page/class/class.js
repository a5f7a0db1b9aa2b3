// How well the class played, after the end: on screen, on paper and as a file.

import { byId, count, make, show, write } from "../common/dom.js";
import { file, get } from "../common/api.js";
import { accuracyText, eventPath, gamesText, riskText, speedText } from "./event.js";
import { news } from "./news.js";
import { attempt } from "../common/notify.js";

const PAUSE = 1000; // milliseconds
const SAVED = 10_000; // milliseconds a browser needs at most to save a file

/** @param {Server.Event} event */
const day = ({ created }) =>
  new Date(1000 * created).toLocaleDateString("en", { dateStyle: "long" });

const cell = (text) => make("td", {}, text);

/** @param {Server.ClassPlayer} one */
const row = (one, button) =>
  make("tr", {},
    cell(String(one.place)),
    make("th", { scope: "row" }, make("bdi", {}, one.nickname)),
    cell(`${one.wins} of ${one.games}`),
    cell(one.choices ? `${accuracyText(one)} (${one.kept} of ${one.choices})` : accuracyText(one)),
    cell(speedText(one)),
    cell(one.missed?.instruction ?? ""),
    make("td", { class: "no-print" }, button));

// An idea such as "Leave them as few answers as you can.", and how often it was missed.
/** @param {Server.Missed} missed */
const idea = ({ game, instruction, times, players, name, step }) =>
  make("li", {},
    make("strong", {}, instruction), " ",
    make("span", { class: "soft" },
      `${game}: ${count(times, "time")}, by ${count(players, "player")}. `),
    make("a", { class: "no-print", href: `/learn/${name}#${step ?? ""}` }, "Lesson"));

// button(player) makes the button with the host's options. Returns a function that shows an event.
/** @param {(player: Server.ClassPlayer) => HTMLElement} button */
export function classPage(code, secret, button) {
  const path = eventPath(code);
  const want = news(async () => {
    const { players, missed } = await get(`${path}/class`, secret);
    byId("class-rows").replaceChildren(...players.map((one) => row(one, button(one))));
    byId("missed").replaceChildren(...missed.map(idea));
    const sum = (name) => players.reduce((before, one) => before + one[name], 0);
    write(byId("class-risk"), riskText({ choices: sum("choices"), moves: sum("moves") }));
    show(byId("none-missed"), !missed.length);
  }, PAUSE);

  async function save() {
    const href = URL.createObjectURL(await file(`${path}/table.csv`, secret));
    make("a", { href, download: `event-${code}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), SAVED);
  }

  byId("print").addEventListener("click", () => print());
  byId("csv").addEventListener("click", () => attempt(save));

  // Games are judged after they end, so there may be news after the event.
  return (/** @type {Server.Event} */ event) => {
    const over = event.phase === "ended";
    show(byId("class"), over);
    show(byId("people-part"), !over);
    write(byId("class-when"), `${gamesText(event)} · ${day(event)}`);
    want(over ? event.number : null);
  };
}
