// Addresses, and what is said of games in lists.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answer, browser, open, refused, settle, text } from "../browser.js";
import { game, position } from "../samples.js";

open("/games");
const { Failure, get, post, query, rules, variantText } = await import("#page/common/api.js");
const { capital, isolated, make, set, write } = await import("#page/common/dom.js");
const { goesOn, myGames, opponent, standing } = await import("#page/lobby/my-games.js");
const { bare } = await import("#page/board/players.js");
const { nextOpponent, playNext, showEnd, verdict } = await import("#page/play/end.js");
const { keep } = await import("#page/common/storage.js");
const { attempt, fail, outside, reachable, reached } = await import("#page/common/notify.js");

beforeEach(() => {
  open("/games");
  Object.assign(browser, { asked: [], answers: [] });
});

// -- addresses -------------------------------------------------------------------------------

test("the address of a position has only what is not as usual", () => {
  assert.equal(query(position({ names: ["Player 1", "Player 2"] })), "game=duel");
  const state = position({
    variant: { n: 21, k: 4 }, first: 2, text: "7 3", names: ["Ada", "Player 2"],
  });
  assert.deepEqual(Object.fromEntries(new URLSearchParams(query(state))),
    { game: "duel", variant: "n=21 k=4", first: "2", moves: "7 3", name1: "Ada" });
  assert.equal(new URLSearchParams(query(state, "7")).get("moves"), "7");
  assert.equal(new URLSearchParams(query(state, "")).get("moves"), null);
  assert.equal(variantText(undefined), "");
});

test("a refusal is told in the words of the server, and a server out of reach in ours", async () => {
  answer("/a", refused(403, "It is not your turn."));
  await assert.rejects(get("/a"), new Failure("It is not your turn.", 403));
  answer("/a", refused(500, null));
  await assert.rejects(get("/a"), { message: "The server answered with an error (500).", status: 500 });
  answer("/a", new Error("no network"));
  await assert.rejects(post("/a"), { message: /cannot be reached/, status: 0 });
});

test("a secret goes into a header, and into no address", async () => {
  answer("/a", {});
  await get("/a", "secret");
  await post("/a", { x: 1 });
  assert.equal(browser.asked[0].headers.Authorization, "Bearer secret");
  assert.ok(!("Authorization" in browser.asked[1].headers));
  assert.deepEqual(browser.asked[1].body, { x: 1 });
});

test("the catalogue is asked for once", async () => {
  const levels = { easy: "", medium: "", hard: "" };
  answer("/api/v1/rules", [{ name: "line", levels: {} }, { name: "duel", levels }]);
  await rules();
  assert.deepEqual((await rules()).map(({ name }) => name), ["line", "duel"]);
  assert.equal(browser.asked.length, 1);
});

// -- elements --------------------------------------------------------------------------------

test("an attribute that is false or missing is not there, one that is true is empty", () => {
  const node = make("p", { a: true, b: false, c: null, d: 0, e: undefined }, "x", null, "y");
  assert.deepEqual([...node.attributes], [["a", ""], ["d", "0"]]);
  assert.equal(node.textContent, "xy");
  set(node, "a", false);
  set(node, "d", null);
  set(node, "f", 2);
  assert.deepEqual([...node.attributes], [["f", "2"]]);
});

test("a text that is the same already is not written again", () => {
  const node = make("p", {}, "x");
  const [before] = node.childNodes;
  write(node, "x");
  assert.equal(node.firstChild, before);
  write(node, "y");
  assert.equal(node.textContent, "y");
});

test("a text has the apostrophes of a page, whoever has written it", () => {
  const node = make("p", {}, "Ada's", make("b", {}, "can't"));
  assert.equal(node.textContent, "Ada’scan’t");
  write(node, "It isn't 5' or 'five', but Player 1's or Computer (easy)'s.");
  assert.equal(node.textContent, "It isn’t 5' or 'five', but Player 1’s or Computer (easy)’s.");
  const field = make("input", { placeholder: "Ada's", title: "can't", "data-key": "d'or" });
  set(field, "aria-label", "Bo's");
  const told = ["placeholder", "title", "aria-label", "data-key"];
  assert.deepEqual(told.map((name) => field.getAttribute(name)),
    ["Ada’s", "can’t", "Bo’s", "d'or"], "also what is only heard, and nothing that is a key");
});

test("a name that is written from right to left keeps its direction to itself", () => {
  assert.equal(isolated("Ada"), "Ada");
  assert.equal(isolated("דנה"), "\u2068דנה\u2069");
  assert.equal(capital("up to 9"), "Up to 9");
});

// -- my games --------------------------------------------------------------------------------

const summary = (more) => ({
  id: "g1", called: "Number Duel", names: ["Ada", "Bo"], you: 1, one_screen: false,
  players: ["human", "human"], moves: 3, seats: [true, true], to_move: 1, status: "Bo to move.",
  winner: null, closed: false, at: 0, ...more,
});

test("a game goes on if somebody moved in it, or a friend is invited", () => {
  const fresh = { moves: 0 };
  assert.ok(goesOn(summary()));
  assert.ok(goesOn(summary({ moves: 1, players: ["human", "easy"] })));
  assert.ok(!goesOn(summary({ winner: 1 })));
  assert.ok(!goesOn(summary({ closed: true })), "its event has ended");
  assert.ok(goesOn(summary(fresh)), "a friend is invited");
  assert.ok(!goesOn(summary({ ...fresh, players: ["human", "easy"] })));
  assert.ok(!goesOn(summary({ ...fresh, one_screen: true })));
});

