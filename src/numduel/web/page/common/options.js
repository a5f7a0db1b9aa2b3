// The options of a game on its card: shows what was changed, and errors beside the fields.

import { capital, show, write } from "./dom.js";
import { get, query } from "./api.js";
import { chosen, settings, valid, wrong } from "./fields.js";
import { keep, recall } from "./storage.js";

const PAUSE = 400; // milliseconds without typing before the server is asked

export class Options {
  // kind: the name under which they are stored.
  constructor(card, kind = "options") {
    this.card = card;
    this.root = card.querySelector(".options");
    this.key = `${kind}.${card.dataset.game}`;
    this.ticks = [...card.querySelectorAll("[data-option]")];
    this.changes = [];
    // The switch for the rulebook's game, where the page offers another, and what says so.
    const { game } = card.dataset;
    this.rulebook = /** @type {HTMLInputElement | null} */ (
      document.querySelector(`[data-rulebook="${game}"]`));
    this.told = document.querySelector(`[data-offered="${game}"]`);
    this.rulebook?.addEventListener("change", () => this.exchange());
    const saved = recall(this.key, {});
    for (const box of this.ticks) box.checked = saved[box.dataset.option] === true;
    if (this.rulebook) this.rulebook.checked = saved.rulebook === true;
    // While the player types, not on leaving: nothing may move when they are about to press.
    card.addEventListener("input", ({ target }) => {
      if (target.matches("[data-parameter]")) this.touch(target);
      else this.switched();
    });
    this.summarise();
  }

  // Adds the settings of the game from the catalogue.
  fill(game) {
    this.game = game;
    const saved = recall(this.key, {});
    const usual = saved.rulebook ? {} : this.offered();
    this.root.querySelector(".fields").prepend(...settings(game, { ...saved.variant, ...usual }));
    if (this.others().length) this.checked = this.check();
  }

  // What the page offers instead of the rulebook's settings.
  offered() {
    return this.game?.offered?.variant ?? {};
  }

  // The rulebook's settings instead of the offered ones, or the other way round.
  exchange() {
    const values = this.rulebook?.checked ? this.game?.variant : this.offered();
    for (const control of this.controls()) {
      const { parameter } = control.dataset;
      if (!(parameter in this.offered())) continue;
      control.value = values[parameter];
      this.touch(control);
    }
    this.switched();
  }

  touch(control) {
    this.last = control;
    const { parameter } = control.dataset;
    if (this.rulebook && parameter in this.offered()) {
      this.rulebook.checked = control.value === String(this.game.variant[parameter]);
      this.summarise();
    }
    this.checked = null;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => (this.checked ??= this.check()), PAUSE);
  }

  // A switch is remembered at once; typed values once a game starts with them.
  switched() {
    const { variant } = recall(this.key, {});
    keep(this.key, { variant, ...this.ticked(), rulebook: this.rulebook?.checked });
    this.summarise();
  }

  // The options for a new game.
  wish() {
    const wish = { variant: chosen(this.root), ...this.ticked() };
    keep(this.key, { ...wish, rulebook: this.rulebook?.checked });
    return wish;
  }

  // Whether they are valid; otherwise focuses what is wrong.
  async valid() {
    await (this.checked ??= this.check());
    // Only a visible field can be focused.
    this.root.open ||= wrong(this.root) !== undefined;
    return valid(this.root);
  }

  // Asks the server whether the variant exists, and for its words; an error is shown beside the
  // field that was changed.
  async check() {
    const control = this.last ?? this.others()[0];
    const question = (this.asked = {});
    for (const each of this.controls()) each.setCustomValidity("");
    const answer = control?.validity.valid ? await this.ask() : { changes: [] };
    if (this.asked !== question) return; // something else was typed meanwhile
    control?.setCustomValidity(answer.refusal ?? "");
    wrong(this.root);
    this.changes = answer.changes;
    this.summarise();
  }

  // Without an answer, starting the game says what is wrong.
  /** @returns {Promise<{ changes: string[], refusal?: string | null }>} */
  async ask() {
    const wished = query({ name: this.game.name, variant: chosen(this.root) });
    return get(`/api/v1/variant?${wished}`).catch(() => ({ changes: [] }));
  }

  controls() {
    return [...this.root.querySelectorAll("[data-parameter]")];
  }

  // The controls that do not have their default value.
  others() {
    const { parameters } = this.game;
    const usual = this.offered();
    return this.controls().filter(({ value }, index) =>
      value !== String(usual[parameters[index].name] ?? parameters[index].value));
  }

  // {forgiving: true}
  ticked() {
    const checked = this.ticks.filter((box) => box.checked);
    return Object.fromEntries(checked.map(({ dataset }) => [dataset.option, true]));
  }

  // Shows what is unusual, in words. The forgiving switch is visible anyway.
  summarise() {
    const offered = this.game?.offered?.changes ?? []; // which a sentence of its own says
    const words = this.changes.filter((change) => !offered.includes(change));
    if (this.told) show(this.told, !this.rulebook?.checked);
    write(this.card.querySelector(".changed"), capital(words.join("; ")));
  }
}
