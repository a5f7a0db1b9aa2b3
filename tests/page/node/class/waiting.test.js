// The page of those who take part in an event, before, between and after their games.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, browser, open, seen, settle, text } from "../browser.js";
import { event, player, scene } from "../samples.js";

const sockets = [];
globalThis.WebSocket = class {
  static CONNECTING = 0;
  constructor() { sockets.push(this); }
  close() {}
};
open("/arena/K7M4QX");
mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
mock.method(Math, "random", () => 0);
await import("#page/class/waiting.js");
const { keep, recall } = await import("#page/common/storage.js");

let number = 0;
const tell = async (more, you = 1, own = null) => {
  number += 1;
  sockets[0].onmessage({
    data: JSON.stringify({ you, now: 1000, own, event: event({ number, ...more }) }),
  });
  await settle();
};
const me = (more = {}) => player(1, { nickname: "Ada", reason: "Nobody is free.", ...more });

beforeEach(() => {
  Object.assign(browser, { asked: [], answers: [], went: [] });
  keep("joined", null);
});

test("who waits is told why, and that they are here", async () => {
  await tell({ phase: "open", players: [player(2, { nickname: "Bo", away: true }), me()] });
  assert.equal(text("now-title"), "You are Ada");
  assert.equal(text("reason"), "Nobody is free.");
  assert.equal(text("who-title"), "Who is here: 2");
  assert.deepEqual(document.getElementById("who").children.map((one) => one.textContent),
    ["Ada", "Bo (away)"], "in the order of coming");
  assert.deepEqual(recall("joined"), { code: "K7M4QX", player: 1 });
});

test("before the start everybody sees who is in which team", async () => {
  const teams = [{ number: 1, mark: "▲", name: "Team A" }, { number: 2, mark: "■", name: "Team B" }];
  const bo = player(2, { nickname: "Bo", team: 2, away: true });
  await tell({ phase: "open", teams, players: [me({ team: 1 }), bo] });
  assert.deepEqual(document.getElementById("who").children.map((one) => one.textContent),
    ["Ada (▲ Team A)", "Bo (■ Team B, away)"]);
});

test("the four digits are shown until they are written down, and no board before", async () => {
  keep("joined", { code: "K7M4QX", player: 1, digits: "0471" });
  await tell({ players: [me()] });
  assert.deepEqual([text("personal-title"), text("written")], ["Write this down", "I have written it down"]);
  await tell({ players: [me({ game: "g1", opponent: 2 }), player(2)] });
  assert.ok(seen("personal"));
  assert.deepEqual([text("personal-title"), text("written")],
    ["Your game has begun. Write this down", "Written down: to the board"]);
  assert.deepEqual([text("digits-name"), text("digits")], ["Ada", "0471"]);
  assert.deepEqual(browser.went, []);
  document.getElementById("written").click();
  assert.ok(!seen("personal"));
  assert.deepEqual(browser.went, ["/play/g1"]);
  assert.deepEqual(recall("joined"), { code: "K7M4QX", player: 1 });
});

test("as soon as there is a board it is gone to", async () => {
  await tell({ players: [me()] });
  assert.deepEqual(browser.went, []);
  await tell({ players: [me({ game: "g2", reason: null, opponent: 0 })] });
  assert.deepEqual(browser.went, ["/play/g2"]);
  assert.equal(text("reason"), "You are playing Computer (medium).");
});

test("who does not take part is told why, as far as this browser knows", async () => {
  const others = { players: [player(2), player(3)] };
  await tell(others, null);
  assert.equal(text("now-title"), "You are not taking part");
  assert.deepEqual([text("reason"), seen("go"), text("go")], ["You can watch the table.", true, "Join"]);
  assert.ok(seen("before"), "the way back for who was here");
  await tell({ ...others, locked: true }, null);
  assert.ok(!seen("go"));
  keep("joined", { code: "K7M4QX", player: 1 });
  await tell(others, null);
  assert.equal(text("reason"), "The host has taken you out of this event. You can watch the table.");
  assert.ok(!seen("go"), "nor can they join again here");
  keep("joined", { code: "K7M4QX", player: 2 });
  await tell(others, null);
  assert.match(text("reason"), /^You are playing in another browser/);
  assert.ok(!seen("go"));
  keep("joined", { code: "OTHERS", player: 2 });
  await tell({ ...others, phase: "ended" }, null);
  assert.equal(text("reason"), "The event is over.");
});

