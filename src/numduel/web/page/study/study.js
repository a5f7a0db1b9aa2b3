// The board of the study pages. Messages have a fixed place, presses just after a change are
// ignored, and a move that breaks a rule is answered with the reason.

import { byId, set } from "../common/dom.js";
import { t } from "../common/language.js";
import { get, query } from "../common/api.js";
import { Board } from "../board/board.js";
import { attempt, fail } from "../common/notify.js";

const SETTLE = 300; // milliseconds

export class StudyBoard extends Board {
  // play(move) is called for every legal move; messages are what stands above the board.
  /** @param {(move: string) => void} play */
  constructor(play, messages = ["result", "words", "error"]) {
    super(byId("board"), (move, legal) => this.pressed(move, legal));
    this.play = play;
    this.messages = messages;
  }

  /**
   * @override
   * @param {Server.Position} state
   * @param {Showing} [options]
   */
  show(state, options) {
    const before = this.state;
    // Until now messages stood where the board is; the tiles are as large as what is above allows.
    if (!before) this.receive();
    super.show(state, options);
    if (before && (before.text !== state.text || before.name !== state.name)) {
      this.settle();
      // The button may be far below the board, and what is asked stands above it.
      const asked = byId("task") ?? this.root;
      if (asked.getBoundingClientRect().top < 0) asked.scrollIntoView({ block: "nearest" });
    }
  }

  // Shows the position of a scene, if it has one, and whether the last answer was right.
  /** @param {Server.Scene} scene @param {Seat} you */
  showScene({ state, moves, advised, said }, you) {
    set(this.root, "data-bare", !state); // a question has no board
    if (state) {
      this.show(state, { open: moves, you, ...(moves && { status: t("Your turn.") }) });
      this.advise(advised);
    }
    const verdict = said.find(({ kind }) => kind === "right" || kind === "wrong");
    set(byId("result"), "data-right", verdict ? String(verdict.kind === "right") : null);
  }

  receive() {
    this.lines.append(...this.messages.map(byId).filter(Boolean));
    if (byId("advice")) this.lines.after(byId("advice"));
  }

  // A press within this time of a change was meant for what was there before.
  settle() {
    clearTimeout(this.settling);
    set(this.root, "data-settling", true);
    this.settling = setTimeout(() => set(this.root, "data-settling", null), SETTLE);
  }

  async pressed(move, legal) {
    const { state } = this;
    if (!this.open || state.outcome || this.root.hasAttribute("data-settling")) return;
    if (legal) {
      this.play(move);
      return;
    }
    const question = `/api/v1/why?${query(state)}&${new URLSearchParams({ move })}`;
    const answer = await attempt(() => get(question));
    if (answer?.why && this.state === state) fail(answer.why);
  }
}
