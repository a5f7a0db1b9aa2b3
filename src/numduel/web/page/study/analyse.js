// The analysis board: both sides, every value, every line that was tried; the address always holds
// the position.

import { byId, focused, make, set, show, write } from "../common/dom.js";
import { get, query, rules } from "../common/api.js";
import { Evaluation } from "./evaluation.js";
import { chosen, settings, valid } from "../common/fields.js";
import { recall } from "../common/storage.js";
import { report } from "./report.js";
import { from, start } from "../common/start.js";
import { StudyBoard } from "./study.js";
import { announce, attempt, copy, fail } from "../common/notify.js";
import { Lines, Tree } from "./tree.js";

const board = new StudyBoard((move) => forward([...state.moves, move].join(" ")));
const bar = new Evaluation(byId("evaluation"));
const lines = new Lines(byId("moves"), step);
const left = new Map(); // what was on the board of a game when another tab was opened

/** @type {Server.Rules[]} */
let games = [];
/** @type {Server.Position} */
let state = /** @type {any} */ (null);
let tree = new Tree();
/** @type {Step | null} */
let aim = null; // the position that is on its way
let reported = ""; // the moves that the report is about
let asked = 0; // the newest question; answers to older ones come too late

// The cards that can be drawn stand where the moves stand.
board.held.before(byId("draws"));

// -- where we are ----------------------------------------------------------------------------

// The position after some moves; null when that is no legal play, or no longer wanted.
async function load(place, text) {
  const question = (asked += 1);
  set(byId("board"), "aria-busy", "true");
  const answer = await attempt(() => get(`/api/position?${query(place, text)}`));
  if (question !== asked) return null;
  set(byId("board"), "aria-busy", null);
  return answer;
}

function stand(answer, node) {
  state = answer;
  tree.go(node, state);
  // Who leaves the page and comes back finds all lines again.
  history.replaceState({ ...tree }, "", `/analyse?${query(state)}`);
  render();
  values(asked);
}

async function values(question) {
  const on = byId("values").checked;
  set(byId("evaluation"), "data-off", !on);
  board.values(null);
  if (!on || state.outcome) {
    bar.show(state, null);
    return;
  }
  bar.wait();
  write(byId("legend"), "Working out the values…");
  const answer = await attempt(() => get(`/api/values?${query(state)}`));
  if (question !== asked || !byId("values").checked) return;
  board.values(answer);
  bar.show(state, answer?.evaluation);
}

// To a position that was there before. Pressed again on the way, it is one step further.
async function step(node) {
  if (!node) return;
  aim = node;
  const answer = await load(state, node.text);
  if (aim === node) aim = null;
  if (!answer) return;
  stand(answer, node);
  announce([state.said, state.status].filter(Boolean).join(". "));
}

// One move or one card further; what was tried before stays in the list.
async function forward(text) {
  const before = tree.here;
  const answer = await load(state, text);
  if (!answer) return;
  stand(answer, tree.add(answer.text, before));
  announce(`${state.said}. ${state.status}`);
}

// -- what is shown ---------------------------------------------------------------------------

function render() {
  board.show(state, { open: true });
  lines.show(tree);
  show(byId("no-moves"), !tree.root.children.length);
  write(byId("changes"), [...state.changes, state.pie && "pie rule"].filter(Boolean).join(", "));
  byId("rules").href = `/rules/${state.name}`;
  byId("strategy").href = `/strategy/${state.name}`;
  tabs();
  document.title = `${state.called}, analysis | numduel`;
  draws();
  // A report stays as long as the board shows a position of its game.
  if (!`${reported} `.startsWith(state.text && `${state.text} `)) byId("report").replaceChildren();
  controls();
}

function tabs() {
  const list = byId("tabs");
  for (const tab of list.querySelectorAll("a")) {
    const current = tab.dataset.tab === state.name;
    set(tab, "aria-current", current ? "page" : null);
    // Seen on a narrow screen too, without moving the page.
    if (current) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }
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
  able("over", tree.here.parent);
  able("undo", tree.here.parent);
  able("redo", tree.here.next);
  able("end", tree.here.next);
  able("show-report", state.moves.length > 0);
  able("play-here", state.to_move !== null);
}

// -- choosing a game -------------------------------------------------------------------------

