// Inviting a friend with a link, and joining with one.

import { byId, show, write } from "../common/dom.js";
import { get } from "../common/api.js";
import { t } from "../common/language.js";
import { keep, recall } from "../common/storage.js";
import { renew, sit } from "../common/key.js";
import { scan as scanned } from "../common/scan.js";
import { attempt, copy, fail, onSubmit, outside, reachable } from "../common/notify.js";

// joined(data) takes the server's answer to joining.
/** @param {(data: Server.Snapshot) => void} joined */
export function invitation(id, joined) {
  let secret = location.hash.slice(1); // of an invited player
  let link = ""; // for inviting one
  let called = "";
  let asked = 0; // how many ask to play
  let lost = false; // whether the answer to joining was lost
  let recovering = false;
  /** @type {HTMLDialogElement | undefined} */
  let dialog;

  // The dialog closes when the friend comes or somebody asks to play.
  async function scan() {
    dialog?.close();
    dialog = await scanned(t("Scan to play {game}", { game: called }), link);
  }

  async function share() {
    const text = t("Play {game} with me.", { game: called });
    warn();
    // Closing the share sheet is not an error.
    await navigator.share({ title: "numduel", text, url: link }).catch(() => {});
  }

  async function join() {
    const name = byId("join-name").value.trim();
    keep("name", name);
    const body = { invite: secret, ...(name && { name }), cookie: true };
    try {
      const answer = await sit(`/api/v1/games/${id}/join`, body);
      strip();
      joined(answer);
    } catch (error) {
      lost = error.status === 0;
      if (await recover()) return;
      // Not an invitation to this game: the player can ask for the seat instead.
      if (error.status === 403) {
        strip();
        joined(await get(`/api/v1/games/${id}`));
      }
      throw error;
    }
  }

  // If the answer to joining was lost, the seat may be ours all the same.
  async function recover() {
    if (!lost || recovering) return false;
    recovering = true;
    const answer = await renew(id).catch(() => null);
    recovering = false;
    lost = answer === null; // the server was not reached: try again later
    if (answer?.you) joined(answer);
    return Boolean(answer?.you);
  }

  function strip() {
    secret = "";
    history.replaceState(null, "", location.pathname + location.search);
  }

  /** @param {Shown} shown */
  function render({ you, game }) {
    const free = game.seats.indexOf(false);
    const open = free >= 0 && !game.outcome;
    const mine = you ? recall(`invite.${id}`) : null;
    if (!open && mine) keep(`invite.${id}`, null);
    ({ called } = game);
    link = mine && outside(`/play/${id}#${mine}`).href;
    show(byId("invitation"), open && Boolean(mine));
    // The QR code would hide who asks to play.
    if (!open || game.requests.length > asked) dialog?.close();
    asked = game.requests.length;
    if (mine) byId("invite-link").value = link;
    show(byId("joining"), open && !you && Boolean(secret));
    write(byId("joining-text"), t("{name} invites you to play {game}.",
      { name: game.names[1 - free] ?? "", game: called }));
    // Once the seat is taken, the secret in the address is useless.
    if (secret && (you || !open) && !lost) strip();
    if (lost) recover();
  }

  // Where the invitation has no room for it, a press says who can use the link.
  function warn() {
    const told = byId("unreachable");
    if (!told.hidden && !told.checkVisibility()) fail(told.textContent?.replace(/\s+/g, " "));
  }

  const copyOnPress = (id, text) => byId(id).addEventListener("click", ({ currentTarget }) => {
    warn();
    copy(text(), currentTarget);
  });
  copyOnPress("copy", () => link);
  byId("share").addEventListener("click", share);
  byId("show-qr").addEventListener("click", () => attempt(scan));
  const watch = outside(`/play/${id}?watch`).href;
  copyOnPress("copy-watch", () => watch);
  byId("invite-link").addEventListener("focus", ({ currentTarget }) => currentTarget.select());
  byId("join-name").value = recall("name", "");
  onSubmit("joining", join);
  show(byId("share"), Boolean(navigator.share));
  show(byId("unreachable"), !reachable());
  return { show: render, join, secret: () => secret };
}
