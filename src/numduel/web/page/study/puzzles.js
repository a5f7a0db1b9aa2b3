// Puzzles: a position with one right answer. Today's is the same for everybody.

import { Activity, Choices } from "./activity.js";
import { byId, capital, make, set, show, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { query, rules } from "../common/api.js";
import { choose } from "../common/fields.js";
import { load as kept, save, today, until } from "./streaks.js";
import { StudyBoard } from "./study.js";
import { announce, attempt, copy, fail } from "../common/notify.js";

const STEP = 700; // milliseconds for a move of the solution
const SECOND = 1000;
const SEEDS = 1_000_000;
const GRADES = [t("1, easy"), "2", "3", "4", t("5, hard")];
const VERDICTS = ["right", "wrong", "answer", "note"];
// What became of a move of a daily puzzle, by the square that stands for it.
const MARKS = new Map(Object.entries(JSON.parse(byId("share-line").dataset.squares ?? "{}"))
  .map(([mark, square]) => [square, mark]));
const SQUARE = new RegExp(`(${[...MARKS.keys()].join("|")})`, "u");
const BEGINS = ["begin", "next"]; // what is done on the day of this browser

const seed = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;
const puzzles = new Activity("puzzle",
  (action) => ({ streak: kept(), ...(BEGINS.includes(action) && { today: today() }) }), { seed });
const board = new StudyBoard(async (move) => draw(await puzzles.move(move)));
const choices = new Choices(byId("choices"), act);
let playing; // the timer of the solution on the board
/** @type {Seat} */
let you = null; // who solves

// -- a puzzle --------------------------------------------------------------------------------

/** @param {string} action */
async function act(action) {
  if (action === "next") await another();
  else if (!puzzles.waiting) draw(await puzzles.act(action));
}

// Loads a puzzle by its link or of a kind; whether there is one.
/**
 * @param {string} action
 * @param {string} given
 */
async function load(action, given) {
  clearTimeout(playing);
  choices.show(null);
  write(byId("task"), t("Looking for a puzzle…"));
  const scene = await puzzles.act(action, given);
  if (scene === undefined) return false;
  if (!scene?.state) {
    write(byId("task"), scene?.goal ?? "");
    return false;
  }
  name(scene, scene.state);
  draw(scene);
  announce(scene.goal);
  return true;
}

/** @param {Server.Scene} scene @param {Server.Position} state */
function name(scene, state) {
  write(byId("share-line"), "");
  write(byId("puzzle-title"), scene.title);
  write(byId("task"), scene.goal);
  grade(scene.grade);
  byId("permalink").href = `/puzzles?${scene.link}`;
  byId("analyse").href = `/analyse?${query(state)}`;
  byId("rules").href = `/rules/${state.name}`;
  you = scene.moves ? state.to_move : null;
}

/** @param {Server.Scene} scene */
function ask({ state, moves }) {
  if (state) board.show(state, { open: moves, you, ...(moves && { status: t("Your turn.") }) });
}

// "grade 2 of 5", and as many dots.
/** @param {string} text */
function grade(text) {
  const [reached, most] = (text.match(/\d+/g) ?? []).map(Number);
  write(byId("grade"), capital(text));
  const dots = "●".repeat(reached) + "○".repeat(most - reached);
  byId("grade").append(make("span", { "aria-hidden": "true" }, ` ${dots}`));
}

// Shows the verdict and the counts, and plays out the solution.
/** @param {Server.Scene | null | undefined} scene */
function draw(scene) {
  if (!scene) return;
  save(puzzles.state.streak);
  const texts = (kinds) => scene.said.filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text);
  const [error] = texts(["error"]);
  if (error) {
    fail(error);
    return;
  }
  const [verdict = "", ...notes] = texts(VERDICTS);
  const words = [...texts(["why", "hint", "move"]), ...notes].join(" ");
  const [given] = scene.said.filter(({ kind }) => kind === "right" || kind === "wrong");
  const right = given ? String(given.kind === "right") : null;
  if (scene.moves) write(byId("task"), scene.goal); // a shorter one would move the board
  write(byId("result"), verdict);
  set(byId("result"), "data-right", right);
  write(byId("words"), scene.moves ? words : "");
  const told = make("p", {}, make("strong", { "data-right": right }, verdict), " ", words);
  byId("why").replaceChildren(...(scene.moves || !words ? [] : [told]));
  byId("tries").replaceChildren(...marked(scene.notes[0]));
  write(byId("solved"), scene.notes[1]);
  share(texts(["share"])[0]);
  choices.show(scene);
  countDown();
  clearTimeout(playing); // whoever asks for a hint has seen enough of the line before
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (scene.line.length) playOut(calm ? scene.line.slice(-1) : scene.line, scene);
  else ask(scene);
}

