// Making a class, and the classes made earlier.

import { byId, make, show } from "../common/dom.js";
import { plural } from "../common/language.js";
import { get, post } from "../common/api.js";
import { dayField } from "./homework.js";
import { recheck, valid } from "../common/fields.js";
import { keep } from "../common/storage.js";
import { nonce } from "../common/start.js";
import { onSubmit, once } from "../common/notify.js";
import {
  classApi, classPath, classText, dayText, forgetClass, keepClass, keptClasses,
} from "./kept-classes.js";

const TERM = 120; // days

const form = byId("making");
const ends = byId("ends");

// A day so many days from now, as a field for dates has it.
function inDays(days) {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return dayField(day);
}

async function create() {
  if (!valid(form)) return;
  const wish = { pupils: Number(byId("pupils").value), ends: ends.value };
  const { classroom, host } = await post("/api/v1/classes", { ...wish, key: nonce(wish) });
  keep("wish", null);
  keepClass(classroom.code, host, byId("label").value.trim());
  location.assign(classPath(classroom.code, host));
}

// A class that still exists, or null.
async function found({ code, secret }) {
  try {
    return { code, secret, ...(await get(`${classApi(code)}/host`, secret)) };
  } catch (error) {
    if (error.status === 404) forgetClass(code);
    return null;
  }
}

async function earlier() {
  const classes = (await Promise.all(keptClasses().map(found))).filter((one) => one !== null);
  byId("kept-list").replaceChildren(...classes.map(({ code, secret, classroom, pupils }) =>
    make("li", {}, make("a", { href: classPath(code, secret) }, make("strong", {}, classText(code)),
      " ", plural("{n} pupil, until {day}", "{n} pupils, until {day}", pupils.length,
        { day: dayText(classroom.ends) })))));
  show(byId("kept"), classes.length > 0);
}

ends.min = inDays(0);
ends.max = inDays(Number(ends.dataset.days));
ends.value = inDays(TERM);
form.addEventListener("input", ({ target }) => recheck(form, target));
onSubmit("making", () => once(byId("make"), create));
earlier();
