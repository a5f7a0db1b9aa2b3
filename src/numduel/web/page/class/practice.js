// Easy puzzles of an event's games in the waiting room. They go with the start: from then on the
// server gives no help with these games.

import { Activity } from "../study/activity.js";
import { byId, show } from "../common/dom.js";
import { scenes } from "../study/scenes.js";
import { load, save } from "../study/streaks.js";

const SEEDS = 1_000_000;
const EASY = "1"; // the grade

// Returns a function that shows whether there is something to practise.
export function practice() {
  /** @type {Server.Event} */
  let event;
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;
  const puzzles = new Activity("puzzle", () => ({ streak: load() }), { seed });
  // What is wrong with the event is said at the top of its page.
  const kept = () => save(puzzles.state.streak);
  const { act } = scenes(puzzles, { kept, messages: ["result"] });

  byId("practise").addEventListener("click", () => {
    show(byId("practise"), false);
    show(byId("practice"), true);
    byId("scene-title").focus({ preventScroll: true });
    const { name } = event.games[seed % event.games.length];
    act("next", String(new URLSearchParams({ game: name, grade: EASY })));
  });

  return (/** @type {Server.Event} */ now, /** @type {boolean} */ takesPart) => {
    event = now;
    show(byId("practice-part"), takesPart && event.phase === "open");
  };
}
