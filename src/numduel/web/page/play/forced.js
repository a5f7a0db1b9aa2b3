// A card that fits nowhere is discarded by itself after a moment, unless the player prefers to do
// it. Whether there is a choice is the server's word.

import { byId, show } from "../common/dom.js";
import { keep, recall } from "../common/storage.js";

const PAUSE = 1500; // milliseconds in which the card can be seen

// play(move) makes the move. Returns a function that shows the setting where there are cards; move:
// the only one that the player can make now, if any; place: the position.
/** @param {(move: string) => void} play */
export function forcedMoves(play) {
  const box = byId("discard");
  /** @type {{ move: string | null, place: string }} */
  let now = { move: null, place: "" };
  let waiting;

  function wait() {
    clearTimeout(waiting);
    const { move } = now;
    if (move && box.checked) waiting = setTimeout(() => play(move), PAUSE);
  }

  box.checked = recall("discard", true) !== false;
  box.addEventListener("change", () => {
    keep("discard", box.checked);
    wait();
  });
  /** @param {{ deck: boolean, move: string | null, place: string }} shown */
  return ({ deck, move, place }) => {
    show(byId("discard-row"), deck);
    if (move === now.move && place === now.place) return;
    now = { move, place };
    wait();
  };
}
