// Joining an event with its code and a nickname, and four digits for players who come back.
// Friendly nicknames are offered; whether others may be typed is for the host to say.

import { button, byId, make, set, show, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { get } from "../common/api.js";
import { addressed, eventPath, formatText, gamesText } from "./event.js";
import { keep } from "../common/storage.js";
import { sit } from "../common/key.js";
import { clear, fail, onSubmit, once } from "../common/notify.js";

const FIELDS = {
  code: t("Type the six letters and digits of the event."),
  nickname: t("Choose a nickname."),
  digits: t("Type the four digits you were given."),
};

const CODE = 6; // letters and digits of the code of an event
const LETTERS = byId("nickname").maxLength;
const another = location.hash === "#another"; // somebody else, in a browser that plays already

let returning = location.hash === "#before";
/** @type {Server.Event | null} */
let event = null; // once its code is known
/** @type {string[]} */
let names = []; // the nicknames that are offered
let asked = ""; // the code that was last looked for

// Only the letters and digits of a code count.
const typed = (field) => byId(field).value.trim();
const code = () => typed("code").replace(/[^0-9a-z]/gi, "").toUpperCase();

function mode() {
  const own = returning || Boolean(event?.own_names);
  const offers = names.length > 0 && !returning;
  show(byId("code-hint"), !event && !returning);
  show(byId("offers"), offers);
  show(byId("naming"), own);
  write(byId("naming-text"), offers ? t("Or type your own (up to {n} letters)", { n: LETTERS })
    : t("Your nickname (up to {n} letters)", { n: LETTERS }));
  show(byId("digits-row"), returning);
  show(byId("note"), own && !returning);
  write(byId("enter"), returning ? t("Come back") : t("Join"));
  write(byId("change"), returning ? t("I’m new here") : t("I was here before"));
}

// -- errors ----------------------------------------------------------------------------------

function wrong(field, sentence) {
  write(byId(`wrong-${field}`), sentence);
  set(byId(field), "aria-invalid", sentence ? "true" : null);
}

function refuse(field, sentence) {
  wrong(field, sentence);
  if (byId(field).checkVisibility()) byId(field).focus();
  else byId("offered").querySelector("button")?.focus();
}

function forgive() {
  clear();
  for (const field of Object.keys(FIELDS)) wrong(field, "");
}

// The first field that is not filled in.
function missing() {
  if (code().length !== CODE) return "code";
  if (!typed("nickname")) return "nickname";
  return returning && !/^\d{4}$/.test(typed("digits")) ? "digits" : null;
}

// The field that an error is about: the code if nobody can join, because the event is full, locked
// or over, and otherwise the nickname.
async function about({ status }) {
  if (status === 404) return "code";
  if (returning) return "digits";
  await look();
  const full = event && event.players.length >= event.room;
  return full || event?.locked || event?.phase === "ended" ? "code" : "nickname";
}

const REFUSED = [403, 404, 422, 429];

async function tell(error) {
  const field = REFUSED.includes(error.status) && (await about(error).catch(() => null));
  if (field) refuse(field, error.message);
  else fail(error.message, error);
}

// -- joining ---------------------------------------------------------------------------------

async function enter() {
  if (!event && !returning) {
    await look();
    byId("nickname").focus(); // if one may be typed
    return;
  }
  const wish = { nickname: typed("nickname"), cookie: true };
  const path = eventPath(code());
  const answer = returning
    ? await sit(`${path}/return`, { ...wish, code: typed("digits") })
    : await sit(`${path}/join`, wish);
  // The next page shows the four digits until the player has written them down.
  const { player, code: digits, asked: number, nickname, you } = answer;
  const asked = { number, nickname, digits, before: you };
  const who = number ? { asked, player: you } : { player, digits };
  keep("joined", { code: answer.event.code, ...who });
  location.replace(`/arena/${answer.event.code}`);
}

onSubmit("join", () => {
  if (byId("enter").hasAttribute("aria-busy")) return;
  forgive();
  const field = missing();
  if (field === "code" || (field && (event || returning))) {
    // Enter after the code moves to the next field.
    const next = document.activeElement === byId("code") && field !== "code";
    refuse(field, next ? "" : FIELDS[field]);
    return;
  }
  once(byId("enter"), () => enter().catch(tell));
});

for (const field of Object.keys(FIELDS)) {
  byId(field).addEventListener("input", () => wrong(field, ""));
}

byId("change").addEventListener("click", () => {
  returning = !returning;
  forgive();
  mode();
  byId(missing() ?? "enter").focus();
});

// -- nicknames to choose from -----------------------------------------------------------------

// Marks the one that is chosen.
function mark() {
  for (const one of byId("offered").querySelectorAll("button")) {
    set(one, "aria-pressed", String(one.dataset.name === typed("nickname")));
  }
}

function choose({ currentTarget }) {
  byId("nickname").value = currentTarget.dataset.name;
  wrong("nickname", "");
  mark();
}

async function otherNames() {
  const fresh = await get(`${eventPath(code())}/names`);
  if (names.includes(typed("nickname"))) byId("nickname").value = "";
  ({ names } = fresh);
  byId("offered").replaceChildren(...names.map((one) => make("li", {}, button(one, choose, { "data-name": one }))));
  mark();
  mode();
}

byId("others").addEventListener("click", ({ currentTarget }) => once(currentTarget, otherNames));
byId("nickname").addEventListener("input", mark);

// -- once the code is known ------------------------------------------------------------------

async function look() {
  const wanted = code();
  const answer = await get(eventPath(wanted));
  if (code() !== wanted) return;
  ({ event } = answer);
  if (answer.you !== null && !another) location.replace(`/arena/${event.code}`);
  write(byId("about"), another
    ? t("Somebody plays in this browser already. The host has to let you in.")
    : `${gamesText(event)}. ${formatText(event)}.`);
  await otherNames();
}

// Looks for an event as soon as its code is there; what is wrong is told on Join.
byId("code").addEventListener("input", () => {
  if (code() === asked) return;
  [asked, event, names] = [code(), null, []];
  write(byId("about"), "");
  mode();
  if (asked.length === CODE) look().catch(() => {});
});

mode();
byId("code").value = addressed();
if (code()) {
  await look().then(() => (byId("code").value = event?.code ?? ""), tell);
  byId("nickname").focus(); // if one may be typed
} else {
  byId("code").focus();
}
