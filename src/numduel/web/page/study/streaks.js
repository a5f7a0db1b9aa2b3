// The puzzle streaks that this browser remembers. They travel to the server, which updates them.

import { keep, recall } from "../common/storage.js";

const DAY = 24 * 60 * 60 * 1000;

const count = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);

// What is stored may be anything, or from an older version; nonsense is ignored.
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

export const save = (streaks) => keep("puzzles", streaks);

// The streak of days lasts until a whole day is missed.
export function streaks(today) {
  const { day, days } = load();
  const lasts = day && today && (Date.parse(today) - Date.parse(day)) / DAY <= 1;
  return { day, days: lasts ? days : 0 };
}
