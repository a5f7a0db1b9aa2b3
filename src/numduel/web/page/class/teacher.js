// The page of a teacher. The secret comes after the # of the address, which browsers do not send; it
// is sent in a header and leaves the address at once, as a class may see this screen. A live channel
// rings whenever something happens in the class; what it is, only the teacher may ask.

import { button, byId, make, show, write } from "../common/dom.js";
import { COLON, plural, t } from "../common/language.js";
import { get, post, remove } from "../common/api.js";
import { bars } from "../common/bars.js";
import { closeButton, confirm, openDialog } from "../common/dialog.js";
import { valid } from "../common/fields.js";
import { Live } from "../common/live.js";
import { rows } from "../common/rows.js";
import {
  announce, attempt, connection, copy, fail, onSubmit, once, outside, reachable,
} from "../common/notify.js";
import { addressed } from "./event.js";
import { news } from "./news.js";
import { doneOf, endOf, nextFriday, stateText, task } from "./homework.js";
import {
  classApi, classPath, course, dayOf, dayText, forgetClass, givenSecret, keepClass, labelOf, sums,
} from "./kept-classes.js";

const code = addressed().toUpperCase();
const path = classApi(code);
const secret = givenSecret(code);
const GONE = t("There is no such class. It may have been deleted.");
const PAUSE = 1000; // milliseconds
let number = 0; // of the last change that is shown

/** @param {Server.HostClass} told */
function render(told) {
  const { classroom, pupils, events } = told;
  if (classroom.number < number) return; // answers may overtake each other
  ({ number } = classroom);
  write(byId("what"), plural("{n} pupil · until {day}", "{n} pupils · until {day}", pupils.length,
    { day: dayText(classroom.ends) }));
  rows(byId("pupil-rows"), pupils, {
    key: ({ number }) => number, make: row, next: byId("pupils-title"),
  });
  rows(byId("homework"), classroom.homework, {
    key: ({ number }) => number, make: (one) => exercise(one, pupils), next: byId("homework-title"),
  });
  show(byId("events-part"), events.length > 0);
  rows(byId("events"), events, { key: ({ code: event }) => event, make: line });
}

// -- homework --------------------------------------------------------------------------------

/** @param {Server.Homework} homework @param {Server.HostPupil[]} pupils */
function exercise(homework, pupils) {
  const { number } = homework;
  const states = pupils.map((one) => ({ ...one, done: doneOf(one.homework, number) }));
  const ready = states.filter(({ done }) => done?.finished != null);
  const list = states.map((one) =>
    make("li", {}, `${one.nickname}${COLON}${stateText(homework, one.done)}`));
  return task(homework,
    make("details", {},
      make("summary", {}, plural("{done} of {n} pupil done", "{done} of {n} pupils done",
        pupils.length, { done: ready.length })),
      make("ul", { class: "plain columns" }, ...list)),
    button(t("Withdraw"), () => attempt(() => withdraw(number)), { class: "button small" }));
}

async function withdraw(homework) {
  const sure = t("Nobody sees this homework any more, nor who has done it.");
  if (!(await confirm(sure, t("Withdraw it"), t("Keep it")))) return;
  render(await post(`${path}/host/withdraw`, { homework }, secret));
}

function reflect() {
  for (const part of byId("setting").querySelectorAll("[data-kinds]")) {
    show(part, part.dataset.kinds?.split(" ").includes(byId("kind").value));
  }
}

async function setHomework() {
  if (!valid(byId("setting"))) return;
  const kind = byId("kind").value;
  const body = {
    kind,
    game: byId("game").value,
    until: endOf(byId("ends").value),
    ...(kind !== "lesson" && { goal: Number(byId("goal").value) }),
    ...(kind === "puzzles" && { grade: Number(byId("grade").value) }),
    ...(kind === "beat" && { level: byId("level").value }),
  };
  render(await post(`${path}/host/homework`, body, secret));
  byId("more").open = false;
}

byId("ends").value = nextFriday();
byId("setting").addEventListener("input", reflect);
reflect();
onSubmit("setting", () => once(byId("set"), setHomework));

// -- events ----------------------------------------------------------------------------------

