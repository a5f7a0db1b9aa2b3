// A board of an event, watched as anybody may: one after the other, those of the leaders.

import { show } from "./dom.js";
import { Board } from "./board.js";
import { player } from "./event.js";
import { Live } from "./live.js";

const FEW = 6; // boards that come in turn

export class WallBoard {
  constructor(root) {
    Object.assign(this, { root, shown: null, waiting: [] });
    this.board = new Board(root, () => {});
    show(root, false);
  }

  // The pairings that are being played. A game that has just ended is seen until the next turn.
  show(pairings, event) {
    const best = ({ players }) =>
      Math.min(...players.map((number) => player(event, number)?.place ?? Infinity));
    this.waiting = [...pairings]
      .sort((one, other) => best(one) - best(other))
      .flatMap(({ legs }) => legs.find(({ end }) => end === null)?.id ?? [])
      .slice(0, FEW);
    if (!pairings.length) this.watch(null);
    else if (!this.shown) this.next();
  }

  // The board fills the room that is left, whatever has come above it.
  fit() {
    this.board.cells.lay();
  }

  next() {
    const { waiting } = this;
    this.watch(waiting[(waiting.indexOf(this.shown) + 1) % waiting.length] ?? null);
  }

  watch(id) {
    if (id === this.shown) return;
    this.live?.stop();
    this.shown = id;
    show(this.root, id !== null);
    this.live = id && new Live(`/api/games/${id}`, ({ game }) => this.draw(game), () => {});
  }

  draw(game) {
    const notes = game.players.map((kind) => (kind === "human" ? [] : [kind]));
    this.board.show(game, { notes });
  }
}
