// Texts in German, whose dictionary comes before the modules as on a page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../browser.js";

open("/");
document.documentElement.lang = "de";
globalThis.texts = {
  messages: {
    "{name} wins.": ["{name} gewinnt."],
    "{n} move": ["{n} Zug", "{n} Züge"],
    "of a game\u0004Start": ["Anfang"],
    "{name} asks to play.": ["Darf {name} mitspielen?"],
    "{number} %": ["{number} %"],
    "Computer ({level})": ["Rechner ({level})"],
    "Player {seat}": ["Spieler {seat}"],
    "Cards of {name}": ["Cartes {name:de}"],
    easy: ["leicht"],
  },
  forms: Array.from({ length: 200 }, (_, n) => Number(n !== 1)),
};
const said = await import("#page/common/language.js");
const { t, plural, pgettext } = said;
const { query } = await import("#page/common/api.js");

test("a text is told in the language of the page, filled with values", () => {
  assert.equal(t("{name} wins.", { name: "Ada" }), "Ada gewinnt.");
  assert.equal(t("{name} loses {n}.", { name: "Ada", n: 1234 }), "Ada loses 1.234.", "or in English");
  assert.equal(t("{name} wins."), "{name} gewinnt.", "without a value its place stays");
});

test("French shortens of before a vowel", () => {
  assert.deepEqual(["Ada", "\u2068Élodie\u2069", "Yves", "Zoé", "Yanis"].map((name) => t("Cards of {name}", { name })),
    ["Cartes d’Ada", "Cartes d’\u2068Élodie\u2069", "Cartes d’Yves", "Cartes de Zoé", "Cartes de Yanis"]);
  assert.deepEqual(["Ordinateur (facile)", "\u2068Ordinateur (facile)\u2069"].map((name) => t("Cards of {name}", { name })),
    ["Cartes de l’ordinateur (facile)", "Cartes de \u2068l’ordinateur (facile)\u2069"]);
});

test("a number of things has the form that it has there", () => {
  assert.deepEqual([0, 1, 2, 101, 1001].map((n) => plural("{n} move", "{n} moves", n)),
    ["0 Züge", "1 Zug", "2 Züge", "101 Züge", "1.001 Züge"]);
  assert.deepEqual([1, 2].map((n) => plural("{n} day", "{n} days", n)), ["1 day", "2 days"]);
});

test("one English text may have two meanings", () => {
  assert.equal(pgettext("of a game", "Start"), "Anfang");
  assert.equal(pgettext("a button", "Start"), "Start");
});

test("an element stands where its name does", () => {
  const node = document.createElement("strong");
  assert.deepEqual(said.around(t("{name} asks to play."), { name: node }), ["Darf ", node, " mitspielen?"]);
});

test("numbers, shares, days and times are written as people there do", () => {
  assert.equal(said.number(3.14, 1), "3,1");
  assert.deepEqual([said.percent(0.916), said.percent(0.1176, 1), said.percent(0.5, 1)],
    ["92 %", "11,8 %", "50 %"]);
  assert.equal(said.dateText(1_800_000_000, { dateStyle: "medium" }), "15.01.2027");
  assert.match(said.timeText(1_800_000_000), /^\d\d:\d\d$/);
});

test("names that nobody gave are translated, and no others", () => {
  assert.deepEqual(["Player 2", "Computer (easy)", "Computer (Ada)", "Player 3", "Ada"].map(said.nameText),
    ["Spieler 2", "Rechner (leicht)", "Computer (Ada)", "Player 3", "Ada"]);
  assert.deepEqual(["easy", "human"].map(said.levelText), ["leicht", "human"]);
  assert.deepEqual(["Spieler 2", "Rechner (leicht)", "Ada"].map(said.nameGiven),
    ["Player 2", "Computer (easy)", "Ada"]);
  const address = new URLSearchParams(query({ name: "duel", names: ["Spieler 1", "Rechner (leicht)"] }));
  assert.deepEqual([...address], [["game", "duel"], ["name2", "Computer (easy)"]], "as addresses are");
});

test("a player may be called what every object has", () => {
  for (const name of ["constructor", "toString", "valueOf", "__proto__"]) {
    assert.deepEqual([said.nameText(name), said.nameGiven(name), said.levelText(name)], [name, name, name]);
  }
});
