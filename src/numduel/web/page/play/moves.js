// The list of moves, each a button that shows its position.

import { make, set } from "../common/dom.js";
import { t } from "../common/language.js";
import { rows } from "../common/rows.js";
import { stepper } from "../board/stepper.js";

const TARGETS = {
  start: () => 0, back: (at) => at - 1, on: (at) => at + 1, end: (_, count) => count,
};

// pick(ply) shows a position. `place` gets the buttons that step through the moves. Returns a
// function that shows moves, the current one and who made each.
export function moveList(root, pick, place) {
  let [at, count] = [0, 0];
  const able = stepper(place, (step) => {
    const ply = TARGETS[step](at, count);
    return ply >= 0 && ply <= count && ply !== at;
  }, (step) => {
    at = TARGETS[step](at, count); // at once, so that a second press goes one step further
    able();
    pick(at);
  });

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
          "aria-label": t("Move {n}: {move}", { n: index + 1, move }),
          "aria-current": index + 1 === current ? "step" : null,
        }, move)),
    });
    if (grown || current === count) root.scrollTop = root.scrollHeight;
    else reveal(root.children[current - 1]);
    able();
  }

  return render;
}
