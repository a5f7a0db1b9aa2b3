// A board of an event, watched as anybody may: one after the other, those of the leaders.

import { show } from "../common/dom.js";
import { Board } from "../board/board.js";
import { COMPUTER, player } from "./event.js";
import { sought } from "../board/legal.js";
import { Live } from "../common/live.js";

const FEW = 6; // boards that come in turn

export class WallBoard {
  /** @type {Live | null} */ live;
  /** @type {HTMLElement} */ root;
  /** @type {string | null} */ shown;
  /** @type {Server.Leg[]} */ waiting;
  /** @type {number[]} */ people;
  /** @type {boolean} */ over;

  constructor(root) {
    Object.assign(this, { root, shown: null, waiting: [], people: [], over: false });
    this.board = new Board(root, () => {});
    show(root, false);
  }

  // The pairings that are being played. A game that has just ended is seen until the next turn, but
  // not one that was taken off the board, nor one of somebody who was removed.
  /**
   * @param {Server.Pairing[]} pairings
   * @param {Server.Event} event
   */
  show(pairings, event) {
    const best = ({ players }) =>
      Math.min(...players.map((number) => player(event, number)?.place ?? Infinity));
    const open = [...pairings]
      .sort((one, other) => best(one) - best(other))
      .flatMap(({ legs }) => legs.find(({ end }) => end === null) ?? []);
    this.waiting = open.slice(0, FEW);
    const here = this.people.every((number) => number === COMPUTER || player(event, number));
    const stays = here && (this.over || open.some(({ id }) => id === this.shown));
    if (!pairings.length) this.watch(null);
    else if (!this.shown || !stays) this.next();
  }

  // The board fills the room that is left, whatever has come above it.
  fit() {
    this.board.cells.lay();
  }

  next() {
    const { waiting } = this;
    const now = waiting.findIndex(({ id }) => id === this.shown);
    this.watch(waiting[(now + 1) % waiting.length] ?? null);
  }

  // A leg of a pairing, or null.
  /** @param {Server.Leg | null} leg */
  watch(leg) {
    const id = leg?.id ?? null;
    if (id === this.shown) return;
    this.live?.stop();
    Object.assign(this, { shown: id, people: leg?.seats ?? [], over: false });
    show(this.root, id !== null);
    const draw = ({ game }) => this.draw(game);
    this.live = id === null ? null : new Live(`/api/games/${id}`, draw, () => {});
  }

  /** @param {Server.Game} game */
  draw(game) {
    const notes = game.players.map((kind) => (kind === "human" ? [] : [kind]));
    this.over = Boolean(game.outcome);
    // Those who play look at the wall as well: it finds no moves for them.
    this.board.show(game, { notes, hidden: sought(game) && !this.over });
  }
}
