// A row for each item of a list that changes while it is read. Rows stay the same elements, so the
// focus stays where it is.

import { become, focused } from "./dom.js";

// make(item) is the row as it is now; paint(row, item) changes it further. Rows are known by the
// key of their item, or else by their place. If the focused row goes, `next` gets the focus.
/**
 * @template T
 * @param {Element} root
 * @param {T[]} items
 * @param {{
 *   key?: (item: T, index: number) => unknown,
 *   make: (item: T, index: number) => HTMLElement,
 *   paint?: (row: HTMLElement, item: T) => void,
 *   next?: HTMLElement | null,
 * }} how
 */
export function rows(root, items, { key = (_, index) => index, make, paint, next = null }) {
  const children = /** @type {HTMLElement[]} */ ([...root.children]);
  const known = new Map(children.map((row) => [row.dataset.key, row]));
  const held = root.contains(focused()) ? focused() : null;
  const wanted = items.map((item, index) => {
    const fresh = make(item, index);
    fresh.dataset.key = String(key(item, index));
    const row = known.get(fresh.dataset.key) ?? fresh;
    if (row !== fresh) become(row, fresh);
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
