// Form fields for the settings of a game, made from the catalogue.

import { byId, make, set, write } from "./dom.js";
import { t } from "./language.js";

export const field = (label, control, look = "field") =>
  make("label", { class: look }, make("span", {}, label), control);

export const choose = (options, value, attributes = {}) =>
  make(
    "select",
    attributes,
    ...options.map(([key, text]) => make("option", { value: key, selected: key === value }, text)),
  );

// A control for each parameter of a game, with a place for its error; `values` were chosen before.
/**
 * @param {Server.Rules} game
 * @param {Record<string, any>} [values]
 */
export const settings = (game, values = {}) =>
  game.parameters.map((parameter) => {
    const { name, meaning, low, high, words, labels } = parameter;
    const value = values[name] ?? parameter.value;
    const said = `wrong-${game.name}-${name}`;
    const attributes = { "data-parameter": name, "aria-describedby": said };
    const control = words.length
      ? choose(words.map((word, at) => [word, labels[at]]), value, attributes)
      : make("input", {
          type: "number", inputmode: "numeric", min: low, max: high, value, required: true,
          ...attributes,
        });
    const range = t("{low} to {high}", { low, high });
    return make("div", {},
      field(words.length ? meaning : `${meaning} (${range})`, control),
      make("p", { id: said, class: "wrong", role: "alert" }));
  });

// The values of the controls: {n: 21}.
export const chosen = (root) =>
  Object.fromEntries(
    [...root.querySelectorAll("[data-parameter]")].map((control) => [
      control.dataset.parameter,
      control.type === "number" ? Number(control.value) : control.value,
    ]),
  );

// Shows beside every control what is wrong with it: a number in our words, as the browser may speak
// another language than the page; what the server refuses in its words (the custom validity). Returns the first invalid control.
export function wrong(root) {
  const controls = [...root.querySelectorAll("[data-parameter]")];
  for (const control of controls) {
    write(place(control), refusal(control));
    set(control, "aria-invalid", control.validity.valid ? null : "true");
  }
  return controls.find((control) => !control.validity.valid);
}

function refusal({ type, min: low, max: high, validity, validationMessage }) {
  if (validity.valid || validity.customError || type !== "number") return validationMessage;
  return t("Please type a whole number from {low} to {high}.", { low, high });
}

// Checks a control again that was wrong and has changed.
export function recheck(root, control) {
  if (control.hasAttribute("aria-invalid")) wrong(root);
}

const place = (control) => byId(control.getAttribute("aria-describedby"));

// Whether all controls are valid; otherwise focuses the first that is not.
export function valid(root) {
  const found = wrong(root);
  found?.focus();
  if (found) place(found).scrollIntoView({ block: "nearest" });
  return !found;
}
