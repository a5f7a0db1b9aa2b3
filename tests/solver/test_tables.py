"""Solved games on disk: whole, of these rules and this variant, or not read at all."""

import json
from pathlib import Path

import numpy as np
import pytest

import numduel
from numduel import solver
from numduel.solver import claims, tables

GAME = numduel.game("capture", n=8)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    claims.solve(GAME)  # compiled before there is an empty cache
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    solver.solve(GAME)
    solver._SOLVERS.clear()
    return tables.path(GAME)


def load() -> object:
    how = solver.plan(GAME)
    return tables.load(GAME, how.kind, how.shape)


@pytest.mark.usefixtures("kept")
def test_a_kept_table_is_read_and_used() -> None:
    assert load() is not None
    assert numduel.evaluate(GAME.start()).margin == 4
    assert type(solver._SOLVERS[GAME]).__name__ == "Claims"


@pytest.mark.parametrize("at", [0, 20, -1, -500])
def test_a_damaged_table_is_not_read(kept: Path, at: int) -> None:
    data = bytearray(kept.read_bytes())
    data[at] ^= 1
    kept.write_bytes(data)
    assert load() is None
    assert numduel.evaluate(GAME.start()).margin == 4


@pytest.mark.parametrize("size", [0, 1, 100, 300])
def test_a_table_that_is_cut_short_is_not_read(kept: Path, size: int) -> None:
    kept.write_bytes(kept.read_bytes()[:size])
    assert load() is None


def test_a_table_with_more_than_its_values_is_not_read(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes() + b"\0")
    assert load() is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", 0), ("rules", 1), ("game", "chess"), ("variant", {"n": 9}), ("checksum", 0),
        ("shape", [2, 1]), ("shape", [10**30]), ("shape", "x"), ("type", "float64"),
    ],
)  # fmt: skip
def test_a_table_of_something_else_is_not_read(kept: Path, key: str, value: object) -> None:
    head, _, rest = kept.read_bytes().partition(b"\n")
    header = json.loads(head) | {key: value}
    kept.write_bytes(json.dumps(header).encode() + b"\n" + rest)
    assert load() is None
    assert tables.load(GAME, np.int8) is None


@pytest.mark.parametrize("data", [b"", b"\n", b"[" * 5000, b"null\n", b"{}\n", b"\xff" * 999])
def test_a_file_that_is_no_table_is_not_read(kept: Path, data: bytes) -> None:
    kept.write_bytes(data)
    assert load() is None
    assert tables.load(GAME, np.int8) is None


def test_a_table_that_cannot_be_kept_leaves_the_old_one(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept.read_bytes()

    def full(_: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        solver.solve(GAME)
    assert kept.read_bytes() == before
    assert list(kept.parent.iterdir()) == [kept]
    assert numduel.evaluate(GAME.start()).margin == 4


def test_where_strangers_choose_the_variants_a_table_is_small_and_theirs_are_not_kept(
    kept: Path,
) -> None:
    size = solver.plan(GAME).size
    kept.unlink()
    with solver.limited(size - 1), pytest.raises(solver.TooLarge):
        solver.solve(GAME)
    with solver.limited(size):
        solver.solve(GAME)
        assert not kept.exists()
        usual = type(GAME)()
        solver.solve(usual, limit=solver.memory())
        assert tables.exists(usual)
    solver.solve(GAME)
    assert kept.exists()
