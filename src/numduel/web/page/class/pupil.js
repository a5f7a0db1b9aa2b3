// The page of a pupil: they type their code once, and then see what there is to do.

import { button, byId, make, set, show, write } from "../common/dom.js";
import { outOf, t } from "../common/language.js";
import { post } from "../common/api.js";
import { bars } from "../common/bars.js";
import { sit } from "../common/key.js";
import { Live } from "../common/live.js";
import { rows } from "../common/rows.js";
import { keep } from "../common/storage.js";
import { attempt, connection, onSubmit, once } from "../common/notify.js";
import { addressed } from "./event.js";
import { doneOf, stateText, task } from "./homework.js";
import { doHomework } from "./homework-note.js";
import { keepOwnClass } from "./own-class.js";
import { classApi, course, dayOf, dayText, sums } from "./kept-classes.js";

const GONE = t("There is no such class. It may have been deleted.");
const path = classApi(addressed().toUpperCase());
let entering = false; // another pupil wants to use this browser

/** @param {Server.ClassSnapshot} data */
function render({ own, classroom }) {
  const inside = own !== null && !entering;
  write(byId("title"), t("Class {name}", { name: classroom.code }));
  write(byId("about"), t("until {day}", { day: dayText(classroom.ends) }));
  show(byId("entry"), !inside);
  show(byId("inside"), inside);
  if (!own) return;
  keepOwnClass(classroom.code);
  write(byId("me"), t("You are {name}", { name: own.nickname }));
  rows(byId("events"), classroom.events, {
    key: (event) => event, make: invitation, next: byId("me"),
  });
  show(byId("nothing"), !classroom.events.length && !classroom.homework.length);
  show(byId("homework-part"), classroom.homework.length > 0);
  rows(byId("homework"), classroom.homework, {
    key: ({ number }) => number, make: (one) => exercise(one, own.homework), next: byId("me"),
  });
  progress(own.results);
}

// -- events ----------------------------------------------------------------------------------

/** @param {string} event */
const invitation = (event) =>
  make("li", {}, button(t("Join the event"), () => attempt(() => join(event)), {
    class: "button strong wide",
  }));

/** @param {string} event */
async function join(event) {
  const { player } = await post(`${path}/join`, { event });
  keep("joined", { code: event, player });
  location.assign(`/arena/${event}`);
}

// -- homework, and what was done before ------------------------------------------------------

/** @param {Server.Homework} homework @param {Server.Done[]} all */
function exercise(homework, all) {
  const done = doneOf(all, homework.number);
  const told = stateText(homework, done);
  return task(homework, make("div", { class: "row" },
    make("span", { class: "state" }, told),
    done?.finished == null ? make("a", {
      class: "button small", href: homework.link,
      onclick: () => doHomework(addressed().toUpperCase(), homework.number, told),
    }, t("Do it")) : null));
}

/** @param {Server.Result[]} results */
function progress(results) {
  show(byId("progress"), results.length > 0);
  const shares = course(results);
  byId("course").replaceChildren(...(shares.length > 1 ? [bars(shares)] : []));
  byId("results").replaceChildren(...[...results].reverse().map((one) =>
    make("tr", {},
      make("th", { scope: "row" }, dayOf(one.at),
        make("span", { class: "doing" }, one.called.join(", "))),
      make("td", {}, outOf(one.wins, one.games)),
      make("td", {}, sums([one]).accuracy))));
}

// -- coming in -------------------------------------------------------------------------------

function refuse(sentence) {
  write(byId("wrong-personal"), sentence);
  set(byId("personal"), "aria-invalid", sentence ? "true" : null);
  if (sentence) byId("personal").focus();
}

// Pupils may type the whole code of the slip, or its second half.
const typed = () => byId("personal").value.replace(/[^0-9a-z]/gi, "").slice(-5);

async function enter(personal) {
  try {
    const answer = await sit(`${path}/enter`, { code: personal, cookie: true });
    entering = false;
    byId("personal").value = "";
    render(answer);
    live.again(); // this browser is somebody now
  } catch (error) {
    if (![403, 422, 429].includes(error.status)) throw error;
    refuse(error.message);
  }
}

onSubmit("enter", () => {
  if (!typed()) return refuse(t("Type the code on your slip of paper."));
  return once(byId("go"), () => enter(typed()));
});
byId("personal").addEventListener("input", () => refuse(""));
byId("other").addEventListener("click", () => {
  entering = true;
  show(byId("entry"), true);
  show(byId("inside"), false);
  byId("personal").focus();
});

const live = new Live(path, render, connection(GONE));
// The code in the address of a slip; it leaves the address at once.
const given = location.hash.slice(1);
if (given) {
  history.replaceState(null, "", location.pathname);
  attempt(() => enter(given));
}