function fields() {
  const game = /** @type {Server.Rules} */ (games.find(({ name }) => name === state.name));
  byId("settings").replaceChildren(...settings(game, state.variant));
  byId("first").value = String(state.first);
  byId("pie").checked = state.pie;
}

// Another tab: a game as it was left, or from its start.
async function open(name) {
  const wanted = left.get(name) ?? { place: { name }, tree: new Tree() };
  const answer = await load(wanted.place, wanted.tree.here.text);
  if (!answer) return;
  left.set(state.name, { place: state, tree });
  tree = wanted.tree;
  history.pushState(null, "", "/analyse");
  stand(answer, tree.here);
  fields();
  announce(`${state.called}. ${state.status}`);
}

async function setUp() {
  if (!valid(byId("set-up"))) return;
  const place = {
    name: state.name,
    variant: chosen(byId("settings")),
    first: byId("first").value,
    pie: byId("pie").checked,
  };
  const answer = await load(place, "");
  if (!answer) return;
  tree = new Tree();
  stand(answer, tree.root);
}

// -- what can be pressed ---------------------------------------------------------------------

function on(button, action) {
  byId(button).addEventListener("click", ({ currentTarget }) => {
    if (state && !currentTarget.hasAttribute("aria-disabled")) action(currentTarget);
  });
}

const opponent = () => recall("level", "medium");

on("over", () => step(tree.root));
on("undo", () => step((aim ?? tree.here).parent));
on("redo", () => step((aim ?? tree.here).next));
on("end", () => step(tree.end));
on("copy", (button) => copy(location.href, button));
on("show-report", async () => {
  write(byId("report"), "Looking at every move…");
  const told = state;
  reported = told.text;
  const data = await attempt(() => get(`/api/report?${query(told)}`));
  if (reported !== told.text) return;
  const after = (ply) => told.moves.slice(0, ply).join(" ");
  const pick = (ply) => step(tree.path(after(ply)));
  const retry = ({ number, seat }) =>
    attempt(() => start({ ...from(told, after(number - 1)), opponent: opponent(), seat }));
  byId("report").replaceChildren(...(data ? report(data, pick, retry) : []));
  if (!data) return;
  byId("report").scrollIntoView({ block: "start" });
  announce("The chart and the mistakes are below the board.");
});
on("play-here", () =>
  attempt(() => start({ ...from(state), opponent: opponent(), seat: state.to_move })));
byId("values").addEventListener("change", () => state && values(asked));
byId("set-up").addEventListener("submit", (event) => {
  event.preventDefault();
  if (state) setUp();
});
byId("tabs").addEventListener("click", (event) => {
  const tab = event.target.closest("a");
  if (!tab || !state || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (tab.dataset.tab !== state.name) open(tab.dataset.tab);
});

// The arrow keys go through the moves, but among tiles they go from tile to tile. Who has just
// pressed one with the mouse does not think of that.
byId("board").addEventListener("click", ({ detail }) => detail && focused()?.blur());
addEventListener("keydown", (event) => {
  const button = { ArrowLeft: "undo", ArrowRight: "redo" }[event.key];
  if (!button || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const on = event.target instanceof Element ? event.target : null;
  if (on?.closest(".cells, input, select, dialog")) return;
  event.preventDefault();
  byId(button).click();
});

// -- the beginning ---------------------------------------------------------------------------

async function arrive() {
  games = (await attempt(rules)) ?? [];
  if (!games.length) return;
  const given = new URLSearchParams(location.search);
  const wanted = given.get("game") ?? "";
  const { name } = games.find((game) => [game.name, game.id].includes(wanted)) ?? games[0];
  const variant = Object.fromEntries(
    (given.get("variant") ?? "").split(/\s+/).filter(Boolean).map((part) => part.split("=")),
  );
  const place = {
    name, variant, first: given.get("first") ?? "1", pie: given.get("pie") === "true",
    names: [given.get("name1"), given.get("name2")],
  };
  const answer = await load(place, given.get("moves") ?? "");
  // An address that is no position: say so, and show the game from its start.
  const sentence = byId("error").textContent;
  const found = answer ?? (await load({ name }, ""));
  if (!found) return;
  tree = Object.assign(new Tree(), answer && history.state);
  stand(found, tree.known.get(found.text) ?? tree.path(found.text));
  fields();
  if (!answer) fail(sentence);
}

addEventListener("popstate", arrive);
await arrive();
