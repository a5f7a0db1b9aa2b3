// The options of a game on its card: what was changed is shown, and what is wrong said beside it.

import { make, write } from "./dom.js";
import { get, query } from "./api.js";
import { chosen, settings, tick, valid, wrong } from "./fields.js";
import { keep, recall } from "./keep.js";

const PAUSE = 400; // milliseconds without typing before the server is asked
const TICKS = {
  pie: ["Pie rule: the second player may take over the first move", "pie rule"],
  forgiving: ["Forgiving: a broken rule is explained, not lost", "forgiving"],
};

export class Options {
  constructor(game) {
    this.game = game;
    const saved = recall(`options.${game.name}`, {});
    const names = game.strict ? ["pie", "forgiving"] : ["pie"];
    this.ticks = names.map((name) => tick(TICKS[name][0], saved[name], { "data-option": name }));
    this.root = make(
      "details",
      { class: "options" },
      make("summary", {}, "Options", make("span", { class: "unseen" }, ` for ${game.title}`)),
      make("div", { class: "fields" }, ...settings(game, saved.variant), ...this.ticks),
    );
    this.changed = make("p", { class: "changed" });
    // While somebody types, not when they leave: what is about to be pressed must not move then.
    this.root.addEventListener("input", ({ target }) => {
      this.summarise();
      if (target.matches("[data-parameter]")) this.touch(target);
    });
    this.summarise();
  }

  touch(control) {
    this.last = control;
    this.checked = null;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => (this.checked ??= this.check()), PAUSE);
  }

  // The options as a new game needs them.
  wish() {
    const variant = chosen(this.root);
    const ticked = Object.fromEntries(this.ticked().map((name) => [name, true]));
    keep(`options.${this.game.name}`, { variant, ...ticked });
    return { variant, ...ticked };
  }

  // Whether a game can be made of them; otherwise leads to what is wrong.
  async valid() {
    await (this.checked ??= this.check());
    // Only a field that is seen can be pointed at.
    this.root.open ||= wrong(this.root) !== undefined;
    return valid(this.root);
  }

  // The server knows which variants there are; what it refuses is said beside what was changed.
  async check() {
    const control = this.last ?? this.others()[0];
    const question = (this.asked = {});
    for (const each of this.controls()) each.setCustomValidity("");
    const refusal = control?.validity.valid ? await this.refusal() : "";
    if (this.asked !== question) return; // something else has been typed meanwhile
    control?.setCustomValidity(refusal);
    wrong(this.root);
  }

  async refusal() {
    const position = query({ name: this.game.name, variant: chosen(this.root) });
    try {
      await get(`/api/position?${position}`);
    } catch (error) {
      if (error.status === 422) return error.message;
    }
    return "";
  }

  controls() {
    return [...this.root.querySelectorAll("[data-parameter]")];
  }

  // The controls that say something else than they do by themselves.
  others() {
    const { parameters } = this.game;
    return this.controls().filter(({ value }, index) => value !== String(parameters[index].value));
  }

  ticked() {
    const boxes = this.root.querySelectorAll("[data-option]:checked");
    return [...boxes].map(({ dataset }) => dataset.option);
  }

  summarise() {
    const variant = this.others().map(({ dataset, value }) => `${dataset.parameter}=${value}`);
    const parts = [variant.join(" "), ...this.ticked().map((name) => TICKS[name][1])];
    write(this.changed, parts.filter(Boolean).join(", "));
  }
}
