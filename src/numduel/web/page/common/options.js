// The options of a game on its card: shows what was changed, and errors beside the fields.

import { capital, write } from "./dom.js";
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
    const saved = recall(this.key, {});
    for (const box of this.ticks) box.checked = saved[box.dataset.option] === true;
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
    this.root.querySelector(".fields").prepend(...settings(game, saved.variant));
    if (this.others().length) this.checked = this.check();
  }

  touch(control) {
    this.last = control;
    this.checked = null;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => (this.checked ??= this.check()), PAUSE);
  }

  // A switch is remembered at once; typed values once a game starts with them.
  switched() {
    keep(this.key, { variant: recall(this.key, {}).variant, ...this.ticked() });
    this.summarise();
  }

  // The options for a new game.
  wish() {
    const wish = { variant: chosen(this.root), ...this.ticked() };
    keep(this.key, wish);
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
    return get(`/api/variant?${wished}`).catch(() => ({ changes: [] }));
  }

  controls() {
    return [...this.root.querySelectorAll("[data-parameter]")];
  }

  // The controls that do not have their default value.
  others() {
    const { parameters } = this.game;
    return this.controls().filter(({ value }, index) => value !== String(parameters[index].value));
  }

  // {pie: true}
  ticked() {
    const checked = this.ticks.filter((box) => box.checked);
    return Object.fromEntries(checked.map(({ dataset }) => [dataset.option, true]));
  }

  // Shows what is unusual, in words. The forgiving switch is visible anyway.
  summarise() {
    const words = [...this.changes];
    if (this.ticked().pie) words.push("pie rule");
    write(this.card.querySelector(".changed"), capital(words.join("; ")));
  }
}
