// A lesson: a few sentences, a position, and one thing to do. The server knows what is right.

import { Activity, Choices, block, inline } from "./activity.js";
import { byId, make, set, show, write } from "../common/dom.js";
import { COLON, t } from "../common/language.js";
import { done, keep } from "../common/storage.js";
import { StudyBoard } from "./study.js";
import { announce } from "../common/notify.js";

const name = byId("lesson").dataset.game ?? "";
const lesson = new Activity("lesson", () => ({ done: done(name) }));
const board = new StudyBoard(async (move) => draw(await lesson.move(move)));
const OPENS = ["next", "skip", "previous", "again"];
const choices = new Choices(byId("choices"), (action) =>
  OPENS.includes(action) ? go(action) : act(action));
let you = 1;

// A hint, or an answer to a question.
async function act(action) {
  if (!lesson.waiting) draw(await lesson.act(action));
}

// Another step, or the game of this one again.
async function go(action, given) {
  if (!(await open(action, given))) return;
  byId("step-title").focus();
}

async function open(action, given) {
  if (lesson.waiting) return false;
  const before = lesson.scene;
  if (before?.state) board.show(before.state, { you }); // nothing can be pressed meanwhile
  const scene = await lesson.act(action, given);
  if (!scene) {
    draw(before);
    return false;
  }
  history.replaceState(null, "", `#${scene.link.split(" ")[1]}`);
  write(byId("step-title"), scene.title);
  const [about, text] = opening(scene);
  byId("about").replaceChildren(...inline(about));
  byId("text").replaceChildren(...text.map(block));
  byId("task").replaceChildren(...inline(scene.goal));
  you = scene.state?.to_move ?? 1;
  draw(scene);
  return true;
}

// The first sentence of the lesson, which comes before the task even on a phone, and the other words
// of a step.
/** @param {Server.Scene} scene @returns {[string, (string | string[])[]]} */
function opening({ steps: marks, text: [first, ...rest] }) {
  const begins = marks[0].current && typeof first === "string" && first.match(/^([^.]+\.) (.+)$/s);
  return begins ? [begins[1], [begins[2], ...rest]] : ["", [first, ...rest]];
}

/** @param {Server.Scene | null | undefined} scene */
function draw(scene) {
  if (!scene) return;
  keep(`lesson.${name}`, lesson.state.done);
  const { said, moves } = scene;
  board.showScene(scene, you);
  write(byId("result"), said.filter(({ kind }) => kind !== "move").map(({ text }) => text).join(" "));
  if (said[0]?.kind === "move") announce(`${said[0].text} ${t("Your turn.")}`);
  write(byId("progress"), scene.notes[0]);
  choices.show(scene);
  const last = scene.steps[scene.steps.length - 1];
  show(byId("play"), !moves && last.current && last.done);
  steps(scene.steps);
  if (moves || !said.length) return;
  // The verdict stays in view, even if the focused button is below it.
  (choices.main() ?? byId("play")).focus({ preventScroll: true });
  byId("result").scrollIntoView({ block: "nearest" });
}

/** @param {Server.Mark[]} marks */
function steps(marks) {
  const list = byId("steps");
  marks.slice(list.children.length).forEach(() => {
    const number = String(list.children.length + 1);
    list.append(make("li", {}, make(
      "button",
      { type: "button", class: "button small step", onclick: () => go("step", number) },
      number,
      make("span", { class: "unseen" }),
    )));
  });
  marks.forEach(({ title, done: ready, current }, index) => {
    const button = list.children[index].firstChild;
    set(button, "aria-current", current ? "step" : null);
    set(button, "data-done", ready);
    const { offsetLeft } = /** @type {HTMLElement} */ (list.children[index]);
    if (current) list.scrollLeft = offsetLeft - list.clientWidth / 2;
    write(button?.lastChild, `${COLON}${title}${ready ? `, ${t("done")}` : ""}`);
  });
}

if (!(await open("begin", `${name} ${Number(location.hash.slice(1)) || 0}`)) && location.hash) {
  await open("begin", name);
}
