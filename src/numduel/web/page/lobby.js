// The lobby: every game one press away from being played, what was left, and today's puzzle.

import { byId, make, show, write } from "./dom.js";
import { get, rules } from "./api.js";
import { forget, keep, recall, recent } from "./keep.js";
import { Options } from "./options.js";
import { start } from "./start.js";
import { streaks } from "./streaks.js";
import { attempt } from "./tell.js";

const FIRST = { you: 1, them: 2, random: "random" }; // the creator sits in seat 1
const NEWEST = 3; // games that were left and are shown without asking for all

// -- choices for all games -------------------------------------------------------------------

for (const key of ["level", "who", "name", "name2"]) {
  const control = byId(key);
  const [before, kept] = [control.value, recall(key)];
  if (typeof kept === "string") control.value = kept;
  control.value ||= before; // a choice that is not there any more
  control.addEventListener("change", () => keep(key, control.value));
}

// -- one game --------------------------------------------------------------------------------

const catalogue = attempt(rules);

function card(root) {
  const options = new Options(root);
  const filled = catalogue.then((games) => {
    const game = games?.find(({ name }) => name === root.dataset.game);
    if (game) options.fill(game);
    return Boolean(game);
  });
  const trouble = root.querySelector(".alert");
  const begin = async (opponent) => {
    if (!(await filled) || !(await options.valid())) return;
    for (const key of ["name", "name2"]) keep(key, byId(key).value);
    const first = FIRST[byId("who").value];
    const against = opponent === "computer" ? byId("level").value : opponent;
    const wish = { ...options.wish(), game: root.dataset.game, opponent: against, seat: 1, first };
    if (opponent === "here") wish.name2 = byId("name2").value.trim();
    await start(wish).catch((error) => write(trouble, error.message));
  };
  for (const button of root.querySelectorAll("[data-play]")) {
    button.addEventListener("click", async () => {
      if (button.hasAttribute("aria-busy")) return;
      button.setAttribute("aria-busy", "true");
      write(trouble, "");
      await begin(button.dataset.play);
      button.removeAttribute("aria-busy");
    });
  }
}

// -- games that were left --------------------------------------------------------------------

async function look(id) {
  try {
    const { you, game } = await get(`/api/games/${id}`);
    if (game.outcome) forget(id);
    return you ? { you, game } : null;
  } catch (error) {
    if (error.status === 404) forget(id);
    return null;
  }
}

const told = ({ you, game }) => {
  const turn = game.to_move === you ? "your turn" : game.status.replace(/[.]$/, "");
  return [game.called, turn, `with ${game.names[2 - you]}`].join(" · ");
};

const listed = (games) => games.map((one) =>
  make("li", {}, make("a", { href: `/play/${one.game.id}` }, told(one))));

// The newest come first; the others are there for who wants all of them.
function others(games) {
  write(byId("more-recent").querySelector("summary"), `${games.length} more`);
  byId("newest").replaceChildren(...listed(games.slice(0, NEWEST - 1)));
  byId("all-older").replaceChildren(...listed(games.slice(NEWEST - 1)));
  show(byId("older"), games.length >= NEWEST);
  show(byId("more-recent"), games.length > 0);
}

async function unfinished() {
  byId("recent-link").href = `/play/${recent()[0]}`;
  const found = (await Promise.all(recent().map(look))).filter(Boolean);
  const open = found.filter(({ game }) => !game.outcome);
  // Where everything has ended, the last one stays in its place until the next visit.
  const [first, ...rest] = open.length ? open : found.slice(0, 1);
  show(byId("recent"), Boolean(first));
  if (!first) return;
  write(byId("recent-text"), told(first));
  if (!open.length) {
    write(byId("recent-title"), "Your last game");
    write(byId("recent-link"), "View");
  }
  byId("recent-link").href = `/play/${first.game.id}`;
  others(rest);
}

// -- today's puzzle --------------------------------------------------------------------------

function daily() {
  const place = byId("daily");
  const { day, days } = streaks(place.dataset.date);
  const parts = [place.textContent];
  if (day === place.dataset.date) {
    parts.push("solved");
    write(byId("daily-link"), "View");
  }
  if (days > 1) parts.push(`${days} days in a row`);
  write(place, parts.join(" · "));
}

document.querySelectorAll("[data-game]").forEach(card);
daily();
await unfinished();
