// Puzzles: a position with one right answer. Today's is the same for everybody.

import { byId, make, set, show, write } from "./dom.js";
import { get, query, rules } from "./api.js";
import { Board } from "./board.js";
import { choose } from "./fields.js";
import { had, missed, solved, streaks } from "./streaks.js";
import { announce, attempt, copy } from "./tell.js";

const STEP = 700; // milliseconds for a move of the solution
const SEEDS = 1_000_000;

const board = new Board(byId("board"), press);
let puzzle = null;
let tries = 0;
let done = true; // nothing is asked: it is solved, given away, or not there yet
let waiting = false;
let asked = 0; // the newest question; answers to older ones come too late
let playing; // the timer of a solution that is being played out

// What the server answers; null if it failed, undefined if it is not wanted any more.
async function ask(path) {
  const question = (asked += 1);
  const wanted = () => question === asked;
  const answer = await attempt(() => get(path).catch((error) => {
    if (wanted()) throw error;
    return null;
  }));
  return wanted() ? answer : undefined;
}

// -- a puzzle --------------------------------------------------------------------------------

async function load(search) {
  clearTimeout(playing);
  [done, waiting] = [true, false];
  show(byId("reveal"), false);
  write(byId("task"), "Looking for a puzzle…");
  const answer = await ask(`/api/puzzle${search}`);
  if (answer === undefined) return;
  if (!answer) {
    write(byId("task"), "");
    return;
  }
  puzzle = answer;
  [tries, done] = [0, false];
  const known = had(puzzle.link);
  tell(null, known ? "You have had this one: it does not count again." : "", []);
  show(byId("share"), false);
  show(byId("reveal"), true);
  write(byId("puzzle-title"), `${puzzle.title}: ${puzzle.state.title}`);
  write(byId("task"), puzzle.task);
  write(byId("grade"), `Grade ${puzzle.grade} of ${puzzle.grades}`);
  const stars = "●".repeat(puzzle.grade) + "○".repeat(puzzle.grades - puzzle.grade);
  byId("grade").append(make("span", { "aria-hidden": "true" }, ` ${stars}`));
  byId("permalink").href = `/puzzles?${puzzle.link}`;
  byId("analyse").href = `/analyse?${query(puzzle.state)}`;
  byId("rules").href = `/rules/${puzzle.state.name}`;
  board.show(puzzle.state, { open: true });
  count();
  announce(puzzle.task);
}

const question = (more) =>
  `/api/puzzle/answer?${query(puzzle.state)}&${new URLSearchParams(more)}`;

async function press(move) {
  if (done || waiting) return;
  waiting = true;
  const answer = await ask(question({ move }));
  if (answer === undefined) return;
  waiting = false;
  if (!answer) return;
  tries += 1;
  if (!answer.right) {
    const nudge = answer.nudges[Math.min(tries, answer.nudges.length) - 1];
    tell(false, `${move} is not it.`, [nudge]);
    return;
  }
  solved(puzzle.link, tries === 1, puzzle.today ? puzzle.date : null);
  finish(`${move} is right.`, answer.solution);
  share();
}

async function reveal() {
  if (done) return;
  const answer = await ask(question({ move: puzzle.state.legal[0].move, reveal: "true" }));
  if (answer === undefined) return;
  waiting = false;
  if (!answer) return;
  missed(puzzle.link);
  finish(`It is ${answer.solution.move}.`, answer.solution);
}

function tell(right, verdict, words) {
  write(byId("result"), verdict);
  set(byId("result"), "data-right", right === null ? null : String(right));
  byId("why").replaceChildren(...words.map((sentence) => make("p", {}, sentence)));
}

function finish(verdict, solution) {
  done = true;
  tell(true, verdict, solution.words);
  show(byId("reveal"), false);
  count();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  playOut(calm ? solution.line.slice(-1) : solution.line);
}

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
}

function share() {
  const { days, firstTries } = streaks(puzzle.date);
  const parts = [puzzle.label, `solved on try ${tries}`];
  if (puzzle.today && days) parts.push(`streak ${days}`);
  if (!puzzle.date && firstTries > 1) parts.push(`${firstTries} first tries in a row`);
  write(byId("share-line"), parts.join(" · "));
  show(byId("share"), true);
}

// -- the choice ------------------------------------------------------------------------------

async function choices() {
  const games = (await attempt(rules)) ?? [];
  const options = games.map(({ name, title }) => [name, `${title}: ${name}`]);
  byId("game").append(...choose(options).children);
  byId("game").value = "";
}

// The address names the puzzle, so that it can be passed on and come back to.
function go(search) {
  history.pushState(null, "", `/puzzles${search}`);
  load(search);
}

byId("another").addEventListener("submit", (event) => {
  event.preventDefault();
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;
  const parameters = new URLSearchParams({ seed });
  for (const key of ["game", "wanted-grade"]) {
    const { name, value } = byId(key);
    if (value) parameters.set(name, value);
  }
  go(`?${parameters}`);
});
byId("today").addEventListener("click", () => go(""));
byId("reveal").addEventListener("click", reveal);
byId("copy").addEventListener("click", ({ currentTarget }) =>
  copy(byId("share-line").textContent, currentTarget));
addEventListener("popstate", () => load(location.search));

choices();
await load(location.search);
