// What lies on the table: the drawn card of a game that has cards, and the facts that every player
// must know. A fact is a label with a text, or with several texts, such as a pile of cards.

import { make, set, show, write } from "./dom.js";

export class Table {
  constructor() {
    this.drawn = new Row("drawn", { id: "drawn" }, "Drawn card");
    this.back = make("span", { class: "card back", "aria-hidden": "true" });
    this.lines = make("div", { class: "facts" });
    this.pile = make("div", { class: "pile" }, this.lines, this.back);
    this.piles = new Map(); // by label
    this.root = make("div", { class: "cards" }, this.drawn.root, this.pile);
  }

  show(state) {
    const facts = state.facts.filter((fact) => fact.seat == null);
    const piles = facts.filter((fact) => state.deck && Array.isArray(fact.value));
    show(this.root, state.deck || facts.length > 0);
    show(this.drawn.root, state.deck);
    show(this.back, state.deck);
    if (state.deck) this.drawn.deal(state.card == null ? [] : [state.card], "none");
    list(this.lines, facts.filter((fact) => !piles.includes(fact)).map(factText));
    for (const { label, value } of piles) this.dealt(label).deal(value, "none");
    // The analysis board may change to a game without them.
    const labels = new Set(piles.map((pile) => pile.label));
    this.piles.forEach((row, label) => show(row.root, labels.has(label)));
  }

  // The row of a pile, which is put on the table when there is first something to say of it.
  dealt(label) {
    if (!this.piles.has(label)) {
      const row = new Row("fact-cards", { "data-fact": label }, label);
      this.piles.set(label, row);
      this.root.append(row.root);
    }
    return this.piles.get(label);
  }
}

// "Selected numbers: 2, 4"
export const factText = ({ label, value }) =>
  `${label}: ${Array.isArray(value) ? value.join(", ") || "none" : value}`;

// One line for each text.
export function list(root, texts) {
  while (root.children.length > texts.length) root.lastChild.remove();
  texts.forEach((text, index) =>
    write(root.children[index] ?? root.appendChild(make("span", { class: "fact" })), text),
  );
}

// Cards side by side. Those that lie already stay the same elements: only a new one appears.
export class Row {
  constructor(look, attributes, title) {
    this.cards = make("ul", { class: "row-cards", "aria-label": title ?? "Cards" });
    const heading = title && make("p", { class: "row-title" }, title);
    this.root = make("div", { class: look, ...attributes }, heading, this.cards);
  }

  deal(numbers, nothing) {
    const texts = numbers.length ? numbers.map(String) : [nothing];
    while (this.cards.children.length > texts.length) this.cards.lastChild.remove();
    texts.forEach((text, index) => {
      const card = this.cards.children[index] ?? this.cards.appendChild(make("li"));
      write(card, text);
      set(card, "class", numbers.length ? "card" : "no-card");
    });
  }
}
