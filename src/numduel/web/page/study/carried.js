// What this browser remembers besides its games: days in a row, the best storms, lessons, and how well the
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
  ({ streak: load(), best: bests(), lessons: lessons(), accuracy: accuracies() });

// The daily puzzle that was begun last, as far as either device has come with it.
function further(here, there) {
  const place = ({ begun, marks, hinted }) => `${begun ?? ""} ${marks.length} ${Number(hinted)}`;
  const { begun, marks, hinted } = place(there) > place(here) ? there : here;
  return { begun, marks, hinted };
}

// Adds what another device remembers. Doing it twice changes nothing.
/** @param {any} other */
export function merge(other) {
  const [here, there] = [load(), { ...load(), ...Object(other?.streak) }];
  const [one, two] = [here.day ?? "", there.day ?? ""];
  const later = two > one || (two === one && there.days > here.days) ? there : here;
  save({ ...later, ...further(here, there) });
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
