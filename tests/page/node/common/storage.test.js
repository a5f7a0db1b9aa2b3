// What this browser remembers: games, events, lessons, its key. Anything may have been kept there.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, browser, open, settle } from "../browser.js";
import { game } from "../samples.js";

open();
const kept = await import("#page/common/storage.js");
const { done, forget, keep, recall, recent, remember, tab } = kept;
const { host, hosted, hostPath, looksRight, over, secretOf, unhost } = await import("#page/class/hosted.js");
const { random, renew, sit } = await import("#page/common/key.js");
const { overall, progress } = await import("#page/study/progress.js");
const { inTurn, nonce, start, takeTurns } = await import("#page/common/start.js");

beforeEach(() => {
  open();
  Object.assign(browser, { asked: [], answers: [], went: [] });
});

const SECRET = "abcdefghijklmnop";
const forbidden = () => {
  const never = () => { throw new Error("forbidden"); };
  globalThis.localStorage = { getItem: never, setItem: never, removeItem: never };
};

test("what is kept is recalled, under a name of our own", () => {
  keep("level", "hard");
  assert.equal(recall("level", "medium"), "hard");
  assert.equal(localStorage.getItem("numduel.level"), '"hard"');
  assert.equal(recall("other", "medium"), "medium");
});

test("null takes away what was kept", () => {
  keep("level", "hard");
  keep("level", null);
  assert.equal(localStorage.getItem("numduel.level"), null);
});

test("what was meddled with is as if it was never kept", () => {
  localStorage.setItem("numduel.level", "{");
  assert.equal(recall("level", "medium"), "medium");
});

test("a browser that forbids storage forgets, and nothing fails", () => {
  forbidden();
  keep("level", "hard");
  assert.equal(recall("level", "medium"), "medium");
  remember("g1");
  assert.deepEqual(recent(), []);
});

test("the twelve latest games are remembered, each once", () => {
  for (let number = 1; number <= 14; number += 1) remember(`g${number}`);
  remember("g5");
  assert.deepEqual(recent().slice(0, 3), ["g5", "g14", "g13"]);
  assert.equal(recent().length, 12);
  forget("g14");
  assert.deepEqual(recent().slice(0, 2), ["g5", "g13"]);
});

test("only ids are games, and only whole numbers are steps", () => {
  keep("recent", ["g1", 7, null]);
  assert.deepEqual(recent(), ["g1"]);
  keep("recent", { g1: true });
  assert.deepEqual(recent(), []);
  keep("lesson.duel", [1, "2", 2.5, 3]);
  assert.deepEqual(done("duel"), [1, 3]);
});

test("progress counts every step of a lesson once", () => {
  const lesson = { name: "duel", steps: 4 };
  assert.equal(progress(lesson).label, "Start");
  keep("lesson.duel", [1, 1, 4, 5, 0]);
  assert.deepEqual(progress(lesson), { count: 2, steps: 4, label: "Continue", words: "2 of 4 steps done" });
  keep("lesson.duel", [1, 2, 3, 4]);
  assert.equal(progress(lesson).label, "Again");
});

test("progress in all lessons is counted together", () => {
  const lessons = ["a", "b", "c"].map((name) => ({ name, steps: 2 }));
  keep("lesson.c", [1]);
  assert.equal(overall(lessons).words, "1 of 6 steps done");
});

// -- events that this browser hosts ----------------------------------------------------------

test("an event is hosted until it is over; its tab knows it still", () => {
  host({ code: "K7M4QX", phase: "open" }, SECRET);
  assert.deepEqual(hosted(), [{ code: "K7M4QX", secret: SECRET }]);
  over("K7M4QX");
  assert.deepEqual(hosted(), []);
  assert.equal(secretOf("K7M4QX"), SECRET);
  unhost("K7M4QX");
  assert.equal(secretOf("K7M4QX"), "");
  host({ code: "K7M4QX", phase: "ended" }, SECRET);
  assert.deepEqual(hosted(), []);
});

test("the six latest events are kept, each once, and nothing that is none", () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 3]) host({ code: `AAAAA${number}`, phase: "open" }, SECRET);
  assert.deepEqual(hosted().map(({ code }) => code.at(-1)), ["3", "7", "6", "5", "4", "2"]);
  keep("hosted", [null, { code: "AAAAA1" }, { code: "AAAAA1", secret: "short" }]);
  assert.deepEqual(hosted(), []);
});

