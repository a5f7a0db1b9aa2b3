// The classes of a teacher whose secrets this browser keeps, so that closing a tab loses none; and
// what the teacher calls them, which only this browser knows.

import { dateText, outOf, percent } from "../common/language.js";
import { keep, recallList } from "../common/storage.js";
import { looksRight } from "./hosted.js";

const LATEST = 12;
const CODE = /^\w{5}$/;

/** @param {string} code @returns {`/api/v1/classes/${string}`} */
export const classApi = (code) => `/api/v1/classes/${code}`;

// [{code, secret, label}], the latest first.
export const keptClasses = () =>
  recallList("classes", (one) => CODE.test(one?.code) && looksRight(one.secret));

const others = (code) => keptClasses().filter((one) => one.code !== code);

/** @param {string} code @returns {string} */
export const classSecret = (code) => keptClasses().find((one) => one.code === code)?.secret ?? "";

// What the teacher calls a class, such as "7b, Tuesday"; empty if nothing.
/** @param {string} code @returns {string} */
export const labelOf = (code) =>
  String(keptClasses().find((one) => one.code === code)?.label ?? "");

// "7b, Tuesday (K7M4Q)", or "K7M4Q"
/** @param {string} code */
export const classText = (code) => (labelOf(code) ? `${labelOf(code)} (${code})` : code);

export const keepClass = (code, secret, label = labelOf(code)) =>
  keep("classes", [{ code, secret, label }, ...others(code)].slice(0, LATEST));

export const forgetClass = (code) => keep("classes", others(code));

// A page of the teacher. The secret is in the address only if this browser cannot store it.
export const classPath = (code, secret, page = "") =>
  `/class/${code}${page}${classSecret(code) === secret ? "" : `#${secret}`}`;

// The secret in the address, or the one that is kept. Some texts cannot go in a header.
/** @param {string} code */
export function givenSecret(code) {
  const given = location.hash.slice(1) || classSecret(code);
  return looksRight(given) ? given : "-";
}

// What a pupil did in all events together: "3 events, 12 of 20 won, 85 %".
/** @param {Server.Result[]} results */
export function sums(results) {
  const total = (of) => results.reduce((sum, one) => sum + of(one), 0);
  const [wins, games] = [total(({ wins }) => wins), total(({ games }) => games)];
  const [kept, choices] = [total(({ kept }) => kept), total(({ choices }) => choices)];
  return {
    won: results.length ? outOf(wins, games) : "",
    accuracy: choices ? percent(kept / choices) : "",
  };
}

// The accuracy of each event in which there was a choice, from 0 to 1.
/** @param {Server.Result[]} results */
export const course = (results) =>
  results.filter(({ choices }) => choices).map(({ kept, choices }) => kept / choices);

// A moment as a day.
/** @param {number} seconds */
export const dayOf = (seconds) => dateText(seconds, { dateStyle: "medium" });

// A day such as 2027-02-12 as people write it.
/** @param {string} day */
export const dayText = (day) =>
  dateText(new Date(`${day}T12:00`).getTime() / 1000, { dateStyle: "long" });
