// The one renderer of a state: players, status, number tiles, facts, cards and the other moves.
// It knows no rule. A legal move with the name of a tile is made by pressing that tile, every other
// legal move is a button. Nodes are changed in place, so that the focus stays where it is.

import { capital, make, set, show, write } from "./dom.js";
import { Cells, result } from "./cells.js";
import { DrawnCard, Row } from "./cards.js";
import { Facts } from "./facts.js";

export class Board {
  // press(move, legal): what to do when somebody presses a tile or a move button.
  constructor(root, press) {
    this.press = press;
    this.worths = new Map();
    this.players = [1, 2].map((seat) => new Player(seat));
    this.holdings = [1, 2].map((seat) => new Holding(seat));
    this.status = make("p", { id: "status", class: "status", tabindex: "-1" });
    this.said = make("p", { id: "said", class: "said" });
    this.cells = new Cells((label) => this.press(label, this.legal.has(label)));
    this.drawn = new DrawnCard();
    this.facts = new Facts({ id: "facts" });
    this.choices = make("div", { class: "choices", role: "group", "aria-label": "Moves" });
    this.legend = make("p", { id: "legend", class: "legend" });
    root.classList.add("board", "empty");
    this.lines = make("div", { class: "lines" }, this.status, this.said);
    this.held = make("div", { class: "holdings" }, ...this.holdings.map(({ root }) => root));
    // What is pressed comes before all that grows: a tile must not move under the finger.
    root.append(
      make("div", { class: "players" }, ...this.players.map((player) => player.root)),
      this.lines,
      this.cells.root,
      this.drawn.root,
      this.choices,
      this.held,
      this.facts.root,
      this.legend,
    );
    this.root = root;
  }

  // open: may the viewer move now? status: a sentence instead of the server's.
  // you: the viewer's seat. notes: two lists of short texts for the players' panels.
  // past: an earlier position, in which it is nobody's turn now.
  show(state, options = {}) {
    const { open = false, status, you = null, notes = [[], []] } = options;
    const { busy = false, past = false } = options;
    this.root.classList.remove("empty");
    this.state = state;
    this.open = open;
    this.legal = new Set(state.legal.map((option) => option.move));
    set(this.root, "data-cards", state.deck);
    set(this.root, "data-buttons", state.cells.length === 0);
    this.players.forEach((player, index) => player.show(state, you, notes[index], past));
    this.holdings.forEach((holding) => holding.show(state));
    show(this.held, this.holdings.some((holding) => !holding.root.hidden));
    write(this.status, status ?? state.status);
    set(this.status, "data-busy", busy);
    write(this.said, state.said);
    this.draw();
  }

  // The value of every option upon its tile or button; null takes them away.
  values(answer) {
    this.worths = new Map((answer?.options ?? []).map((option) => [option.move, option]));
    write(this.legend, answer?.legend ?? "");
    this.draw();
  }

  draw() {
    const { state, open, legal, worths } = this;
    this.cells.show(state, open ? legal : new Set(), worths);
    this.drawn.show(state);
    this.facts.show(state.facts.filter((fact) => !fact.seat));
    const labels = new Set(state.cells.map((cell) => cell.label));
    const others = open ? state.legal.filter((option) => !labels.has(option.move)) : [];
    this.buttons(others, worths);
  }

