// The page of an event's host. The host's secret comes after the # of the address, which browsers
// do not send; it is sent in a header and leaves the address at once, as a class may see this
// screen.

import {
  button, byId, focused, isolated, make, set, show, write,
} from "../common/dom.js";
import { plural, t } from "../common/language.js";
import { post, remove } from "../common/api.js";
import { confirm } from "../common/dialog.js";
import { classPage } from "./class.js";
import { door as atTheDoor } from "./door.js";
import {
  addressed, clockText, EventChannel, eventPath, gamesText, nameOf, settingsText,
  teamsText, timeText,
} from "./event.js";
import { host, hostPath, looksRight, over, secretOf, unhost } from "./hosted.js";
import { people as everybody } from "./people.js";
import { rows } from "../common/rows.js";
import { code as qr, scan } from "../common/scan.js";
import {
  attempt, clear, copy, fail, onSubmit, once, outside, reachable,
} from "../common/notify.js";

const AGAIN = 2000; // milliseconds before an unreachable server is asked again
const MORE = 5; // minutes that are added at once
const RECENT = 60; // seconds for which a reminder is of this turn, if nobody knows better
const PHASES = {
  open: t("Waiting room"), running: t("Running"), paused: t("Paused"),
  ended: t("The event is over"),
};
const path = eventPath(addressed());
const given = location.hash.slice(1) || secretOf(addressed().toUpperCase());
const secret = looksRight(given) ? given : "-"; // some texts cannot go in a header
/** @type {Server.Event} */
let event = /** @type {any} */ (null);
let switching = false; // a switch is being sent
/** @type {boolean | null} */
let proven = null; // whether the secret is right; null until that is known

// -- messages --------------------------------------------------------------------------------

async function act(what, body = {}) {
  const answer = await post(`${path}/host/${what}`, body, secret);
  channel.take(answer);
  return answer;
}

/** @param {Server.EventSnapshot} data */
async function receive(data) {
  ({ event } = data);
  if (proven) render();
  else if (proven === null) await prove();
}

// Checks the secret: only the host may use this page.
async function prove() {
  proven = false;
  try {
    await post(`${path}/host/check`, {}, secret);
  } catch (error) {
    fail(error.message, error);
    show(byId("stranger"), error.status === 403);
    if (error.status !== 403) setTimeout(prove, AGAIN);
    return;
  }
  proven = true;
  clear();
  host(event, secret);
  history.replaceState(null, "", hostPath(event.code, secret));
  door();
  show(byId("host"), true);
  render();
}

// -- drawing ---------------------------------------------------------------------------------

function render() {
  const { phase, players } = event;
  const pressed = byId("run").contains(focused()) && focused();
  write(byId("what"), [gamesText(event), settingsText(event)].join(" · "));
  write(byId("phase"), timeIsUp() ? t("Time is up") : PHASES[phase]);
  write(byId("teams"), teamsText(event));
  write(byId("advice"), advice());
  show(byId("start"), phase === "open");
  show(byId("pause"), phase === "running");
  show(byId("resume"), phase === "paused");
  show(byId("extend"), event.format === "arena" && phase !== "ended");
  show(byId("pair"), phase === "running" && !timeIsUp());
  show(byId("end"), ["running", "paused"].includes(phase));
  if (pressed && pressed.hidden) byId("phase").focus(); // its button is gone
  if (!switching) switches();
  show(byId("untell"), event.message !== "");
  write(byId("told"), event.message && t("Everybody sees: {message}", { message: event.message }));
  show(section("telling"), phase !== "ended");
  show(byId("adding"), phase !== "ended");
  show(section("door-title"), phase !== "ended");
  const told = t("{phase}, {n} here: {code}",
    { phase: PHASES[phase], n: players.length, code: event.code });
  document.title = `${told} | numduel`;
  people.show(event);
  showDoor(event);
  stalled();
  boards();
  showClass(event);
  if (phase === "ended") over(event.code);
}

// How people get in, and what they see: each switch with what it sends.
const SWITCHES = /** @type {const} */ ({
  lock: (locked) => act("lock", { locked }),
  approval: (approval) => act("door", { approval }),
  "own-names": (own_names) => act("door", { own_names }),
  "top-only": (top_only) => act("places", { top_only }),
});

function switches() {
  byId("lock").checked = event.locked;
  byId("approval").checked = event.approval;
  byId("own-names").checked = event.own_names;
  byId("top-only").checked = event.top_only;
}

const section = (id) => /** @type {HTMLElement} */ (byId(id).closest("section"));

function advice() {
  const { phase, players, locked } = event;
  if (phase === "paused") return t("Nobody moves, nobody is paired, and the clock stands still.");
  if (phase === "running") return event.waits_for ?? "";
  if (phase !== "open") return "";
  if (players.length < 2) return t("Two players are enough to start; others can join later.");
  return locked ? t("The door is locked.") : t("Others can still join after the start.");
}

function tick(left) {
  write(byId("clock"), timeText(event, left));
  set(byId("clock"), "data-words", left === null);
  stalled();
}

const timeIsUp = () => event.phase === "running" && channel.left === 0;

// -- somebody who does not move --------------------------------------------------------------

// Whom opponents wait for, the longest wait first.
function stalled() {
  if (!proven) return;
  const idle = event.players
    .filter(({ game, idle_since: idle, forfeits_at: gone }) => game && (idle ?? gone) !== null)
    .sort((one, other) => (one.idle_since ?? Infinity) - (other.idle_since ?? Infinity));
  show(byId("stalled"), idle.length > 0);
  const next = byId("phase");
  rows(byId("stalled-rows"), idle, { key: ({ number }) => number, make: dreamer, next });
}

