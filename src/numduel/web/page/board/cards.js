// The cards of a game with a deck: a row for each player, and between them the deck, the drawn card
// and the discard pile.

import { become, make, set, show, write } from "../common/dom.js";
import { pgettext, t } from "../common/language.js";
import { rows } from "../common/rows.js";
import { facts } from "./facts.js";
import { glide, move } from "./motion.js";

const MOST = 9; // places drawn before there are cards on them

export class Cards {
  /** @type {string[]} */ ends;
  /** @type {Seat} */ mover;
  /** @type {string} */ discards;
  /** @type {boolean} */ dealt;

  constructor() {
    this.rows = [1, 2].map((seat) => new Sequence(seat));
    this.card = make("span", { class: "card" });
    this.back = make("span", { class: "card back", "aria-hidden": "true" });
    this.facts = make("div");
    this.drawn = make("div", { id: "drawn", class: "spot" }, title(t("Drawn card")), this.card);
    this.stock = make("div", { class: "spot stock" }, this.back, this.facts);
    this.pile = new Pile();
    this.root = make(
      "div",
      { class: "cards" },
      this.rows[0].root,
      make("div", { class: "middle" }, this.stock, this.drawn, this.pile.root),
      this.rows[1].root,
    );
  }

  /** @param {Server.Position} state */
  show(state) {
    this.ends = state.layout.ends ?? [];
    this.mover = state.to_move;
    // The one move with a card that puts it at no end of a row.
    const others = state.legal.filter(({ label }) => !this.ends.includes(label));
    this.discards = others.length === 1 ? others[0].label : "";
    show(this.root, state.deck);
    if (!state.deck) return;
    const from = this.card.getBoundingClientRect();
    this.rows.forEach((row) => row.show(state, from));
    this.deal(state.card);
    const over = state.outcome !== null;
    // At the end nothing more is drawn, but a card that was not played is still there.
    set(this.root, "data-over", over);
    set(this.drawn, "data-none", over && state.card == null);
    const beside = state.facts.filter((fact) => !fact.seat && !Array.isArray(fact.value));
    become(this.facts, facts(beside));
    this.pile.show(state);
  }

  deal(card) {
    const text = card == null ? pgettext("no cards", "none") : String(card);
    const fresh = this.card.textContent !== text && card != null;
    write(this.card, text);
    set(this.card, "data-none", card == null);
    const turned = { transform: "rotateY(90deg)" };
    if (fresh && this.dealt) move(this.card, turned, { transform: "none" });
    this.dealt = true;
  }

  // The place where the card is put to make the move with this label, or null.
  home(label) {
    const end = this.ends.indexOf(label);
    if (end >= 0 && this.mover) return this.rows[this.mover - 1].slots[end];
    return this.pile.pile && label === this.discards ? this.pile.slot : null;
  }

  // The ends of the mover's row where the card does not fit; an empty row has one end only.
  /** @param {Server.Position} state */
  wrong({ legal, hands, to_move: mover, layout }) {
    if (!legal.length || !mover || !hands[mover - 1].length) return [];
    const allowed = new Set(legal.map(({ label }) => label));
    const ends = (layout.ends ?? []).filter((label) => !allowed.has(label));
    return ends.map((label) => ({ move: label, label, offer: label, wrong: true }));
  }
}

const title = (text) => make("span", { class: "spot-title" }, text);

// The pile between the rows.
class Pile {
  constructor() {
    this.name = title("");
    this.top = make("span", { class: "card" });
    this.slot = make("span", { class: "slot" });
    this.root = make("div", { class: "spot pile" }, this.name, this.top, this.slot);
  }

  /** @param {Server.Position} state */
  show({ facts, layout }) {
    const lists = facts.filter((fact) => !fact.seat && Array.isArray(fact.value));
    this.pile = layout.kind === "rows" ? lists[0] : null;
    show(this.root, Boolean(this.pile));
    if (!this.pile) return;
    write(this.name, this.pile.label);
    write(this.top, this.pile.value.at(-1) ?? "");
    set(this.top, "data-none", !this.pile.value.length);
  }
}

// A player's cards, the places for more of them, and a slot at each end.
class Sequence {
  constructor(seat) {
    this.seat = seat;
    this.hand = [];
    this.mark = make("span", { class: "mark", "data-owner": seat, "aria-hidden": "true" });
    this.cards = make("ul", { class: "row-cards" });
    this.slots = ["front", "behind"].map((end) => make("span", { class: `slot ${end}` }));
    this.root = make(
      "div",
      { class: "sequence", "data-hand": seat, role: "group" },
      this.mark,
      this.slots[0],
      this.cards,
      this.slots[1],
    );
  }

  /** @param {Server.Position} state */
  show(state, from) {
    const hand = state.hands[this.seat - 1].map(String);
    const places = state.layout.places ?? hand.length;
    const drawn = Math.max(Math.min(places, Math.max(hand.length + 1, MOST)), hand.length, 1);
    show(this.root, state.has_hands);
    set(this.root, "aria-label", t("Cards of {name}", { name: state.names[this.seat - 1] }));
    set(this.root, "data-turn", state.to_move === this.seat);
    set(this.root, "data-winner", state.outcome?.winner === this.seat);
    set(this.root, "data-many", drawn > MOST);
    this.root.style.setProperty("--places", String(drawn));
    this.root.style.setProperty("--next", String(Math.min(hand.length, drawn - 1) + 2));
    write(this.mark, state.markers[this.seat - 1]);
    set(this.root, "data-empty", !hand.length);
    this.lay(hand, drawn);
    this.animate(hand, from);
    this.hand = hand;
  }

  // Cards that lie there already stay the same elements.
  lay(hand, places) {
    const free = { class: "place", "aria-hidden": "true" };
    rows(this.cards, Array.from({ length: places }, (_, place) => hand[place] ?? ""), {
      make: (card) => make("li", card ? { class: "card" } : free, card),
      paint: (item) => (item.style.gridColumn = String(Number(item.dataset.key) + 2)),
    });
  }

  // A new card glides in from where it was, and those behind it make room.
  animate(hand, from) {
    const { hand: before } = this;
    if (hand.length !== before.length + 1 || !from.width) return;
    const items = [...this.cards.children].slice(0, hand.length);
    const first = before.some((card, index) => hand[index] !== card);
    glide(items[first ? 0 : hand.length - 1], from);
    if (first) {
      const step = items[0].getBoundingClientRect();
      items.slice(1).forEach((item) => {
        const { x, y } = item.getBoundingClientRect();
        glide(item, { x: x - step.width, y });
      });
    }
  }
}
