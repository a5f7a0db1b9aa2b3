// An activity that the server runs: its state travels there and back with every action.

import { post } from "../common/api.js";
import { make, set, show } from "../common/dom.js";
import { attempt } from "../common/notify.js";

export class Activity {
  /** @type {Server.Scene | null} */ scene = null;
  waiting = false;
  asked = 0; // the newest question; answers to older ones are ignored

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

  // The next scene; null if that failed, undefined if a newer action replaced it.
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

  // Makes a move, unless an answer is pending or no move can be made.
  /** @param {string} move */
  move(move) {
    return this.waiting || !this.scene?.moves ? undefined : this.act("move", move);
  }
}

// A button for each action, always in the same place; those that are not offered now are hidden.
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

  // The main button, where no move can be made.
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

// A paragraph, or a numbered list; text between backquotes is in the notation.
/** @param {string | string[]} text */
export const block = (text) =>
  Array.isArray(text)
    ? make("ol", {}, ...text.map((item) => make("li", {}, ...inline(item))))
    : make("p", {}, ...inline(text));

/** @param {string} text */
export const inline = (text) =>
  text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
