// Homework of a class: what is to be done until when, and how far somebody is.

import { make } from "../common/dom.js";
import { dateText, outOf, t } from "../common/language.js";

// "Friday, November 20"
/** @param {number} seconds */
const dueText = (seconds) =>
  dateText(seconds, { weekday: "long", month: "long", day: "numeric" });

// A task, as its pupils and the teacher see it; children say who has done it.
/** @param {Server.Homework} homework @param {(Node | null)[]} children */
export const task = ({ told, until }, ...children) =>
  make("li", {},
    make("p", { class: "flat" }, make("strong", {}, told), " ",
      make("span", { class: "soft" }, t("Until {day}", { day: dueText(until) }))),
    ...children);

// "done", "done, late", or "3 of 5"; in words, not in colour alone.
/** @param {Server.Homework} homework @param {Server.Done} [done] */
export function stateText({ goal }, done) {
  if (!done) return "";
  if (done.finished !== null) return done.late ? t("✓ done, late") : t("✓ done");
  return outOf(done.count, goal);
}

/** @param {Server.Done[]} all @param {number} number */
export const doneOf = (all, number) => all.find(({ homework }) => homework === number);

// A day as a field for dates has it.
/** @param {Date} day */
export const dayField = (day) =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, "0")).join("-");

export function nextFriday() {
  const day = new Date();
  day.setDate(day.getDate() + ((5 - day.getDay() + 7) % 7 || 7));
  return dayField(day);
}

// The end of a day, in seconds.
/** @param {string} day */
export const endOf = (day) => new Date(`${day}T23:59:59`).getTime() / 1000;
