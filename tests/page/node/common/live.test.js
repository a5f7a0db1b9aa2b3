// The connection to a game or an event: which way it takes, when it tries again, when it gives up.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { answer, browser, happen, open, refused, settle } from "../browser.js";

open("/play/g1");
const { Live } = await import("#page/common/live.js");

let sockets, sources, states, told, reason, live;

class Socket {
  static CONNECTING = 0;
  constructor(address) {
    Object.assign(this, { address: String(address), readyState: 1, closed: false });
    sockets.push(this);
  }
  close() { this.closed = true; }
  tell(data) { this.onmessage({ data: JSON.stringify(data) }); }
  end(code = 1006) { this.onclose({ code }); }
}

class Source {
  constructor(address) {
    Object.assign(this, { address, closed: false });
    sources.push(this);
  }
  close() { this.closed = true; }
}

beforeEach(() => {
  [sockets, sources, states, told] = [[], [], [], []];
  Object.assign(globalThis, { WebSocket: Socket, EventSource: Source });
  Object.assign(browser, { asked: [], answers: [] });
  document.hidden = false;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(Math, "random", () => 1); // the longest delay
  live = new Live("/api/v1/games/g1", (data) => told.push(data), (state, why) => {
    states.push(state);
    reason = why;
  });
});

afterEach(() => {
  live.stop();
  mock.restoreAll();
  mock.timers.reset();
});

const last = () => sockets.at(-1);

test("a socket is tried first, on the same host", () => {
  assert.equal(last().address, "ws://numduel.test/api/v1/games/g1/live");
});

test("every message is told, and says that the connection is open", () => {
  last().tell({ you: 1 });
  assert.deepEqual([told, states], [[{ you: 1 }], ["open"]]);
});

test("a socket that fails is tried again after half a second, then events after a second", () => {
  last().end();
  assert.deepEqual(states, ["lost"]);
  mock.timers.tick(499);
  assert.equal(sockets.length, 1);
  mock.timers.tick(1);
  assert.equal(sockets.length, 2);
  last().end();
  mock.timers.tick(1000);
  assert.deepEqual([sockets.length, sources.length], [2, 1]);
  assert.equal(sources[0].address, "/api/v1/games/g1/events");
});

test("half of a delay is chance", () => {
  Math.random.mock.mockImplementation(() => 0);
  last().end();
  mock.timers.tick(250);
  assert.equal(sockets.length, 2);
});

test("after events comes polling, then a socket again, and no delay is longer than 8 s", async () => {
  answer("/api/v1/games/g1", new Error("no network"));
  for (const delay of [500, 1000]) {
    last().end();
    mock.timers.tick(delay);
  }
  sources[0].onerror();
  assert.ok(sources[0].closed);
  mock.timers.tick(2000);
  assert.equal(browser.asked.length, 1);
  await settle();
  mock.timers.tick(3999);
  assert.equal(sockets.length, 2);
  mock.timers.tick(1);
  assert.equal(sockets.length, 3);
  last().end();
  mock.timers.tick(8000);
  assert.equal(sockets.length, 4);
  last().end();
  mock.timers.tick(7999);
  assert.equal(sources.length, 1);
  mock.timers.tick(1);
  assert.equal(sources.length, 2);
});

test("a message makes what failed before forgotten", () => {
  last().end();
  mock.timers.tick(500);
  last().tell({});
  last().end();
  mock.timers.tick(500);
  assert.deepEqual([sockets.length, sources.length], [3, 0]);
});

test("a server that restarts is met again within a second, and that is no failure", () => {
  for (const count of [2, 3, 4]) {
    last().end(1012);
    mock.timers.tick(1000);
    assert.equal(sockets.length, count);
  }
});

test("what is gone is not asked for again", () => {
  last().end(4404);
  mock.timers.tick(60_000);
  assert.deepEqual([states, sockets.length], [["gone"], 1]);
  happen("online");
  assert.equal(sockets.length, 1);
});

