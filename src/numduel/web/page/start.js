// Starting a game and going to its page.

import { post } from "./api.js";
import { keep, recall } from "./keep.js";

export async function start(wish) {
  const name = recall("name", "").trim();
  const made = await post("/api/games", { ...wish, ...(name && { name }), cookie: true });
  // The creator's page shows the link until the friend has come, also after a reload.
  if (made.invite) keep(`invite.${made.id}`, made.invite);
  location.assign(`/play/${made.id}`);
}

// What a new game needs to begin where a state is.
export const from = (state, moves = state.text) => ({
  game: state.name,
  variant: state.variant,
  first: state.first,
  pie: state.pie,
  moves,
});
