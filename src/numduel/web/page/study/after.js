// Looking back at a game: earlier positions, and after the end the report and another try.

import { keepAccuracy } from "./carried.js";
import { Activity, Choices } from "./activity.js";
import { byId, focused, set, show, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { file, get, query } from "../common/api.js";
import { from, start } from "../common/start.js";
import { announce, attempt, banner, copy, fail } from "../common/notify.js";
import { report } from "./report.js";

const LOOKING = t("Looking at every move of the game…");

export class After {
  /** @type {Server.Game} */ game;
  /** @type {string} */ id;
  /** @type {() => void} */ known;
  /** @type {number} */ ply;
  /** @type {boolean} */ unaided;
  /** @type {(state: Server.Position | null, status?: string, ply?: number, open?: boolean,
   * advised?: string[]) => void} */
  look;
  /** @type {Map<string, Server.Position>} */ seen;
  /** @type {Server.Report | null} */ data;
  /** @type {Set<number>} */ hidden = new Set(); // the mistakes to try before all is told
  /** @type {Seat} */ reader;
  /** @type {Activity} */ mistakes;
  /** @type {Server.Scene | null} */ trying = null; // the mistake on the board, to be tried again

  // look(state, status, ply, open, advised) shows an earlier position, where a move can be made if it
  // is open, and marks the better one; look(null) shows the newest. known() is called when the report is there.
  constructor(id, look, known) {
    Object.assign(this, { id, look, known, seen: new Map() });
    this.choices = new Choices(byId("choices"), (action) => this.act(action));
    this.linked = Number(new URLSearchParams(location.search).get("move"));
    byId("share-game").addEventListener("click", ({ currentTarget }) =>
      copy(new URL(`/analyse?${query(this.game)}`, location.href).href, currentTarget),
    );
    byId("record").href = recordOf(id);
    byId("back").addEventListener("click", () => this.back());
    byId("to-end").addEventListener("click", () => this.back());
    byId("retry").addEventListener("click", () => this.retry(this.slip));
  }

  // ply: the earlier move on the board, if any. unaided: an event goes on, and mistakes
  // are tried after its end.
  /** @param {Shown & { ply: number | undefined, unaided: boolean }} shown */
  show({ you, game, ply, unaided }) {
    const over = Boolean(game.outcome);
    const before = this.unaided;
    Object.assign(this, { game, ply, unaided });
    if (unaided !== before) this.tell();
    this.reader = game.one_screen ? null : you;
    if (ply === undefined) this.trying = null;
    show(byId("after"), over);
    if (!over) this.shown = this.data = null;
    this.teach();
    if (!over) return;
    byId("analyse").href = `/analyse?${query(game)}`;
    if (this.shown !== game.text) this.load(game.text);
  }

  // -- the report -----------------------------------------------------------------------------

  async load(text) {
    this.shown = text;
    this.data = null;
    this.teach();
    const place = byId("report");
    write(place, LOOKING);
    const data = await attempt(() => get(`/api/v1/games/${this.id}/report`));
    if (!data) {
      this.shown = null;
      place.replaceChildren();
      return;
    }
    this.data = data;
    if (this.reader) keepAccuracy({ [this.id]: data.accuracy[this.reader - 1] });
    this.hidden = new Set(data.asked);
    this.tell();
    this.teach();
    this.known();
    // A link to a mistake leads to its move, or asks for a better one.
    if (this.hidden.has(this.linked)) this.ask(this.linked);
    else if (this.linked > 0) this.pick(this.linked);
    this.linked = 0;
  }

  // Shows the report, without the better moves that are still to be found.
  tell() {
    const { data, hidden } = this;
    if (!data) return;
    const act = {
      pick: (number) => this.pick(number),
      retry: (ply) => this.retry(ply),
      ...(!this.unaided && { ask: ({ number }) => this.ask(number) }),
      everything: () => this.reveal(data.asked),
    };
    byId("report").replaceChildren(...report(data, act, hidden));
  }

  // Tells about some mistakes from now on.
  /** @param {number[]} numbers */
  reveal(numbers) {
    const held = focused();
    const before = this.hidden.size;
    for (const number of numbers) this.hidden.delete(number);
    if (this.hidden.size === before) return;
    this.tell();
    this.teach();
    if (held && !held.isConnected) byId("after-title").focus({ preventScroll: true });
  }

  // The mistake or inaccuracy on the board, if any.
  get slip() {
    const { wrong, place } = /** @type {Record<string, any>} */ (this.mistakes?.state ?? {});
    const shown = this.told(this.ply) ? this.ply : 0;
    return this.data?.plies[(this.trying ? wrong[place].number : shown) - 1];
  }

  // What is said of a move: while there is something to find, only whose slip it was.
  told(number) {
    const { data, hidden } = this;
    const ply = data?.plies[number - 1];
    const open = !hidden.size || (data?.asked.includes(number) && !hidden.has(number));
    return (open ? ply?.told : ply?.headline) ?? "";
  }

  // Whether there is no mistake to try, or one is being tried: then only the report is left.
  get tried() {
    const { data, trying } = this;
    return Boolean(trying || (data && !data.asked.length));
  }

  // The words about the move on the board go above it, the buttons below. Advice waits for the end:
  // beside a mistake it would give the better move away.
  teach() {
    const { data, ply, reader, slip, trying } = this;
    write(byId("afterwards"), ply === undefined && data ? data.afterwards.join(" ") : "");
    const begin = reader ? t("Learn from my mistakes") : t("Learn from the mistakes");
    this.choices.show(trying);
    const helped = !this.unaided || this.tried;
    show(byId("learn"), Boolean(this.game.outcome) && helped && !trying?.choices.length);
    set(byId("learn"), "data-vacant", !data); // the report decides what it is for
    show(byId("analyse"), !this.unaided);
    write(byId("learn"), this.tried ? t("See the report") : begin);
    write(byId("told"), trying ? said(trying) : this.told(slip?.number));
    set(byId("told"), "data-long", !trying?.moves); // a task leaves room for which mistake it is
    write(byId("retry"), t("Try again from move {n}", { n: slip?.number ?? 0 }));
    show(byId("retry"), Boolean(slip) && !trying?.moves);
    set(byId("retry"), "class", `button retry ${trying?.choices.length ? "" : "strong"}`);
    show(byId("to-end"), Boolean(slip));
  }

  // Goes from one mistake to the next on the board, and in the end to the report.
  async learn() {
    if (this.tried) this.read();
    else await this.ask();
  }

  // Asks for a better move than a mistake, or than the first one.
  /** @param {number} [number] */
  async ask(number) {
    const { id, game, reader: seat } = this;
    banner(LOOKING);
    const blob = this.data && (await attempt(() => file(recordOf(id), "")));
    this.mistakes = new Activity("mistakes", () => ({}), { record: await blob?.text(), seat });
    const place = number ? String((this.data?.asked.indexOf(number) ?? 0) + 1) : "";
    const scene = blob && (await this.mistakes.act("begin", place));
    banner("");
    if (this.game.text === game.text) this.draw(scene);
  }

  read() {
    byId("after").scrollIntoView({ block: "start" });
    byId("after-title").focus({ preventScroll: true });
  }

  // An answer is ignored if the board shows something else by then.
  async act(action, given) {
    const { mistakes, trying } = this;
    if (mistakes.waiting) return;
    const scene = await mistakes.act(action, given);
    if (this.trying === trying) this.draw(scene);
  }

  /** @param {Server.Scene | null | undefined} scene */
  draw(scene) {
    if (!scene) return;
    const { told } = /** @type {{ told?: number[] }} */ (this.mistakes.state);
    this.reveal(told ?? []);
    const refusal = scene.said.find(({ kind }) => kind === "error");
    if (refusal) {
      fail(refusal.text);
    } else if (!scene.state) {
      this.read();
    } else {
      // The report has a button for everything, and the bar of a phone has no room for it.
      const choices = scene.choices.filter(({ action }) => action !== "everything");
      this.trying = { ...scene, choices };
      announce(`${scene.title}. ${said(scene)}`);
      const before = (this.slip?.number ?? 1) - 1;
      this.turn(scene.state, `${scene.title}.`, before, scene.moves, scene.advised);
    }
  }

  retry(ply) {
    const { game } = this;
    const level = game.players.find((kind) => kind !== "human") ?? "perfect";
    const moves = game.moves.slice(0, ply.number - 1).join(" ");
    const wish = { ...from(game, moves), opponent: level, seat: ply.seat };
    return attempt(() => start({ ...wish, forgiving: !game.strict }));
  }

  // -- earlier positions ----------------------------------------------------------------------

  async pick(ply) {
    const { game } = this;
    const newest = ply >= game.moves.length;
    if (newest && !this.told(ply)) {
      this.back();
      return;
    }
    const moves = game.moves.slice(0, ply).join(" ");
    const question = (this.asked = {});
    const state = await attempt(() => this.position(moves));
    // Another move was picked meanwhile, or these were taken back.
    if (this.asked !== question) return;
    if (!state || this.game.moves.slice(0, ply).join(" ") !== moves) {
      this.back();
      return;
    }
    const shown = ply ? t("The board shows move {n}.", { n: ply }) : t("The board shows the start.");
    const where = ply ? t("Looking at move {n}.", { n: ply }) : t("Looking at the start.");
    announce(`${shown} ${this.told(ply)}`);
    this.trying = null;
    this.turn({ ...state, names: game.names }, where, ply);
    if (byId("steps").contains(document.activeElement)) return;
    // Together with the words about it, and the buttons that lead further.
    for (const part of [document.querySelector(".players"), byId("steps")]) {
      part?.scrollIntoView({ block: "nearest" });
    }
  }

  // Shows a position; a focused button may go with that.
  /** @param {Parameters<After["look"]>} view */
  turn(...view) {
    const held = focused();
    this.look(...view);
    if (held?.closest("[hidden]")) byId("status").focus({ preventScroll: true });
  }

  // An earlier position never changes, so it is loaded once.
  async position(moves) {
    if (!this.seen.has(moves)) {
      this.seen.set(moves, await get(`/api/v1/position?${query(this.game, moves)}`));
    }
    return this.seen.get(moves);
  }

  back() {
    this.asked = null;
    this.turn(null);
  }
}

// The task, or what was said about the last try.
/** @param {Server.Scene} scene */
const said = ({ goal, moves, said: all }) =>
  all.filter(({ kind }) => moves || kind !== "note").map(({ text }) => text).join(" ") || goal;

const recordOf = (id) => `/api/v1/games/${id}/record`;
