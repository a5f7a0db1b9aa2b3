// A lesson: one thing to do at each step, and how far this browser has come.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, browser, open, refused, seen, settle, text } from "./browser.js";
import { numbers } from "./samples.js";

open("/learn/duel#9"); // there is no such step
mock.timers.enable({ apis: ["setTimeout"] });
document.getElementById("lesson").dataset.game = "duel";
const { keep, recall } = await import("#page/keep.js");
keep("lesson.duel", [1]);
const step = (title, more = {}) => ({
  title, text: [`About ${title}.`, ["one", "two `21 18`"]], task: "Take 3.", seat: 1, game: false,
  state: numbers(5), ...more,
});
answer("/api/lessons/duel", {
  name: "duel", title: "Number Duel", text: ["Hello."],
  steps: [step("Start"), step("Fork"), step("Play", { game: true })],
});
await import("#page/lesson.js");
await settle();

const press = async (label) => {
  mock.timers.tick(300);
  document.querySelector(`[data-cell=${label}]`).click();
  await settle();
};
const click = async (id) => {
  document.getElementById(id).click();
  await settle();
};
const tried = (right, said, more = {}) =>
  answer(/^\/api\/lessons\/duel\/answer/, { right, said, state: numbers(5, { text: "x", ...more }) });
const asked = () => Object.fromEntries(new URLSearchParams(browser.asked.at(-1).path.split("?")[1]));

test("the first step that is not done is opened", () => {
  assert.equal(text("step-title"), "2. Fork");
  assert.equal(text("progress"), "1 of 3 steps done");
  assert.equal(text("task"), "Take 3.");
  assert.deepEqual(document.getElementById("steps").children.map((one) => one.textContent[0]),
    ["1", "2", "3"]);
  assert.equal(text("text"), "About Fork.onetwo 21 18");
  assert.equal(document.getElementById("text").querySelector("code").textContent, "21 18");
  assert.ok(seen("hint") && seen("skip") && !seen("next"));
});

test("a wrong answer says why, and can be given again", async () => {
  tried(false, "Not that one.");
  await press("5");
  assert.deepEqual(asked(), { step: "2", move: "5", moves: "" });
  assert.equal(text("result"), "Not that one.");
  assert.equal(document.getElementById("result").dataset.right, "false");
  assert.ok(!seen("next"));
});

test("hints tell more each time", async () => {
  answer(/^\/api\/lessons\/duel\/hint/, { lines: ["Look.", "There."], moves: ["3"] });
  await click("hint");
  assert.equal(asked().number, "1");
  await click("hint");
  assert.equal(asked().number, "2");
  assert.equal(text("result"), "Look. There.");
  assert.ok(document.querySelector("[data-cell=3]").hasAttribute("data-advised"));
});

test("the right answer is remembered, and leads on", async () => {
  tried(true, "Right.");
  await press("3");
  assert.deepEqual(recall("lesson.duel"), [1, 2]);
  assert.equal(text("progress"), "2 of 3 steps done");
  assert.ok(seen("next") && !seen("hint") && !seen("play"));
  const before = browser.asked.length;
  await press("4");
  assert.equal(browser.asked.length, before, "a step that is done asks nothing");
});

test("a whole game is begun by the server, and its moves are sent along", async () => {
  tried(false, "", { moves: ["5"], text: "5" });
  await click("next");
  assert.equal(text("step-title"), "3. Play");
  assert.deepEqual(asked(), { step: "3" });
  tried(false, "", { moves: ["5", "3", "4"], text: "5 3 4", said: "Bo: 4" });
  await press("3");
  assert.deepEqual(asked(), { step: "3", move: "3", moves: "5" });
  assert.equal(text("announcer"), "Bo: 4. Your turn.");
  assert.ok(!seen("skip"), "it is the last step");
});

test("a game that is lost can be played again", async () => {
  tried(false, "You lost.", { outcome: { winner: 2, reason: "" } });
  await press("3");
  assert.ok(seen("again") && !seen("hint"));
  tried(false, "", { moves: [] });
  await click("again");
  assert.ok(!seen("again"));
  assert.equal(text("result"), "");
});

test("one question at a time", async () => {
  let give;
  answer(/^\/api\/lessons\/duel\/answer/, () => new Promise((resolve) => (give = resolve)));
  const before = browser.asked.length;
  await press("3");
  await press("4");
  assert.equal(browser.asked.length, before + 1);
  give({ right: true, said: "You won.", state: numbers(5, { outcome: { winner: 1, reason: "" } }) });
  await settle();
  assert.ok(seen("play") && !seen("next"));
  assert.deepEqual(recall("lesson.duel"), [1, 2, 3]);
});

test("a server that refuses leaves the step as it is", async () => {
  document.getElementById("steps").children[0].firstChild.click();
  await settle();
  assert.equal(text("step-title"), "1. Start");
  assert.match(text("text"), /^Hello\./);
  const [first] = document.getElementById("steps").children;
  assert.ok(first.firstChild.hasAttribute("data-done"));
  answer(/^\/api\/lessons\/duel\/answer/, refused(422, "No such move."));
  await press("3");
  assert.equal(text("error"), "No such move.");
  tried(true, "Right.");
  await press("3");
  assert.equal(text("result"), "Right.");
});

test("a step can be skipped, and its hints begin again", async () => {
  document.getElementById("steps").children[0].firstChild.click();
  await settle();
  await click("hint");
  await click("hint");
  await click("skip");
  assert.equal(text("step-title"), "2. Fork");
  assert.equal(document.activeElement.id, "step-title");
  assert.ok(!document.querySelector("[data-cell=3]").hasAttribute("data-advised"));
  await click("hint");
  assert.deepEqual(asked(), { step: "2", number: "1" });
});
