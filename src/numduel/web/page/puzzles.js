// Puzzles: a position with one right answer. Today's is the same for everybody.

import { byId, make, set, show, write } from "./dom.js";
import { get, query, rules } from "./api.js";
import { choose } from "./fields.js";
import { daily, had, missed, solved, streaks } from "./streaks.js";
import { StudyBoard } from "./study.js";
import { announce, attempt, copy, fail } from "./tell.js";

const STEP = 700; // milliseconds for a move of the solution
const SEEDS = 1_000_000;
const GRADES = [1, 2, 3, 4, 5];
const GRADE_NAMES = { 1: "1, easy", 5: "5, hard" };

const board = new StudyBoard(answer);
/** @type {Server.Puzzle} */
let puzzle = /** @type {any} */ (null);
let tries = 0;
let done = true; // nothing is asked: it is solved, given away, or not there yet
let waiting = false;
let asked = 0; // the newest question; answers to older ones come too late
/** @type {Server.PuzzleKinds} */
let offered = { grades: GRADES, themes: [] }; // the puzzles that there are to choose from
let playing; // the timer of a solution that is being played out

// What the server answers; null if it failed, undefined if it is not wanted any more.
async function ask(path) {
  const question = (asked += 1);
  const wanted = () => question === asked;
  const found = await attempt(() => get(path).catch((error) => {
    if (wanted()) throw error;
    return null;
  }));
  return wanted() ? found : undefined;
}

// -- a puzzle --------------------------------------------------------------------------------

async function load(search) {
  clearTimeout(playing);
  [done, waiting] = [true, false];
  show(byId("reveal"), false);
  show(byId("more"), false);
  write(byId("task"), "Looking for a puzzle…");
  const found = await ask(`/api/puzzle${search}`);
  if (found === undefined) return;
  if (!found) {
    write(byId("task"), "");
    return;
  }
  puzzle = found;
  [tries, done] = [0, false];
  for (const id of ["copy", "send"]) show(byId(id), false);
  write(byId("share-line"), "");
  show(byId("reveal"), true);
  write(byId("puzzle-title"), `${puzzle.title}: ${puzzle.state.called}`);
  write(byId("task"), puzzle.task);
  write(byId("grade"), `Grade ${puzzle.grade} of ${puzzle.grades}`);
  const stars = "●".repeat(puzzle.grade) + "○".repeat(puzzle.grades - puzzle.grade);
  byId("grade").append(make("span", { "aria-hidden": "true" }, ` ${stars}`));
  byId("permalink").href = `/puzzles?${puzzle.link}`;
  byId("analyse").href = `/analyse?${query(puzzle.state)}`;
  byId("rules").href = `/rules/${puzzle.state.name}`;
  const you = puzzle.state.to_move;
  board.show(puzzle.state, { open: true, you, status: "Your turn." });
  greet();
  count();
  announce(puzzle.task);
}

// Who has had this puzzle before is told so; who has solved today's can share it again.
function greet() {
  const before = puzzle.today ? daily(puzzle.date).tries : 0;
  if (before) {
    tell(null, `You have solved today’s puzzle on try ${before}.`);
    write(byId("nudge"), "The next one comes tomorrow.");
    share(before);
  } else {
    tell(null, had(puzzle.link) ? "You have had this one: it does not count again." : "");
  }
}

const question = (more) =>
  `/api/puzzle/answer?${query(puzzle.state)}&${new URLSearchParams(more)}`;

async function answer(move) {
  if (done || waiting) return;
  waiting = true;
  const found = await ask(question({ move }));
  if (found === undefined) return;
  waiting = false;
  if (!found) return;
  tries += 1;
  if (!found.right) {
    const nudge = found.nudges[Math.min(tries, found.nudges.length) - 1];
    tell(false, `${spoken(move)} is not it.`);
    write(byId("nudge"), `${found.why} ${nudge}`.trim());
    count();
    return;
  }
  const first = !had(puzzle.link);
  solved(puzzle.link, tries, puzzle.today ? puzzle.date : null);
  finish(`${spoken(move)} is right.`, found.solution);
  share(puzzle.today && !first ? daily(puzzle.date).tries || tries : tries);
}

// A move as people say it: "end", not "7e".
const spoken = (move) =>
  puzzle.state.legal.find((option) => option.move === move)?.label ?? move;

async function reveal() {
  if (done) return;
  const found = await ask(question({ move: puzzle.state.legal[0].move, reveal: "true" }));
  if (found === undefined) return;
  waiting = false;
  if (!found) return;
  missed(puzzle.link);
  finish(`It is ${spoken(found.solution.move)}.`, found.solution);
}

