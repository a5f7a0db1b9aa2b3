// The key of this browser proves its seats in all games, in a cookie that scripts cannot read. A
// new browser makes a key and keeps it here until the server has set the cookie: if the answer is
// lost, the repeated request then comes from the same player.

import { post } from "./api.js";
import { keep, recall } from "./storage.js";

let made = null; // for browsers that store nothing

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

// Sends a request that gives this browser a seat.
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

// Renews the cookie. Also recovers a seat if the answer that gave it was lost.
export async function renew(id) {
  const answer = await post(`/api/v1/games/${id}/key`, { key: key() });
  if (answer.you) taken();
  return answer;
}
