"""Positions with exact answers: true, without repetition, the same every time, and loaded by name.

``pytest tests/lab/dataset/test_dataset.py --rewrite`` writes the sample in ``docs/dataset`` anew.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
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
from numduel.games import variant
from numduel.lab.dataset import COLUMNS, Part, draw, read_weights, write
from numduel.lab.dataset.decisions import PHASES, decisions
from numduel.lab.dataset.drawing import evened, shared
from numduel.lab.dataset.splits import CANARY, SHARES, TRANSFER, held_out, split_of
from numduel.learn.ideas import PATTERNS, lists, preferred, vocabulary
from numduel.solver import analyse
from numduel.terminal.app import app

SAMPLE = Path(__file__).parents[3] / "docs" / "dataset"
EVEN = {"train": 1, "test": 1}


def rows(folder: Path, split: str = "*") -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob(f"data/*/{split}.jsonl")):
        yield from map(json.loads, path.read_text("utf-8").splitlines())


def reached(row: dict[str, Any]) -> State:
    """The state that a row is about."""
    settings = dict(pair.split("=") for pair in row["variant"].split())
    return numduel.game(row["game"], **settings).replay(row["history"])


# -- the sample -----------------------------------------------------------------------------


def test_the_command_on_the_card_makes_the_sample_again(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """To the byte."""
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
        assert (again / path).read_bytes() == (SAMPLE / path).read_bytes(), path


def test_every_row_says_what_is_true_of_its_position() -> None:
    for row in rows(SAMPLE):
        state = reached(row)
        values = {str(option.move): option for option in analyse(state)}
        assert [*row] == [*COLUMNS]
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


def test_the_example_of_the_module_is_true() -> None:
    assert doctest.testmod(numduel.lab.dataset).failed == 0


# -- splits ---------------------------------------------------------------------------------

ALIKE = [
    ("duel", "4 6 1", "6 4 9"),  # seen in a mirror
    ("factors", "12 1 13", "12 1 17"),  # primes that nothing but 1 leads to
    ("factors", "8 16 4", "16 8 4"),  # either before the other
    ("factors", "17 1 7 14 2 18 9 3", "1 7 14 2 18 9 3"),  # nothing leads to 17 any more
    ("factors:first=even", "12 1 13", "12 1 13"),  # only the first move may be another one
    ("factors:n=21", "21 7 14", "7 14"),  # a larger pool, whose largest number is used
    ("capture", "6 4 3", "3 5 6"),  # either is shut in between two of the other player
    ("build", "6e 3e 7e 4e 8", "7e 4e 6b 3b 8"),  # the same cards, kept the other way round
]


@pytest.mark.parametrize(("word", "one", "other"), ALIKE)
def test_what_is_the_same_exercise_is_in_one_split(word: str, one: str, other: str) -> None:
    board = variant(word)
    first, second = board.replay(one), type(board)().replay(other)
    assert board.exercise(first.position) == type(board)().exercise(second.position)
    assert split_of(first) == split_of(second)


@pytest.mark.parametrize("game", [numduel.game("duel"), numduel.game("factors", n=14)], ids=str)
def test_no_seed_and_no_size_tests_with_what_another_trains_on(game: Game) -> None:
    def exercises(count: int, seed: int, split: str) -> set[object]:
        found = draw(game, count, seed, {split: 1})[split]
        return {game.exercise(reached(row).position) for row in found}

    train = exercises(200, 1, "train") | exercises(40, 2, "train")
    held = exercises(60, 3, "test") | exercises(20, 4, "validation")
    asked = {game.exercise(one.state.position) for one in decisions(game, 30, seed=5)}
    assert len(train) > 40
    assert len(held) > 10
    assert not train & held
    assert not train & asked


def test_nothing_that_is_asked_goes_on_like_what_is_trained_on_in_a_variant() -> None:
    """What is left of Juniper Green is found by walking through it, without the game's help."""

    def rest(state: State) -> tuple[frozenset[object], frozenset[object]]:
        left, ahead = set[int](), [*map(int, state.legal_moves)]
        while ahead:
            left.add(number := ahead.pop())
            ahead += [
                other
                for other in range(1, state.game.variant.n + 1)
                if other not in left | {*state.moves}
                and (other % number == 0 or number % other == 0)
            ]
        return frozenset(state.legal_moves), frozenset(left)

    usual, even = numduel.game("factors"), numduel.game("factors", first="even")
    asked = {rest(one.state) for one in decisions(usual, 40, seed=0)}
    trained = [reached(row) for row in draw(even, 150, 1, {"train": 1})["train"]]
    assert len(asked) == 40
    assert len(trained) > 100
    assert not asked & {*map(rest, trained)}


def test_an_exercise_comes_once() -> None:
    game = numduel.game("duel")
    found = draw(game, 400, 1, {"train": 1})["train"]
    assert len({game.exercise(reached(row).position) for row in found}) == len(found) == 400


@pytest.mark.parametrize("game", [numduel.game("line"), numduel.game("capture", n=10)], ids=str)
def test_each_phase_has_the_same_share_in_every_split(game: Game) -> None:
    splits = draw(game, 300, 2, {"train": 8, "validation": 1, "test": 1})
    assert [len(rows) for rows in splits.values()] == [240, 30, 30]
    counts = [Counter(row["phase"] for row in rows) for rows in splits.values()]
    for phase in PHASES:
        for count in counts[1:]:
            assert abs(count[phase] - counts[0][phase] / 8) < 1


