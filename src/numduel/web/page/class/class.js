// How well the class played, after the end: on screen, on paper and as a file.

import { button, byId, focused, make, show, write } from "../common/dom.js";
import { dateText, outOf, plural, t } from "../common/language.js";
import { file, get } from "../common/api.js";
import { helpMark } from "./door.js";
import { accuracyText, eventPath, gamesText, riskText, speedText } from "./event.js";
import { news } from "./news.js";
import { attempt } from "../common/notify.js";

const PAUSE = 1000; // milliseconds
const SAVED = 10_000; // milliseconds a browser needs at most to save a file

/** @param {Server.Event} event */
const day = ({ created }) => dateText(created, { dateStyle: "long" });

const cell = (text) => make("td", {}, text);

/** @param {Server.ClassPlayer} one */
const row = (one, button) =>
  make("tr", {},
    cell(String(one.place)),
    make("th", { scope: "row" }, make("bdi", {}, one.nickname), helpMark(one.helped)),
    cell(outOf(one.wins, one.games)),
    cell(one.choices ? `${accuracyText(one)} (${outOf(one.kept, one.choices)})` : accuracyText(one)),
    cell(speedText(one)),
    cell(one.missed?.instruction ?? ""),
    make("td", { class: "no-print" }, button));

// An idea such as "Leave them as few answers as you can.", how often it was missed, and a position
// in which that happened.
/** @param {Server.Missed} missed @param {HTMLElement | null} position */
function idea({ game, instruction, times, players, name, step }, position) {
  const often = plural("{n} time", "{n} times", times);
  const who = plural("by {n} player", "by {n} players", players);
  return make("li", {},
    make("strong", {}, instruction), " ",
    make("span", { class: "soft" }, t("{game}: {often}, {who}.", { game, often, who }), " "),
    make("a", { class: "no-print", href: `/learn/${name}#${step ?? ""}` }, t("Lesson")),
    position);
}

// A position to discuss, which the host puts on the wall: first the board alone, then the answer.
/** @param {Server.Example | null} found @param {Server.ShownOnWall | null} shown */
function example(found, shown, act) {
  if (!found) return null;
  const { game, ply, board, told } = found;
  const here = shown?.game === game && shown.ply === ply;
  const put = (answer) => () => attempt(() => act("show", { game, ply, answer }));
  const away = () => attempt(() => act("show"));
  const choices = here
    ? { ...(!shown.answer && { [t("Show the answer")]: put(true) }), [t("Take it off the wall")]: away }
    : { [t("Show on the wall")]: put(false) };
  const buttons = Object.entries(choices).map(([label, doing]) =>
    button(label, doing, { class: "button small" }));
  return make("div", { class: "example" },
    make("pre", {}, board.join("\n")),
    make("p", {}, told),
    make("div", { class: "row no-print" }, ...buttons));
}

// opener(player) makes the button with the host's options, and act(what, body) does something as the
// host. Returns a function that shows an event.
/** @param {(player: Server.ClassPlayer) => HTMLElement} opener */
export function classPage(code, secret, opener, act) {
  const path = eventPath(code);
  /** @type {Server.ShownOnWall | null} */
  let shown = null;
  /** @type {Pick<Server.ClassPage, "missed" | "examples">} */
  let found = { missed: [], examples: [] };

  // The focus stays at the same idea.
  function ideas() {
    const list = byId("missed");
    const at = [...list.children].findIndex((item) => item.contains(focused()));
    list.replaceChildren(...found.missed.map((one, place) =>
      idea(one, example(found.examples[place], shown, act))));
    list.children[at]?.querySelector("button")?.focus();
  }

  const want = news(async () => {
    const { players, missed, examples } = await get(`${path}/class`, secret);
    byId("class-rows").replaceChildren(...players.map((one) => row(one, opener(one))));
    found = { missed, examples };
    ideas();
    const sum = (name) => players.reduce((before, one) => before + one[name], 0);
    write(byId("class-risk"), riskText({ choices: sum("choices"), moves: sum("moves") }));
    show(byId("none-missed"), !missed.length);
  }, PAUSE);

  async function save(comma) {
    const href = URL.createObjectURL(await file(`${path}/table.csv?comma=${comma}`, secret));
    make("a", { href, download: `event-${code}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), SAVED);
  }

  byId("print").addEventListener("click", () => print());
  byId("csv").addEventListener("click", () => attempt(() => save(false)));
  byId("csv-comma").addEventListener("click", () => attempt(() => save(true)));

  // Games are judged after they end, so there may be news after the event.
  return (/** @type {Server.Event} */ event) => {
    const over = event.phase === "ended";
    const before = JSON.stringify(shown);
    ({ shown } = event);
    if (JSON.stringify(shown) !== before) ideas();
    show(byId("class"), over);
    show(byId("people-part"), !over);
    write(byId("class-when"), `${gamesText(event)} · ${day(event)}`);
    want(over ? event.number : null);
  };
}
