// What the games, puzzles and lessons of this browser add up to, and what to do next.

import { Activity, Choices, block, inline, tables } from "./activity.js";
import { accuracies, bests, keepAccuracy, lessons } from "./carried.js";
import { attempt } from "../common/notify.js";
import { byId } from "../common/dom.js";
import { get } from "../common/api.js";
import { load, today } from "./streaks.js";
import { FIRST, inTurn, start } from "../common/start.js";

// What travels with every request, and is not kept: only what the latest games need.
function kept() {
  const known = accuracies();
  const latest = games.latest.map(([id]) => id).filter((id) => id in known);
  return {
    today: today(),
    statistics: games,
    accuracy: Object.fromEntries(latest.map((id) => [id, known[id]])),
    streak: load(),
    best: bests(),
    done: lessons(),
  };
}

/** @type {any} */
let games = { latest: [] };
const activity = new Activity("profile", kept);
const choices = new Choices(byId("choices"), next);

/** @param {Server.Scene | null | undefined} scene */
function draw(scene) {
  if (!scene) return;
  keepAccuracy(/** @type {any} */ (activity.state.accuracy));
  byId("task").replaceChildren(...inline(scene.goal));
  byId("text").replaceChildren(...scene.text.map(block));
  byId("tables").replaceChildren(...tables(scene));
  choices.show(scene);
  activity.follow(draw);
}

const PLACES = { lesson: (game) => `/learn/${game}`, puzzle: () => "/puzzles", storm: () => "/storm" };

// Opens what comes next: a game begins at once.
async function next() {
  const place = activity.scene?.leads;
  if (!place) return;
  if (place.activity !== "play") location.assign(PLACES[place.activity](place.game));
  else await attempt(() => start(wish(place)));
}

/** @param {NonNullable<Server.Scene["leads"]>} place */
const wish = ({ game = "", variant, level }) =>
  ({ game, variant, opponent: level, seat: 1, first: FIRST[inTurn(game, "computer")] });

const found = await attempt(() => get("/api/v1/statistics"));
if (found) games = found.statistics;
const begun = found && (await activity.act("begin"));
if (begun) draw(begun);
