// The two players: their panels above the board, and what they hold below it.

import { become, isolated, make, set, write } from "../common/dom.js";
import { levelText, plural, t } from "../common/language.js";
import { facts } from "./facts.js";

// A panel: mark, name, notes such as "you", whose turn it is, and the player's score.
export class Player {
  constructor(seat) {
    this.seat = seat;
    this.mark = make("span", { class: "mark", "data-owner": seat });
    this.text = make("span", { class: "player-text" });
    this.tally = make("div");
    this.turn = make("span", { class: "turn" });
    const parts = [this.mark, this.text, this.tally, this.turn];
    this.root = make("div", { class: "player", "data-seat": seat }, ...parts);
  }

  /** @param {Server.Position} state */
  show(state, you, notes, past) {
    const { seat } = this;
    const winner = state.outcome?.winner === seat;
    write(this.mark, state.markers[seat - 1]);
    become(this.text, named(state.names[seat - 1], notes, you === seat));
    set(this.root, "data-turn", state.to_move === seat);
    set(this.root, "data-winner", winner);
    // In an earlier position this is who moved next, not whose turn it is.
    const turn = past ? t("Moved next") : you === seat ? t("Your turn") : t("To move");
    write(this.turn, winner ? t("★ Winner") : state.to_move === seat ? turn : "");
    const tally = state.facts.filter((fact) => fact.seat === seat && counts(fact));
    become(this.tally, facts(tally, { class: "tally" }));
  }
}

const NOTES = new Map(Object.entries({
  you: t("you"), here: t("here"), away: t("away"), offline: t("offline"),
  "not here yet": t("not here yet"),
}));

// A note is known by its English, also to the style sheet: "here", "easy", "2 won".
/** @param {string} note */
function noteText(note) {
  const [won] = note.match(/^\d+(?= won$)/) ?? [];
  return won ? plural("{n} won", "{n} won", Number(won)) : NOTES.get(note) ?? levelText(note);
}

// A long name is cut short. The notes "here" and "away" get a full or an empty dot.
const named = (name, notes, mine) =>
  make("span", { class: "player-text" },
    make("bdi", { class: "player-name", title: name }, bare(name, notes)),
    make("span", { class: "notes" }, ...(mine ? ["you", ...notes] : notes).map((note) =>
      make("span", { "data-note": note }, noteText(note)))));

// "Computer (easy)" with the note "easy" becomes "Computer", which is short enough.
export const bare = (text, notes) =>
  notes.reduce((rest, note) => rest.replace(` (${noteText(note)})`, ""), text);

/** @param {Server.Fact} fact */
const counts = (fact) => /^-?\d{1,4}$/.test(String(fact.value));

// What a player holds, and facts about it; below the board, because it grows.
/** @param {Server.Position} state */
export function holding(state, seat) {
  const hand = state.deck ? [] : state.hands[seat - 1];
  const told = state.facts.filter((fact) => fact.seat === seat && !counts(fact));
  const who = isolated(state.names[seat - 1]);
  const hidden = !hand.length && !told.length;
  return make("div", { class: "holding", "data-holding": seat, hidden },
    make("span", { class: "mark", "data-owner": seat, "aria-hidden": "true" },
      state.markers[seat - 1]),
    make("div", {},
      make("p", { class: "hand" },
        hand.length ? t("{name} has {numbers}", { name: who, numbers: hand.join(", ") }) : ""),
      facts(told, { "data-facts": seat })));
}
