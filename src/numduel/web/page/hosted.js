// The events that this browser hosts, with the secrets that prove it: so a closed tab loses none.

import { keep, recall } from "./keep.js";

const LATEST = 6;
const CODE = /^\w{6}$/;

export const looksRight = (secret) => /^[\w-]{16,64}$/.test(secret);

// [{code, secret}], the latest first. What is kept may be anything.
export function hosted() {
  const found = recall("hosted", []);
  const whole = (one) => CODE.test(one?.code) && looksRight(one.secret);
  return Array.isArray(found) ? found.filter(whole) : [];
}

export const secretOf = (code) => hosted().find((one) => one.code === code)?.secret ?? "";

export function host(code, secret) {
  const others = hosted().filter((one) => one.code !== code);
  keep("hosted", [{ code, secret }, ...others].slice(0, LATEST));
}

export const unhost = (code) => keep("hosted", hosted().filter((one) => one.code !== code));
