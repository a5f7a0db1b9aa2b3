// The lobby: how far today's puzzle is, and the game that was left.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, open, text } from "../browser.js";

open("/");
mock.timers.enable({ apis: ["setInterval"] });
answer("/api/v1/rules", []);
answer("/api/v1/games?skip=0", { games: [], unlisted: [], total: 0, next: null });
const { keep } = await import("#page/common/storage.js");
const { today } = await import("#page/study/streaks.js");
await import("#page/lobby/lobby.js");
const { inBrief } = await import("#page/lobby/my-games.js");

test("a daily puzzle that was begun says how many moves were made", () => {
  for (const [marks, told] of [["", ""], ["r", " · 1 move made"], ["rw", " · 2 moves made"]]) {
    keep("puzzles", { begun: today(), marks });
    mock.timers.tick(1000);
    assert.equal(text("daily"), `A new one${told}`);
  }
});

test("in brief, nobody is named twice", () => {
  const game = { called: "Duel", you: 1, names: ["Ada", "Bo"], seats: [true, true], winner: null };
  const brief = (to_move, status) => inBrief({ ...game, to_move, status });
  assert.equal(brief(1, "Ada to move."), "Duel · your turn · with Bo");
  assert.equal(brief(2, "Bo to move."), "Duel · Bo to move");
  game.names[1] = "u";
  assert.equal(brief(1, "Ada to move."), "Duel · your turn · with u");
});
