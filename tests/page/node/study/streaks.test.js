// Streaks of puzzles, as the browser remembers them: the server decides what counts.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "../browser.js";

open();
const { keep } = await import("#page/common/storage.js");
const { load, save, streaks, today, until } = await import("#page/study/streaks.js");
const FRESH = {
  day: null, days: 0, begun: null, marks: "", hinted: false, first_tries: 0, solved: 0, done: [],
};

beforeEach(() => open());

test("what is kept comes back", () => {
  const kept = { ...FRESH, day: "2026-11-03", days: 3, solved: 9, done: ["a"] };
  save(kept);
  assert.deepEqual(load(), kept);
});

test("days in a row last until a whole day is missed, over the end of a year too", () => {
  save({ ...FRESH, day: "2026-12-31", days: 3 });
  assert.deepEqual(["2026-12-31", "2027-01-01", "2027-01-02"].map((day) => streaks(day).days), [3, 3, 0]);
});

test("a puzzle of today may be done or on its way", () => {
  save({ ...FRESH, begun: "2026-11-17", marks: "rw" });
  assert.deepEqual(streaks("2026-11-17"), { done: false, days: 0, made: 2 });
  assert.deepEqual(streaks("2026-11-18"), { done: false, days: 0, made: 0 });
  save({ ...FRESH, day: "2026-11-17", days: 2, begun: "2026-11-17", marks: "rwr" });
  assert.deepEqual(streaks("2026-11-17"), { done: true, days: 2, made: 3 });
});

test("the day is that of this browser, and the next begins at its midnight", () => {
  const now = new Date(2026, 10, 7, 18, 47, 26);
  assert.equal(today(now), "2026-11-07");
  assert.equal(until("2026-11-08", now), "5:12:34");
  assert.equal(until("2026-11-07", now), "");
});

test("what makes no sense is a fresh start, and the counts of older versions go on", () => {
  keep("puzzles", { day: "someday", days: -3, tries: "x", firstTries: 1.5, done: "all" });
  assert.deepEqual(load(), FRESH);
  keep("puzzles", { firstTries: 4, done: Array.from({ length: 500 }, (_, at) => `p${at}`) });
  keep("solved", 7);
  assert.deepEqual([load().first_tries, load().solved, load().done.at(0)], [4, 7, "p380"]);
});
