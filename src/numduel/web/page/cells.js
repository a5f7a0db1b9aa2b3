// The number tiles: a group of real buttons, one of them in the tab order, the arrows move between.

import { make, set, show, write } from "./dom.js";

const SMALLEST = 48; // CSS pixels; a finger needs 44
const SHORT = 6; // letters of a value that need no smaller type
const LARGEST = 76;
const GAP = 8;
const MANY = 60; // from here on the tiles scroll in a box of their own
const DIGIT_PAUSE = 1500; // milliseconds between two digits of one number

export class Cells {
  constructor(press) {
    this.press = press;
    this.here = 0; // the tile in the tab order
    this.columns = 1;
    this.typed = "";
    this.root = make("div", {
      class: "cells",
      role: "group",
      "aria-label": "Numbers. Arrow keys move, or type a number.",
      onkeydown: (event) => this.key(event),
      onclick: (event) => {
        const button = event.target.closest("[data-cell]");
        if (!button) return;
        this.typed = ""; // what was pressed is not the beginning of the next number
        this.point(this.buttons.indexOf(button));
        this.press(button.dataset.cell);
      },
    });
    this.buttons = [];
    new ResizeObserver(() => this.lay()).observe(this.root);
  }

  show(state, legal, worths) {
    const { cells } = state;
    if (cells.length !== this.buttons.length) this.build(cells);
    show(this.root, cells.length > 0);
    cells.forEach((cell, index) => this.paint(this.buttons[index], cell, { state, legal, worths }));
    const long = [...worths.values()].some((option) => option.short.length > SHORT);
    set(this.root, "data-long", long);
    const last = cells.findIndex((cell) => cell.state === "last");
    if (cells.length > MANY && last >= 0 && last !== this.last) this.reveal(this.buttons[last]);
    this.last = last;
  }

  build(cells) {
    this.buttons = cells.map(() =>
      make(
        "button",
        { type: "button", class: "cell", tabindex: "-1" },
        make("span", { class: "number" }),
        make("span", { class: "mark" }),
        make("span", { class: "worth" }),
      ),
    );
    this.root.replaceChildren(...this.buttons);
    set(this.root, "data-many", cells.length > MANY);
    this.here = 0;
    this.buttons[0]?.setAttribute("tabindex", "0");
    this.lay();
  }

  paint(button, cell, { state, legal, worths }) {
    const [number, mark, worth] = button.children;
    const value = legal.has(cell.label) ? worths.get(cell.label) : undefined;
    set(button, "data-cell", cell.label);
    set(button, "data-state", cell.state);
    set(button, "data-owner", cell.owner);
    set(button, "data-best", value?.best);
    set(button, "data-result", result(value));
    set(button, "aria-disabled", legal.has(cell.label) ? null : "true");
    set(button, "aria-label", spoken(cell, state, value));
    write(number, cell.label);
    // Drawn by the style sheet: the accessible name says the same in words.
    set(mark, "data-text", cell.owner && state.markers[cell.owner - 1]);
    set(mark, "data-owner", cell.owner);
    set(worth, "data-text", value?.short);
  }

  // Rows of equal length, and rows of ten where the board is large: easier to find a number in.
  lay() {
    const count = this.buttons.length;
    const { paddingLeft, paddingRight } = getComputedStyle(this.root);
    const width = this.root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (!count || !width) return;
    // Who has made the letters larger needs larger tiles.
    const scale = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
    const fit = Math.max(1, Math.floor((width + GAP) / (SMALLEST * scale + GAP)));
    const rows = Math.ceil(count / fit);
    this.columns = count > 30 && fit >= 10 ? 10 : Math.ceil(count / rows);
    const size = Math.min(LARGEST * scale, (width - GAP * (this.columns - 1)) / this.columns);
    this.root.style.setProperty("--columns", this.columns);
    this.root.style.setProperty("--size", `${Math.floor(size)}px`);
  }

  // Scrolls the box only, never the page under the reader.
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
    const steps = {
      ArrowLeft: this.here - 1,
      ArrowRight: this.here + 1,
      ArrowUp: this.here - this.columns,
      ArrowDown: this.here + this.columns,
      Home: 0,
      End: this.buttons.length - 1,
    };
    if (event.key in steps) {
      event.preventDefault();
      this.typed = "";
      this.go(steps[event.key]);
    } else if (/^[0-9]$/.test(event.key)) {
      this.type(event.key);
    }
  }

  // Digits gather into a number and move the focus there; Enter then presses the tile.
  type(digit) {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => (this.typed = ""), DIGIT_PAUSE);
    const find = (label) => this.buttons.findIndex((button) => button.dataset.cell === label);
    const longer = find(this.typed + digit);
    this.typed = longer < 0 ? digit : this.typed + digit;
    this.go(longer < 0 ? find(digit) : longer);
  }
}

// Whether a move wins or loses for certain, or has a chance: the colour says what the words say.
export function result(value) {
  if (!value) return null;
  return (value.exact && { 1: "win", 0: "loss" }[value.win_probability]) || "chance";
}

// Why a tile cannot be pressed, as far as the view tells.
export function refusal(cell, state) {
  if (cell.owner) return `${cell.label} is taken by ${state.names[cell.owner - 1]}.`;
  return `${cell.label} is ${cell.state}: it cannot be taken now.`;
}

// "21, taken by Player 1 (P1), last move"
function spoken(cell, state, value) {
  const parts = [cell.label];
  if (cell.owner) {
    const owner = cell.owner - 1;
    parts.push(`taken by ${state.names[owner]} (${state.markers[owner]})`);
  } else if (cell.state !== "last" && cell.state !== "winning") {
    parts.push(cell.state);
  }
  if (cell.state === "last") parts.push("last move");
  if (cell.state === "winning") parts.push("winning number");
  if (value) parts.push(value.worth);
  if (value?.best) parts.push("best");
  return parts.join(", ");
}
