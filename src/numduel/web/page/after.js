// Looking back: any earlier position on the board, and after the end the report and another try.

import { byId, show, write } from "./dom.js";
import { get, query } from "./api.js";
import { from, start } from "./start.js";
import { announce, attempt, copy } from "./tell.js";
import { report } from "./report.js";

export class After {
  // look(state, status, ply) shows an earlier position; look(null) shows the newest again.
  constructor(id, look) {
    Object.assign(this, { id, look, seen: new Map() });
    byId("share-game").addEventListener("click", ({ currentTarget }) =>
      copy(new URL(`/analyse?${query(this.game)}`, location.href).href, currentTarget),
    );
    byId("record").href = `/api/games/${id}/record`;
    byId("back").addEventListener("click", () => this.back());
  }

  show({ you, game }) {
    const over = Boolean(game.outcome);
    this.game = game;
    this.reader = game.one_screen ? null : you;
    show(byId("after"), over);
    show(byId("learn"), over);
    if (!over) {
      this.shown = null;
      return;
    }
    byId("analyse").href = `/analyse?${query(game)}`;
    if (this.shown !== game.text) this.loading = this.load(game.text);
  }

  // -- the report -----------------------------------------------------------------------------

  async load(text) {
    this.shown = text;
    this.data = null;
    this.name();
    const place = byId("report");
    write(place, "Looking at every move of the game…");
    const data = await attempt(() => get(`/api/games/${this.id}/report`));
    if (!data) {
      this.shown = null;
      place.replaceChildren();
      return;
    }
    this.data = data;
    this.name();
    const parts = report(data, (ply) => this.pick(ply), (ply) => this.retry(ply));
    place.replaceChildren(...parts);
  }

  // The moves that the reader should have made otherwise: their own, or everybody's.
  get slips() {
    const { data, reader } = this;
    return (data?.slips ?? []).filter((ply) => !reader || data.plies[ply - 1].seat === reader);
  }

  name() {
    const spotless = this.data && !this.slips.length;
    const mistakes = this.reader ? "Learn from my mistakes" : "Learn from the mistakes";
    write(byId("learn"), spotless ? "See the report" : mistakes);
  }

  // To the first own mistake in the report, and the button to try again from there.
  async learn() {
    byId("after").scrollIntoView({ block: "start" });
    await this.loading;
    const [first] = this.slips;
    const item = first && document.querySelector(`.mistakes [data-ply="${first}"]`);
    item?.scrollIntoView({ block: "start" });
    const target = item?.querySelector("button:last-child") ?? byId("after-title");
    target.focus({ preventScroll: true });
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
    if (ply >= game.moves.length) {
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
    announce(`The board shows ${where}.`);
    this.look({ ...state, names: game.names }, `Looking at ${where}.`, ply);
    const stepping = byId("steps").contains(document.activeElement);
    if (!stepping) byId("status").scrollIntoView({ block: "nearest" });
  }

  // A position of the past never changes: it is asked for once.
  async position(moves) {
    if (!this.seen.has(moves)) {
      this.seen.set(moves, await get(`/api/position?${query(this.game, moves)}`));
    }
    return this.seen.get(moves);
  }

  back() {
    this.asked = null;
    const held = byId("back") === document.activeElement;
    this.look(null);
    if (held) byId("status").focus();
  }
}
