// An activity that the server runs: its state travels there and back with every action.

import { post } from "../common/api.js";
import { arrive, make, set, show, write } from "../common/dom.js";
import { percent, plural } from "../common/language.js";
import { bars } from "../common/bars.js";
import { announce, attempt } from "../common/notify.js";

const LOOK = 200; // milliseconds between two looks at a clock
const RETRY = 3000; // milliseconds after which a server that was not reached is told again
const TOLD = [60, 30, 10]; // seconds left that are said aloud

export class Activity {
  /** @type {Server.Scene | null} */ scene = null;
  waiting = false;
  asked = 0; // the newest question; answers to older ones are ignored
  since = 0; // when the clock of the scene stood at what it says

  /**
   * @param {string} name
   * @param {(action: string) => Record<string, unknown>} kept what this browser has kept by now,
   *   perhaps by another page, and what it tells with an action
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
    const state = { ...this.state, ...this.kept(action) };
    const now = performance.now();
    const passed = (this.scene?.clock ?? 0) - (this.left ?? 0);
    this.waiting = action !== this.scene?.then; // what follows by itself keeps nobody waiting
    const found = await attempt(() =>
      post(`/api/v1/activities/${name}`, { state, action, given, passed }).catch((error) => {
        if (wanted()) throw error;
        return null;
      }));
    if (!wanted()) return undefined;
    this.waiting = false;
    if (!found) return null;
    arrive();
    this.since = found.scene.link === this.scene?.link ? now : performance.now();
    this.state = found.state;
    this.scene = found.scene;
    return found.scene;
  }

  // Makes a move, unless an answer is pending or no move can be made.
  /** @param {string} move */
  move(move) {
    return this.waiting || !this.scene?.moves ? undefined : this.act("move", move);
  }

  // What is to be done once the scene is shown.
  /** @param {(scene: Server.Scene) => void} draw */
  async follow(draw) {
    const { scene } = this;
    if (!scene?.then) return;
    if (scene.pause) await new Promise((done) => setTimeout(done, scene.pause * 1000));
    if (this.scene !== scene || this.waiting) return;
    const next = await this.act(scene.then);
    if (next) draw(next);
    else if (next === null && scene.pause) this.follow(draw); // there is no way on but this
  }

  // The seconds that are left, if there is a clock.
  get left() {
    const { clock = null, pause } = this.scene ?? {};
    if (clock === null || pause) return clock;
    return Math.max(0, clock - (performance.now() - this.since) / 1000);
  }

  // Shows the time that is left; when there is none, that is told to the server.
  /**
   * @param {HTMLElement} node
   * @param {(scene: Server.Scene | null | undefined) => void} draw
   */
  countDown(node, draw) {
    let before = 0;
    /** @type {Server.Scene | null} */
    let over = null;
    setInterval(async () => {
      const { left, scene } = this;
      if (left === null) return;
      const seconds = Math.ceil(left);
      write(node, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
      const told = TOLD.find((few) => before > few && left <= few);
      if (told) announce(plural("{n} second left.", "{n} seconds left.", told));
      before = left;
      if (left || scene?.pause || this.waiting || scene === over) return;
      over = scene;
      const next = await this.act("tick");
      if (next) draw(next);
      else setTimeout(() => { over = null; }, RETRY);
    }, LOOK);
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
        // The second press of a quick pair was meant for what was there before.
        button.addEventListener("click", ({ detail }) => detail > 1 || this.press(action));
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

// The tables of a scene, each on a sheet of its own.
/** @param {Server.Scene} scene */
export const tables = (scene) => scene.tables.map(({ title, columns = [], rows = [], levels = [] }) =>
  make("section", { class: "sheet numbers", "aria-label": title },
    make("h2", {}, title),
    levels.length ? bars(levels) : null,
    make("table", {},
      columns.length ? make("thead", {}, make("tr", {}, make("td", {}),
        ...columns.map((column) => make("th", { scope: "col" }, column)))) : null,
      make("tbody", {}, ...rows.map(tableRow)))));

/** @param {NonNullable<Server.Scene["tables"][number]["rows"]>[number]} row */
const tableRow = ({ label, cells = [], share }) =>
  make("tr", {},
    make("th", { scope: "row" }, label),
    ...cells.map((cell) => make("td", {}, cell || "–")),
    typeof share === "number"
      ? make("td", { class: "share" },
        make("meter", { min: 0, max: 1, value: share, "aria-label": percent(share) }))
      : null);

// A paragraph, or a numbered list; text between backquotes is in the notation.
/** @param {string | string[]} text */
export const block = (text) =>
  Array.isArray(text)
    ? make("ol", {}, ...text.map((item) => make("li", {}, ...inline(item))))
    : make("p", {}, ...inline(text));

/** @param {string} text */
export const inline = (text) =>
  text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
