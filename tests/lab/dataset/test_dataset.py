"""Positions with exact answers: true, without repetition, the same every time, and loaded by name.

``pytest tests/lab/dataset/test_dataset.py --rewrite`` writes the sample in ``docs/dataset`` anew.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numduel_examples.pile import Pile
from numduel_examples.reach import Reach

import numduel
import numduel.lab.dataset
from numduel import BadVariant, Game, State
from numduel.extras import install
from numduel.lab.dataset import COLUMNS, Part, draw, read_weights, write
from numduel.lab.dataset.decisions import PHASES, Decision
from numduel.lab.dataset.splits import assigned, shared, signature
from numduel.learn.ideas import PATTERNS, lists, preferred, vocabulary
from numduel.solver import analyse
from numduel.terminal.app import app

parquet = pytest.importorskip("pyarrow.parquet")
SAMPLE = Path(__file__).parents[3] / "docs" / "dataset"
EVEN = {"train": 1, "test": 1}


def rows(folder: Path, split: str = "*") -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob(f"data/*/{split}.jsonl")):
        yield from map(json.loads, path.read_text("utf-8").splitlines())


def reached(row: dict[str, Any]) -> State:
    """The state that a row is about."""
    settings = dict(pair.split("=") for pair in row["variant"].split())
    return numduel.game(row["game"], **settings).replay(row["history"])


def seen(state: State) -> str:
    return signature(Decision(state, analyse(state), PHASES[0]))


# -- the sample -----------------------------------------------------------------------------


def test_the_command_on_the_card_makes_the_sample_again(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """JSON lines, rulebooks and card to the byte. Parquet files name the version of Arrow that
    wrote them, so these are compared by what they hold."""
    found = re.search(r"^numduel (dataset .*) FOLDER$", (SAMPLE / "README.md").read_text(), re.M)
    assert found is not None
    again = tmp_path / "again"
    app([*found[1].split(), str(again)], standalone_mode=False)
    if request.config.getoption("--rewrite"):
        shutil.rmtree(SAMPLE)
        shutil.copytree(again, SAMPLE)
    paths = {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    assert paths == {path.relative_to(SAMPLE) for path in SAMPLE.rglob("*") if path.is_file()}
    for path in paths:
        if path.suffix == ".parquet":
            lines = (SAMPLE / path.with_suffix(".jsonl")).read_text("utf-8").splitlines()
            for folder in (SAMPLE, again):
                assert parquet.read_table(folder / path).to_pylist() == [*map(json.loads, lines)]
        else:
            assert (again / path).read_bytes() == (SAMPLE / path).read_bytes(), path


def test_every_row_says_what_is_true_of_its_position() -> None:
    for row in rows(SAMPLE):
        state = reached(row)
        values = {str(option.move): option for option in analyse(state)}
        assert [*row] == [column.name for column in COLUMNS]
        assert row["legal_moves"] == [str(move) for move in state.legal_moves]
        assert row["regrets"] == [
            pytest.approx(values[move].loss, abs=1e-11) for move in row["legal_moves"]
        ]
        assert row["best_moves"] == [
            move for move, lost in zip(row["legal_moves"], row["regrets"], strict=True) if lost == 0
        ]
        assert max(row["regrets"]) > 0
        best = analyse(state)[0]
        assert row["win_probability"] == pytest.approx(best.win_probability, abs=1e-11)
        assert (row["margin"], row["plies"]) == (best.margin, best.plies)
        assert (row["board"], row["seat"], row["card"]) == (str(state), state.to_move, state.card)


def test_no_smaller_list_of_ideas_finds_the_move() -> None:
    for row in rows(SAMPLE):
        state, best = reached(row), set(row["best_moves"])
        known = {idea.name: idea for idea in vocabulary(state.game)}
        shorter = [
            ideas
            for ideas, _ in lists(state)
            if len(ideas) < len(row["ideas"] or (1, 2, 3)) and not set(ideas) & set(PATTERNS)
        ]
        if row["ideas"]:
            assert {*map(str, preferred(state, *map(known.__getitem__, row["ideas"])))} <= best
        assert (row["idea"] is None) == (row["ideas"] is None)
        assert [*filter(lambda ideas: {*map(str, preferred(state, *ideas))} <= best, shorter)] == []


def test_hugging_face_loads_the_folder_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("datasets", reason="datasets is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    monkeypatch.chdir(SAMPLE.parent.parent)
    found = datasets.load_dataset(str(SAMPLE))
    assert {name: [*split] for name, split in found.items()} == {
        name: [*rows(SAMPLE, name)] for name in ("train", "test")
    }
    page = (SAMPLE.parent / "agents.md").read_text("utf-8")
    snippet = re.search(r"```py\n(from datasets .*?)```", page, re.DOTALL)
    assert snippet is not None
    there: dict[str, Any] = {}
    exec(snippet[1], there)
    assert {row["variant"] for row in there["duels"]} == {"n=11 k=4"}
    assert 0 in there["best"].values()


def test_the_example_of_the_module_is_true() -> None:
    assert doctest.testmod(numduel.lab.dataset).failed == 0


# -- splits ---------------------------------------------------------------------------------

ALIKE = [
    ("duel", "4 6 1", "6 4 9"),  # seen in a mirror
    ("factors", "12 1 13", "12 1 17"),  # primes that nothing but 1 leads to
    ("factors", "8 16 4", "16 8 4"),  # either before the other
    ("build", "6e 3e 7e 4e 8", "7e 4e 6b 3b 8"),  # the same cards, kept the other way round
]


@pytest.mark.parametrize(("name", "one", "other"), ALIKE)
def test_what_is_the_same_by_a_symmetry_has_one_signature(name: str, one: str, other: str) -> None:
    game = numduel.game(name)
    assert seen(game.replay(one)) == seen(game.replay(other))


@pytest.mark.parametrize("game", [numduel.game("duel"), numduel.game("factors", n=14)], ids=str)
def test_splits_share_nothing_not_even_by_a_symmetry(game: Game) -> None:
    splits = draw(game, 80, 5, {"train": 3, "test": 1})
    train, test = ({seen(reached(row)) for row in splits[name]} for name in ("train", "test"))
    assert train
    assert test
    assert not train & test
    taken = [row["position"] for split in splits.values() for row in split]
    assert len(taken) == len(set(taken))


def test_the_first_rows_are_of_every_phase_and_difficulty() -> None:
    for split in draw(numduel.game("line"), 60, 2, EVEN).values():
        assert len(split) == 30
        first = split[:15]
        assert set(Counter(row["phase"] for row in first)) == set(PHASES)
        assert len({row["grade"] for row in first}) >= 4


def test_a_seed_repeats_the_rows_and_another_does_not() -> None:
    game = numduel.game("build", n=4, k=3)
    once = draw(game, 10, 3, EVEN)
    assert once == draw(game, 10, 3, EVEN) != draw(game, 10, 4, EVEN)


@pytest.mark.parametrize("kind", [Pile, Reach])
def test_games_of_other_packages_have_datasets_too(kind: type[Game], tmp_path: Path) -> None:
    game = kind()
    write(tmp_path / "data", [Part(game, draw(game, 10, 1, EVEN))], "numduel dataset")
    found = [*rows(tmp_path / "data")]
    assert found
    assert all(0 in row["regrets"] and max(row["regrets"]) > 0 for row in found)


def test_a_number_is_shared_by_weights_and_the_rest_goes_to_who_lost_most_by_rounding() -> None:
    weights = {"train": 7, "valid": 2, "test": 1}
    parts = [tuple(shared(count, weights).values()) for count in range(11)]
    assert parts == [
        (0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (3, 1, 0), (4, 1, 0),
        (4, 1, 1), (5, 1, 1), (6, 1, 1), (6, 2, 1), (7, 2, 1),
    ]  # fmt: skip


def test_a_split_gets_as_many_kinds_of_positions_as_its_weight_says() -> None:
    weights = {"train": 5, "valid": 2, "test": 1}
    taken = Counter(assigned(f"position {n}", 1, weights) for n in range(4000))
    for name, weight in weights.items():
        share = weight / 8
        assert abs(taken[name] - 4000 * share) < 4 * (4000 * share * (1 - share)) ** 0.5
    again = [assigned(f"position {n}", 2, weights) for n in range(100)]
    assert again != [assigned(f"position {n}", 1, weights) for n in range(100)]


def test_a_split_is_told_by_its_name_and_its_weight() -> None:
    assert read_weights("train=9, valid ,test=1000000") == {
        "train": 9, "valid": 1, "test": 1_000_000,
    }  # fmt: skip
    assert len(read_weights(",".join(f"s{number}" for number in range(8)))) == 8
    with pytest.raises(BadVariant, match="a whole number from 1 to 1000000, not '1000001'"):
        read_weights("train=1000001")


def test_it_is_told_how_many_games_were_played_and_positions_taken() -> None:
    told: list[tuple[str, int, int | None]] = []
    game = numduel.game("duel", n=7)
    splits = draw(game, 6, 3, EVEN, lambda *done: told.append(done))
    assert sum(map(len, splits.values())) == 6
    assert told == [
        *((f"{game.display_name}: playing games", done, 100) for done in range(1, 101)),
        *((f"{game.display_name}: taking positions", done, 6) for done in range(1, 7)),
    ]


# -- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "train,", "Train", "train,train", "all", "a b", "train=", "train=0", "train=x",
             "train=-1", "../x", ",".join(f"s{n}" for n in range(9)), "a" * 400],
)  # fmt: skip
def test_splits_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(BadVariant) as refused:
        read_weights(text)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["duel"], "Name the folder"),
        (["duel", "--out", "."], "exists already"),
        (["duel", "--out", "no/where"], "There is no folder"),
        (["build", "--out", "a" * 300], "cannot be written: File name too long"),
        (["duel:n", "--out", "x"], "KEY=VALUE"),
        (["duel:q=1", "--out", "x"], "no setting 'q'"),
        (["chess", "--out", "x"], "There is no game 'chess'"),
        (["duel:n=3,k=1", "--out", "x"], "no move ever matters"),
        (["duel", "--count", "1", "--out", "x"], "no position of .* for the split"),
        (["duel", "--split", "all", "--out", "x"], "names all splits together"),
        (["duel", "--split", "train,train", "--out", "x"], "is named twice"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_sentence(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(numduel.NumduelError, match=told):
        app(["dataset", *words], standalone_mode=False)
    assert os.listdir(tmp_path) == []


def test_without_pyarrow_there_are_json_lines_and_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    folder = tmp_path / "x"
    app(["dataset", "duel", "--count", "4", "--out", str(folder)], standalone_mode=False)
    assert capsys.readouterr().out.endswith(f"For Parquet, too: {install('dataset')}\n")
    assert len([*rows(folder)]) == 4
    assert not [*folder.rglob("*.parquet")]
    assert "parquet" not in (folder / "README.md").read_text()


def test_a_folder_is_written_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(BadVariant, match="cannot be written: No space left on device"):
        app(["dataset", "duel:n=5", "--count", "5", "--out", str(tmp_path / "x")],
            standalone_mode=False)  # fmt: skip
    assert os.listdir(tmp_path) == []
