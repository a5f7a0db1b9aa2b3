// The options of a game on its card: what was changed is shown, and what is wrong said beside it.

import { capital, write } from "./dom.js";
import { get, query } from "./api.js";
import { chosen, settings, valid, wrong } from "./fields.js";
import { keep, recall } from "./storage.js";

const PAUSE = 400; // milliseconds without typing before the server is asked

export class Options {
  // kind: what they are kept for, apart from all else.
  constructor(card, kind = "options") {
    this.card = card;
    this.root = card.querySelector(".options");
    this.key = `${kind}.${card.dataset.game}`;
    this.ticks = [...card.querySelectorAll("[data-option]")];
    this.changes = [];
    const saved = recall(this.key, {});
    for (const box of this.ticks) box.checked = saved[box.dataset.option] === true;
    // While somebody types, not when they leave: what is about to be pressed must not move then.
    card.addEventListener("input", ({ target }) => {
      if (target.matches("[data-parameter]")) this.touch(target);
      else this.switched();
    });
    this.summarise();
  }

  // Add the settings of the game, as the catalogue tells them.
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

  // A switch is remembered at once; what is typed, when a game was made of it.
  switched() {
    keep(this.key, { variant: recall(this.key, {}).variant, ...this.ticked() });
    this.summarise();
  }

  // The options as a new game needs them.
  wish() {
    const wish = { variant: chosen(this.root), ...this.ticked() };
    keep(this.key, wish);
    return wish;
  }

  // Whether a game can be made of them; otherwise leads to what is wrong.
  async valid() {
    await (this.checked ??= this.check());
    // Only a field that is seen can be pointed at.
    this.root.open ||= wrong(this.root) !== undefined;
    return valid(this.root);
  }

  // The server knows which variants there are, and their words; what it refuses is said beside
  // what was changed.
  async check() {
    const control = this.last ?? this.others()[0];
    const question = (this.asked = {});
    for (const each of this.controls()) each.setCustomValidity("");
    const answer = control?.validity.valid ? await this.ask() : { changes: [] };
    if (this.asked !== question) return; // something else has been typed meanwhile
    control?.setCustomValidity(answer.refusal ?? "");
    wrong(this.root);
    this.changes = answer.changes;
    this.summarise();
  }

  // Where there is no answer, the game that is asked for says what is wrong.
  /** @returns {Promise<{ changes: string[], refusal?: string | null }>} */
  async ask() {
    const wished = query({ name: this.game.name, variant: chosen(this.root) });
    return get(`/api/variant?${wished}`).catch(() => ({ changes: [] }));
  }

  controls() {
    return [...this.root.querySelectorAll("[data-parameter]")];
  }

  // The controls that say something else than they do by themselves.
  others() {
    const { parameters } = this.game;
    return this.controls().filter(({ value }, index) => value !== String(parameters[index].value));
  }

  // {pie: true}
  ticked() {
    const checked = this.ticks.filter((box) => box.checked);
    return Object.fromEntries(checked.map(({ dataset }) => [dataset.option, true]));
  }

  // What is not as usual, in words. The forgiving switch is seen anyway.
  summarise() {
    const words = [...this.changes];
    if (this.ticked().pie) words.push("pie rule");
    write(this.card.querySelector(".changed"), capital(words.join("; ")));
  }
}
