// The page of a live game: everything on it follows from the server's last message.

import { arrive, byId, capital, set, show, write } from "../common/dom.js";
import { get, post, query } from "../common/api.js";
import { nameText, t } from "../common/language.js";
import { After } from "../study/after.js";
import { confirm } from "../common/dialog.js";
import { seatRequests } from "./seat-requests.js";
import { Board } from "../board/board.js";
import { drawer } from "./drawer.js";
import { celebrate, playNext, showEnd, verdict } from "./end.js";
import { EventGame } from "./event-game.js";
import { forcedMoves } from "./forced.js";
import { forget, remember } from "../common/storage.js";
import { renew } from "../common/key.js";
import { invitation } from "./invite.js";
import { Live } from "../common/live.js";
import { moveList } from "./moves.js";
import { seatOffer } from "./offer.js";
import { takeTurns } from "../common/start.js";
import { giveSignal, signalOn } from "../common/signals.js";
import { chat } from "./chat.js";
import { announce, attempt, banner, clear, connection, fail } from "../common/notify.js";

const id = location.pathname.split("/")[2];
const path = `/api/v1/games/${id}`;

/** @type {Seat} */
let you = /** @type {any} */ (null);
/** @type {Server.Game} */
let game = /** @type {any} */ (null);
/** @type {{ state: Server.Position, status: string, ply: number, open?: boolean } | null} */
let past = null; // the earlier position on the board, if any
let busy = false; // a move is being sent
/** @type {string | null} */
let shownValues = null; // the position whose values are shown
/** @type {string | null} */
let nudged = null; // the position whose first hint is shown
/** @type {string | null} */
let answeredHint = null; // the position whose move is shown
let resting = false; // a hint has just been asked for: a double press counts once

const board = new Board(byId("board"), press);
const showMoves = moveList(byId("moves"), (ply) => after.pick(ply), byId("steps"));
const showChat = chat(path, () => signalOn("mute"));
const invite = invitation(id, (answer) => {
  answered(answer);
  live.again(); // so far it was a watcher's connection
});
const showOffer = seatOffer(id, answered);
const showRequests = seatRequests(id, answered, () => live.again());
const showForced = forcedMoves(async (move) => {
  const { card, text } = game;
  if (busy || byId("hint-lines").textContent || document.querySelector("dialog[open]")) return;
  await send("moves", { move }, true);
  if (game.text === text || game.outcome) return;
  banner(t("The {card} fitted at neither end, so it was discarded for you.", { card: card ?? "" }), 6);
});
const match = new EventGame(id, () => game && render());
const after = new After(id, (state, status, ply, open, advised = []) => {
  past = state && { state, status, ply, open };
  render();
  if (past) board.advise(advised);
}, () => render());

// -- messages --------------------------------------------------------------------------------

// The computer's answer is shown this long after the move that it answers.
const PAUSE = 500; // milliseconds
let shown = 0; // when the newest move on the board was shown
/** @type {Server.Snapshot | null} */
let held = null; // the newest message, if its answer comes too soon
let holding;

/** @param {Server.Snapshot} data */
function receive(data) {
  if (!early(data)) take(data);
  else if (!held || data.game.number >= held.game.number) {
    held = data;
    hold(busy ? performance.now() : shown);
  }
}

// Whether a message has an answer of the computer that comes too soon. It may even overtake the
// acknowledgement of the player's move.
/** @param {Server.Snapshot} data */
function early(data) {
  const more = game ? data.game.moves.length - game.moves.length : 0;
  if (more <= 0 || game.outcome) return false;
  if (computer(game.to_move)) return performance.now() < shown + PAUSE;
  return busy && more > 1 && game.players.some((kind) => kind !== "human");
}

function hold(since) {
  clearTimeout(holding);
  holding = setTimeout(() => held && take(held), since + PAUSE - performance.now());
}

// Takes the server's answer to a request. Presence has no number, and the live channel may know it
// better.
/** @param {Server.Snapshot} data */
function answered(data) {
  if (game && data.game.number === game.number) data.game.present = game.present;
  take(data);
}

