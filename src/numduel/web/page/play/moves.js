// The moves of a game as people say them, each a button that shows its position, and the buttons
// that step through them.

import { make, set, write } from "../common/dom.js";

/** @type {[string, string, string, (at: number, count: number) => number][]} */
const STEPS = [
  ["first", "|◀", "The start", () => 0],
  ["back", "◀", "One move back", (at) => at - 1],
  ["on", "▶", "One move on", (at) => at + 1],
  ["last", "▶|", "The newest move", (_, count) => count],
];
const KEYS = { ArrowLeft: "back", ArrowRight: "on" };

export class Moves {
  /** @type {(HTMLElement & { target: (at: number, count: number) => number })[]} */ steps;
  /** @type {boolean} */ mouse;
  /** @type {HTMLElement} */ root;
  /** @type {(ply: number) => void} */ pick;
  /** @type {number} */ count;
  /** @type {number} */ at;

  /**
   * @param {HTMLElement} root
   * @param {(ply: number) => void} pick shows a position.
   * @param {HTMLElement} steps Where the buttons that step through the moves have their place. The
   * arrow keys do the same; on the tiles only for who uses the mouse, as others need them there.
   */
  constructor(root, pick, steps) {
    Object.assign(this, { root, pick, count: 0, at: 0 });
    this.steps = STEPS.map((step) => this.step(...step));
    steps.classList.add("move-steps");
    set(steps, "role", "group");
    set(steps, "aria-label", "Step through the moves. The arrow keys do it, too.");
    steps.append(...this.steps);
    addEventListener("pointerdown", () => (this.mouse = true));
    addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /**
   * @param {string[]} moves
   * @param {number} current
   * @param {number[]} movers The seat that made each move, for a column each.
   */
  show(moves, current, movers) {
    const { root } = this;
    const grown = moves.length !== this.count;
    Object.assign(this, { count: moves.length, at: current });
    set(root, "data-columns", true);
    while (root.children.length > moves.length) root.lastChild?.remove();
    moves.forEach((move, index) => {
      const ply = index + 1;
      const item = root.children[index] ?? root.appendChild(this.item(ply));
      write(item.firstChild, move);
      set(item, "data-ply", ply);
      set(item, "data-seat", movers[index]);
      set(item.firstChild, "aria-current", ply === current ? "step" : null);
      set(item.firstChild, "aria-label", `Move ${ply}: ${move}`);
    });
    if (grown || current === moves.length) root.scrollTop = root.scrollHeight;
    else this.reveal(root.children[current - 1]);
    this.able();
  }

  // In view, without moving the page.
  reveal(item) {
    const { root } = this;
    const top = item ? item.offsetTop - root.offsetTop : 0;
    const below = top + (item?.offsetHeight ?? 0) - root.clientHeight;
    if (top < root.scrollTop) root.scrollTop = top;
    else if (below > root.scrollTop) root.scrollTop = below;
  }

  item(ply) {
    const pressed = () => this.pick(ply);
    return make("li", {}, make("button", { class: "ply", type: "button", onclick: pressed }));
  }

  // -- stepping -------------------------------------------------------------------------------

  step(name, sign, label, target) {
    const button = make("button", {
      type: "button", class: "button small step-button", "data-step": name, "aria-label": label,
      title: label, onclick: () => this.go(target),
    }, make("span", { "aria-hidden": "true" }, sign));
    return Object.assign(button, { target });
  }

  go(target) {
    const ply = target(this.at, this.count);
    if (ply < 0 || ply > this.count || ply === this.at) return;
    this.at = ply; // pressed again before the position is there, it is one step further
    this.able();
    this.pick(ply);
  }

  able() {
    this.steps.forEach((button) => {
      const ply = button.target(this.at, this.count);
      const can = ply >= 0 && ply <= this.count && ply !== this.at;
      set(button, "aria-disabled", can ? null : "true");
    });
  }

  key(event) {
    const { key, ctrlKey, altKey, metaKey, shiftKey, target } = event;
    if (!(key in KEYS)) this.mouse = false;
    if (!(key in KEYS) || ctrlKey || altKey || metaKey || shiftKey) return;
    if (target.closest("input, select, textarea, dialog, [popover]")) return;
    if (target.closest(".cells") && !this.mouse) return;
    event.preventDefault();
    event.stopPropagation();
    const step = this.steps.find(({ dataset }) => dataset.step === KEYS[key]);
    if (step) this.go(step.target);
  }
}
