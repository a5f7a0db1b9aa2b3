// Joining an event with its code and a nickname, and four digits for players who come back.

import { byId, set, show, write } from "../common/dom.js";
import { get } from "../common/api.js";
import { addressed, eventPath, formatText, gamesText } from "./event.js";
import { keep } from "../common/storage.js";
import { sit } from "../common/key.js";
import { clear, fail, onSubmit, once } from "../common/notify.js";

const FIELDS = {
  code: "Type the code: six letters and digits.",
  nickname: "Type a nickname.",
  digits: "Type the four digits you were given.",
};

let returning = location.hash === "#before";

// Only the letters and digits of a code count.
const typed = (field) => byId(field).value.trim();
const code = () => typed("code").replace(/[^0-9a-z]/gi, "").toUpperCase();

function mode() {
  show(byId("digits-row"), returning);
  show(byId("note"), !returning);
  write(byId("enter"), returning ? "Come back" : "Join");
  write(byId("change"), returning ? "I’m new here" : "I was here before");
}

// -- errors ----------------------------------------------------------------------------------

function wrong(field, sentence) {
  write(byId(`wrong-${field}`), sentence);
  set(byId(field), "aria-invalid", sentence ? "true" : null);
}

function refuse(field, sentence) {
  wrong(field, sentence);
  byId(field).focus();
}

function forgive() {
  clear();
  for (const field of Object.keys(FIELDS)) wrong(field, "");
}

// The first field that is not filled in.
function missing() {
  if (code().length !== 6) return "code";
  if (!typed("nickname")) return "nickname";
  return returning && !/^\d{4}$/.test(typed("digits")) ? "digits" : null;
}

// The field that an error is about: the code if nobody can join, because the event is full, locked
// or over, and otherwise the nickname.
async function about({ status }) {
  if (status === 404) return "code";
  if (returning) return "digits";
  const { event } = await get(eventPath(code()));
  const full = event.players.length >= event.room;
  return full || event.locked || event.phase === "ended" ? "code" : "nickname";
}

const REFUSED = [403, 404, 422, 429];

async function tell(error) {
  const field = REFUSED.includes(error.status) && (await about(error).catch(() => null));
  if (field) refuse(field, error.message);
  else fail(error.message, error);
}

// -- joining ---------------------------------------------------------------------------------

async function enter() {
  const who = { nickname: typed("nickname"), cookie: true };
  const path = eventPath(code());
  const answer = returning
    ? await sit(`${path}/return`, { ...who, code: typed("digits") })
    : await sit(`${path}/join`, who);
  // The next page shows the four digits until the player has written them down.
  keep("joined", { code: answer.event.code, player: answer.player, digits: answer.code });
  location.replace(`/arena/${answer.event.code}`);
}

onSubmit("join", () => {
  if (byId("enter").hasAttribute("aria-busy")) return;
  forgive();
  const field = missing();
  if (field) {
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

// -- with the code in the address ------------------------------------------------------------

async function look() {
  const { you, event } = await get(eventPath(code()));
  if (you !== null) location.replace(`/arena/${event.code}`);
  byId("code").value = event.code;
  write(byId("about"), `${gamesText(event)}. ${formatText(event)}.`);
}

mode();
byId("code").value = addressed();
byId(code() ? "nickname" : "code").focus();
if (code()) await look().catch(tell);
