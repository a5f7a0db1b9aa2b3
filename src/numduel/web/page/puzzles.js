// Puzzles: a position with one right move. Today's is the same for everybody.

import { byId, make, show, write } from "./dom.js";
import { get, query, rules } from "./api.js";
import { Board } from "./board.js";
import { choose } from "./fields.js";
import { keep, recall } from "./keep.js";
import { announce, attempt } from "./tell.js";

const board = new Board(byId("board"), press);
let puzzle = null;
let done = false; // solved or given away: then it does not count
let waiting = false;

async function load(parameters) {
  write(byId("task"), "Looking for a puzzle…");
  const answer = await attempt(() => get(`/api/puzzle?${new URLSearchParams(parameters)}`));
  if (!answer) {
    write(byId("task"), "");
    return;
  }
  puzzle = answer;
  done = false;
  write(byId("result"), "");
  byId("result").removeAttribute("data-right");
  show(byId("why"), false);
  write(byId("puzzle-title"), `${puzzle.title}: ${puzzle.state.title}`);
  write(byId("task"), puzzle.task);
  write(byId("grade"), `Difficulty ${puzzle.grade} of ${puzzle.grades}`);
  const stars = "●".repeat(puzzle.grade) + "○".repeat(puzzle.grades - puzzle.grade);
  byId("grade").append(make("span", { "aria-hidden": "true" }, ` ${stars}`));
  byId("analyse").href = `/analyse?${query(puzzle.state)}`;
  byId("rules").href = `/rules/${puzzle.state.name}`;
  board.show(puzzle.state, { open: true });
  announce(puzzle.task);
}

const question = (more) =>
  `/api/puzzle/answer?${query(puzzle.state)}&${new URLSearchParams(more)}`;

async function press(move) {
  if (!puzzle || waiting) return;
  waiting = true;
  const answer = await attempt(() => get(question({ move })));
  waiting = false;
  if (!answer) return;
  tell(answer.right, answer.right ? `${move} is right.` : `${move} is not it. Try again.`, answer);
  if (answer.right && !done) solved();
  done ||= answer.right;
}

function tell(right, verdict, answer) {
  const result = byId("result");
  write(result, verdict);
  result.dataset.right = right;
  write(byId("why-text"), answer.why ?? "");
  write(byId("line"), answer.line ? `It may go on: ${answer.line}` : "");
  show(byId("why"), true);
}

async function reveal() {
  if (!puzzle) return;
  const move = puzzle.state.legal[0].move;
  const answer = await attempt(() => get(question({ move, reveal: "true" })));
  if (!answer) return;
  done = true;
  tell(true, `The right move is ${answer.solution.move}.`, answer.solution);
}

// -- the count -------------------------------------------------------------------------------

const count = () => write(byId("solved"), `Solved in this browser: ${recall("solved", 0)}`);

function solved() {
  keep("solved", recall("solved", 0) + 1);
  count();
}

// -- the choice ------------------------------------------------------------------------------

async function choices() {
  const games = (await attempt(rules)) ?? [];
  const options = games.map(({ name, title }) => [name, `${title}: ${name}`]);
  byId("game").append(...choose(options).children);
  byId("game").value = "";
}

byId("another").addEventListener("submit", (event) => {
  event.preventDefault();
  const parameters = { seed: crypto.getRandomValues(new Uint32Array(1))[0].toString(36) };
  for (const key of ["game", "wanted-grade"]) {
    const { name, value } = byId(key);
    if (value) parameters[name] = value;
  }
  load(parameters);
});
byId("today").addEventListener("click", () => load({}));
byId("reveal").addEventListener("click", reveal);

count();
choices();
await load({});
