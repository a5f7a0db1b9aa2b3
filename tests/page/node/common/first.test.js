// What every page does first: the theme, and the colour of the browser around the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { happen, open } from "../browser.js";

open("/", { theme: "select" });
for (const value of ["", "light", "dark", "contrast"]) {
  const option = document.createElement("option");
  option.setAttribute("value", value);
  document.getElementById("theme").append(option);
}
const metas = ["#light", "#dark"].map((colour) => {
  const meta = document.createElement("meta");
  meta.setAttribute("name", "theme-color");
  meta.setAttribute("content", colour);
  document.body.append(meta);
  return meta;
});
const root = document.documentElement;
matchMedia("").matches = false; // the system has no wish
globalThis.getComputedStyle = () => ({ backgroundColor: `that of ${root.dataset.theme}` });

await import("#page/common/first.js");
const { keep } = await import("#page/common/storage.js");
happen("DOMContentLoaded");
happen("load");
const around = () => metas.map((meta) => meta.getAttribute("content"));

test("the browser around the page has the colour of the theme, and then the system's again", () => {
  const choice = document.getElementById("theme");
  assert.deepEqual(around(), ["#light", "#dark"]);
  for (const [theme, colours] of [
    ["dark", ["that of dark", "that of dark"]], ["", ["#light", "#dark"]],
  ]) {
    choice.value = theme;
    choice.happen("change");
    assert.deepEqual(around(), colours);
  }
});

test("a theme that another tab has chosen is that of this page too", () => {
  keep("theme", "light");
  happen("storage", { key: "numduel.theme" });
  assert.deepEqual(around(), ["that of light", "that of light"]);
  keep("theme", "");
  happen("storage", { key: "numduel.theme" });
  assert.deepEqual(around(), ["#light", "#dark"]);
});
