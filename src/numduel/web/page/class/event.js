// What all pages of an event share: its live channel, the server's clock and a few words.

import { isolated } from "../common/dom.js";
import { nameText, number, percent, plural, t } from "../common/language.js";
import { Live } from "../common/live.js";
import { connection } from "../common/notify.js";

const DELETED = t("There is no such event. It may have been deleted.");
const TICK = 250; // milliseconds

export const COMPUTER = 0; // the computer that plays a player left over

/** @param {string} code @returns {`/api/v1/events/${string}`} */
export const eventPath = (code) => `/api/v1/events/${code}`;

// The code in an address such as /arena/K7M4QX/wall, or an empty text.
export const addressed = () => location.pathname.split("/")[2] ?? "";

export class EventChannel {
  /** @type {Server.EventSnapshot} */ data;
  /** @type {(data: Server.EventSnapshot) => void} */ message;
  /** @type {(left: number | null) => void} */ tick;
  /** @type {number} */ ahead;

  // message({you, now, event}) gets every change in order; tick(left) the seconds left, or null
  // where there is no clock; state("open" | "lost" | "gone") the connection, which is otherwise
  // shown in #banner and #error.
  /**
   * @param {string} code
   * @param {{
   *   message: EventChannel["message"],
   *   tick?: EventChannel["tick"],
   *   state?: Live["state"],
   * }} told
   */
  constructor(code, { message, tick = () => {}, state = connection(DELETED) }) {
    Object.assign(this, { message, tick, data: null, ahead: 0 });
    this.live = new Live(eventPath(code), (data) => this.take(data), state);
    setInterval(() => this.data && tick(this.left), TICK);
  }

  // Takes a message of the server, or its answer to a request of this page.
  /** @param {Server.EventSnapshot} data */
  take(data) {
    // Answers and messages may overtake each other; an older one is ignored.
    if (this.data && data.event.number < this.data.event.number) return;
    this.data = { ...data, event: withOwnRow(data) };
    this.ahead = data.now - Date.now() / 1000;
    this.message(this.data);
    this.tick(this.left);
  }

  // The server's clock, in seconds.
  get now() {
    return Date.now() / 1000 + this.ahead;
  }

  // The seconds left; null where there is no clock.
  get left() {
    const { ends, remaining } = this.data.event.clock;
    return ends === null ? remaining : Math.max(0, ends - this.now);
  }
}
// The event with the reader's own row of the table, which may be sent only to them.
/** @param {Server.EventSnapshot} data */
const withOwnRow = ({ own, event }) => !own ? event : {
  ...event, players: event.players.map((one) => (one.number === own.number ? { ...one, ...own } : one)),
};

// A player of the table; undefined for the computer and for players who have left.
/**
 * @param {Server.Event} event
 * @param {number | null} [number]
 */
export const player = (event, number) => event.players.find((one) => one.number === number);

// Whether everybody, not only the host, is shown a player's place.
/** @param {Server.Event} event @param {Server.Standing} one */
export const isPublic = ({ table }, { number }) => table.includes(number);

// The reader's player, if they take part.
/** @param {Server.EventSnapshot} data */
export const myself = ({ you, event }) => (you === null ? undefined : player(event, you));

/** @param {Server.Event} event */
export const nameOf = (event, number) =>
  number === COMPUTER
    ? nameText(`Computer (${event.level})`)
    : isolated(player(event, number)?.nickname ?? t("somebody who has left"));

// Seconds as on a clock: "19:59", "1:00:00".
export function clockText(seconds) {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [whole / 3600, (whole / 60) % 60, whole % 60].map(Math.trunc);
  const two = (part) => String(part).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

// "Arena, 20 minutes", "Swiss, 5 rounds", "Round robin".
/** @param {Server.Event} event */
export function formatText({ format, minutes, rounds }) {
  if (format === "arena") return plural("Arena, {n} minute", "Arena, {n} minutes", minutes);
  return format === "swiss" ? plural("Swiss, {n} round", "Swiss, {n} rounds", rounds)
    : t("Round robin");
}

// "Arena, 20 minutes · Forgiving · 30 seconds a move"
/** @param {Server.Event} event */
export const settingsText = (event) =>
  [
    formatText(event),
    event.forgiving && t("Forgiving"),
    event.move_seconds && plural("{n} second a move", "{n} seconds a move", event.move_seconds),
    event.game_minutes && plural("{n} minute a game", "{n} minutes a game", event.game_minutes),
  ].filter(Boolean).join(" · ");

// "Round 2 of 5", where there are rounds.
/** @param {Pick<Server.Event, "round" | "rounds" | "phase">} event */
export const roundText = ({ round, rounds, phase }) =>
  round && phase !== "ended" ? t("Round {round} of {rounds}", { round, rounds }) : "";

// The time left, or the round where there is no clock.
/** @param {Pick<Server.Event, "round" | "rounds" | "phase">} event @param {number | null} left */
export const timeText = (event, left) => (left === null ? roundText(event) : clockText(left));

// "● Blue 12 : 9 Orange ◆", and at the end who has won; empty where there are no teams.
/** @param {Server.Event} event */
export function teamsText({ teams: [one, two], phase }) {
  if (!one) return "";
  if (phase !== "ended") {
    return `${one.mark} ${one.name} ${one.points} : ${two.points} ${two.name} ${two.mark}`;
  }
  if (one.points === two.points) {
    return plural("Both teams have {n} point.", "Both teams have {n} points.", one.points);
  }
  const [best, rest] = one.points > two.points ? [one, two] : [two, one];
  return t("{mark} Team {name} wins, {points} to {others}.",
    { mark: best.mark, name: best.name, points: best.points, others: rest.points });
}

// The team of a player: "● Blue"; empty where there are no teams.
/** @param {Server.Event} event @param {Server.Standing} one */
export const teamOf = ({ teams }, one) =>
  teams.filter(({ number }) => number === one.team).map(({ mark, name }) => `${mark} ${name}`)[0]
    ?? "";

// "Juniper Green (up to 30), Sequence Duel"
/** @param {Server.Event} event */
export const gamesText = ({ games }) =>
  games
    .map(({ called, changes }) => (changes.length ? `${called} (${changes.join(", ")})` : called))
    .join(", ");

// How many of the moves mattered, which says what "mattered" means; empty where nobody counted.
/** @param {{choices: number, moves: number}} counted */
export const riskText = ({ choices, moves }) =>
  moves && choices <= moves ? plural("In {choices} of {n} move something could go wrong.",
    "In {choices} of {n} moves something could go wrong.", moves, { choices }) : "";

// The share of choices that mattered and gave nothing away, "92 %"; a dash before the first.
/** @param {Pick<Server.Standing, "accuracy">} standing */
export const accuracyText = ({ accuracy }) =>
  accuracy === null ? "–" : percent(accuracy);

/** @param {Server.Standing} standing */
export const speedText = ({ seconds_per_move: seconds }) =>
  seconds === null ? "–" : `${number(seconds, 1)} s`;
