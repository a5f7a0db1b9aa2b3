// The cards of a game that has them: the drawn card, the deck and the discards, each in a row.

import { make, set, show, write } from "./dom.js";

export class Table {
  constructor() {
    this.drawn = new Row("drawn", { id: "drawn" }, "Drawn card");
    this.discards = new Row("discards", { id: "discards" }, "Discarded");
    this.left = make("p", { class: "row-title", id: "left" });
    const back = make("span", { class: "card back", "aria-hidden": "true" });
    const pile = make("div", { class: "pile" }, this.left, back);
    this.root = make("div", { class: "cards" }, this.drawn.root, pile, this.discards.root);
  }

  show(state) {
    show(this.root, state.deck);
    if (!state.deck) return;
    this.drawn.deal(state.card == null ? [] : [state.card], "none");
    this.discards.deal(state.discards, "none");
    write(this.left, `${state.left} ${state.left === 1 ? "card" : "cards"} left`);
  }
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