/** @param {Server.Snapshot} data */
function take(data) {
  // Answers and messages may overtake each other; an older one is ignored.
  if (game && data.game.number < game.number) return;
  const before = game;
  if (held && held.game.number <= data.game.number) held = null;
  ({ you, game } = data);
  game.names = game.names.map(nameText);
  if (game.outcome && you && !game.one_screen) game.outcome.reason = game.outcome.reasons[you];
  if (before && before.number !== game.number) {
    if (before.text !== game.text) {
      fail("");
      write(byId("hint-lines"), "");
      nudged = null;
    }
    const helped = before.text === game.text && before.help.length < game.help.length;
    if (!helped) announce(news(before)); // a hint speaks for itself
  }
  if (before?.text !== game.text) {
    shown = performance.now();
    if (held) hold(shown);
  }
  if (past && !lasting(before, past)) past = null;
  if (before && before.text + before.seats !== game.text + game.seats) settle();
  // A question takes the place of other messages.
  if (you && game.undo && game.undo !== you && game.undo !== before?.undo) clear();
  if (you && before?.undo === you && !game.undo && before.text === game.text) {
    banner(t("{name} did not let you take back the move.", { name: game.names[2 - you] }), 6);
  }
  if (game.outcome && !before?.outcome) banner(""); // nothing older hides the end
  // Nobody misses a game without a move.
  if (you && !game.outcome && (game.moves.length || apart())) remember(id);
  if (game.outcome) forget(id);
  takeTurns({ you, game });
  live.presence = Boolean(you && game.event);
  render();
  if (before && game.moves.length > before.moves.length) signal();
  if (before && game.outcome && !before.outcome) celebrate({ you, game });
  follow(before);
}

// Whether the earlier position on the board still belongs to the game. When the game ends, the
// board shows the end.
/** @param {Server.Game} before */
function lasting(before, { ply }) {
  const start = ({ moves }) => moves.slice(0, ply).join(" ");
  if (game.outcome) return Boolean(before.outcome);
  return ply < game.moves.length && start(before) === start(game);
}

function signal() {
  const lost = you && !game.one_screen && game.outcome && game.outcome.winner !== you;
  if (game.outcome) giveSignal(lost ? "lost" : "won", `${game.status} ${game.outcome.reason}`);
  else giveSignal(turn() && !game.one_screen ? "turn" : "move", statusText());
}

// What happened, for screen readers: "Player 2 took 18. Your turn."
/** @param {Server.Game} before */
function news(before) {
  const parts = [];
  if (game.moves.length < before.moves.length) parts.push(t("Moves were taken back."));
  else if (game.moves.length > before.moves.length) {
    const last = game.cells.find((cell) => cell.state === "last");
    parts.push(last?.owner ? t("{name} took {number}.",
      { name: game.names[last.owner - 1], number: last.label }) : `${game.said}.`);
  }
  if (game.undo && game.undo !== before.undo) parts.push(undoText());
  if (game.seats.join() !== before.seats.join()) parts.push(t("The other player is here."));
  if (game.estimated && !before.estimated) parts.push(byId("estimated").textContent);
  parts.push(statusText(), game.outcome?.reason ?? "");
  return parts.filter(Boolean).join(" ");
}

const DOUBLE = 500; // milliseconds within which a second press belongs to the first

// A press within this time of a change was meant for what was there before, and is ignored.
const SETTLE = 300; // milliseconds
let settling;
function settle() {
  clearTimeout(settling);
  set(byId("table"), "data-settling", true);
  settling = setTimeout(() => set(byId("table"), "data-settling", null), SETTLE);
}

const settled = () => !byId("table").hasAttribute("data-settling");

// Goes to a rematch that both players want; the same request gives this browser its seat.
/** @param {Server.Game} before */
async function follow(before) {
  const next = game.rematch.game;
  if (!next || !you || !before || before.rematch.game) return;
  if (before.rematch.offered !== you) return;
  await attempt(rematch);
}

