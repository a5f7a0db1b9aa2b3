// All games of this browser, and the way to another device.

import { byId, capital, make, show, write } from "./dom.js";
import { post } from "./api.js";
import { sit } from "./key.js";
import { mine, opponent, standing } from "./mine.js";
import { code } from "./scan.js";
import { announce, attempt, copy, fail } from "./tell.js";

// -- the list --------------------------------------------------------------------------------

let known = 0; // games that were asked for so far

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function since(at) {
  const seconds = Math.max(0, Date.now() / 1000 - at);
  const [unit, long] = UNITS.find(([, size]) => seconds >= size) ?? [];
  if (!unit) return "just now";
  const days = seconds / 86400;
  if (days > 30) return new Date(at * 1000).toLocaleDateString("en", { dateStyle: "medium" });
  return ago.format(-Math.floor(seconds / long), unit);
}

function row(game) {
  const here = game.one_screen || game.to_move === game.you;
  const turn = game.winner === null && here && !game.seats.includes(false);
  return make("li", { "data-id": game.id },
    make("a", { class: "mine", href: `/play/${game.id}` },
      make("strong", {}, game.called),
      make("span", { class: "mine-who" }, opponent(game)),
      make("span", { class: "mine-state", "data-turn": turn }, capital(standing(game))),
      make("time", { class: "soft", datetime: new Date(game.at * 1000).toISOString() },
        since(game.at)),
    ));
}

function add(games) {
  for (const game of games) {
    const place = byId(game.winner === null ? "open" : "over");
    // The list may have moved on since its beginning was asked for.
    if (!document.querySelector(`[data-id="${game.id}"]`)) place.append(row(game));
  }
  for (const id of ["open", "over"]) show(byId(`${id}-part`), byId(id).children.length > 0);
}

async function more() {
  const { games, total } = await mine(known);
  add(games);
  known += Math.max(games.length, 1);
  const seen = document.querySelectorAll("[data-id]").length;
  const all = total === 1 ? "One game." : `${total} games.`;
  write(byId("count"), total ? (known < total ? `${seen} of ${total} games.` : all) : "");
  show(byId("more"), known < total);
  show(byId("none"), total === 0);
  show(byId("device"), total > 0);
}

async function anew() {
  known = 0;
  for (const id of ["open", "over"]) byId(id).replaceChildren();
  await more();
}

byId("more").addEventListener("click", () => attempt(more));

// -- from here to another device -------------------------------------------------------------

let link = "";

async function makeLink() {
  const { secret, seconds } = await post("/api/link");
  link = new URL(`/games#${secret}`, location.href).href;
  byId("link").value = link;
  const until = new Date(Date.now() + 1000 * seconds);
  const time = until.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  write(byId("link-until"), `Works once, until ${time}. Making another link ends this one.`);
  byId("link-code").replaceChildren(await code(link));
  show(byId("link-box"), true);
  write(byId("make-link"), "Make another link");
  announce("The link is there.");
}

byId("make-link").addEventListener("click", async ({ currentTarget: button }) => {
  if (button.hasAttribute("aria-busy")) return; // the second link would end the first
  button.setAttribute("aria-busy", "true");
  await attempt(makeLink);
  button.removeAttribute("aria-busy");
});
byId("copy-link").addEventListener("click", ({ currentTarget }) => copy(link, currentTarget));
byId("link").addEventListener("focus", ({ currentTarget }) => currentTarget.select());

// -- from another device to here -------------------------------------------------------------

// The secret does not stay in the address, nor in what the browser remembers of it.
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
    await sit("/api/link/use", { secret });
  } catch (error) {
    if (error.status === 403) done("");
    throw error;
  }
  done("Your games are on this device, too.");
  await anew();
}

byId("take").addEventListener("click", () => attempt(take));
byId("leave").addEventListener("click", () => done("Nothing was changed."));

// A link that is opened while this page is.
addEventListener("hashchange", () => location.hash.length > 1 && location.reload());

await attempt(more);
if (secret && !whole) fail("This link is not complete. Copy all of it, or scan the code again.");
