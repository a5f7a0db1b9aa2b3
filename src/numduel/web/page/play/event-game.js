// What an event adds to the page of one of its games: the clocks, the host's message, pauses and reminders, and after the game, or if it was cancelled, where to go on.

import { isolated, byId, set, show, write } from "../common/dom.js";
import { get } from "../common/api.js";
import { both, N_, t } from "../common/language.js";
import {
  clockText, EventChannel, eventPath, myself, nameOf, player, timeText,
} from "../class/event.js";
import { nudges } from "../class/nudges.js";
import { hostsVeil } from "../class/veil.js";
import { announce, clear } from "../common/notify.js";

const AGAIN = 4000; // milliseconds before something is asked again
const GONE = [403, 404, 410]; // asking again would not help
const LAST = 10; // the last seconds of a clock, in another colour

export class EventGame {
  /** @type {number} */ round;
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
    this.veil = hostsVeil();
    this.nudge = nudges();
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
    this.remind();
    if (this.data) this.time();
  }

  /** @param {Server.EventSnapshot} data */
  take(data) {
    const before = this.me;
    this.data = data;
    this.line(data.event);
    if (Boolean(before) !== Boolean(this.me)) this.leave(before);
    this.changed();
    if (!this.pairing && !this.asked && !this.game.outcome) this.ask();
  }

  // The host's message and pauses.
  /** @param {Server.Event} event */
  line(event) {
    write(byId("event-line"), event.phase === "ended" ? "" : event.message);
    this.veil(event, Boolean(this.me && this.seat));
  }

  // The host's reminder, while it is the player's turn, or while they are waited for in another game.
  remind() {
    const { id, game, seat, me, data, channel } = this;
    const turn = Boolean(seat) && game.to_move === seat && !this.closed;
    const elsewhere = me?.game && me.game !== id;
    const name = elsewhere ? nameOf(data.event, me.opponent) : game.names[2 - (seat ?? 1)];
    this.nudge(turn || elsewhere ? me : undefined, channel?.now, name, id);
  }

  tick(left) {
    const { event } = this.data;
    // The round of this game: the event may be at the next already.
    const time = timeText({ ...event, round: this.round }, left);
    write(byId("event-clock"), event.phase === "paused" ? t("Paused") : time);
    this.time();
  }

  // How long the players of this game have, and how long the one who is away.
  time() {
    const { game, me, channel, seat } = this;
    const { event } = this.data;
    const other = me && player(event, me.opponent);
    const back = game.outcome || this.closed || me?.game !== this.id ? null : other?.forfeits_at;
    const left = clockText(Math.max(0, (back ?? 0) - channel.now));
    const gone = back && t("Yours in {time}: {name} is away",
      { time: left, name: isolated(other?.nickname ?? "") });
    const running = game.outcome || this.closed ? "" : this.timeLeft();
    write(byId("turn-clock"), gone || running);
    const mine = game.to_move === seat && game.clock && this.left(game.to_move) <= LAST;
    set(byId("turn-clock"), "data-last", Boolean(mine && running));
  }

  // The seconds that a seat has left.
  left(seat) {
    const { left: [...left], ends } = this.game.clock ?? { left: [0, 0], ends: null };
    const had = left[seat - 1];
    if (ends === null || seat !== this.game.to_move) return had;
    return Math.max(0, Math.min(had, ends - this.channel.now));
  }

  // "Your move: 0:24", or "You 4:10 · They 3:55"; empty without a clock. Players read no name: a
  // long one would leave no room for the time on a phone.
  timeLeft() {
    const { game, seat } = this;
    if (!game.clock || !game.to_move) return "";
    const told = (one, mine, theirs, others) => t(seat ? (one === seat ? mine : theirs) : others,
      { time: clockText(this.left(one)), name: isolated(game.names[one - 1]) });
    if (this.data.event.game_minutes) {
      const time = (one) => told(one, N_("You {time}"), N_("They {time}"), N_("{name} {time}"));
      return [1, 2].map(time).join(" · ");
    }
    if (game.players[game.to_move - 1] !== "human") return "";
    return told(game.to_move, N_("Your move: {time}"), N_("Their move: {time}"),
      N_("{name}’s move: {time}"));
  }

  get me() {
    return this.data ? myself(this.data) : undefined;
  }

  get pairing() {
    return this.data?.event.pairings.find(({ id }) => id === this.id);
  }

  // Whether the reader plays in an event that goes on, and so gets no help with its games.
  get unaided() {
    return Boolean(this.me) && this.data.event.phase !== "ended";
  }

  // "Game with Bo"
  title() {
    const { game, seat, pairing } = this;
    if (pairing) this.round = pairing.round;
    const names = game.names.map(isolated);
    return seat ? t("Game with {name}", { name: names[2 - seat] })
      : t("Game: {name}", { name: both(names) });
  }

  // The player was removed or moved to another browser, or has come back.
  /** @param {Server.PlayerNow} [before] */
  leave(before) {
    this.out = Boolean(before);
    this.closed = before ? t("You are not playing here any more.") : "";
    this.asked = this.out;
  }

  // Asks what became of the game until there is an answer.
  async ask() {
    this.asked = true;
    try {
      const closed = await (this.me ? this.mine() : this.watched());
      if (this.out || this.game.outcome || !closed) return;
      this.closed = closed;
      clear(); // what was wrong before does not matter any more
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
    if (found) this.round = found.round;
    return found ? why(found, this.data.event) : "";
  }

  // The same for a watcher. The event may know of the end before this page does.
  async watched() {
    const { game } = await get(`/api/v1/games/${this.id}`);
    return game.outcome ? "" : off(this.data.event, t("This game has been stopped."));
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
    if (!me) return [t("Go to the event"), place, ""];
    if (event.phase === "ended") return [t("See how you did"), place, t("The event is over.")];
    if (!me.game) return [t("Go to the waiting room"), place, me.reason ?? ""];
    if (me.game === id) return [t("Continue"), place, ""]; // the event does not know of the end yet
    const name = nameOf(event, me.opponent);
    return [t("Next game: {name}", { name }), `/play/${me.game}`, ""];
  }
}

/**
 * @param {Server.OwnGame} game
 * @param {Server.Event} event
 */
function why({ end, won, opponent }, event) {
  const name = isolated(opponent);
  if (end === "time") {
    return won ? t("{name} ran out of time: you win this game.", { name })
      : t("Your time ran out, so {name} wins this game.", { name });
  }
  if (end === "forfeit") {
    return won ? t("This game was given to you.") : t("This game was given to {name}.", { name });
  }
  return end === "cancelled" ? off(event, t("This game was cancelled.")) : "";
}

/** @param {Server.Event} event */
const off = ({ phase }, text) =>
  phase === "ended" ? t("The event is over: nobody won this game.") : text;
