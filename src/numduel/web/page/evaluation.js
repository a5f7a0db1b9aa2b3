// The evaluation bar: how much of it is whose says who wins, and so do the words above it.

import { make, set, write } from "./dom.js";

export class Evaluation {
  constructor(root) {
    this.root = root;
    this.words = make("p", { class: "outlook" });
    this.shares = [1, 2].map((seat) => make("span", { class: "share", "data-owner": seat }));
    const scale = make("div", { class: "scale", "aria-hidden": "true" }, ...this.shares);
    root.append(this.words, scale);
  }

  // The last value stays, dimmed, until the next one is known.
  wait() {
    set(this.root, "aria-busy", "true");
    if (!this.words.textContent) write(this.words, "Working out who wins…");
  }

  // Without an evaluation there is none, or the game is over.
  show(state, evaluation) {
    const won = state.outcome && [1, 2].map((seat) => Number(state.outcome.winner === seat));
    const chances = evaluation?.chances ?? won;
    set(this.root, "aria-busy", null);
    set(this.root, "data-unknown", !chances);
    write(this.words, evaluation?.words ?? (won ? state.status : ""));
    this.shares.forEach((share, index) => {
      share.style.setProperty("--share", chances?.[index] ?? 0.5);
    });
  }
}
