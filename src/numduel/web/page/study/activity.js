// An activity that the server judges: its state travels there and back with everything that is done.

import { post } from "../common/api.js";
import { make, set, show } from "../common/dom.js";
import { attempt } from "../common/notify.js";

export class Activity {
  /** @type {Server.Scene | null} */ scene = null;
  waiting = false;
  asked = 0; // the newest question; answers to older ones come too late

  /**
   * @param {string} name
   * @param {() => Record<string, unknown>} kept what this browser has kept by now, perhaps by
   *   another page
   * @param {Record<string, unknown>} [state] what it begins with
   */
  constructor(name, kept, state = {}) {
    this.name = name;
    this.kept = kept;
    this.state = state;
  }

  // What is shown then; null if it failed, undefined if it is not wanted any more.
  /**
   * @param {string} action
   * @param {string} [given]
   */
  async act(action, given = "") {
    const question = (this.asked += 1);
    const wanted = () => question === this.asked;
    const { name } = this;
    const state = { ...this.state, ...this.kept() };
    this.waiting = true;
    const found = await attempt(() =>
      post(`/api/activities/${name}`, { state, action, given }).catch((error) => {
        if (wanted()) throw error;
        return null;
      }));
    if (!wanted()) return undefined;
    this.waiting = false;
    if (!found) return null;
    this.state = found.state;
    this.scene = found.scene;
    return found.scene;
  }

  // A move, unless an answer is on its way or none is asked for.
  /** @param {string} move */
  move(move) {
    return this.waiting || !this.scene?.moves ? undefined : this.act("move", move);
  }
}

// A button for everything that can be done, where it always is; what cannot be done now is hidden.
export class Choices {
  /**
   * @param {HTMLElement} root
   * @param {(action: string) => void} press
   */
  constructor(root, press) {
    this.root = root;
    this.press = press;
    /** @type {Map<string, HTMLElement>} */
    this.buttons = new Map();
  }

  // The main thing, where no move can be made.
  main = () => [...this.buttons.values()].find((button) => button.classList.contains("strong"));

  /** @param {Server.Scene | null} scene */
  show(scene) {
    const offered = scene?.choices ?? [];
    for (const [action, button] of this.buttons) {
      show(button, offered.some((choice) => choice.action === action));
    }
    /** @type {HTMLElement | undefined} */
    let before;
    for (const { action, label, told } of offered) {
      let button = this.buttons.get(action);
      if (!button) {
        button = make("button",
          { class: "button", type: "button", title: told, "data-action": action }, label);
        button.addEventListener("click", () => this.press(action));
        this.buttons.set(action, button);
        if (before) before.after(button);
        else this.root.prepend(button);
      }
      before = button;
    }
    for (const [action, button] of this.buttons) {
      const main = !scene?.moves && offered[0]?.action === action;
      set(button, "class", main ? "button strong" : "button");
    }
  }
}

// A paragraph, or a numbered list; what is between backquotes is in the notation.
/** @param {string | string[]} text */
export const block = (text) =>
  Array.isArray(text)
    ? make("ol", {}, ...text.map((item) => make("li", {}, ...inline(item))))
    : make("p", {}, ...inline(text));

/** @param {string} text */
export const inline = (text) =>
  text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
