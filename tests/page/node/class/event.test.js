// An event as its pages see it: what comes in, the clock, who plays whom, and where to go on.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { answer, browser, open, refused, seen, settle, text } from "../browser.js";
import { event, game, player } from "../samples.js";

open("/arena/K7M4QX");
let sockets = [];
globalThis.WebSocket = class {
  static CONNECTING = 0;
  constructor() { sockets.push(this); }
  close() {}
};
const said = await import("#page/class/event.js");
const { EventChannel, myself, nameOf } = said;
const { EventGame } = await import("#page/play/event-game.js");
const { people: everybody } = await import("#page/class/people.js");
const { news } = await import("#page/class/news.js");

const snapshot = (more = {}, you = null, now = 1000) => ({ you, now, event: event(more) });

beforeEach(() => {
  open("/arena/K7M4QX");
  Object.assign(browser, { asked: [], answers: [], went: [] });
  sockets = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 500_000 });
});
afterEach(() => mock.timers.reset());

// -- words -----------------------------------------------------------------------------------

test("a clock shows minutes and seconds, hours where there are some, and never 0 too early", () => {
  const shown = [0, 0.1, 59, 60, 599.5, 3599, 3600, 3661].map(said.clockText);
  assert.deepEqual(shown,
    ["0:00", "0:01", "0:59", "1:00", "10:00", "59:59", "1:00:00", "1:01:01"]);
});

test("an event is named by its format and its games", () => {
  assert.equal(said.formatText(event({ minutes: 1 })), "Arena, 1 minute");
  assert.equal(said.formatText(event({ format: "swiss", rounds: 5 })), "Swiss, 5 rounds");
  assert.equal(said.formatText(event({ format: "robin" })), "Round robin");
  const [duel] = event().games;
  const games = [{ ...duel, called: "Factor Chain", changes: ["up to 30", "short"] }, duel];
  assert.equal(said.gamesText(event({ games })), "Factor Chain (up to 30, short), Number Duel");
});

test("a round is named while it is played", () => {
  assert.equal(said.roundText({ round: 2, rounds: 5, phase: "running" }), "Round 2 of 5");
  assert.equal(said.roundText({ round: 0, rounds: 5, phase: "open" }), "");
  assert.equal(said.roundText({ round: 5, rounds: 5, phase: "ended" }), "");
});

test("who has not chosen anything yet has a dash", () => {
  assert.equal(said.accuracyText(player(1)), "–");
  assert.equal(said.accuracyText(player(1, { accuracy: 0.916 })), "92 %");
  assert.equal(said.speedText(player(1)), "–");
  assert.equal(said.speedText(player(1, { seconds_per_move: 3.14 })), "3.1 s");
});

test("a player is named, the computer by its level, and who has left as such", () => {
  const one = event({ players: [player(3, { nickname: "Bo" })] });
  assert.equal(nameOf(one, 3), "Bo");
  assert.equal(nameOf(one, 0), "Computer (medium)");
  assert.equal(nameOf(one, 9), "somebody who has left");
  assert.equal(myself({ you: 3, now: 0, event: one }).nickname, "Bo");
  assert.equal(myself({ you: null, now: 0, event: one }), undefined);
});

test("the code of an event is in the address of all its pages", () => {
  assert.equal(said.addressed(), "K7M4QX");
  open("/arena/K7M4QX/wall");
  assert.equal(said.addressed(), "K7M4QX");
  open("/join");
  assert.equal(said.addressed(), "");
});

// -- the channel -----------------------------------------------------------------------------

const heard = () => {
  const told = { messages: [], ticks: [] };
  told.channel = new EventChannel("K7M4QX", {
    message: ({ event: { number } }) => told.messages.push(number),
    tick: (left) => told.ticks.push(left),
    state: () => {},
  });
  return told;
};

test("what is older than the last message is not told", () => {
  const { channel, messages } = heard();
  for (const number of [4, 3, 4, 5]) channel.take(snapshot({ number }));
  assert.deepEqual(messages, [4, 4, 5]);
});

