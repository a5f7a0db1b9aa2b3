// The events that this browser hosts, with their secrets, so that closing a tab loses none. Once an
// event is over, only its tab still knows the secret.

import { keep, recall, recallList, tab } from "../common/storage.js";

const LATEST = 6;
const CODE = /^\w{6}$/;

export const looksRight = (secret) => /^[\w-]{16,64}$/.test(secret);

// [{code, secret}], the latest first.
export const hosted = () =>
  recallList("hosted", (one) => CODE.test(one?.code) && looksRight(one.secret));

const others = (code) => hosted().filter((one) => one.code !== code);

const inTab = (code) => `host.${code}`;

/**
 * @param {string} code
 * @returns {string}
 */
export const secretOf = (code) =>
  recall(inTab(code), null, tab) ?? hosted().find((one) => one.code === code)?.secret ?? "";

/** @param {Server.Event} event */
export function host({ code, phase }, secret) {
  keep(inTab(code), secret, tab);
  if (phase !== "ended") keep("hosted", [{ code, secret }, ...others(code)].slice(0, LATEST));
}

// Forgets an event that is over: later users of this browser do not find it.
export const over = (code) => keep("hosted", others(code));

export function unhost(code) {
  keep(inTab(code), null, tab);
  over(code);
}

// The host's page. The secret is in the address, where a whole room may read it, only if this
// browser cannot store it.
export const hostPath = (code, secret) =>
  `/arena/${code}/host${secretOf(code) === secret ? "" : `#${secret}`}`;
