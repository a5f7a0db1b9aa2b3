// A card that fits nowhere is discarded by itself after a moment, unless the player prefers to do
// it. Whether there is a choice is the server's word.

import { byId, show } from "../common/dom.js";
import { keep, recall } from "../common/storage.js";

const SECOND = 1000;

// play(move) makes the move, if that can be done now. Returns a function that shows the setting where there are cards; move:
// the only one that the player can make now, if any; place: the position.
/** @param {(move: string) => unknown} play */
export function forcedMoves(play) {
  const box = byId("discard");
  const pause = Number(box.dataset.seconds) * SECOND; // in which the card can be seen
  /** @type {{ move: string | null, place: string }} */
  let now = { move: null, place: "" };
  let waiting;

  function wait() {
    clearTimeout(waiting);
    if (now.move && box.checked) waiting = setTimeout(() => discard(now), pause);
  }

  // Tries again as long as the position lasts.
  async function discard(asked) {
    await play(asked.move);
    if (now === asked) wait();
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