test("time is kept by the clock of the server", () => {
  const { channel, ticks } = heard(); // this clock says 500, the server's 1000
  channel.take(snapshot({ clock: { ends: 1060, remaining: null } }));
  mock.timers.tick(10_000);
  assert.equal(channel.now, 1010);
  assert.equal(ticks[0], 60);
  assert.equal(ticks.at(-1), 50);
  assert.equal(ticks.length, 1 + 40);
  mock.timers.tick(60_000);
  assert.equal(ticks.at(-1), 0, "never less than nothing");
});

test("a clock that stands still shows what remains, and there may be none", () => {
  const { channel } = heard();
  channel.take(snapshot({ clock: { ends: null, remaining: 77 } }));
  assert.equal(channel.left, 77);
  channel.take(snapshot({ clock: { ends: null, remaining: null } }));
  assert.equal(channel.left, null);
});

test("the page tells by itself how the connection is", () => {
  const channel = new EventChannel("K7M4QX", { message() {} });
  channel.live.state("lost");
  assert.equal(text("banner"), "Connection lost. Trying again…");
  channel.live.state("open");
  assert.equal(text("banner"), "Connected again.");
  mock.timers.tick(3000);
  assert.equal(text("banner"), "");
  channel.live.state("open");
  assert.equal(text("banner"), "", "it was not lost meanwhile");
  channel.live.state("gone");
  assert.equal(text("error"), "There is no such event. It may have been deleted.");
});

// -- a game of an event ----------------------------------------------------------------------

const me = (more = {}) => player(1, { nickname: "Ada", pairing: 7, game: "g1", opponent: 2, ...more });
const pairing = (id = "g1") => ({ number: 7, id, round: 1, game: "duel", players: [1, 2] });

function playing(more = {}, seat = 1) {
  const match = new EventGame("g1", () => match.show({ you: seat, game: match.game }));
  match.show({ you: seat, game: game({ event: "K7M4QX", ...more }) });
  return match;
}
const running = (more = {}) =>
  snapshot({ players: [me(), player(2, { nickname: "Bo" })], pairings: [pairing()], ...more }, 1);
const dialog = () => document.querySelector("dialog");
const press = (label) =>
  dialog().querySelectorAll("button").find((button) => button.textContent === label)?.click();
const onward = () => (seen("onward") ? [text("onward"), document.getElementById("onward").href] : null);

test("a game that belongs to no event has nothing to tell of one", () => {
  const match = new EventGame("g1", () => {});
  match.show({ you: 1, game: game() });
  assert.equal(match.channel, undefined);
});

test("it says with whom one plays", () => {
  playing();
  assert.equal(text("event-game"), "Game with Bo");
  playing({}, null);
  assert.equal(text("event-game"), "Game: Ada and Bo");
});

test("both players read the time without a name, which may be long, and watchers with it", () => {
  const clock = { left: [24, 130], ends: null };
  const timed = (seat, more = {}) => {
    const match = playing({ clock }, seat);
    match.take({ ...running(more), you: seat });
    return match.timeLeft();
  };
  assert.equal(timed(1), "Your move: 0:24");
  assert.equal(timed(2), "Their move: 0:24");
  assert.equal(timed(null), "Ada’s move: 0:24");
  assert.equal(timed(2, { game_minutes: 3 }), "They 0:24 · You 2:10");
  assert.equal(timed(null, { game_minutes: 3 }), "Ada 0:24 · Bo 2:10");
});

test("players get no help while the event goes on, and watchers play nothing", () => {
  const match = playing();
  match.take(running());
  assert.ok(match.unaided);
  match.take(running({ number: 2, phase: "ended" }));
  assert.ok(!match.unaided);
  match.take({ ...running({ number: 3 }), you: null });
  assert.ok(!match.unaided);
});