test("the secret of a host is in the address only where this browser keeps nothing", () => {
  host({ code: "K7M4QX", phase: "open" }, SECRET);
  assert.equal(hostPath("K7M4QX", SECRET), "/arena/K7M4QX/host");
  keep("host.K7M4QX", null, tab);
  keep("hosted", null);
  assert.equal(hostPath("K7M4QX", SECRET), `/arena/K7M4QX/host#${SECRET}`);
  assert.ok(looksRight(SECRET) && !looksRight("short") && !looksRight(`${SECRET}!`));
});

// -- the key of this browser -----------------------------------------------------------------

test("a key is 256 random bits in base64url", () => {
  assert.match(random(), /^[\w-]{43}$/);
  assert.notEqual(random(), random());
});

test("the same key is sent until the server has taken it", async () => {
  answer("/api/v1/x", new Error("no network"));
  await assert.rejects(sit("/api/v1/x", {}));
  assert.equal(recall("key"), browser.asked[0].body.key, "also when the page is loaded anew");
  await assert.rejects(sit("/api/v1/x", {}));
  answer("/api/v1/x", {});
  await sit("/api/v1/x", { name: "Ada" });
  await sit("/api/v1/x", {});
  const keys = browser.asked.map(({ body }) => body.key);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[2], keys[3]);
  assert.equal(browser.asked[2].body.name, "Ada");
});

test("a browser that keeps nothing sends the same key again, too", async () => {
  forbidden();
  answer("/api/v1/x", new Error("no network"));
  await assert.rejects(sit("/api/v1/x", {}));
  await assert.rejects(sit("/api/v1/x", {}));
  assert.equal(browser.asked[0].body.key, browser.asked[1].body.key);
});

test("the key is taken where it is renewed for a seat, not for a watcher", async () => {
  answer("/api/v1/games/g1/key", { you: null });
  await renew("g1");
  await renew("g1");
  answer("/api/v1/games/g1/key", { you: 1 });
  await renew("g1");
  await renew("g1");
  const [one, two, three, four] = browser.asked.map(({ body }) => body.key);
  assert.ok(one === two && two === three && three !== four);
});

// -- new games -------------------------------------------------------------------------------

test("the same wish within ten minutes is the same game, another or a later one is not", () => {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const first = nonce({ game: "duel" });
  mock.timers.tick(599_999);
  assert.equal(nonce({ game: "duel" }), first);
  mock.timers.tick(1);
  const later = nonce({ game: "duel" });
  assert.notEqual(later, first);
  assert.notEqual(nonce({ game: "line" }), later);
  mock.timers.reset();
});

test("a new game is asked for with the name that is kept, and gone to", async () => {
  keep("name", " Ada ");
  answer("/api/v1/games", { id: "g9", invite: "inv" });
  await start({ game: "duel" });
  await settle();
  const { body } = browser.asked[0];
  assert.deepEqual([body.name, body.cookie, body.game], ["Ada", true, "duel"]);
  assert.deepEqual(browser.went, ["/play/g9"]);
  assert.equal(recall("invite.g9"), "inv");
  assert.equal(recall("wish"), undefined, "the next one is another game");
});

test("where no answer comes, the next try is the same game", async () => {
  answer("/api/v1/games", new Error("no network"));
  await assert.rejects(start({ game: "duel" }));
  await assert.rejects(start({ game: "duel" }));
  const [one, two] = browser.asked.map(({ body }) => body.nonce);
  assert.equal(one, two);
});

test("a game has begun once a person has moved, and then the other one begins the next", () => {
  const played = (movers, more) => takeTurns({ you: 1, game: game({
    moves: movers.map(String), movers, players: ["human", "easy"], two_people: false, ...more,
  }) });
  played([], { first: 1 });
  assert.equal(inTurn("duel", "computer"), "you");
  played([1], { first: 1 });
  assert.equal(inTurn("duel", "computer"), "them");
  played([2], { first: 2 });
  assert.equal(inTurn("duel", "computer"), "them", "the person has left without a move");
  played([2, 1], { first: 2 });
  assert.equal(inTurn("duel", "computer"), "you");
});
