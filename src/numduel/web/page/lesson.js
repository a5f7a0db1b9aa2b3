// A lesson: a few sentences, a position, and one thing to do. The server knows what is right.

import { byId, make, set, show, write } from "./dom.js";
import { get } from "./api.js";
import { done, keep } from "./keep.js";
import { progress } from "./progress.js";
import { StudyBoard } from "./study.js";
import { announce, attempt } from "./tell.js";

const name = byId("lesson").dataset.game ?? "";
const board = new StudyBoard(press);
/** @type {Server.Lesson} */
let lesson = /** @type {any} */ (null);
let number = 1; // the step that is shown
/** @type {Server.Position} */
let state = /** @type {any} */ (null);
let hints = 0;
let solved = false;
let waiting = false;

const step = () => lesson.steps[number - 1];

// -- a step ----------------------------------------------------------------------------------

async function open(wanted) {
  number = wanted;
  [hints, solved, state] = [0, false, step().state];
  history.replaceState(null, "", `#${number}`);
  write(byId("step-title"), `${number}. ${step().title}`);
  const intro = number === 1 ? lesson.text : [];
  byId("text").replaceChildren(...[...intro, ...step().text].map(block));
  write(byId("task"), step().task);
  tell(null, "");
  const begun = step().game ? begin() : render();
  board.advise([]);
  await begun;
}

// A paragraph, or a numbered list; what is between backquotes is in the notation.
/** @param {string | string[]} text */
const block = (text) =>
  Array.isArray(text)
    ? make("ol", {}, ...text.map((item) => make("li", {}, ...inline(item))))
    : make("p", {}, ...inline(text));

/** @param {string} text */
const inline = (text) =>
  text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));

function render() {
  const over = state.outcome !== null;
  const open = !solved && !over && !waiting;
  board.show(state, { open, you: step().seat, ...(open && { status: "Your turn." }) });
  const last = number === lesson.steps.length;
  show(byId("next"), solved && !last);
  show(byId("play"), solved && last);
  show(byId("again"), step().game && over);
  show(byId("hint"), !solved && !over);
  show(byId("skip"), !solved && !last);
  steps();
}

function tell(right, text) {
  const result = byId("result");
  write(result, text);
  set(result, "data-right", right === null ? null : String(right));
}

// One question at a time: null while another is open, or if the server refuses it.
/**
 * @template {"answer" | "hint"} P
 * @param {P} path
 * @param {Record<string, string>} parameters
 * @returns {Promise<(P extends "answer" ? Server.Try : Server.LessonHint) | null>}
 */
async function ask(path, parameters) {
  if (waiting) return null;
  waiting = true;
  const query = new URLSearchParams({ step: String(number), ...parameters });
  /** @type {any} */
  const answer = await attempt(() => get(`/api/lessons/${name}/${path}?${query}`));
  waiting = false;
  return answer;
}

async function press(move) {
  if (!lesson || solved || state.outcome) return;
  // A move names the card that it plays, so the moves before it go without that card.
  const moves = step().game ? state.moves.join(" ") : "";
  const asked = number;
  const answer = await ask("answer", { move, moves });
  if (!answer || asked !== number) return;
  state = answer.state;
  solved = answer.right;
  tell(answer.said ? answer.right : null, answer.said);
  if (!answer.said) announce(`${state.said}. Your turn.`);
  if (solved) remember();
  render();
  if (solved || state.outcome) {
    // What became of the answer stays in view, though the way on may be below it.
    (visible("next") ?? visible("play") ?? visible("again"))?.focus({ preventScroll: true });
    byId("result").scrollIntoView({ block: "nearest" });
  }
}

const visible = (id) => (byId(id).hidden ? null : byId(id));

async function begin() {
  const question = ask("answer", {});
  render(); // Until it is answered nothing can be pressed.
  const answer = await question;
  if (answer) {
    [state, solved] = [answer.state, false];
    tell(null, "");
  }
  render();
}

async function hint() {
  hints += 1;
  const answer = await ask("hint", { number: String(hints) });
  if (!answer) return;
  tell(null, answer.lines.join(" "));
  board.advise(answer.moves);
}

// -- all steps -------------------------------------------------------------------------------

function remember() {
  keep(`lesson.${name}`, [...new Set([...done(name), number])]);
}

function steps() {
  const finished = done(name);
  write(byId("progress"), progress({ name, steps: lesson.steps.length }).words);
  lesson.steps.forEach(({ title }, index) => {
    const button = byId("steps").children[index].firstChild;
    const ready = finished.includes(index + 1);
    set(button, "aria-current", index + 1 === number ? "step" : null);
    set(button, "data-done", ready);
    write(button?.lastChild, `: ${title}${ready ? ", done" : ""}`);
  });
}

async function go(wanted) {
  if (!lesson || wanted > lesson.steps.length || waiting) return;
  await open(wanted);
  byId("step-title").focus();
}

byId("next").addEventListener("click", () => go(number + 1));
byId("skip").addEventListener("click", () => go(number + 1));
byId("hint").addEventListener("click", () => lesson && hint());
byId("again").addEventListener("click", async () => {
  await begin();
  byId("step-title").focus();
});

lesson = /** @type {any} */ (await attempt(() => get(`/api/lessons/${name}`)));
if (lesson) {
  byId("steps").append(...lesson.steps.map((_, index) =>
    make("li", {}, make(
      "button",
      { type: "button", class: "button small step", onclick: () => go(index + 1) },
      String(index + 1),
      make("span", { class: "unseen" }),
    ))));
  const finished = done(name);
  const first = lesson.steps.findIndex((_, index) => !finished.includes(index + 1)) + 1 || 1;
  const wanted = Number(location.hash.slice(1));
  await open(wanted >= 1 && wanted <= lesson.steps.length ? Math.floor(wanted) : first);
} else {
  write(byId("step-title"), "");
}
