// The page of a live game: how messages become what is shown, and what a press does.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, browser, happen, open, refused, seen, settle, text } from "../browser.js";
import { game, numbers, option } from "../samples.js";

const sockets = [];
globalThis.WebSocket = class {
  static CONNECTING = 0;
  constructor() {
    this.readyState = 1;
    sockets.push(this);
  }
  close() {}
  tell(data) { this.onmessage({ data: JSON.stringify(data) }); }
};
open("/play/g1", { values: "input", discard: "input" });
for (const name of ["sound", "vibration", "notification", "mute"]) {
  const row = document.createElement("label");
  row.dataset.signal = name;
  row.append(document.createElement("input"));
  document.body.append(row);
}
document.getElementById("table").hidden = true;
document.getElementById("discard").dataset.seconds = 1.5;
mock.timers.enable({ apis: ["setTimeout"] });
let now = 10_000;
mock.method(performance, "now", () => now);
const wait = async (time) => {
  now += time;
  mock.timers.tick(time);
  await settle();
};

answer("/api/v1/games/g1/key", refused(403));
answer(/\/report$/, refused(409));
answer("/api/v1/rules", []);
await import("#page/play/play.js");
const { recall } = await import("#page/common/storage.js");
const { fail } = await import("#page/common/notify.js");

let number = 0;
// The game after some moves, a, b, … by the seats in turn, on five numbers.
const after = (count, more = {}) => {
  number += 1;
  const moves = ["1", "2", "3", "4", "5"].slice(0, count);
  return game({
    number, moves, spoken: moves, movers: moves.map((_, index) => 1 + (index % 2)),
    text: moves.join(" "), to_move: 1 + (count % 2), said: `said ${count}`, ...more,
  });
};
const tell = (shown, you = 1) => {
  sockets.at(-1).tell({ you, game: shown });
  return settle();
};
const status = () => text("status");
const listed = () => document.getElementById("moves").children.length;
const press = (label) => {
  document.querySelector(`[data-cell=${label}]`).click();
  return settle();
};
const click = (id) => {
  document.getElementById(id).click();
  return settle();
};
const disabled = (id) => document.getElementById(id).getAttribute("aria-disabled") === "true";
const asked = () => browser.asked.map(({ path, body }) => [path, body]);

beforeEach(async () => {
  await wait(1000); // whatever was held or settling before
  browser.asked = [];
});

// -- what comes in ---------------------------------------------------------------------------

test("the first message shows the board, and remembers the game that goes on", async () => {
  await tell(after(1));
  assert.ok(seen("table"));
  assert.equal(status(), "Ada to move.", "in the words of the server");
  assert.deepEqual(recall("recent"), ["g1"]);
});

test("a message that was overtaken tells nothing", async () => {
  const [old, fresh] = [after(1), after(2)];
  await tell(fresh);
  await tell(old);
  assert.equal(listed(), 2);
  assert.ok(!seen("no-moves"));
  await tell(after(0));
  assert.ok(seen("no-moves"));
});

test("whose turn it is is said to who reads it", async () => {
  await tell(after(2));
  assert.equal(status(), "Your turn.");
  await tell(after(1, { present: [true, false], status: "Bo to move." }));
  assert.equal(status(), "Waiting for Bo to come back.");
  await tell(after(1, { status: "Bo to move." }));
  assert.equal(status(), "Bo to move.");
  await tell(after(0, { one_screen: true }));
  assert.equal(status(), "Ada, your turn.");
  await tell(after(1, { seats: [true, false] }));
  assert.equal(status(), "Waiting for the other player to join.");
  await tell(after(0, { seats: [true, false], to_move: 2 }), null);
  assert.equal(status(), "Waiting for a second player.");
  await tell(after(1, { players: ["human", "easy"], names: ["Ada", "Computer (easy)"] }));
  assert.equal(status(), "Computer is thinking…");
});

test("what happened is read out in one breath", async () => {
  const two = { ...numbers(5) };
  two.cells = two.cells.with(1, { label: "2", owner: 2, state: "last" });
  await tell(after(1));
  await tell(after(2, { cells: two.cells }));
  assert.equal(text("announcer"), "Bo took 2. Your turn.");
  await tell(after(1, { status: "Bo to move." }));
  assert.equal(text("announcer"), "Moves were taken back. Bo to move.");
  await tell(after(2));
  assert.equal(text("announcer"), "said 2. Your turn.");
});

