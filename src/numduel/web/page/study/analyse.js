// The analysis board: both sides, every value, every line that was tried. The address holds the
// position and the lines.

import { Activity } from "./activity.js";
import { byId, make, set, show, write } from "../common/dom.js";
import { get, query, rules } from "../common/api.js";
import { percent, t } from "../common/language.js";
import { Evaluation } from "./evaluation.js";
import { chosen, settings, valid } from "../common/fields.js";
import { recall } from "../common/storage.js";
import { report } from "./report.js";
import { stepper } from "../board/stepper.js";
import { from, start } from "../common/start.js";
import { StudyBoard } from "./study.js";
import { announce, attempt, copy, fail } from "../common/notify.js";
import { Lines } from "./lines.js";

const board = new StudyBoard((move) => go([...state.moves, move].join(" ")));
const bar = new Evaluation(byId("evaluation"));
const lines = new Lines(byId("moves"), go);
const showSteps = stepper(byId("travel"), (action) => offered.includes(action), step);
const left = new Map(); // the analysis of each game when its tab was left

/** @type {Server.Rules[]} */
let games = [];
/** @type {string[]} */
let offered = []; // the actions that can be taken now
let activity = begun();
/** @type {Server.Position} */
let state = /** @type {any} */ (null);
let reported = ""; // the moves of the game in the report
/** @type {Promise<unknown>} */
let queue = Promise.resolve(); // presses are handled in order
/** @type {{ by: number } | null} */
let steps = null; // the last press that waits, if it was a step

// The cards to draw take the place of the moves.
board.held.before(byId("draws"));

// -- moving through the lines ----------------------------------------------------------------

// An analysis as it was left. The values need not be sent back.
/** @param {Record<string, unknown>} [kept] */
function begun(kept) {
  return new Activity("analysis", () => ({ values: byId("values").checked, worth: null }), kept);
}

// Does something after all earlier presses.
function next(work) {
  steps = null;
  return (queue = queue.then(work));
}

async function act(action, given) {
  set(byId("board"), "aria-busy", "true");
  const scene = await activity.act(action, given);
  set(byId("board"), "aria-busy", null);
  if (!scene?.state) return;
  draw(scene);
  announce([state.said && `${state.said}.`, ...scene.said.map(({ text }) => text)].join(" ").trim());
}

// Shows the position after some moves; what was tried before stays in the list.
function go(moves) {
  return next(() => act("go", moves));
}

// Steps back or on that wait add up to one longer step.
function step(action) {
  const by = { back: -1, on: 1 }[action];
  if (!by) {
    next(() => act(action));
    return;
  }
  if (steps) {
    steps.by += by;
    return;
  }
  const wanted = { by };
  next(() => {
    if (steps === wanted) steps = null;
    return act(wanted.by < 0 ? "back" : "on", String(Math.abs(wanted.by)));
  });
  steps = wanted;
}

/** @param {Server.Scene} scene */
function draw(scene) {
  state = /** @type {Server.Position} */ (scene.state);
  const lines = scene.lines && `&${new URLSearchParams({ lines: scene.lines })}`;
  // All lines are still there after leaving the page and coming back.
  history.replaceState({ analysis: activity.state }, "", `/analyse?${query(state)}${lines}`);
  render(scene);
  values(scene);
}

// Where values are refused, no room is kept for them.
/** @param {Pick<Server.Scene, "values" | "then">} scene */
async function values({ values: found, then }, refused = false) {
  const wanted = byId("values").checked && !refused;
  set(byId("evaluation"), "data-off", !wanted);
  set(board.root, "data-valued", wanted);
  board.values(found);
  if (!then) {
    bar.show(state, found?.evaluation);
    return;
  }
  bar.wait();
  write(byId("legend"), t("Working out the values…"));
  const scene = await activity.act(then);
  // A later press shows its own values, or wants none.
  if (scene === undefined || !byId("values").checked) return;
  values(scene ?? { values: null, then: "" }, scene === null);
}

// -- drawing ---------------------------------------------------------------------------------

/** @param {Server.Scene} scene */
function render({ tree, choices }) {
  board.show(state, { open: true });
  lines.show(tree);
  show(byId("no-moves"), !tree.length);
  write(byId("changes"), state.changes.join(", "));
  byId("rules").href = `/rules/${state.name}`;
  byId("strategy").href = `/strategy/${state.name}`;
  tabs();
  const title = t("{game}, analysis", { game: state.called });
  document.title = `${title} | numduel`;
  draws();
  // A report stays as long as the board shows a position of its game.
  if (!`${reported} `.startsWith(state.text && `${state.text} `)) byId("report").replaceChildren();
  offered = choices.map(({ action }) => action);
  showSteps();
  able("show-report", state.moves.length > 0);
  able("play-here", state.to_move !== null);
}

