// The progress in the lessons.

import { done } from "../common/storage.js";

// In one lesson.
/** @param {{ name: string, steps: number }} lesson */
export function progress({ name, steps }) {
  const finished = new Set(done(name).filter((number) => number >= 1 && number <= steps));
  const count = finished.size;
  const label = count === 0 ? "Start" : count < steps ? "Continue" : "Again";
  return { count, steps, label, words: `${count} of ${steps} steps done` };
}

// In all lessons together.
/** @param {Server.LessonSummary[]} lessons */
export function overall(lessons) {
  const all = lessons.map(progress);
  const sum = (key) => all.reduce((total, lesson) => total + lesson[key], 0);
  return { words: `${sum("count")} of ${sum("steps")} steps done` };
}
