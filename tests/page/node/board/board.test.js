// The board: what can be pressed, what is told of it, and where the keyboard goes.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { open } from "../browser.js";
import { legal as offered, numbers, option, position } from "../samples.js";

open();
const { Board } = await import("#page/board/board.js");
const { result } = await import("#page/board/cells.js");
const { keep, recall } = await import("#page/common/storage.js");
const { make } = await import("#page/common/dom.js");

let board, pressed;
beforeEach(() => {
  open();
  mock.timers.enable({ apis: ["setTimeout"] });
  pressed = [];
  const root = make("div");
  document.body.append(root);
  board = new Board(root, (...what) => pressed.push(what));
  board.cells.root.width = 500;
});
afterEach(() => mock.timers.reset());

const tile = (label) => board.root.querySelector(`[data-cell=${label}]`);
const choice = (label) => board.root.querySelector(`.choice[data-label=${label}]`);
const off = (node) => node.getAttribute("aria-disabled") === "true";
const five = (more = {}) => {
  const state = numbers(5, more);
  state.cells[0] = { label: "1", owner: 1, state: "taken" };
  state.cells[1] = { label: "2", owner: null, state: "blocked" };
  state.cells[2] = { label: "3", owner: 2, state: "last" };
  state.legal = state.legal.slice(3);
  return state;
};

// -- moves from tile to tile -----------------------------------------------------------------

const pawns = (more = {}) => {
  const cell = (label, owner) => ({ label, owner, state: owner ? "taken" : "free" });
  return position({
    name: "pawns", layout: { kind: "grid", columns: 2, places: null, ends: null },
    cells: [cell("a2", 2), cell("b2", null), cell("a1", 1), cell("b1", 1)],
    legal: ["b1a2", "b1b2", "a1b2", "pass"].map((move) => offered(move)),
    ...more,
  });
};
const corners = ["a2", "b2", "a1", "b1"];
const pressable = () => corners.filter((label) => !off(tile(label)));
const chosen = () => corners.filter((label) => tile(label).getAttribute("aria-pressed") === "true");

test("the first press chooses a piece, the second where it goes", () => {
  board.show(pawns(), { open: true });
  assert.deepEqual(pressable(), ["a1", "b1"]);
  tile("b1").click();
  assert.deepEqual([chosen(), pressable()], [["b1"], ["a2", "b2", "a1", "b1"]]);
  assert.deepEqual(corners.filter((label) => "target" in tile(label).dataset), ["a2", "b2"]);
  assert.deepEqual(pressed, []);
  tile("a2").click();
  assert.deepEqual(pressed, [["b1a2", true]]);
});

test("another piece is chosen instead, and the same one is put back", () => {
  board.show(pawns(), { open: true });
  tile("b1").click();
  tile("a1").click();
  assert.deepEqual([chosen(), pressable()], [["a1"], ["b2", "a1", "b1"]]);
  tile("a1").click();
  assert.deepEqual([chosen(), pressable(), pressed], [[], ["a1", "b1"], []]);
});

test("a move to a tile that others lead from is made all the same", () => {
  board.show(pawns({ legal: ["a1b1", "b1b2"].map((move) => offered(move)) }), { open: true });
  tile("a1").click();
  tile("b1").click();
  assert.deepEqual(pressed, [["a1b1", true]]);
});

test("where a piece cannot go, it is asked why, and it stays chosen", () => {
  board.show(pawns(), { open: true });
  tile("b2").click();
  tile("a1").click();
  tile("a2").click();
  assert.deepEqual(pressed, [["b2", false], ["a1a2", false]]);
  assert.deepEqual(chosen(), ["a1"]);
});

