// The list of moves, each a button that shows its position, and the buttons that step through them.

import { make, set } from "../common/dom.js";
import { rows } from "../common/rows.js";

/** @type {[string, string, string, (at: number, count: number) => number][]} */
const STEPS = [
  ["first", "|◀", "The start", () => 0],
  ["back", "◀", "One move back", (at) => at - 1],
  ["on", "▶", "One move on", (at) => at + 1],
  ["last", "▶|", "The newest move", (_, count) => count],
];
const KEYS = { ArrowLeft: "back", ArrowRight: "on" };

// pick(ply) shows a position. `place` gets the buttons that step through the moves. The arrow keys
// do the same, but on tiles only after a mouse press, as keyboard users need them there. Returns a
// function that shows moves, the current one and who made each.
/**
 * @param {HTMLElement} root
 * @param {(ply: number) => void} pick
 * @param {HTMLElement} place
 */
export function moveList(root, pick, place) {
  let [at, count] = [0, 0];
  let mouse = false;

  // -- the list -------------------------------------------------------------------------------

  // Scrolls a move into view without moving the page.
  function reveal(item) {
    const top = item ? item.offsetTop - root.offsetTop : 0;
    const below = top + (item?.offsetHeight ?? 0) - root.clientHeight;
    if (top < root.scrollTop) root.scrollTop = top;
    else if (below > root.scrollTop) root.scrollTop = below;
  }

  function render(moves, current, movers) {
    const grown = moves.length !== count;
    [at, count] = [current, moves.length];
    set(root, "data-columns", true);
    rows(root, moves, {
      make: (move, index) => make("li", { "data-ply": index + 1, "data-seat": movers[index] },
        make("button", {
          class: "ply", type: "button", onclick: () => pick(index + 1),
          "aria-label": `Move ${index + 1}: ${move}`,
          "aria-current": index + 1 === current ? "step" : null,
        }, move)),
    });
    if (grown || current === count) root.scrollTop = root.scrollHeight;
    else reveal(root.children[current - 1]);
    able();
  }

  // -- stepping -------------------------------------------------------------------------------

  const steps = STEPS.map(([name, sign, label, target]) => {
    const go = () => {
      if (!can()) return;
      at = target(at, count); // at once, so that a second press goes one step further
      able();
      pick(at);
    };
    const can = () => {
      const ply = target(at, count);
      return ply >= 0 && ply <= count && ply !== at;
    };
    const button = make("button", {
      type: "button", class: "button small", "data-step": name, "aria-label": label,
      title: label, onclick: go,
    }, make("span", { "aria-hidden": "true" }, sign));
    return { name, button, can, go };
  });

  function able() {
    for (const { button, can } of steps) set(button, "aria-disabled", can() ? null : "true");
  }

  function key(event) {
    const { key, ctrlKey, altKey, metaKey, shiftKey, target } = event;
    if (!(key in KEYS)) mouse = false;
    if (!(key in KEYS) || ctrlKey || altKey || metaKey || shiftKey) return;
    if (target.closest("input, select, textarea, dialog, [popover]")) return;
    if (target.closest(".cells") && !mouse) return;
    event.preventDefault();
    event.stopPropagation();
    steps.find(({ name }) => name === KEYS[key])?.go();
  }

  place.classList.add("move-steps");
  set(place, "role", "group");
  set(place, "aria-label", "Step through the moves. The arrow keys work too.");
  place.append(...steps.map(({ button }) => button));
  addEventListener("pointerdown", () => (mouse = true));
  addEventListener("keydown", key, { capture: true });
  return render;
}
