// The lobby: every game one press away, unfinished games, and today's puzzle.

import { byId, make, show, write } from "../common/dom.js";
import { plural, t } from "../common/language.js";
import { rules } from "../common/api.js";
import { keep, recall, recent } from "../common/storage.js";
import { goesOn, inBrief, myGames } from "./my-games.js";
import { Options } from "../common/options.js";
import { FIRST, inTurn, start } from "../common/start.js";
import { streak, today, until } from "../study/streaks.js";
import { attempt, once } from "../common/notify.js";

const SECOND = 1000;
const NEWEST = 3; // unfinished games shown here

const field = (id) => /** @type {HTMLInputElement} */ (byId(id));

// -- choices for all games -------------------------------------------------------------------

for (const key of ["level", "who", "name", "name2"]) {
  const control = field(key);
  const [before, kept] = [control.value, recall(key)];
  if (typeof kept === "string") control.value = kept;
  control.value ||= before; // the choice no longer exists
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
    write(trouble, "");
    if (!(await filled) || !(await options.valid())) return;
    for (const key of ["name", "name2"]) keep(key, field(key).value);
    const who = byId("who").value;
    const first = FIRST[who] ?? FIRST[inTurn(root.dataset.game, opponent)];
    const against = opponent === "computer" ? byId("level").value : opponent;
    const wish = { ...options.wish(), game: root.dataset.game, opponent: against, seat: 1, first };
    if (opponent === "here") wish.name2 = byId("name2").value.trim();
    await start(wish).catch((error) => write(trouble, error.message));
  };
  for (const button of root.querySelectorAll("[data-play]")) {
    button.addEventListener("click", () => once(button, () => begin(button.dataset.play)));
  }
}

// -- unfinished games ------------------------------------------------------------------------

const listed = (games) => games.map((one) =>
  make("li", {}, make("a", { href: `/play/${one.id}` }, inBrief(one))));

// The newest; all of them have a page of their own.
function others(games) {
  write(byId("more-recent").querySelector("summary"), t("{n} more", { n: games.length }));
  byId("newest").replaceChildren(...listed(games.slice(0, NEWEST - 1)));
  show(byId("more-recent"), games.length > 0);
}

async function unfinished() {
  const known = recent().length > 0;
  byId("recent-link").href = `/play/${recent()[0]}`;
  const { games } = await myGames().catch(() => ({ games: [] }));
  const open = games.filter(goesOn);
  keep("recent", open.map(({ id }) => id).slice(0, NEWEST));
  // If all games have ended, the last one keeps its place until the next visit.
  const [first, ...rest] = open.length ? open : games.slice(0, known ? 1 : 0);
  show(byId("recent"), Boolean(first));
  if (!first) return;
  document.documentElement.dataset.left = rest.length ? "many" : "one";
  write(byId("recent-text"), inBrief(first));
  if (!open.length) {
    write(byId("recent-title"), t("Your last game"));
    write(byId("recent-link"), t("View"));
  }
  byId("recent-link").href = `/play/${first.id}`;
  others(rest);
}

// -- today's puzzle --------------------------------------------------------------------------

// Its game, how far it is, or when the next one comes; on the day of this browser.
function daily() {
  const [place, link, now] = [byId("daily"), byId("daily-link"), new Date()];
  const day = today(now);
  const { done, days, made } = streak(day);
  const tomorrow = today(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1));
  const game = place.getAttribute(`data-day-${day}`) ?? t("A new one");
  write(link, done ? t("View") : made ? t("Continue") : t("Solve"));
  const moves = made && plural("{n} move made", "{n} moves made", made);
  const parts = done ? [t("Next in {time}", { time: until(tomorrow, now) })] : [game, moves];
  const row = days && plural("{n} day in a row", "{n} days in a row", days);
  write(place, [...parts, row].filter(Boolean).join(" · "));
}

document.querySelectorAll("[data-game]").forEach(card);
daily();
setInterval(daily, SECOND);
await unfinished();
