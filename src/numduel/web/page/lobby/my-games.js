// The games of this browser, which the server knows by the browser's key.

import { get } from "../common/api.js";
import { both, nameText, t } from "../common/language.js";
import { recent } from "../common/storage.js";
import { renew } from "../common/key.js";

// {games, total}: some games, the latest first, and how many there are. Games that only the browser
// remembers, after a lost answer, are recovered.
export async function myGames(skip = 0) {
  const look = () => get(`/api/v1/games?skip=${skip}`);
  const found = await look();
  const known = new Set([...found.games.map(({ id }) => id), ...found.unlisted]);
  const missing = skip ? [] : recent().filter((id) => !known.has(id));
  const again = await Promise.all(missing.map((id) => renew(id).catch(() => null)));
  return again.some((answer) => answer?.you) ? look() : found;
}

// Whether a game has come to its end, or its event has.
/** @param {Server.GameSummary} game */
export const isOver = ({ winner, closed }) => winner !== null || closed;

// Whether a game is worth going on with: nobody misses one without a move.
/** @param {Server.GameSummary} game */
export const goesOn = (game) =>
  !isOver(game) &&
  (game.moves > 0 || (!game.one_screen && game.players.every((kind) => kind === "human")));

// How a game stands, from the reader's seat.
/** @param {Server.GameSummary} game */
export function standing({
  you, winner, closed, seats, to_move: turn, status, one_screen: together,
}) {
  if (closed) return t("the event has ended");
  if (winner !== null && !together) return winner === you ? t("you won") : t("you lost");
  if (winner === null && seats.includes(false)) return t("waiting for a friend");
  return turn === you && !together ? t("your turn") : status.replace(/[.!]$/, "");
}

// Who it is against; empty until the opponent comes.
/** @param {Server.GameSummary} game */
export function opponent({ you, names, seats, one_screen: together }) {
  if (together) return both(names.map(nameText));
  return seats.includes(false) ? "" : t("with {name}", { name: nameText(names[2 - you]) });
}

// "Sequence Duel · your turn · with Computer (easy)"
/** @param {Server.GameSummary} game */
export function inBrief(game) {
  const theirs = !isOver(game) && !game.one_screen && game.to_move !== game.you;
  const who = theirs ? "" : opponent(game); // it is named already: "Computer (easy) to move"
  return [game.called, standing(game), who].filter(Boolean).join(" · ");
}
