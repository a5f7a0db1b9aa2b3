// The board of the pages for study. Messages have a place that is kept for them, what is pressed
// just after a change is ignored, and a move that is not allowed is answered with why.

import { byId, set } from "../common/dom.js";
import { get, query } from "../common/api.js";
import { Board } from "../board/board.js";
import { attempt, fail } from "../common/notify.js";

const SETTLE = 300; // milliseconds

export class StudyBoard extends Board {
  // play(move): what to do when somebody chooses a legal move.
  /** @param {(move: string) => void} play */
  constructor(play) {
    super(byId("board"), (move, legal) => this.pressed(move, legal));
    this.play = play;
  }

  /**
   * @override
   * @param {Server.Position} state
   * @param {Showing} [options]
   */
  show(state, options) {
    const before = this.state;
    super.show(state, options);
    // Before there was a board, an error stood where the board would be.
    if (!before) this.receive();
    else if (before.text !== state.text || before.name !== state.name) this.settle();
  }

  receive() {
    const messages = ["result", "nudge", "error"].map(byId);
    this.lines.append(...messages.filter(Boolean));
    if (byId("advice")) this.lines.after(byId("advice"));
  }

  // A press within this time of a change was meant for what was there before.
  settle() {
    clearTimeout(this.settling);
    set(this.root, "data-settling", true);
    this.settling = setTimeout(() => set(this.root, "data-settling", null), SETTLE);
  }

  /**
   * @param {string} move
   * @param {boolean} legal
   */
  async pressed(move, legal) {
    const { state } = this;
    if (!this.open || state.outcome || this.root.hasAttribute("data-settling")) return;
    if (legal) {
      this.play(move);
      return;
    }
    const question = `/api/why?${query(state)}&${new URLSearchParams({ move })}`;
    const answer = await attempt(() => get(question));
    if (answer?.why && this.state === state) fail(answer.why);
  }
}
