// The evaluation bar: its shares and the words above it say who is ahead.

import { make, set, show, write } from "../common/dom.js";
import { nameText, t } from "../common/language.js";

export class Evaluation {
  constructor(root) {
    this.root = root;
    this.words = [1, 2].map(() =>
      make("p", { class: "outlook" }, make("span", { class: "outlook-name" }), " ", make("span")));
    this.waiting = make("p", { class: "outlook", hidden: true }, t("Working out who wins…"));
    this.shares = [1, 2].map((seat) => make("span", { class: "share", "data-owner": seat }));
    root.append(
      make("div", { class: "outlooks" }, this.waiting, ...this.words),
      make("div", { class: "scale", "aria-hidden": "true" }, ...this.shares),
    );
  }

  // The last value stays, dimmed, until the next one is known.
  wait() {
    set(this.root, "aria-busy", "true");
    show(this.waiting, this.words.every((words) => !words.textContent.trim()));
  }

  // There is no evaluation while values are off, or when the game is over.
  /**
   * @param {Server.Position} state
   * @param {Server.Evaluation | null} [evaluation]
   */
  show(state, evaluation) {
    const winner = state.outcome?.winner;
    const won = winner ? [1, 2].map((seat) => seat === winner) : null;
    const words = evaluation?.words ?? won?.map((yes) => (yes ? t("has won") : "")) ?? ["", ""];
    const chances = evaluation?.chances ?? won?.map(Number);
    set(this.root, "aria-busy", null);
    show(this.waiting, false);
    set(this.root, "data-unknown", !chances);
    words.forEach((text, index) => {
      const [name, told] = this.words[index].children;
      write(name, text && nameText(state.names[index]));
      write(told, text);
      this.shares[index].style.setProperty("--share", String(chances?.[index] ?? 0.5));
    });
  }
}
