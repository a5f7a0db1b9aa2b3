// Where the tiles of a board lie, by the kind of its layout: as large as the screen allows.

const SMALLEST = 44; // CSS pixels, what a finger needs
const COMFORTABLE = 96; // a path is broken no more often than tiles of this size need,
const ACROSS = 6; // or tiles of which so many would fill the width of a small screen
const LARGEST = 128;
const SCROLLED = 76; // the largest tile where not all of them are on the screen at once
const HEAD = 80; // the row of the last number where there is no room for a ring
const LARGE = 30; // numbers; from here on rows of ten: easier to find a number in

// room: { width, height, gap, scale }. The answer has columns, rows, the size of a tile, a place
// { row, column } for each, and whether it is a ring, linked, or headed: with a row above them.
/**
 * @param {Pick<Server.Layout, "kind"> & Partial<Server.Layout>} layout
 * @param {number} count
 * @param {Room} room
 * @returns {Shape}
 */
export function shape({ kind, columns }, count, room) {
  if (kind === "path") return path(count, room);
  if (kind !== "spokes") return grid(count, room, columns);
  const below = { ...room, height: room.height - HEAD * room.scale };
  return ring(count, room) ?? { ...grid(count, below), headed: true };
}

/** @typedef {{ width: number, height: number, gap: number, scale: number }} Room */

// The largest tile with so many columns and rows.
/**
 * @param {number} columns
 * @param {number} rows
 * @param {Room} room
 */
function fit(columns, rows, { width, height, gap, scale }) {
  const across = (width - gap * (columns - 1)) / columns;
  const down = (height - gap * (rows - 1)) / rows;
  return Math.floor(Math.min(across, down, LARGEST * scale));
}

// Every way to put the tiles into rows of equal length.
/**
 * @param {number} count
 * @param {Room} room
 */
function* ways(count, room) {
  for (let rows = 1; rows <= count; rows += 1) {
    const columns = Math.ceil(count / rows);
    if (Math.ceil(count / columns) !== rows) continue;
    yield { columns, rows, size: fit(columns, rows, room) };
  }
}

const larger = (one, other) => (other.size > one.size ? other : one);

/**
 * @param {number} count
 * @param {Room} room
 */
function largest(count, room) {
  const found = [...ways(count, room)].reduce(larger);
  return found.size >= SMALLEST * room.scale ? found : widest(count, room);
}

// Where the screen is too low for all: rows as long as it is wide, and whoever plays scrolls.
/**
 * @param {number} count
 * @param {Room} room
 */
function widest(count, room) {
  const most = Math.floor((room.width + room.gap) / (SMALLEST * room.scale + room.gap));
  const rows = Math.ceil(count / Math.max(1, most));
  const columns = count > LARGE && most >= 10 ? 10 : Math.ceil(count / rows);
  const size = fit(columns, 1, { ...room, height: Infinity });
  return { columns, rows: Math.ceil(count / columns), size: Math.min(size, SCROLLED * room.scale) };
}

/**
 * @param {number} count
 * @param {Room} room
 * @param {number | null} [natural]
 */
function grid(count, room, natural) {
  const wanted = natural ?? (count > LARGE ? 10 : 0);
  const size = wanted ? fit(wanted, Math.ceil(count / wanted), room) : 0;
  const found = size >= SMALLEST * room.scale
    ? { columns: wanted, rows: Math.ceil(count / wanted), size }
    : largest(count, room);
  return { ...found, places: inRows(count, found.columns) };
}

// One line; where it must be broken, it turns round like a snake: neighbours stay neighbours.
/**
 * @param {number} count
 * @param {Room} room
 */
function path(count, room) {
  const wanted = Math.min(COMFORTABLE * room.scale, room.width / ACROSS);
  const least = Math.max(SMALLEST * room.scale, Math.floor(wanted));
  const whole = [...ways(count, room)].find(({ size }) => size >= least);
  const found = whole ?? largest(count, room);
  const places = inRows(count, found.columns).map(({ row, column }) =>
    ({ row, column: row % 2 ? found.columns - 1 - column : column }));
  return { ...found, places, linked: true };
}

/**
 * @param {number} count
 * @param {number} columns
 */
function inRows(count, columns) {
  return Array.from({ length: count }, (_, index) =>
    ({ row: Math.floor(index / columns), column: index % columns }));
}

// All around the edge of a rectangle, clockwise; null if the tiles would be too small.
/**
 * @param {number} count
 * @param {Room} room
 */
function ring(count, room) {
  const half = Math.max(6, Math.ceil(count / 2) + 2); // columns and rows together
  const found = Array.from({ length: half - 5 }, (_, index) => index + 3)
    .map((rows) => ({ columns: half - rows, rows, size: fit(half - rows, rows, room) }))
    .reduce(larger);
  if (found.size < SMALLEST * room.scale) return null;
  return { ...found, places: around(count, found), ring: true };
}

/**
 * @param {number} count
 * @param {{ columns: number, rows: number }} found
 */
function around(count, { columns, rows }) {
  const [right, low] = [columns - 1, rows - 1];
  return Array.from({ length: count }, (_, index) => {
    if (index < right) return { row: 0, column: index };
    if (index < right + low) return { row: index - right, column: right };
    if (index < 2 * right + low) return { row: low, column: 2 * right + low - index };
    return { row: 2 * (right + low) - index, column: 0 };
  });
}
