// What can be learnt from a game: the report, its chart, and the way from mistake to mistake.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answer, browser, open, seen, settle, text } from "../browser.js";
import { game, numbers } from "../samples.js";

open("/play/g1");
const { After } = await import("#page/study/after.js");
const { chart } = await import("#page/study/chart.js");
const { Evaluation } = await import("#page/study/evaluation.js");
const { report } = await import("#page/study/report.js");
const { make } = await import("#page/common/dom.js");

const ply = (number, slip = "") => ({
  number, seat: 1 + ((number + 1) % 2), label: `m${number}`, slip, mistake: slip === "mistake",
  told: slip && `Move ${number}, a ${slip}.`, headline: slip && `Move ${number}.`,
});
const data = (more = {}) => ({
  title: "How it went", lines: ["Ada won.", "Move 2, a mistake."], spotless: "", exact: true,
  before: ["Ada won."], asked: [2], afterwards: ["Next time: look."],
  labels: ["wins", "even", "loses"], levels: [0.5, 1, 0, 0.5, 1], names: ["Ada", "Bo"],
  slips: [2, 3], turning: 2, accuracy: [[2, 2, 2], [1, 2, 2]],
  plies: [ply(1), ply(2, "mistake"), ply(3, "inaccuracy"), ply(4)], ...more,
});

beforeEach(() => {
  open("/play/g1");
  Object.assign(browser, { asked: [], answers: [], went: [] });
});

const listed = (root) => root.querySelector("#mistakes").querySelectorAll("p")
  .map((one) => one.textContent);

const points = (picture) => picture.querySelectorAll(".chart-point");

test("the chart has a point for the start and for every move, at its value", () => {
  document.documentElement.width = 400; // 328 are left: 252 between the margins
  const picture = chart(data(), () => {});
  assert.equal(picture.getAttribute("viewBox"), "0 0 328 200");
  const line = picture.querySelector("polyline").getAttribute("points");
  assert.equal(line, "60,100 123,16 186,184 249,100 312,16");
  assert.deepEqual(points(picture).map((point) => point.getAttribute("aria-label")), [
    "Start", "Move 1: m1", "Move 2: m2, a mistake", "Move 3: m3, an inaccuracy", "Move 4: m4",
  ]);
  const [reach] = points(picture)[1].querySelectorAll(".chart-reach");
  assert.deepEqual(["width", "height"].map((side) => reach.getAttribute(side)), ["63", "200"]);
  document.documentElement.width = 2000;
  assert.equal(chart(data(), () => {}).getAttribute("viewBox"), "0 0 760 200");
});

test("a point of the chart shows its position, by mouse and keyboard", () => {
  const picked = [];
  const [start, one] = points(chart(data(), (number) => picked.push(number)));
  one.click();
  start.happen("keydown", { key: "Enter" });
  one.happen("keydown", { key: " " });
  one.happen("keydown", { key: "a" });
  assert.deepEqual(picked, [1, 0, 1]);
});

test("seat 2 is a diamond, a mistake is larger", () => {
  const picture = chart(data(), () => {});
  const shapes = points(picture).map((point) => point.lastChild.tag);
  assert.deepEqual(shapes, ["circle", "circle", "path", "circle", "path"]);
  assert.deepEqual(points(picture).map((point) => point.lastChild.getAttribute("r")),
    ["5", "5", null, "5", null]);
  assert.ok(points(picture)[2].lastChild.getAttribute("d").startsWith("M402 "), "upon its place");
});

test("a report tells each slip once, in its own list", () => {
  const picked = [];
  const tried = [];
  const retry = ({ number }) => tried.push(number);
  const root = make("div", {}, ...report(data(), { pick: (number) => picked.push(number), retry }));
  const [mistakes] = root.querySelectorAll("#mistakes");
  const [inaccuracies] = root.querySelectorAll("#inaccuracies");
  assert.deepEqual(root.querySelector(".report-lines").children.map((one) => one.textContent), ["Ada won."]);
  assert.deepEqual([mistakes, inaccuracies].map((list) => list.children.map(({ dataset }) => dataset.ply)),
    [["2"], ["3"]]);
  for (const button of mistakes.querySelectorAll("button")) button.click();
  assert.deepEqual([picked, tried], [[2], [2]]);
  assert.equal(root.querySelector("#spotless"), null);
});

test("a report asks for better moves before it tells them, or anything else that went wrong", () => {
  const asked = [];
  const act = { ask: ({ number }) => asked.push(number), everything: () => asked.push("everything") };
  const found = data({ lines: ["Ada won.", "Move 2, a mistake.", "3 would have lasted longer."] });
  const root = make("div", {}, ...report(found, act, new Set([2])));
  assert.deepEqual(root.querySelector(".report-lines").children.map((one) => one.textContent), ["Ada won."]);
  assert.deepEqual(listed(root), ["Move 2."]);
  assert.equal(root.querySelector("#inaccuracies"), null);
  root.querySelector(".ask").click();
  root.querySelector("#everything").click();
  assert.deepEqual(asked, [2, "everything"]);
});