// Shows a line move by move; then it may be one's turn again.
/** @param {Server.Position[]} line @param {Server.Scene} scene */
function playOut([state, ...rest], scene) {
  if (rest.length || !scene.moves) board.show(state);
  else ask(scene);
  if (rest.length) playing = setTimeout(() => playOut(rest, scene), STEP);
}

// The time until the next daily puzzle, once this one is done.
function countDown() {
  const day = puzzles.scene?.next_day;
  const left = day && until(day);
  write(byId("next-daily"), !day ? "" : left ? t("Next puzzle in {time}", { time: left })
    : t("The next puzzle is here."));
}

// A text with its squares drawn.
/** @param {string} text */
const marked = (text) => text.split(SQUARE).map((part) => (MARKS.has(part)
  ? make("span", { class: "daily-mark", "data-mark": MARKS.get(part) }, part) : part));

/** @param {string | undefined} line */
function share(line) {
  if (line) byId("share-line").replaceChildren(...marked(line));
  const some = Boolean(byId("share-line").textContent);
  show(byId("copy"), some);
  show(byId("send"), some && Boolean(navigator.share));
}

// The line, and where the puzzle is.
const shared = () =>
  `${byId("share-line").textContent}\n${new URL(byId("permalink").href, location.href)}`;

// -- the choice ------------------------------------------------------------------------------

function fill(select, options) {
  select.replaceChildren(select.firstElementChild, ...choose(options).children);
  select.value = ""; // any
}

async function fillGames() {
  const games = (await attempt(rules)) ?? [];
  fill(byId("game"), games.map(({ name, called }) => [name, called]));
}

// The next puzzle of the chosen kind. The address names it, so that it can be shared.
async function another() {
  const wish = new URLSearchParams();
  for (const key of ["game", "wanted-grade"]) {
    const { name, value } = /** @type {HTMLSelectElement} */ (byId(key));
    wish.set(name, value); // an empty one means any
  }
  byId("status")?.focus({ preventScroll: true }); // the button may go
  if (await load("next", String(wish))) {
    history.pushState(null, "", `/puzzles?${puzzles.scene?.link}`);
  }
}

byId("another").addEventListener("submit", (event) => {
  event.preventDefault();
  another();
});
byId("today").addEventListener("click", () => {
  history.pushState(null, "", "/puzzles");
  load("begin", "");
});
byId("copy").addEventListener("click", ({ currentTarget }) => copy(shared(), currentTarget));
byId("send").addEventListener("click", () => navigator.share({ text: shared() }).catch(() => {}));
addEventListener("popstate", () => load("begin", named()));

// The parts of the address that name a puzzle.
function named() {
  const all = new URLSearchParams(location.search);
  const wanted = ["date", "seed", "game", "grade"].filter((key) => all.get(key));
  return String(new URLSearchParams(wanted.map((key) => [key, all.get(key) ?? ""])));
}

// An address that names no puzzle leads to today's.
async function arrive() {
  if (await load("begin", named()) || !named()) return;
  if (!(await load("begin", ""))) return;
  history.replaceState(null, "", "/puzzles");
  fail(t("There is no such puzzle. Here is today’s instead."));
}

fill(byId("wanted-grade"), GRADES.map((called, at) => [String(at + 1), called]));
fillGames();
setInterval(countDown, SECOND);
await arrive();
