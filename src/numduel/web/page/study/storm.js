// Puzzle storm: as many puzzles as one can in three minutes. The server poses them and judges the
// answers; an answer counts for the puzzle that is on the board, as long as there is time.

import { byId, focused, make, set, show, write } from "../common/dom.js";
import { get, query, rules } from "../common/api.js";
import { choose } from "../common/fields.js";
import { keep, recall } from "../common/storage.js";
import { StudyBoard } from "./study.js";
import { announce, attempt, copy } from "../common/notify.js";

const LENGTH = 180; // seconds
const PENALTY = 10; // seconds that a wrong answer costs
const AHEAD = 4; // puzzles that are fetched before they are needed
const EACH = 4; // puzzles after which they get harder by a grade
const SEEDS = 1_000_000;
const SHOWN = 1500; // milliseconds for which the right move is shown after a wrong one
const PRAISE = 1000; // milliseconds for which it says that the last one was right
const TOLD = [60, 30, 10]; // seconds left that are said aloud

const board = new StudyBoard(answer);
/**
 * @typedef {object} Storm
 * @property {string} game
 * @property {number} left seconds
 * @property {number} seen when the clock was looked at, in milliseconds
 * @property {Server.Puzzle | null} puzzle
 * @property {Server.Puzzle[]} ready
 * @property {{ puzzle: Server.Puzzle, right: boolean }[]} had
 * @property {boolean} waiting
 * @property {boolean} fetching
 */
/** @type {Storm} */
let storm = /** @type {any} */ (null); // the one that is going on
let praising;

// -- puzzles ---------------------------------------------------------------------------------

// Keeps some puzzles ready. Of those the one is shown whose grade is nearest to what is due.
/** @param {Storm} mine */
async function fetchAhead(mine) {
  while (mine === storm && mine.ready.length < AHEAD && !mine.fetching) {
    mine.fetching = true;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;
    const search = new URLSearchParams({ seed: String(seed) });
    if (mine.game) search.set("game", mine.game);
    const found = await attempt(() => get(`/api/puzzle?${search}`));
    mine.fetching = false;
    if (mine !== storm) return;
    if (!found) {
      if (!mine.puzzle) finish("No puzzle could be fetched");
      return;
    }
    mine.ready.push(found);
    if (!mine.puzzle && !mine.waiting) next();
  }
}

function next() {
  const { ready, had } = storm;
  const due = 1 + Math.floor(had.length / EACH);
  const far = ({ grade }) => Math.abs(grade - due);
  ready.sort((one, other) => far(one) - far(other));
  storm.puzzle = ready.shift() ?? null;
  storm.waiting = false;
  fetchAhead(storm);
  if (!storm.puzzle) {
    // The clock stops while there is nothing to solve.
    write(byId("task"), "Looking for a puzzle…");
    return;
  }
  const { state, task } = storm.puzzle;
  write(byId("task"), `${state.called}: ${task}`);
  board.show(state, { open: true, you: state.to_move, status: "Your turn." });
  board.advise([]); // the same position may come again
  if (!had.length) frame();
  hold();
  announce(`${byId("result").textContent} ${byId("task").textContent}`);
  // Its goal stands where the answer to the last one is told.
  const right = byId("result").dataset.right === "true";
  praising = setTimeout(() => tell(null, ""), right ? PRAISE : 0);
}

// The clock and what is pressed are in view together.
function frame() {
  const clock = /** @type {HTMLElement} */ (byId("clock").closest("dl"));
  const { cells, cards, choices } = board;
  const bottoms = [cells, cards, choices].map(({ root }) => root.getBoundingClientRect().bottom);
  const { top } = clock.getBoundingClientRect();
  if (top < 0 || Math.max(...bottoms) > innerHeight) clock.scrollIntoView({ block: "start" });
}

// The keyboard stays on the board, whatever kind of board comes next.
function hold() {
  const held = focused();
  if (held && board.root.contains(held) && held.checkVisibility()) return;
  const first = [...board.root.querySelectorAll('.cell[tabindex="0"], .choice')]
    .find((button) => button.checkVisibility());
  (first ?? board.status).focus({ preventScroll: true });
}

