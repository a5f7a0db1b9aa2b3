// Where the tiles of a board lie: as large as the screen and the kind of layout allow.

const COMFORTABLE = 96; // a path is broken into rows only as tiles of this size need,
const ACROSS = 6; // or, on a small screen, of this many across
const LARGEST = 128;
const SCROLLED = 76; // the largest tile where the board scrolls
const HEAD = 80; // the row of the last number where there is no room for a ring
const TAIL = 2; // the tiles whose places it takes where there is no room for that either
const LARGE = 30; // more numbers than this stand in rows of ten, where they are easier to find

// The number of tiles, the room for them, and how small one may be.
/** @typedef {{ count: number, width: number, height: number, gap: number, scale: number,
 *   smallest: number }} Room */

// headed: with the last number in a row above the tiles; tailed: with it at the end of their last
// row.
/**
 * @param {Pick<Server.Layout, "kind"> & Partial<Server.Layout>} layout
 * @param {Room} room
 * @returns {Shape}
 */
export function shape({ kind, columns }, room) {
  if (kind === "path") return path(room);
  if (kind !== "spokes") return grid(room, columns);
  return ring(room) ?? headed(room);
}

// Rows, and the last number above them. Where they would not be on the screen together, it takes the
// end of the last row, if there is a way without scrolling.
/** @param {Room} room */
function headed(room) {
  const below = { ...room, height: room.height - HEAD * room.scale };
  const found = grid(below);
  if (found.rows * (found.size + room.gap) - room.gap <= below.height) return { ...found, headed: true };
  const close = [...ways({ ...room, count: room.count + TAIL })].reduce(larger);
  if (close.size < room.smallest) return { ...found, headed: true };
  return { ...close, places: inRows(room.count, close.columns), tailed: true };
}

// A table of columns and rows with the largest tile that fits.
/** @param {Room} room */
function table({ width, height, gap, scale }, columns, rows) {
  const across = (width - gap * (columns - 1)) / columns;
  const down = (height - gap * (rows - 1)) / rows;
  return { columns, rows, size: Math.floor(Math.min(across, down, LARGEST * scale)) };
}

// Every way to arrange the tiles in rows of equal length.
/** @param {Room} room */
function* ways(room) {
  for (let rows = 1; rows <= room.count; rows += 1) {
    const columns = Math.ceil(room.count / rows);
    if (Math.ceil(room.count / columns) === rows) yield table(room, columns, rows);
  }
}

const larger = (one, other) => (other.size > one.size ? other : one);

/** @param {Room} room */
function largest(room) {
  const found = [...ways(room)].reduce(larger);
  return found.size >= room.smallest ? found : widest(room);
}

// Where the screen is too low for all tiles: rows as wide as the screen, and the player scrolls.
/** @param {Room} room */
function widest({ count, ...room }) {
  const most = Math.floor((room.width + room.gap) / (room.smallest + room.gap));
  const rows = Math.ceil(count / Math.max(1, most));
  const columns = count > LARGE && most >= 10 ? 10 : Math.ceil(count / rows);
  const { size } = table({ ...room, count, height: Infinity }, columns, 1);
  return { columns, rows: Math.ceil(count / columns), size: Math.min(size, SCROLLED * room.scale) };
}

/** @param {Room} room @param {number | null} [natural] */
function grid(room, natural) {
  const wanted = natural ?? (room.count > LARGE ? 10 : 0);
  const whole = wanted && table(room, wanted, Math.ceil(room.count / wanted));
  const found = whole && whole.size >= room.smallest ? whole : largest(room);
  return { ...found, places: inRows(room.count, found.columns) };
}

// One line; where it must be broken it turns like a snake, so neighbours stay neighbours.
/** @param {Room} room */
function path(room) {
  const wanted = Math.min(COMFORTABLE * room.scale, room.width / ACROSS);
  const least = Math.max(room.smallest, Math.floor(wanted));
  const found = [...ways(room)].find(({ size }) => size >= least) ?? largest(room);
  const places = inRows(room.count, found.columns).map(({ row, column }) =>
    ({ row, column: row % 2 ? found.columns - 1 - column : column }));
  return { ...found, places, linked: true };
}

const inRows = (count, columns) =>
  Array.from({ length: count }, (_, index) =>
    ({ row: Math.floor(index / columns), column: index % columns }));

// Clockwise around the edge of a rectangle; null if the tiles would be too small.
/** @param {Room} room */
function ring(room) {
  const half = Math.max(6, Math.ceil(room.count / 2) + 2); // columns and rows together
  const found = Array.from({ length: half - 5 }, (_, index) => index + 3)
    .map((rows) => table(room, half - rows, rows))
    .reduce(larger);
  if (found.size < room.smallest) return null;
  return { ...found, places: around(room.count, found), ring: true };
}

function around(count, { columns, rows }) {
  const [right, low] = [columns - 1, rows - 1];
  return Array.from({ length: count }, (_, index) => {
    if (index < right) return { row: 0, column: index };
    if (index < right + low) return { row: index - right, column: right };
    if (index < 2 * right + low) return { row: low, column: 2 * right + low - index };
    return { row: 2 * (right + low) - index, column: 0 };
  });
}