// -- drawing ---------------------------------------------------------------------------------

const computer = (seat) => game.players[seat - 1] !== "human";
const waiting = () => game.seats.includes(false);
const turn = () =>
  Boolean(you) && !match.closed && game.to_move !== null &&
  (game.one_screen || game.to_move === you);
const apart = () => game.two_people && !game.one_screen;
/** @param {Server.Game} one */
const laidAside = (one) => ({ ...one, to_move: null, said: "", goals: one.goals.map(() => "") });
const alone = () => apart() || Boolean(game.event); // nobody helps

function statusText() {
  if (game.outcome) return verdict({ you, game });
  if (match.closed) return match.closed;
  if (waiting() && !turn()) return expected();
  const mover = /** @type {number} */ (game.to_move);
  const name = game.names[mover - 1];
  if (computer(mover)) return t("{name} is thinking…", { name });
  if (!turn()) return away(mover) ? t("Waiting for {name} to come back.", { name }) : game.status;
  return game.one_screen ? t("{name}, your turn.", { name }) : t("Your turn.");
}

// What a game with a free seat waits for.
function expected() {
  if (you) return t("Waiting for the other player to join.");
  const name = game.names[game.seats.indexOf(true)];
  return invite.secret() ? t("{name} invites you to play.", { name })
    : t("Waiting for a second player.");
}

// Without a connection, nobody knows whether the opponent is there.
const away = (seat) => apart() && !lost && !game.present[seat - 1];

function undoText() {
  if (!game.undo) return "";
  if (game.undo === you) return t("You asked to take back a move. Waiting for an answer.");
  const name = shortened(game.names[game.undo - 1]);
  return t("{name} asks to take back the last move.", { name });
}

// A name that leaves room for the rest of the sentence on a phone.
const shortened = (name) => (name.length > 18 ? `${name.slice(0, 17)}…` : name);

function notes(seat) {
  const score = game.score.some(Boolean) ? [`${game.score[seat - 1]} won`] : [];
  return [...(game.one_screen ? [] : presence(seat)), ...score];
}

function presence(seat) {
  if (computer(seat)) return [game.players[seat - 1]];
  if (lost) return seat === you ? ["offline"] : [];
  if (!game.two_people) return []; // a single player knows that they are here
  if (!game.seats[seat - 1]) return ["not here yet"];
  return [away(seat) ? "away" : "here"];
}

// In a rematch the other player starts, from the same seat as before.
function again() {
  if (!game.score.some(Boolean)) return "";
  const mine = game.first === you && !game.one_screen;
  return mine ? t("You begin this time.")
    : t("{name} begins this time.", { name: game.names[game.first - 1] });
}

// Before the first message there is nothing to show; from now on messages have their place.
function begin() {
  if (!byId("table").hidden) return;
  board.lines.append(...["messages", "event-line", "onward-text", "afterwards"].map(byId));
  board.lines.after(byId("advice"));
  byId("settings-title").after(board.moves.root);
  byId("hint").after(board.moves.ask);
  board.choices.root.before(byId("steps")); // above what grows
  arrive();
  show(byId("table"), true);
}