function tell(right, verdict, words = []) {
  write(byId("result"), verdict);
  write(byId("nudge"), "");
  set(byId("result"), "data-right", right === null ? null : String(right));
  const told = words.length ? [make("p", {}, make("strong", {}, verdict), ` ${words.join(" ")}`)] : [];
  byId("why").replaceChildren(...told);
}

/**
 * @param {string} verdict
 * @param {Server.Solution} solution
 */
function finish(verdict, solution) {
  done = true;
  tell(true, verdict, solution.words);
  show(byId("reveal"), false);
  show(byId("more"), true);
  count();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  playOut(calm ? solution.line.slice(-1) : solution.line);
}

/** @param {Server.Position[]} line */
function playOut([state, ...rest]) {
  board.show(state);
  if (rest.length) playing = setTimeout(() => playOut(rest), STEP);
}

// -- the count -------------------------------------------------------------------------------

function count() {
  const kept = streaks(puzzle.date);
  const parts = [`Solved in this browser: ${kept.solved}`];
  if (puzzle.today && kept.days > 1) parts.push(`days in a row: ${kept.days}`);
  if (kept.firstTries > 1) parts.push(`first tries in a row: ${kept.firstTries}`);
  write(byId("solved"), parts.join(" · "));
  const before = puzzle.today && daily(puzzle.date).tries;
  write(byId("tries"), done || (before && !tries) ? "" : `Try ${tries + 1}`);
}

function share(on) {
  const { days, firstTries } = streaks(puzzle.date);
  const parts = [puzzle.label, `solved on try ${on}`];
  if (puzzle.today && days) parts.push(`streak ${days}`);
  if (!puzzle.date && firstTries > 1) parts.push(`${firstTries} first tries in a row`);
  write(byId("share-line"), parts.join(" · "));
  show(byId("copy"), true);
  show(byId("send"), Boolean(navigator.share));
}

// The line, and where the puzzle is.
const shared = () =>
  `${byId("share-line").textContent}\n${new URL(`/puzzles?${puzzle.link}`, location.href)}`;

// -- the choice ------------------------------------------------------------------------------

const fill = (select, options) =>
  select.replaceChildren(select.firstElementChild, ...choose(options).children);

async function choices() {
  const games = (await attempt(rules)) ?? [];
  fill(byId("game"), games.map(({ name, called }) => [name, called]));
  byId("game").value = "";
}

// Only what there is can be chosen: the themes of a game, and the grades of its puzzles.
async function kinds() {
  const game = byId("game").value;
  offered = { grades: GRADES, themes: [] };
  themes();
  const search = new URLSearchParams({ game });
  const found = game && (await attempt(() => get(`/api/puzzle/kinds?${search}`)));
  if (!found || byId("game").value !== game) return;
  offered = found;
  themes();
}

function themes() {
  const select = byId("wanted-theme");
  const named = ({ name, instruction }) => [name, instruction.replace(/\.$/, "")];
  fill(select, offered.themes.map(named));
  select.value = "";
  select.disabled = !offered.themes.length;
  grades();
}

// The grades of the theme that is chosen; one that it does not have is chosen no longer.
function grades() {
  const theme = offered.themes.find(({ name }) => name === byId("wanted-theme").value);
  const select = byId("wanted-grade");
  const { value } = select;
  fill(select, (theme ?? offered).grades.map((grade) => [String(grade), GRADE_NAMES[grade] ?? grade]));
  select.value = value;
  if (!select.value) select.value = "";
}

// The address names the puzzle, so that it can be passed on and come back to.
function go(search) {
  history.pushState(null, "", `/puzzles${search}`);
  load(search);
}

function another() {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;
  const parameters = new URLSearchParams({ seed: String(seed) });
  for (const key of ["game", "wanted-grade", "wanted-theme"]) {
    const { name, value } = /** @type {HTMLSelectElement} */ (byId(key));
    if (value) parameters.set(name, value);
  }
  go(`?${parameters}`);
}

byId("another").addEventListener("submit", (event) => {
  event.preventDefault();
  another();
});
byId("more").addEventListener("click", () => {
  another();
  byId("status").focus({ preventScroll: true }); // this button is gone now
});
byId("game").addEventListener("change", kinds);
byId("wanted-theme").addEventListener("change", grades);
byId("today").addEventListener("click", () => go(""));
byId("reveal").addEventListener("click", reveal);
byId("copy").addEventListener("click", ({ currentTarget }) => copy(shared(), currentTarget));
byId("send").addEventListener("click", () => navigator.share({ text: shared() }).catch(() => {}));
addEventListener("popstate", () => load(location.search));

// An address that names no puzzle leads to today's.
async function arrive({ search }) {
  await load(search);
  if (puzzle || !search) return;
  await load("");
  if (!puzzle) return;
  history.replaceState(null, "", "/puzzles");
  fail("There is no such puzzle. This is today’s instead.");
}

themes();
choices();
await arrive(location);
