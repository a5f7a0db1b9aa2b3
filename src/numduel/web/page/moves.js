// The list of moves in notation. With `pick`, every move is a button that shows its position.

import { make, set, write } from "./dom.js";

export class Moves {
  constructor(root, pick) {
    Object.assign(this, { root, pick });
  }

  show(moves, current = moves.length) {
    const { root, pick } = this;
    while (root.children.length > moves.length) root.lastChild.remove();
    moves.forEach((move, index) => {
      const ply = index + 1;
      const item = root.children[index] ?? root.appendChild(this.item(ply));
      write(item.firstChild, move);
      set(item, "data-ply", ply);
      set(item.firstChild, "aria-current", ply === current ? "step" : null);
      if (pick) set(item.firstChild, "aria-label", `Move ${ply}: ${move}`);
    });
    // The newest move in view, without moving the page.
    root.scrollTop = root.scrollHeight;
  }

  item(ply) {
    const look = { class: "ply" };
    const pressed = () => this.pick(ply);
    if (!this.pick) return make("li", {}, make("span", look));
    return make("li", {}, make("button", { ...look, type: "button", onclick: pressed }));
  }
}
