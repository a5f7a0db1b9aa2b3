// Lists that change while they are read, and elements that become what a description says.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { open } from "../browser.js";

open();
const { become, make } = await import("#page/common/dom.js");
const { rows } = await import("#page/common/rows.js");

let root, next;
beforeEach(() => {
  open();
  [root, next] = [make("ul"), make("h2")];
  document.body.append(root, next);
});

const show = (...texts) => rows(root, texts, {
  key: (text) => text[0], make: (text) => make("li", {}, make("button", {}, text)), next,
});
const texts = () => root.children.map((row) => row.textContent);

test("a row stays the same element wherever it comes to stand, and whatever it tells", () => {
  show("a", "b", "c");
  const [first, second, third] = root.children;
  show("c1", "a2", "d");
  assert.deepEqual(texts(), ["c1", "a2", "d"]);
  assert.deepEqual(root.children.slice(0, 2), [third, first]);
  assert.ok(!second.isConnected);
});

test("who is in a row with the keyboard stays there, or is led on where it goes", () => {
  show("a", "b");
  const button = root.children[1].firstChild;
  button.focus();
  show("b2", "a");
  assert.equal(document.activeElement, button);
  show("a");
  assert.equal(document.activeElement, next);
});

test("without a key, rows are known by their place", () => {
  const list = (...items) => rows(root, items, { make: (text) => make("li", {}, text) });
  list("a", "b");
  const [first] = root.children;
  list("x");
  assert.deepEqual([texts(), root.children[0] === first], [["x"], true]);
});

test("an element takes over what another one has, but keeps its style and what it does", () => {
  const pressed = [];
  const node = make("p", { title: "old", "data-gone": true, onclick: () => pressed.push("old") },
    "Sum: ", make("strong", {}, "1"), make("i", {}, "odd"));
  node.setAttribute("style", "gap: 0");
  const strong = node.children[0];
  become(node, make("p", { title: "new" },
    "Total: ", make("strong", {}, "2"), make("b", {}, "even"), "."));
  assert.equal(node.textContent, "Total: 2even.");
  assert.equal(node.children[0], strong);
  assert.deepEqual(node.getAttributeNames().sort(), ["style", "title"]);
  assert.equal(node.getAttribute("title"), "new");
  become(node, make("p", {}, "None"));
  assert.equal(node.textContent, "None");
  node.click();
  assert.deepEqual(pressed, ["old"]);
});