  // One button a label: "end" stays the same button when the next card comes.
  buttons(options, worths) {
    const wanted = new Map(options.map((option) => [option.label, option]));
    for (const button of [...this.choices.children]) {
      if (wanted.has(button.dataset.label)) continue;
      // A button that holds the focus waits, switched off, until the focus has gone or the game
      // is over.
      const focused = button === document.activeElement;
      if (focused && this.state.outcome) this.status.focus({ preventScroll: true });
      if (focused && !this.state.outcome) set(button, "aria-disabled", "true");
      else button.remove();
    }
    let place = this.choices.firstChild;
    for (const { move, label } of options) {
      let button = [...this.choices.children].find((child) => child.dataset.label === label);
      // A new one is put in its place; one that is there is not moved, or it would lose the focus.
      if (button) place = button.nextSibling;
      else button = this.choices.insertBefore(this.button(label), place);
      set(button, "data-move", move);
      set(button, "aria-disabled", null);
      // A word begins with a capital; a move in the notation, such as a3, stays as it is.
      write(button.firstChild, /^[a-z]{3}/.test(label) ? capital(label) : label);
      const value = worths.get(move);
      set(button, "data-best", value?.best);
      set(button, "data-result", result(value));
      write(button.lastChild, value ? `${value.best ? "★ " : ""}${value.worth}` : "");
    }
    // Where all moves are buttons, their place is kept while it is the other's turn.
    const kept = this.root.hasAttribute("data-buttons") && !this.state.outcome;
    show(this.choices, kept || this.choices.children.length > 0);
  }

  button(label) {
    const onclick = ({ currentTarget: { dataset, ariaDisabled } }) => {
      if (!ariaDisabled) this.press(dataset.move, true);
    };
    return make(
      "button",
      { type: "button", class: "button choice", "data-label": label, onclick },
      make("span"),
      make("span", { class: "worth" }),
    );
  }
}

// A player's panel: mark, name, notes such as "you", and whether it is their turn.
class Player {
  constructor(seat) {
    this.seat = seat;
    this.mark = make("span", { class: "mark", "data-owner": seat });
    this.name = make("span", { class: "player-name" });
    this.turn = make("span", { class: "turn" });
    this.notes = make("span", { class: "notes" });
    this.cards = new Row("sequence", { "data-hand": seat });
    this.root = make(
      "div",
      { class: "player", "data-seat": seat },
      this.mark,
      make("span", { class: "player-text" }, this.name, this.notes),
      this.turn,
      this.cards.root,
    );
  }

  show(state, you, notes, past) {
    const { seat } = this;
    const winner = state.outcome?.winner === seat;
    write(this.mark, state.markers[seat - 1]);
    write(this.name, state.names[seat - 1]);
    set(this.name, "title", state.names[seat - 1]); // a long one is cut
    set(this.root, "data-turn", state.to_move === seat);
    set(this.root, "data-winner", winner);
    const turn = you === seat && !past ? "Your turn" : "To move";
    write(this.turn, winner ? "★ Winner" : state.to_move === seat ? turn : "");
    this.note(you === seat ? ["you", ...notes] : notes);
    const cards = state.deck && state.has_hands;
    show(this.cards.root, cards);
    if (cards) this.cards.deal(state.hands[seat - 1], "no card yet");
  }

  // A note is a text; "here" and "away" get a dot that is full or empty.
  note(notes) {
    while (this.notes.children.length > notes.length) this.notes.lastChild.remove();
    notes.forEach((text, index) => {
      const node = this.notes.children[index] ?? this.notes.appendChild(make("span"));
      write(node, text);
      set(node, "data-note", text);
    });
  }
}

// What a player has and what is told of it: below the board, because it grows.
class Holding {
  constructor(seat) {
    this.seat = seat;
    this.mark = make("span", { class: "mark", "data-owner": seat, "aria-hidden": "true" });
    this.hand = make("p", { class: "hand" });
    this.facts = new Facts({ "data-facts": seat });
    const text = make("div", {}, this.hand, this.facts.root);
    this.root = make("div", { class: "holding", "data-holding": seat }, this.mark, text);
  }

  show(state) {
    const { seat } = this;
    const hand = state.deck ? [] : state.hands[seat - 1];
    const facts = state.facts.filter((fact) => fact.seat === seat);
    write(this.mark, state.markers[seat - 1]);
    write(this.hand, hand.length ? `${state.names[seat - 1]} has ${hand.join(", ")}` : "");
    this.facts.show(facts);
    show(this.root, hand.length > 0 || facts.length > 0);
  }
}
