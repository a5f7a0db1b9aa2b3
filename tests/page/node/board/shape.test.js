// Where tiles lie: on every screen, for every number of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shape as laid } from "#page/board/shape.js";

const shape = (layout, count, room) => laid(layout, { ...room, count });

const SCREENS = [
  { width: 320, height: 300 }, { width: 360, height: 500 }, { width: 390, height: 120 },
  { width: 768, height: 700 }, { width: 1200, height: 600 }, { width: 1200, height: 90 },
];
const ROOMS = SCREENS.flatMap((screen) =>
  [1, 1.5].map((scale) => ({ ...screen, gap: 8, scale, smallest: 44 * scale })));
const COUNTS = Array.from({ length: 120 }, (_, index) => index + 1);
const KINDS = ["grid", "path", "spokes"];

const room = (width, height, scale = 1) =>
  ({ width, height, gap: 8, scale, smallest: 44 * scale });
const place = ({ row, column }) => `${row} ${column}`;

function* everywhere(kinds = KINDS) {
  for (const kind of kinds) {
    for (const count of COUNTS) {
      for (const at of ROOMS) {
        yield { count, at, found: shape({ kind, columns: null }, count, at),
          what: `${count} tiles as ${kind} in ${JSON.stringify(at)}` };
      }
    }
  }
}

test("every tile has a place of its own within the rows and columns", () => {
  for (const { count, found, what } of everywhere()) {
    assert.equal(new Set(found.places.map(place)).size, count, what);
    for (const { row, column } of found.places) {
      assert.ok(row >= 0 && row < found.rows && column >= 0 && column < found.columns, what);
    }
  }
});

test("no row or column is empty", () => {
  for (const { found, what } of everywhere(["grid", "path"])) {
    assert.equal(new Set(found.places.map(({ row }) => row)).size, found.rows, what);
    assert.equal(new Set(found.places.map(({ column }) => column)).size, found.columns, what);
  }
});

test("the tiles are as wide as the screen at most, and what a finger needs at least", () => {
  for (const { at, found, what } of everywhere()) {
    assert.ok(found.columns * (found.size + at.gap) - at.gap <= at.width, what);
    assert.ok(found.size >= 44 * at.scale, what);
    assert.ok(found.size <= 128 * at.scale, what);
  }
});

test("tiles with values are as large as the values need", () => {
  const phone = { ...room(288, 200), smallest: 52 };
  for (const kind of KINDS) assert.ok(shape({ kind, columns: null }, 20, phone).size >= 52, kind);
});

test("all tiles are on the screen where that leaves them large enough for a finger", () => {
  for (const { count, at, found, what } of everywhere(["grid"])) {
    if (count > 30) continue;
    const least = 44 * at.scale + at.gap;
    const [across, down] = [at.width, at.height].map((size) => Math.floor((size + at.gap) / least));
    if (across * down < count || down < Math.ceil(count / across)) continue;
    assert.ok(found.rows * (found.size + at.gap) - at.gap <= at.height, what);
  }
});

test("a few numbers stand in the rows in which they are largest", () => {
  const { columns, rows, size } = shape({ kind: "grid", columns: null }, 12, room(400, 300));
  assert.deepEqual([columns, rows, size], [4, 3, 94]);
});

test("from 31 on they stand in rows of ten, where there is room", () => {
  assert.equal(shape({ kind: "grid", columns: null }, 30, room(1000, 600)).columns, 8);
  assert.equal(shape({ kind: "grid", columns: null }, 31, room(1000, 600)).columns, 10);
  assert.equal(shape({ kind: "grid", columns: null }, 40, room(360, 200)).columns, 7);
});

test("a game that wants so many columns has them, where there is room", () => {
  assert.equal(shape({ kind: "grid", columns: 5 }, 20, room(400, 400)).columns, 5);
  assert.notEqual(shape({ kind: "grid", columns: 20 }, 20, room(360, 400)).columns, 20);
});

test("where not all are on the screen, no tile is larger than 76", () => {
  const { columns, size } = shape({ kind: "grid", columns: null }, 6, room(500, 40));
  assert.deepEqual([columns, size], [6, 76]);
});

test("neighbours on a path are neighbours on the screen", () => {
  for (const { found, what } of everywhere(["path"])) {
    assert.ok(found.linked, what);
    found.places.slice(1).forEach(({ row, column }, index) => {
      const before = found.places[index];
      assert.equal(Math.abs(row - before.row) + Math.abs(column - before.column), 1, what);
    });
  }
});

test("a path is broken no more often than comfortable tiles need", () => {
  assert.equal(shape({ kind: "path" }, 10, room(1100, 600)).rows, 1);
  assert.equal(shape({ kind: "path" }, 12, room(1100, 600)).rows, 2);
  assert.equal(shape({ kind: "path" }, 12, room(360, 600)).columns, 4);
});

test("a ring goes once around, and leaves its middle free", () => {
  for (const { found, what } of everywhere(["spokes"])) {
    if (!found.ring) continue;
    const edge = ({ row, column }) =>
      row === 0 || column === 0 || row === found.rows - 1 || column === found.columns - 1;
    assert.ok(found.places.every(edge), what);
    assert.ok(found.rows >= 3 && found.columns >= 3, what);
    found.places.slice(1).forEach(({ row, column }, index) => {
      const before = found.places[index];
      assert.equal(Math.abs(row - before.row) + Math.abs(column - before.column), 1, what);
    });
    assert.deepEqual(found.places[0], { row: 0, column: 0 }, what);
  }
  assert.ok(shape({ kind: "spokes" }, 20, room(768, 700)).ring);
  const { columns, rows } = shape({ kind: "spokes" }, 8, room(768, 700));
  assert.deepEqual([columns, rows], [3, 3]);
});

test("where there is no room for a ring, the last number stands in a row above the others", () => {
  const found = shape({ kind: "spokes" }, 40, room(360, 500));
  assert.ok(found.headed && !found.ring);
  const below = shape({ kind: "grid" }, 40, room(360, 420));
  assert.deepEqual(found, { ...below, headed: true }, "which takes 80 of the height");
  const low = shape({ kind: "spokes" }, 16, room(230, 300));
  assert.equal(low.size, 49);
});

test("where that row would push tiles off the screen, the last number ends their last row", () => {
  const found = shape({ kind: "spokes" }, 20, room(310, 220));
  assert.ok(found.tailed && !found.headed && !found.ring);
  assert.ok(found.size >= 44 && found.rows * (found.size + 8) - 8 <= 220);
  const last = found.places.filter(({ row }) => row === found.rows - 1);
  assert.ok(found.columns - last.length >= 2, "two places are free for it");
  assert.ok(shape({ kind: "spokes" }, 60, room(310, 220)).headed, "or else the board scrolls");
});
