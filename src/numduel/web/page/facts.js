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
    for (const { label, value } of facts) {
      if (!this.known.has(label)) {
        const fact = Array.isArray(value) ? new Log(label) : new Value(label);
        this.known.set(label, fact);
        this.root.append(fact.root);
      }
      this.known.get(label).show(value);
    }
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
