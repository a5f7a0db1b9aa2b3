// A game of an event, on its own page: which game of the match it is, the event's clock and the
// host's line. When the game is over, or was taken off the board, it tells where to go on.

import { byId, set, show, write } from "./dom.js";
import { get } from "./api.js";
import { clockText, EventChannel, eventPath, myself, nameOf, roundText } from "./event.js";
import { keep, recall } from "./keep.js";
import { announce, banner } from "./tell.js";

const LINE = 10; // seconds that a new line of the host stands above the board

export class EventGame {
  // changed(): something is to be shown anew.
  constructor(id, changed) {
    Object.assign(this, { id, changed, data: null, closed: "", told: "", out: false });
  }

  // What the page knows of the game; the first time, the event is looked for.
  show({ you, game }) {
    Object.assign(this, { seat: you, game });
    if (!game.event) return;
    if (game.outcome) this.closed = "";
    show(byId("event"), true);
    set(byId("main"), "data-event", this.data?.event.phase ?? "running");
    this.channel ??= new EventChannel(game.event, {
      message: (data) => this.take(data),
      tick: (left) => this.tick(left),
      state: () => {}, // the game itself has a connection, which tells how it is
    });
    byId("event-table").href = `/arena/${game.event}#table`;
    write(byId("event-game"), this.title());
    this.onward();
  }

  take(data) {
    const before = this.me;
    this.data = data;
    this.line(data.event);
    if (Boolean(before) !== Boolean(this.me)) this.leave(before);
    this.changed();
    if (this.open) this.hurry();
    else this.ask();
  }

  // What the host says. A new line that is cut stands above the board for a while.
  line({ phase, message }) {
    const node = byId("event-line");
    write(node, phase === "ended" ? "" : message);
    if (node.textContent === recall("line", "")) return;
    keep("line", node.textContent);
    if (node.scrollWidth > node.clientWidth) banner(message, LINE);
    else announce(node.textContent);
  }

  tick(left) {
    const { event } = this.data;
    const time = left === null ? roundText(event) : clockText(left);
    write(byId("event-clock"), event.phase === "paused" ? "Paused" : time);
  }

  // -- this game ------------------------------------------------------------------------------

  get me() {
    return this.data ? myself(this.data) : undefined;
  }

  get pairing() {
    return this.data?.event.pairings.find(({ legs }) => legs.some(({ id }) => id === this.id));
  }

  // Whether the event waits for the end of this game.
  get open() {
    return this.pairing?.legs.some(({ id, end }) => id === this.id && !end);
  }

  // "Game 1 of 2 with Bo"; the number is known until the match is over.
  title() {
    const { id, game, seat, pairing } = this;
    const legs = pairing?.legs ?? [];
    const number = legs.findIndex((leg) => leg.id === id) + 1;
    if (number && legs.length > 1) this.number = ` ${number} of ${legs.length}`;
    const who = seat ? ` with ${game.names[2 - seat]}` : `: ${game.names.join(" and ")}`;
    return `Game${this.number ?? ""}${who}`;
  }

  // Somebody was removed, or has gone on in another browser, and may come back to this one.
  leave(before) {
    this.out = Boolean(before);
    this.closed = before ? "You do not play here any more." : "";
  }

  // Who has come to the second game too soon goes to the first.
  hurry() {
    const { id, me } = this;
    if (me?.game && me.game !== id) location.replace(`/play/${me.game}`);
  }

  // Asks why the event does not wait for this game any more, if it has not ended.
  async ask() {
    if (this.game.outcome || !this.me || this.closed) return;
    const answer = await get(`${eventPath(this.game.event)}/me`).catch(() => null);
    const found = answer?.games.find(({ id }) => id === this.id);
    if (!found || this.game.outcome) return;
    this.closed = why(found, this.data.event);
    if (this.closed) announce(this.closed);
    this.changed();
  }

  // -- where to go on -------------------------------------------------------------------------

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

  // [what to press, where that leads, why there is no opponent]; null for who only watches.
  next() {
    const { id, me, data } = this;
    if (!data || !(this.seat || this.out)) return null;
    const { event } = data;
    const place = `/arena/${event.code}`;
    if (!me) return ["To the event", place, ""];
    if (event.phase === "ended") return ["See how you did", place, "The event is over."];
    if (!me.game) return ["To the waiting room", place, me.reason ?? ""];
    if (me.game === id) return ["Go on", place, ""]; // the event is about to hear of the end
    return [`Next game: ${nameOf(event, me.opponent)}`, `/play/${me.game}`, ""];
  }
}

function why({ end, won, opponent }, { phase }) {
  if (end === "forfeit") return `This game was given to ${won ? "you" : opponent}.`;
  if (end !== "cancelled") return "";
  return phase === "ended" ? "The event is over: no winner here." : "This game was called off.";
}
