// Puzzle storm: as many puzzles as one can in three minutes.

import { Activity } from "./activity.js";
import { byId, focused, make, set, show, write } from "../common/dom.js";
import { COLON, t } from "../common/language.js";
import { announce, attempt, copy, fail } from "../common/notify.js";
import { choose } from "../common/fields.js";
import { keep, recall } from "../common/storage.js";
import { rules } from "../common/api.js";
import { StudyBoard } from "./study.js";

const PRAISE = 1000; // milliseconds for which it says that the last one was right
const SEEDS = 1_000_000;
const NOTES = ["solved", "in-a-row", "grade", "best"]; // "Solved: 3"

const seed = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;
const storm = new Activity("storm", () => ({ best: best() }), { seed });
const board = new StudyBoard(async (move) => draw(await storm.move(move)));
let main = "start"; // what the button does
let shared = ""; // the line to share
/** @type {Server.Scene | null} */
let shown = null;
let praising;

// What is kept may be anything: whatever makes no sense is no record.
const best = () => Object.fromEntries(Object.entries(Object(recall("storm")))
  .filter(([, made]) => Number.isSafeInteger(made) && made > 0));

/** @param {Server.Scene | null | undefined} scene */
function draw(scene) {
  if (!scene) return;
  const [told] = scene.said;
  if (told?.kind === "error") fail(told.text);
  const before = shown;
  shown = scene;
  storm.follow(draw);
  // Puzzles that were found ahead are not seen yet.
  if (scene.link === before?.link && scene.moves === before.moves) return;
  keep("storm", storm.state.best);
  // The last of a scene's notes are always the same.
  NOTES.slice(NOTES.length - scene.notes.length).forEach((id, index) =>
    write(byId(id), scene.notes[index].match(/\d+/)?.[0] ?? ""));
  const { state } = scene;
  const button = scene.choices.find(({ action }) => action !== "next");
  main = button?.action ?? main;
  write(byId("start"), button?.label ?? "");
  byId("game").disabled = Boolean(state);
  set(document.body, "data-storm", Boolean(state));
  show(board.root, Boolean(state)); // in the end what was reached comes first
  show(byId("review"), !state && had().length > 0);
  tell(told);
  if (state) pose(scene, state);
  else finish(scene);
}

// A puzzle; or, after a wrong answer, what would have been right.
/**
 * @param {Server.Scene} scene
 * @param {Server.Position} state
 */
function pose({ title, goal, moves, advised }, state) {
  board.show(state, { open: moves, you: state.to_move, ...(moves && { status: t("Your turn.") }) });
  board.advise(advised);
  if (!moves) return;
  write(byId("task"), `${title}${COLON}${goal}`);
  if (!had().length) frame();
  hold();
  announce(`${byId("result").textContent} ${byId("task").textContent}`);
  praising = setTimeout(tell, PRAISE); // its goal stands where the answer to the last one is told
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

/** @param {Server.Sentence} [said] */
function tell(said) {
  clearTimeout(praising);
  const verdict = said && ["right", "wrong"].includes(said.kind);
  write(byId("result"), verdict ? said.text : "");
  set(byId("result"), "data-right", verdict ? String(said.kind === "right") : null);
}

/** @returns {{ title: string, link: string, right: boolean }[]} */
const had = () => /** @type {any} */ (storm.state.had);

/** @param {Server.Scene} scene */
function finish({ goal, said }) {
  write(byId("task"), goal);
  shared = said[0]?.text ?? "";
  byId("had").replaceChildren(...had().map(({ title, link, right }) =>
    make("li", { "data-right": String(right) },
      make("span", { class: "unseen" }, `${right ? t("Right") : t("Wrong")}${COLON}`),
      make("a", { href: `/puzzles?${link}` }, title))));
  announce(goal);
  byId("start").focus();
}

byId("set-up").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (storm.waiting) return;
  const task = byId("task").textContent;
  if (main !== "stop") write(byId("task"), t("Looking for a puzzle…"));
  const scene = await storm.act(main, byId("game").value || "all");
  if (scene === null) write(byId("task"), task);
  draw(scene);
});
byId("game").addEventListener("change", ({ currentTarget }) =>
  write(byId("best"), String(best()[currentTarget.value || "all"] ?? 0)));
byId("copy").addEventListener("click", ({ currentTarget }) =>
  copy(`${shared}\n${location.href}`, currentTarget));
storm.countDown(byId("clock"), draw);

const games = (await attempt(rules)) ?? [];
byId("game").append(...choose(games.map(({ name, called }) => [name, called])).children);
byId("game").value = "";
write(byId("best"), String(best().all ?? 0));