test("who made no mistake is told so", () => {
  const root = make("div", {}, ...report(data({ slips: [], spotless: "You made no mistake." }), {}));
  assert.equal(root.querySelector("#spotless").textContent, "You made no mistake.");
  assert.equal(root.querySelector("#mistakes").textContent, "None.");
});

// -- after a game ----------------------------------------------------------------------------

const over = (more = {}) => game({
  moves: ["1", "2", "3", "4"], text: "1 2 3 4", outcome: { winner: 1, reason: "", reasons: ["", "", ""] }, ...more,
});

// The server asks for a better move than move 2, and is told one.
const RECORD = "Game: duel";
const scene = (more = {}) => ({
  title: "Mistake 1 of 2", grade: "", goal: "At move 2, Bo played 2. Find a better move.", moves: true,
  state: numbers(5, { text: "1" }), said: [], notes: [], line: [], link: "1", text: [], advised: [],
  steps: [], choices: [{ action: "next", label: "Next mistake", key: "n", told: "" },
    { action: "everything", label: "Show everything", key: "e", told: "" }], ...more,
});
const state = { wrong: [{ number: 2 }, { number: 4 }], place: 0 };
const right = { moves: false, choices: [], said: [{ kind: "right", text: "Right." },
  { kind: "note", text: "Move 3, an inaccuracy." }] };

function asked(answers) {
  answer("/api/v1/games/g1/record", RECORD);
  answer("/api/v1/activities/mistakes", () => {
    const scene = answers.shift();
    return { state: { ...state, told: scene.moves ? [] : [2] }, scene };
  });
}

const told = () => listed(document.getElementById("report"));

async function ended(you = 2, more = {}, found = data()) {
  answer("/api/v1/games/g1/report", found);
  answer(/^\/api\/v1\/position/, (path) =>
    numbers(5, { text: new URLSearchParams(path.split("?")[1]).get("moves") }));
  const looked = [];
  const after = new After("g1", (state, status, at, open) => {
    looked.push(state && `${status}${open ? " Open." : ""}`);
    after.show({ you, game: over(more), ply: state ? at : undefined });
  }, () => {});
  after.show({ you, game: over(more), ply: undefined });
  await settle();
  return { after, looked };
}

test("readers are asked for a better move before they are told, and then see the report", async () => {
  const { after, looked } = await ended(2);
  const error = { kind: "error", text: "9 is no move." };
  asked([scene(), scene({ said: [error] }), scene(right)]);
  assert.equal(text("learn"), "Learn from my mistakes");
  assert.deepEqual(told(), ["Move 2."]);
  await after.learn();
  assert.deepEqual(browser.asked.at(-1).body.state, { record: RECORD, seat: 2 });
  assert.deepEqual(looked, ["Mistake 1 of 2. Open."]);
  assert.equal(text("told"), "At move 2, Bo played 2. Find a better move.");
  assert.deepEqual(["learn", "retry", "to-end"].map(seen), [false, false, true]);
  assert.equal(text("choices"), "Next mistake", "the report has a button for everything");
  await after.act("move", "9");
  assert.equal(text("error"), "9 is no move.");
  await after.act("move", "3");
  assert.equal(looked.at(-1), "Mistake 1 of 2.");
  assert.equal(text("told"), "Right.", "the report tells what else went wrong");
  assert.equal(text("retry"), "Try again from move 2");
  assert.deepEqual([text("learn"), seen("learn")], ["See the report", true]);
  assert.deepEqual(told(), ["Move 2, a mistake."]);
});

test("advice for the next game does not stand beside a mistake, where it would give it away", async () => {
  const { after } = await ended(2);
  assert.equal(text("afterwards"), "Next time: look.");
  await after.pick(2);
  assert.equal(text("afterwards"), "");
  after.back();
  assert.equal(text("afterwards"), "Next time: look.");
});

test("a slip is not explained on the board while there is something to find, unless one asks", async () => {
  const { after } = await ended(2);
  await after.pick(2);
  assert.equal(text("told"), "Move 2.");
  document.getElementById("everything").click();
  assert.equal(text("told"), "Move 2, a mistake.");
  assert.deepEqual(told(), ["Move 2, a mistake."]);
});

test("an answer that comes when the board shows another move comes too late", async () => {
  const { after, looked } = await ended(2);
  asked([scene(), scene(right)]);
  await after.learn();
  const waiting = after.act("move", "3");
  await after.pick(1);
  await waiting;
  assert.equal(looked.at(-1), "Looking at move 1.");
  assert.deepEqual([text("learn"), seen("learn")], ["Learn from my mistakes", true]);
});

test("who has nothing to try again sees the report", async () => {
  const { after } = await ended(1, {}, data({ asked: [] }));
  await after.pick(1);
  assert.equal(text("learn"), "See the report", "no mistake is theirs");
});

