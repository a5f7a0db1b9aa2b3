// Texts in the language of the page. English is what the modules say; the translations of another
// language come before them, in a script that the server makes of its file.

/** @typedef {Record<string, string | number>} Values */

const TABLE = 100; // larger numbers have the plural form of their last two digits

/** @type {{messages: Record<string, string[]>, forms: number[]} | undefined} */
const known = /** @type {any} */ (globalThis).texts;

/** @param {string} text @param {Values} values */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) =>
  name in values ? String(values[name]) : field);

/**
 * A whole sentence, or a text that stands alone: `t("{name} wins.", {name})`.
 * @param {string} message
 * @param {Values} [values]
 */
export const t = (message, values = {}) => filled(known?.messages[message]?.[0] ?? message, values);

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
