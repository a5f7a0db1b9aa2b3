// The lines that were tried on the analysis board, and the list that shows them. A position is
// named by its moves in the notation; the list says them as people do. A drawn card that waits to be
// played is a position too; in the list the move that plays it takes its place.

import { make } from "../common/dom.js";

const tokens = (text) => text.split(" ").filter(Boolean);
/** @param {Step} node */
const plies = (node) => tokens(node.text).length;

export class Tree {
  /** @type {Step} */ root;
  /** @type {Step} */ here;
  /** @type {Map<string, Step>} */ known;

  constructor() {
    this.root = { text: "", parent: null, children: [], next: null };
    this.here = this.root;
    this.known = new Map([["", this.root]]);
  }

  // The position after a step from another one; what was tried before is kept.
  /**
   * @param {string} text
   * @param {Step} parent
   * @returns {Step}
   */
  add(text, parent) {
    let node = this.known.get(text);
    if (!node) {
      node = { text, parent, children: [], next: null };
      parent.children.push(node);
      this.known.set(text, node);
    } else if (node.parent && node !== parent && node.parent === parent.parent) {
      // This move was known before anybody looked at the card that it plays.
      node.parent.children.splice(node.parent.children.indexOf(node), 1);
      node.parent = parent;
      parent.children.push(node);
    }
    return node;
  }

  // The position after some moves from the start.
  /**
   * @param {string} text
   * @returns {Step}
   */
  path(text) {
    const step = (node, _, index, all) => this.add(all.slice(0, index + 1).join(" "), node);
    return tokens(text).reduce(step, this.root);
  }

  // Stands at a position. Going on from an earlier one then leads here again. `movers` are the
  // seats that made the moves on the way, `spoken` what people call these moves.
  /**
   * @param {Step} node
   * @param {Pick<Server.Position, "movers" | "spoken">} state
   */
  go(node, { movers, spoken }) {
    this.here = node;
    for (let at = node; at.parent; at = at.parent) {
      at.parent.next = at;
      at.seat = movers[plies(at) - 1];
      at.name = spoken[plies(at) - 1];
    }
  }

  get end() {
    let node = this.here;
    while (node.next) node = node.next;
    return node;
  }
}

// What follows a position in the list: the first line, and what was tried instead.
/**
 * @param {Step} node
 * @returns {Step[]}
 */
const following = (node) =>
  node.children.flatMap((child) => (waits(child) ? following(child) : [child]));

/** @param {Step} node */
const waits = (node) => node.children.length > 0 && plies(node.children[0]) === plies(node);

export class Lines {
  /** @type {HTMLElement} */ root;
  /** @type {(node: Step) => void} */ pick;

  // pick(node) shows a position.
  constructor(root, pick) {
    Object.assign(this, { root, pick });
  }

  /** @param {Tree} tree */
  show(tree) {
    const held = this.root.contains(document.activeElement);
    this.here = tree.here;
    this.root.replaceChildren(...this.line(tree.root));
    const current = this.root.querySelector("[aria-current]");
    if (held) (current ?? this.root.querySelector("button"))?.focus({ preventScroll: true });
    // The current move in view, without moving the page.
    if (current) this.root.scrollTop = current.offsetTop - this.root.clientHeight / 2;
  }

  /**
   * @param {Step} node
   * @returns {HTMLElement[]}
   */
  line(node) {
    const [main, ...others] = following(node);
    if (!main) return [];
    const instead = others.map((other) =>
      make("li", { class: "instead" }, make("ol",
        { class: "plain moves", "aria-label": `Instead of ${name(main)}` },
        this.item(other), ...this.line(other))));
    return [this.item(main), ...instead, ...this.line(main)];
  }

  /** @param {Step} node */
  item(node) {
    return make("li", { "data-seat": node.seat }, make("button", {
      type: "button",
      class: "ply",
      "data-ply": plies(node),
      "aria-label": `Move ${plies(node)}: ${name(node)}`,
      "aria-current": node === this.here ? "step" : null,
      onclick: () => this.pick(node),
    }, name(node)));
  }
}

/** @param {Step} node */
const name = (node) => node.name ?? tokens(node.text).at(-1);
