// Both ends of an invitation: the link for the friend, and the seat that waits for them.

import { byId, show, write } from "../common/dom.js";
import { get } from "../common/api.js";
import { keep, recall } from "../common/storage.js";
import { renew, sit } from "../common/key.js";
import { scan } from "../common/scan.js";
import { attempt, copy, onSubmit, outside } from "../common/notify.js";

export class Invite {
  /** @type {string} */ link;
  /** @type {number} */ asked;
  /** @type {HTMLDialogElement | undefined} */ dialog;
  /** @type {boolean} */ lost;
  /** @type {boolean} */ recovering;
  /** @type {string} */ id;
  /** @type {(answer: Server.Snapshot) => void} */ joined;
  /** @type {Server.Game} */ game;

  constructor(id, joined) {
    Object.assign(this, { id, joined });
    this.secret = location.hash.slice(1);
    byId("copy").addEventListener("click", ({ currentTarget }) => copy(this.link, currentTarget));
    byId("share").addEventListener("click", () => this.share());
    byId("show-qr").addEventListener("click", () => attempt(() => this.scan()));
    const watch = outside(`/play/${id}?watch`).href;
    byId("copy-watch").addEventListener("click", ({ currentTarget }) => copy(watch, currentTarget));
    onSubmit("joining", () => this.join());
    byId("join-name").value = recall("name", "");
    byId("invite-link").addEventListener("focus", ({ currentTarget }) => currentTarget.select());
    show(byId("share"), Boolean(navigator.share));
  }

  /** @param {Shown} shown */
  show({ you, game }) {
    const free = game.seats.indexOf(false);
    const open = free >= 0 && !game.outcome;
    const mine = you ? recall(`invite.${this.id}`) : null;
    if (!open && mine) keep(`invite.${this.id}`, null);
    this.game = game;
    this.link = mine && outside(`/play/${this.id}#${mine}`).href;
    show(byId("invitation"), open && Boolean(mine));
    // Nobody sees who asks behind the code.
    if (!open || game.requests.length > this.asked) this.dialog?.close();
    this.asked = game.requests.length;
    if (mine) byId("invite-link").value = this.link;
    show(byId("joining"), open && !you && Boolean(this.secret));
    write(byId("joining-text"), `${game.names[1 - free] ?? ""} invites you to play ${game.called}.`);
    // A seat that is held, or gone, has no use for the secret in the address.
    if (this.secret && (you || !open) && !this.lost) this.strip();
    if (this.lost) this.recover();
  }

  // Closed when the friend has come, or somebody asks to play.
  async scan() {
    this.dialog?.close();
    this.dialog = await scan(`Scan to play ${this.game.called}`, this.link);
  }

  async join() {
    const name = byId("join-name").value.trim();
    keep("name", name);
    const body = { invite: this.secret, ...(name && { name }), cookie: true };
    try {
      const answer = await sit(`/api/games/${this.id}/join`, body);
      this.strip();
      this.joined(answer);
    } catch (error) {
      this.lost = error.status === 0;
      if (await this.recover()) return;
      // Not an invitation to this game: then one may ask, as without any.
      if (error.status === 403) {
        this.strip();
        this.joined(await get(`/api/games/${this.id}`));
      }
      throw error;
    }
  }

  // Where the answer to joining was lost, the seat may be ours all the same.
  async recover() {
    if (!this.lost || this.recovering) return false;
    this.recovering = true;
    const answer = await renew(this.id).catch(() => null);
    this.recovering = false;
    this.lost = answer === null; // not reached: again when something is heard
    if (answer?.you) this.joined(answer);
    return Boolean(answer?.you);
  }

  strip() {
    this.secret = "";
    history.replaceState(null, "", location.pathname + location.search);
  }

  async share() {
    const text = `Play ${this.game.called} with me.`;
    // Closing the share sheet is not an error.
    await navigator.share({ title: "numduel", text, url: this.link }).catch(() => {});
  }
}
