// Moves from one tile to another, such as a1b2: the first press chooses where the move begins, the
// second makes it.

export class Steps {
  /** @type {Map<string, string[]>} */ pairs = new Map(); // the two tiles of each such move
  /** @type {string | null} */ chosen = null;
  place = ""; // the position in which it was chosen
  hidden = false;

  // open: a move can be made; hidden: the tiles do not show which.
  /**
   * @param {Server.Position} state
   * @param {{ place: string, open: boolean, hidden: boolean }} how
   */
  read({ cells, legal }, { place, open, hidden }) {
    if (place !== this.place || !open) this.chosen = null;
    Object.assign(this, { place, hidden });
    const labels = new Set(cells.map(({ label }) => label));
    const others = open ? legal.filter(({ move }) => !labels.has(move)) : [];
    this.pairs = new Map(others.flatMap(({ move }) => {
      const ways = [...move].map((_, at) => [move.slice(0, at), move.slice(at)])
        .filter((pair) => pair.every((label) => labels.has(label)));
      return ways.length === 1 ? [[move, ways[0]]] : []; // two ways would be ambiguous
    }));
  }

  begins = (label) => [...this.pairs.values()].some(([from]) => from === label);

  ends = (label) => this.chosen !== null && this.pairs.has(this.chosen + label);

  // Whether a tile can be pressed; undefined where no move leads from tile to tile.
  may(label) {
    return this.pairs.size ? this.hidden || this.begins(label) || this.ends(label) : undefined;
  }

  // The move made by pressing a tile; null if the press only chooses where it begins.
  press(label) {
    const { chosen, hidden } = this;
    if (!this.pairs.size) return label;
    const begins = hidden ? chosen === null : this.begins(label);
    if (label !== chosen && (this.ends(label) || !begins)) return `${chosen ?? ""}${label}`;
    this.chosen = label === chosen ? null : label;
    return null;
  }

  // The marks of moves as marks of tiles: where the chosen tile's moves end, or else where the best
  // moves begin. The best moves come first.
  /** @param {Marks} marks @returns {Marks} */
  marks({ worths, advised }) {
    if (!this.pairs.size) return { worths, advised };
    const tile = (move) => {
      const [from, to] = this.pairs.get(move) ?? [];
      if (this.chosen === null) return from ?? "";
      return from === this.chosen ? to : "";
    };
    /** @type {Marks["worths"]} */
    const told = new Map();
    for (const [move, option] of [...worths].reverse()) told.set(tile(move), option);
    return { worths: told, advised: new Set([...advised].map(tile)) };
  }
}