test("what there is to learn is offered once the report is there, and does not change", async () => {
  let give;
  const vacant = () => document.getElementById("learn").hasAttribute("data-vacant");
  answer("/api/v1/games/g1/report", () => new Promise((resolve) => (give = resolve)));
  const after = new After("g1", () => {}, () => {});
  after.show({ you: 2, game: over(), ply: undefined });
  await settle();
  assert.ok(vacant());
  give(data({ asked: [] }));
  await settle();
  assert.deepEqual([text("learn"), vacant()], ["See the report", false]);
});

test("who watches, and who shares a screen, learns from everybody's", async () => {
  for (const [you, more] of [[null, {}], [1, { one_screen: true }]]) {
    const { after } = await ended(you, more);
    asked([scene()]);
    assert.equal(text("learn"), "Learn from the mistakes");
    await after.learn();
    assert.equal(browser.asked.at(-1).body.state.seat, null);
  }
});

test("where the report is refused, nothing is looked at any more", async () => {
  new After("g1", () => {}, () => {}).show({ you: 1, game: over(), ply: undefined });
  await settle();
  assert.equal(text("report"), "");
});

test("while an event goes on, mistakes are told of and tried after its end", async () => {
  const { after } = await ended();
  const show = (unaided) =>
    after.show({ you: 2, game: over(), ply: undefined, unaided });
  const offered = () =>
    [seen("learn"), seen("analyse"), document.querySelectorAll(".ask").length > 0];
  show(true);
  assert.deepEqual(offered(), [false, false, false]);
  assert.ok(document.querySelectorAll(".retry").length, "a new game can be played");
  show(false);
  assert.deepEqual(offered(), [true, true, true]);
});

test("the newest position is gone back to, unless something is told of it", async () => {
  const { after, looked } = await ended(2);
  await after.pick(4);
  assert.deepEqual(looked, [null]);
  const last = data({ slips: [4], plies: [ply(1), ply(2), ply(3), ply(4, "mistake")] });
  const other = await ended(2, {}, last);
  await other.after.pick(4);
  assert.deepEqual(other.looked, ["Looking at move 4."]);
});

test("a position is asked for once, and the last one that was picked is shown", async () => {
  const { after, looked } = await ended(2);
  await Promise.all([after.pick(1), after.pick(2)]);
  await after.pick(1);
  assert.deepEqual(looked, ["Looking at move 2.", "Looking at move 1."]);
  assert.equal(browser.asked.filter(({ path }) => path.startsWith("/api/v1/position")).length, 2);
});

test("another try begins before the mistake, from the same seat, against a computer", async () => {
  const { after } = await ended(2, { players: ["easy", "human"], strict: true });
  answer("/api/v1/games", { id: "g2" });
  await after.retry(after.data.plies[1]);
  const { body } = browser.asked.at(-1);
  assert.deepEqual([body.moves, body.opponent, body.seat, body.forgiving], ["1", "easy", 2, false]);
  assert.deepEqual(browser.went, ["/play/g2"]);
});

test("the link of a mistake asks for a better move", async () => {
  open("/play/g1?move=2");
  asked([scene()]);
  const { looked } = await ended(2);
  await settle();
  assert.deepEqual(looked, ["Mistake 1 of 2. Open."]);
  assert.deepEqual([browser.asked.at(-1).body.action, browser.asked.at(-1).body.given], ["begin", "1"]);
});

test("the link of an inaccuracy leads to its move", async () => {
  open("/play/g1?move=3");
  const { looked } = await ended(2);
  await settle();
  assert.deepEqual(looked, ["Looking at move 3."]);
});

// -- the bar ---------------------------------------------------------------------------------

test("the evaluation bar says who wins, in words and in size", () => {
  const root = make("div");
  const bar = new Evaluation(root);
  const shares = () => bar.shares.map((share) => share.style["--share"]);
  const words = () => bar.words.map((one) => one.textContent.trim());
  bar.wait();
  assert.deepEqual([bar.waiting.hidden, root.getAttribute("aria-busy")], [false, "true"]);
  bar.show(numbers(3), { chances: [1, 0], words: ["wins in 3 moves", ""], exact: true });
  assert.deepEqual([shares(), words()], [["1", "0"], ["Ada wins in 3 moves", ""]]);
  bar.wait();
  assert.deepEqual(words(), ["Ada wins in 3 moves", ""], "the last value stays until the next");
  assert.ok(bar.waiting.hidden);
  bar.show(numbers(3, { outcome: { winner: 2, reason: "", reasons: ["", "", ""] } }), null);
  assert.deepEqual([shares(), words()], [["0", "1"], ["", "Bo has won"]]);
  bar.show(numbers(3), null);
  assert.deepEqual([shares(), root.hasAttribute("data-unknown")], [["0.5", "0.5"], true]);
});
