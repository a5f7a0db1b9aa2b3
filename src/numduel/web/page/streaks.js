// Streaks of puzzles: days in a row, and first tries in a row, as this browser remembers them.

import { keep, recall } from "./keep.js";

const DAY = 24 * 60 * 60 * 1000;
const MAX_DONE = 500;

const count = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);

// What is kept may be anything: whatever makes no sense is a fresh start.
function load() {
  const kept = recall("puzzles", {});
  return {
    day: Number.isNaN(Date.parse(kept.day)) ? null : kept.day,
    days: count(kept.days),
    tries: count(kept.tries),
    firstTries: count(kept.firstTries),
    solved: count(kept.solved ?? recall("solved", 0)), // where it was kept at first
    done: Array.isArray(kept.done) ? kept.done : [],
  };
}

const between = (day, today) => (Date.parse(today) - Date.parse(day)) / DAY;

// The streak of days lasts until a whole day is missed.
/** @param {string | null} today */
export function streaks(today) {
  const kept = load();
  return { ...kept, days: kept.day && between(kept.day, today) <= 1 ? kept.days : 0 };
}

// The daily puzzle of today: on which try it was solved, 0 if it was not yet, and the streak.
/** @param {string | null} today */
export function daily(today) {
  const { day, days, tries } = streaks(today);
  return { tries: day === today ? Math.max(1, tries) : 0, days };
}

/** @param {string} link */
export const had = (link) => load().done.includes(link);

function finish(kept, link, changes) {
  keep("puzzles", { ...kept, ...changes, done: [...kept.done, link].slice(-MAX_DONE) });
}

// No puzzle counts twice. A day is given with the daily puzzle of today.
/**
 * @param {string} link
 * @param {number} tries
 * @param {string | null} day
 */
export function solved(link, tries, day) {
  const kept = load();
  if (kept.done.includes(link)) return;
  const firstTries = tries === 1 ? kept.firstTries + 1 : 0;
  const changes = { solved: kept.solved + 1, firstTries };
  if (day && !(kept.day && between(kept.day, day) <= 0)) {
    Object.assign(changes, { day, days: streaks(day).days + 1, tries });
  }
  finish(kept, link, changes);
}

/** @param {string} link */
export function missed(link) {
  const kept = load();
  if (!kept.done.includes(link)) finish(kept, link, { firstTries: 0 });
}
