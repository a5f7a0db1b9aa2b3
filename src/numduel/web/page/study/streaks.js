// The streaks of puzzles, as this browser remembers them. What counts is decided by the server, with
// which they travel.

import { keep, recall } from "../common/storage.js";

const DAY = 24 * 60 * 60 * 1000;

const count = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);

// What is kept may be anything, or of an older version: whatever makes no sense is a fresh start.
export function load() {
  const kept = recall("puzzles", {});
  return {
    day: Number.isNaN(Date.parse(kept.day)) ? null : kept.day,
    days: count(kept.days),
    tries: count(kept.tries) || 1,
    first_tries: count(kept.first_tries ?? kept.firstTries),
    solved: count(kept.solved ?? recall("solved", 0)),
    done: (Array.isArray(kept.done) ? kept.done : []).map(String).slice(-120),
  };
}

/** @param {unknown} streaks */
export const save = (streaks) => keep("puzzles", streaks);

// The streak of days lasts until a whole day is missed.
/** @param {string | null} today */
export function streaks(today) {
  const { day, days } = load();
  const lasts = day && today && (Date.parse(today) - Date.parse(day)) / DAY <= 1;
  return { day, days: lasts ? days : 0 };
}