// -- a card that fits nowhere ----------------------------------------------------------------

const stuck = { deck: true, card: 9, forced: "9x" };
const discarded = () =>
  asked().filter(([path]) => path.endsWith("/moves")).map(([, { move }]) => move);

test("a card that fits nowhere is discarded by itself after a moment", async () => {
  answer("/api/v1/games/g1/moves", refused(409));
  await tell(after(2, stuck));
  await wait(1400);
  await tell(after(2, stuck)); // a message that changes nothing does not begin it again
  assert.deepEqual(discarded(), []);
  await wait(100);
  assert.deepEqual(discarded(), ["9x"]);
});

test("no card is discarded by itself on another's turn, with a choice, or unasked", async () => {
  answer("/api/v1/games/g1/moves", refused(409));
  await tell(after(3, stuck));
  await wait(3000);
  await tell(after(2, { ...stuck, text: "1 2 9", forced: null }));
  await wait(3000);
  const box = document.getElementById("discard");
  assert.ok(seen("discard-row"));
  assert.ok(box.checked, "it is on until it is switched off");
  box.checked = false;
  box.happen("change");
  await tell(after(2, { ...stuck, text: "1 2 8" }));
  await wait(3000);
  assert.deepEqual(discarded(), []);
  assert.equal(recall("discard"), false);
  box.checked = true;
  box.happen("change");
  await wait(1500);
  assert.deepEqual(discarded(), ["9x"]);
  await tell(after(0));
  assert.ok(!seen("discard-row"));
});

test("a discard that could not be made is tried again while the position lasts", async () => {
  const asking = document.createElement("dialog");
  asking.setAttribute("open", "");
  document.body.append(asking);
  await tell(after(2, { ...stuck, text: "1 2 7" }));
  await wait(1500);
  assert.deepEqual(discarded(), [], "somebody is asked something");
  asking.remove();
  answer("/api/v1/games/g1/moves", new Error("no network"));
  await wait(1500);
  assert.deepEqual(discarded(), ["9x"]);
  assert.match(text("error"), /^That did not get through/);
  answer("/api/v1/games/g1/moves", () => ({ you: 1, game: after(3) }));
  await wait(1500);
  assert.deepEqual([discarded(), text("error")], [["9x", "9x"], ""]);
  await wait(3000);
  assert.equal(discarded().length, 2);
});

test("no card is discarded under a hint that is being read", async () => {
  answer("/api/v1/games/g1/hint", { nudge: "Look at both ends.", lines: ["Discard it."], move: "9x" });
  answer("/api/v1/games/g1/moves", () => ({ you: 1, game: after(3) }));
  await tell(after(2, { ...stuck, text: "1 2 5" }));
  await wait(400); // a press right after a change does not count
  await click("hint");
  await wait(6000);
  assert.deepEqual([discarded(), text("hint-lines")], [[], "Look at both ends."]);
  await tell(after(2, { ...stuck, text: "1 2 4" }));
  await wait(1500);
  assert.deepEqual(discarded(), ["9x"]);
  assert.equal(text("banner"), "The 9 fitted at neither end, so it was discarded for you.");
});

test("a discard that another tab was faster with is no error", async () => {
  answer("/api/v1/games/g1/moves", refused(409, "The game has moved on."));
  answer("/api/v1/games/g1", () => ({ you: 1, game: after(3) }));
  await tell(after(2, { ...stuck, text: "1 2 6" }));
  await wait(1500);
  assert.deepEqual([discarded(), listed(), text("error")], [["9x"], 3, ""]);
  await wait(3000);
  assert.equal(discarded().length, 1);
});

// -- the computer takes its time -------------------------------------------------------------

const computer = { players: ["human", "easy"], two_people: false };

test("an answer of the computer is shown half a second after the move that it answers", async () => {
  await tell(after(0, computer));
  await tell(after(1, computer));
  await wait(200);
  await tell(after(2, computer));
  assert.equal(listed(), 1);
  await wait(299);
  assert.equal(listed(), 1);
  await wait(1);
  assert.equal(listed(), 2);
});

