// The end of a game: who won, why, and what to do next. On a narrow screen the lines above the board
// tell it, and the buttons stand where those of the game stood.

import { byId, make, set, show, write } from "../common/dom.js";
import { rules } from "../common/api.js";
import { calm } from "../board/motion.js";
import { recall } from "../common/storage.js";
import { from, start } from "../common/start.js";

const PIECES = 28;
const PARTY = 2600; // milliseconds

// Who won, as it is told to who played, and to others.
/** @param {Shown} shown */
export function verdict({ you, game }) {
  if (!you || game.one_screen) return game.status;
  return game.outcome?.winner === you ? "You won!" : "You lost this one.";
}

// learning: is a mistake looked at? Then what is learnt from it comes first. closed: why a game of
// an event goes on no more, without having ended.
/** @param {Shown & { learning: boolean, closed: string }} shown */
export function showEnd({ you, game, learning, closed }) {
  const over = Boolean(game.outcome);
  show(byId("end"), over || Boolean(closed));
  if (over || closed) buttons({ you, game }, learning);
  if (closed) write(byId("result"), closed);
  if (!game.outcome) return;
  write(byId("result"), verdict({ you, game }));
  set(byId("end"), "data-won", !you || game.one_screen || game.outcome.winner === you);
  write(byId("reason"), game.outcome.reason);
  const score = game.names.map((name, index) => `${name} ${game.score[index]}`).join(", ");
  write(byId("score"), game.score[0] + game.score[1] > 1 ? `Games won: ${score}.` : "");
}

/** @param {Shown} shown */
function buttons({ you, game }, learning) {
  const { offered, game: next } = game.rematch;
  const theirs = offered !== null && offered !== you;
  const again = Boolean(you) && !learning && !game.event; // there the next one is found for you
  show(byId("rematch"), again);
  show(byId("next"), again);
  show(byId("next-game"), Boolean(!you && next) && !learning);
  if (next) byId("next-game").href = `/play/${next}`;
  write(byId("rematch"), next ? "Go to the rematch" : wish(offered, theirs));
  const who = theirs ? `${game.names[offered - 1]} offers a rematch.` : "Rematch offered.";
  write(byId("rematch-text"), offered && !next ? who : "");
  if (again) name({ you, game });
}

// -- the next opponent -----------------------------------------------------------------------

/** @param {Server.Game} game */
const levelOf = ({ players }) => players.find((kind) => kind !== "human");

// Who has won meets a stronger computer, who has lost an easier one; friends meet any.
/** @param {Shown} shown */
export async function nextOpponent({ you, game }) {
  const level = levelOf(game);
  if (!level) return recall("level", "medium");
  const kinds = await rules();
  const levels = Object.keys(kinds.find(({ name }) => name === game.name)?.levels ?? {});
  const step = game.outcome?.winner === you ? 1 : -1;
  return levels[levels.indexOf(level) + step] ?? null;
}

let named = ""; // the game whose next opponent is on the button

/** @param {Shown} shown */
async function name({ you, game }) {
  if (named === game.id) return;
  named = game.id;
  const opponent = await nextOpponent({ you, game }).catch(() => null);
  const better = game.outcome?.winner === you;
  const against = `${better ? "Next opponent" : "Easier opponent"}: ${opponent}`;
  const text = opponent ? against : "Other games";
  write(byId("next"), levelOf(game) ? text : "Play the computer");
}

/** @param {Shown} shown */
export async function playNext({ you, game }) {
  const opponent = await nextOpponent({ you, game });
  if (!opponent) location.assign("/");
  else await start({ ...from(game, ""), opponent, seat: you, forgiving: !game.strict });
}

const wish = (offered, theirs) =>
  theirs ? "Accept the rematch" : offered ? "Rematch offered" : "Rematch";

// The game has ended just now, under the eyes of who won it. Some paper in the air; nothing where
// things should not move.
/** @param {Shown} shown */
export function celebrate({ you, game }) {
  if (calm.matches || !you || (!game.one_screen && game.outcome?.winner !== you)) return;
  const paper = make("div", { class: "party", "aria-hidden": "true" });
  for (let index = 0; index < PIECES; index += 1) {
    const piece = make("i", { "data-owner": index % 3 });
    piece.style.setProperty("--x", `${Math.random() * 100}vw`);
    piece.style.setProperty("--sway", `${(Math.random() - 0.5) * 12}rem`);
    piece.style.setProperty("--delay", `${Math.random() * 0.5}s`);
    paper.append(piece);
  }
  document.body.append(paper);
  setTimeout(() => paper.remove(), PARTY);
}
