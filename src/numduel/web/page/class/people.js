// The players of an event, and what the host can do for one of them.

import { button, byId, isolated, make, set, show, write } from "../common/dom.js";
import { levelText, outOf, t } from "../common/language.js";
import { helpMark } from "./door.js";
import { closeButton, confirm, openDialog } from "../common/dialog.js";
import { accuracyText, COMPUTER, nameOf, player, teamOf } from "./event.js";
import { choose, field } from "../common/fields.js";
import { rows } from "../common/rows.js";
import { announce } from "../common/notify.js";

// What a player is doing now.
/**
 * @param {Server.Event} event
 * @param {Server.PlayerNow} one
 */
function doing(event, one) {
  const { away, game, opponent, kind } = one;
  const parts = [teamOf(event, one), 
    kind === "human" ? "" : t("computer: {level}", { level: levelText(kind) })];
  if (game) parts.push(t("playing {name}", { name: nameOf(event, opponent) }));
  if (away) parts.push(t("away"));
  else if (!game && event.phase === "running") parts.push(t("waiting for an opponent"));
  return parts.filter(Boolean).join(", ");
}

// act(what, body) sends a host's action and resolves to the answer, or fails.
/** @param {(what: string, body: object) => Promise<any>} act */
export function people(act) {
  /** @type {Server.Event} */
  let event;
  /** @type {HTMLDialogElement | null} */
  let dialog = null;
  let managed = 0; // the number of the player in the dialog
  let busy = false;
  /** @type {Map<number, Server.Helped>} */
  let help = new Map(); // who asked the server for help
  /** @type {Map<number, Server.Standing>} */
  let table = new Map(); // the whole table, as it was last asked for
  const wrong = make("p", { class: "alert", role: "alert" });
  const told = make("p", { class: "personal", role: "status" });
  /** @param {Server.Event} now */
  function render(now) {
    event = now;
    const { players, room } = event;
    const here = players.filter(({ away }) => !away).length;
    const away = players.length - here;
    const told = away ? t("{n} here, {away} away", { n: here, away }) : t("{n} here", { n: here });
    write(byId("people-title"), players.length ? told : t("Who is here"));
    set(byId("people-title"), "title", t("Room for {n}", { n: room }));
    show(byId("nobody"), !players.length);
    show(byId("people"), players.length > 0);
    const next = byId("people-title");
    const everybody = event.top_only ? players.map(whole).sort(byPlace) : players;
    rows(byId("people-rows"), everybody, { key: ({ number }) => number, make: row, next });
    if (!player(event, managed)) dialog?.close();
  }

  // A player with the row of the table that everybody else may not be sent.
  /** @param {Server.PlayerNow} one */
  const whole = (one) =>
    (one.place === null ? { ...one, ...table.get(one.number), away: one.away } : one);

  const byPlace = (one, other) => (one.place ?? Infinity) - (other.place ?? Infinity);

  /** @param {Server.PlayerNow} one */
  const row = (one) => {
    const begun = event.phase !== "open";
    return make("tr", { "data-away": one.away },
      make("td", {}, begun ? String(one.place ?? "") : ""),
      make("th", { scope: "row" }, make("bdi", { class: "person" }, one.nickname),
        make("span", { class: "doing" }, doing(event, one)),
        helpMark(help.get(one.number))),
      make("td", {}, begun ? outOf(one.wins, one.games) : ""),
      make("td", {}, begun ? accuracyText(one) : ""),
      make("td", {}, opener(one)));
  };

  // Opens the dialog about a player.
  /** @param {Server.Standing} one */
  const opener = ({ number, nickname }) =>
    button("…", () => open(number), {
      class: "button small look-after", "aria-label": t("Options for {name}", { name: nickname }),
    });
  function open(number) {
    const one = player(event, number);
    if (!one) return;
    managed = number;
    write(wrong, "");
    write(told, "");
    const title = make("h2", { id: "manage-title" }, make("bdi", {}, one.nickname));
    dialog = openDialog("manage", title, [
      make("p", { class: "soft" }, doing(event, one)),
      wrong,
      told,
      naming(one),
      event.phase === "running" && !one.pairing ? pairing(one) : null,
      make("div", { class: "row" }, ...buttons(one)),
      closeButton(() => dialog),
    ], (_, back) => {
      dialog = null;
      if (!back?.isConnected) byId("phase").focus();
    });
  }

  // Shows errors in the dialog, which covers the page. Ignores a second press while the first is
  // being sent.
  async function attempt(work) {
    if (busy) return;
    busy = true;
    write(wrong, "");
    await work().catch((error) => write(wrong, error.message));
    busy = false;
  }

  // Sends an action and closes the dialog.
  async function finish(what, body) {
    await act(what, body);
    dialog?.close();
  }

  const form = (work, ...children) =>
    make("form", {
      class: "row ends",
      onsubmit: (event) => {
        event.preventDefault();
        attempt(work);
      },
    }, ...children);

  /** @param {Server.PlayerNow} one */
  function naming({ number, nickname }) {
    const how = { type: "text", autocomplete: "off", dir: "auto" };
    const input = make("input", { ...how, value: nickname });
    return form(() => finish("rename", { player: number, nickname: input.value }),
      field(t("Nickname"), input, "field grow"), make("button", { class: "button" }, t("Rename")));
  }

  // Only players who are free can be paired now.
  /** @param {Server.PlayerNow} one */
  function pairing({ number, nickname }) {
    const free = event.players.filter(({ pairing, away }) => !pairing && !away);
    const others = free.map((one) => one.number).filter((other) => other !== number);
    const whom = choose([...others, COMPUTER].map((other) => [other, nameOf(event, other)]));
    const game = choose([["", t("Whichever comes next")],
      ...event.games.map(({ text, called, changes }) => [text, [called, ...changes].join(", ")])]);
    const pair = () => {
      const chosen = game.value && { game: game.value };
      return finish("pair", { players: [number, Number(whom.value)], ...chosen });
    };
    return form(pair,
      field(t("{name} plays", { name: isolated(nickname) }), whom, "field grow"),
      event.games.length > 1 ? field(t("Game"), game, "field grow") : null,
      make("button", { class: "button" }, t("Pair them")));
  }

  /** @param {Server.PlayerNow} one */
  function buttons({ number, nickname, kind, pairing, opponent }) {
    const who = isolated(nickname);
    const other = nameOf(event, opponent);
    const sure = async (question, yes, what) => {
      if (await confirm(question, yes, t("Go back"))) await finish(what, { player: number });
    };
    return [
      kind === "human" && [t("New four digits"), async () => {
        const { code } = await act("code", { player: number });
        const title = t("New four digits for {name}:", { name: who });
        told.replaceChildren(title, " ", make("strong", {}, code));
        announce(`${title} ${[...code].join(" ")}`);
      }],
      pairing && [t("Give the game to {name}", { name: other }), () => sure(
        t("{name} loses the game with {other}.", { name: who, other }),
        t("Give it"), "forfeit")],
      [t("Remove"), () => sure(
        t("{name} leaves the event and disappears from the table, and cannot join again from the" +
          " same browser.", { name: who }), t("Remove"), "remove")],
    ].filter(Array.isArray).map(([label, work]) => button(label, () => attempt(work)));
  }

  // Takes what only the host sees.
  /** @param {Server.DoorPage} page */
  function know(page) {
    help = new Map(page.helped.map((one) => [one.number, one]));
    table = new Map(page.table.map((one) => [one.number, one]));
    render(event);
  }

  return { show: render, know, opener };
}
