// The number tiles: a group of buttons with one in the tab order; the arrow keys move between them.

import { make, set, show, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { shape } from "./shape.js";
import { Spokes } from "./spokes.js";

/** @typedef {import("./steps.js").Steps} Steps */

const SHORT = 5; // letters of a value that fit in the usual type
const MANY = 60; // more tiles than this scroll in a box of their own
const DIGIT_PAUSE = 1500; // milliseconds between two digits of one number
const UNTAKEN = ["free", "blocked"];
// What a tile is for who hears it; taken ones have an owner.
const STATES = { free: t("free"), blocked: t("blocked"), taken: t("taken") };
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Cells {
  /** @type {Shape & { gap: number }} */ shape;
  /** @type {Server.Layout} */ layout;

  constructor(press) {
    this.press = press;
    this.here = 0; // the tile in the tab order
    this.typed = "";
    this.spokes = new Spokes();
    this.root = make("div", {
      class: "cells",
      role: "group",
      onkeydown: (event) => this.key(event),
      onclick: (event) => {
        const button = event.target.closest("[data-cell]");
        if (!button) return;
        this.typed = ""; // a press is not the beginning of the next number
        this.point(this.buttons.indexOf(button));
        this.press(button.dataset.cell);
      },
    });
    this.buttons = [];
    new ResizeObserver(() => this.lay()).observe(this.root);
    addEventListener("resize", () => this.lay());
    addEventListener("keydown", (event) => this.hear(event));
  }

  // open: tiles can be pressed; legal: the tiles that may be taken; hidden: the tiles do not show
  // which; steps: moves from tile to tile; worths: the value of every move; advised: recommended.
  /**
   * @param {Server.Position} state
   * @param {Marks & { open: boolean, legal: Set<string>, hidden: boolean, steps: Steps }} how
   */
  show(state, { open, legal, hidden, steps, worths, advised }) {
    const { cells, layout } = state;
    show(this.root, cells.length > 0);
    if (cells.length !== this.buttons.length || layout.kind !== this.layout?.kind) {
      this.layout = layout;
      this.build(cells);
    }
    const can = ({ label, state }) =>
      open && (steps.may(label) ?? (hidden ? UNTAKEN.includes(state) : legal.has(label)));
    const seen = { state, hidden, can, steps, worths, advised };
    cells.forEach((cell, index) => this.paint(this.buttons[index], cell, seen));
    this.join(cells);
    if (layout.kind === "spokes") {
      this.spokes.show(state, hidden || state.outcome ? new Set() : legal);
    }
    const long = [...worths.values()].some((option) => option.short.length > SHORT);
    set(this.root, "data-long", long);
    const last = cells.findIndex((cell) => cell.state === "last");
    if (cells.length > MANY && last >= 0 && last !== this.last) this.reveal(this.buttons[last]);
    this.last = last;
  }

  /** @param {Server.Cell[]} cells */
  build(cells) {
    this.buttons = cells.map(() =>
      make(
        "button",
        { type: "button", class: "cell", tabindex: "-1" },
        make("span", { class: "number" }),
        make("span", { class: "mark" }),
        make("span", { class: "worth" }),
        make("span", { class: "link" }),
      ),
    );
    const { hub, edges } = this.spokes;
    const centre = this.layout.kind === "spokes" ? [edges, hub] : [];
    this.root.replaceChildren(...centre, ...this.buttons);
    set(this.root, "data-many", cells.length > MANY);
    const numbers = cells.every(({ label }) => /^[0-9]+$/.test(label));
    set(this.root, "aria-label", numbers
      ? t("Numbers. Arrow keys move, or type a number.")
      : t("Squares. Arrow keys move, or type the name of a square."));
    this.here = 0;
    this.buttons[0]?.setAttribute("tabindex", "0");
    this.lay();
  }

  paint(button, cell, { state, hidden, can, steps, worths, advised }) {
    const [number, mark, worth] = button.children;
    const value = worths.get(cell.label);
    const plain = hidden && UNTAKEN.includes(cell.state);
    set(button, "data-cell", cell.label);
    set(button, "data-state", plain ? "free" : cell.state);
    set(button, "data-owner", cell.owner);
    set(button, "data-best", value?.best);
    set(button, "data-advised", advised.has(cell.label));
    set(button, "data-result", result(value));
    set(button, "aria-disabled", can(cell) ? null : "true");
    set(button, "aria-pressed", steps.may(cell.label) ? String(steps.chosen === cell.label) : null);
    set(button, "data-target", !hidden && steps.ends(cell.label));
    set(button, "aria-label", plain ? cell.label : spoken(cell, state, value));
    write(number, cell.label);
    // Drawn by the style sheet; the accessible name says the same in words.
    set(mark, "data-text", cell.owner && state.markers[cell.owner - 1]);
    set(mark, "data-owner", cell.owner);
    set(worth, "data-text", value?.short);
  }

  // The links between neighbours on a path; a link between two tiles of one owner has their colour.
  /** @param {Server.Cell[]} cells */
  join(cells) {
    this.buttons.forEach((button, index) => {
      const [one, two] = [cells[index].owner, cells[index + 1]?.owner];
      set(button.lastChild, "data-owner", one && one === two ? one : null);
    });
  }

  lay() {
    const count = this.buttons.length;
    const style = getComputedStyle(this.root);
    const width = this.root.clientWidth - parseFloat(style.paddingLeft) * 2;
    if (!count || !width) return;
    const gap = parseFloat(style.rowGap);
    // Readers who enlarge the text need larger tiles.
    const scale = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
    const { clientHeight } = document.documentElement;
    const top = this.root.getBoundingClientRect().top + scrollY;
    const below = parseFloat(style.getPropertyValue("--below")) * scale;
    const least = parseFloat(style.getPropertyValue("--least")) * clientHeight;
    const height = Math.max(clientHeight - top - below, least);
    const smallest = parseFloat(style.getPropertyValue("--smallest")) * scale;
    this.shape = { ...shape(this.layout, { count, width, height, gap, scale, smallest }), gap };
    this.place();
  }

  place() {
    const { root, shape: { columns, rows, size, places, ring, headed, tailed, linked } } = this;
    Object.entries({ "--columns": columns, "--rows": rows, "--size": `${size}px` })
      .forEach(([name, value]) => root.style.setProperty(name, String(value)));
    set(root, "data-ring", ring);
    set(root, "data-headed", headed);
    set(root, "data-tailed", tailed);
    set(root, "data-linked", linked);
    places.forEach(({ row, column }, index) => {
      const { style, lastChild } = this.buttons[index];
      style.gridArea = `${row + (headed ? 2 : 1)} / ${column + 1}`;
      const next = places[index + 1];
      set(lastChild, "data-way", linked && next ? way(places[index], next) : null);
    });
    this.spokes.lay(this.shape);
  }

  // Scrolls the box only, never the page.
  reveal(button) {
    const top = button.offsetTop - this.root.offsetTop;
    this.root.scrollTop = top - this.root.clientHeight / 2;
  }

  point(index) {
    this.buttons[this.here]?.setAttribute("tabindex", "-1");
    this.here = index;
    this.buttons[index].setAttribute("tabindex", "0");
  }

  go(index) {
    if (index < 0 || index >= this.buttons.length) return;
    this.point(index);
    this.buttons[index].focus();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const ends = { Home: 0, End: this.buttons.length - 1 };
    if (event.key in ARROWS || event.key in ends) {
      event.preventDefault();
      this.typed = "";
      const [down, right] = ARROWS[event.key] ?? [];
      this.go(ends[event.key] ?? this.beside(down, right));
    } else if (/^[0-9a-z]$/i.test(event.key)) {
      this.type(event.key);
    }
  }

  // A number that is typed anywhere but in a field or a dialog goes to the board.
  hear(event) {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    const elsewhere = ".cells, [popover], dialog, select, textarea, input:not([type=checkbox])";
    if (ctrlKey || altKey || metaKey || !/^[0-9]$/.test(key)) return;
    if (this.root.hidden || target.closest?.(elsewhere)) return;
    this.type(key);
  }

  // The next tile in a direction on the screen, or -1. Up and down need not be straight.
  beside(down, right) {
    const { places } = this.shape;
    const from = places[this.here];
    const found = places.map(({ row, column }, index) => {
      const along = (row - from.row) * down + (column - from.column) * right;
      const aside = Math.abs(down ? column - from.column : row - from.row);
      return { index, along, aside };
    }).filter(({ along, aside }) => along > 0 && (down || !aside));
    found.sort((one, two) => one.aside - two.aside || one.along - two.along);
    return found[0]?.index ?? -1;
  }

  // Typed characters gather into a label and move the focus there; Enter then presses the tile.
  type(digit) {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => (this.typed = ""), DIGIT_PAUSE);
    const find = (label) => this.buttons.findIndex((button) => button.dataset.cell === label);
    const longer = find(this.typed + digit);
    this.typed = longer < 0 ? digit : this.typed + digit;
    this.go(longer < 0 ? find(digit) : longer);
  }
}

function way(from, to) {
  if (to.row > from.row) return "down";
  return to.column > from.column ? "right" : "left";
}

// Whether a move wins or loses for certain, or only has a chance; decides the colour of its value.
/** @param {Server.Option} [value] */
export function result(value) {
  if (!value) return null;
  return (value.exact && { 1: "win", 0: "loss" }[value.win_probability]) || "chance";
}

// "21, taken by Player 1 (P1), last move"
/**
 * @param {Server.Cell} cell
 * @param {Server.Position} state
 * @param {Server.Option} [value]
 */
function spoken(cell, state, value) {
  const parts = [cell.label];
  if (cell.owner) {
    const owner = cell.owner - 1;
    const [name, marker] = [state.names[owner], state.markers[owner]];
    parts.push(t("taken by {name} ({marker})", { name, marker }));
  } else if (cell.state !== "last" && cell.state !== "winning") {
    parts.push(STATES[cell.state]);
  }
  if (cell.state === "last") parts.push(t("last move"));
  if (cell.state === "winning") parts.push(t("winning number"));
  if (value) parts.push(value.worth);
  if (value?.best) parts.push(t("best"));
  return parts.join(", ");
}