def test_shares_of_phases_are_as_even_as_the_scarcest_allows() -> None:
    def parts(*sizes: int) -> dict[str, int]:
        return dict(zip(PHASES, sizes, strict=True))

    wanted = {"train": 90, "test": 10}
    plenty, few = parts(500, 500, 500), parts(1, 50, 50)
    assert evened(wanted, {"train": plenty, "test": plenty}) == {
        "train": parts(30, 30, 30), "test": parts(4, 3, 3),
    }  # fmt: skip
    assert evened(wanted, {"train": plenty, "test": few}) == {
        "train": parts(9, 41, 40), "test": parts(1, 5, 4),
    }  # fmt: skip
    assert evened(wanted, {"train": parts(5, 10, 30), "test": plenty}) == {
        "train": parts(5, 10, 30), "test": parts(1, 2, 7),
    }  # fmt: skip
    assert evened(wanted, {"train": parts(100, 0, 0), "test": parts(0, 3, 0)}) == {
        "train": parts(90, 0, 0), "test": parts(0, 3, 0),
    }  # fmt: skip


def test_a_board_that_is_held_out_is_in_no_other_split() -> None:
    kept, usual = numduel.game("duel", n=11, k=4), numduel.game("duel")
    assert held_out(kept)
    assert not held_out(usual)
    assert not held_out(numduel.game("factors", first="even")), "that is what people play"
    assert {split_of(state) for state in kept.replay("5 6").walk()} == {TRANSFER}
    assert {split_of(state) for state in usual.replay("5 6").walk()} == {*SHARES}
    for game, split, told in ((kept, "train", "is held out"), (usual, TRANSFER, "a board that is")):
        with pytest.raises(BadVariant, match=told):
            draw(game, 10, 1, {split: 1})


def test_boards_that_differ_only_before_the_first_move_are_held_out_together() -> None:
    boards = [[numduel.game("factors", n=n, first=first) for first in ("any", "even")]
              for n in range(8, 40)]  # fmt: skip
    assert all(held_out(one) == held_out(other) for one, other in boards)
    assert 2 < sum(held_out(one) for one, _ in boards) < 16


@pytest.mark.parametrize(
    "word", ["line:n=5,k=5", "capture:n=998", "capture:n=999", "duel", "build"]
)
def test_a_board_that_is_held_out_is_suggested_for_one_that_is_not(word: str) -> None:
    game = variant(word)
    with pytest.raises(BadVariant, match="is not held out") as refused:
        draw(game, 10, 1, {TRANSFER: 1})
    found = re.search(r"a board that is held out is (.*)\.$", str(refused.value))
    assert found is not None
    assert held_out(variant(found[1]))
    assert variant(found[1]).variant[0] > game.variant[0] or game.variant[0] > 900


def test_about_one_board_in_four_is_held_out() -> None:
    boards = [numduel.game("line", n=n, k=k) for n in range(20, 40) for k in range(2, 12)]
    assert 30 < sum(map(held_out, boards)) < 70


def test_a_split_gets_its_share_of_the_positions() -> None:
    states = [*numduel.game("duel", n=7).start().walk()]
    taken = Counter(map(split_of, states))
    for split, tenths in SHARES.items():
        assert abs(taken[split] / len(states) - tenths / 10) < 0.05


# -- rows -----------------------------------------------------------------------------------


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
    write(tmp_path / "data", [Part(game, draw(game, 10, 1, {"train": 1}))], "numduel dataset")
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


def test_a_split_is_told_by_its_name_and_its_weight() -> None:
    assert read_weights("train=9, validation ,test=1000000") == {
        "train": 9, "validation": 1, "test": 1_000_000,
    }  # fmt: skip
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
             "train=-1", "../x", "valid", "a" * 400],
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
        (["duel:n=4,k=1", "--out", "x"], "no move ever matters"),
        (["duel", "--count", "1", "--out", "x"], "1 are too few for train, test"),
        (["duel", "--split", "all", "--out", "x"], "'all' is not a split: name some of train"),
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


def test_it_is_said_if_there_are_fewer_positions_than_were_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["dataset", "duel:n=7", "--count", "500", "--out", str(tmp_path / "x")]
    app(words, standalone_mode=False)
    told = capsys.readouterr().out
    for split in EVEN:
        assert f"\n250 were asked for in {split}; with these shares no more were found.\n" in told


def test_the_mark_is_in_the_card_and_in_rows_that_are_not_for_training() -> None:
    assert CANARY in (SAMPLE / "README.md").read_text()
    assert {row["canary"] for row in rows(SAMPLE, "train")} == {None}
    for split in ("test", TRANSFER):
        assert {row["canary"] for row in rows(SAMPLE, split)} == {CANARY}


def test_the_card_says_what_the_rows_are_for_their_limits_and_the_licence() -> None:
    told = (SAMPLE / "README.md").read_text("utf-8")
    for subject in ("Meant for", "Limits", "Licence"):
        assert f"- **{subject}**" in told


def test_the_card_says_what_moves_mean_that_are_not_numbers() -> None:
    told = (SAMPLE / "README.md").read_text("utf-8")
    assert "`6b` adds 6 at the beginning, `6e` adds 6 at the end and `6x` discards 6" in told


def test_a_folder_is_written_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(BadVariant, match="cannot be written: No space left on device"):
        app(["dataset", "duel:n=5", "--count", "5", "--out", str(tmp_path / "x")],
            standalone_mode=False)  # fmt: skip
    assert os.listdir(tmp_path) == []