test("after the end the next game, the waiting room or the end of the event is gone to", () => {
  const match = playing({ outcome: { winner: 1, reason: "", reasons: ["", "", ""] } });
  match.take(running());
  assert.deepEqual(onward(), ["Continue", "/arena/K7M4QX"], "the event is about to hear of the end");
  match.take(running({ number: 2, players: [me({ game: "g2" }), player(2, { nickname: "Bo" })],
    pairings: [pairing("g2")] }));
  assert.deepEqual(onward(), ["Next game: Bo", "/play/g2"]);
  match.take(running({ number: 3, players: [me({ game: null, reason: "Nobody is free." })], pairings: [] }));
  assert.deepEqual(onward(), ["Go to the waiting room", "/arena/K7M4QX"]);
  assert.equal(text("onward-text"), "Nobody is free.");
  match.take(running({ number: 4, phase: "ended", pairings: [] }));
  assert.deepEqual(onward(), ["See how you did", "/arena/K7M4QX"]);
});

test("who only watches a game that goes on is led nowhere", () => {
  const match = playing({}, null);
  match.take({ ...running(), you: null });
  assert.equal(onward(), null);
});

test("who still looks at a finished game is reminded of the next, and led there", () => {
  const match = playing({ to_move: null, outcome: { winner: 1, reason: "", reasons: ["", "", ""] } });
  const now = 1_800_000_000;
  const next = { players: [me({ game: "g2", nudged: now - 1 }), player(2, { nickname: "Bo" })], now };
  match.take(running({ pairings: [pairing("g2")], ...next }));
  assert.equal(text("nudge"), "It is your turn! Bo is waiting for you.");
  assert.equal(document.getElementById("nudge").children[0].getAttribute("href"), "/play/g2");
  match.take(running({ number: 2, players: [me({ game: null })], pairings: [] }));
  assert.equal(text("nudge"), "");
});

test("who is removed does not play here any more, until they come back", () => {
  const match = playing();
  match.take(running());
  match.take({ ...running({ number: 2 }), you: null });
  assert.equal(match.closed, "You are not playing here any more.");
  assert.deepEqual(onward(), ["Go to the event", "/arena/K7M4QX"]);
  match.take(running({ number: 3 }));
  assert.equal(match.closed, "");
});

test("a game that the event took off the board says why", async () => {
  for (const [end, won, phase, why] of [
    ["forfeit", true, "running", "This game was given to you."],
    ["forfeit", false, "running", "This game was given to Bo."],
    ["cancelled", null, "running", "This game was cancelled."],
    ["cancelled", null, "ended", "The event is over: nobody won this game."],
    ["played", true, "running", ""],
  ]) {
    answer("/api/v1/events/K7M4QX/me",
      { games: [{ id: "g1", round: 1, opponent: "Bo", end, won }] });
    const match = playing();
    match.take(running());
    match.take(running({ number: 2, pairings: [], phase }));
    await settle();
    assert.equal(match.closed, why);
  }
});

test("what became of a game that is not among all any more is asked for once", async () => {
  const other = { ...pairing("x1"), number: 8 };
  const match = playing();
  match.take(running({ pairings: [other, pairing()] }));
  answer("/api/v1/events/K7M4QX/me", { games: [] });
  match.take(running({ number: 2, pairings: [other] }));
  match.take(running({ number: 3, pairings: [other] }));
  await settle();
  assert.equal(browser.asked.length, 1);
});

test("to others it goes on no more, unless it was played to its end", async () => {
  for (const [outcome, why] of [[null, "This game has been stopped."], [{ winner: 1 }, ""]]) {
    answer("/api/v1/games/g1", { you: null, game: { outcome } });
    const match = playing({}, null);
    match.take({ ...running({ pairings: [] }), you: null });
    await settle();
    assert.equal(match.closed, why);
  }
});

test("what has become of a game is asked again until there is an answer", async () => {
  answer("/api/v1/events/K7M4QX/me", new Error("no network"));
  const match = playing();
  match.take(running({ pairings: [] }));
  await settle();
  assert.equal(browser.asked.length, 1);
  answer("/api/v1/events/K7M4QX/me", { games: [] });
  mock.timers.tick(3999);
  assert.equal(browser.asked.length, 1);
  mock.timers.tick(1);
  assert.equal(browser.asked.length, 2);
  answer("/api/v1/events/K7M4QX/me", refused(403));
  const other = playing();
  other.take(running({ pairings: [] }));
  await settle();
  mock.timers.tick(60_000);
  assert.equal(browser.asked.length, 3, "asking again would not help");
});