function render() {
  const state = past?.state ?? (match.closed ? laidAside(game) : game);
  begin();
  match.show({ you, game }); // before the board, which finds its place below
  write(byId("title"), game.called);
  write(byId("variant"), capital(game.changes.join(", ")));
  const mine = document.hidden && turn();
  const title = mine ? t("● Your turn: {game}", { game: game.called }) : game.called;
  document.title = `${title} | numduel`;
  const thinking = !past && state.to_move !== null && computer(state.to_move);
  const now = turn() ? statusText() : "";
  board.show(state, {
    open: past ? past.open ?? false : turn() && !busy,
    status: past ? `${past.status} ${now}`.trim() : statusText(),
    you: game.one_screen ? null : you,
    notes: [1, 2].map(notes),
    busy: thinking,
    past: Boolean(past && past.open === undefined),
    choose: !game.outcome,
    said: again(),
  });
  showMoves(game.spoken, past ? past.ply : game.moves.length, game.movers);
  after.show({ you, game, ply: past?.ply, unaided: match.unaided });
  show(byId("back"), Boolean(past && !after.slip));
  show(byId("no-moves"), game.moves.length === 0);
  show(byId("estimated"), game.estimated);
  invite.show({ you, game });
  showOffer({ you, game });
  showRequests({ you, game, secret: invite.secret() });
  drawer(game);
  showChat({ you, game });
  showEnd({ you, game, learning: Boolean(after.slip), closed: match.closed });
  controls();
  values();
  showForced({ deck: game.deck, move: turn() && !past ? game.forced : null, place: game.text });
}

function controls() {
  const over = Boolean(game.outcome || match.closed);
  // Switched off, not hidden: a button that vanishes takes the focus with it.
  const able = (button, can) => set(byId(button), "aria-disabled", can ? null : "true");
  const focused = byId("actions").contains(document.activeElement);
  show(byId("actions"), Boolean(you) && !over);
  if (over && focused) byId(game.event ? "onward" : "rematch").focus({ preventScroll: true });
  show(byId("undo"), !game.event);
  show(byId("hint"), !alone());
  show(byId("values-row"), !alone());
  able("undo", you && game.undoable[you - 1] && game.undo === null && !waiting());
  able("hint", turn() && !past && !resting && answeredHint !== game.text);
  const next = nudged === game.text && answeredHint !== game.text;
  write(byId("hint"), next ? t("Show a move") : t("Hint"));
  const asked = Boolean(you && !over && game.undo);
  write(byId("undo-text"), asked ? undoText() : "");
  show(byId("accept"), asked && game.undo !== you);
  show(byId("refuse"), asked && game.undo !== you);
}

// Shows the values of the moves on the board, if the reader wants them.
async function values() {
  const chooses = past ? past.state.legal.length > 0 : turn();
  byId("values").disabled = Boolean(past) && !chooses;
  const on = byId("values").checked && !alone() && !game.outcome && chooses;
  const wanted = on ? (past?.state ?? game).text : null;
  if (wanted === shownValues) return;
  shownValues = wanted;
  board.values(null);
  const place = past ? `/api/v1/values?${query(past.state)}` : `${path}/values`;
  const answer = on && (await attempt(() => get(place)));
  if (answer && shownValues === wanted) board.values(answer);
}

// -- actions ---------------------------------------------------------------------------------

// forced: nobody has asked for it, and it does not matter who does it: perhaps another tab was faster.
async function send(action, body = {}, forced = false) {
  if (held) take(held); // act on the newest position
  busy = true;
  render();
  try {
    const doing = () => post(`${path}/${action}`, { ...body, after: game.number });
    answered(await crossing(doing, action === "resign" || body.say === "ask"));
    fail("");
  } catch (error) {
    if (forced && error.status === 409) return;
    const lead = error.status === 0 ? t("That did not get through.") : "";
    fail(`${lead} ${error.message}`.trim(), error);
  } finally {
    busy = false;
    render();
  }
}

// Repeats an action if something else happened meanwhile but the board is the same: the friend has
// just come, say. Resigning or taking back a move is repeated on any board.
async function crossing(doing, anyway) {
  try {
    return await doing();
  } catch (error) {
    if (error.status !== 409) throw error;
    const { text } = game;
    answered(await get(path));
    if (game.text !== text && !anyway) throw error;
    return doing();
  }
}

async function press(move, legal) {
  if (busy || !settled()) return;
  if (past?.open) await after.act("move", move);
  else if (past) fail(t("This is an earlier position."));
  else if (game.outcome) fail(t("The game is over."));
  else if (match.closed) fail(match.closed);
  else if (!you) fail(t("You are only watching this game."));
  else if (!turn()) fail(statusText());
  else if (legal || (await insisted(move))) await send("moves", { move });
}

