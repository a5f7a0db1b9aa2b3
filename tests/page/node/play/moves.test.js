// The list of moves and the buttons that step through it; the lines tried on the analysis board.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, happen, open } from "../browser.js";

open();
const { moveList } = await import("#page/play/moves.js");
const { Lines } = await import("#page/study/lines.js");
const { make } = await import("#page/common/dom.js");

let moves, picked, root, steps;
beforeEach(() => {
  open();
  browser.heard.clear();
  picked = [];
  [root, steps] = [make("ol"), make("div")];
  document.body.append(root, steps);
  moves = moveList(root, (ply) => picked.push(ply), steps);
});

const show = (count, at) => {
  const list = ["a", "b", "c", "d"].slice(0, count);
  moves(list, at, list.map((_, index) => 1 + (index % 2)));
};
const able = () => steps.children.filter((one) => !one.ariaDisabled).map(({ dataset }) => dataset.step);
const press = (step) => steps.querySelector(`[data-step=${step}]`).click();

test("every move is a button that shows its position", () => {
  show(3, 3);
  assert.deepEqual(root.children.map((item) => [item.textContent, item.dataset.seat]),
    [["a", "1"], ["b", "2"], ["c", "1"]]);
  root.children[1].firstChild.click();
  assert.deepEqual(picked, [2]);
  assert.equal(root.children[1].firstChild.getAttribute("aria-label"), "Move 2: b");
});

test("the move on the board is the current one, and moves that were taken back go", () => {
  show(3, 2);
  const current = () => root.querySelectorAll("[aria-current]").map((node) => node.textContent);
  assert.deepEqual(current(), ["b"]);
  show(1, 1);
  assert.deepEqual([current(), root.children.length], [["a"], 1]);
});

test("only steps that lead somewhere can be pressed", () => {
  show(0, 0);
  assert.deepEqual(able(), []);
  show(3, 3);
  assert.deepEqual(able(), ["start", "back"]);
  show(3, 1);
  assert.deepEqual(able(), ["start", "back", "on", "end"]);
  show(3, 0);
  assert.deepEqual(able(), ["on", "end"]);
});

test("a step pressed again before the position is there goes one further, and not beyond", () => {
  show(3, 3);
  for (const step of ["back", "back", "back", "back", "end", "on", "start"]) press(step);
  assert.deepEqual(picked, [2, 1, 0, 3, 0]);
});

test("the move on the board is scrolled into view, no further than needed", () => {
  show(4, 4);
  Object.assign(root, { height: 50, top: 10, scrollHeight: 200 });
  root.children.forEach((item, index) => Object.assign(item, { top: 10 + 40 * index, height: 40 }));
  const scrolled = (at) => {
    show(4, at);
    return root.scrollTop;
  };
  assert.deepEqual([4, 3, 2, 3, 0, 1].map(scrolled), [200, 80, 40, 70, 0, 0]);
});

const key = (name, target = document.body, more = {}) => {
  const event = { key: name, target, prevented: false, preventDefault() { this.prevented = true; },
    stopPropagation() {}, ...more };
  for (const hear of browser.heard.get("keydown")) hear(event);
  return event.prevented;
};

test("the arrow keys step, but not in a field and not with another key", () => {
  show(3, 3);
  assert.ok(key("ArrowLeft"));
  assert.ok(key("ArrowRight"));
  assert.ok(!key("ArrowLeft", make("input")));
  assert.ok(!key("ArrowLeft", document.body, { altKey: true }));
  assert.ok(!key("a"));
  assert.deepEqual(picked, [2, 3]);
});

test("on the tiles the arrow keys step only for who uses the mouse", () => {
  show(3, 3);
  const tile = make("div", { class: "cells" });
  assert.ok(!key("ArrowLeft", tile));
  happen("pointerdown");
  assert.ok(key("ArrowLeft", tile));
  key("Tab");
  assert.ok(!key("ArrowLeft", tile));
});

// -- lines -----------------------------------------------------------------------------------

const ply = (move, before, here = false) =>
  ({ move, label: `${move}!`, seat: 1, before, followed: true, here });

test("the list shows the first line, and what was tried instead within it", () => {
  const list = make("ol");
  const went = [];
  const lines = new Lines(list, (text) => went.push(text));
  lines.show([ply("1", -1), ply("2", 0), ply("3", 1), ply("4", 0), ply("5", 3, true)]);
  assert.deepEqual(list.children.map((item) => item.textContent), ["1!", "2!", "4!5!", "3!"]);
  const instead = list.children[2];
  assert.equal(instead.getAttribute("class"), "instead");
  assert.equal(instead.firstChild.getAttribute("aria-label"), "Instead of 2!");
  assert.equal(list.querySelector("[aria-current]").textContent, "5!");
  list.children[1].firstChild.click();
  list.querySelector("[aria-current]").click();
  assert.deepEqual(went, ["1 2", "1 4 5"]);
});