test("the clock is that of the event, the round that of this game", () => {
  const match = playing();
  match.take(running({ round: 2 }));
  match.tick(75);
  assert.equal(text("event-clock"), "1:15");
  match.tick(null);
  assert.equal(text("event-clock"), "Round 1 of 5");
  match.take(running({ number: 2, phase: "paused" }));
  match.tick(75);
  assert.equal(text("event-clock"), "Paused");
});

test("the host's line takes over the screen until it is dismissed, and goes with the end", () => {
  const match = playing();
  const hurry = { message: "Hurry!", message_at: 5 };
  match.take(running(hurry));
  assert.deepEqual([text("event-line"), dialog().querySelector("h2").textContent], ["Hurry!", "Hurry!"]);
  press("OK");
  match.take(running({ number: 2, ...hurry }));
  assert.equal(dialog(), null);
  match.take(running({ number: 3, ...hurry, phase: "ended" }));
  assert.equal(text("event-line"), "");
});

// -- what the host sees ----------------------------------------------------------------------

const people = () => {
  const done = [];
  const list = everybody(async (what, body) => {
    done.push([what, body]);
    return { code: "0471" };
  });
  return { list, done };
};
const rows = () => document.getElementById("people-rows").children.map((row) =>
  row.children.slice(0, 4).map((cell) => cell.textContent));

test("the table says who plays whom, who waits and who is away", () => {
  const { list } = people();
  list.show(event({ players: [
    player(1, { nickname: "Ada", game: "g1", opponent: 2, wins: 1, games: 2, accuracy: 0.5 }),
    player(2, { nickname: "Bo", game: "g1", opponent: 1, away: true }),
    player(3, { nickname: "Cy" }),
    player(4, { nickname: "Robo", kind: "hard", game: "g3", opponent: 0 }),
  ] }));
  assert.equal(text("people-title"), "3 here, 1 away");
  assert.deepEqual(rows(), [
    ["1", "Adaplaying Bo", "1 of 2", "50 %"],
    ["2", "Boplaying Ada, away", "0 of 0", "–"],
    ["3", "Cywaiting for an opponent", "0 of 0", "–"],
    ["4", "Robocomputer: hard, playing Computer (medium)", "0 of 0", "–"],
  ]);
});

test("before the start there are no places", () => {
  const { list } = people();
  list.show(event({ phase: "open", players: [player(1, { nickname: "Ada" })] }));
  assert.deepEqual(rows(), [["", "Ada", "", ""]]);
  list.show(event({ phase: "open" }));
  assert.equal(text("people-title"), "Who is here");
  assert.ok(seen("nobody") && !seen("people"));
});

test("a row stays the same element while the table changes, and so does the focus", () => {
  const { list } = people();
  const [one, two] = [player(1), player(2)];
  list.show(event({ players: [one, two] }));
  const [first] = document.getElementById("people-rows").children;
  const button = first.querySelector("button");
  button.focus();
  list.show(event({ players: [two, one] }));
  assert.equal(document.getElementById("people-rows").children[1], first);
  assert.equal(document.activeElement, button);
  list.show(event({ players: [two] }));
  assert.equal(document.activeElement.id, "people-title", "where the row is gone");
});

test("only those who are free can be paired, or the computer", async () => {
  const { list, done } = people();
  list.show(event({ players: [
    player(1), player(2), player(3, { away: true }), player(4, { pairing: 9, opponent: 5 }),
  ] }));
  list.opener({ number: 1, nickname: "Ada" }).click();
  const [whom, ...more] = dialog().querySelectorAll("select");
  assert.deepEqual(more, [], "there is but one game");
  assert.deepEqual(whom.children.map((one) => one.value), ["2", "0"]);
  whom.value = "0";
  whom.closest("form").happen("submit");
  await settle();
  assert.deepEqual(done, [["pair", { players: [1, 0] }]]);
  assert.equal(dialog(), null);
});

