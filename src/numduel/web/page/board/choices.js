// A button for each move that is not a tile. Some have a place on the board, such as an end of a
// row; the others stand below it.

import { capital, make, set, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { result } from "./cells.js";

export class Choices {
  /** @type {(move: string, legal: boolean) => void} */ press;
  /** @type {(option: Server.Legal) => HTMLElement | null} */ home;

  // home(option): the element that holds the button of a move, or null.
  constructor(press, home) {
    Object.assign(this, { press, home });
    this.buttons = new Set();
    this.root = make("div", { class: "row choices", role: "group", "aria-label": t("Moves") });
  }

  // leave() moves the focus away from a button that goes. over: no more moves will follow.
  /**
   * @param {(Server.Legal & { wrong?: boolean })[]} options
   * @param {Marks} marks
   * @param {{ leave: () => void, over: boolean }} then
   */
  show(options, { worths, advised }, { leave, over }) {
    const placed = options.map((option) => ({ ...option, home: this.home(option) ?? this.root }));
    this.clear(placed, leave, !over && !placed.length);
    let place = this.root.firstChild;
    for (const { move, label, offer, wrong, home } of placed) {
      let button = this.find(label, home);
      // A button that is there already is not moved, or it would lose the focus.
      if (!button) {
        button = this.make(label);
        home.insertBefore(button, home === this.root ? place : null);
      }
      if (home === this.root) place = button.nextSibling;
      set(button, "data-wrong", wrong);
      this.paint(button, move, offer, worths.get(move));
      set(button, "data-advised", advised.has(move));
    }
  }

  // One button for each label: "end" stays the same button when the next card comes.
  find(label, home) {
    const same = (button) => button.dataset.label === label && button.parentElement === home;
    return [...this.buttons].find(same);
  }

  // During the opponent's turn a focused button stays, switched off: it is usually needed again.
  clear(placed, leave, wait) {
    const wanted = new Set(placed.map(({ label, home }) => this.find(label, home)));
    for (const button of this.buttons) {
      if (wanted.has(button)) continue;
      const focused = button === document.activeElement;
      if (focused && wait) {
        set(button, "aria-disabled", "true");
        continue;
      }
      if (focused) leave();
      button.remove();
      this.buttons.delete(button);
    }
  }

  /** @param {Server.Option} [value] */
  paint(button, move, offer, value) {
    set(button, "data-move", move);
    set(button, "aria-disabled", null);
    // A word begins with a capital; a move in the notation, such as a3, stays as it is.
    write(button.firstChild, /^\p{Ll}[\p{Ll}\s]{2}/u.test(offer) ? capital(offer) : offer);
    set(button, "data-best", value?.best);
    set(button, "data-result", result(value));
    write(button.lastChild, value ? `${value.best ? "★ " : ""}${value.worth}` : "");
  }

  make(label) {
    const onclick = ({ currentTarget: { dataset, ariaDisabled } }) => {
      if (!ariaDisabled) this.press(dataset.move, !("wrong" in dataset));
    };
    const button = make(
      "button",
      { type: "button", class: "button choice", "data-label": label, onclick },
      make("span", { class: "choice-name" }),
      make("span", { class: "worth" }),
    );
    this.buttons.add(button);
    return button;
  }
}
