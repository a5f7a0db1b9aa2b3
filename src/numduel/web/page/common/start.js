// Starting a game and going to its page.

import { keep, recall } from "./storage.js";
import { random, sit } from "./key.js";

const AGAIN = 600_000; // milliseconds

// The same wish again soon gets the same game, not a second: its answer may have been lost.
export function nonce(wish) {
  const last = recall("wish");
  const [text, now] = [JSON.stringify(wish), Date.now()];
  if (last?.text === text && now < last.at + AGAIN) return last.nonce;
  const fresh = random();
  keep("wish", { text, nonce: fresh, at: now });
  return fresh;
}

export async function start(wish) {
  const name = recall("name", "").trim();
  const whole = { ...wish, ...(name && { name }), cookie: true };
  const made = await sit("/api/v1/games", { ...whole, nonce: nonce(whole) });
  keep("wish", null);
  // The creator's page shows the link until the friend comes, even after a reload.
  if (made.invite) keep(`invite.${made.id}`, made.invite);
  location.assign(`/play/${made.id}`);
}

// The seat that begins, if the reader sits in seat 1.
export const FIRST = { you: 1, them: 2, random: "random" };

// Who begins the next game against a computer, a friend or somebody here: "you" or "them".
/** @param {string} game @param {string} opponent */
export const inTurn = (game, opponent) => recall(`turn.${game}.${opponent}`, "you");

// Remembers who began, so that the other one begins the next game.
/** @param {Shown} shown */
export function takeTurns({ you, game }) {
  const begun = game.movers.some((seat) => game.players[seat - 1] === "human");
  if (!you || game.event || game.outcome || !begun) return;
  const people = game.one_screen ? "here" : "friend";
  const opponent = game.two_people ? people : "computer";
  keep(`turn.${game.name}.${opponent}`, game.first === you ? "them" : "you");
}

// The wish for a new game that begins in a position.
/**
 * @param {Server.Position} state
 * @param {string} [moves]
 */
export const from = (state, moves = state.text) => ({
  game: state.name,
  variant: state.variant,
  first: state.first,
  moves,
});