test("an answer that took longer is shown at once", async () => {
  await tell(after(1, computer));
  await wait(500);
  await tell(after(2, computer));
  assert.equal(listed(), 2);
});

test("the answer may overtake the acknowledgement of the move", async () => {
  await tell(after(0, computer));
  await wait(1000);
  let give;
  answer("/api/v1/games/g1/moves", () => new Promise((resolve) => (give = resolve)));
  await press("1");
  const mine = after(1, computer);
  await tell(after(2, computer));
  assert.equal(listed(), 0, "it has an answer to a move that is not shown yet");
  give({ you: 1, game: mine });
  await settle();
  assert.equal(listed(), 1);
  await wait(500);
  assert.equal(listed(), 2);
});

test("what a friend does is shown at once", async () => {
  await tell(after(1));
  await tell(after(2));
  assert.equal(listed(), 2);
});

// -- what is pressed -------------------------------------------------------------------------

test("a legal move is sent with the number of what was seen", async () => {
  const shown = after(2);
  await tell(shown);
  await wait(300);
  answer("/api/v1/games/g1/moves", (_, body) => ({ you: 1, game: after(3, { said: body.move }) }));
  await press("3");
  assert.deepEqual(asked(), [["/api/v1/games/g1/moves", { move: "3", after: shown.number }]]);
  assert.equal(listed(), 3);
});

test("a press just after a change was meant for what was there before", async () => {
  await tell(after(1));
  await tell(after(2));
  await press("3");
  assert.deepEqual(asked(), []);
  await wait(300);
  await press("3");
  assert.equal(asked().length, 1);
});

test("a second press while the first is on its way is none", async () => {
  await tell(after(2));
  await wait(300);
  const give = [];
  answer("/api/v1/games/g1/moves", () => new Promise((resolve) => give.push(resolve)));
  await press("3");
  await press("4");
  assert.equal(give.length, 1);
  give[0]({ you: 1, game: after(3) });
  await settle();
});

test("who cannot move is told why", async () => {
  await tell(after(1, { status: "Bo to move." }));
  await wait(300);
  await press("3");
  assert.equal(text("error"), "Bo to move.");
  await tell(after(1), null);
  await press("3");
  assert.equal(text("error"), "You are only watching this game.");
  await tell(after(1, { outcome: { winner: 1, reason: "", reasons: ["", "", ""] }, to_move: null }));
  await press("3");
  assert.equal(text("error"), "The game is over.");
  assert.deepEqual(asked().filter(([path]) => path.endsWith("/moves")), []);
});

test("a move that is not allowed is answered with why; in a strict game one may insist", async () => {
  const legal = numbers(5).legal.slice(0, 4);
  answer(/^\/api\/v1\/why/, { why: "5 is too far." });
  await tell(after(2, { legal }));
  await wait(300);
  await press("5");
  assert.equal(text("error"), "5 is too far.");
  await tell(after(2, { legal, strict: true }));
  answer("/api/v1/games/g1/moves", () => ({ you: 1, game: after(3) }));
  await press("5");
  const question = document.querySelector("dialog");
  assert.match(question.textContent, /5 is too far\. By the rulebook this loses the game\./);
  question.querySelector("#no").click();
  await settle();
  assert.deepEqual(asked().filter(([path]) => path.endsWith("/moves")), []);
  await press("5");
  document.querySelector("dialog").querySelector("#yes").click();
  await settle();
  assert.equal(asked().at(-1)[1].move, "5");
});

test("where something else has happened and the board is the same, the wish is sent again", async () => {
  const shown = after(2);
  await tell(shown);
  await wait(300);
  const fresh = after(2);
  answer("/api/v1/games/g1", () => ({ you: 1, game: fresh }));
  answer("/api/v1/games/g1/moves", (_, body) =>
    body.after === fresh.number ? { you: 1, game: after(3) } : refused(409));
  await press("3");
  assert.equal(listed(), 3);
});

test("where the board has changed meanwhile, the move is not made", async () => {
  await tell(after(2));
  await wait(300);
  answer("/api/v1/games/g1", () => ({ you: 1, game: after(4) }));
  answer("/api/v1/games/g1/moves", refused(409, "The game has moved on."));
  await press("3");
  assert.equal(text("error"), "The game has moved on.");
  assert.equal(asked().filter(([path]) => path.endsWith("/moves")).length, 1);
});

