// What this browser remembers besides its games, and what comes from another device.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "../browser.js";

open();
const { keep, recall } = await import("#page/common/storage.js");
const { accuracies, carried, keepAccuracy, merge } = await import("#page/study/carried.js");
const { load } = await import("#page/study/streaks.js");
const STREAK = load();

beforeEach(() => open());

test("a new browser has nothing to carry", () => {
  assert.deepEqual(carried(), { streak: STREAK, best: {}, lessons: {}, accuracy: {} });
});

test("what makes no sense is not carried", () => {
  keep("storm", { all: 4, duel: -1, line: "x" });
  keep("lesson.duel", [1, "x", 0, 3, 1000]);
  keep("lesson.line", "nonsense");
  keep("accuracy", { one: [1, 2, 5], two: 0.5, three: null, four: [1, "x", 3], five: [1] });
  const found = carried();
  assert.deepEqual(found.best, { all: 4 });
  assert.deepEqual(found.lessons, { duel: [1, 3], line: [] });
  assert.deepEqual(found.accuracy, { one: [1, 2, 5], three: null }, "a share is from older times");
});

test("the accuracy of the latest games is remembered", () => {
  for (let number = 0; number < 230; number += 1) keepAccuracy({ [`game${number}`]: [1, 1, 2] });
  const known = Object.keys(accuracies());
  assert.deepEqual([known.length, known[0], known.at(-1)], [200, "game30", "game229"]);
});

test("another device adds the better of both, and doing it twice changes nothing", () => {
  keep("puzzles", { ...STREAK, day: "2026-11-14", days: 9 });
  keep("storm", { all: 5, duel: 7 });
  keep("lesson.duel", [1, 2]);
  keepAccuracy({ here: [1, 2, 5] });
  const other = {
    streak: { ...STREAK, day: "2026-11-15", days: 3,
      begun: "2026-11-15", marks: "r" },
    best: { all: 8, line: 2 },
    lessons: { duel: [2, 4], line: [1] },
    accuracy: { there: [3, 4, 9], here: [1, 9, 9], old: 0.5 },
  };
  for (const _ of [1, 2]) {
    merge(other);
    assert.deepEqual(recall("puzzles"), {
      ...STREAK, day: "2026-11-15", days: 3,
      begun: "2026-11-15", marks: "r",
    });
    assert.deepEqual(recall("storm"), { all: 8, duel: 7, line: 2 });
    assert.deepEqual([recall("lesson.duel"), recall("lesson.line")], [[1, 2, 4], [1]]);
    assert.deepEqual(accuracies(), { there: [3, 4, 9], here: [1, 2, 5] });
  }
});

test("on the same day the longer streak stays, and an older server brings nothing", () => {
  const kept = { ...STREAK, day: "2026-11-15", days: 4 };
  keep("puzzles", kept);
  merge({ streak: { ...STREAK, day: "2026-11-15", days: 2 } });
  merge({});
  merge(undefined);
  assert.equal(recall("puzzles").days, 4);
});

test("of a daily puzzle that was begun on both devices, the further one stays", () => {
  const at = (marks, hinted = false) => ({ ...STREAK, begun: "2026-11-15", marks, hinted });
  const both = (here, there) => {
    keep("puzzles", here);
    merge({ streak: there });
    const { marks, hinted } = recall("puzzles");
    return [marks, hinted];
  };
  assert.deepEqual(both(at("r", true), at("rwr")), ["rwr", false]);
  assert.deepEqual(both(at("rwr"), at("r", true)), ["rwr", false]);
  assert.deepEqual(both(at("r"), at("r", true)), ["r", true], "a hint on either was a hint");
  assert.deepEqual(both(at("r", true), at("r")), ["r", true]);
});
