// Dragging one thing onto something that can be pressed: letting it go there presses it.

import { set } from "../common/dom.js";

const FAR = 6; // CSS pixels; less is a finger that trembles

export class Drag {
  /** @type {HTMLElement} */ node;
  /** @type {string} */ targets;
  /** @type {(place: DOMRect) => void} */ dropped;
  /** @type {{ x: number, y: number, text: string | null } | null} */ from;

  // What may be pressed matches `targets`. dropped(rectangle): where it was let go upon one.
  constructor(node, targets, dropped) {
    Object.assign(this, { node, targets, dropped, from: null });
    const on = (name, action) => node.addEventListener(name, (event) => action.call(this, event));
    on("pointerdown", this.take);
    on("pointermove", this.carry);
    on("pointerup", this.drop);
    on("pointercancel", this.end);
  }

  /** @param {PointerEvent} event */
  take({ button, pointerId, clientX, clientY }) {
    if (button || !document.querySelector(this.targets)) return;
    this.from = { x: clientX, y: clientY, text: this.node.textContent };
    this.node.setPointerCapture(pointerId);
  }

  /** @param {PointerEvent} event */
  carry({ clientX, clientY }) {
    if (!this.from) return;
    const [x, y] = [clientX - this.from.x, clientY - this.from.y];
    if (!this.far && Math.hypot(x, y) < FAR) return;
    this.far = true;
    set(this.node, "data-dragged", true);
    this.node.style.translate = `${x}px ${y}px`;
    this.over(clientX, clientY);
  }

  // Upon what it is now: the node itself lets the pointer through while it is carried.
  /**
   * @param {number} x
   * @param {number} y
   */
  over(x, y) {
    const target = document.elementFromPoint(x, y)?.closest(this.targets) ?? null;
    if (target !== this.target) {
      if (this.target) set(this.target, "data-over", null);
      if (target) set(target, "data-over", true);
    }
    this.target = target;
  }

  /** @param {PointerEvent} event */
  drop({ clientX, clientY }) {
    // A card that has changed meanwhile is not the one that was taken.
    const same = this.from?.text === this.node.textContent;
    if (this.far) this.over(clientX, clientY);
    const { target } = this;
    const place = this.node.getBoundingClientRect();
    this.end();
    if (!target || !same) return;
    this.dropped(place);
    target.click();
  }

  end() {
    if (this.target) set(this.target, "data-over", null);
    Object.assign(this, { from: null, target: null, far: false });
    set(this.node, "data-dragged", null);
    this.node.style.translate = "";
  }
}
