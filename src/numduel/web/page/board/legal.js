// Whether the board tells which numbers may be taken: always, when asked to, or never. Every game
// has its own choice, which this browser remembers. The page decides where the choice stands (`root`)
// and the button that asks (`ask`).

import { make, set, show } from "../common/dom.js";
import { keep, recall } from "../common/storage.js";

const MODES = { shown: "shown", asked: "when I ask", hidden: "hidden" };

// Finding the moves is the game where they lead from the last number.
/** @param {Server.Position} state */
export const sought = ({ layout }) => layout.kind === "spokes";

export class LegalMoves {
  /** @type {Server.Position} */ state;
  /** @type {() => void} */ changed;

  // changed(): the board has to be drawn again.
  constructor(changed) {
    this.changed = changed;
    this.radios = Object.entries(MODES).map(([mode, text]) => this.radio(mode, text));
    this.ask = make(
      "button",
      { type: "button", id: "show-moves", class: "button small", onclick: () => this.reveal() },
      "Show moves",
    );
    this.root = make(
      "fieldset",
      { class: "legal" },
      make("legend", {}, "Possible moves are"),
      make("div", { class: "modes" }, ...this.radios),
    );
  }

  radio(mode, text) {
    const onchange = () => {
      keep(`legal.${this.state.name}`, mode);
      this.changed();
    };
    const input = make("input", { type: "radio", name: "legal", value: mode, onchange });
    return make("label", { class: "mode" }, input, make("span", {}, text));
  }

  get mode() {
    const kept = recall(`legal.${this.state.name}`, null);
    if (Object.hasOwn(MODES, kept ?? "")) return kept;
    return sought(this.state) ? "hidden" : "shown";
  }

  reveal() {
    this.revealed = this.state.text;
    this.changed();
  }

  // Whether the possible moves of a position are hidden now; offered: whether one may choose that.
  /**
   * @param {Server.Position} state
   * @param {boolean} offered
   */
  hides(state, offered) {
    this.state = state;
    const { mode } = this;
    const choice = offered && state.cells.length > 0;
    show(this.root, choice);
    for (const { firstChild } of this.radios) {
      const input = /** @type {HTMLInputElement} */ (firstChild);
      input.checked = input.value === mode;
    }
    const asked = this.revealed === state.text;
    show(this.ask, choice && mode === "asked");
    set(this.ask, "aria-disabled", asked ? "true" : null);
    return offered && (mode === "hidden" || (mode === "asked" && !asked));
  }
}
