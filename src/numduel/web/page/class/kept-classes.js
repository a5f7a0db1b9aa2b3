// The classes of a teacher whose secrets this browser keeps, so that closing a tab loses none.

import { keep, recallList } from "../common/storage.js";
import { looksRight } from "./hosted.js";

const LATEST = 12;
const CODE = /^\w{5}$/;

/** @param {string} code @returns {`/api/classes/${string}`} */
export const classApi = (code) => `/api/classes/${code}`;

// [{code, secret}], the latest first.
export const keptClasses = () =>
  recallList("classes", (one) => CODE.test(one?.code) && looksRight(one.secret));

const others = (code) => keptClasses().filter((one) => one.code !== code);

/** @param {string} code @returns {string} */
export const classSecret = (code) => keptClasses().find((one) => one.code === code)?.secret ?? "";

export const keepClass = (code, secret) =>
  keep("classes", [{ code, secret }, ...others(code)].slice(0, LATEST));

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

// A day such as 2027-02-12 as people write it.
/** @param {string} day */
export const dayText = (day) =>
  new Date(`${day}T12:00`).toLocaleDateString("en", { dateStyle: "long" });
