// The end of a game: who won, why, and what to do next. On a narrow screen the lines above the board
// tell it, and the buttons stand where those of the game stood.

import { byId, make, set, show, write } from "../common/dom.js";
import { rules } from "../common/api.js";
import { recall } from "../common/storage.js";
import { from, start } from "../common/start.js";

const PIECES = 28;
const PARTY = 2600; // milliseconds

// Who won, as it is told to who played, and to others.
/** @param {Shown} shown */
export function verdict({ you, game }) {
  if (!you || game.one_screen) return game.status;
  return game.outcome?.winner === you ? "You won!" : "You lost this one.";
}

export class End {
  /** @type {Seat} */ you;
  /** @type {Server.Game} */ game;
  /** @type {boolean} */ learning;

  // learning: is a mistake looked at? Then what is learnt from it comes first. closed: why a game
  // of an event goes on no more, without having ended.
  /** @param {Shown & { learning: boolean, closed: string }} shown */
  show({ you, game, learning, closed }) {
    const over = Boolean(game.outcome);
    Object.assign(this, { you, game, learning });
    show(byId("end"), over || Boolean(closed));
    if (over || closed) this.buttons();
    if (closed) write(byId("result"), closed);
    if (!game.outcome) return;
    write(byId("result"), verdict({ you, game }));
    set(byId("end"), "data-won", !you || game.one_screen || game.outcome.winner === you);
    write(byId("reason"), game.outcome.reason);
    const score = game.names.map((name, index) => `${name} ${game.score[index]}`).join(", ");
    write(byId("score"), game.score[0] + game.score[1] > 1 ? `Games won: ${score}.` : "");
  }

  // The game has ended just now, under the eyes of the reader.
  celebrate() {
    const { you, game } = this;
    if (you && (game.one_screen || game.outcome?.winner === you)) party();
  }

  buttons() {
    const { you, game, learning } = this;
    const { offered, game: next } = game.rematch;
    const theirs = offered !== null && offered !== you;
    const again = Boolean(you) && !learning && !game.event; // there the next one is found for you
    show(byId("rematch"), again);
    show(byId("next"), again);
    show(byId("next-game"), Boolean(!you && next) && !learning);
    if (next) byId("next-game").href = `/play/${next}`;
    write(byId("rematch"), next ? "Go to the rematch" : wish(offered, theirs));
    const who = theirs ? `${game.names[offered - 1]} offers a rematch.` : "Rematch offered.";
    write(byId("rematch-text"), offered && !next ? who : "");
    if (again) this.name();
  }

  // -- the next opponent ----------------------------------------------------------------------

  get level() {
    return this.game.players.find((kind) => kind !== "human");
  }

  // Who has won meets a stronger computer, who has lost an easier one; friends meet any.
  async opponent() {
    const { you, game, level } = this;
    if (!level) return recall("level", "medium");
    const kinds = await rules();
    const levels = Object.keys(kinds.find(({ name }) => name === game.name)?.levels ?? {});
    const step = game.outcome?.winner === you ? 1 : -1;
    return levels[levels.indexOf(level) + step] ?? null;
  }

  async name() {
    if (this.named === this.game.id) return;
    this.named = this.game.id;
    const { level } = this;
    const opponent = await this.opponent().catch(() => null);
    const better = this.game.outcome?.winner === this.you;
    const against = `${better ? "Next opponent" : "Easier opponent"}: ${opponent}`;
    write(byId("next"), !level ? "Play the computer" : opponent ? against : "Other games");
  }

  async next() {
    const { you, game } = this;
    const opponent = await this.opponent();
    if (!opponent) location.assign("/");
    else await start({ ...from(game, ""), opponent, seat: you, forgiving: !game.strict });
  }
}

const wish = (offered, theirs) =>
  theirs ? "Accept the rematch" : offered ? "Rematch offered" : "Rematch";

// Some paper in the air; nothing where things should not move.
function party() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const paper = make("div", { class: "party", "aria-hidden": "true" });
  for (let index = 0; index < PIECES; index += 1) {
    const piece = make("i", { "data-owner": index % 3 });
    piece.style.setProperty("--x", `${Math.random() * 100}vw`);
    piece.style.setProperty("--sway", `${(Math.random() - 0.5) * 12}rem`);
    piece.style.setProperty("--delay", `${Math.random() * 0.5}s`);
    paper.append(piece);
  }
  document.body.append(paper);
  setTimeout(() => paper.remove(), PARTY);
}
