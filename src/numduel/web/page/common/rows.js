// A row for each item of a list that changes while it is read. Rows stay the same elements, so who
// is in one with the keyboard stays there.

import { focused } from "./dom.js";

// make(item) is a new row; paint(row, item) writes what it tells now. Where the row with the focus
// goes, `next` takes it.
/**
 * @template T
 * @param {HTMLElement} root
 * @param {T[]} items
 * @param {{
 *   key: (item: T) => unknown,
 *   make: (item: T) => HTMLElement,
 *   paint: (row: HTMLElement, item: T) => void,
 *   next?: HTMLElement | null,
 * }} how
 */
export function rows(root, items, { key, make, paint, next = null }) {
  const children = /** @type {HTMLElement[]} */ ([...root.children]);
  const known = new Map(children.map((row) => [row.dataset.key, row]));
  const held = root.contains(focused()) ? focused() : null;
  const wanted = items.map((item) => {
    const name = String(key(item));
    const row = known.get(name) ?? make(item);
    row.dataset.key = name;
    paint(row, item);
    return row;
  });
  const same = wanted.length === known.size && wanted.every((row, at) => row === root.children[at]);
  if (same) return;
  root.replaceChildren(...wanted);
  (held?.isConnected === false ? next : held)?.focus({ preventScroll: true });
}
