// What else a player must know: a label and a value each. A list is drawn as a row of small cards.

import { make, set } from "../common/dom.js";
import { rows } from "../common/rows.js";

export class Facts {
  constructor(attributes) {
    this.root = make("div", { class: "facts", ...attributes });
  }

  /** @param {Server.Fact[]} facts */
  show(facts) {
    rows(this.root, facts, {
      key: ({ label, value }) => [Array.isArray(value), label],
      make: ({ label, value }) => (Array.isArray(value) ? log(label, value) : line(label, value)),
    });
    set(this.root, "hidden", facts.length ? null : "");
  }
}

const line = (label, value) =>
  make("p", { class: "fact", "data-fact": label },
    make("span", { class: "fact-label" }, label, make("span", { class: "colon" }, ": ")),
    make("span", { class: "fact-value" }, value));

function log(label, values) {
  const cards = values.map((text) => make("li", { class: "card" }, text));
  const none = make("li", { class: "no-card" }, "none");
  return make("div", { class: "log", "data-fact": label },
    make("p", { class: "log-title" }, label),
    make("ul", { class: "log-cards", "aria-label": label }, ...(cards.length ? cards : [none])));
}
