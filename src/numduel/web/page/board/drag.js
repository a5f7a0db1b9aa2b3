// Dragging something onto a button presses the button.

import { set } from "../common/dom.js";

const FAR = 6; // CSS pixels; anything less is a trembling finger

// `targets` is the selector of the buttons. dropped(rectangle) is told where the node was let go.
export function drag(node, targets, dropped) {
  /** @type {{ x: number, y: number, text: string | null } | null} */
  let from = null;
  /** @type {HTMLElement | null} */
  let target = null;
  let far = false;

  // The button under it now; the node lets the pointer through while it is dragged.
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
    // If the card has changed meanwhile, it is not the one that was dragged.
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