/** @param {Server.HostEvent} one */
const line = ({ code: event, at, called, over, pupils, host }) =>
  make("li", {}, make("a", { href: `/arena/${event}/host#${host}` },
    make("strong", {}, called.join(", ") || event),
    ` · ${dayOf(at)} · `, over ? plural("{n} pupil", "{n} pupils", pupils)
      : t("going on, code {code}", { code: event })));

// -- pupils ----------------------------------------------------------------------------------

/** @param {Server.HostPupil} one */
const row = (one) =>
  make("tr", {},
    make("td", {}, String(one.number)),
    make("th", { scope: "row" }, one.nickname),
    make("td", {}, one.entered === null ? t("not yet") : dayOf(one.entered)),
    make("td", {}, String(one.results.length || "")),
    make("td", {}, sums(one.results).won),
    make("td", {}, sums(one.results).accuracy),
    make("td", { class: "course" }, course(one.results).length ? bars(course(one.results)) : null),
    make("td", { class: "no-print" }, button("…", () => manage(one), {
      class: "button small look-after", "aria-label": t("Options for {name}", { name: one.nickname }),
    })));

// What can be done for one pupil.
/** @param {Server.HostPupil} one */
function manage({ number, nickname }) {
  const wrong = make("p", { class: "alert", role: "alert" });
  const told = make("p", { class: "personal", role: "status" });
  const does = (work) => () => work().catch((error) => write(wrong, error.message));
  const renew = async () => {
    const answer = await post(`${path}/host/code`, { pupil: number }, secret);
    told.replaceChildren(t("New code:"), " ", make("strong", {}, `${code} ${answer.code}`));
    announce(`${t("New code:")} ${[...answer.code].join(" ")}`);
    render(answer);
  };
  const leave = async () => {
    const sure = t("{name} (number {n}) leaves the class. Their code stops working.",
      { name: nickname, n: number });
    if (!(await confirm(sure, t("Remove"), t("Go back")))) return;
    render(await post(`${path}/host/remove`, { pupil: number }, secret));
    dialog.close();
  };
  const title = make("h2", { id: "manage-title" }, `${number}${COLON}${nickname}`);
  const dialog = openDialog("manage", title, [
    wrong,
    told,
    make("p", { class: "soft" }, t("A new code takes the place of a lost one. The old one stops" +
      " working, and this pupil types the new one in every browser.")),
    make("div", { class: "row" },
      button(t("New code"), does(renew)), button(t("Remove"), does(leave))),
    closeButton(() => dialog),
  ]);
}

// -- the class -------------------------------------------------------------------------------

async function erase() {
  const sure = t("The class, its pupils, its events and everything they have done here will be gone" +
    " for ever, for everybody.");
  if (!(await confirm(sure, t("Delete it"), t("Keep it")))) return;
  await remove(path, secret);
  forgetClass(code);
  location.assign("/class");
}

function title() {
  const label = labelOf(code);
  write(byId("class-label"), label && `${COLON}${label}`);
  const told = label || t("Class {name}", { name: code });
  document.title = `${told} | numduel`;
}

const load = async () => render(await get(`${path}/host`, secret));

// Shows every change by itself.
function follow() {
  let rings = 0;
  const want = news(load, PAUSE);
  new Live(path, () => want((rings += 1)), connection(GONE));
}

async function open() {
  try {
    await load();
  } catch (error) {
    fail(error.message, error);
    show(byId("stranger"), error.status === 403);
    return;
  }
  keepClass(code, secret);
  history.replaceState(null, "", classPath(code, secret));
  const door = outside("/join");
  show(byId("unreachable"), !reachable());
  write(byId("code"), code);
  write(byId("address"), `${door.host}${door.pathname}`);
  byId("new-event").href = `/arena?class=${code}`;
  byId("slips").href = classPath(code, secret, "/slips");
  byId("called").value = labelOf(code);
  title();
  show(byId("host"), true);
  follow();
}

byId("copy-host").addEventListener("click", ({ target }) =>
  copy(outside(`/class/${code}#${secret}`).href, target));
byId("delete").addEventListener("click", ({ currentTarget }) => once(currentTarget, erase));
onSubmit("adding", () => once(byId("add"), async () => {
  render(await post(`${path}/host/add`, { pupils: Number(byId("added").value) }, secret));
}));
onSubmit("calling", () => {
  keepClass(code, secret, byId("called").value.trim());
  title();
});
addEventListener("hashchange", () => location.reload());
attempt(open);
