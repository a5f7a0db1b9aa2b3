// The analysis board: both sides, every value, and the address always holds the position.

import { byId, make, set, show, write } from "./dom.js";
import { get, query, rules, variantText } from "./api.js";
import { Board } from "./board.js";
import { choose, chosen, settings, valid } from "./fields.js";
import { recall } from "./keep.js";
import { Moves } from "./moves.js";
import { report } from "./report.js";
import { from, start } from "./start.js";
import { announce, attempt, copy, fail } from "./tell.js";

const board = new Board(byId("board"), press);
const moves = new Moves(byId("moves"), (ply) => jump(ply));

let games = [];
let state = null;
let steps = [""]; // the moves at every step, so that undo and redo are steps back and forth
let at = 0;
let reported = ""; // the moves that the report is about
let asked = 0; // the newest question; answers to older ones come too late

// -- where we are ----------------------------------------------------------------------------

// Every prefix of the moves is a step; a drawn card at the end is a step of its own.
const prefixes = (text) =>
  ["", ...tokens(text).map((_, index, all) => all.slice(0, index + 1).join(" "))];

// Shows one step of a line of play; false when that is no legal play, or no longer wanted.
async function go(place, line, index) {
  const question = (asked += 1);
  set(byId("board"), "aria-busy", "true");
  const answer = await attempt(() => get(`/api/position?${query(place, line[index])}`));
  if (question !== asked) return false;
  set(byId("board"), "aria-busy", null);
  if (!answer) return false;
  [state, steps, at] = [answer, line, index];
  steps[at] = state.text; // the server's spelling
  history.replaceState(null, "", `/analyse?${query(state)}`);
  render();
  values(question);
  return true;
}

async function values(question) {
  board.values(null);
  if (!byId("values").checked || !state.legal.length) return;
  write(byId("legend"), "Working out the values…");
  const answer = await attempt(() => get(`/api/values?${query(state)}`));
  if (question === asked) board.values(byId("values").checked ? answer : null);
}

async function step(index) {
  if (await go(state, [...steps], index)) announce(`${state.said}. ${state.status}`);
}

async function forward(text) {
  const line = [...steps.slice(0, at + 1), text];
  if (await go(state, line, at + 1)) announce(`${state.said}. ${state.status}`);
}

const tokens = (text) => text.split(" ").filter(Boolean);

// To the step at which so many of the moves below have been made.
const jump = (ply) => step(steps.indexOf(tokens(steps.at(-1)).slice(0, ply).join(" ")));

function press(move) {
  if (state.to_move !== null) forward([...state.moves, move].join(" "));
}

// -- what is shown ---------------------------------------------------------------------------

function render() {
  board.show(state, { open: true });
  const line = tokens(steps.at(-1));
  moves.show(line, tokens(state.text).length);
  show(byId("no-moves"), line.length === 0);
  write(byId("variant"), [state.title, variantText(state.variant)].filter(Boolean).join(", "));
  byId("rules").href = `/rules/${state.name}`;
  draws();
  // A report stays as long as the board shows a position of its game.
  if (!reported.startsWith(state.text)) byId("report").replaceChildren();
  controls();
}

function draws() {
  const odds = Object.entries(state.draws ?? {});
  show(byId("draws"), odds.length > 0);
  byId("draw-cards").replaceChildren(...odds.map(([card, chance]) =>
    make("button", {
      type: "button",
      class: "card draw",
      "data-draw": card,
      onclick: async () => {
        await forward([...state.moves, card].join(" "));
        // These buttons are gone now; the moves are what comes next.
        (document.querySelector(".choice") ?? byId("status")).focus();
      },
    }, make("span", {}, hidden("Draw "), card, hidden(", chance ")),
    make("small", {}, percent(chance)))));
}

const hidden = (text) => make("span", { class: "unseen" }, text);

const percent = (chance) => `${(chance * 100).toFixed(1).replace(/\.0$/, "")} %`;

function controls() {
  const able = (button, can) => set(byId(button), "aria-disabled", can ? null : "true");
  able("undo", at > 0);
  able("redo", at < steps.length - 1);
  able("over", at > 0);
  able("show-report", state.moves.length > 0);
  able("play-here", state.to_move !== null);
}

// -- choosing a game -------------------------------------------------------------------------

const chosenGame = () => games.find((game) => game.name === byId("game").value);

function fields(values) {
  byId("settings").replaceChildren(...settings(chosenGame(), values));
}

async function setUp() {
  if (!valid(byId("set-up"))) return;
  const place = {
    name: byId("game").value,
    variant: chosen(byId("settings")),
    first: byId("first").value,
    pie: byId("pie").checked,
  };
  await go(place, [""], 0);
}

function on(button, action) {
  byId(button).addEventListener("click", ({ currentTarget }) => {
    if (state && !currentTarget.hasAttribute("aria-disabled")) action(currentTarget);
  });
}

on("undo", () => step(at - 1));
on("redo", () => step(at + 1));
on("over", () => step(0));
on("copy", (button) => copy(location.href, button));
on("show-report", async () => {
  write(byId("report"), "Looking at every move…");
  const line = prefixes(state.text);
  reported = state.text;
  const data = await attempt(() => get(`/api/report?${query(state)}`));
  const pick = (ply) => go(state, [...line], ply);
  byId("report").replaceChildren(...(data ? report(data, pick) : []));
});
on("play-here", () =>
  attempt(() => start({
    ...from(state), opponent: recall("level", "medium"), seat: state.to_move ?? 1,
  })));
byId("values").addEventListener("change", () => state && values(asked));
byId("set-up").addEventListener("submit", (event) => {
  event.preventDefault();
  setUp();
});
byId("game").addEventListener("change", () => fields({}));

// -- the beginning ---------------------------------------------------------------------------

async function begin() {
  games = (await attempt(rules)) ?? [];
  if (!games.length) return;
  const given = new URLSearchParams(location.search);
  const wanted = games.find(({ name, id }) => [name, id].includes(given.get("game"))) ?? games[0];
  const variant = Object.fromEntries(
    (given.get("variant") ?? "").split(/\s+/).filter(Boolean).map((part) => part.split("=")),
  );
  const options = games.map((game) => [game.name, `${game.title}: ${game.name}`]);
  byId("game").replaceChildren(...choose(options, wanted.name).children);
  byId("first").value = given.get("first") ?? "1";
  byId("pie").checked = given.get("pie") === "true";
  fields(variant);
  const text = given.get("moves") ?? "";
  const place = {
    name: wanted.name, variant, first: byId("first").value, pie: byId("pie").checked,
    names: [given.get("name1"), given.get("name2")],
  };
  const line = prefixes(text);
  if (await go(place, line, line.length - 1)) return;
  // An address that is no position: say so, and show the game from its start.
  const sentence = byId("error").textContent;
  await go({ name: wanted.name }, [""], 0);
  fail(sentence);
}

await begin();
