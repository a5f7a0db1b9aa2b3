// Joining with the code of an event.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answer, browser, open, refused, seen, settle, text } from "../browser.js";
import { event } from "../samples.js";

open("/join");
document.getElementById("nickname").maxLength = 16;
await import("#page/class/join.js");

const type = async (code) => {
  document.getElementById("code").value = code;
  document.getElementById("code").happen("input");
  await settle();
};
const join = async () => {
  document.getElementById("join").happen("submit");
  await settle();
};
const fails = (path, error) => answer(path, refused(404, error));

beforeEach(() => Object.assign(browser, { asked: [], answers: [], went: [] }));

test("nobody is asked for a nickname before the event is known", async () => {
  assert.ok(!seen("naming"));
  assert.ok(seen("code-hint"));
  answer("/api/v1/events/K7M4QX", { you: null, event: event({ own_names: true }) });
  answer("/api/v1/events/K7M4QX/names", { names: ["Quick Otter"] });
  await type("k7m4qx");
  assert.ok(seen("naming"));
  assert.ok(seen("offers"));
  assert.ok(!seen("code-hint"));
  await type("k7m4q");
  assert.ok(!seen("naming"));
  assert.ok(!seen("offers"));
});

test("the code of an event that does not exist is told at the code", async () => {
  fails("/api/v1/events/ABCDEF", "There is no such event.");
  await type("ABCDEF");
  assert.equal(text("wrong-code"), "");
  await join();
  assert.equal(text("wrong-code"), "There is no such event.");
  assert.ok(!seen("naming"));
});
