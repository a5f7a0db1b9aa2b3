// The games of this browser, which the server knows by its key.

import { get } from "../common/api.js";
import { recent } from "../common/storage.js";
import { renew } from "../common/key.js";

// {games, total}: some games, the latest first, and how many there are. Those that are remembered
// here and missing there are of an earlier version, or an answer was lost: they are found again.
export async function myGames(skip = 0) {
  const look = () => get(`/api/games?skip=${skip}`);
  const found = await look();
  const missing = skip ? [] : recent().filter((id) => !found.games.some((one) => one.id === id));
  const again = await Promise.all(missing.map((id) => renew(id).catch(() => null)));
  return again.some((answer) => answer?.you) ? look() : found;
}

// One that nobody has touched is not missed.
/** @param {Server.GameSummary} game */
export const goesOn = ({ winner, moves, players, one_screen: together }) =>
  winner === null && (moves > 0 || (!together && players.every((kind) => kind === "human")));

// How a game stands, from where the reader sits.
/** @param {Server.GameSummary} game */
export function standing({ you, winner, seats, to_move: turn, status, one_screen: together }) {
  if (winner !== null && !together) return winner === you ? "you won" : "you lost";
  if (winner === null && seats.includes(false)) return "waiting for a friend";
  return turn === you && !together ? "your turn" : status.replace(/[.!]$/, "");
}

// Against whom it is; nothing while nobody has come.
/** @param {Server.GameSummary} game */
export function opponent({ you, names, seats, one_screen: together }) {
  if (together) return names.join(" and ");
  return seats.includes(false) ? "" : `with ${names[2 - you]}`;
}
