// Making and changing elements. Text from the server is never treated as HTML.

import { t } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * What is unusual in a game, in a sentence; null where nothing is.
 * @param {string[]} changes
 */
export const unusual = (changes) => (
  changes.length ? t("In this game: {changes}.", { changes: changes.join(", ") }) : null);

// The page has one kind of apostrophe, whatever a text was written for.
/** @param {string} text */
export const typeset = (text) => text.replace(/(?<=[\p{L}\p{N})\u2069])'(?=\p{L})/gu, "’");

const READ = ["aria-label", "title", "placeholder", "alt"]; // attributes that people hear or see

/** @param {string} name @param {any} value */
const worded = (name, value) =>
  READ.includes(name) && typeof value === "string" ? typeset(value) : value;

/**
 * An element of the page's template.
 * @template {string} I
 * @param {I} id
 * @returns {I extends keyof Controls ? Controls[I] : HTMLElement}
 */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

// What stands in a template until there is something to show makes room for it.
export const arrive = () => document.querySelector("main > .pending")?.remove();

/**
 * @template {Element} E
 * @param {E} node
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null | undefined)[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, worded(name, value));
  }
  const there = children.filter((child) => child != null);
  node.append(...there.map((child) => (typeof child === "string" ? typeset(child) : child)));
  return node;
}

/**
 * make("button", { type: "button", onclick: go }, "Go")
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null | undefined)[]} children
 */
export const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** @param {Node | string} label @param {Record<string, any>} [attributes] */
export const button = (label, onclick, attributes) =>
  make("button", { type: "button", class: "button", onclick, ...attributes }, label);

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null | undefined)[]} children
 */
export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// A name for use in a sentence; one written from right to left keeps its direction.
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** @param {string} name */
export const isolated = (name) => (LEFTWARD.test(name) ? `\u2068${name}\u2069` : name);

export const focused = () => /** @type {HTMLElement | null} */ (document.activeElement);

/**
 * Writes a text only if it changes: a live region would read an unchanged text again.
 * @param {any} node
 * @param {string | null} text
 */
export function write(node, text) {
  const wanted = text && typeset(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}

/**
 * @param {any} node
 * @param {string} name
 * @param {string | number | boolean | null} [value] Without one, the attribute goes.
 */
export function set(node, name, value) {
  const wanted = worded(name, value);
  if (wanted == null || wanted === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(wanted)) node.setAttribute(name, wanted);
}

export const show = (node, visible) => {
  if (node.hidden === visible) node.hidden = !visible;
};

// Makes a node equal to another, changing only what differs. It keeps its style and its listeners.
export function become(node, wanted) {
  const names = new Set([...node.getAttributeNames(), ...wanted.getAttributeNames()]);
  names.delete("style");
  names.delete("open"); // what a reader has opened stays open
  for (const name of names) set(node, name, wanted.getAttribute(name));
  const [before, after] = [[...node.childNodes], /** @type {any[]} */ ([...wanted.childNodes])];
  before.slice(after.length).forEach((child) => child.remove());
  after.forEach((child, place) => {
    const here = before[place];
    if (here?.nodeName !== child.nodeName) {
      node.insertBefore(child, here ?? null);
      here?.remove();
    } else if (here instanceof Element) become(here, child);
    else write(here, child.textContent);
  });
}
