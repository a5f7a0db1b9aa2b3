// The wall of a room: its code, the table in turns, the boards of the leaders, and who won.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, open, seen, settle, text } from "../browser.js";
import { event, game, numbers, player } from "../samples.js";

const sockets = [];
globalThis.WebSocket = class {
  static CONNECTING = 0;
  constructor(address) {
    Object.assign(this, { address: String(address), readyState: 1 });
    sockets.push(this);
  }
  close() { this.closed = true; }
  tell(data) { this.onmessage({ data: JSON.stringify(data) }); }
};
open("/arena/K7M4QX/wall");
mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
answer("/api/v1/qr", { size: 21, path: "M0 0" });
await import("#page/class/wall.js");

let number = 0;
const tell = (more) => {
  number += 1;
  sockets[0].tell({ you: null, now: 1000, event: event({ number, ...more }) });
};
const people = (count) => Array.from({ length: count }, (_, index) =>
  player(index + 1, { nickname: `N${index + 1}` }));
const names = () => document.getElementById("rows").children.map((row) => row.children[1].textContent);
const turn = () => mock.timers.tick(8000);
const pairing = (at, players, id) => ({ number: at, id, round: 1, game: "duel", players });
const watched = () => sockets.filter((socket) => !socket.closed && socket.address.includes("/games/"))
  .map(({ address }) => address.match(/games\/(\w+)/)[1]);

test("before the start the wall shows the code in two halves, and who is here as they came", async () => {
  tell({ phase: "open",
    players: [player(2, { nickname: "Bo", kind: "easy" }), player(1, { nickname: "Ada" })] });
  await settle();
  assert.equal(text("code"), "K7M 4QX");
  assert.equal(text("address"), "numduel.test/join");
  assert.ok(seen("door") && !seen("playing"));
  assert.equal(text("here-title"), "2 here");
  assert.deepEqual(document.getElementById("here").children.map((row) => row.textContent),
    ["Ada", "Bo (computer)"]);
  tell({ phase: "open", locked: true });
  assert.equal(text("here-title"), "Nobody here yet. The door is locked.");
});

test("the table says what each has won and how well, and who is away until the end", () => {
  const [one] = people(1).map((who) => ({ ...who, wins: 3, accuracy: 0.5, away: true }));
  const row = () => document.getElementById("rows").children[0];
  tell({ players: [one, { ...one, number: 2, away: false }] });
  assert.equal(row().textContent, "1N1350 %");
  assert.ok(row().hasAttribute("data-away"));
  assert.ok(!document.getElementById("rows").children[1].hasAttribute("data-away"));
  assert.ok(seen("late"));
  tell({ players: [one], locked: true });
  assert.ok(!seen("late"), "nobody comes in any more");
  tell({ players: [one], phase: "ended" });
  assert.ok(!row().hasAttribute("data-away"));
});

test("a position to discuss takes the wall, first without the answer", () => {
  const shown = { game: "g1", ply: 5, position: game(), answer: null };
  tell({ players: people(2), phase: "ended", shown });
  assert.ok(seen("shown") && !seen("playing"));
  assert.deepEqual([text("shown-told"), text("shown-idea")], ["", ""]);
  tell({ players: people(2), phase: "ended",
    shown: { ...shown, answer: ["2 would have won.", "Win at once."] } });
  assert.deepEqual([text("shown-told"), text("shown-idea")], ["2 would have won.", "Win at once."]);
  tell({ players: people(2), phase: "ended" });
  assert.ok(!seen("shown") && seen("playing"));
});

test("where places are hidden, the wall shows those that everybody may see", () => {
  tell({ players: people(8), top_only: true, table: [1, 2, 3, 4, 5] });
  assert.deepEqual(names(), ["N1", "N2", "N3", "N4", "N5"]);
  turn();
  assert.equal(names().length, 5);
});

test("nine fit at once", () => {
  tell({ players: people(9) });
  assert.equal(names().length, 9);
  turn();
  assert.equal(names().at(-1), "N9");
});

test("of more, three leaders stay and six others come in turn; the last part is as long", () => {
  tell({ players: people(17) });
  const parts = [];
  for (let at = 0; at < 4; at += 1) {
    parts.push(names().slice(3).join(" "));
    assert.deepEqual(names().slice(0, 3), ["N1", "N2", "N3"]);
    turn();
  }
  const expected = ["N4 N5 N6 N7 N8 N9", "N10 N11 N12 N13 N14 N15", "N12 N13 N14 N15 N16 N17"];
  assert.deepEqual([...parts.slice(0, 3)].sort(), [...expected].sort());
  assert.equal(parts[3], parts[0]);
});

