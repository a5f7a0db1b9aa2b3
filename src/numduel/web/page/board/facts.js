// What else a player must know: a label and a value each. A list is drawn as a row of small cards.

import { make, set, write } from "../common/dom.js";
import { rows } from "../common/rows.js";

export class Facts {
  constructor(attributes) {
    this.root = make("div", { class: "facts", ...attributes });
  }

  /** @param {Server.Fact[]} facts */
  show(facts) {
    rows(this.root, facts, {
      key: ({ label, value }) => [Array.isArray(value), label],
      make: ({ label, value }) => (Array.isArray(value) ? log(label) : line(label)),
      paint: ({ lastChild }, { value }) =>
        Array.isArray(value) ? fill(lastChild, value) : write(lastChild, value),
    });
    set(this.root, "hidden", facts.length ? null : "");
  }
}

/** @param {string} label */
const line = (label) =>
  make("p", { class: "fact", "data-fact": label },
    make("span", { class: "fact-label" }, label, make("span", { class: "colon" }, ": ")),
    make("span", { class: "fact-value" }));

/** @param {string} label */
const log = (label) =>
  make("div", { class: "log", "data-fact": label },
    make("p", { class: "log-title" }, label),
    make("ul", { class: "log-cards", "aria-label": label }));

// Those that lie already stay the same elements: only a new one appears.
function fill(cards, values) {
  rows(cards, values.length ? values : ["none"], {
    make: () => make("li"),
    paint: (item, text) => {
      write(item, text);
      set(item, "class", values.length ? "card" : "no-card");
    },
  });
}
