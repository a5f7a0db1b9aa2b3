// The page of an event's players: who is here, the table, and the way to their board. After the end
// it shows their results.

import { isolated, byId, make, set, show, unusual, write } from "../common/dom.js";
import { levelText, outOf, t } from "../common/language.js";
import {
  accuracyText, addressed, clockText, EventChannel, gamesText, isPublic, myself, nameOf, player,
  settingsText, teamOf, teamsText, timeText,
} from "./event.js";
import { keep, recall } from "../common/storage.js";
import { eventResults } from "./event-results.js";
import { nudges } from "./nudges.js";
import { practice } from "./practice.js";
import { hostsVeil } from "./veil.js";

const showResults = eventResults(byId("own"));
const showPractice = practice();
const veil = hostsVeil();
const nudge = nudges();
// A player who comes from their board to see the table is not sent back at once.
let looking = location.hash === "#table";
// {code, player, digits, asked} of the event last joined here; the digits until they are written
// down, and {number, nickname, digits, before} of a request until the host has answered it.
/** @param {Server.Event} event */
const joined = (event) => {
  const kept = recall("joined");
  return kept?.code === event.code ? kept : null;
};

// Whether somebody waits here for the host. Once the host has answered, that is kept.
/** @param {Server.EventSnapshot} data */
function waits({ you, event }) {
  const { asked = null, ...rest } = joined(event) ?? {};
  if (!asked) return null;
  if (event.waiting.includes(asked.number) || event.number < asked.number) return asked;
  const admitted = you !== null && you !== asked.before;
  keep("joined", admitted ? { ...rest, player: you, digits: asked.digits }
    : { ...rest, refused: asked.nickname });
  return null;
}

byId("written").addEventListener("click", () => {
  const { digits, ...rest } = joined(channel.data.event);
  keep("joined", rest);
  render(channel.data);
  if (byId("personal").hidden) byId("title").focus();
});
/** @param {Server.EventSnapshot} data */
function render(data) {
  const { event } = data;
  const me = myself(data);
  document.title = `${gamesText(event)} | numduel`;
  write(byId("title"), gamesText(event));
  write(byId("about"), [settingsText(event), t("code\u00a0{code}", { code: event.code })].join(", "));
  write(byId("line"), event.phase === "ended" ? "" : event.message);
  const asked = waits(data);
  veil(event, Boolean(me));
  nudge(me?.game ? me : undefined, data.now, nameOf(event, me?.opponent));
  if (me) keep("joined", { ...joined(event), code: event.code, player: me.number });
  const digits = me && !asked && event.phase !== "ended" && joined(event)?.digits;
  show(byId("personal"), Boolean(digits));
  write(byId("personal-title"), 
    me?.game ? t("Your game has begun. Write this down") : t("Write this down"));
  write(byId("written"), 
    me?.game ? t("Written down: to the board") : t("I have written it down"));
  write(byId("digits-name"), digits ? me.nickname : "");
  write(byId("digits"), digits || "");
  write(byId("teams"), teamsText(event));
  now(data, me, asked);
  showResults(event, Boolean(me));
  rules(event);
  showPractice(event, Boolean(me));
  people(event);
  standings(data);
  if (me?.game && !digits && !looking) location.replace(`/play/${me.game}`);
  looking &&= Boolean(me?.game); // go to the next board
}

// Whether the reader plays, waits, or does not take part.
/**
 * @param {Server.EventSnapshot} data
 * @param {Server.PlayerNow | undefined} me
 * @param {{ nickname: string } | null} asked
 */
function now({ event }, me, asked) {
  const over = event.phase === "ended";
  const elsewhere = !me && player(event, joined(event)?.player);
  const enter = !me && !over && !event.locked && !elsewhere && !asked && !removed(event);
  show(byId("now"), !me || !over);
  const name = me && [isolated(me.nickname), teamOf(event, me)].filter(Boolean).join(", ");
  write(byId("now-title"), name ? t("You are {name}", { name })
    : asked && !over ? t("You are at the door") : t("You are not taking part"));
  write(byId("reason"), me ? (me.reason ?? playing(event, me)) : outside(event, asked));
  show(byId("go"), Boolean(me?.game) || enter);
  show(byId("before"), !me && !asked);
  write(byId("go"), me ? t("Go to the board") : t("Join"));
  byId("go").href = me ? `/play/${me.game}` : `/join/${event.code}`;
  byId("before").href = `/join/${event.code}#before`;
  write(byId("asked"), me ? request(event, asked) : "");
  show(byId("another"), Boolean(me) && !asked && !over && !event.locked);
  byId("another").href = `/join/${event.code}#another`;
}

