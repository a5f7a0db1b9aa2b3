// Cards side by side, and the drawn card of a game that has a deck.

import { make, set, show, write } from "./dom.js";

export class DrawnCard {
  constructor() {
    this.drawn = new Row("drawn", { id: "drawn" }, "Drawn card");
    const back = make("span", { class: "card back", "aria-hidden": "true" });
    this.pile = make("div", { class: "pile" }, back);
    this.root = make("div", { class: "cards" }, this.drawn.root, this.pile);
  }

  // In the end nothing more is drawn; a card that was not played any more is still there.
  show(state) {
    const over = state.outcome !== null;
    show(this.root, state.deck && !(over && state.card == null));
    show(this.pile, !over);
    if (state.deck) this.drawn.deal(state.card == null ? [] : [state.card], "none");
  }
}

// Those that lie already stay the same elements: only a new one appears.
export class Row {
  constructor(look, attributes, title) {
    this.cards = make("ul", { class: "row-cards", "aria-label": title ?? "Cards" });
    const heading = title && make("p", { class: "row-title" }, title);
    this.root = make("div", { class: look, ...attributes }, heading, this.cards);
  }

  deal(texts, nothing) {
    const shown = texts.length ? texts.map(String) : [nothing];
    while (this.cards.children.length > shown.length) this.cards.lastChild.remove();
    shown.forEach((text, index) => {
      const card = this.cards.children[index] ?? this.cards.appendChild(make("li"));
      write(card, text);
      set(card, "class", texts.length ? "card" : "no-card");
    });
  }
}
