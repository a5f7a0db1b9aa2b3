// Whether the board shows which numbers may be taken: always, when asked, or never. The browser
// remembers the choice for each game. The page places the choice (`root`) and its button (`ask`).

import { button, make, set, show } from "../common/dom.js";
import { t } from "../common/language.js";
import { keep, recall } from "../common/storage.js";

const MODES = { shown: t("always"), asked: t("when I ask"), hidden: t("never") };

// Where moves lead from the last number, finding them is the game.
/** @param {Server.Position} state */
export const sought = ({ layout }) => layout.kind === "spokes";

export class LegalMoves {
  /** @type {Server.Position} */ state;
  /** @type {() => void} */ changed;

  // changed() draws the board again.
  constructor(changed) {
    this.changed = changed;
    this.radios = Object.entries(MODES).map(([mode, text]) => this.radio(mode, text));
    const look = { id: "show-moves", class: "button small" };
    this.ask = button(t("Show moves"), () => this.reveal(), look);
    this.root = make(
      "fieldset",
      { class: "row legal" },
      make("legend", {}, t("Show possible moves")),
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

  // Whether possible moves are hidden now; offered: whether the viewer may choose.
  /** @param {Server.Position} state */
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
