// What an event adds to the page of one of its games: which game of the match it is, the clock, the
// host's message, and after the game, or if it was cancelled, where to go on.

import { isolated, byId, set, show, write } from "../common/dom.js";
import { get } from "../common/api.js";
import { EventChannel, eventPath, myself, nameOf, timeText } from "../class/event.js";
import { keep, recall } from "../common/storage.js";
import { announce } from "../common/notify.js";

const AGAIN = 4000; // milliseconds before something is asked again
const GONE = [403, 404]; // asking again would not help

export class EventGame {
  /** @type {number} */ round;
  /** @type {string | undefined} */ number;
  /** @type {EventChannel} */ channel;
  /** @type {() => void} */ changed;
  /** @type {Server.EventSnapshot} */ data;
  /** @type {string} */ id;
  /** @type {Server.Game} */ game;
  /** @type {Seat} */ seat;
  /** @type {string} */ closed;
  /** @type {string} */ told;
  /** @type {boolean} */ out;

  // changed() draws the page again.
  constructor(id, changed) {
    Object.assign(this, { id, changed, data: null, closed: "", told: "", out: false });
    this.asked = false; // whether what became of the game is known, or being asked
  }

  // Shows the game; the first time, connects to its event.
  /** @param {Shown} shown */
  show({ you, game }) {
    Object.assign(this, { seat: you, game });
    if (!game.event) return;
    if (game.outcome) this.closed = "";
    show(byId("event"), true);
    set(byId("main"), "data-event", this.data?.event.phase ?? "running");
    this.channel ??= new EventChannel(game.event, {
      message: (data) => this.take(data),
      tick: (left) => this.tick(left),
      state: () => {}, // the game's own connection shows its state
    });
    byId("event-table").href = `/arena/${game.event}#table`;
    write(byId("event-game"), this.title());
    this.onward();
  }

  /** @param {Server.EventSnapshot} data */
  take(data) {
    const before = this.me;
    this.data = data;
    this.line(data.event);
    if (Boolean(before) !== Boolean(this.me)) this.leave(before);
    this.changed();
    if (this.open) this.hurry();
    else if (!this.asked && this.unclear) this.ask();
  }

  // The host's message; a new one is announced.
  /** @param {Server.Event} event */
  line({ phase, message }) {
    const line = phase === "ended" ? "" : message;
    write(byId("event-line"), line);
    if (line === recall("line", "")) return;
    keep("line", line);
    announce(line);
  }

  tick(left) {
    const { event } = this.data;
    // The round of this game: the event may be at the next already.
    const time = timeText({ ...event, round: this.round }, left);
    write(byId("event-clock"), event.phase === "paused" ? "Paused" : time);
  }
  get me() {
    return this.data ? myself(this.data) : undefined;
  }

  get pairing() {
    return this.data?.event.pairings.find(({ legs }) => legs.some(({ id }) => id === this.id));
  }

  // Whether the match goes on, or may go on before that is known.
  get early() {
    return Boolean(this.game?.event) && (!this.data || Boolean(this.pairing));
  }

  // Whether the event waits for the end of this game.
  get open() {
    return this.pairing?.legs.some(({ id, end }) => id === this.id && !end);
  }

  // "Game 1 of 2 with Bo"
  title() {
    const { game, seat, pairing } = this;
    if (pairing) this.place(pairing.round, pairing.legs);
    const names = game.names.map(isolated);
    const who = seat ? ` with ${names[2 - seat]}` : `: ${names.join(" and ")}`;
    return `Game${this.number ?? ""}${who}`;
  }

  // Notes the round, and which game of its match this is.
  place(round, legs) {
    this.round = round;
    const number = legs.findIndex(({ id }) => id === this.id) + 1;
    if (number && legs.length > 1) this.number = ` ${number} of ${legs.length}`;
  }

  // The player was removed or moved to another browser, or has come back.
  /** @param {Server.PlayerNow} [before] */
  leave(before) {
    this.out = Boolean(before);
    this.closed = before ? "You are not playing here any more." : "";
    this.asked = this.out;
  }

  // Goes to the first game if the second was opened too soon.
  hurry() {
    const { id, me } = this;
    if (me?.game && me.game !== id) location.replace(`/play/${me.game}`);
  }

  // Whether it is still unclear what became of a game that the event no longer waits for.
  get unclear() {
    if (!this.game.outcome) return true;
    return Boolean(this.me && !this.pairing && !this.number && this.data.event.legs > 1);
  }

  // Asks what became of the game until there is an answer.
  async ask() {
    this.asked = true;
    try {
      const closed = await (this.me ? this.mine() : this.watched());
      if (this.out || this.game.outcome || !closed) return;
      this.closed = closed;
      announce(closed);
    } catch (error) {
      if (!GONE.includes(error.status)) setTimeout(() => this.ask(), AGAIN);
    } finally {
      this.changed();
    }
  }

  // Why the reader's game cannot go on; empty if it was finished.
  async mine() {
    const { games } = await get(`${eventPath(this.game.event ?? "")}/me`);
    const found = games.find(({ id }) => id === this.id);
    if (found) this.place(found.round, games.filter(({ pairing }) => pairing === found.pairing));
    return found ? why(found, this.data.event) : "";
  }

  // The same for a watcher. The event may know of the end before this page does.
  async watched() {
    const { game } = await get(`/api/games/${this.id}`);
    return game.outcome ? "" : off(this.data.event, "This game has been stopped.");
  }
  onward() {
    const [text, href, reason] = this.next() ?? [];
    show(byId("onward"), Boolean(text));
    write(byId("onward-text"), reason ?? "");
    if (!text) return;
    write(byId("onward"), text);
    byId("onward").href = href;
    if (this.told !== text && (this.game.outcome || this.closed)) announce(`${reason} ${text}.`);
    this.told = text;
  }

  // [text of the button, its address, why there is no opponent]; null for a watcher of an open
  // game.
  next() {
    const { id, me, data } = this;
    if (!data || !(this.seat || this.closed)) return null;
    const { event } = data;
    const place = `/arena/${event.code}`;
    if (!me) return ["Go to the event", place, ""];
    if (event.phase === "ended") return ["See how you did", place, "The event is over."];
    if (!me.game) return ["Go to the waiting room", place, me.reason ?? ""];
    if (me.game === id) return ["Continue", place, ""]; // the event does not know of the end yet
    return [`Next game: ${nameOf(event, me.opponent)}`, `/play/${me.game}`, ""];
  }
}

/**
 * @param {Server.OwnGame} game
 * @param {Server.Event} event
 */
function why({ end, won, opponent }, event) {
  if (end === "forfeit") return `This game was given to ${won ? "you" : isolated(opponent)}.`;
  return end === "cancelled" ? off(event, "This game was cancelled.") : "";
}

/** @param {Server.Event} event */
const off = ({ phase }, text) =>
  phase === "ended" ? "The event is over: nobody won this game." : text;
