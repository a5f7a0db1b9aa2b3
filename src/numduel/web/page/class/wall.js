// An event on the wall of a room: its code until the start, then time, table and boards, and at the
// end the winners. What does not fit at once takes turns.

import { isolated, byId, make, set, show, typeset, write } from "../common/dom.js";
import { plural, t } from "../common/language.js";
import {
  accuracyText, addressed, EventChannel, gamesText, isPublic, settingsText, teamOf, teamsText,
  timeText,
} from "./event.js";
import { rows } from "../common/rows.js";
import { code as qr } from "../common/scan.js";
import { attempt, outside } from "../common/notify.js";
import { discussion, wallBoard } from "./wall-board.js";

const TURN = 8000; // milliseconds for which a board, or a part of the table, is shown
const LEADERS = 3; // rows of the table that stay
const OTHERS = 6; // rows of the table that take turns, until it is known how many fit
const EDGE = 0.02; // of the height, below the table
const LAST = 60; // the last seconds, in another colour
const PLACES = { "1st": t("1st"), "2nd": t("2nd"), "3rd": t("3rd") }; // keys of the style sheet

/** @type {Server.Event} */
let event = /** @type {any} */ (null);
let page = 0; // which part of the table is shown
const board = wallBoard(byId("board"));
const discuss = discussion(byId("shown"));

/** @param {Server.PlayerNow} one */
const called = (one) => [
  teamOf(event, one).split(" ")[0],
  one.kind === "human" ? isolated(one.nickname)
    : t("{name} (computer)", { name: isolated(one.nickname) }),
].filter(Boolean).join("\u00a0"); // a mark never stands alone

// Tells the style sheet how many letters must fit side by side.
const measure = (node, letters) => node.style.setProperty("--letters", letters);
async function door() {
  const { code } = event;
  const join = outside(`/join/${code}`);
  for (const id of ["address", "late-address"]) write(byId(id), `${join.host}/join`);
  // Two halves are easier to read and type; the blank is ignored.
  for (const id of ["code", "late-code"]) write(byId(id), `${code.slice(0, 3)} ${code.slice(3)}`);
  byId("qr").replaceChildren(await qr(join.href));
}

function here() {
  const { players, locked } = event;
  const many = players.length ? t("{n} here", { n: players.length }) : t("Nobody here yet");
  write(byId("here-title"), locked ? `${many}. ${t("The door is locked.")}` : many);
  // In the order in which they joined, so that names keep their places.
  const people = [...players].sort((one, other) => one.number - other.number);
  rows(byId("here"), people, {
    key: ({ number }) => number,
    make: (one) => make("li", {}, called(one)),
  });
}
// The leaders and, in turn, some of the others.
/** @param {Server.Event} event */
function seen(event) {
  const players = event.players.filter((one) => isPublic(event, one));
  const rest = players.slice(LEADERS);
  const others = room() - LEADERS;
  if (rest.length <= others) return players;
  page %= Math.ceil(rest.length / others);
  // The last part is as long as the others, so nothing jumps.
  const from = Math.min(page * others, rest.length - others);
  return [...players.slice(0, LEADERS), ...rest.slice(from, from + others)];
}

// How many rows the height of the screen has room for.
function room() {
  const first = byId("rows").firstElementChild?.getBoundingClientRect();
  if (!first?.height) return LEADERS + OTHERS;
  return Math.max(LEADERS + 1, Math.floor((innerHeight * (1 - EDGE) - first.top) / first.height));
}

function table() {
  rows(byId("rows"), seen(event), {
    key: ({ number }) => number,
    make: (one) => make("tr", { "data-away": one.away && event.phase !== "ended" },
      make("td", {}, String(one.place)),
      make("th", { scope: "row" }, called(one)),
      make("td", {}, String(one.wins)),
      make("td", {}, accuracyText(one))),
    paint: (row, one) => measure(row.children[1], called(one).length),
  });
}
/** @param {Server.PlayerNow} one */
function name(one) {
  const node = make("strong", {}, called(one));
  measure(node, Math.max(...called(one).split(" ").map(({ length }) => length)));
  return node;
}

// A step for each of the first three places; players who share a place share its step.
function podium() {
  const first = event.players.filter(({ number }) => event.podium.includes(number));
  byId("podium").replaceChildren(...Object.entries(PLACES)
    .map(([key, text], index) =>
      ({ key, text, people: first.filter(({ place }) => place === index + 1) }))
    .filter(({ people }) => people.length)
    .map(({ key, text, people }) =>
      make("li", { "data-place": key },
        make("div", { class: "step-names" }, ...people.map(name)),
        make("div", { class: "step-block" }, make("span", {}, text),
          make("span", { class: "step-won" }, plural("{n} won", "{n} won", people[0].wins ?? 0))))));
}
/** @param {Server.EventSnapshot} data */
function receive(data) {
  const first = event === null;
  ({ event } = data);
  const { phase } = event;
  const [open, over] = [phase === "open", phase === "ended"];
  if (first) attempt(door);
  write(byId("title"), gamesText(event));
  const said = { paused: t("Paused"), ended: t("The event is over") }[phase];
  write(byId("what"), said ?? settingsText(event));
  write(byId("teams"), teamsText(event));
  const discussed = event.shown !== null;
  show(byId("door"), open);
  show(byId("playing"), !open && !discussed);
  discuss(event.shown);
  show(byId("late"), !open && !over && !event.locked);
  show(byId("podium-part"), over && event.podium.length > 0);
  show(byId("board-part"), !over);
  set(byId("wall"), "data-phase", phase);
  document.title = `${event.code}: ${gamesText(event)} | numduel`;
  if (open) here();
  if (over) podium();
  tell(over ? "" : event.message);
  if (!open) table(); // last, when it is known how much room is left
  board.show(open || over ? [] : event.pairings, event);
  show(byId("no-board"), board.empty());
}

function tell(message) {
  if (byId("message").textContent === typeset(message)) return;
  write(byId("message"), message);
  measure(byId("message"), message.length);
  board.fit();
}

function tick(left) {
  const { phase } = event;
  const told = phase === "open" ? "" : timeText(event, left);
  write(byId("clock"), told);
  show(byId("clock"), told !== "");
  set(byId("clock"), "data-words", left === null);
  set(byId("clock"), "data-last", phase === "running" && left !== null && left <= LAST);
}

function turn() {
  if (!event || byId("hold").ariaPressed === "true") return;
  page += 1;
  if (event.phase !== "open") table();
  board.next();
  show(byId("no-board"), board.empty());
}

byId("hold").addEventListener("click", ({ currentTarget }) => {
  currentTarget.ariaPressed = String(currentTarget.ariaPressed !== "true");
});
show(byId("full"), document.fullscreenEnabled);
byId("full").addEventListener("click", () => document.documentElement.requestFullscreen());
setInterval(turn, TURN);
addEventListener("resize", () => event && event.phase !== "open" && table());
new EventChannel(addressed(), { message: receive, tick });