/** @param {Server.PlayerNow} one */
function dreamer(one) {
  const { number, nickname, opponent, idle_since: idle, forfeits_at: gone, nudged } = one;
  const now = event.phase === "paused" ? channel.data.now : channel.now;
  const [who, other] = [isolated(nickname), nameOf(event, opponent)];
  const parts = [
    idle !== null && t("no move for {time}", { time: clockText(Math.max(0, now - idle)) }),
    gone !== null && t("not at the board: {name} wins in {time}",
      { name: other, time: clockText(Math.max(0, gone - now)) }),
    gone === null && t("{name} is waiting", { name: other }),
    nudged !== null && nudged >= (idle ?? now - RECENT)
      && t("nudged {time} ago", { time: clockText(Math.max(0, now - nudged)) }),
  ];
  return make("li", { class: "pair" },
    make("span", {}, make("strong", {}, who),
      make("span", { class: "doing" }, parts.filter(Boolean).join(", "))),
    button(t("Nudge"), () => attempt(() => act("nudge", { player: number })), {
      class: "button small strong", "aria-label": t("Nudge {name}", { name: nickname }),
      title: t("Shows a reminder on their screen, and makes a phone buzz"),
    }),
    button(t("Give the game to {name}", { name: other }),
      () => attempt(() => giveAway(number, who, other)), { class: "button small" }));
}

async function giveAway(player, who, other) {
  const sure = t("{name} loses the game with {other}, and both are paired again.",
    { name: who, other });
  if (await confirm(sure, t("Give it"), t("Go back"))) await act("forfeit", { player });
}

function boards() {
  const { pairings } = event;
  const next = byId("people-title");
  show(byId("boards-part"), pairings.length > 0);
  write(byId("boards-title"), plural("{n} pair playing", "{n} pairs playing", pairings.length));
  rows(byId("boards"), pairings, { key: ({ number }) => number, make: pair, next });
}

/** @param {Server.Pairing} pairing */
function pair({ number, id, game, players }) {
  const called = event.games.find(({ text }) => text === game)?.called ?? "";
  const both = players.map((one) => nameOf(event, one)).join(" – ");
  return make("li", { class: "pair" },
    make("span", {}, make("strong", {}, both), make("span", { class: "doing" }, called)),
    make("a", {
      class: "button small", target: "_blank", "aria-label": t("Watch {names}", { names: both }),
      href: `/play/${id}`,
    }, t("Watch")),
    button(t("Cancel"), () => attempt(() => cancel(number)), {
      class: "button small", "aria-label": t("Cancel {names}", { names: both }),
      title: t("Ends their game now; it counts for nobody"),
    }));
}

function door() {
  const join = outside(`/join/${event.code}`);
  show(byId("unreachable"), !reachable());
  write(byId("code"), event.code);
  write(byId("door-code"), event.code);
  byId("join-address").replaceChildren(join.host, make("wbr"), "/join");
  byId("wall").href = `/arena/${event.code}/wall`;
  byId("copy-join").addEventListener("click", ({ target }) => copy(join.href, target));
  byId("show-qr").addEventListener("click", () => attempt(() => scan(t("Scan to join"), join.href)));
  attempt(async () => byId("qr").replaceChildren(await qr(join.href)));
}

// -- actions ---------------------------------------------------------------------------------

async function cancel(pairing) {
  const sure = t("This pairing ends now, and its game counts for nobody.");
  if (await confirm(sure, t("Cancel the pairing"), t("Let them play"))) await act("cancel", { pairing });
}

async function end() {
  const open = event.pairings.length ? t("Unfinished games count for nobody.") : "";
  const sure = `${t("The event ends for everybody.")} ${open}`.trim();
  if (await confirm(sure, t("End it"), t("Go on playing"))) await act("end");
}

async function erase() {
  const sure = t("The event, its games and its table will be gone for ever, for everybody.");
  if (!(await confirm(sure, t("Delete it"), t("Keep it")))) return;
  await remove(path, secret);
  unhost(event.code);
  location.assign("/arena");
}

// Ignores the second press of a double click: another button may be there by then.
function press(id, doing) {
  byId(id).addEventListener("click", ({ currentTarget, detail }) => {
    if (detail <= 1) once(currentTarget, doing);
  });
}

for (const what of ["start", "pause", "resume", "pair"]) press(what, () => act(what));
press("extend", () => act("extend", { minutes: MORE }));
press("end", end);
press("delete", erase);
press("untell", () => act("broadcast", { text: "" }));
byId("copy-host").addEventListener("click", ({ target }) =>
  copy(outside(`/arena/${event.code}/host#${secret}`).href, target));
for (const [id, send] of Object.entries(SWITCHES)) {
  byId(id).addEventListener("change", async ({ target }) => {
    switching = true;
    await attempt(() => send(/** @type {HTMLInputElement} */ (target).checked));
    switching = false;
    switches();
  });
}

onSubmit("telling", async () => {
  await act("broadcast", { text: byId("line").value });
  byId("line").value = "";
});
onSubmit("adding", async () => {
  const nickname = byId("added-name").value.trim();
  await act("add", { level: byId("added-level").value, ...(nickname && { nickname }) });
  byId("added-name").value = "";
});

const people = everybody(act);
const showDoor = atTheDoor(addressed(), secret, act, people.know);
const showClass = classPage(addressed(), secret, people.opener, act);
const channel = new EventChannel(addressed(), { message: receive, tick });
addEventListener("hashchange", () => location.reload());
