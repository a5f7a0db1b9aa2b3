// The options of a new game: what is wished for, what is wrong with it, and what is kept.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { answer, browser, open, settle } from "../browser.js";

open();
const { Options } = await import("#page/common/options.js");
const { wrong } = await import("#page/common/fields.js");
const { make } = await import("#page/common/dom.js");
const { keep, recall } = await import("#page/common/storage.js");

const GAME = {
  name: "duel",
  parameters: [
    { name: "n", meaning: "numbers", low: 5, high: 99, words: [], labels: [], value: 21 },
    {
      name: "end", meaning: "who wins", low: 0, high: 1,
      words: ["last", "first"], labels: ["the last", "the first"], value: "last",
    },
  ],
};
let card, options;

beforeEach(() => {
  open();
  Object.assign(browser, { asked: [], answers: [] });
  mock.timers.enable({ apis: ["setTimeout"] });
  answer(/^\/api\/v1\/variant/, { changes: ["up to 30"], refusal: null });
});
afterEach(() => mock.timers.reset());

function fill() {
  card = make("div", { "data-game": "duel" },
    make("span", { class: "changed" }),
    make("input", { type: "checkbox", "data-option": "forgiving" }),
    make("details", { class: "options" }, make("div", { class: "fields" })));
  document.body.append(card);
  options = new Options(card);
  options.fill(GAME);
}
const control = (name) => card.querySelector(`[data-parameter=${name}]`);
const tick = (name) => {
  const box = card.querySelector(`[data-option=${name}]`);
  box.checked = true;
  box.happen("input");
};
const type = (name, value) => {
  control(name).value = value;
  control(name).happen("input");
};
const changed = () => card.querySelector(".changed").textContent;

test("a game that nobody has changed is wished for as it is, and nothing is asked", async () => {
  fill();
  assert.deepEqual(options.wish(), { variant: { n: 21, end: "last" } });
  assert.ok(await options.valid());
  assert.equal(changed(), "");
});

test("numbers are wished for as numbers, words as words, and only switches that are on", () => {
  fill();
  type("n", "30");
  type("end", "first");
  tick("forgiving");
  assert.deepEqual(options.wish(), { variant: { n: 30, end: "first" }, forgiving: true });
});

test("a switch is kept at once, what is typed when a game is made of it", () => {
  fill();
  type("n", "30");
  tick("forgiving");
  assert.deepEqual(recall("options.duel"), { forgiving: true });
  assert.equal(changed(), "", "that switch is seen anyway");
  options.wish();
  assert.deepEqual(recall("options.duel"), { variant: { n: 30, end: "last" }, forgiving: true });
});

test("what was kept is there again, and shown in the words of the server", async () => {
  keep("options.duel", { variant: { n: 30 } });
  fill();
  await settle();
  assert.equal(control("n").value, "30");
  assert.equal(changed(), "Up to 30");
  assert.equal(browser.asked[0].path, "/api/v1/variant?game=duel&variant=n%3D30+end%3Dlast");
});

test("the server is asked when the typing has paused", async () => {
  fill();
  type("n", "3");
  mock.timers.tick(399);
  type("n", "30");
  mock.timers.tick(399);
  assert.equal(browser.asked.length, 0);
  mock.timers.tick(1);
  await settle();
  assert.equal(browser.asked.length, 1);
  assert.equal(changed(), "Up to 30");
});

test("what the server refuses is said beside what was changed, which opens", async () => {
  fill();
  answer(/^\/api\/v1\/variant/, { changes: [], refusal: "At most 25 here." });
  type("n", "30");
  assert.equal(await options.valid(), false);
  assert.equal(card.querySelector("#wrong-duel-n").textContent, "At most 25 here.");
  assert.equal(control("n").getAttribute("aria-invalid"), "true");
  assert.ok(options.root.open);
  assert.equal(document.activeElement, control("n"));
  answer(/^\/api\/v1\/variant/, { changes: [], refusal: null });
  type("n", "20");
  assert.ok(await options.valid());
  assert.equal(control("n").hasAttribute("aria-invalid"), false);
});

test("what the browser refuses of a number is said in the language of the page", () => {
  fill();
  Object.assign(control("n"), {
    min: "5", max: "99", validity: { valid: false }, validationMessage: "Trop petit",
  });
  assert.equal(wrong(card), control("n"));
  assert.equal(card.querySelector("#wrong-duel-n").textContent,
    "Please type a whole number from 5 to 99.");
});

test("an answer to what was typed before comes too late", async () => {
  fill();
  const give = [];
  answer(/^\/api\/v1\/variant/, () => new Promise((resolve) => give.push(resolve)));
  type("n", "30");
  mock.timers.tick(400);
  type("n", "31");
  mock.timers.tick(400);
  give[1]({ changes: ["up to 31"], refusal: null });
  await settle();
  give[0]({ changes: ["up to 30"], refusal: "No." });
  await settle();
  assert.equal(changed(), "Up to 31");
  assert.equal(card.querySelector("#wrong-duel-n").textContent, "");
});

test("where the server does not answer, the game that is asked for will say what is wrong", async () => {
  fill();
  answer(/^\/api\/v1\/variant/, new Error("no network"));
  type("n", "30");
  assert.ok(await options.valid());
});

const OFFERED = {
  ...GAME,
  variant: { n: 21, end: "last" },
  offered: { variant: { end: "first" }, changes: ["who wins: first"], told: "", rulebook: "" },
};

function fillOffered() {
  card = make("div", { "data-game": "duel" },
    make("span", { "data-offered": "duel" }, "The first one wins."),
    make("span", { class: "changed" }),
    make("input", { type: "checkbox", "data-rulebook": "duel" }),
    make("details", { class: "options" }, make("div", { class: "fields" })));
  document.body.append(card);
  options = new Options(card);
  options.fill(OFFERED);
}
const told = () => !card.querySelector("[data-offered]").hidden;
const rulebook = () => card.querySelector("[data-rulebook]");

test("a card begins with what is offered, even where older choices are kept", () => {
  keep("options.duel", { variant: { n: 30, end: "last" } });
  fillOffered();
  assert.deepEqual(options.wish().variant, { n: 30, end: "first" });
  assert.ok(told());
});

test("the rulebook's game is one switch away, and is remembered", () => {
  fillOffered();
  rulebook().checked = true;
  rulebook().happen("change");
  assert.deepEqual(options.wish(), { variant: { n: 21, end: "last" } });
  assert.ok(!told());
  card.remove();
  fillOffered();
  assert.ok(rulebook().checked);
  assert.deepEqual(options.wish().variant, { n: 21, end: "last" });
});

test("the switch follows the field, and what is offered is not said twice", async () => {
  answer(/^\/api\/v1\/variant/, { changes: ["up to 30", "who wins: first"], refusal: null });
  fillOffered();
  type("n", "30");
  assert.ok(await options.valid());
  assert.equal(changed(), "Up to 30");
  type("end", "last");
  assert.ok(rulebook().checked);
  assert.ok(!told());
});
