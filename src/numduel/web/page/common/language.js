// Texts in the language of the page. English is what the modules say; the translations of another
// language come before them, in a script that the server makes of its file.

/** @typedef {Record<string, string | number>} Values */

const TABLE = 100; // larger numbers have the plural form of their last two digits

/** @type {{messages: Record<string, string[]>, forms: number[]} | undefined} */
const known = /** @type {any} */ (globalThis).texts;

const lang = document.documentElement.lang || "en";
export const locale = lang === "en" ? "en-GB" : lang; // of numbers and dates, as everywhere

/** @param {number} value @param {number} [most] digits after the point */
export const number = (value, most = 0, least = most) => value.toLocaleString(locale,
  { maximumFractionDigits: most, minimumFractionDigits: least });

// {name:de} is French for "of": de Zoé, d’Ada, de l’ordinateur. A name may have a mark of its
// direction before it.
const VOWEL = /^\u2068?([aeiouàâäæéèêëîïôöœùûü]|y[^aeiouéèêë])/i;
const COMPUTER = /^(\u2068?)O(?=rdinateur \()/;

/** @param {string} name */
const ofName = (name) => `${VOWEL.test(name) && !COMPUTER.test(name) ? "d’" : "de "}${
  name.replace(COMPUTER, "$1l’o")}`;

/** @param {string} text @param {Values} values */
const filled = (text, values) => text.replace(/\{(\w+)(:de)?\}/g, (field, name, of) => {
  const value = values[name] ?? field;
  if (typeof value === "number") return number(value);
  return of ? ofName(value) : value;
});

/**
 * A whole sentence, or a text that stands alone: `t("{name} wins.", {name})`.
 * @param {string} message
 * @param {Values} [values]
 */
export const t = (message, values = {}) => filled(known?.messages[message]?.[0] ?? message, values);

// A text that is chosen now and said later, by `t`.
/** @param {string} message */
export const N_ = (message) => message;

/**
 * A text whose English has two meanings: the context says which, and is not shown.
 * @param {string} context
 * @param {string} message
 */
export const pgettext = (context, message) =>
  known?.messages[`${context}\u0004${message}`]?.[0] ?? message;

/**
 * The text for a number of things, which it calls {n}: `plural("{n} move", "{n} moves", 5)`.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Values} [values]
 */
export const plural = (one, many, n, values = {}) => {
  const form = known?.forms[n < TABLE ? n : TABLE + (n % TABLE)] ?? 0;
  const text = known?.messages[one]?.[form] ?? (n === 1 ? one : many);
  return filled(text, { n, ...values });
};

/**
 * A text whose fields are elements, in parts: `around(t("{name} asks to play."), { name: node })`.
 * @param {string} text
 * @param {Record<string, Node>} nodes
 * @returns {(Node | string)[]}
 */
export const around = (text, nodes) =>
  text.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? nodes[part] : part));

// Stands between a label and what it is the label of.
export const COLON = pgettext("between a label and its value", ": ");

/** @param {number | null} part @param {number | null} whole */
export const outOf = (part, whole) => t("{part} of {whole}", { part: part ?? 0, whole: whole ?? 0 });

/** @param {string[]} names of both players */
export const both = ([some, last]) => t("{some} and {last}", { some, last });

// A share from 0 to 1: "92 %".
/** @param {number} share */
export const percent = (share, most = 0) => t("{number} %", { number: number(100 * share, most, 0) });

/** @param {number} seconds since 1970 */
export const timeText = (seconds) => new Date(1000 * seconds)
  .toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** @param {number} seconds since 1970 @param {Intl.DateTimeFormatOptions} options */
export const dateText = (seconds, options) =>
  new Date(1000 * seconds).toLocaleDateString(locale, options);

// -- what nobody has named -------------------------------------------------------------------

// Maps, because a player may be called "constructor", which every object has.
const LEVELS = new Map(Object.entries({
  random: t("random"), easy: t("easy"), medium: t("medium"), hard: t("hard"), perfect: t("perfect"),
}));

/** @param {string} level of the computer */
export const levelText = (level) => LEVELS.get(level) ?? level;

// Such names, which addresses and records have in English, and how they are shown.
/** @type {Map<string, string>} */
const NAMES = new Map();
for (const seat of [1, 2]) NAMES.set(`Player ${seat}`, t("Player {seat}", { seat }));
for (const [key, level] of LEVELS) NAMES.set(`Computer (${key})`, t("Computer ({level})", { level }));

/** @param {string} name */
export const nameText = (name) => NAMES.get(name) ?? name;

/** @param {string} name as it is shown */
export const nameGiven = (name) => [...NAMES].find(([, shown]) => shown === name)?.[0] ?? name;
