// Puzzle storm: what the server says of it is drawn, with a clock that runs.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, browser, open, refused, seen, settle, text } from "../browser.js";
import { scene } from "../samples.js";

open("/storm", { game: "select" });
mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
let now = 0;
mock.method(performance, "now", () => now);
const all = document.createElement("option");
all.setAttribute("value", "");
all.append("All games");
document.getElementById("game").append(all);
const clock = document.createElement("dl");
clock.append(document.getElementById("clock"));
document.body.append(clock);

const PATH = "/api/v1/activities/storm";
const choose = (...actions) =>
  actions.map((action) => ({ action, label: `${action}!`, key: "", told: "" }));
const said = (kind, words) => [{ kind, text: words }];
let state = { best: { all: 7 }, had: [] };
const say = (more) => answer(PATH, () => ({
  state,
  scene: scene({
    title: "Number Duel", notes: ["Solved: 0", "In a row: 0", "Grade: 1", "Best: 7"], choices: choose("stop"), clock: 180, ...more,
  }),
}));
const asked = () => browser.asked.filter(({ path }) => path === PATH).map(({ body }) => body);
const last = () => asked().at(-1);

answer("/api/v1/rules", [{ name: "duel", called: "Number Duel" }]);
await import("#page/study/storm.js");
const { keep, recall } = await import("#page/common/storage.js");
await settle();

const submit = async () => {
  document.getElementById("set-up").happen("submit");
  await settle();
};
const wait = async (seconds) => {
  now += seconds * 1000;
  mock.timers.tick(seconds * 1000);
  await settle();
};
const press = async (label) => {
  await wait(0.3); // a press just after a change is ignored
  document.querySelector(`[data-cell=${label}]`).click();
  await settle();
};

test("a record that makes no sense is none, and every game has its own", () => {
  keep("storm", { all: "many", duel: 7 });
  const game = document.getElementById("game");
  game.value = "duel";
  game.happen("change");
  assert.equal(text("best"), "7");
  game.value = "";
  game.happen("change");
  assert.equal(text("best"), "0");
});

test("a storm that cannot be begun says why, and can be tried again", async () => {
  const before = text("task");
  answer(PATH, refused(503, "Too much to do."));
  await submit();
  assert.deepEqual([text("error"), text("task")], ["Too much to do.", before]);
});

test("a storm begins with a puzzle and a clock, and more puzzles are found ahead", async () => {
  let found = 0;
  answer(PATH, () => {
    found += 1;
    return { state, scene: scene({ title: "Number Duel", notes: ["Solved: 0", "In a row: 0", "Grade: 1", "Best: 7"],
      choices: choose("stop"), clock: 180, then: found < 3 ? "more" : "" }) };
  });
  await submit();
  assert.deepEqual(asked().slice(-3).map(({ action }) => action), ["start", "more", "more"]);
  assert.deepEqual([asked().at(-3).given, asked().at(-3).state.best], ["all", { duel: 7 }]);
  assert.deepEqual([text("task"), text("start")], ["Number Duel: Win.", "stop!"]);
  assert.deepEqual([text("solved"), text("best")], ["0", "7"]);
  assert.ok(document.body.hasAttribute("data-storm") && document.getElementById("game").disabled);
  assert.ok(document.getElementById("board").contains(document.activeElement), "for the keyboard");
});

test("the clock runs down, and what has passed is told with the answer", async () => {
  await wait(10);
  assert.equal(text("clock"), "2:50");
  say({ link: "2", said: said("right", "Right."), clock: 169.7, notes: ["已解：1", "In a row: 0", "Grade: 1", "Best\u00a0: 7"] });
  await press("4");
  assert.deepEqual([last().action, last().given], ["move", "4"]);
  assert.ok(Math.abs(last().passed - 10.3) < 0.001, String(last().passed));
  assert.deepEqual([text("solved"), text("best"), text("result")], ["1", "7", "Right."],
    "in whichever language the notes are");
  await wait(1);
  assert.equal(text("result"), "", "its goal stands where the praise was");
});