test("how a game stands is said to who plays it", () => {
  assert.equal(standing(summary()), "your turn");
  assert.equal(standing(summary({ to_move: 2 })), "Bo to move");
  assert.equal(standing(summary({ closed: true })), "the event has ended");
  assert.equal(standing(summary({ seats: [true, false] })), "waiting for a friend");
  assert.equal(standing(summary({ winner: 1 })), "you won");
  assert.equal(standing(summary({ winner: 2, seats: [true, false] })), "you lost");
  assert.equal(standing(summary({ winner: 2, one_screen: true, status: "Bo won!" })), "Bo won");
  assert.equal(standing(summary({ one_screen: true, status: "Ada to move." })), "Ada to move");
});

test("an opponent is named once they have come", () => {
  assert.equal(opponent(summary()), "with Bo");
  assert.equal(opponent(summary({ you: 2 })), "with Ada");
  assert.equal(opponent(summary({ seats: [true, false] })), "");
  assert.equal(opponent(summary({ one_screen: true })), "Ada and Bo");
});

test("a game that is remembered here and not there is found again by its key", async () => {
  keep("recent", ["g1", "g2", "g3"]);
  answer("/api/v1/games?skip=0", { games: [{ id: "g1" }], unlisted: ["g3"], total: 1, next: null });
  answer("/api/v1/games/g2/key", { you: 2 });
  await myGames();
  assert.deepEqual(browser.asked.map(({ path }) => path),
    ["/api/v1/games?skip=0", "/api/v1/games/g2/key", "/api/v1/games?skip=0"]);
  browser.asked = [];
  answer("/api/v1/games/g2/key", { you: null });
  await myGames();
  assert.equal(browser.asked.length, 2, "one that is not ours is not asked for again");
  browser.asked = [];
  answer("/api/v1/games?skip=20", { games: [], unlisted: [], total: 1, next: null });
  await myGames(20);
  assert.equal(browser.asked.length, 1);
});

// -- one game --------------------------------------------------------------------------------

test("what a note says is not said in the name again", () => {
  assert.equal(bare("Computer (easy)", ["easy", "1 won"]), "Computer");
  assert.equal(bare("Computer (easy)", []), "Computer (easy)");
});

test("who won is told to who played, otherwise as to others", () => {
  const over = game({ outcome: { winner: 2, reason: "", reasons: ["", "", ""] }, status: "Bo won." });
  assert.equal(verdict({ you: 2, game: over }), "You won!");
  assert.equal(verdict({ you: 1, game: over }), "You lost this one.");
  assert.equal(verdict({ you: null, game: over }), "Bo won.");
  assert.equal(verdict({ you: 1, game: { ...over, one_screen: true } }), "Bo won.");
});

test("an address for other devices is the one that the server tells who sits at it", () => {
  assert.equal(outside("/join/X").href, "http://numduel.test/join/X");
  assert.ok(reachable());
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    open(`http://${host}:8000/`);
    assert.ok(!reachable(), host);
    document.body.dataset.origin = "http://192.168.0.7:8000";
    assert.equal(outside("/join/X").href, "http://192.168.0.7:8000/join/X");
    assert.ok(reachable(), host);
  }
});

test("who has won meets a stronger computer, who has lost an easier one", async () => {
  const next = (level, winner) => nextOpponent({
    you: 1, game: game({ players: ["human", level], outcome: { winner, reason: "", reasons: ["", "", ""] } }),
  });
  assert.equal(await next("medium", 1), "hard");
  assert.equal(await next("medium", 2), "easy");
  assert.equal(await next("hard", 1), null);
  assert.equal(await next("easy", 2), null);
  keep("level", "hard");
  assert.equal(await next("human", 1), "hard", "after a friend, the level that is kept");
});

test("the next opponent is one press away, in the same seat", async () => {
  const over = async (winner) => {
    const outcome = { winner, reason: "", reasons: ["", "", ""] };
    const shown = { you: 2, game: game({ id: `g${winner}`, players: ["medium", "human"], outcome }) };
    showEnd({ ...shown, learning: false, closed: "" });
    await settle();
    return shown;
  };
  await over(1);
  assert.equal(text("next"), "A level down: easy");
  const shown = await over(2);
  assert.equal(text("next"), "Next opponent: hard");
  answer("/api/v1/games", { id: "g9" });
  await playNext(shown);
  const { path, body } = browser.asked.at(-1);
  assert.deepEqual([path, body.opponent, body.seat, body.game], ["/api/v1/games", "hard", 2, "duel"]);
  assert.equal(browser.went.at(-1), "/play/g9");
});

test("once the server is reached, only what was said of that is taken back", async () => {
  fail("It is not your turn.");
  reached();
  assert.equal(text("error"), "It is not your turn.");
  answer("/a", new Error("no network"));
  assert.equal(await attempt(() => get("/a")), null);
  assert.match(text("error"), /cannot be reached/);
  reached();
  assert.equal(text("error"), "");
});
