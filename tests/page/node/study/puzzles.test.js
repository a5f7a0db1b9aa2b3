// The page of puzzles: what the server says of one is drawn, and what is chosen is asked for.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, browser, open, seen, settle, text } from "../browser.js";
import { numbers, scene } from "../samples.js";

const TAGS = { game: "select", "wanted-grade": "select" };
open("/puzzles?seed=1", TAGS);
document.getElementById("share-line").dataset.squares = '{"r": "🟩", "h": "🟨", "w": "🟥"}';
mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
for (const id of Object.keys(TAGS)) {
  const any = document.createElement("option");
  any.setAttribute("value", "");
  document.getElementById(id).append(any);
  document.getElementById(id).setAttribute("name", id.replace("wanted-", ""));
}

const streak = { day: null, days: 0, begun: null, marks: "", hinted: false };
const said = (...pairs) => pairs.map(([kind, words]) => ({ kind, text: words }));
const say = (more) => answer("/api/v1/activities/puzzle", { state: { streak }, scene: scene(more) });
const asked = () => browser.asked.at(-1).body;
const line = ["4", "4 1"].map((moves) => numbers(5, { text: moves, said: `after ${moves}` }));
const NEXT = { action: "next", label: "Another puzzle", key: "n", told: "" };

answer("/api/v1/rules", [{ name: "duel", called: "Number Duel" }]);
say({});
await import("#page/study/puzzles.js");
const { recall } = await import("#page/common/storage.js");
await settle();

// What is pressed within a moment after a change is ignored.
const press = async (label) => {
  mock.timers.tick(300);
  document.querySelector(`[data-cell=${label}]`).click();
  await settle();
};
const button = (action) => document.querySelector(`[data-action=${action}]`);
const click = async (action) => {
  button(action).click();
  await settle();
};

test("a puzzle that the address names shows its task and its grade", () => {
  assert.deepEqual([asked().action, asked().given], ["begin", "seed=1"]);
  assert.deepEqual([text("puzzle-title"), text("task")], ["Puzzle 1: Number Duel", "Win."]);
  assert.equal(text("grade"), "Grade 2 of 5 ●●○○○");
  assert.deepEqual([text("tries"), text("solved")], ["Try 1", "Puzzles solved: 0"]);
  assert.equal(document.getElementById("permalink").href, "/puzzles?seed=1");
  assert.ok(!button("hint").hidden && !button("show").hidden && !seen("copy"));
  assert.equal(text("announcer"), "Win.");
});

test("a wrong try says why, and what to look at", async () => {
  say({ said: said(["wrong", "5 is not it."], ["why", "It loses."], ["hint", "Look."]), notes: ["Try 2", ""] });
  await press("5");
  assert.deepEqual([asked().action, asked().given], ["move", "5"]);
  assert.deepEqual([text("result"), text("words")], ["5 is not it.", "It loses. Look."]);
  assert.equal(document.getElementById("result").dataset.right, "false");
  assert.deepEqual([text("tries"), text("why")], ["Try 2", ""]);
});

test("a hint stands where one looks for it, and is no verdict", async () => {
  say({ said: said(["hint", "It is 3 or 4."]) });
  await click("hint");
  assert.deepEqual([text("result"), text("words")], ["", "It is 3 or 4."]);
  assert.equal(document.getElementById("result").dataset.right, undefined);
});

test("a second answer on the way is none", async () => {
  let give;
  const before = browser.asked.length;
  answer("/api/v1/activities/puzzle", () => new Promise((resolve) => (give = resolve)));
  await press("5");
  await press("3");
  await click("show");
  assert.equal(browser.asked.length, before + 1);
  give({ state: { streak }, scene: scene({ notes: ["Try 3", ""] }) });
  await settle();
  assert.equal(text("tries"), "Try 3");
});

test("the right answer is explained, played out, kept and shared", async () => {
  const words = said(["right", "4 is right."], ["why", "It wins."], ["share", "numduel · try 5"]);
  say({ said: words, moves: false, line, choices: [NEXT], notes: ["", "Puzzles solved: 1"] });
  await press("4");
  assert.equal(text("result"), "4 is right.");
  assert.equal(document.getElementById("result").dataset.right, "true");
  assert.equal(text("why"), "4 is right. It wins.");
  assert.equal(text("said"), "after 4 1", "at once where things should not move");
  assert.deepEqual([text("solved"), text("share-line")], ["Puzzles solved: 1", "numduel · try 5"]);
  assert.ok(!button("next").hidden && button("show").hidden && seen("copy"));
  assert.deepEqual(recall("puzzles"), streak);
  const before = browser.asked.length;
  await press("3");
  assert.equal(browser.asked.length, before, "nothing is asked any more");
});

