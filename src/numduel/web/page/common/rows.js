// A row for each item of a list that changes while it is read. Rows stay the same elements, so who
// is in one with the keyboard stays there.

import { focused } from "./dom.js";

// make(item) is a new row; paint(row, item) writes what it tells now. Rows are known by the key of
// their item, or else by their place. Where the row with the focus goes, `next` takes it.
/**
 * @template T
 * @param {Element} root
 * @param {T[]} items
 * @param {{
 *   key?: (item: T, index: number) => unknown,
 *   make: (item: T) => HTMLElement,
 *   paint?: (row: any, item: T) => void,
 *   next?: HTMLElement | null,
 * }} how
 */
export function rows(root, items, { key = (_, index) => index, make, paint, next = null }) {
  const children = /** @type {HTMLElement[]} */ ([...root.children]);
  const known = new Map(children.map((row) => [row.dataset.key, row]));
  const held = root.contains(focused()) ? focused() : null;
  const wanted = items.map((item, index) => {
    const name = String(key(item, index));
    const row = known.get(name) ?? make(item);
    row.dataset.key = name;
    paint?.(row, item);
    return row;
  });
  for (const row of children.filter((one) => !wanted.includes(one))) row.remove();
  wanted.forEach((row, place) => {
    const here = root.children[place];
    if (here !== row) root.insertBefore(row, here ?? null);
  });
  (held?.isConnected === false ? next : held)?.focus({ preventScroll: true });
}
