// Form fields made from the catalogue: the settings of a game, whatever they are.

import { make } from "./dom.js";

export const field = (label, control, look = "field") =>
  make("label", { class: look }, make("span", {}, label), control);

export const choose = (options, value, attributes = {}) =>
  make(
    "select",
    attributes,
    ...options.map(([key, text]) => make("option", { value: key, selected: key === value }, text)),
  );

export const tick = (label, checked, attributes = {}) =>
  make(
    "label",
    { class: "tick" },
    make("input", { type: "checkbox", checked, ...attributes }),
    make("span", {}, label),
  );

// One control a parameter of the variant; `values` are the ones chosen before.
export const settings = (game, values = {}) =>
  game.parameters.map((parameter) => {
    const { name, meaning, low, high, words } = parameter;
    const value = values[name] ?? parameter.value;
    const attributes = { "data-parameter": name };
    const control = words.length
      ? choose(words.map((word) => [word, word]), value, attributes)
      : make("input", {
          type: "number", inputmode: "numeric", min: low, max: high, value, required: true,
          ...attributes,
        });
    const range = words.length ? "" : ` (${low} to ${high})`;
    return field(`${meaning}${range}`, control);
  });

// What the controls say now: {n: 21}.
export const chosen = (root) =>
  Object.fromEntries(
    [...root.querySelectorAll("[data-parameter]")].map((control) => [
      control.dataset.parameter,
      control.type === "number" ? Number(control.value) : control.value,
    ]),
  );

// Says in the browser's own words what is wrong with a number, and whether all is well.
export const valid = (root) =>
  [...root.querySelectorAll("input")].every((control) => control.reportValidity());
