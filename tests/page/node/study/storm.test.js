// Puzzle storm: as many as one can in three minutes.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, browser, open, seen, settle, text } from "../browser.js";
import { puzzle } from "../samples.js";

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

let grades = [];
let served = 0;
answer("/api/rules", [{ name: "duel", called: "Number Duel" }]);
answer(/^\/api\/puzzle\?/, () => {
  served += 1;
  return puzzle({ link: `p${served}`, grade: grades.shift() ?? 1 });
});
answer(/^\/api\/puzzle\/answer/, (path) => {
  const right = new URLSearchParams(path.split("?")[1]).get("move") === "4";
  return { right, why: "", nudges: [], solution: { move: "4", theme: null, words: [], line: [] } };
});
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

test("a storm begins with three minutes and a puzzle, and fetches some ahead", async () => {
  await submit();
  assert.deepEqual([text("clock"), text("score"), text("start")], ["3:00", "0", "Stop"]);
  assert.equal(text("task"), "Number Duel: Win.");
  assert.equal(served, 5, "the one on the board and four that are ready");
  assert.ok(document.body.hasAttribute("data-storm"));
  assert.ok(document.getElementById("board").contains(document.activeElement), "for the keyboard");
});

test("the clock runs while there is something to solve", async () => {
  await wait(10);
  assert.equal(text("clock"), "2:50");
});

test("a right answer counts, and the next puzzle comes at once", async () => {
  await press("4");
  assert.equal(text("score"), "1");
  assert.equal(text("result"), "Right.");
  await wait(1);
  assert.equal(text("result"), "", "its goal stands where the praise was");
});

test("a wrong answer costs ten seconds, and the clock stops while the right move is shown", async () => {
  await wait(0.4);
  const seconds = () => Number(text("clock").split(":")[0]) * 60 + Number(text("clock").split(":")[1]);
  const before = seconds();
  await press("5");
  assert.equal(text("result"), "Wrong: it was 4. That costs 10 seconds.");
  await wait(1.4);
  assert.ok(document.querySelector("[data-cell=4]").hasAttribute("data-advised"));
  await wait(0.1);
  assert.ok(!document.querySelector("[data-cell=4]").hasAttribute("data-advised"));
  assert.equal(text("score"), "1");
  assert.ok(Math.abs(before - seconds() - 10) <= 1, `${before} and ${seconds()}`);
});

test("what is left is said aloud at a minute", async () => {
  for (let turn = 0; turn < 200 && text("clock") !== "1:00"; turn += 1) await wait(1);
  assert.equal(text("announcer"), "60 seconds left.");
});

test("when the time is up, the score is the record, and what came can be looked at", async () => {
  await wait(100);
  assert.equal(text("task"), "The storm is over: 1 solved, your best.");
  assert.deepEqual([text("best"), text("start")], ["1", "Again"]);
  assert.deepEqual(recall("storm"), { all: 1 });
  assert.ok(seen("review") && !document.body.hasAttribute("data-storm"));
  assert.deepEqual(document.getElementById("had").children.map((row) => row.textContent),
    ["Right: Number Duel, grade 1", "Wrong: Number Duel, grade 1"]);
});

test("a storm that is stopped counts as well, but a smaller score is no record", async () => {
  await submit();
  await submit();
  assert.equal(text("task"), "You have stopped the storm: 0 solved.");
  assert.equal(text("best"), "1");
});

test("puzzles get harder by a grade after every four", async () => {
  grades = [3, 1, 2, 1, 1, 1, 2, 3, 2, 1];
  await submit();
  for (let turn = 0; turn < 6; turn += 1) await press("4");
  await submit();
  const had = document.getElementById("had").children.map((row) => Number(row.textContent.at(-1)));
  assert.deepEqual(had.slice(0, 6), [3, 1, 1, 1, 2, 2]);
});

test("an answer that comes after the end is too late", async () => {
  await submit();
  let give;
  answer(/^\/api\/puzzle\/answer/, () => new Promise((resolve) => (give = resolve)));
  await press("4");
  await submit();
  give({ right: true, solution: null });
  await settle();
  assert.match(text("task"), /stopped the storm: 0 solved/);
  browser.answers.shift();
});

test("a storm without a puzzle ends, and says why", async () => {
  answer(/^\/api\/puzzle\?/, new Error("no network"));
  await submit();
  assert.equal(text("task"), "No puzzle could be fetched: 0 solved.");
  browser.answers.shift();
});

test("a record that makes no sense is none, and every game has its own", async () => {
  keep("storm", { all: "many", duel: 7 });
  const game = document.getElementById("game");
  game.value = "duel";
  game.happen("change");
  assert.equal(text("best"), "7");
  game.value = "";
  game.happen("change");
  assert.equal(text("best"), "0");
});