test("what was chosen is forgotten in the next position, and when it is not one's turn", () => {
  board.show(pawns(), { open: true });
  tile("b1").click();
  board.show(pawns({ said: "Bo is here." }), { open: true });
  assert.deepEqual(chosen(), ["b1"]);
  board.show(pawns({ text: "a1b2" }), { open: true });
  assert.deepEqual(chosen(), []);
  tile("b1").click();
  board.show(pawns({ text: "a1b2" }), { open: false });
  assert.deepEqual([chosen(), pressable()], [[], []]);
  tile("b1").click();
  assert.deepEqual(pressed, [["b1", false]]);
});

test("only what no two tiles make is a button", () => {
  board.show(pawns(), { open: true });
  assert.ok(choice("pass"));
  assert.equal(choice("b1a2"), null);
  const legal = ["1112", "112"].map((move) => offered(move));
  const twice = numbers(12, { legal });
  board.show(twice, { open: true });
  assert.ok(choice("112"), "1 to 12, or 11 to 2");
  assert.equal(choice("1112"), null);
});

test("where the possible moves are hidden, any two tiles are a try", () => {
  board.show(pawns(), { open: true, hidden: true });
  assert.deepEqual(pressable(), corners);
  tile("b2").click();
  tile("a1").click();
  assert.deepEqual(pressed, [["b2a1", false]]);
  assert.deepEqual(corners.filter((label) => "target" in tile(label).dataset), []);
});

test("values stand upon the pieces, and then upon where the chosen one goes", () => {
  board.show(pawns(), { open: true });
  board.values({ options: [option("b1b2", { best: true }), option("b1a2", { worth: "loses" }),
    option("a1b2", { worth: "loses in 2" })], legend: "", evaluation: null });
  const said = (label) => tile(label).getAttribute("aria-label");
  assert.equal(said("b1"), "b1, taken by Ada (P1), wins in 3, best");
  assert.equal(said("a1"), "a1, taken by Ada (P1), loses in 2");
  tile("b1").click();
  assert.equal(said("b1"), "b1, taken by Ada (P1)");
  assert.equal(said("a2"), "a2, taken by Bo (P2), loses");
  board.advise(["b1b2"]);
  assert.deepEqual(corners.filter((label) => "advised" in tile(label).dataset), ["b2"]);
  tile("b1").click();
  assert.deepEqual(corners.filter((label) => "advised" in tile(label).dataset), ["b1"]);
});

test("a square is found by typing its name", () => {
  board.show(pawns(), { open: true });
  assert.match(board.cells.root.getAttribute("aria-label"), /^Squares\./);
  for (const key of ["b", "1"]) board.cells.key({ key, preventDefault() {} });
  assert.equal(document.activeElement, tile("b1"));
});

// -- tiles -----------------------------------------------------------------------------------

test("of the tiles only the legal ones can be pressed, and none while it is not open", () => {
  board.show(five(), { open: true });
  assert.deepEqual(["1", "2", "3", "4", "5"].map((label) => off(tile(label))),
    [true, true, true, false, false]);
  board.show(five(), { open: false });
  assert.ok(off(tile("4")));
});

test("who presses a tile is asked whether that is legal", () => {
  board.show(five(), { open: true });
  tile("4").children[0].click();
  tile("2").click();
  assert.deepEqual(pressed, [["4", true], ["2", false]]);
});

test("where the possible moves are hidden, all that is not taken looks and feels the same", () => {
  board.show(five(), { open: true, hidden: true });
  assert.deepEqual(["1", "2", "3", "4", "5"].map((label) => off(tile(label))),
    [true, false, true, false, false]);
  assert.equal(tile("2").dataset.state, "free");
  assert.equal(tile("2").getAttribute("aria-label"), "2");
  assert.equal(tile("3").dataset.state, "last");
});

test("a tile says who has taken it, in words", () => {
  board.show(five(), { open: true });
  const said = (label) => tile(label).getAttribute("aria-label");
  assert.equal(said("1"), "1, taken by Ada (P1)");
  assert.equal(said("2"), "2, blocked");
  assert.equal(said("3"), "3, taken by Bo (P2), last move");
  const won = five();
  won.cells[4] = { label: "5", owner: null, state: "winning" };
  board.show(won);
  assert.equal(said("5"), "5, winning number");
});