async function answer(move) {
  const mine = storm;
  const { puzzle } = mine ?? {};
  if (!puzzle || mine.waiting) return;
  mine.waiting = true;
  const question = `${query(puzzle.state)}&${new URLSearchParams({ move, reveal: "true" })}`;
  const found = await attempt(() => get(`/api/puzzle/answer?${question}`));
  // Too late, or for a storm that is over.
  if (mine !== storm || mine.puzzle !== puzzle) return;
  mine.waiting = Boolean(found);
  if (!found) return;
  mine.had.push({ puzzle, right: found.right });
  write(byId("score"), String(score(mine)));
  mine.puzzle = null; // the clock stops
  if (found.right) tell(true, "Right.");
  else await correct(mine, puzzle.state, found.solution?.move ?? "");
  if (mine !== storm) return;
  if (mine.left > 0) next();
  tick();
}

// What would have been right, on the board, before the next puzzle comes.
/**
 * @param {Storm} mine
 * @param {Server.Position} state
 * @param {string} move
 */
async function correct(mine, state, move) {
  mine.left -= PENALTY;
  const label = state.legal.find((option) => option.move === move)?.label;
  tell(false, `Wrong: it was ${label}. That costs ${PENALTY} seconds.`);
  board.show(state, { you: state.to_move });
  board.advise([move]);
  await new Promise((done) => setTimeout(done, SHOWN));
}

/** @param {Storm} storm */
const score = ({ had }) => had.filter(({ right }) => right).length;

function tell(right, text) {
  clearTimeout(praising);
  write(byId("result"), text);
  set(byId("result"), "data-right", right === null ? null : String(right));
}

// -- the clock -------------------------------------------------------------------------------

function tick() {
  if (!storm) return;
  const now = performance.now();
  const before = storm.left;
  if (storm.puzzle) storm.left -= (now - storm.seen) / 1000;
  storm.seen = now;
  time(storm.left);
  const said = TOLD.find((seconds) => before > seconds && storm.left <= seconds);
  if (said) announce(`${said} seconds left.`);
  if (storm.left <= 0) finish();
}

function time(left) {
  const seconds = Math.max(0, Math.ceil(left));
  write(byId("clock"), `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
}

// -- from the start to the end ---------------------------------------------------------------

// What is kept may be anything: whatever makes no sense is no record.
function best(game) {
  const kept = recall("storm", {})[game || "all"];
  return Number.isSafeInteger(kept) && kept > 0 ? kept : 0;
}

function begin() {
  storm = {
    game: byId("game").value, left: LENGTH, seen: performance.now(),
    puzzle: null, ready: [], had: [], waiting: false, fetching: false,
  };
  tell(null, "");
  write(byId("score"), "0");
  write(byId("task"), "Looking for a puzzle…");
  write(byId("start"), "Stop");
  byId("game").disabled = true;
  set(document.body, "data-storm", true);
  show(byId("review"), false);
  show(board.root, true);
  time(LENGTH);
  fetchAhead(storm);
}

function finish(sentence = "The storm is over") {
  const over = storm;
  storm = /** @type {any} */ (null);
  const made = score(over);
  const before = best(over.game);
  const record = made > before;
  if (record) keep("storm", { ...Object(recall("storm", {})), [over.game || "all"]: made });
  write(byId("best"), String(Math.max(made, before)));
  write(byId("task"), `${sentence}: ${made} solved${record ? ", your best" : ""}.`);
  tell(null, "");
  show(board.root, false); // what was reached comes first
  write(byId("start"), "Again");
  byId("game").disabled = false;
  set(document.body, "data-storm", null);
  review(over.had);
  announce(byId("task").textContent);
  byId("start").focus();
}

/** @param {Storm["had"]} had */
function review(had) {
  show(byId("review"), had.length > 0);
  byId("had").replaceChildren(...had.map(({ puzzle, right }) =>
    make("li", { "data-right": String(right) },
      make("span", { class: "unseen" }, right ? "Right: " : "Wrong: "),
      make("a", { href: `/puzzles?${puzzle.link}` },
        `${puzzle.state.called}, grade ${puzzle.grade}`))));
}

byId("set-up").addEventListener("submit", (event) => {
  event.preventDefault();
  if (storm) finish("You have stopped the storm");
  else begin();
});
byId("game").addEventListener("change", ({ currentTarget }) =>
  write(byId("best"), String(best(currentTarget.value))));
byId("copy").addEventListener("click", ({ currentTarget }) => {
  const game = byId("game").selectedOptions[0].textContent;
  copy(`numduel storm · ${game} · ${byId("score").textContent} solved\n${location.href}`,
    currentTarget);
});
setInterval(tick, 200);

const games = (await attempt(rules)) ?? [];
byId("game").append(...choose(games.map(({ name, called }) => [name, called])).children);
byId("game").value = "";
write(byId("best"), String(best("")));
