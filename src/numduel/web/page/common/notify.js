// The three ways to tell the player something: the error line, the banner, and the spoken line.

import { byId, focused, make, write } from "./dom.js";

let unreached = false; // the alert says that the server cannot be reached

// An alert for screen readers too. With the failure that it is about, if there was one.
/**
 * @param {string} sentence
 * @param {{ status?: number }} [failure]
 */
export function fail(sentence, failure) {
  unreached = failure?.status === 0;
  write(byId("error"), sentence);
}

export const clear = () => fail("");

// What was said about a server that could not be reached is not true any more.
export const reached = () => unreached && clear();

// Whatever a promise of the page throws ends up where the player sees it.
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
    fail(error.message, error);
    return null;
  }
}

// A form that the page sends by itself.
/** @param {string} id @param {() => unknown} work */
export const onSubmit = (id, work) =>
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(work);
  });

// What a button does. A second press while the first is on its way is none.
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
/**
 * @param {string} text
 * @param {number} [seconds]
 */
export function banner(text, seconds = 0) {
  const node = byId("banner");
  clearTimeout(fading);
  write(node, text);
  if (seconds) fading = setTimeout(() => banner(""), seconds * 1000);
}

// Tells how a live connection is: lost, there again, or, in this sentence, gone.
/** @param {string} gone */
export function connection(gone) {
  let lost = false;
  return (state) => {
    if (state === "open") reached();
    if (state === "gone") {
      banner("");
      fail(gone);
    } else if (state === "lost") {
      banner("Connection lost. Trying again…");
    } else if (lost) {
      banner("Connected again.", 3);
    }
    lost = state === "lost";
  };
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

// A path of this server as an address for other devices. Who sits at the server itself is told by
// the server what that is.
/** @param {string} path */
export const outside = (path) => {
  const { origin } = document.body.dataset;
  return new URL(path, LOOPBACK.includes(location.hostname) && origin ? origin : location.href);
};

// Whether another device can use it.
export const reachable = () => !LOOPBACK.includes(outside("/").hostname);

const labelling = new WeakMap(); // the timers of the buttons that say "Copied"

// Without https there is only the old way, by a selection.
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

/**
 * @param {string} text
 * @param {HTMLElement} button
 */
export async function copy(text, button) {
  button.dataset.label ??= button.textContent; // pressed twice, it says "Copied" already
  try {
    await toClipboard(text);
    // What stands beside it stays there.
    button.style.minWidth = `${button.getBoundingClientRect().width}px`;
    write(button, "Copied");
    announce("Copied.");
  } catch {
    // No clipboard without permission: the player can still copy it by hand.
    fail(`Please copy this by hand: ${text}`);
    return;
  }
  clearTimeout(labelling.get(button)); // pressed again, it says so for as long again
  labelling.set(button, setTimeout(() => write(button, button.dataset.label ?? ""), 2000));
}