test("values stand upon the tiles until the next position, and hide nothing", () => {
  board.show(five(), { open: true, hidden: true });
  board.values({ options: [option("4", { best: true }), option("5", { worth: "loses" })],
    legend: "Numbers", evaluation: null });
  assert.equal(tile("4").getAttribute("aria-label"), "4, free, wins in 3, best");
  assert.ok(tile("4").hasAttribute("data-best") && !tile("5").hasAttribute("data-best"));
  assert.ok(off(tile("2")), "who sees the values sees the moves");
  board.values(null);
  assert.equal(tile("4").dataset.result, undefined);
  assert.ok(!off(tile("2")));
});

test("a value is a win, a loss or a chance", () => {
  assert.equal(result(undefined), null);
  assert.equal(result(option("1")), "win");
  assert.equal(result(option("1", { win_probability: 0 })), "loss");
  assert.equal(result(option("1", { win_probability: 0.5 })), "chance");
  assert.equal(result(option("1", { exact: false })), "chance");
});

test("a long value makes the type smaller", () => {
  board.show(five(), { open: true });
  const long = () => board.cells.root.hasAttribute("data-long");
  board.values({ options: [option("4", { short: "win 8" })], legend: "", evaluation: null });
  assert.ok(!long());
  board.values({ options: [option("4", { short: "+11 pt" })], legend: "", evaluation: null });
  assert.ok(long());
});

test("what was recommended is marked in its position only", () => {
  board.show(five(), { open: true });
  board.advise(["4"]);
  assert.ok(tile("4").hasAttribute("data-advised"));
  board.show(five({ text: "3" }), { open: true });
  assert.ok(!tile("4").hasAttribute("data-advised"));
  board.show(five(), { open: true });
  assert.ok(tile("4").hasAttribute("data-advised"), "taken back, it is the same position");
});

test("on a path, two of the same owner side by side are joined", () => {
  const state = numbers(4, { layout: { kind: "path", columns: null, places: null, ends: null } });
  for (const index of [0, 1, 3]) state.cells[index] = { label: String(index + 1), owner: 1, state: "taken" };
  board.show(state);
  assert.deepEqual(["1", "2", "3", "4"].map((label) => tile(label).lastChild.dataset.owner),
    ["1", undefined, undefined, undefined]);
  assert.equal(tile("1").lastChild.dataset.way, "right");
});

test("tiles stay the same elements as long as there are as many, and lie in their places", () => {
  const wide = { layout: { kind: "grid", columns: 5, places: null, ends: null } };
  board.show(numbers(10, wide));
  const before = tile("7");
  assert.equal(before.style.gridArea, "2 / 2");
  board.show(numbers(10, { ...wide, text: "1" }));
  assert.equal(tile("7"), before);
  board.show(numbers(11, wide));
  assert.notEqual(tile("7"), before);
  assert.ok(tile("11"));
  assert.ok(board.root.querySelector(".cells") && !board.cells.root.hidden);
  board.show(position());
  assert.ok(board.cells.root.hidden);
});

test("more than 60 tiles scroll in a box, to the number that was taken last", () => {
  const taken = (count, index) => {
    const state = numbers(count);
    state.cells[index] = { label: String(index + 1), owner: 1, state: "last" };
    return state;
  };
  const box = board.cells.root;
  board.show(numbers(60));
  assert.ok(!box.hasAttribute("data-many"));
  board.show(numbers(61));
  assert.ok(box.hasAttribute("data-many"));
  box.height = 200;
  for (const index of [0, 60]) tile(String(index + 1)).top = 1000 + index;
  board.show(taken(61, 0));
  assert.equal(box.scrollTop, 900);
  board.show(taken(61, 60));
  assert.equal(box.scrollTop, 960);
  box.scrollTop = 5;
  board.show(taken(61, 60));
  assert.equal(box.scrollTop, 5, "who scrolls meanwhile is left alone");
});

