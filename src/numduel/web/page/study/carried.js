// What this browser remembers besides its games: streaks, the best storms, lessons, and how well the
// games were played. It travels to the server with a profile, and to another device with a link.

import { keep, recall, recallKeys } from "../common/storage.js";
import { load, save } from "./streaks.js";

const MOST = 200; // games whose accuracy is remembered

/** @param {unknown} data @param {(value: any) => boolean} valid @returns {Record<string, any>} */
const checked = (data, valid) =>
  Object.fromEntries(Object.entries(Object(data)).filter(([, value]) => valid(value)));

const isCount = (value) => Number.isInteger(value) && value >= 0;

// Choices that mattered and gave nothing away, those that mattered, and moves. Browsers may still
// have a share, from a time when every move counted: it is forgotten.
/** @typedef {[kept: number, choices: number, moves: number]} Accuracy */
const isAccuracy = (value) =>
  value === null || (Array.isArray(value) && value.length === 3 && value.every(isCount));

/** @returns {Record<string, Accuracy | null>} */
export const accuracies = () => checked(recall("accuracy"), isAccuracy);

// Remembers the accuracy in some games; null where nothing could be judged.
/** @param {Record<string, any>} more */
export function keepAccuracy(more) {
  const known = Object.entries({ ...accuracies(), ...checked(more, isAccuracy) });
  keep("accuracy", Object.fromEntries(known.slice(-MOST)));
}

export const bests = () => checked(recall("storm"), (count) => Number.isInteger(count) && count > 0);

const steps = (list) =>
  (Array.isArray(list) ? list : []).filter((step) => Number.isInteger(step) && step >= 1 && step <= 100);

/** @returns {Record<string, number[]>} */
export const lessons = () =>
  Object.fromEntries(recallKeys("lesson.").map((name) => [name, steps(recall(`lesson.${name}`))]));

export const carried = () =>
  ({ streaks: load(), best: bests(), lessons: lessons(), accuracy: accuracies() });

// The daily puzzle that was begun last, as far as either device has come with it.
function further(here, there) {
  const [one, two] = [here.begun ?? "", there.begun ?? ""];
  if (one !== two) return two > one ? there : here;
  const more = there.marks.length - here.marks.length;
  if (more === 0) return { ...here, hinted: here.hinted || there.hinted };
  return more > 0 ? there : here;
}

// Adds what another device remembers. Doing it twice changes nothing.
/** @param {any} other */
export function merge(other) {
  const [here, there] = [load(), { ...load(), ...Object(other?.streaks) }];
  const later = (there.day ?? "") > (here.day ?? "") ? there : here;
  const same = there.day === here.day;
  const { begun, marks, hinted } = further(here, there);
  save({
    ...later,
    begun,
    marks,
    hinted,
    days: same ? Math.max(here.days, there.days) : later.days,
    first_tries: Math.max(here.first_tries, there.first_tries),
    solved: Math.max(here.solved, there.solved),
    done: [...new Set([...there.done, ...here.done])],
  });
  const best = bests();
  for (const [game, count] of Object.entries(Object(other?.best))) {
    best[game] = Math.max(best[game] ?? 0, count);
  }
  keep("storm", best);
  for (const [name, list] of Object.entries(Object(other?.lessons))) {
    const all = new Set([...steps(recall(`lesson.${name}`)), ...steps(list)]);
    keep(`lesson.${name}`, [...all].sort((one, two) => one - two));
  }
  keepAccuracy({ ...Object(other?.accuracy), ...accuracies() });
}
