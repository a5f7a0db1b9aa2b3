// Looking back: any earlier position on the board, and after the end the report and another try.

import { byId, show, write } from "./dom.js";
import { get, query } from "./api.js";
import { from, start } from "./start.js";
import { announce, attempt, copy } from "./tell.js";
import { report } from "./report.js";

export class After {
  // look(state, status, ply) shows an earlier position; look(null) shows the end again.
  constructor(id, look) {
    Object.assign(this, { id, look });
    byId("share-game").addEventListener("click", ({ currentTarget }) =>
      copy(new URL(`/analyse?${query(this.game)}`, location.href).href, currentTarget),
    );
    byId("record").href = `/api/games/${id}/record`;
    byId("back").addEventListener("click", () => this.back());
  }

  show({ game }) {
    const over = Boolean(game.outcome);
    if (this.game?.text !== game.text) show(byId("back"), false);
    this.game = game;
    show(byId("after"), over);
    if (!over) {
      this.shown = null;
      return;
    }
    write(byId("result"), game.status);
    write(byId("reason"), game.outcome.reason);
    byId("analyse").href = `/analyse?${query(game)}`;
    if (this.shown !== game.text) this.load(game.text);
  }

  async load(text) {
    this.shown = text;
    const place = byId("report");
    write(place, "Looking at every move of the game…");
    const data = await attempt(() => get(`/api/games/${this.id}/report`));
    if (!data) {
      this.shown = null;
      place.replaceChildren();
      return;
    }
    const parts = report(data, (ply) => this.pick(ply), (ply) => this.retry(ply));
    place.replaceChildren(...parts);
  }

  async pick(ply) {
    const { game } = this;
    if (ply >= game.moves.length) {
      this.back();
      return;
    }
    const moves = game.moves.slice(0, ply).join(" ");
    const question = (this.asked = {});
    const state = await attempt(() => get(`/api/position?${query(game, moves)}`));
    // Another point was picked meanwhile, or the game went on.
    if (!state || this.asked !== question || this.game.text !== game.text) return;
    const where = ply ? `move ${ply}` : "the start";
    show(byId("back"), true);
    announce(`The board shows ${where}.`);
    this.look({ ...state, names: game.names }, `You are looking at ${where}.`, ply);
    byId("status").scrollIntoView({ block: "nearest" });
  }

  back() {
    this.asked = null;
    const held = byId("back") === document.activeElement;
    show(byId("back"), false);
    this.look(null);
    if (held) byId("status").focus();
  }

  retry(ply) {
    const { game } = this;
    const level = game.two_people ? "perfect" : game.players.find((kind) => kind !== "human");
    const moves = game.moves.slice(0, ply.number - 1).join(" ");
    return attempt(() => start({ ...from(game, moves), opponent: level, seat: ply.seat }));
  }
}