test("the mark and the colour of a tile say what its words say", () => {
  board.show(five(), { open: true });
  assert.equal(tile("3").querySelector(".mark").dataset.text, "P2");
  board.values({ options: [option("4", { win_probability: 0 })], legend: "", evaluation: null });
  assert.equal(tile("4").dataset.result, "loss");
});

// -- the keyboard ----------------------------------------------------------------------------

const key = (name, more = {}) => document.activeElement.happen("keydown", { key: name, ...more });
const at = () => document.activeElement.dataset.cell;

test("one tile is in the tab order, and the arrows go on from it", () => {
  document.documentElement.height = 260;
  board.show(numbers(10, { layout: { kind: "grid", columns: 5, places: null, ends: null } }),
    { open: true });
  assert.equal(board.root.querySelectorAll('.cell[tabindex="0"]').length, 1);
  tile("1").focus();
  const walk = (...keys) => keys.map((name) => {
    key(name);
    return at();
  });
  assert.deepEqual(walk("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp"),
    ["2", "7", "7", "6", "6", "1"]);
  assert.deepEqual(walk("End", "ArrowRight", "Home", "ArrowLeft"), ["10", "10", "1", "1"]);
  assert.equal(board.root.querySelectorAll('.cell[tabindex="0"]').length, 1);
  assert.ok(key("ArrowRight").prevented);
  for (const held of ["ctrlKey", "altKey", "metaKey"]) {
    assert.ok(!key("ArrowRight", { [held]: true }).prevented, held);
  }
});

test("up and down on a ring lead to the tile that is nearest that way", () => {
  Object.assign(document.documentElement, { height: 500 });
  board.show(numbers(12, { layout: { kind: "spokes", columns: null, places: null, ends: null } }));
  assert.ok(board.cells.shape.ring);
  tile("1").focus();
  key("ArrowDown");
  assert.equal(at(), "12");
  key("ArrowDown");
  assert.equal(at(), "11");
});

test("the arrows go where they point, and everywhere; the ends are a key away", () => {
  Object.assign(document.documentElement, { height: 500 });
  const WAYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  for (const [kind, count] of [["grid", 10], ["path", 12], ["spokes", 9], ["spokes", 40]]) {
    board.show(numbers(count, { layout: { kind, columns: null, places: null, ends: null } }));
    const { places } = board.cells.shape;
    const reached = new Set();
    for (let from = 0; from < count; from += 1) {
      for (const [name, [down, right]] of Object.entries(WAYS)) {
        tile(String(from + 1)).focus();
        board.cells.point(from);
        key(name);
        const to = Number(at()) - 1;
        if (to === from) continue;
        reached.add(to);
        const [rows, columns] = [places[to].row - places[from].row, places[to].column - places[from].column];
        assert.ok(rows * down + columns * right > 0, `${kind}: ${name} from ${from + 1} to ${to + 1}`);
      }
    }
    assert.equal(reached.size, count, kind);
    key("End");
    assert.equal(at(), String(count));
    key("Home");
    assert.equal(at(), "1");
  }
});

test("digits gather into a number, and a pause or a press ends it", () => {
  board.show(numbers(25), { open: true });
  tile("1").focus();
  key("2");
  assert.equal(at(), "2");
  key("5");
  assert.equal(at(), "25");
  key("3");
  assert.equal(at(), "3", "there is no 253");
  mock.timers.tick(1500);
  key("1");
  assert.equal(at(), "1");
  tile("1").click();
  key("2");
  assert.equal(at(), "2", "not 12");
  key("0");
  assert.equal(at(), "20");
});

test("each digit of a number may take its time", () => {
  board.show(numbers(120), { open: true });
  tile("1").focus();
  for (const digit of ["1", "1", "5"]) {
    key(digit);
    mock.timers.tick(1499);
  }
  assert.equal(at(), "115");
});

