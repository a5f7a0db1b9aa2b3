"""``numduel analyse`` and ``numduel solve``: what they say, as data and in lines."""

import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import typer
from typer.testing import CliRunner

import numduel
from numduel import solver
from numduel.core.errors import NumduelError
from numduel.core.text import byte_size
from numduel.files import cache_folder
from numduel.play.record import Record
from numduel.solver import compiled, tables
from numduel.terminal.analyse import analyse
from numduel.terminal.solve import read_size, solve

app = typer.Typer()
app.command()(analyse)
app.command()(solve)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for tables. What is compiled stays where it is."""
    shared = cache_folder()
    monkeypatch.setattr(compiled, "cache_folder", lambda: shared)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def said(*words: str) -> str:
    """What a command prints; what it refuses is raised."""
    result = CliRunner().invoke(app, words)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def data(*words: str) -> Any:
    return json.loads(said(*words, "--json"))


def refused(*words: str) -> str:
    with pytest.raises(NumduelError) as caught:
        said(*words)
    message = str(caught.value)
    assert "\n" not in message
    return message


def refollowed(game: str, played: str, line: list[str]) -> numduel.State:
    return numduel.game(game).replay(f"{played} {' '.join(line)}")


@pytest.mark.parametrize(
    ("game", "played"),
    [("line", "5"), ("factors", "6 12"), ("capture", "21 18"), ("duel", "4 6"), ("build", "7e 6")],
)
def test_every_legal_move_is_there_with_its_value_best_first(game: str, played: str) -> None:
    found = data("analyse", game, "--moves", played)
    state = numduel.game(game).replay(played)
    assert list(found) == ["game", "variant", "to_move", "exact", "win_probability", "moves"]
    assert (found["game"], found["variant"]) == (state.game.id, state.game.settings)
    assert (found["to_move"], found["exact"]) == (state.to_move, True)
    assert {move["move"] for move in found["moves"]} == set(map(str, state.legal_moves))
    chances = [move["win_probability"] for move in found["moves"]]
    assert chances == sorted(chances, reverse=True)
    assert found["win_probability"] == chances[0]
    assert found["moves"][0]["best"]
    assert found["moves"][0]["loss"] == 0


@pytest.mark.parametrize(("game", "played"), [("line", "5"), ("factors", "6"), ("duel", "4")])
def test_a_line_ends_the_game_when_and_as_the_value_says(game: str, played: str) -> None:
    for move in data("analyse", game, "--moves", played)["moves"]:
        assert move["line"][0] == move["move"]
        assert len(move["line"]) == move["plies"]
        end = refollowed(game, played, move["line"])
        assert end.winner == (2 if move["win_probability"] else 1)


def test_the_lines_of_a_counted_game_end_with_the_margin() -> None:
    for move in data("analyse", "capture", "--moves", "21 18")["moves"]:
        one, two = numduel.view(refollowed("capture", "21 18", move["line"])).hands
        assert sum(one) - sum(two) == move["margin"]
        assert move["plies"] is None


def test_before_a_draw_the_value_is_the_mean_over_the_cards() -> None:
    found = data("analyse", "build", "--moves", "7e 5e")
    assert found["moves"] == []
    draws = found["draws"].values()
    assert len(draws) == 10
    assert sum(draw["probability"] for draw in draws) == pytest.approx(1)
    mean = sum(draw["probability"] * draw["win_probability"] for draw in draws)
    assert found["win_probability"] == pytest.approx(mean)
    state = numduel.game("build").replay("7e 5e")
    assert found["win_probability"] == pytest.approx(numduel.evaluate(state).win_probability)


def test_a_finished_game_has_an_outcome_instead_of_moves() -> None:
    found = data("analyse", "duel", "--moves", "4 6 5 7 3")
    assert "moves" not in found
    assert found["outcome"]["winner"] == 1
    assert found["outcome"]["reason"].startswith("Player 1 has formed")
    assert said("analyse", "duel", "--moves", "4 6 5 7 3").endswith("Player 1 wins the game!\n")


def test_a_record_is_analysed_where_it_stands(tmp_path: Path) -> None:
    state = numduel.game("duel", n=11).replay("4 6", first=2)
    file = tmp_path / "game.duel"
    file.write_text(Record((state.game.start(first=2), state)).text(), "utf-8")
    with_moves = data("analyse", "duel", "--moves", "4 6", "--first", "2", "--set", "n=11")
    assert data("analyse", str(file)) == with_moves
    assert "leave out --moves" in refused("analyse", str(file), "--moves", "4")


def test_people_read_the_board_and_one_line_for_every_move() -> None:
    lines = said("analyse", "duel").splitlines()
    assert lines[0].startswith("Number Pool:")
    assert "Player 1 to move: wins in 5" in lines
    assert "best  3   wins in 5   3, 1, 4, 2, 5" in lines
    assert lines[-1].split()[:4] == ["9", "loses", "in", "8"]
    capture = said("analyse", "capture", "--moves", "21 18")
    assert "best   1  +11 points   1, 2, 3" in capture
    build = said("analyse", "build", "--moves", "7e 5e 6")
    assert "best  beginning  80.2 %   adds 6 at the beginning" in build


def test_an_estimate_never_looks_exact() -> None:
    found = data("analyse", "line", "--set", "n=99")
    assert not found["exact"]
    assert not any(move["exact"] for move in found["moves"])
    assert "Estimates of the chance to win: " in said("analyse", "line", "--set", "n=99")


@pytest.mark.usefixtures("cache")
def test_more_memory_makes_a_large_game_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.solver._SOLVERS", {})  # what other tests have found out
    monkeypatch.setattr("numduel.solver.SEARCH_LIMIT", 10)
    assert not data("analyse", "capture", "--set", "n=13")["exact"]
    assert data("analyse", "capture", "--set", "n=13", "--memory", "1G")["exact"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "There is no game 'chess'"),
        (("none.duel",), "none.duel cannot be read"),
        (("duel", "--moves", "4 6 4"), "Move 3 (4): 4 has already been picked"),
        (("duel", "--moves", "4 x"), "Move 2 (x): Please type"),
        (("build", "--moves", "7e 11"), "Move 2 (11): 11 cannot be drawn now"),
        (("duel", "--first", "3"), "--first must be a whole number from 1 to 2"),
        (("duel", "--set", "n=x"), "n (the"),
        (("duel", "--memory", "much"), "--memory must be a size"),
    ],
)
def test_wrong_input_is_one_sentence(words: tuple[str, ...], message: str) -> None:
    assert message in refused("analyse", *words)


# -- solve ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("words", "winning"),
    [
        (("duel",), "2 3 4 5 6 7 8"),
        (("line",), "1 2 3 4 5 6 7 8"),
        (("capture", "--set", "n=12"), "12"),
        (("factors", "--set", "n=16"), None),
    ],
)
def test_solving_keeps_a_table_and_knows_the_openings(
    words: tuple[str, ...], winning: str | None
) -> None:
    found = data("solve", *words)
    game = numduel.game(words[0], **dict(part.split("=") for part in words[2:]))
    assert found["file"] == str(tables.path(game))
    assert found["bytes"] == tables.path(game).stat().st_size
    assert found["positions"] > 0
    wins = [str(o.move) for o in numduel.analyse(game.start()) if o.win_probability == 1]
    assert sorted(found["winning"]) == sorted(wins)
    assert winning is None or found["winning"] == winning.split()


@pytest.mark.usefixtures("cache")
def test_solving_is_told_in_three_lines() -> None:
    lines = said("solve", "duel").splitlines()
    assert lines[0].startswith("Sequence Duel is solved: 5,021 positions in ")
    assert lines[1].startswith("The table takes 117.8 KiB: ")
    assert lines[2] == "Whoever begins wins in 5 moves; winning first moves: 2, 3, 4, 5, 6, 7, 8."


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("words", [("duel",), ("capture", "--set", "n=10")])
def test_what_was_solved_before_is_not_solved_again_unless_asked(words: tuple[str, ...]) -> None:
    def solving() -> AbstractContextManager[mock.Mock]:
        return mock.patch.object(solver, "solve", wraps=solver.solve)

    new = data("solve", *words)
    with solving() as solve:
        kept, lines = data("solve", *words), said("solve", *words).splitlines()
        solve.assert_not_called()
    assert {**kept, "seconds": 0} == {**new, "seconds": 0}
    assert lines[0].endswith(
        f" was solved before: {new['positions']:,} positions. --fresh solves it again."
    )
    with solving() as solve:
        assert " is solved: " in said("solve", *words, "--fresh")
        solve.assert_called_once()


def test_a_table_that_cannot_be_kept_is_still_a_solution(cache: Path) -> None:
    (cache / "numduel").write_text("in the way", "utf-8")
    lines = said("solve", "capture", "--set", "n=10").splitlines()
    assert lines[1].startswith("The table cannot be saved in ")
    assert lines[2].startswith("Whoever begins wins by ")


@pytest.mark.usefixtures("cache")
def test_a_game_that_is_too_large_says_what_it_would_take() -> None:
    message = refused("solve", "capture", "--memory", "10M")
    assert "its table takes 251.5 MiB, more than the 10.0 MiB of memory" in message
    assert message.endswith("Play and analysis search instead.")
    assert "more than the" in refused("solve", "line", "--set", "n=100")
    assert "more than the" in refused("solve", "build", "--set", "n=20")


@pytest.mark.usefixtures("cache")
def test_a_large_pool_of_factors_needs_no_table() -> None:
    found = data("solve", "factors", "--set", "n=100", "--set", "first=even")
    assert found["exact"]
    assert found["file"] is None
    assert found["positions"] is None
    assert "matching" in said("solve", "factors", "--set", "n=200")


@pytest.mark.parametrize(
    ("text", "size"),
    [("500M", 500 << 20), ("2G", 2 << 30), ("1.5g", 3 << 29), ("12345", 12345), ("1 KiB", 1024)],
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1", "G", "2X", "1e9", "²", "9" * 20])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(numduel.BadVariant, match="--memory must be a size"):
        read_size(text)


def test_sizes_are_shown_in_units() -> None:
    assert [byte_size(size) for size in (0, 1023, 1024, 3 << 29)] == [
        "0 bytes", "1023 bytes", "1.0 KiB", "1.5 GiB",
    ]  # fmt: skip