const table = () => document.getElementById("standings").children
  .map((row) => row.children.slice(0, 3).map((cell) => cell.textContent).join(" ").trim());

test("where places are hidden, everybody still finds their own", async () => {
  const nothing = { place: null, wins: null, games: null };
  const players = [player(2, { wins: 4, games: 4 }), player(3, nothing), me(nothing)];
  const all = { players, top_only: true, table: [2] };
  await tell(all, 1, { number: 1, place: 3, wins: 1, games: 5 });
  assert.deepEqual(table(), ["2 Player2 4 of 4", "3 Ada you 1 of 5"]);
  assert.ok(seen("first-places"));
  await tell(all, null);
  assert.deepEqual(table(), ["2 Player2 4 of 4"]);
});

test("whoever waits for the start can practise, and from then on not any more", async () => {
  await tell({ phase: "open", players: [player(2)] }, null);
  assert.ok(!seen("practice-part"), "only those who take part");
  await tell({ phase: "open", players: [me()] });
  assert.ok(seen("practice-part"));
  answer("/api/v1/activities/puzzle", { state: { streak: {} }, scene: scene() });
  document.getElementById("practise").click();
  await settle();
  const [{ path, body }] = browser.asked.map(({ path, body }) => ({ path, body }));
  assert.equal(path, "/api/v1/activities/puzzle");
  assert.deepEqual([body.action, body.given], ["next", "game=duel&grade=1"]);
  assert.ok(seen("practice") && !seen("practise"));
  await tell({ phase: "running", players: [me()] });
  assert.ok(!seen("practice-part"), "also between games: there is no help with them");
});

const asked = { number: 1, nickname: "Cy", digits: "0471", before: null };
const waiting = { players: [player(2)], waiting: [1] };

test("who waits for the host goes in by themselves, with their digits", async () => {
  keep("joined", { code: "K7M4QX", player: null, asked: { ...asked, number: 1e6 } });
  await tell({ ...waiting, waiting: [] }, null);
  assert.equal(text("now-title"), "You are at the door", "the request is newer than this state");
  keep("joined", { code: "K7M4QX", player: null, asked });
  await tell(waiting, null);
  assert.equal(text("now-title"), "You are at the door");
  assert.ok(!seen("go") && !seen("before"));
  assert.equal(text("reason"), "The host has to let Cy in. Wait here, please.");
  await tell({ ...waiting, waiting: [], players: [player(2), player(3)] }, 3);
  assert.equal(text("digits"), "0471");
  assert.deepEqual(recall("joined"), { code: "K7M4QX", player: 3, digits: "0471" });
});

test("who was not let in is told so, and can ask again", async () => {
  keep("joined", { code: "K7M4QX", player: null, asked });
  await tell({ ...waiting, waiting: [] }, null);
  assert.equal(text("reason"), "The host did not let you in. You can watch the table.");
  assert.ok(seen("go"));
});

test("a browser stays its player's while somebody else asks for it", async () => {
  keep("joined", { code: "K7M4QX", player: 1, asked: { ...asked, before: 1 } });
  await tell({ ...waiting, players: [me()] });
  assert.equal(text("now-title"), "You are Ada");
  assert.equal(text("asked"), "Cy has asked the host to play in this browser.");
  assert.ok(!seen("personal") && !seen("another"));
  await tell({ ...waiting, waiting: [], players: [me()] });
  assert.equal(text("asked"), "The host did not let Cy in.");
  assert.ok(!seen("personal") && seen("another"));
});

test("the table says who is who, and in the end nobody is away", async () => {
  const players = [
    player(2, { nickname: "Bo", kind: "hard", place: 1, wins: 3, games: 4, accuracy: 1 }),
    me({ place: 2, away: true, games: 4 }),
  ];
  const rows = () => document.getElementById("standings").children.map((row) =>
    row.children.map((cell) => cell.textContent).join("|"));
  await tell({ players });
  assert.deepEqual(rows(), ["1|Bo hard|3 of 4|100 %", "2|Ada you away|0 of 4|–"]);
  await tell({ players, phase: "ended" });
  assert.equal(rows()[1], "2|Ada you|0 of 4|–");
});

