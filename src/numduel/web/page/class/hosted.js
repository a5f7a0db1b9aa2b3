// The events that this browser hosts, with the secrets that prove it: so a closed tab loses none.
// Of one that is over, only the tab knows it still.

import { keep, recall, recallList, tab } from "../common/storage.js";

const LATEST = 6;
const CODE = /^\w{6}$/;

/** @param {string} secret */
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

/**
 * @param {Server.Event} event
 * @param {string} secret
 */
export function host({ code, phase }, secret) {
  keep(inTab(code), secret, tab);
  if (phase !== "ended") keep("hosted", [{ code, secret }, ...others(code)].slice(0, LATEST));
}

// An event that is over: who comes to this browser later does not find it.
export const over = (code) => keep("hosted", others(code));

export function unhost(code) {
  keep(inTab(code), null, tab);
  over(code);
}

// Where an event is directed. The secret is not in the address, where a whole room may read it,
// unless this browser keeps nothing.
export const hostPath = (code, secret) =>
  `/arena/${code}/host${secretOf(code) === secret ? "" : `#${secret}`}`;
