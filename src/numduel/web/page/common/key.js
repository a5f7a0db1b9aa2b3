// The key of this browser proves its seats in all games. It is a cookie that no script can read.
// A browser that has none yet makes one, and keeps it here until the server has taken it: the same
// request again, if its answer was lost, then comes from the same player.

import { post } from "./api.js";
import { keep, recall } from "./storage.js";

let made = null; // for who cannot keep anything

// 256 random bits, as base64url.
export function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function key() {
  const kept = recall("key");
  made = /^[\w-]{43}$/.test(kept) ? kept : (made ?? random());
  keep("key", made);
  return made;
}

function taken() {
  made = null;
  keep("key", null);
}

// Asks for something that gives a seat to this browser.
/**
 * @template {string} P
 * @param {P} path
 * @param {object} body
 */
export async function sit(path, body) {
  const answer = await post(path, { ...body, key: key() });
  taken();
  return answer;
}

// Has the browser keep its key for longer. The answer to something that gave a seat here may have
// been lost, or an earlier version kept the seat in another way: then it is known again.
export async function renew(id) {
  const answer = await post(`/api/games/${id}/key`, { key: key() });
  if (answer.you) taken();
  return answer;
}
