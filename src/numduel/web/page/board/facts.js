// What else a player must know: a label and a value each. A list is drawn as a row of small cards.

import { make, set, write } from "../common/dom.js";

export class Facts {
  constructor(attributes) {
    this.known = new Map();
    this.root = make("div", { class: "facts", ...attributes });
  }

  /** @param {Server.Fact[]} facts */
  show(facts) {
    const labels = new Set(facts.map((fact) => fact.label));
    for (const [label, fact] of this.known) {
      if (labels.has(label)) continue;
      fact.root.remove();
      this.known.delete(label);
    }
    facts.forEach(({ label, value }, place) => {
      const kind = Array.isArray(value) ? Log : Value;
      let fact = this.known.get(label);
      if (!(fact instanceof kind)) {
        fact?.root.remove();
        fact = new kind(label);
        this.known.set(label, fact);
      }
      const here = this.root.children[place];
      if (here !== fact.root) this.root.insertBefore(fact.root, here ?? null);
      fact.show(value);
    });
    set(this.root, "hidden", facts.length ? null : "");
  }
}

class Value {
  constructor(label) {
    this.value = make("span", { class: "fact-value" });
    const colon = make("span", { class: "colon" }, ": ");
    const name = make("span", { class: "fact-label" }, label, colon);
    this.root = make("p", { class: "fact", "data-fact": label }, name, this.value);
  }

  /** @param {string} value */
  show(value) {
    write(this.value, value);
  }
}

// Those that lie already stay the same elements: only a new one appears.
class Log {
  constructor(label) {
    this.cards = make("ul", { class: "log-cards", "aria-label": label });
    const heading = make("p", { class: "log-title" }, label);
    this.root = make("div", { class: "log", "data-fact": label }, heading, this.cards);
  }

  /** @param {string[]} values */
  show(values) {
    const texts = values.length ? values : ["none"];
    while (this.cards.children.length > texts.length) this.cards.lastChild?.remove();
    texts.forEach((text, index) => {
      const item = this.cards.children[index] ?? this.cards.appendChild(make("li"));
      write(item, text);
      set(item, "class", values.length ? "card" : "no-card");
    });
  }
}