// What becomes of somebody else who asked to play in this browser.
/** @param {Server.Event} event @param {{ nickname: string } | null} asked */
function request(event, asked) {
  const { refused } = joined(event) ?? {};
  if (asked) {
    return t("{name} has asked the host to play in this browser.", { name: isolated(asked.nickname) });
  }
  return refused ? t("The host did not let {name} in.", { name: isolated(refused) }) : "";
}

// Whom the reader plays, and that they are waited for.
/** @param {Server.Event} event @param {Server.PlayerNow} me */
function playing(event, { opponent, forfeits_at: at }) {
  const name = nameOf(event, opponent);
  if (at === null) return t("You are playing {name}.", { name });
  const time = clockText(Math.max(0, at - channel.now));
  return t("It is your turn. Go back to the board: in {time} your game goes to {name}.", { time, name });
}

/** @param {Server.Event} event */
const removed = (event) => {
  const before = joined(event)?.player;
  return Boolean(before) && !player(event, before);
};

// Why the reader does not take part in this browser, as far as it knows.
/** @param {Server.Event} event @param {{ nickname: string } | null} asked */
function outside(event, asked) {
  if (event.phase === "ended") return t("The event is over.");
  if (removed(event)) return t("The host has taken you out of this event. You can watch the table.");
  if (asked) {
    return t("The host has to let {name} in. Wait here, please.", { name: isolated(asked.nickname) });
  }
  if (joined(event)?.refused) return t("The host did not let you in. You can watch the table.");
  if (joined(event)?.player) {
    return t("You are playing in another browser. Your four digits bring you back here.");
  }
  return t("You can watch the table.");
}

// The rules of every game, until the first one begins.
/** @param {Server.Event} event */
function rules({ phase, games }) {
  show(byId("rules-part"), phase === "open");
  if (byId("rules").childElementCount) return;
  byId("rules").append(...games.flatMap(({ called, brief, changes }) => [
    games.length > 1 ? make("h3", {}, called) : "",
    make("ul", {}, ...[...brief, unusual(changes)].filter(Boolean)
      .map((sentence) => make("li", {}, sentence))),
  ]));
}

// Everybody who is here before the start; afterwards the table shows it.
/** @param {Server.Event} event */
function people(event) {
  const { phase, players } = event;
  show(byId("who-part"), phase === "open");
  if (phase !== "open") return;
  const many = players.length;
  write(byId("who-title"), many ? t("Who is here: {n}", { n: many }) : t("Nobody is here yet"));
  const byNumber = [...players].sort((one, two) => one.number - two.number);
  byId("who").replaceChildren(...byNumber.map((one) =>
    make("li", { "data-away": one.away }, here(event, one))));
}

// "Quick Otter (TEAM, away)"
/** @param {Server.Event} event @param {Server.PlayerNow} one */
function here(event, one) {
  const about = [teamOf(event, one), one.away && t("away")].filter(Boolean).join(", ");
  return isolated(one.nickname) + (about && ` (${about})`);
}

// The table; whoever is not among the places that everybody sees still finds their own.
/** @param {Server.EventSnapshot} data */
function standings({ you, event }) {
  const seen = event.players.filter((one) => isPublic(event, one) || one.number === you);
  show(byId("table-part"), event.phase !== "open" && seen.length > 0);
  show(byId("first-places"), event.top_only);
  const over = event.phase === "ended"; // nobody is away then
  byId("standings").replaceChildren(...seen.map((one) =>
    row({ ...one, away: one.away && !over }, one.number === you)));
}

/** @param {Server.PlayerNow} one */
const row = (one, mine) =>
  make("tr", { "data-mine": mine, "data-away": one.away },
    make("td", {}, String(one.place)),
    make("th", { scope: "row" }, make("bdi", {}, one.nickname), ...notes(one, mine).map(note)),
    make("td", {}, outOf(one.wins, one.games)),
    make("td", {}, accuracyText(one)));

const note = (text) => make("span", { class: "soft" }, ` ${text}`);

/** @param {Server.PlayerNow} one */
const notes = (one, mine) => {
  const { kind, away } = one;
  const team = teamOf(channel.data.event, one);
  return [team, mine && t("you"), kind !== "human" && levelText(kind), away && t("away")].filter(Boolean);
};

function tick(left) {
  const { event } = channel.data;
  const time = timeText(event, left);
  write(byId("clock"), event.phase === "paused" ? `${time} ${t("paused")}`.trim() : time);
  set(byId("clock"), "data-paused", event.phase === "paused");
  const me = myself(channel.data);
  if (me?.forfeits_at) write(byId("reason"), playing(event, me));
}

const channel = new EventChannel(addressed(), { message: render, tick });
