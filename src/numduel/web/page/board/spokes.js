// The number that the moves lead from, drawn large, with a line to each of them.

import { draw, make, set, write } from "../common/dom.js";

export class Spokes {
  /** @type {boolean[] | undefined} */ ends;
  /** @type {Shape & { gap: number } | undefined} */ shape;

  constructor() {
    this.hub = make("span", { class: "hub", "aria-hidden": "true" });
    this.edges = draw("svg", { class: "edges", "aria-hidden": "true" });
  }

  // labels: the tiles that lines lead to.
  /** @param {Server.Position} state */
  show(state, labels) {
    // After a broken rule this is the number that had to be answered.
    const at = state.moves.findLast((move) => state.cells.some(({ label }) => label === move));
    const last = state.cells.find(({ label }) => label === at);
    write(this.hub, last?.label ?? "?");
    set(this.hub, "data-owner", last?.owner);
    this.ends = last ? state.cells.map((cell) => labels.has(cell.label)) : [];
    this.lay(this.shape);
  }

  /** @param {Shape & { gap: number }} [shape] */
  lay(shape) {
    this.shape = shape;
    if (!shape?.ring || !this.ends) return;
    const { columns, rows, places, size, gap } = shape;
    const step = size + gap;
    const [width, height] = [columns * step - gap, rows * step - gap];
    set(this.edges, "viewBox", `0 0 ${width} ${height}`);
    const ends = places.filter((_, index) => this.ends?.[index]);
    this.edges.replaceChildren(...ends.map(({ row, column }) => draw("line", {
      x1: width / 2, y1: height / 2, x2: column * step + size / 2, y2: row * step + size / 2,
    })));
  }
}
