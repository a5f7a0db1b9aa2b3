// Looking back: any earlier position on the board, and after the end the report and another try.

import { byId, focused, show, write } from "../common/dom.js";
import { get, query } from "../common/api.js";
import { from, start } from "../common/start.js";
import { announce, attempt, banner, copy } from "../common/notify.js";
import { report } from "./report.js";

const WAIT = "What there is to learn from this game comes when the whole match is over.";

export class After {
  /** @type {Server.Game} */ game;
  /** @type {string} */ id;
  /** @type {() => void} */ known;
  /** @type {number} */ ply;
  /** @type {boolean} */ early;
  /** @type {(state: Server.Position | null, status?: string, ply?: number) => void} */ look;
  /** @type {Map<string, Server.Position>} */ seen;
  /** @type {Server.Report | null} */ data;
  /** @type {Seat} */ reader;

  // look(state, status, ply) shows an earlier position; look(null) shows the newest again. known():
  // the report is there.
  constructor(id, look, known) {
    Object.assign(this, { id, look, known, seen: new Map() });
    this.linked = Number(new URLSearchParams(location.search).get("move"));
    byId("share-game").addEventListener("click", ({ currentTarget }) =>
      copy(new URL(`/analyse?${query(this.game)}`, location.href).href, currentTarget),
    );
    byId("record").href = `/api/games/${id}/record`;
    byId("back").addEventListener("click", () => this.back());
    byId("to-end").addEventListener("click", () => this.back());
    byId("retry").addEventListener("click", () => this.retry(this.slip));
  }

  // ply: the move that is looked back at, if one is. early: may the match of this game go on, in
  // an event? The report comes when it is over.
  /** @param {Shown & { ply: number | undefined, early: boolean }} shown */
  show({ you, game, ply, early }) {
    const over = Boolean(game.outcome);
    Object.assign(this, { game, ply, early });
    this.reader = game.one_screen ? null : you;
    show(byId("after"), over);
    if (!over) this.shown = this.data = null;
    this.teach();
    if (!over) return;
    byId("analyse").href = `/analyse?${query(game)}`;
    if (early) write(byId("report"), WAIT);
    else if (this.shown !== game.text) this.loading = this.load(game.text);
  }

  // -- the report -----------------------------------------------------------------------------

  /** @param {string} text */
  async load(text) {
    this.shown = text;
    this.data = null;
    this.teach();
    const place = byId("report");
    write(place, "Looking at every move of the game…");
    const data = await attempt(() => get(`/api/games/${this.id}/report`));
    if (!data) {
      this.shown = null;
      place.replaceChildren();
      return;
    }
    this.data = data;
    const parts = report(data, (ply) => this.pick(ply), (ply) => this.retry(ply));
    place.replaceChildren(...parts);
    this.known();
    // The link of a mistake leads to its move.
    if (this.linked > 0) this.pick(this.linked);
    this.linked = 0;
  }

  // The moves that the reader should have made otherwise: their own, or everybody's.
  get slips() {
    const { data, reader } = this;
    return (data?.slips ?? []).filter((ply) => !reader || data?.plies[ply - 1].seat === reader);
  }

  // The mistake or inaccuracy that the board shows, if it does.
  get slip() {
    return this.told(this.ply) ? this.data?.plies[this.ply - 1] : null;
  }

  /** @param {number} ply */
  told(ply) {
    return this.data?.plies[ply - 1]?.told ?? "";
  }

  // The next one to learn from.
  get next() {
    return this.slips[this.slips.indexOf(this.ply) + 1];
  }

  // What is told of the move on the board stands above it, what can be done with it below.
  teach() {
    const { data, slip, next } = this;
    const begin = this.reader ? "Learn from my mistakes" : "Learn from the mistakes";
    const on = this.slips.includes(this.ply) ? `Next ${data?.plies[next - 1]?.slip}` : begin;
    const over = Boolean(this.game.outcome);
    show(byId("learn"), over && !this.early);
    show(byId("analyse"), !this.early);
    write(byId("learn"), data && !next ? "See the report" : on);
    write(byId("told"), slip?.told ?? "");
    write(byId("retry"), `Try again from move ${slip?.number}`);
    show(byId("retry"), Boolean(slip));
    show(byId("to-end"), Boolean(slip));
  }

  // From one mistake to the next, each on the board; in the end to the whole report.
  async learn() {
    if (!this.data) {
      banner("Looking at every move of the game…");
      await this.loading;
      banner("");
    }
    if (this.next) {
      this.pick(this.next);
    } else {
      byId("after").scrollIntoView({ block: "start" });
      byId("after-title").focus({ preventScroll: true });
    }
  }

  /** @param {any} ply */
  retry(ply) {
    const { game } = this;
    const level = game.players.find((kind) => kind !== "human") ?? "perfect";
    const moves = game.moves.slice(0, ply.number - 1).join(" ");
    const wish = { ...from(game, moves), opponent: level, seat: ply.seat };
    return attempt(() => start({ ...wish, forgiving: !game.strict }));
  }

  // -- earlier positions ----------------------------------------------------------------------

  /** @param {number} ply */
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
    // Another point was picked meanwhile, or these moves were taken back.
    if (this.asked !== question) return;
    if (!state || this.game.moves.slice(0, ply).join(" ") !== moves) {
      this.back();
      return;
    }
    const where = ply ? `move ${ply}` : "the start";
    announce(`The board shows ${where}. ${this.told(ply)}`);
    this.turn({ ...state, names: game.names }, `Looking at ${where}.`, ply);
    const stepping = byId("steps").contains(document.activeElement);
    // With what is told of it.
    if (!stepping) document.querySelector(".players")?.scrollIntoView({ block: "nearest" });
  }

  // What has the focus may go.
  /** @param {Parameters<After["look"]>} view */
  turn(...view) {
    const held = focused();
    this.look(...view);
    if (held?.closest("[hidden]")) byId("status").focus({ preventScroll: true });
  }

  // A position of the past never changes: it is asked for once.
  /** @param {string} moves */
  async position(moves) {
    if (!this.seen.has(moves)) {
      this.seen.set(moves, await get(`/api/position?${query(this.game, moves)}`));
    }
    return this.seen.get(moves);
  }

  back() {
    this.asked = null;
    this.turn(null);
  }
}