function tabs() {
  const list = byId("tabs");
  for (const tab of list.querySelectorAll("a")) {
    const current = tab.dataset.tab === state.name;
    set(tab, "aria-current", current ? "page" : null);
    // Into view on a narrow screen, without moving the page.
    if (current) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }
}

function draws() {
  const odds = Object.entries(state.draws ?? {});
  show(byId("draws"), odds.length > 0);
  byId("draw-cards").replaceChildren(...odds.map(([card, chance]) =>
    make("button", {
      type: "button", class: "card draw", "data-draw": card, onclick: () => drawCard(card),
      "aria-label": t("Draw {card}, chance {share}", { card, share: percent(chance, 1) }),
    }, make("span", {}, card), make("small", {}, percent(chance, 1)))));
}

async function drawCard(card) {
  await go([...state.moves, card].join(" "));
  // The buttons of the cards are gone now; the moves come next.
  (document.querySelector(".choice") ?? byId("status")).focus();
}

const able = (button, can) => set(byId(button), "aria-disabled", can ? null : "true");

// -- choosing a game -------------------------------------------------------------------------

function fields() {
  const game = /** @type {Server.Rules} */ (games.find(({ name }) => name === state.name));
  byId("settings").replaceChildren(...settings(game, state.variant));
  byId("first").value = String(state.first);
}

// Another tab: a game as it was left, or from its start.
async function open(name) {
  const other = begun(left.get(name));
  const scene = await other.act("begin", left.has(name) ? "" : `game=${name}`);
  if (!scene) return;
  left.set(state.name, activity.state);
  activity = other;
  history.pushState(null, "", "/analyse");
  draw(scene);
  fields();
  announce(`${state.called}. ${state.status}`);
}

async function setUp() {
  if (!valid(byId("set-up"))) return;
  const scene = await activity.act("begin", query({
    name: state.name,
    variant: chosen(byId("settings")),
    first: byId("first").value,
  }));
  if (scene) draw(scene);
}

// -- buttons ---------------------------------------------------------------------------------

function on(button, action) {
  byId(button).addEventListener("click", ({ currentTarget }) => {
    if (state && !currentTarget.hasAttribute("aria-disabled")) action(currentTarget);
  });
}

const opponent = () => recall("level", "medium");

on("copy", (button) => copy(location.href, button));
on("show-report", async () => {
  write(byId("report"), t("Looking at every move…"));
  const told = state;
  reported = told.text;
  const data = await attempt(() => get(`/api/v1/report?${query(told)}`));
  if (reported !== told.text) return;
  const after = (ply) => told.moves.slice(0, ply).join(" ");
  const pick = (ply) => go(after(ply));
  const retry = ({ number, seat }) =>
    attempt(() => start({ ...from(told, after(number - 1)), opponent: opponent(), seat }));
  byId("report").replaceChildren(...(data ? report(data, { pick, retry }) : []));
  if (!data) return;
  byId("report").scrollIntoView({ block: "start" });
  announce(t("The chart and the mistakes are below the board."));
});
on("play-here", () =>
  attempt(() => start({ ...from(state), opponent: opponent(), seat: state.to_move })));
byId("values").addEventListener("change", ({ currentTarget }) =>
  state && values({ values: null, then: currentTarget.checked ? "value" : "" }));
byId("set-up").addEventListener("submit", (event) => {
  event.preventDefault();
  if (state) next(setUp);
});
byId("tabs").addEventListener("click", (event) => {
  const tab = event.target.closest("a");
  if (!tab || !state || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (tab.dataset.tab !== state.name) next(() => open(tab.dataset.tab));
});

// -- the beginning ---------------------------------------------------------------------------

async function arrive() {
  games = (await attempt(rules)) ?? [];
  if (!games.length) return;
  const kept = history.state?.analysis;
  const address = location.search.slice(1);
  const game = new URLSearchParams(address).get("game") ?? "";
  // An address that is no position: say so, and show the game from its start.
  let sentence = "";
  for (const [wish, was] of [...(kept ? [["", kept]] : []), [address], [`game=${game}`], [""]]) {
    activity = begun(was);
    const scene = await activity.act("begin", wish);
    if (scene) {
      draw(scene);
      fields();
      if (sentence) fail(sentence);
      return;
    }
    sentence ||= byId("error").textContent;
  }
}

addEventListener("popstate", () => next(arrive));
await arrive();
