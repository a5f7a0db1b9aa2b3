// The page of puzzles: tries, what counts, and what is shared.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, browser, open, seen, settle, text } from "./browser.js";
import { numbers, puzzle } from "./samples.js";

const TAGS = { game: "select", "wanted-grade": "select", "wanted-theme": "select" };
open("/puzzles?seed=1", TAGS);
mock.timers.enable({ apis: ["setTimeout"] });
for (const id of Object.keys(TAGS)) {
  const any = document.createElement("option");
  any.setAttribute("value", "");
  document.getElementById(id).append(any);
  document.getElementById(id).setAttribute("name", id.replace("wanted-", ""));
}
answer("/api/rules", [{ name: "duel", called: "Number Duel" }]);
answer("/api/puzzle?seed=1", puzzle());
await import("#page/puzzles.js");
const { recall } = await import("#page/keep.js");
await settle();

const line = ["4", "4 1"].map((moves) => numbers(5, { text: moves, said: `after ${moves}` }));
const solution = { move: "4", theme: null, words: ["It wins."], line };
const wrong = { right: false, why: "5 takes it back.", nudges: ["Look.", "Look at 4."], solution: null };
const right = { right: true, why: "", nudges: [], solution };

// What is pressed within a moment after a change is ignored.
const press = async (label) => {
  mock.timers.tick(300);
  document.querySelector(`[data-cell=${label}]`).click();
  await settle();
};
const click = async (id) => {
  document.getElementById(id).click();
  await settle();
};
const load = async (search, found) => {
  answer(`/api/puzzle${search}`, found);
  Object.assign(location, { search });
  for (const hear of browser.heard.get("popstate")) hear({});
  await settle();
};
const judge = (found) => answer(/^\/api\/puzzle\/answer/, found);

test("a puzzle shows its task and its grade, and asks for the first try", () => {
  assert.deepEqual([text("puzzle-title"), text("task")], ["Puzzle: Number Duel", "Win."]);
  assert.equal(text("grade"), "Grade 2 of 5 ●●○○○");
  assert.equal(text("tries"), "Try 1");
  assert.equal(text("solved"), "Solved in this browser: 0");
});

test("a wrong try says why, and what to look at; the last nudge stays", async () => {
  judge(wrong);
  await press("5");
  assert.equal(text("result"), "5 is not it.");
  assert.equal(text("nudge"), "5 takes it back. Look.");
  assert.equal(document.getElementById("result").dataset.right, "false");
  await press("5");
  await press("5");
  assert.equal(text("nudge"), "5 takes it back. Look at 4.");
  assert.equal(text("tries"), "Try 4");
});

test("a second answer on the way is none", async () => {
  let give;
  const before = browser.asked.length;
  judge(() => new Promise((resolve) => (give = resolve)));
  await press("5");
  await press("3");
  assert.equal(browser.asked.length, before + 1);
  give(wrong);
  await settle();
  assert.equal(text("tries"), "Try 5");
});

test("the right answer is explained, played out, counted and shared", async () => {
  judge(right);
  await press("4");
  assert.equal(text("result"), "4 is right.");
  assert.equal(document.getElementById("result").dataset.right, "true");
  assert.equal(text("why"), "4 is right. It wins.");
  assert.equal(text("said"), "after 4 1", "at once where things should not move");
  assert.equal(text("solved"), "Solved in this browser: 1");
  assert.equal(text("share-line"), "numduel · solved on try 5");
  assert.ok(seen("more") && !seen("reveal") && seen("copy"));
  assert.equal(document.getElementById("permalink").href, "/puzzles?seed=1");
  assert.deepEqual(recall("puzzles").done, ["seed=1"]);
  const before = browser.asked.length;
  await press("3");
  assert.equal(browser.asked.length, before, "nothing is asked any more");
});

test("the same puzzle again does not count again, and says so", async () => {
  await load("?seed=1", puzzle());
  assert.equal(text("result"), "You have had this one: it does not count again.");
  assert.ok(!seen("more") && seen("reveal"));
  judge(right);
  await press("4");
  assert.equal(text("solved"), "Solved in this browser: 1");
});