// -- moves that are no tiles -----------------------------------------------------------------

const passing = (more = {}) =>
  numbers(2, { legal: [offered("1"), offered("p", "pass")], ...more });

test("a legal move that is no tile is a button, as long as somebody may move", () => {
  board.show(passing(), { open: true });
  assert.equal(choice("pass").firstChild.textContent, "Pass");
  choice("pass").click();
  assert.deepEqual(pressed, [["p", true]]);
  board.show(passing(), { open: false });
  assert.equal(choice("pass"), null);
});

test("a move in the notation stays as it is, a word begins with a capital", () => {
  const legal = ["a3", "pass", "end"].map((label) => offered(label));
  board.show(position({ legal }), { open: true });
  assert.equal(choice("a3").firstChild.textContent, "a3");
  assert.equal(choice("pass").firstChild.textContent, "Pass");
  assert.equal(choice("end").firstChild.textContent, "End");
});

test("the button with the focus waits, switched off, while the other one moves", () => {
  board.show(passing(), { open: true });
  const button = choice("pass");
  button.focus();
  board.show(passing(), { open: false });
  assert.ok(off(choice("pass")));
  button.click();
  assert.deepEqual(pressed, []);
  board.show(passing(), { open: true });
  assert.equal(choice("pass"), button);
  assert.ok(!off(button));
});

test("when the game is over it goes, and the focus to what happened", () => {
  board.show(passing(), { open: true });
  choice("pass").focus();
  board.show(passing({ outcome: { winner: 1, reason: "", reasons: ["", "", ""] } }), { open: false });
  assert.equal(choice("pass"), null);
  assert.equal(document.activeElement, board.status);
});

test("buttons keep their order when one of them comes back", () => {
  const legal = (...labels) => ({ legal: labels.map((label) => offered(label)) });
  board.show(position(legal("one", "three")), { open: true });
  board.show(position(legal("one", "two", "three")), { open: true });
  assert.deepEqual(board.choices.root.children.map(({ dataset }) => dataset.label),
    ["one", "two", "three"]);
});

test("a button says what its move is worth", () => {
  board.show(passing(), { open: true });
  board.values({ options: [option("p", { best: true })], legend: "L", evaluation: null });
  assert.equal(choice("pass").lastChild.textContent, "★ wins in 3");
  assert.equal(choice("pass").dataset.result, "win");
  assert.equal(board.legend.textContent, "L");
});

test("where all moves are buttons, their place is kept while the other one moves", () => {
  const buttons = { legal: [offered("a3")] };
  board.show(position(buttons), { open: true });
  board.show(position(buttons), { open: false });
  assert.ok(!board.choices.root.hidden);
  board.show(position({ outcome: { winner: 1, reason: "", reasons: ["", "", ""] } }));
  assert.ok(board.choices.root.hidden);
  board.show(passing(), { open: false });
  assert.ok(board.choices.root.hidden, "beside tiles there is none to keep");
});

// -- cards -----------------------------------------------------------------------------------

const cards = (more = {}) => position({
  deck: true, has_hands: true, hands: [[5, 7], []], card: 9,
  layout: { kind: "rows", columns: null, places: 5, ends: ["front", "end"] },
  legal: [offered("9e", "end"), offered("9d", "discard")],
  facts: [{ label: "Ablage", value: ["2"], seat: null }], ...more,
});

test("a card is put at an end of the row of who moves, or upon the pile, whatever its name is", () => {
  board.show(cards(), { open: true });
  assert.equal(choice("end").parentElement, board.cards.rows[0].slots[1]);
  assert.equal(choice("discard").parentElement, board.cards.pile.slot);
  board.show(cards({ to_move: 2 }), { open: true });
  assert.equal(choice("end").parentElement, board.cards.rows[1].slots[1]);
});