test("what was kept travels along, and the next one is of the kind that is chosen", async () => {
  document.getElementById("game").value = "duel";
  say({ link: "game=duel&seed=8", said: said(["note", "A note."]) });
  await click("next");
  assert.deepEqual([asked().action, asked().given], ["next", "game=duel&grade="]);
  const { today, ...kept } = asked().state;
  assert.deepEqual(kept, { streak });
  assert.match(today, /^\d{4}-\d\d-\d\d$/, "the day of this browser");
  assert.deepEqual([text("result"), text("share-line")], ["A note.", ""]);
  assert.ok(!seen("copy"));
});

test("a press just after the board has changed is ignored, and after a wrong try it is not", async () => {
  say({ state: numbers(5, { text: "1" }) });
  await click("next");
  const before = browser.asked.length;
  document.querySelector("[data-cell=5]").click();
  await settle();
  assert.equal(browser.asked.length, before);
  mock.timers.tick(300);
  for (const more of [1, 2]) {
    document.querySelector("[data-cell=5]").click();
    await settle();
    assert.equal(browser.asked.length, before + more);
  }
});

test("an answer to a puzzle that was left comes too late", async () => {
  let give;
  answer("/api/v1/activities/puzzle", () => new Promise((resolve) => (give = resolve)));
  await press("4");
  say({ link: "seed=9" });
  for (const hear of browser.heard.get("popstate")) hear({});
  await settle();
  give({ state: {}, scene: scene({ said: said(["right", "4 is right."]) }) });
  await settle();
  assert.equal(text("result"), "");
});

test("what cannot be is said, and everything stays as it was", async () => {
  say({ said: said(["error", "5 is taken."]) });
  const before = text("task");
  await press("4");
  assert.deepEqual([text("error"), text("task")], ["5 is taken.", before]);
});

test("a line goes on after a move: it is played out, and then it is one's turn again", async () => {
  const marks = ["Move 2 of 3 🟩", ""];
  say({ said: said(["right", "4 is right."], ["move", "Player 2 plays 1."]), line, notes: marks,
    state: numbers(5, { text: "4 1" }) });
  await press("4");
  assert.deepEqual([text("result"), text("words")], ["4 is right.", "Player 2 plays 1."]);
  assert.equal(text("tries"), "Move 2 of 3 🟩");
  assert.equal(document.querySelector(".daily-mark").dataset.mark, "r");
  assert.equal(text("status"), "Your turn.");
  say({ said: said(["wrong", "3 is wrong."], ["share", "numduel\n🟩🟥 1 of 2"]), moves: false,
    choices: [NEXT], next_day: "2999-01-01" });
  await press("3");
  assert.deepEqual([asked().action, asked().state.today], ["move", undefined], "its day stays");
  assert.equal(text("share-line"), "numduel\n🟩🟥 1 of 2");
  assert.match(text("next-daily"), /^Next puzzle in \d+:\d\d:\d\d$/);
  say({ next_day: "2020-01-01" });
  await click("next");
  assert.equal(text("next-daily"), "The next puzzle is here.");
});

test("a hint ends what is played out, and leaves the position to be solved", async () => {
  const calm = matchMedia("");
  calm.matches = false;
  say({ said: said(["right", "4 is right."]), line, state: numbers(5, { text: "4 1", said: "now" }) });
  await press("4");
  assert.equal(text("said"), "after 4");
  say({ said: said(["hint", "Look."]), state: numbers(5, { text: "4 1", said: "now" }) });
  await click("hint");
  assert.deepEqual([text("said"), text("status")], ["now", "Your turn."]);
  mock.timers.tick(2000);
  assert.equal(text("status"), "Your turn.");
  calm.matches = true;
});

test("a daily puzzle that is finished says how it went, and not that it is looked for", async () => {
  say({ goal: "2 of 3 right.", moves: false, notes: ["🟩🟨🟥", ""] });
  document.getElementById("today").click();
  await settle();
  assert.deepEqual([text("task"), text("tries")], ["2 of 3 right.", "🟩🟨🟥"]);
});
