// What else a player must know: a label and a value each. A list is drawn as a row of small cards.

import { make, set, write } from "./dom.js";
import { Row } from "./cards.js";

export class Facts {
  constructor(attributes) {
    this.known = new Map();
    this.root = make("div", { class: "facts", ...attributes });
  }

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
    this.root = make("p", { class: "fact", "data-fact": label }, `${label}: `, this.value);
  }

  show(value) {
    write(this.value, value);
  }
}

class Log extends Row {
  constructor(label) {
    super("log", { "data-fact": label }, label);
  }

  show(values) {
    this.deal(values, "none");
  }
}