test("after a wrong answer the right one is shown for a moment, and the clock stands still", async () => {
  const wrong = "Wrong: it was 4. That costs 10 seconds.";
  say({ link: "2", moves: false, advised: ["4"], clock: 120, then: "next", pause: 1.5,
    said: said("wrong", wrong), choices: choose("next", "stop") });
  await press("5");
  assert.deepEqual([text("result"), text("start")], [wrong, "stop!"]);
  say({ link: "3", clock: 120 });
  await wait(1.4);
  assert.equal(text("clock"), "2:00");
  assert.ok(document.querySelector("[data-cell=4]").hasAttribute("data-advised"));
  await wait(0.1);
  assert.deepEqual([last().action, last().passed], ["next", 0]);
  assert.ok(!document.querySelector("[data-cell=4]").hasAttribute("data-advised"));
  assert.equal(text("result"), "");
});

test("if the next puzzle does not come, it is asked for again", async () => {
  say({ link: "3", moves: false, clock: 110, then: "next", pause: 1.5 });
  await press("5");
  answer(PATH, new Error("no network"));
  await wait(1.5);
  assert.match(text("error"), /cannot be reached/);
  say({ link: "4", clock: 110 });
  await wait(1.5);
  assert.equal(text("error"), "");
});

test("a penalty that takes the rest of the time lets the right answer be seen, and ends it", async () => {
  say({ link: "4", moves: false, clock: 0, then: "next", pause: 1.5 });
  await press("5");
  const before = asked().length;
  await wait(1.4);
  assert.equal(asked().length, before, "the clock stands still");
  say({ link: "4", clock: 110 });
  await wait(0.2);
  assert.deepEqual(asked().slice(before).map(({ action }) => action), ["next"]);
});

test("an answer does not wait for puzzles that are found ahead, whose answer is dropped", async () => {
  const replies = [];
  answer(PATH, () => new Promise((resolve) => replies.push(resolve)));
  await press("4");
  replies.shift()({ state, scene: scene({ link: "5", clock: 100, then: "more", notes: [] }) });
  await settle();
  await press("5");
  assert.deepEqual(asked().slice(-2).map(({ action }) => action), ["more", "move"]);
  replies[1]({ state, scene: scene({ link: "6", title: "Next", clock: 90, notes: [] }) });
  await settle();
  replies[0]({ state, scene: scene({ link: "5", title: "Late", clock: 100, notes: [] }) });
  await settle();
  assert.equal(text("task"), "Next: Win.");
});

test("what is left is said aloud at a minute", async () => {
  await wait(30);
  assert.equal(text("announcer"), "60 seconds left.");
});

test("when the time is up that is told, once, and the result can be looked at and kept", async () => {
  state = { best: { all: 8 }, had: [
    { title: "Number Duel, grade 1", link: "p1", right: true },
    { title: "Number Duel, grade 2", link: "p2", right: false },
  ] };
  say({ state: null, moves: false, clock: null, link: "over", goal: "It is over: 8 solved.",
    said: said("share", "numduel storm · 8 solved"), notes: ["Best: 8"],
    choices: choose("again", "game") });
  const before = asked().length;
  await wait(100);
  await wait(1);
  assert.deepEqual(asked().slice(before).map(({ action }) => action), ["tick"]);
  assert.deepEqual([text("clock"), text("task")], ["0:00", "It is over: 8 solved."]);
  assert.deepEqual([text("best"), text("start"), recall("storm")], ["8", "again!", { all: 8 }]);
  assert.ok(seen("review") && !document.body.hasAttribute("data-storm"));
  assert.deepEqual(document.getElementById("had").children.map((row) => row.textContent),
    ["Right: Number Duel, grade 1", "Wrong: Number Duel, grade 2"]);
  const [row] = document.getElementById("had").children;
  assert.equal(row.querySelector("a").getAttribute("href"), "/puzzles?p1");
  assert.equal(document.activeElement.id, "start");
  assert.equal(text("announcer"), "It is over: 8 solved.");
});

test("the button does what the storm offers, once", async () => {
  state = { ...state, had: [] };
  let give;
  answer(PATH, () => new Promise((resolve) => (give = resolve)));
  const before = asked().length;
  await submit();
  await submit();
  assert.deepEqual(asked().slice(before).map(({ action }) => action), ["again"]);
  assert.equal(text("task"), "Looking for a puzzle…");
  give({ state, scene: scene({ notes: [], choices: choose("stop"), clock: 180 }) });
  await settle();
  say({ state: null, moves: false, link: "over", goal: "Stopped.", notes: [], choices: choose("again") });
  await submit();
  assert.deepEqual([last().action, text("task"), seen("review")], ["stop", "Stopped.", false]);
});
