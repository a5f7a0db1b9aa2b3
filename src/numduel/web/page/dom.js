// Making and changing elements. What comes from the server is set as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

// make("button", { type: "button", onclick: go }, "Go")
export const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// A name within a sentence, which keeps its own direction if it is written from right to left.
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
export const isolated = (name) => (LEFTWARD.test(name) ? `\u2068${name}\u2069` : name);

// Only real changes touch the page: a live region would read an unchanged text again.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function set(node, name, value) {
  if (value == null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

export const show = (node, visible) => {
  if (node.hidden === visible) node.hidden = !visible;
};
