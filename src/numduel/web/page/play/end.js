// The end of a game: who won, why, and what to do next. On a narrow screen the lines above the
// board say who won, and the buttons replace those of the game.

import { byId, make, set, show, write } from "../common/dom.js";
import { levelText, t } from "../common/language.js";
import { rules } from "../common/api.js";
import { calm } from "../board/motion.js";
import { recall } from "../common/storage.js";
import { from, start } from "../common/start.js";

const PIECES = 90;
const PARTY = 3200; // milliseconds

// Who won, from the reader's point of view.
/** @param {Shown} shown */
export function verdict({ you, game }) {
  if (!you || game.one_screen) return game.status;
  return game.outcome?.winner === you ? t("You won!") : t("You lost this one.");
}

// Whether there is something to celebrate.
/** @param {Shown} shown */
const pleased = ({ you, game }) => !you || game.one_screen || game.outcome?.winner === you;

// learning: the reader is looking at a mistake, which comes first. closed: why an unfinished game
// of an event cannot go on.
/** @param {Shown & { learning: boolean, closed: string }} shown */
export function showEnd({ you, game, learning, closed }) {
  const over = Boolean(game.outcome);
  show(byId("end"), over || Boolean(closed));
  if (over || closed) buttons({ you, game }, learning);
  if (closed) write(byId("result"), closed);
  if (!game.outcome) return;
  write(byId("result"), verdict({ you, game }));
  set(byId("end"), "data-won", pleased({ you, game }));
  write(byId("reason"), game.outcome.reason);
  const score = game.names.map((name, index) => `${name} ${game.score[index]}`).join(", ");
  const games = game.score[0] + game.score[1] > 1 ? t("Games won: {score}.", { score }) : "";
  write(byId("score"), games);
}

/** @param {Shown} shown */
function buttons({ you, game }, learning) {
  const { offered, game: next } = game.rematch;
  const theirs = offered !== null && offered !== you;
  const again = Boolean(you) && !learning && !game.event; // an event finds the next opponent
  show(byId("rematch"), again);
  show(byId("next"), again);
  show(byId("next-game"), Boolean(!you && next) && !learning);
  if (next) byId("next-game").href = `/play/${next}`;
  const wish = theirs ? t("Accept the rematch") : offered ? t("Rematch offered") : t("Rematch");
  write(byId("rematch"), next ? t("Go to the rematch") : wish);
  const [asking, asked] = offered === 2 ? [...game.names].reverse() : game.names;
  const who = theirs ? t("{name} offers a rematch.", { name: asking })
    : t("Waiting for {name} to accept.", { name: asked });
  write(byId("rematch-text"), offered && !next ? who : "");
  if (again) name({ you, game });
}
/** @param {Server.Game} game */
const levelOf = ({ players }) => players.find((kind) => kind !== "human");

// The level of the next computer: stronger after a win, easier after a loss, any after a friend.
/** @param {Shown} shown */
export async function nextOpponent({ you, game }) {
  const level = levelOf(game);
  if (!level) return recall("level", "medium");
  const kinds = await rules();
  const levels = Object.keys(kinds.find(({ name }) => name === game.name)?.levels ?? {});
  const step = game.outcome?.winner === you ? 1 : -1;
  return levels[levels.indexOf(level) + step] ?? null;
}

let named = ""; // the game that the button's text is for

/** @param {Shown} shown */
async function name({ you, game }) {
  if (named === game.id) return;
  named = game.id;
  const opponent = await nextOpponent({ you, game }).catch(() => null);
  const level = levelText(opponent ?? "");
  const against = game.outcome?.winner === you ? t("Next opponent: {level}", { level })
    : t("A level down: {level}", { level });
  const text = opponent ? against : t("Other games");
  write(byId("next"), levelOf(game) ? text : t("Play the computer"));
}

/** @param {Shown} shown */
export async function playNext({ you, game }) {
  const opponent = await nextOpponent({ you, game });
  if (!opponent) location.assign("/");
  else {
    const wish = { ...from(game, ""), opponent, seat: you, forgiving: !game.strict };
    await start({ ...wish, first: 3 - game.first });
  }
}

// Confetti for a player who has just won, unless they prefer less motion.
/** @param {Shown} shown */
export function celebrate({ you, game }) {
  if (calm.matches || !you || !pleased({ you, game })) return;
  const paper = make("div", { class: "party", "aria-hidden": "true" });
  for (let index = 0; index < PIECES; index += 1) {
    const piece = make("i", { "data-owner": index % 3 });
    piece.style.setProperty("--x", `${Math.random() * 100}vw`);
    piece.style.setProperty("--sway", `${(Math.random() - 0.5) * 12}rem`);
    piece.style.setProperty("--delay", `${Math.random() * 0.7}s`);
    paper.append(piece);
  }
  document.body.append(paper);
  setTimeout(() => paper.remove(), PARTY);
}