test("where there are several games, one of them may be chosen", async () => {
  const { list, done } = people();
  const [duel] = event().games;
  list.show(event({ players: [player(1), player(2)],
    games: [duel, { ...duel, text: "line n=9", called: "Line", changes: ["up to 9"] }] }));
  list.opener({ number: 1, nickname: "Ada" }).click();
  const [, which] = dialog().querySelectorAll("select");
  assert.deepEqual(which.children.map((one) => one.textContent),
    ["Whichever comes next", "Number Duel", "Line, up to 9"]);
  which.value = "line n=9";
  which.closest("form").happen("submit");
  await settle();
  assert.deepEqual(done, [["pair", { players: [1, 2], game: "line n=9" }]]);
});

test("who plays cannot be paired, but their games can be given away", async () => {
  const { list, done } = people();
  list.show(event({ players: [player(1, { pairing: 9, opponent: 2 }), player(2)] }));
  list.opener({ number: 1, nickname: "Ada" }).click();
  assert.equal(dialog().querySelector("select"), null);
  press("Give the game to Player2");
  const [, sure] = document.querySelectorAll("dialog");
  sure.querySelector("#yes").click();
  await settle();
  assert.deepEqual(done, [["forfeit", { player: 1 }]]);
});

test("new digits are shown, and said one by one", async () => {
  const { list } = people();
  list.show(event({ players: [player(1, { nickname: "Ada" })] }));
  list.opener({ number: 1, nickname: "Ada" }).click();
  press("New four digits");
  await settle();
  assert.match(dialog().textContent, /New four digits for Ada: 0471/);
  assert.equal(text("announcer"), "New four digits for Ada: 0 4 7 1");
});

test("a computer has no digits", () => {
  const { list } = people();
  list.show(event({ players: [player(1, { kind: "easy" })] }));
  list.opener({ number: 1, nickname: "Ada" }).click();
  assert.ok(!dialog().textContent.includes("New four digits"));
});

test("what goes wrong is told in the dialog, and a second press on the way is none", async () => {
  let give;
  let asked = 0;
  const list = everybody(() => {
    asked += 1;
    return new Promise((_, fail) => (give = fail));
  });
  list.show(event({ players: [player(1)] }));
  list.opener({ number: 1, nickname: "Ada" }).click();
  press("New four digits");
  press("New four digits");
  assert.equal(asked, 1);
  give(new Error("The event is over."));
  await settle();
  assert.match(dialog().textContent, /The event is over\./);
  press("New four digits");
  assert.equal(asked, 2);
  assert.ok(!dialog().textContent.includes("The event is over."));
});

test("the dialog of somebody who has left closes", () => {
  const { list } = people();
  list.show(event({ players: [player(1)] }));
  list.opener({ number: 1, nickname: "Ada" }).click();
  list.show(event({ players: [] }));
  assert.equal(dialog(), null);
});

// -- asking for what is new ------------------------------------------------------------------

test("what is new is asked for once a number, and not too often", async () => {
  mock.method(Math, "random", () => 0);
  let loads = 0;
  const want = news(async () => { loads += 1; }, 3000);
  const wait = async (time) => {
    mock.timers.tick(time);
    await settle();
  };
  want(1);
  await wait(0);
  want(1);
  await wait(9000);
  assert.equal(loads, 1);
  want(2);
  await wait(0);
  want(3);
  want(4);
  await wait(2999);
  assert.equal(loads, 2);
  await wait(1);
  assert.equal(loads, 3);
  await wait(9000);
  assert.equal(loads, 3, "4 is known");
  mock.restoreAll();
});

test("what fails is asked for again, unless it is gone", async () => {
  mock.method(Math, "random", () => 1); // the longest pause: half as long again
  let status = 0;
  let loads = 0;
  const want = news(async () => {
    loads += 1;
    throw Object.assign(new Error(), { status });
  }, 1000);
  want(1);
  const wait = async (time) => {
    mock.timers.tick(time);
    await settle();
  };
  await wait(0);
  await wait(1499);
  assert.equal(loads, 1);
  await wait(1);
  assert.equal(loads, 2);
  for (const gone of [403, 404]) {
    status = gone;
    want(gone);
    loads = 0;
    await wait(1500);
    await wait(9000);
    assert.equal(loads, 1);
  }
  want(null);
  await wait(9000);
  assert.equal(loads, 1);
  mock.restoreAll();
});