test("who holds the wall still sees the same part", () => {
  const hold = document.getElementById("hold");
  hold.ariaPressed = "false";
  hold.click();
  const before = names();
  turn();
  assert.deepEqual(names(), before);
  hold.click();
  turn();
  assert.notDeepEqual(names(), before);
});

test("a part that is not there any more is followed by one that is", () => {
  tell({ players: people(10) });
  assert.equal(names().length, 9);
});

test("the boards come in turn, those of the leaders first", () => {
  const pairings = [
    pairing(1, [5, 6], "low"),
    pairing(2, [1, 4], "top"),
    pairing(3, [0, 2], "second"),
  ];
  tell({ players: people(6), pairings });
  assert.deepEqual(watched(), ["top"]);
  turn();
  assert.deepEqual(watched(), ["second"]);
  turn();
  assert.deepEqual(watched(), ["low"]);
  turn();
  assert.deepEqual(watched(), ["top"]);
});

test("a game that has ended is seen until the next turn, one that was cancelled is not", () => {
  const rest = [pairing(3, [3, 2], "second")];
  sockets.at(-1).tell({ you: null, game: game({ outcome: { winner: 1, reason: "", reasons: ["", "", ""] } }) });
  tell({ players: people(6), pairings: rest });
  assert.deepEqual(watched(), ["top"]);
  turn();
  assert.deepEqual(watched(), ["second"]);
  tell({ players: people(6), pairings: [pairing(4, [5, 6], "low")] });
  assert.deepEqual(watched(), ["low"]);
});

test("the board of somebody who was removed is left", () => {
  const pairings = [pairing(4, [5, 6], "low"), pairing(5, [1, 2], "one")];
  tell({ players: people(4), pairings });
  assert.deepEqual(watched(), ["one"]);
  tell({ players: people(4), pairings: [] });
  assert.deepEqual(watched(), []);
  assert.ok(seen("no-board") && !seen("board"));
});

test("the wall finds no moves for those who play a game of finding them", () => {
  const spokes = { ...numbers(9), layout: { kind: "spokes", columns: null, places: null, ends: null } };
  tell({ players: people(4), pairings: [pairing(5, [1, 2], "one")] });
  sockets.at(-1).tell({ you: null, game: game(spokes) });
  const board = document.getElementById("board");
  assert.ok(seen("board") && board.hasAttribute("data-hidden"));
  sockets.at(-1).tell({ you: null, game: game({ ...spokes, outcome: { winner: 1, reason: "", reasons: ["", "", ""] } }) });
  assert.ok(!board.hasAttribute("data-hidden"));
});

test("everybody sees the last minute of an arena, and the round where no time is kept", () => {
  const clock = document.getElementById("clock");
  const now = Date.now() / 1000;
  const at = (left) => {
    number += 1;
    sockets[0].tell({ you: null, now,
      event: event({ number, clock: { ends: now + left, remaining: null } }) });
  };
  at(61);
  assert.deepEqual([text("clock"), clock.hasAttribute("data-last")], ["1:01", false]);
  at(60);
  assert.deepEqual([text("clock"), clock.hasAttribute("data-last")], ["1:00", true]);
  tell({ format: "swiss", round: 2, rounds: 3 });
  assert.deepEqual([text("clock"), clock.hasAttribute("data-words")], ["Round 2 of 3", true]);
  tell({ phase: "open" });
  assert.ok(!seen("clock"));
});

test("in the end those who share a place stand on it together", () => {
  const players = [
    player(1, { nickname: "Ada", place: 1, wins: 5 }), player(2, { nickname: "Bo", place: 2, wins: 4 }),
    player(3, { nickname: "Cy", place: 2, wins: 4 }), player(4, { nickname: "Di", place: 4 }),
  ];
  tell({ phase: "ended", players, podium: [1, 2, 3] });
  assert.deepEqual(document.getElementById("podium").children.map((step) => step.textContent),
    ["Ada1st5 won", "BoCy2nd4 won"]);
  assert.ok(seen("podium-part") && !seen("board-part") && !seen("late"));
});

test("the host's line is on the wall until the end", () => {
  tell({ message: "Two minutes left!" });
  assert.equal(text("message"), "Two minutes left!");
  tell({ message: "Two minutes left!", phase: "ended" });
  assert.equal(text("message"), "");
});