test("what did not get through is said so", async () => {
  await tell(after(2));
  await wait(300);
  answer("/api/v1/games/g1/moves", new Error("no network"));
  await press("3");
  assert.match(text("error"), /^That did not get through\. The server cannot be reached/);
});

// -- looking back ----------------------------------------------------------------------------

test("an earlier position is looked at until the game ends or it is no longer one of it", async () => {
  answer(/^\/api\/v1\/position/, numbers(5, { text: "1", moves: ["1"], legal: [] }));
  await tell(after(3));
  document.getElementById("moves").children[0].firstChild.click();
  await settle();
  assert.equal(status(), "Looking at move 1.");
  assert.ok(seen("back"));
  await tell(after(4));
  assert.equal(status(), "Looking at move 1. Your turn.");
  await wait(300);
  await press("3");
  assert.equal(text("error"), "This is an earlier position.");
  await tell(after(0));
  assert.equal(status(), "Your turn.");
  assert.ok(!seen("back"));
});

test("at its end everybody sees the end", async () => {
  answer(/^\/api\/v1\/position/, numbers(5, { text: "1", moves: ["1"], legal: [] }));
  await tell(after(3));
  document.getElementById("moves").children[0].firstChild.click();
  await settle();
  await tell(after(4, { outcome: { winner: 1, reason: "All taken.", reasons: ["", "All taken.", ""] }, to_move: null, status: "Ada won." }));
  assert.equal(status(), "You won!");
  assert.deepEqual([text("result"), text("reason")], ["You won!", "All taken."]);
  assert.deepEqual(recall("recent", []), [], "a game that is over is not missed");
});

// -- taking back, hints and values -----------------------------------------------------------

test("a move can be taken back where there is one, and not while that is asked", async () => {
  await tell(after(2));
  assert.ok(disabled("undo"));
  await tell(after(2, { undoable: [true, true] }));
  assert.ok(!disabled("undo"));
  await tell(after(2, { undoable: [true, true], undo: 1 }));
  assert.ok(disabled("undo") && !seen("accept") && !seen("refuse"));
  assert.equal(text("undo-text"), "You asked to take back a move. Waiting for an answer.");
  await tell(after(2, { undoable: [true, true] }));
  assert.equal(text("banner"), "Bo did not let you take back the move.");
  await tell(after(2, { undo: 2, names: ["Ada", "Somebody with a very long name"] }));
  assert.equal(text("undo-text"), "Somebody with a v… asks to take back the last move.");
  assert.ok(seen("accept") && seen("refuse"));
});

test("who is asked for a move back reads that, and not what was refused before", async () => {
  await tell(after(1, { status: "Bo to move." }));
  await wait(300);
  await press("3");
  await tell(after(1, { undo: 1, status: "Bo to move." }));
  assert.equal(text("error"), "Bo to move.", "who asks is asked nothing");
  await tell(after(1, { undo: 2, status: "Bo to move." }));
  assert.equal(text("error"), "");
  await press("3");
  await tell(after(1, { undo: 2, status: "Bo to move." }));
  assert.equal(text("error"), "Bo to move.", "once");
});

test("who watches reads on while the players ask each other", async () => {
  await tell(after(1), null);
  fail("This is not a move.");
  await tell(after(1, { undo: 2 }), null);
  assert.equal(text("error"), "This is not a move.");
});

test("nobody helps between two people; on one screen and with the computer one may ask", async () => {
  await tell(after(2));
  assert.ok(!seen("hint") && !seen("values-row"));
  await tell(after(2, { one_screen: true }));
  assert.ok(seen("hint") && seen("values-row"));
  await tell(after(2, computer));
  assert.ok(seen("hint"));
});