test("an end where the card may not be put can be pressed where the player has to see that", () => {
  board.show(cards(), { open: true, choose: true });
  choice("front").click();
  choice("end").click();
  assert.deepEqual(pressed, [["front", false], ["9e", true]]);
  board.show(cards({ hands: [[], []] }), { open: true, choose: true });
  assert.equal(choice("front"), null, "a row without cards has one end");
  board.show(cards(), { open: true, choose: false });
  assert.equal(choice("front"), null);
});

test("a row has places for more cards, and says how to begin it", () => {
  board.show(cards({ to_move: 2, legal: [offered("9e", "end", "keep 9")] }), { open: true });
  assert.equal(choice("end").firstChild.textContent, "Keep 9");
  const [mine, theirs] = board.cards.rows;
  assert.deepEqual(mine.cards.children.map((card) => card.textContent), ["5", "7", "", "", ""]);
  assert.ok("empty" in theirs.root.dataset);
  board.show(cards({ layout: { kind: "rows", columns: null, places: 40, ends: null } }));
  assert.equal(mine.cards.children.length, 9);
});

test("a deck stands with its facts beside it, and a pile where there is one", () => {
  const facts = [{ label: "Deck", value: "12", seat: null }, { label: "Discarded", value: [], seat: null }];
  board.show(cards({ facts }));
  assert.ok(board.root.hasAttribute("data-cards") && !board.cards.root.hidden);
  assert.equal(board.cards.facts.textContent, "Deck: 12");
  assert.equal(board.facts.textContent, "DiscardedNone");
  assert.ok(!board.cards.pile.root.hidden);
  board.show(cards({ facts: [{ label: "Discarded", value: ["2", "8"], seat: null }] }));
  assert.equal(board.facts.textContent, "Discarded28");
  assert.equal(board.cards.pile.top.textContent, "8");
  board.show(cards({ facts: [] }));
  assert.ok(board.cards.pile.root.hidden);
  assert.equal(board.facts.textContent, "", "what is not told any more is gone");
  const [row] = board.cards.rows;
  assert.deepEqual(row.cards.children.map((card) => card.style.gridColumn), ["2", "3", "4", "5", "6"]);
  board.show(numbers(3));
  assert.ok(board.cards.root.hidden && !board.root.hasAttribute("data-cards"));
});

test("lines lead from the last number to those that may follow it", () => {
  Object.assign(document.documentElement, { height: 500 });
  const spokes = { layout: { kind: "spokes", columns: null, places: null, ends: null } };
  const state = numbers(8, { ...spokes, moves: ["2", "4"], legal: [offered("8")] });
  state.cells[3] = { label: "4", owner: 2, state: "last" };
  board.show(state);
  const { hub, edges } = board.cells.spokes;
  const { columns, rows, size, gap } = board.cells.shape;
  assert.deepEqual([columns, rows, hub.textContent, hub.dataset.owner], [3, 3, "4", "2"]);
  const lines = edges.children.map((line) => [...line.attributes.values()].map(Number));
  const middle = (3 * (size + gap) - gap) / 2;
  assert.deepEqual(lines, [[middle, middle, size / 2, size + gap + size / 2]], "8 is left of the middle");
  board.show(state, { hidden: true });
  assert.equal(edges.children.length, 0);
});

// -- players and facts -----------------------------------------------------------------------

test("the panels say whose turn it is, and who has won", () => {
  const [one, two] = board.players;
  board.show(numbers(2), { you: 1 });
  assert.deepEqual([one.turn.textContent, two.turn.textContent], ["Your turn", ""]);
  board.show(numbers(2), { you: 2 });
  assert.equal(one.turn.textContent, "To move");
  board.show(numbers(2), { you: 1, past: true });
  assert.equal(one.turn.textContent, "Moved next");
  board.show(numbers(2, { to_move: null, outcome: { winner: 2, reason: "Bo has 5." } }), { you: 1 });
  assert.deepEqual([one.turn.textContent, two.turn.textContent], ["", "★ Winner"]);
  assert.equal(board.goal.textContent, "Bo has 5.");
});

