// A lesson: what the server says of a step is drawn, and how far this browser has come is kept.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, browser, open, refused, seen, settle, text } from "../browser.js";
import { numbers, scene } from "../samples.js";

open("/learn/duel#2");
mock.timers.enable({ apis: ["setTimeout"] });
document.getElementById("lesson").dataset.game = "duel";
const { keep, recall } = await import("#page/common/storage.js");
keep("lesson.duel", [1]);

const choice = (action) => ({ action, label: action, key: "", told: "" });
const said = (...pairs) => pairs.map(([kind, words]) => ({ kind, text: words }));
const step = (number, done, more = {}) => scene({
  title: `${number} of 3: Fork`, goal: "Take `3`.", text: ["About it.", ["one", "two `21 18`"]],
  link: `duel ${number}`, notes: [`${done.length} of 3 steps done`], advised: [],
  choices: ["hint", "skip"].map(choice),
  steps: [1, 2, 3].map((at) => ({ title: `s${at}`, done: done.includes(at), current: at === number })),
  ...more,
});
const say = (number, done, more) =>
  answer("/api/v1/activities/lesson", { state: { done }, scene: step(number, done, more) });
const asked = () => browser.asked.at(-1).body;
const button = (action) => document.querySelector(`[data-action=${action}]`);
const press = async (label) => {
  mock.timers.tick(300);
  document.querySelector(`[data-cell=${label}]`).click();
  await settle();
};
const click = async (node) => {
  node.click();
  await settle();
};

say(2, [1]);
await import("#page/study/lesson.js");
await settle();

test("the step of the address is opened, with what is done", () => {
  assert.deepEqual([asked().action, asked().given], ["begin", "duel 2"]);
  assert.deepEqual(asked().state, { done: [1] });
  assert.deepEqual([text("step-title"), text("task")], ["2 of 3: Fork", "Take 3."]);
  assert.equal(text("progress"), "1 of 3 steps done");
  assert.equal(text("text"), "About it.onetwo 21 18");
  assert.equal(document.getElementById("text").querySelector("code").textContent, "21 18");
  const [first, second] = document.getElementById("steps").children.map((one) => one.firstChild);
  assert.ok(first.hasAttribute("data-done") && !second.hasAttribute("data-done"));
  assert.equal(second.getAttribute("aria-current"), "step");
});

test("the first sentence of a lesson stands apart from the others", async () => {
  assert.equal(text("about"), "");
  say(1, [1], { text: ["Two players pick numbers. In `8` steps.", "Get three."] });
  await click(document.getElementById("steps").children[0].firstChild);
  assert.equal(text("about"), "Two players pick numbers.");
  assert.equal(text("text"), "In 8 steps.Get three.");
  say(2, [1]);
  await click(document.getElementById("steps").children[1].firstChild);
});

test("a wrong answer says why, and can be given again", async () => {
  say(2, [1], { said: said(["wrong", "Not that one."]) });
  await press("5");
  assert.deepEqual([asked().action, asked().given], ["move", "5"]);
  assert.equal(text("result"), "Not that one.");
  assert.equal(document.getElementById("result").dataset.right, "false");
});

test("a hint may name moves, which are marked", async () => {
  say(2, [1], { said: said(["hint", "It is 3."]), advised: ["3"] });
  await click(button("hint"));
  const hints = browser.asked.length;
  button("hint").happen("click", { detail: 2 });
  await settle();
  assert.equal(browser.asked.length, hints, "the second press of a quick pair asks for nothing");
  assert.equal(text("result"), "It is 3.");
  assert.ok(document.querySelector("[data-cell=3]").hasAttribute("data-advised"));
});

test("the right answer is remembered, and leads on", async () => {
  say(2, [1, 2], { said: said(["right", "Right."]), moves: false, choices: [choice("next")] });
  await press("3");
  assert.deepEqual(recall("lesson.duel"), [1, 2]);
  assert.ok(!button("next").hidden && button("hint").hidden && !seen("play"));
  assert.equal(document.activeElement, button("next"));
  const before = browser.asked.length;
  await press("4");
  assert.equal(browser.asked.length, before, "a step that is done asks nothing");
});

test("the computer's move is said aloud, and is no verdict", async () => {
  say(3, [1, 2]);
  await click(button("next"));
  assert.equal(document.activeElement.id, "step-title");
  say(3, [1, 2], { said: said(["move", "Bo: 4."]) });
  await press("3");
  assert.deepEqual([text("result"), text("announcer")], ["", "Bo: 4. Your turn."]);
});

test("one question at a time", async () => {
  let give;
  answer("/api/v1/activities/lesson", () => new Promise((resolve) => (give = resolve)));
  const before = browser.asked.length;
  await press("3");
  await press("4");
  await click(button("hint"));
  assert.equal(browser.asked.length, before + 1);
  const won = { said: said(["right", "You won."]), moves: false, choices: [] };
  give({ state: { done: [2, 3] }, scene: step(3, [2, 3], won) });
  await settle();
  assert.ok(seen("play"), "though a step was skipped");
  assert.deepEqual(recall("lesson.duel"), [2, 3]);
});

test("a question has no board, and its answers are buttons in their order", async () => {
  const question = { state: null, moves: false, choices: ["hint", "1", "2", "skip"].map(choice) };
  say(3, [2], question);
  await click(document.getElementById("steps").children[2].firstChild);
  const board = document.getElementById("board");
  assert.ok(board.hasAttribute("data-bare"));
  const shown = document.getElementById("choices").children.filter((one) => !one.hidden);
  assert.deepEqual(shown.slice(0, 4).map((one) => one.dataset.action), ["hint", "1", "2", "skip"]);
  say(3, [2, 3], { ...question, said: said(["right", "Right."]), choices: [choice("next")] });
  await click(button("1"));
  assert.deepEqual([asked().action, text("result")], ["1", "Right."]);
  assert.equal(document.activeElement, button("next"));
  say(2, [2, 3]);
  await click(document.getElementById("steps").children[1].firstChild);
  assert.ok(!board.hasAttribute("data-bare"));
  say(3, [2, 3]);
  await click(document.getElementById("steps").children[2].firstChild);
});

test("another step is asked for by its number, and a refusal leaves everything as it was", async () => {
  const [first] = document.getElementById("steps").children;
  answer("/api/v1/activities/lesson", refused(422, "No such step."));
  await click(first.firstChild);
  assert.deepEqual([asked().action, asked().given], ["step", "1"]);
  assert.deepEqual([text("error"), text("step-title")], ["No such step.", "3 of 3: Fork"]);
});