test("a hint is the idea first, and pressed again the move", async () => {
  answer("/api/v1/games/g1/hint", { nudge: "Look.", lines: ["Take 3.", "It wins."], move: "3" });
  await tell(after(2, computer));
  await wait(300);
  await click("hint");
  assert.equal(text("hint-lines"), "Look.");
  assert.equal(text("hint"), "Show a move");
  assert.ok(!document.querySelector("[data-cell=3]").hasAttribute("data-advised"));
  await click("hint");
  assert.equal(text("hint-lines"), "Look.", "a double press counts once");
  await wait(500);
  await click("hint");
  assert.equal(text("hint-lines"), "Take 3. It wins.");
  await wait(500);
  assert.equal(text("hint"), "Hint", "there is no more to show");
  assert.ok(document.getElementById("hint").hasAttribute("aria-disabled"));
  assert.ok(document.querySelector("[data-cell=3]").hasAttribute("data-advised"));
  await tell(after(4, computer));
  assert.deepEqual([text("hint-lines"), text("hint")], ["", "Hint"]);
});

test("values are asked for once a position, and shown while somebody chooses there", async () => {
  answer("/api/v1/games/g1/values", { options: [option("3")], legend: "Values", evaluation: null });
  const box = document.getElementById("values");
  await tell(after(2, computer));
  box.checked = true;
  box.happen("change");
  await settle();
  assert.equal(text("legend"), "Values");
  await tell(after(2, computer));
  assert.equal(asked().filter(([path]) => path.endsWith("/values")).length, 1);
  await tell(after(3, computer));
  assert.equal(text("legend"), "");
  box.checked = false;
  box.happen("change");
});

// -- the rest --------------------------------------------------------------------------------

test("panels say who is here, and how many games each has won", async () => {
  const notes = () => [1, 2].map((seat) =>
    document.querySelectorAll(".player")[seat - 1].querySelectorAll("[data-note]")
      .map((note) => note.textContent).join(" "));
  await tell(after(2, { present: [true, false], score: [2, 1] }));
  assert.deepEqual(notes(), ["you here 2 won", "away 1 won"]);
  await tell(after(2, { seats: [true, false] }));
  assert.deepEqual(notes(), ["you here", "not here yet"]);
  await tell(after(2, computer));
  assert.deepEqual(notes(), ["you", "easy"]);
  await tell(after(2, { one_screen: true }));
  assert.deepEqual(notes(), ["", ""]);
});

test("who is cut off does not say who else is there", async () => {
  await tell(after(1, { present: [true, false], status: "Bo to move." }));
  happen("offline");
  assert.equal(text("banner"), "Connection lost. Trying again…");
  assert.equal(status(), "Bo to move.");
  happen("online");
  await tell(after(1, { status: "Bo to move." }));
  assert.equal(text("banner"), "Connected again.");
});

test("the title of a page that is not looked at says that it is your turn", async () => {
  document.hidden = true;
  await tell(after(2));
  assert.equal(document.title, "● Your turn: Number Duel | numduel");
  document.hidden = false;
  await tell(after(2));
  assert.equal(document.title, "Number Duel | numduel");
});

const off = (label) => document.querySelector(`[data-cell=${label}]`).ariaDisabled === "true";

test("tiles can be pressed while it is your turn, not in an earlier position, nor twice", async () => {
  await tell(after(2));
  assert.ok(!off("3"));
  await tell(after(1));
  assert.ok(off("3"));
  await tell(after(2), null);
  assert.ok(off("3"));
  answer(/^\/api\/v1\/position/, numbers(5, { text: "1", moves: ["1"] }));
  await tell(after(2));
  document.getElementById("moves").children[0].firstChild.click();
  await settle();
  assert.ok(off("3"));
  await click("back");
  await wait(300);
  let give;
  answer("/api/v1/games/g1/moves", () => new Promise((resolve) => (give = resolve)));
  await press("3");
  assert.ok(off("4"));
  give({ you: 1, game: after(2) });
  await settle();
  assert.ok(!off("4"));
});

test("a button that is switched off does nothing", async () => {
  await tell(after(2));
  await wait(300);
  await click("undo");
  assert.deepEqual(asked(), []);
  answer("/api/v1/games/g1/undo", (_, body) => ({ you: 1, game: after(2) }));
  await tell(after(2, { undoable: [true, false] }));
  await click("undo");
  assert.equal(asked()[0][1].say, "ask");
});

