// The lines that were tried on the analysis board.

import { make } from "../common/dom.js";
import { t } from "../common/language.js";

export class Lines {
  /** @type {HTMLElement} */ root;
  /** @type {(moves: string) => void} */ pick;
  /** @type {Server.Ply[]} */ tree = [];

  // pick(moves) shows the position after some moves in the notation.
  constructor(root, pick) {
    Object.assign(this, { root, pick });
  }

  /** @param {Server.Ply[]} tree */
  show(tree) {
    const held = this.root.contains(document.activeElement);
    this.tree = tree;
    this.root.replaceChildren(...this.line(-1, []));
    const current = this.root.querySelector("[aria-current]");
    if (held) (current ?? this.root.querySelector("button"))?.focus({ preventScroll: true });
    // Scrolls to the current move without moving the page.
    if (current) this.root.scrollTop = current.offsetTop - this.root.clientHeight / 2;
  }

  // What follows a move of the tree: the main line, and what was tried instead.
  /**
   * @param {number} before
   * @param {string[]} moves the moves up to there
   * @returns {HTMLElement[]}
   */
  line(before, moves) {
    const numbers = this.tree.flatMap((ply, number) => (ply.before === before ? [number] : []));
    const [main, ...others] = numbers;
    if (main === undefined) return [];
    const after = (number) => [...moves, this.tree[number].move];
    const instead = others.map((other) =>
      make("li", { class: "instead" }, make("ol",
        { class: "plain row moves", "aria-label": t("Instead of {move}", { move: this.tree[main].label }) },
        this.item(other, after(other)), ...this.line(other, after(other)))));
    return [this.item(main, after(main)), ...instead, ...this.line(main, after(main))];
  }

  item(number, moves) {
    const { label, seat, here } = this.tree[number];
    return make("li", { "data-seat": seat || null }, make("button", {
      type: "button",
      class: "ply",
      "data-ply": moves.length,
      "aria-label": t("Move {n}: {move}", { n: moves.length, move: label }),
      "aria-current": here ? "step" : null,
      onclick: () => this.pick(moves.join(" ")),
    }, label));
  }
}
