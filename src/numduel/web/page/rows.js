// A row for each item of a list that changes while it is read. Rows stay the same elements, so who
// is in one with the keyboard stays there.

// make(item) is a new row; paint(row, item) writes what it tells now. Where the row with the focus
// goes, `next` takes it.
export function rows(root, items, { key, make, paint, next = null }) {
  const known = new Map([...root.children].map((row) => [row.dataset.key, row]));
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
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
  (focused?.isConnected === false ? next : focused)?.focus({ preventScroll: true });
}
