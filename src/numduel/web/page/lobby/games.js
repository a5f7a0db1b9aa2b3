// All games of this browser, and how to bring them to another device.

import { arrive, byId, capital, focused, make, show, write } from "../common/dom.js";
import { dateText, locale, percent, plural, t, timeText } from "../common/language.js";
import { get, post } from "../common/api.js";
import { accuracies, carried, merge } from "../study/carried.js";
import { sit } from "../common/key.js";
import { isOver, myGames, opponent, standing } from "./my-games.js";
import { code } from "../common/scan.js";
import { announce, attempt, copy, fail, once, outside, reachable } from "../common/notify.js";

// -- the list --------------------------------------------------------------------------------

const EVERY = 10_000; // milliseconds between two refreshes
/** @type {Server.GameSummary[]} */
let games = []; // those loaded so far, the latest first
let total = 0;
/** @type {ReturnType<typeof accuracies>} */
let known = {}; // how well the games were played
/** @type {number | null} */
let next = 0; // where the games that are not loaded yet begin, or null

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const ago = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

function since(at) {
  const seconds = Math.max(0, Date.now() / 1000 - at);
  const [unit, long] = UNITS.find(([, size]) => seconds >= size) ?? [null, 0];
  if (!unit) return t("just now");
  const days = seconds / 86400;
  if (days > 30) return dateText(at, { dateStyle: "medium" });
  return ago.format(-Math.floor(seconds / long), unit);
}

/** @param {Server.GameSummary} game */
function row(game) {
  const here = game.one_screen || game.to_move === game.you;
  const turn = !isOver(game) && here && !game.seats.includes(false);
  return make("li", { "data-id": game.id },
    make("a", { class: "mine", href: `/play/${game.id}` },
      make("strong", {}, game.called),
      make("span", { class: "mine-who" }, opponent(game)),
      make("span", { class: "mine-state", "data-turn": turn, "data-won": won(game) },
        [MARKS[won(game) ?? ""], capital(standing(game))].filter(Boolean).join(" "),
        helped(game) ? make("span", { class: "soft" }, `, ${t("with help")}`) : null),
      make("span", { class: "mine-moves" }, plural("{n} move", "{n} moves", game.moves)),
      make("span", { class: "mine-accuracy" }, accuracy(game)),
      make("time", { class: "soft", datetime: new Date(game.at * 1000).toISOString() },
        since(game.at)),
    ));
}

const MARKS = { true: "✓", false: "✗" }; // colours alone tell nothing

// Whether you won or lost; null if the game goes on, or both play here.
/** @param {Server.GameSummary} game */
const won = ({ winner, you, one_screen: together }) =>
  winner === null || together ? null : String(winner === you);

/** @param {Server.GameSummary} game */
const helped = ({ help, players }) => help.length > 0 && players.some((kind) => kind !== "human");

// Known once a report or the profile was looked at.
/** @param {Server.GameSummary} game */
function accuracy({ id }) {
  const [kept, choices] = known[id] ?? [0, 0];
  return choices ? t("{share} accuracy", { share: percent(kept / choices) }) : "";
}

// The focused game keeps the focus.
function draw() {
  known = accuracies();
  const here = focused()?.closest("[data-id]")?.dataset.id;
  const rows = games.map(row);
  for (const over of [false, true]) {
    const id = over ? "over" : "open";
    const part = rows.filter((_, index) => isOver(games[index]) === over);
    byId(id).replaceChildren(...part);
    show(byId(`${id}-part`), part.length > 0);
  }
  const same = rows.find(({ dataset }) => dataset.id === here);
  same?.querySelector("a")?.focus({ preventScroll: true });
  const all = plural("One game.", "{n} games.", games.length);
  const some = plural("The latest game.", "The latest {n} games.", games.length);
  write(byId("count"), games.length ? (next === null ? all : some) : "");
  show(byId("more"), next !== null);
  show(byId("none"), games.length === 0);
  show(byId("device"), total > 0);
  arrive();
}

// The list may have changed since its beginning was loaded.
/** @param {Server.MyGames} page */
function add(page) {
  const known = new Set(games.map(({ id }) => id));
  games = [...games, ...page.games.filter(({ id }) => !known.has(id))];
  ({ total, next } = page);
}

async function more() {
  const before = games.length;
  do add(await myGames(next ?? 0));
  while (games.length === before && next !== null); // nothing of a page may be worth listing
  draw();
}

async function anew() {
  [games, next] = [[], 0];
  await more();
}

// After a friend's move or a rematch, that game comes first.
async function refresh() {
  if (document.hidden) return;
  const before = games;
  const page = await get("/api/v1/games");
  const first = games.slice(0, page.games.length);
  if (games !== before || JSON.stringify(page.games) === JSON.stringify(first)) return;
  const fresh = new Set(page.games.map(({ id }) => id));
  games = [...page.games, ...games.filter(({ id }) => !fresh.has(id))];
  if (next !== null) next += games.length - before.length;
  total = page.total;
  draw();
}

const look = () => refresh().catch(() => {});
setInterval(look, EVERY);
addEventListener("focus", look);
addEventListener("visibilitychange", look);
byId("more").addEventListener("click", () => attempt(more));

// -- from here to another device -------------------------------------------------------------

let link = "";

async function makeLink() {
  const { secret, seconds } = await post("/api/v1/link", carried());
  show(byId("unreachable"), !reachable());
  link = outside(`/games#${secret}`).href;
  byId("link").value = link;
  const time = timeText(Date.now() / 1000 + seconds);
  write(byId("link-until"),
    t("Works once, until {time}. Making another link ends this one.", { time }));
  byId("link-code").replaceChildren(await code(link));
  show(byId("link-box"), true);
  write(byId("make-link"), t("Make another link"));
  byId("make-link").classList.remove("strong"); // another would end this one
  byId("link-box").scrollIntoView({ block: "nearest" });
  announce(t("The link is ready."));
}

// A second link would end the first.
byId("make-link").addEventListener("click", ({ currentTarget }) => once(currentTarget, makeLink));
byId("copy-link").addEventListener("click", ({ currentTarget }) => copy(link, currentTarget));
byId("link").addEventListener("focus", ({ currentTarget }) => currentTarget.select());

// -- from another device to here -------------------------------------------------------------

// The secret does not stay in the address or the history.
let secret = location.hash.slice(1);
if (secret) history.replaceState(null, "", location.pathname);
const whole = /^[\w-]{16,64}$/.test(secret);
show(byId("taking"), whole);

function done(text) {
  secret = "";
  show(byId("taking"), false);
  write(byId("taken"), text);
  byId("title").focus();
}

async function take() {
  try {
    merge((await sit("/api/v1/link/use", { secret })).carried);
  } catch (error) {
    if (error.status === 403) done("");
    throw error;
  }
  done(t("Your games are on this device too."));
  await anew();
}

byId("take").addEventListener("click", () => attempt(take));
byId("leave").addEventListener("click", () => done(t("Nothing was changed.")));

// A link was opened in this tab.
addEventListener("hashchange", () => location.hash.length > 1 && location.reload());

await attempt(more);
if (secret && !whole) {
  fail(t("This link is not complete. Copy all of it, or scan the code again."));
}
