// Facts about a position, each a label and a value. A list is drawn as a row of small cards; an
// empty one is told as at the prompt: a pile is empty in other words than a list of numbers.

import { make } from "../common/dom.js";
import { COLON, pgettext } from "../common/language.js";

/**
 * @param {Server.Fact[]} list
 * @param {Record<string, any>} [attributes]
 * @param {boolean} [piles]
 */
export const facts = (list, attributes, piles) =>
  make("div", { class: "row facts", hidden: !list.length, ...attributes },
    ...list.map(({ label, value }) =>
      Array.isArray(value) ? log(label, value, piles) : line(label, value)));

const line = (label, value) =>
  make("p", { class: "fact", "data-fact": label },
    make("span", { class: "fact-label" }, label, make("span", { class: "colon" }, COLON)),
    make("span", { class: "fact-value" }, value));

function log(label, values, pile) {
  const cards = values.map((text) => make("li", { class: "card" }, text));
  const none = make("li", { class: "no-card" }, pile
    ? pgettext("no cards on the discard pile", "None")
    : pgettext("an empty list of numbers", "None"));
  return make("div", { class: "log", "data-fact": label },
    make("p", { class: "log-title" }, label),
    make("ul", { class: "row log-cards", "aria-label": label }, ...(cards.length ? cards : [none])));
}
