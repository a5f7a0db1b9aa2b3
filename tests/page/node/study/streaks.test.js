// Days in a row, as the browser remembers them: the server decides what counts.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "../browser.js";

open();
const { keep } = await import("#page/common/storage.js");
const { load, save, streak, today, until } = await import("#page/study/streaks.js");
const FRESH = { day: null, days: 0, begun: null, marks: "", hinted: false };

beforeEach(() => open());

test("what is kept comes back", () => {
  const kept = { ...FRESH, day: "2026-11-03", days: 3 };
  save(kept);
  assert.deepEqual(load(), kept);
});

test("days in a row last until a whole day is missed, over the end of a year too", () => {
  save({ ...FRESH, day: "2026-12-31", days: 3 });
  assert.deepEqual(["2026-12-31", "2027-01-01", "2027-01-02"].map((day) => streak(day).days), [3, 3, 0]);
});

test("a puzzle of today may be done or on its way", () => {
  save({ ...FRESH, begun: "2026-11-17", marks: "rw" });
  assert.deepEqual(streak("2026-11-17"), { done: false, days: 0, made: 2 });
  assert.deepEqual(streak("2026-11-18"), { done: false, days: 0, made: 0 });
  save({ ...FRESH, day: "2026-11-17", days: 2, begun: "2026-11-17", marks: "rwr" });
  assert.deepEqual(streak("2026-11-17"), { done: true, days: 2, made: 3 });
});

test("the day is that of this browser, and the next begins at its midnight", () => {
  const now = new Date(2026, 10, 7, 18, 47, 26);
  assert.equal(today(now), "2026-11-07");
  assert.equal(until("2026-11-08", now), "5:12:34");
  assert.equal(until("2026-11-07", now), "");
});

test("what makes no sense is a fresh start", () => {
  keep("puzzles", { day: "someday", days: -3, marks: 7 });
  assert.deepEqual(load(), FRESH);
});
