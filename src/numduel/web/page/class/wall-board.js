// The boards of an event's leaders, one after the other.

import { byId, show, write } from "../common/dom.js";
import { Board } from "../board/board.js";
import { COMPUTER, player } from "./event.js";
import { sought } from "../board/legal.js";
import { Live } from "../common/live.js";

const FEW = 6; // boards that take turns

// A position from a game of the class, to be discussed: the board, and later the answer.
export function discussion(root) {
  const board = new Board(byId("shown-board"), () => {});
  /** @param {Server.ShownOnWall | null} shown */
  return (shown) => {
    show(root, shown !== null);
    if (!shown) return;
    const { position, answer } = shown;
    const [told = "", idea = ""] = answer ?? [];
    write(byId("shown-told"), told);
    write(byId("shown-idea"), idea);
    board.show(position, { hidden: true });
  };
}

export function wallBoard(root) {
  const board = new Board(root, () => {});
  /** @type {Live | null} */
  let live = null;
  /** @type {Server.Pairing | null} */
  let shown = null;
  /** @type {Server.Pairing[]} */
  let waiting = [];
  let over = false;
  show(root, false);

  /** @param {Server.Pairing | null} pairing */
  function watch(pairing) {
    if (pairing?.id === shown?.id) return;
    live?.stop();
    shown = pairing;
    over = false;
    show(root, pairing !== null);
    live = pairing && new Live(`/api/v1/games/${pairing.id}`, ({ game }) => draw(game), () => {});
  }

  /** @param {Server.Game} game */
  function draw(game) {
    const notes = game.players.map((kind) => (kind === "human" ? [] : [kind]));
    over = Boolean(game.outcome);
    // Players see the wall too: it must not find their moves for them.
    board.show(game, { notes, hidden: sought(game) && !over });
  }

  function next() {
    const now = waiting.findIndex(({ id }) => id === shown?.id);
    watch(waiting[(now + 1) % waiting.length] ?? null);
  }

  return {
    next,
    empty: () => shown === null,
    // Fits the board into the room that is left.
    fit: () => board.cells.lay(),
    // A game that has just ended stays until the next turn, unless it was cancelled or one of its
    // players was removed.
    /** @param {Server.Pairing[]} pairings @param {Server.Event} event */
    show(pairings, event) {
      const best = ({ players }) =>
        Math.min(...players.map((number) => player(event, number)?.place ?? Infinity));
      const open = [...pairings].sort((one, other) => best(one) - best(other));
      waiting = open.slice(0, FEW);
      const here = shown?.players.every((number) => number === COMPUTER || player(event, number));
      const stays = here && (over || open.some(({ id }) => id === shown?.id));
      if (!pairings.length) watch(null);
      else if (!stays) next();
    },
  };
}
