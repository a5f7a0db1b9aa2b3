// On how many days in a row this browser has finished the daily puzzle. It travels to the server, which
// updates it.

import { keep, recall } from "../common/storage.js";

const DAY = 24 * 60 * 60 * 1000;
const MARKS = /^[rhw]*$/; // what became of the moves of a daily puzzle

const count = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);
const date = (value) => (Number.isNaN(Date.parse(value)) ? null : value);

// What is stored may be anything, or from an older version; nonsense is ignored.
export function load() {
  const kept = recall("puzzles", {});
  return {
    day: date(kept.day),
    days: count(kept.days),
    begun: date(kept.begun),
    marks: typeof kept.marks === "string" && MARKS.test(kept.marks) ? kept.marks : "",
    hinted: kept.hinted === true,
  };
}

export const save = (streak) => keep("puzzles", streak);

// The day where this browser is: 2026-11-17.
export function today(now = new Date()) {
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

// The time until a day begins where this browser is, as 5:12:33; empty if it has begun.
/** @param {string} day */
export function until(day, now = new Date()) {
  const seconds = Math.ceil((new Date(`${day}T00:00`).getTime() - now.getTime()) / 1000);
  if (seconds <= 0) return "";
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60]
    .map((number) => String(number).padStart(2, "0"));
  return `${Math.floor(seconds / 3600)}:${minutes}:${rest}`;
}

// How far the puzzle of a day is, and the days in a row, which last until a whole day is missed.
/** @param {string} today */
export function streak(today) {
  const { day, days, begun, marks } = load();
  const lasts = day && (Date.parse(today) - Date.parse(day)) / DAY <= 1;
  return { done: day === today, days: lasts ? days : 0, made: begun === today ? marks.length : 0 };
}
