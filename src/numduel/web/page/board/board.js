// Draws a position: players, status, goal, number tiles, cards, facts and other moves. It knows no
// rule. A legal move named after a tile is made by pressing that tile, one named after two by
// pressing both; every other legal move is a button. Nodes are changed in place, so the focus
// stays.

import { become, make, set, show, typeset, write } from "../common/dom.js";
import { nameText } from "../common/language.js";
import { Cards } from "./cards.js";
import { Cells } from "./cells.js";
import { Choices } from "./choices.js";
import { facts } from "./facts.js";
import { LegalMoves } from "./legal.js";
import { bare, holding, Player } from "./players.js";
import { Steps } from "./steps.js";

export class Board {
  /** @type {Server.Position} */ state;
  /** @type {boolean} */ open;
  /** @type {boolean} */ choose;
  /** @type {boolean} */ hidden;
  /** @type {Set<string>} */ legal;
  /** @type {(move: string, legal: boolean) => void} */ press;

  // press(move, legal) is called when a tile or a move button is pressed.
  /** @param {Board["press"]} press */
  constructor(root, press) {
    this.press = press;
    this.worths = new Map();
    this.advised = null; // {place, moves}: the recommended moves, and in which position
    this.players = [1, 2].map((seat) => new Player(seat));
    this.status = make("p", { id: "status", class: "status", tabindex: "-1" });
    this.said = make("p", { id: "said", class: "said soft" });
    this.goal = make("p", { id: "goal", class: "goal" });
    this.steps = new Steps();
    this.cells = new Cells((label) => this.tap(label));
    this.cards = new Cards();
    const home = ({ label }) => this.cards.home(label);
    this.choices = new Choices((move, legal) => this.press(move, legal), home);
    this.facts = make("div");
    this.moves = new LegalMoves(() => this.draw());
    this.legend = make("p", { id: "legend", class: "legend" });
    root.classList.add("board", "empty");
    this.lines = make("div", { class: "lines" }, this.status, this.said, this.goal);
    this.held = make("div");
    // What is pressed comes before what grows: a tile must not move under the finger.
    root.append(
      make("div", { class: "players" }, ...this.players.map((player) => player.root)),
      this.lines,
      this.cells.root,
      this.cards.root,
      this.choices.root,
      this.held,
      this.facts,
      this.legend,
    );
    this.root = root;
  }

  // open: the viewer may move. status: a sentence instead of the server's. you: the viewer's seat.
  // notes: short texts for each player's panel. past: an earlier position, where it is nobody's
  // turn. said: shown until there is a last move. choose: the viewer may choose whether possible
  // moves are shown; otherwise they are, unless `hidden`.
  /**
   * @param {Server.Position} given
   * @param {Showing} [options]
   */
  show(given, options = {}) {
    const state = { ...given, names: given.names.map(nameText) };
    const { open = false, status, you = null, notes = [[], []] } = options;
    const { busy = false, past = false, said = "" } = options;
    const { choose = false, hidden = false } = options;
    this.root.classList.remove("empty");
    Object.assign(this, { state, open, choose, hidden });
    this.legal = new Set(state.legal.map((option) => option.move));
    set(this.root, "data-past", past);
    set(this.root, "data-cards", state.deck);
    set(this.root, "data-buttons", state.cells.length === 0 && !state.layout.ends);
    this.players.forEach((player, index) => player.show(state, you, notes[index], past));
    const held = [1, 2].map((seat) => holding(state, seat));
    const none = held.every((part) => part.hidden);
    become(this.held, make("div", { class: "holdings", hidden: none }, ...held));
    write(this.status, bare(status ?? state.status, notes.flat()));
    set(this.status, "data-busy", busy);
    write(this.said, bare(state.said || said, notes.flat()));
    sentence(this.goal, state.outcome?.reason ?? state.goals[you ?? 0], state.names);
    this.draw();
  }

  // Shows the value of every move on its tile or button; null removes them.
  /** @param {Server.Values | null} answer */
  values(answer) {
    this.worths = new Map((answer?.options ?? []).map((option) => [option.move, option]));
    write(this.legend, answer?.legend ?? "");
    this.draw();
  }

  // Marks recommended moves for as long as the position stays the same.
  advise(moves) {
    this.advised = { place: place(this.state), moves: new Set(moves) };
    this.draw();
  }

  tap(label) {
    const move = this.steps.press(label);
    if (move === null) this.draw();
    else this.press(move, this.legal.has(move));
  }

  draw() {
    const { state, open, legal, worths, status, steps } = this;
    const advised = this.advised?.place === place(state) ? this.advised.moves : new Set();
    const hides = this.moves.hides(state, this.choose) || this.hidden;
    const hidden = hides && !worths.size;
    set(this.root, "data-hidden", hidden);
    steps.read(state, { place: place(state), open, hidden });
    this.cells.show(state, { open, legal, hidden, steps, ...steps.marks({ worths, advised }) });
    this.cards.show(state);
    // What is shown beside the deck is not repeated.
    const beside = (fact) => state.deck && !Array.isArray(fact.value);
    const told = state.facts.filter((fact) => !fact.seat && !beside(fact));
    become(this.facts, facts(told, { id: "facts" }, Boolean(state.deck)));
    const tiles = new Set([...state.cells.map((cell) => cell.label), ...steps.pairs.keys()]);
    const others = open ? state.legal.filter((option) => !tiles.has(option.move)) : [];
    // The player finds out whether the card fits an end, as with a number.
    if (open && this.choose) others.push(...this.cards.wrong(state));
    const leave = () => status.focus({ preventScroll: true });
    this.choices.show(others, { worths, advised }, { leave, over: state.outcome !== null });
    // Where all moves are buttons, they keep their place during the opponent's turn.
    const kept = this.root.hasAttribute("data-buttons") && !state.outcome;
    show(this.choices.root, kept || this.choices.root.children.length > 0);
  }
}

/** @param {Server.Position} state */
const place = ({ name, text }) => `${name} ${text}`;

// Writes a sentence with its numbers emphasised, except in players' names such as "Class 5b".
function sentence(node, text, names) {
  const [words, ...known] = [text, ...names].map(typeset);
  if (node.textContent === words) return;
  const plain = known.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = words.split(new RegExp(`(${[...plain, "\\d+"].join("|")})`));
  node.replaceChildren(...parts.map((part, index) =>
    index % 2 && !known.includes(part) ? make("strong", {}, part) : part));
}
