// Streaks of puzzles: days in a row, first tries in a row, and nothing counted twice.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "./browser.js";

open();
const { keep, recall } = await import("#page/keep.js");
const { daily, had, missed, solved, streaks } = await import("#page/streaks.js");

beforeEach(() => open());

const day = (number) => `2026-11-${String(number).padStart(2, "0")}`;

test("days in a row are counted, until a whole day is missed", () => {
  for (const number of [1, 2, 3]) solved(`d${number}`, 1, day(number));
  assert.equal(streaks(day(3)).days, 3);
  assert.equal(streaks(day(4)).days, 3, "today can still be solved");
  assert.equal(streaks(day(5)).days, 0);
  solved("d5", 1, day(5));
  assert.equal(streaks(day(5)).days, 1);
});

test("a month, and the end of a year, are no gap", () => {
  solved("a", 1, "2026-12-31");
  solved("b", 1, "2027-01-01");
  assert.equal(streaks("2027-01-01").days, 2);
});

test("an earlier day than the last one does not change the streak", () => {
  solved("d5", 2, day(5));
  solved("d3", 1, day(3));
  assert.deepEqual(daily(day(5)), { tries: 2, days: 1 });
});

test("the daily puzzle says on which try it was solved today, 0 before", () => {
  assert.deepEqual(daily(day(1)), { tries: 0, days: 0 });
  solved("d1", 3, day(1));
  assert.deepEqual(daily(day(1)), { tries: 3, days: 1 });
  assert.deepEqual(daily(day(2)), { tries: 0, days: 1 });
  keep("puzzles", { day: day(3), days: 1 });
  assert.equal(daily(day(3)).tries, 1, "an older version did not count the tries");
});

test("first tries in a row end with a second try, and with a puzzle that was given away", () => {
  solved("a", 1, null);
  solved("b", 1, null);
  assert.equal(streaks(day(1)).firstTries, 2);
  solved("c", 2, null);
  assert.equal(streaks(day(1)).firstTries, 0);
  solved("d", 1, null);
  missed("e");
  assert.equal(streaks(day(1)).firstTries, 0);
  assert.equal(streaks(day(1)).solved, 4, "one that was given away is not solved");
});

test("no puzzle counts twice, whether it was solved or given away", () => {
  missed("a");
  solved("a", 1, null);
  solved("b", 1, null);
  solved("b", 1, null);
  missed("b");
  assert.deepEqual([streaks(day(1)).solved, streaks(day(1)).firstTries], [1, 1]);
  assert.ok(had("a") && had("b") && !had("c"));
});

test("the latest 500 puzzles are known", () => {
  for (let number = 0; number <= 500; number += 1) missed(`p${number}`);
  assert.ok(!had("p0") && had("p1") && had("p500"));
});

test("what makes no sense is a fresh start, and the count of an older version goes on", () => {
  keep("puzzles", { day: "someday", days: -3, tries: "x", firstTries: 1.5, done: "all" });
  keep("solved", 7);
  assert.deepEqual(streaks(day(1)),
    { day: null, days: 0, tries: 0, firstTries: 0, solved: 7, done: [] });
  solved("a", 1, null);
  assert.equal(recall("puzzles").solved, 8);
});
