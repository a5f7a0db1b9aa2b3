// A pupil who does homework is told what counts.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open } from "../browser.js";

const sockets = [];
globalThis.WebSocket = class {
  static CONNECTING = 0;
  constructor(address) {
    Object.assign(this, { address: String(address), readyState: 1 });
    sockets.push(this);
  }
  close() {}
};
open("/puzzles");
mock.timers.enable({ apis: ["setTimeout"] });
const { doHomework, noteHomework } = await import("#page/class/homework-note.js");
const { recall, tab } = await import("#page/common/storage.js");

const task = (number) => ({ number, goal: 2, told: "Solve 2 puzzles.", until: 0, link: "/puzzles" });
const tell = (count, finished = null, number = 7) => sockets.at(-1).onmessage({ data: JSON.stringify({
  own: { homework: [{ homework: number, count, finished, late: false }] },
  classroom: { homework: [task(7), task(8)] },
}) });
const note = () => document.querySelector(".homework-note")?.textContent;

test("who does no homework here is told of none", () => {
  noteHomework();
  assert.deepEqual(sockets, []);
  assert.equal(note(), undefined);
});

test("what counts is told for a while, and the end of it until the pupil goes back", () => {
  doHomework("K7M4Q", 7, "0 of 2");
  noteHomework();
  assert.ok(sockets[0].address.includes("/api/v1/classes/K7M4Q/"));
  tell(0);
  tell(0);
  assert.equal(note(), "", "nothing was done yet");
  tell(1);
  assert.equal(note(), "Homework: 1 of 2.");
  mock.timers.tick(6000);
  assert.equal(note(), "");
  tell(2, 1000);
  assert.equal(note(), "Homework: ✓ done. Back to your class");
  mock.timers.tick(60_000);
  assert.equal(note(), "Homework: ✓ done. Back to your class");
  assert.equal(document.querySelector(".homework-note").children[0].getAttribute("href"), "/c/K7M4Q");
  assert.equal(recall("homework", null, tab), null);
});