test("the goal is told to who reads it", () => {
  const goals = ["for all", "for Ada", "for Bo"];
  for (const [you, said] of [[null, "for all"], [1, "for Ada"], [2, "for Bo"]]) {
    board.show(numbers(2, { goals }), { you });
    assert.equal(board.goal.textContent, said);
  }
});

test("numbers in a sentence are emphasised, but not those in names", () => {
  board.show(numbers(2, { goals: ["Class 5b needs 12.", "", ""], names: ["Class 5b", "Bo"] }));
  assert.deepEqual(board.goal.querySelectorAll("strong").map((node) => node.textContent), ["12"]);
});

test("a player may be called what every object has", () => {
  board.show(numbers(2, { names: ["constructor", "Bo"] }), { notes: [["valueOf"], []] });
  const { text } = board.players[0];
  assert.equal(text.querySelector(".player-name").textContent, "constructor");
  assert.equal(text.querySelector(".notes").textContent, "valueOf");
});

test("a small number of a player stands in the panel, other facts below the board", () => {
  const facts = [
    { label: "Sum", value: "12", seat: 1 }, { label: "Needs", value: "3 or 4", seat: 1 },
    { label: "Pile", value: "20", seat: null },
  ];
  board.show(numbers(2, { facts, hands: [[], [3, 4]] }));
  assert.equal(board.players[0].tally.textContent, "Sum: 12");
  assert.equal(board.held.children[0].textContent, "P1Needs: 3 or 4");
  assert.equal(board.held.children[1].textContent, "P2Bo has 3, 4");
  board.show(numbers(2, { facts, hands: [[], []] }));
  assert.ok(!board.held.hidden, "one of the two has something");
  assert.equal(board.facts.textContent, "Pile: 20");
  board.show(numbers(2));
  assert.ok(board.held.hidden && board.facts.hidden);
});

// -- whether the moves are shown -------------------------------------------------------------

test("a game of spokes hides its moves by itself, others show them", () => {
  const spokes = { layout: { kind: "spokes", columns: null, places: null, ends: null } };
  const hides = () => board.root.hasAttribute("data-hidden");
  board.show(numbers(9), { choose: true });
  assert.ok(!hides());
  board.show(numbers(9, spokes), { choose: true });
  assert.ok(hides());
  board.show(numbers(9, spokes), { choose: false });
  assert.ok(!hides(), "who cannot choose is shown everything");
  keep("legal.duel", "nonsense");
  board.show(numbers(9), { choose: true });
  assert.ok(!hides());
});

test("what was chosen is kept for the game, and shown moves stay until the position changes", () => {
  board.show(numbers(9), { open: true, choose: true });
  const [, asked] = board.moves.radios.map((label) => label.firstChild);
  const chosen = () => board.moves.radios.map((label) => label.firstChild.checked);
  assert.deepEqual([chosen(), board.moves.root.hidden], [[true, false, false], false]);
  asked.happen("change");
  assert.deepEqual(chosen(), [false, true, false]);
  assert.equal(recall("legal.duel"), "asked");
  assert.ok(board.root.hasAttribute("data-hidden") && !board.moves.ask.hidden);
  board.moves.ask.click();
  assert.ok(!board.root.hasAttribute("data-hidden") && off(board.moves.ask));
  board.show(numbers(9, { text: "1" }), { open: true, choose: true });
  assert.ok(board.root.hasAttribute("data-hidden") && !off(board.moves.ask));
  board.show(numbers(9, { name: "line" }), { open: true, choose: true });
  assert.ok(!board.root.hasAttribute("data-hidden"), "another game has its own choice");
  board.show(position(), { choose: true });
  assert.ok(board.moves.root.hidden, "without tiles there is nothing to choose");
});
