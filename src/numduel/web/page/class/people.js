// The players of an event, and what the host can do for one of them.

import { button, byId, isolated, make, set, show, write } from "../common/dom.js";
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
  const parts = [teamOf(event, one), kind === "human" ? "" : `computer: ${kind}`];
  if (game) parts.push(`playing ${nameOf(event, opponent)}`);
  if (away) parts.push("away");
  else if (!game && event.phase === "running") parts.push("waiting for an opponent");
  return parts.filter(Boolean).join(", ");
}

// "asked for help at 10:42"
/** @param {Server.Helped | undefined} helped */
function helpText(helped) {
  if (!helped) return "";
  const { times, last } = helped;
  const at = new Date(1000 * last).toLocaleTimeString("en-GB", { timeStyle: "short" });
  return times > 1 ? `asked for help ${times} times, last at ${at}` : `asked for help at ${at}`;
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
  const wrong = make("p", { class: "alert", role: "alert" });
  const told = make("p", { class: "personal", role: "status" });
  /** @param {Server.Event} now */
  function render(now) {
    event = now;
    const { players, room } = event;
    const here = players.filter(({ away }) => !away).length;
    const away = here < players.length ? `, ${players.length - here} away` : "";
    write(byId("people-title"), players.length ? `${here} here${away}` : "Who is here");
    set(byId("people-title"), "title", `Room for ${room}`);
    show(byId("nobody"), !players.length);
    show(byId("people"), players.length > 0);
    const next = byId("people-title");
    rows(byId("people-rows"), players, { key: ({ number }) => number, make: row, next });
    if (!player(event, managed)) dialog?.close();
  }

  /** @param {Server.PlayerNow} one */
  const row = (one) => {
    const begun = event.phase !== "open";
    return make("tr", { "data-away": one.away },
      make("td", {}, begun ? String(one.place) : ""),
      make("th", { scope: "row" }, make("bdi", { class: "person" }, one.nickname),
        make("span", { class: "doing" }, doing(event, one)),
        help.has(one.number) ? make("span", { class: "helped" }, helpText(help.get(one.number)))
          : null),
      make("td", {}, begun ? `${one.wins} of ${one.games}` : ""),
      make("td", {}, begun ? accuracyText(one) : ""),
      make("td", {}, opener(one)));
  };

  // Opens the dialog about a player.
  /** @param {Server.Standing} one */
  const opener = ({ number, nickname }) =>
    button("…", () => open(number), {
      class: "button small look-after", "aria-label": `Options for ${nickname}`,
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
      field("Nickname", input, "field grow"), make("button", { class: "button" }, "Rename"));
  }

  // Only players who are free can be paired now.
  /** @param {Server.PlayerNow} one */
  function pairing({ number, nickname }) {
    const free = event.players.filter(({ pairing, away }) => !pairing && !away);
    const others = free.map((one) => one.number).filter((other) => other !== number);
    const whom = choose([...others, COMPUTER].map((other) => [other, nameOf(event, other)]));
    const game = choose([["", "Whichever comes next"],
      ...event.games.map(({ text, called, changes }) => [text, [called, ...changes].join(", ")])]);
    const pair = () => {
      const chosen = game.value && { game: game.value };
      return finish("pair", { players: [number, Number(whom.value)], ...chosen });
    };
    return form(pair,
      field(`${isolated(nickname)} plays`, whom, "field grow"),
      event.games.length > 1 ? field("Game", game, "field grow") : null,
      make("button", { class: "button" }, "Pair them"));
  }

  /** @param {Server.PlayerNow} one */
  function buttons({ number, nickname, kind, pairing, opponent }) {
    const who = isolated(nickname);
    const other = nameOf(event, opponent);
    const sure = async (question, yes, what) => {
      if (await confirm(question, yes, "Go back")) await finish(what, { player: number });
    };
    return [
      kind === "human" && ["New four digits", async () => {
        const { code } = await act("code", { player: number });
        told.replaceChildren(`New four digits for ${who}: `, make("strong", {}, code));
        announce(`New four digits for ${nickname}: ${[...code].join(" ")}`);
      }],
      pairing && [`Give the games to ${other}`, () => sure(
        `${who} loses the unfinished games with ${other}.`, "Give them", "forfeit")],
      ["Remove", () => sure(
        `${who} leaves the event and disappears from the table, and cannot join again from the` +
          " same browser.", "Remove", "remove")],
    ].filter(Array.isArray).map(([label, work]) => button(label, () => attempt(work)));
  }

  /** @param {Server.Helped[]} found */
  function helped(found) {
    help = new Map(found.map((one) => [one.number, one]));
    render(event);
  }

  return { show: render, helped, opener };
}
