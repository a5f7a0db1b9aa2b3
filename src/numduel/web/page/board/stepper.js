// The buttons that step through moves. The arrow keys do the same, but on tiles only after a mouse
// press, as keyboard users need them there.

import { button, make, set } from "../common/dom.js";
import { t } from "../common/language.js";

const STEPS = [
  ["start", "|◀", t("The start")],
  ["back", "◀", t("One move back")],
  ["on", "▶", t("One move on")],
  ["end", "▶|", t("The newest move")],
];
const KEYS = { ArrowLeft: "back", ArrowRight: "on" };

// can(step): whether a step leads anywhere; go(step) takes it. Returns a function that shows which
// steps can be taken.
export function stepper(place, can, go) {
  let mouse = false;
  const take = (step) => can(step) && go(step);
  const buttons = STEPS.map(([step, sign, label]) =>
    button(make("span", { "aria-hidden": "true" }, sign), () => take(step), {
      class: "button small", "data-step": step, "aria-label": label, title: label,
    }));

  function key(event) {
    const { key, ctrlKey, altKey, metaKey, shiftKey, target } = event;
    if (!(key in KEYS)) mouse = false;
    if (!(key in KEYS) || ctrlKey || altKey || metaKey || shiftKey) return;
    if (target.closest("input, select, textarea, dialog, [popover]")) return;
    if (target.closest(".cells") && !mouse) return;
    event.preventDefault();
    event.stopPropagation();
    take(KEYS[key]);
  }

  place.classList.add("stepper");
  set(place, "role", "group");
  set(place, "aria-label", t("Step through the moves. The arrow keys work too."));
  place.append(...buttons);
  addEventListener("pointerdown", () => (mouse = true));
  addEventListener("keydown", key, { capture: true });
  return () => buttons.forEach((one) =>
    set(one, "aria-disabled", can(one.dataset.step) ? null : "true"));
}