test("first tries in a row are counted, and a solution that was asked for ends them", async () => {
  for (const seed of [2, 3]) {
    await load(`?seed=${seed}`, puzzle({ link: `seed=${seed}` }));
    await press("4");
  }
  assert.equal(text("solved"), "Solved in this browser: 3 · first tries in a row: 2");
  assert.equal(text("share-line"), "numduel · solved on try 1 · 2 first tries in a row");
  await load("?seed=4", puzzle({ link: "seed=4" }));
  await click("reveal");
  assert.equal(text("result"), "It is 4.");
  assert.equal(text("solved"), "Solved in this browser: 3");
  assert.ok(!seen("copy"), "there is nothing to be proud of");
});

test("today's puzzle has a streak of days, and can be shared again", async () => {
  const daily = puzzle({ label: "numduel 17 November", link: "", today: true, date: "2026-11-17" });
  await load("", { ...daily, link: "date=2026-11-16", date: "2026-11-16" });
  await press("4");
  await load("", { ...daily, link: "date=2026-11-17" });
  judge(wrong);
  await press("5");
  judge(right);
  await press("4");
  assert.equal(text("share-line"), "numduel 17 November · solved on try 2 · streak 2");
  assert.match(text("solved"), /days in a row: 2/);
  await load("", { ...daily, link: "date=2026-11-17" });
  assert.equal(text("result"), "You have solved today’s puzzle on try 2.");
  assert.equal(text("nudge"), "The next one comes tomorrow.");
  assert.equal(text("tries"), "");
  assert.equal(text("share-line"), "numduel 17 November · solved on try 2 · streak 2");
  await press("4");
  assert.equal(text("share-line"), "numduel 17 November · solved on try 2 · streak 2");
});

test("another puzzle is shared without the streak of days", async () => {
  await load("?seed=7", puzzle({ link: "seed=7" }));
  assert.equal(text("announcer"), "Win.");
  await press("4");
  assert.ok(!text("share-line").includes("streak"));
});

test("a press just after the board has changed is ignored, and after a wrong try it is not", async () => {
  await load("?seed=10", puzzle({ link: "seed=10" })); // the board showed a solution
  const tile = () => document.querySelector("[data-cell=5]");
  judge(wrong);
  tile().click();
  await settle();
  assert.equal(text("tries"), "Try 1");
  mock.timers.tick(300);
  for (const tries of [2, 3]) {
    tile().click();
    await settle();
    assert.equal(text("tries"), `Try ${tries}`);
  }
});

test("an answer to a puzzle that was left comes too late", async () => {
  await load("?seed=8", puzzle({ link: "seed=8" }));
  let give;
  judge(() => new Promise((resolve) => (give = resolve)));
  await press("4");
  await load("?seed=9", puzzle({ link: "seed=9" }));
  give(right);
  await settle();
  assert.equal(text("result"), "");
  assert.equal(text("tries"), "Try 1");
});

test("only grades that there are can be chosen, of the game or of its theme", async () => {
  const options = (id) => document.getElementById(id).children.slice(1).map((one) => one.value);
  assert.deepEqual(options("wanted-grade"), ["1", "2", "3", "4", "5"]);
  answer("/api/puzzle/kinds?game=duel",
    { grades: [1, 2, 3], themes: [{ name: "fork", instruction: "Fork.", grades: [2, 3] }] });
  const [game, grade, theme] = Object.keys(TAGS).map((id) => document.getElementById(id));
  game.value = "duel";
  game.happen("change");
  await settle();
  assert.deepEqual(options("wanted-grade"), ["1", "2", "3"]);
  assert.deepEqual(options("wanted-theme"), ["fork"]);
  grade.value = "1";
  theme.value = "fork";
  theme.happen("change");
  assert.deepEqual(options("wanted-grade"), ["2", "3"]);
  assert.equal(grade.value, "", "one that it does not have is chosen no longer");
  grade.value = "3";
  theme.happen("change");
  assert.equal(grade.value, "3");
});

test("another puzzle is of the game, the grade and the theme that are chosen", async () => {
  answer(/^\/api\/puzzle\?seed=\d+&/, puzzle({ link: "x" }));
  await click("more");
  const asked = new URLSearchParams(browser.asked.at(-1).path.split("?")[1]);
  assert.ok(Number(asked.get("seed")) < 1_000_000);
  asked.delete("seed");
  assert.deepEqual(Object.fromEntries(asked), { game: "duel", grade: "3", theme: "fork" });
});
