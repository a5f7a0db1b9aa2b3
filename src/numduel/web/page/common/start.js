// Starting a game and going to its page.

import { keep, recall } from "./storage.js";
import { random, sit } from "./key.js";

const AGAIN = 600_000; // milliseconds

// The same wish again soon, because its answer was lost, is the same game and not a second.
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
  const made = await sit("/api/games", { ...whole, nonce: nonce(whole) });
  keep("wish", null);
  // The creator's page shows the link until the friend has come, also after a reload.
  if (made.invite) keep(`invite.${made.id}`, made.invite);
  location.assign(`/play/${made.id}`);
}

// What a new game needs to begin where a state is.
/**
 * @param {Server.Position} state
 * @param {string} [moves]
 */
export const from = (state, moves = state.text) => ({
  game: state.name,
  variant: state.variant,
  first: state.first,
  pie: state.pie,
  moves,
});
