// Talking to the server: JSON in, JSON out, and every failure as one sentence for the player.

import { nameGiven, t } from "./language.js";

export class Failure extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status; // 0 when the server was not reached
  }
}

async function answered(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch {
    const why = navigator.onLine === false ? t("You are offline.") : t("The server cannot be reached.");
    throw new Failure(`${why} ${t("Nothing is lost: please try again.")}`, 0);
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => null);
  const { status } = answer;
  throw new Failure(body?.error ?? t("The server answered with an error ({status}).", { status }), status);
}

/**
 * @template {string} P
 * @param {P} path
 * @param {RequestInit} options
 * @returns {Promise<Answer<P>>}
 */
const ask = async (path, options) => (await answered(path, options)).json().catch(() => null);

// A secret goes in a header, never in an address.
/** @param {string} [secret] @returns {Record<string, string>} */
const proof = (secret) => (secret ? { Authorization: `Bearer ${secret}` } : {});

/**
 * @template {string} P
 * @param {P} path
 * @param {string} [secret]
 */
export const get = (path, secret) => ask(path, { headers: proof(secret) });

/**
 * @template {string} P
 * @param {P} path
 */
export const post = (path, body = {}, secret = "") =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...proof(secret) },
    body: JSON.stringify(body),
  });

/** @param {string} path @param {string} secret */
export const remove = (path, secret) =>
  answered(path, { method: "DELETE", headers: proof(secret) });

/** @param {string} path @param {string} secret */
export const file = async (path, secret) =>
  (await answered(path, { headers: proof(secret) })).blob();

// Every page asks for the catalogue once.
/** @type {Promise<Server.Rules[]> | undefined} */
let catalogue;
export const rules = () => (catalogue ??= get("/api/v1/rules"));

// {n: 21, k: 4} in the notation: "n=21 k=4".
/** @param {Record<string, string | number>} [variant] */
export const variantText = (variant) =>
  Object.entries(variant ?? {}).map(([name, value]) => `${name}=${value}`).join(" ");

/**
 * A position as the query of /api/v1/position, /api/v1/values, /api/v1/report and /analyse.
 * @param {Place} state
 */
export function query(state, moves = state.text) {
  const parts = new URLSearchParams({ game: state.name });
  const variant = variantText(state.variant);
  if (variant) parts.set("variant", variant);
  if (Number(state.first) === 2) parts.set("first", "2");
  if (moves) parts.set("moves", moves);
  (state.names ?? []).forEach((name, index) => {
    const given = name && nameGiven(name);
    if (given && given !== `Player ${index + 1}`) parts.set(`name${index + 1}`, given);
  });
  return parts.toString();
}