test("a pause is seen at the clock", async () => {
  await tell({ players: [me()], phase: "paused", clock: { ends: null, remaining: 65 } });
  assert.equal(text("clock"), "1:05 paused");
  await tell({ players: [me()], format: "swiss", round: 1, rounds: 3 });
  assert.equal(text("clock"), "Round 1 of 3");
});

// -- after the end ---------------------------------------------------------------------------

const own = (more = {}) => ({
  player: 1, nickname: "Ada", phase: "ended", reason: null,
  standing: player(1, { place: 2, wins: 1, games: 2, kept: 3, choices: 4, moves: 9, accuracy: 0.75,
    seconds_per_move: 2 }),
  games: [], slips: [], missed: [], ...more,
});
const ended = async (more) => {
  answer("/api/v1/events/K7M4QX/me", own(more));
  await tell({ phase: "ended", players: [me(), player(2)] });
  // What was asked before is answered first.
  for (const _ of [1, 2]) {
    mock.timers.tick(5000);
    await settle();
  }
};
const part = (name) => text(`own-${name}`);

test("before the end there is nothing to read yet", async () => {
  answer("/api/v1/events/K7M4QX/me", own());
  await tell({ players: [me()] });
  mock.timers.tick(9000);
  await settle();
  assert.equal(text("own"), "");
  await tell({ phase: "ended", players: [player(2)] }, null);
  mock.timers.tick(9000);
  await settle();
  assert.equal(text("own"), "", "nor for who did not take part");
});

test("after the end everybody reads what they did", async () => {
  await ended({});
  assert.equal(part("place"), "Place 2 of 2Ada, you have won 1 of 2 games."
    + "Accuracy: 75 % (3 of 4 choices that mattered). In 4 of 9 moves something could go wrong."
    + "You took 2.0 s per move.");
  assert.match(part("missed"), /Nothing that cost you a game/);
  assert.match(part("slips"), /None\./);
  assert.match(part("games"), /You have not played/);
});

const one = (more) => ({ id: "g1", pairing: 1, round: 1, game: "duel", called: "Number Duel", seat: 1,
  opponent: "Bo", computer: false, end: "played", won: true, judged: true, ...more });

test("every game says how it ended, and one without an end whether it was begun", async () => {
  answer("/api/v1/games/g5", { game: { moves: ["1"] } });
  answer("/api/v1/games/g6", { game: { moves: [] } });
  await ended({ games: [
    one({}), one({ won: false }), one({ end: "forfeit" }), one({ end: "forfeit", won: false }),
    one({ id: "g5", end: null }), one({ id: "g6", end: "cancelled" }),
  ] });
  const states = document.getElementById("own-games").querySelectorAll(".mine-state");
  assert.deepEqual(states.map((state) => state.textContent), [
    "You won", "You lost", "Given to you", "Given to Bo", "Not finished: counts for nobody", "Not played",
  ]);
});

test("games that are not judged yet are being looked at", async () => {
  await ended({ games: [one({ judged: false })] });
  assert.match(part("missed"), /Looking at your games/);
});

test("the idea that was missed most often comes first, with its lesson", async () => {
  const idea = (times, instruction) => ({ game: "Number Duel", idea: "x", instruction, times, players: 1,
    lesson: "duel", name: "duel", step: 3 });
  await ended({ missed: [idea(2, "Fork."), idea(1, "Block.")] });
  assert.equal(part("missed"), "What you missed most oftenFork.Number Duel, 2 times."
    + "Do the lesson: Number Duel1 more ideaBlock. (Number Duel, once)");
  const link = document.getElementById("own-missed").querySelector("a");
  assert.equal(link.getAttribute("href"), "/learn/duel#3");
});

test("mistakes come before inaccuracies, which are folded away", async () => {
  const slip = (ply, kind) => ({ id: "g1", called: "Number Duel", opponent: "Bo", ply, kind, idea: "",
    instruction: "" });
  await ended({ slips: [slip(2, "inaccuracy"), slip(4, "mistake"), slip(6, "broken")] });
  const root = document.getElementById("own-slips");
  assert.match(root.textContent,
    /Bo, move 4.*Bo, move 6 broke a rule.*1 inaccuracy.*Bo, move 2/);
  assert.ok(!root.querySelector("details").hasAttribute("open"));
  await ended({ slips: [slip(2, "inaccuracy"), slip(3, "inaccuracy")] });
  assert.match(part("slips"), /2 inaccuracies/);
  assert.ok(document.getElementById("own-slips").querySelector("details").hasAttribute("open"));
});
