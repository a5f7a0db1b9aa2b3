// Facts about a position, each a label and a value. A list is drawn as a row of small cards.

import { make } from "../common/dom.js";
import { COLON, pgettext } from "../common/language.js";

/**
 * @param {Server.Fact[]} list
 * @param {Record<string, any>} [attributes]
 */
export const facts = (list, attributes) =>
  make("div", { class: "row facts", hidden: !list.length, ...attributes },
    ...list.map(({ label, value }) => (Array.isArray(value) ? log : line)(label, value)));

const line = (label, value) =>
  make("p", { class: "fact", "data-fact": label },
    make("span", { class: "fact-label" }, label, make("span", { class: "colon" }, COLON)),
    make("span", { class: "fact-value" }, value));

function log(label, values) {
  const cards = values.map((text) => make("li", { class: "card" }, text));
  const none = make("li", { class: "no-card" }, pgettext("no cards", "none"));
  return make("div", { class: "log", "data-fact": label },
    make("p", { class: "log-title" }, label),
    make("ul", { class: "row log-cards", "aria-label": label }, ...(cards.length ? cards : [none])));
}
