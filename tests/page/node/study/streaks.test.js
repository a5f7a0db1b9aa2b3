// Streaks of puzzles, as the browser remembers them: the server decides what counts.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "../browser.js";

open();
const { keep } = await import("#page/common/storage.js");
const { load, save, streaks } = await import("#page/study/streaks.js");
const FRESH = { day: null, days: 0, tries: 1, first_tries: 0, solved: 0, done: [] };

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

test("what makes no sense is a fresh start, and the counts of older versions go on", () => {
  keep("puzzles", { day: "someday", days: -3, tries: "x", firstTries: 1.5, done: "all" });
  assert.deepEqual(load(), FRESH);
  keep("puzzles", { firstTries: 4, done: Array.from({ length: 500 }, (_, at) => `p${at}`) });
  keep("solved", 7);
  assert.deepEqual([load().first_tries, load().solved, load().done.at(0)], [4, 7, "p380"]);
});
