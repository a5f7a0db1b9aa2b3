// What this browser remembers between visits, if it allows storage.

const PREFIX = "numduel.";
const RECENT = 12;

const browser = () => localStorage;
export const tab = () => sessionStorage; // until it is closed

/**
 * @param {string} key
 * @param {any} [otherwise]
 * @param {() => Storage} [where]
 * @returns {any}
 */
export function recall(key, otherwise, where = browser) {
  try {
    return JSON.parse(where().getItem(PREFIX + key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {() => Storage} [where] */
export function keep(key, value, where = browser) {
  try {
    if (value == null) where().removeItem(PREFIX + key);
    else where().setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A private window or a full disk: then nothing is remembered.
  }
}

// The rest of every key that begins like this.
/** @param {string} start @returns {string[]} */
export function recallKeys(start) {
  try {
    const [kept, whole] = [browser(), PREFIX + start];
    const keys = Array.from({ length: kept.length }, (_, index) => kept.key(index) ?? "");
    return keys.filter((key) => key.startsWith(whole)).map((key) => key.slice(whole.length));
  } catch {
    return [];
  }
}

// What is stored may be anything.
/** @param {string} key @param {(item: any) => boolean} valid @returns {any[]} */
export function recallList(key, valid) {
  const found = recall(key, []);
  return Array.isArray(found) ? found.filter(valid) : [];
}

// The numbers of a lesson's finished steps.
/**
 * @param {string} name
 * @returns {number[]}
 */
export const done = (name) => recallList(`lesson.${name}`, Number.isInteger);

// The ids of games that may go on. The right to a seat is a cookie that scripts cannot read.
/** @returns {string[]} */
export const recent = () => recallList("recent", (id) => typeof id === "string");

/** @param {string} id */
export function remember(id) {
  keep("recent", [id, ...recent().filter((other) => other !== id)].slice(0, RECENT));
}

/** @param {string} id */
export const forget = (id) => keep("recent", recent().filter((other) => other !== id));
