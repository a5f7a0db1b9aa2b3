// The class of a pupil who came in with this browser, so that every visit leads back to it.

import { get } from "../common/api.js";
import { byId, set, show, write } from "../common/dom.js";
import { plural, t } from "../common/language.js";
import { keep, recall } from "../common/storage.js";
import { doneOf } from "./homework.js";
import { classApi } from "./kept-classes.js";

const CODE = /^\w{5}$/;
const GONE = 404;

/** @param {string} code */
export const keepOwnClass = (code) => keep("class", code);

/** @param {Server.ClassSnapshot} data */
function waiting({ own, classroom }) {
  if (classroom.events.length) return t("An event is on");
  const left = classroom.homework.filter(
    ({ number }) => doneOf(own?.homework ?? [], number)?.finished == null);
  return left.length ? plural("{n} homework task to do", "{n} homework tasks to do", left.length)
    : t("Nothing to do just now");
}

// Shows the way to the class, and what waits there. A class that is gone is forgotten.
export async function showOwnClass() {
  const code = recall("class");
  if (typeof code !== "string" || !CODE.test(code)) return;
  try {
    const data = await get(classApi(code));
    if (!data.own) return;
    write(byId("own-class-text"), waiting(data));
    set(byId("own-class-link"), "href", `/c/${code}`);
    show(byId("own-class"), true);
  } catch (error) {
    if (error.status === GONE) keep("class", null);
  }
}
