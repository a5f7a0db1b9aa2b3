// The end of a game: who won, why, and what to do next. On a narrow screen it lies over the end of
// the page until it is closed; then it stands below the board.

import { byId, make, set, show, write } from "./dom.js";
import { rules } from "./api.js";
import { recall } from "./keep.js";
import { from, start } from "./start.js";

const PIECES = 28;
const PARTY = 2600; // milliseconds

export class End {
  constructor() {
    byId("end-close").addEventListener("click", () => {
      this.lower();
      byId("status").focus({ preventScroll: true });
    });
  }

  show({ you, game }) {
    const over = Boolean(game.outcome);
    if (this.offered !== game.rematch.offered) set(byId("end"), "class", "sheet box call");
    Object.assign(this, { you, game, offered: game.rematch.offered });
    show(byId("end"), over);
    if (!over) return;
    const won = game.outcome.winner === you;
    const own = you && !game.one_screen;
    write(byId("result"), own ? (won ? "You won!" : "You lost this one.") : game.status);
    set(byId("end"), "data-won", own ? won : true);
    write(byId("reason"), game.outcome.reason);
    const score = game.names.map((name, index) => `${name} ${game.score[index]}`).join(", ");
    write(byId("score"), game.score[0] + game.score[1] > 1 ? `Games won: ${score}.` : "");
    this.buttons();
  }

  // The game has ended just now, under the eyes of the reader.
  celebrate() {
    const { you, game } = this;
    if (you && (game.one_screen || game.outcome.winner === you)) party();
  }

  // Out of the way of what is behind it.
  lower() {
    byId("end").classList.remove("call");
  }

  buttons() {
    const { you, game } = this;
    const { offered, game: next } = game.rematch;
    const theirs = offered !== null && offered !== you;
    const ready = next ? "Go to the rematch" : "Rematch";
    show(byId("rematch"), Boolean(you));
    show(byId("next"), Boolean(you));
    show(byId("next-game"), Boolean(!you && next));
    if (next) byId("next-game").href = `/play/${next}`;
    write(byId("rematch"), theirs && !next ? "Accept the rematch" : ready);
    const who = theirs ? `${game.names[offered - 1]} offers a rematch.` : "Rematch offered.";
    write(byId("rematch-text"), offered && !next ? who : "");
    if (you) this.name();
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
    const levels = Object.keys(kinds.find(({ name }) => name === game.name).levels);
    const step = game.outcome.winner === you ? 1 : -1;
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

// Some paper in the air; nothing where things should not move.
function party() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const paper = make("div", { class: "party", "aria-hidden": "true" });
  for (let index = 0; index < PIECES; index += 1) {
    const piece = make("i", { "data-colour": index % 3 });
    piece.style.setProperty("--x", `${Math.random() * 100}vw`);
    piece.style.setProperty("--sway", `${(Math.random() - 0.5) * 12}rem`);
    piece.style.setProperty("--delay", `${Math.random() * 0.5}s`);
    paper.append(piece);
  }
  document.body.append(paper);
  setTimeout(() => paper.remove(), PARTY);
}