test("who gives up is asked first, and does so on any board", async () => {
  const shown = after(2);
  await tell(shown);
  await wait(300);
  const fresh = after(3);
  answer("/api/v1/games/g1", () => ({ you: 1, game: fresh }));
  answer("/api/v1/games/g1/resign", (_, body) =>
    body.after === fresh.number ? { you: 1, game: after(3) } : refused(409));
  const say = async (what) => {
    await click("resign");
    document.querySelector("dialog").querySelector(`#${what}`).click();
    await settle();
  };
  await say("no");
  assert.deepEqual(asked(), []);
  await say("yes");
  assert.deepEqual(asked().map(([path]) => path.split("/").at(-1)), ["resign", "g1", "resign"]);
});

test("the page names the game, what is unusual, and that the computer only estimates", async () => {
  await tell(after(2, { changes: ["up to 9"] }));
  assert.deepEqual([text("title"), text("variant")],
    ["Number Duel", "Up to 9"]);
  document.getElementById("estimated").textContent = "It estimates.";
  await tell(after(2, { title: "Number Duel", estimated: true }));
  assert.equal(text("announcer"), "It estimates. Your turn.");
  assert.ok(seen("estimated"));
  assert.equal(text("variant"), "");
  await tell(after(2, { estimated: true }));
  assert.equal(text("announcer"), "Your turn.");
});

test("in a rematch it is said who begins this time", async () => {
  await tell(after(0, { score: [1, 0], first: 2, said: "" }));
  assert.equal(text("said"), "Bo begins this time.");
  await tell(after(0, { score: [1, 0], first: 1, said: "" }));
  assert.equal(text("said"), "You begin this time.");
  await tell(after(0, { score: [1, 0], first: 1, said: "", one_screen: true }));
  assert.equal(text("said"), "Ada begins this time.");
  await tell(after(0, { said: "" }));
  assert.equal(text("said"), "");
});

test("when it is over its buttons make way for those of the end", async () => {
  await tell(after(2));
  assert.ok(seen("actions") && !seen("end"));
  await tell(after(2, { outcome: { winner: 2, reason: "", reasons: ["", "", ""] }, to_move: null, score: [2, 1] }));
  assert.ok(!seen("actions") && seen("end") && seen("rematch") && seen("next"));
  assert.equal(text("score"), "Games won: Ada 2, Bo 1.");
  assert.equal(text("next"), "Play the computer");
  await tell(after(2, { outcome: { winner: 2, reason: "", reasons: ["", "", ""] }, to_move: null }), null);
  assert.ok(!seen("rematch") && !seen("next") && !seen("actions"));
});

test("who sees themselves win is celebrated, where things may move", async () => {
  const papers = () => document.querySelectorAll(".party").length;
  const over = (winner) => after(3, { outcome: { winner, reason: "", reasons: ["", "", ""] }, to_move: null });
  const calm = matchMedia("");
  for (const [still, winner, you, many] of [
    [true, 1, 1, 0], [false, 2, 1, 0], [false, 1, null, 0], [false, 1, 1, 1],
  ]) {
    await tell(after(2), you);
    calm.matches = still;
    await tell(over(winner), you);
    assert.equal(papers(), many, `${still} ${winner} ${you}`);
    await wait(3200);
    assert.equal(papers(), 0, "not for long");
  }
  await tell(over(1));
  assert.equal(papers(), 0, "the end was there before");
  calm.matches = true;
});

test("a rematch is wanted, offered and gone to", async () => {
  const over = { outcome: { winner: 1, reason: "", reasons: ["", "", ""] }, to_move: null };
  const rematch = (offered, next = null) => ({ ...over, rematch: { offered, game: next } });
  await tell(after(4, over));
  assert.equal(text("rematch"), "Rematch");
  await tell(after(4, rematch(2)));
  assert.deepEqual([text("rematch"), text("rematch-text")],
    ["Accept the rematch", "Bo offers a rematch."]);
  await tell(after(4, rematch(1)));
  assert.deepEqual([text("rematch"), text("rematch-text")],
    ["Rematch offered", "Waiting for Bo to accept."]);
  answer("/api/v1/games/g1/rematch", { you: 1, game: after(4, rematch(1, "g2")) });
  await tell(after(4, rematch(1, "g2")));
  await settle();
  assert.deepEqual(browser.went, ["/play/g2"], "both wanted it");
  await tell(after(4, rematch(1, "g2")));
  assert.deepEqual(browser.went, ["/play/g2"], "once");
});
