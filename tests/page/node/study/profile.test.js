// The profile: what the browser remembers travels, and what the server says is drawn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, browser, open, settle, text } from "../browser.js";
import { scene } from "../samples.js";

open("/profile");
const { keep, recall } = await import("#page/common/storage.js");

const PATH = "/api/v1/activities/profile";
const asked = () => browser.asked.filter(({ path }) => path === PATH).map(({ body }) => body);
const shown = (more) => scene({
  goal: "Next: beat hard at Number Duel.", state: null, moves: false, text: ["2 games."],
  choices: [{ action: "next", label: "Do that now", key: "n", told: "" }],
  leads: { activity: "play", game: "duel", level: "hard", variant: { n: 9 } },
  tables: [
    { title: "Accuracy", columns: [], rows: [{ label: "75 %", cells: [], share: null }], levels: [0.5, 1] },
    {
      title: "Won", columns: ["easy", "hard"], levels: [],
      rows: [{ label: "Number Duel", cells: ["1/2", ""], share: 0.5 }],
    },
  ],
  ...more,
});

test("days in a row, lessons and accuracy travel; what is judged is remembered", async () => {
  keep("puzzles", { day: "2026-11-15", days: 3, solved: 5, done: ["a"] });
  keep("lesson.duel", [1, 2]);
  keep("accuracy", { one: [1, 2, 5], old: [1, 1, 3] });
  const statistics = { latest: [["one"], ["two"]] };
  answer("/api/v1/statistics", { statistics });
  const told = [shown({ then: "judge" }), shown()];
  const known = [{ one: [1, 2, 5] }, { one: [1, 2, 5], two: [2, 2, 4] }];
  answer(PATH, () => ({ state: { accuracy: known.shift() }, scene: told.shift() }));
  await import("#page/study/profile.js");
  await settle();
  const [begun, judged] = asked();
  assert.deepEqual([begun.action, judged.action], ["begin", "judge"]);
  assert.deepEqual(begun.state.statistics, statistics);
  assert.deepEqual(begun.state.accuracy, { one: [1, 2, 5] }, "only that of the latest games");
  assert.deepEqual(begun.state.done, { duel: [1, 2] });
  assert.deepEqual([begun.state.streak.days, begun.state.streak.done], [3, undefined]);
  assert.deepEqual(recall("accuracy"), { one: [1, 2, 5], old: [1, 1, 3], two: [2, 2, 4] });
});

test("tables have a row for each game and a column for each level", () => {
  assert.equal(text("task"), "Next: beat hard at Number Duel.");
  const tables = document.getElementById("tables");
  assert.deepEqual(tables.querySelectorAll("rect").length, 2);
  assert.deepEqual(tables.querySelectorAll("td").map((cell) => cell.textContent).filter(Boolean),
    ["1/2", "–"]);
});

test("the next goal begins as a game at once", async () => {
  answer("/api/v1/games", { id: "g1", invite: null });
  keep("turn.duel.computer", "them");
  document.querySelector("[data-action=next]").click();
  await settle();
  const { body } = browser.asked.find(({ path }) => path === "/api/v1/games");
  assert.deepEqual([body.game, body.opponent, body.variant], ["duel", "hard", { n: 9 }]);
  assert.equal(body.first, 2, "the computer's turn to begin");
});
