// The three ways to tell the player something: the error line, the banner, and the spoken line.

import { arrive, byId, focused, make, set, write } from "./dom.js";
import { t } from "./language.js";

let unreached = false; // whether the alert says that the server cannot be reached

// Shows an alert, with the failure behind it, if any.
/** @param {{ status?: number }} [failure] */
export function fail(sentence, failure) {
  unreached = failure?.status === 0;
  if (sentence) arrive();
  set(byId("error"), "data-refused", failure?.status === 403);
  write(byId("error"), sentence);
}

export const clear = () => fail("");

// Clears an alert that the server cannot be reached.
export const reached = () => unreached && clear();

const OFFLINE = t("You are offline, and this needs the server. It goes on by itself when you are" +
  " connected again.");

/** @returns {Promise<unknown>} */
const connected = () => new Promise((done) => addEventListener("online", done, { once: true }));

// Does something and shows its error, if any. Without a connection, does it once there is one.
/**
 * @template T
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T | null>}
 */
export async function attempt(work) {
  try {
    clear();
    return await work();
  } catch (error) {
    const offline = error.status === 0 && navigator.onLine === false;
    fail(offline ? OFFLINE : error.message, error);
    if (!offline) return null;
  }
  await connected();
  return attempt(work);
}

// Handles a form on the page instead of sending it.
/** @param {string} id @param {() => unknown} work */
export const onSubmit = (id, work) =>
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(work);
  });

// Does what a button is for; ignores further presses until that is done.
/** @param {HTMLElement} button @param {() => unknown} work */
export async function once(button, work) {
  if (button.hasAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  await attempt(work);
  button.removeAttribute("aria-busy");
}

let spoken;
/** @param {string} text */
export function announce(text) {
  if (!spoken) {
    spoken = make("p", { class: "unseen", "aria-live": "polite", id: "announcer" });
    document.body.append(spoken);
  }
  write(spoken, text);
}

let fading;
export function banner(text, seconds = 0) {
  const node = byId("banner");
  clearTimeout(fading);
  write(node, text);
  if (seconds) fading = setTimeout(() => banner(""), seconds * 1000);
}

// Shows the state of a live connection; `gone` is the sentence for one that is gone, if the server
// does not say why.
/** @param {string} gone */
export function connection(gone) {
  let lost = false;
  return (state, why = "") => {
    if (state === "open") reached();
    if (state === "gone") {
      banner("");
      fail(why || gone);
    } else if (state === "lost") {
      banner(t("Connection lost. Trying again…"));
    } else if (lost) {
      banner(t("Connected again."), 3);
    }
    lost = state === "lost";
  };
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

// A path of this server as an address for other devices. On the server's own machine, the server
// says what that is.
/** @param {string} path */
export const outside = (path) => {
  const { origin } = document.body.dataset;
  return new URL(path, LOOPBACK.includes(location.hostname) && origin ? origin : location.href);
};

// Whether other devices can reach this server.
export const reachable = () => !LOOPBACK.includes(outside("/").hostname);

const labelling = new WeakMap(); // timers of buttons that say "Copied"

// Without https there is only the old way, through a selection.
async function toClipboard(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const back = focused();
  const field = make("textarea", { class: "unseen", readonly: true });
  (back?.closest("dialog") ?? document.body).append(field);
  field.value = text;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  back?.focus({ preventScroll: true });
  if (!done) throw new Error("nothing was copied");
}

export async function copy(text, button) {
  button.dataset.label ??= button.textContent; // it may say "Copied" already
  try {
    await toClipboard(text);
    // The button keeps its width, so nothing beside it moves.
    button.style.minWidth = `${button.getBoundingClientRect().width}px`;
    write(button, t("Copied"));
    announce(t("Copied."));
  } catch {
    // Without permission the player can still copy it by hand.
    fail(t("Please copy this by hand: {text}", { text }));
    return;
  }
  clearTimeout(labelling.get(button));
  labelling.set(button, setTimeout(() => write(button, button.dataset.label ?? ""), 2000));
}