// Says why a move breaks a rule; true if it is to be made all the same, which loses a strict game.
async function insisted(move) {
  const { text } = game;
  busy = true; // one question at a time
  const question = `/api/v1/why?${query(game)}&${new URLSearchParams({ move })}`;
  const answer = await attempt(() => get(question)).finally(() => (busy = false));
  if (!answer?.why || game.text !== text) return false;
  if (!game.strict) fail(answer.why);
  return game.strict && sure(risk(answer.why));
}

// Whether a question was answered with yes before the game moved on.
async function sure(question) {
  const { text } = game;
  const yes = await question;
  if (yes && game.text !== text) fail(t("The game has moved on."));
  return yes && game.text === text;
}

const risk = (why) => confirm(`${why} ${t("By the rulebook this loses the game.")}`,
  t("Play anyway"), t("Go back"));

async function rematch() {
  const answer = await post(`${path}/rematch`);
  const next = answer.game.rematch.game;
  if (next) location.assign(`/play/${next}`);
  else answered(answer);
}

function on(button, action) {
  byId(button).addEventListener("click", ({ currentTarget }) => {
    if (game && !busy && settled() && !currentTarget.hasAttribute("aria-disabled")) action();
  });
}

on("undo", () => send("undo", { say: "ask" }));
on("accept", () => send("undo", { say: "accept" }));
on("refuse", () => send("undo", { say: "refuse" }));
on("rematch", () => attempt(rematch));
on("next", () => attempt(() => playNext({ you, game })));
on("learn", () => after.learn());
on("resign", async () => {
  const question = game.one_screen && game.to_move
    ? t("{name}, do you want to give up this game?", { name: game.names[game.to_move - 1] })
    : t("Do you want to give up this game?");
  const yes = await confirm(question, t("Resign"), t("Play on"));
  if (yes && !game.outcome) await send("resign");
});
// First the idea; pressed again in the same position, the move and why.
on("hint", async () => {
  const { text } = game;
  if (!lost) banner(""); // nothing older hides the hint
  write(byId("hint-lines"), t("Thinking…"));
  resting = true;
  controls();
  const answer = await attempt(() => get(`${path}/hint`));
  setTimeout(() => {
    resting = false;
    controls();
  }, DOUBLE);
  if (game.text !== text) return;
  const told = nudged === text ? answer?.lines.join(" ") : answer?.nudge;
  write(byId("hint-lines"), told ?? "");
  set(byId("hint-lines"), "data-long", nudged === text);
  if (answer?.move && nudged === text) board.advise([answer.move]);
  byId("hint-lines").scrollIntoView({ block: "nearest" }); // on a low screen it may be out of view
  if (answer && nudged === text) answeredHint = text;
  nudged = answer ? text : null;
  controls();
});
byId("values").addEventListener("change", () => {
  if (!game) return;
  values();
  // On a phone the board is far above.
  if (byId("values").checked) document.querySelector(".players")?.scrollIntoView({ block: "nearest" });
});
addEventListener("visibilitychange", () => game && render());

// -- the connection --------------------------------------------------------------------------

let lost = false;
const tell = connection(t("There is no such game. It may have been removed."));
function connected(state, why = "") {
  tell(state, why);
  if (state === "gone" && !why) forget(id);
  else lost = state === "lost";
  if (game) render();
}

// The page never gets shorter: that would move the board under the finger of a player who scrolled.
function keepHeight() {
  const main = byId("main");
  let width = innerWidth;
  const keep = () => (main.style.minHeight = `${main.offsetHeight}px`);
  new ResizeObserver(keep).observe(main);
  addEventListener("resize", () => {
    if (width === innerWidth) return;
    width = innerWidth;
    main.style.minHeight = "";
    keep();
  });
}

keepHeight();
const seated = await renew(id).catch(() => null);
const live = new Live(path, receive, connected);
if (seated) receive(seated);
