// What a pupil who does homework is told as soon as something counted: a note over the top of the
// page, which leads back to the class.

import { make } from "../common/dom.js";
import { t } from "../common/language.js";
import { Live } from "../common/live.js";
import { keep, recall, tab } from "../common/storage.js";
import { doneOf, stateText } from "./homework.js";
import { classApi } from "./kept-classes.js";

const STAYS = 6000; // milliseconds, unless everything is done

// This tab does a task of a class from now on; `told` is how much of it was done when last told.
/** @param {string} code @param {number} number @param {string} told */
export const doHomework = (code, number, told) => keep("homework", { code, number, told }, tab);

export function noteHomework() {
  const { code, number, told: before } = Object(recall("homework", null, tab));
  if (typeof code !== "string") return;
  const note = make("p", { class: "homework-note", role: "status" });
  document.body.append(note);
  let last = before;
  let fading = 0;

  /** @param {Server.ClassSnapshot} data */
  function hear({ own, classroom }) {
    const task = classroom.homework.find((one) => one.number === number);
    const done = doneOf(own?.homework ?? [], number);
    const told = task && done ? stateText(task, done) : "";
    if (!told || told === last) return;
    last = told;
    tell(told, done?.finished != null);
  }

  function tell(told, finished) {
    clearTimeout(fading);
    note.replaceChildren(make("a", { href: `/c/${code}` },
      t("Homework: {told}.", { told }), finished ? ` ${t("Back to your class")}` : ""));
    if (finished) keep("homework", null, tab);
    else {
      doHomework(code, number, told);
      fading = setTimeout(() => note.replaceChildren(), STAYS);
    }
  }

  new Live(classApi(code), hear, () => {});
}
