// Dragging one thing onto something that can be pressed: letting it go there presses it.

import { set } from "../common/dom.js";

const FAR = 6; // CSS pixels; less is a finger that trembles

// What may be pressed matches `targets`. dropped(rectangle): where it was let go upon one.
/**
 * @param {HTMLElement} node
 * @param {string} targets
 * @param {(place: DOMRect) => void} dropped
 */
export function drag(node, targets, dropped) {
  /** @type {{ x: number, y: number, text: string | null } | null} */
  let from = null;
  /** @type {HTMLElement | null} */
  let target = null;
  let far = false;

  // Upon what it is now: the node itself lets the pointer through while it is carried.
  function over(found) {
    if (target && target !== found) set(target, "data-over", null);
    if (found) set(found, "data-over", true);
    target = found;
  }

  const under = ({ clientX, clientY }) =>
    document.elementFromPoint(clientX, clientY)?.closest(targets) ?? null;

  function end() {
    over(null);
    from = null;
    far = false;
    set(node, "data-dragged", null);
    node.style.translate = "";
  }

  node.addEventListener("pointerdown", ({ button, pointerId, clientX, clientY }) => {
    if (button || !document.querySelector(targets)) return;
    from = { x: clientX, y: clientY, text: node.textContent };
    node.setPointerCapture(pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!far && Math.hypot(x, y) < FAR) return;
    far = true;
    set(node, "data-dragged", true);
    node.style.translate = `${x}px ${y}px`;
    over(under(event));
  });
  node.addEventListener("pointerup", (event) => {
    // A card that has changed meanwhile is not the one that was taken.
    const same = from?.text === node.textContent;
    const found = far && under(event);
    const place = node.getBoundingClientRect();
    end();
    if (!found || !same) return;
    dropped(place);
    found.click();
  });
  node.addEventListener("pointercancel", end);
}