test("a socket that was left tells nothing more", () => {
  const [left] = sockets;
  live.again();
  assert.ok(left.closed);
  left.tell({});
  left.end();
  assert.deepEqual([told, states, sockets.length], [[], [], 2]);
});

test("a socket that is not open yet is closed when it is", () => {
  const [young] = sockets;
  young.readyState = Socket.CONNECTING;
  live.again();
  assert.ok(!young.closed);
  young.onopen();
  assert.ok(young.closed);
});

test("a phone that wakes up, a network that comes back and a page from the cache connect anew", () => {
  document.hidden = true;
  happen("visibilitychange");
  assert.equal(sockets.length, 1);
  document.hidden = false;
  happen("visibilitychange");
  happen("online");
  assert.equal(sockets.length, 3);
  happen("pageshow", { persisted: false });
  assert.equal(sockets.length, 3, "a page that was loaded is connected already");
  happen("pageshow", { persisted: true });
  assert.equal(sockets.length, 4);
});

test("without a network it is lost, and tried again after 8 s", () => {
  happen("offline");
  assert.deepEqual(states, ["lost"]);
  mock.timers.tick(7999);
  assert.equal(sockets.length, 1);
  mock.timers.tick(1);
  assert.equal(sockets.length, 2);
});

test("a browser that forbids sockets gets events", async () => {
  live.stop();
  globalThis.WebSocket = class { constructor() { throw new Error("forbidden"); } };
  live = new Live("/api/v1/games/g1", () => {}, () => {});
  await settle();
  mock.timers.tick(500);
  await settle();
  mock.timers.tick(1000);
  assert.equal(sources.length, 1);
});

async function polling() {
  for (const delay of [500, 1000]) {
    last().end();
    mock.timers.tick(delay);
  }
  sources[0].onerror();
  mock.timers.tick(2000);
  await settle();
}

test("polling asks every two seconds", async () => {
  answer("/api/v1/games/g1", { you: 2 });
  await polling();
  assert.deepEqual(told, [{ you: 2 }]);
  mock.timers.tick(1999);
  assert.equal(browser.asked.length, 1);
  mock.timers.tick(1);
  await settle();
  assert.equal(told.length, 2);
  const before = sockets.length;
  for (let second = 0; second < 8; second += 2) {
    mock.timers.tick(2000);
    await settle();
  }
  assert.equal(sockets.length, before + 1, "and every ten seconds it tries a socket");
});

test("polling notices what is gone", async () => {
  await polling();
  assert.deepEqual([states.at(-1), reason], ["gone", undefined]);
});

test("polling says what is damaged", async () => {
  answer("/api/v1/games/g1", refused(410, "This game is damaged."));
  await polling();
  assert.deepEqual([states.at(-1), reason], ["gone", "This game is damaged."]);
});

test("an answer that comes after the way was changed is not told", async () => {
  let give;
  answer("/api/v1/games/g1", () => new Promise((resolve) => (give = resolve)));
  await polling();
  live.again();
  give({ you: 1 });
  await settle();
  assert.deepEqual(told, []);
});

test("beside events a socket is tried every 10 s, and taken only when it tells something", () => {
  for (const delay of [500, 1000]) {
    last().end();
    mock.timers.tick(delay);
  }
  sources[0].onmessage({ data: "{}" });
  mock.timers.tick(9999);
  assert.equal(sockets.length, 2);
  mock.timers.tick(1);
  assert.equal(sockets.length, 3);
  last().onclose({}); // not yet
  mock.timers.tick(10_000);
  assert.equal(sockets.length, 4);
  assert.ok(!sources[0].closed);
  last().onmessage({ data: "{}" });
  assert.ok(sources[0].closed);
  assert.equal(sockets.length, 5);
});

test("what was stopped does not begin again", () => {
  live.stop();
  live.again();
  live.fail();
  mock.timers.tick(60_000);
  assert.deepEqual([sockets.length, states], [1, []]);
});
