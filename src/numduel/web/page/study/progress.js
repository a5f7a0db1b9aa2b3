// The progress in the lessons.

import { plural, t } from "../common/language.js";
import { done } from "../common/storage.js";

// In one lesson.
/** @param {{ name: string, steps: number }} lesson */
export function progress({ name, steps }) {
  const finished = new Set(done(name).filter((number) => number >= 1 && number <= steps));
  const count = finished.size;
  const label = count === 0 ? t("Start") : count < steps ? t("Continue") : t("Again");
  return { count, steps, label, words: stepsText(count, steps) };
}

// In all lessons together.
/** @param {Server.LessonSummary[]} lessons */
export function overall(lessons) {
  const all = lessons.map(progress);
  const sum = (key) => all.reduce((total, lesson) => total + lesson[key], 0);
  return { words: stepsText(sum("count"), sum("steps")) };
}

const stepsText = (count, steps) =>
  plural("{done} of {n} step done", "{done} of {n} steps done", steps, { done: count });
