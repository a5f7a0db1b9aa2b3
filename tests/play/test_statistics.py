"""What saved games come to."""

import json
from pathlib import Path

import pytest

from numduel.play.record import Record, parse
from numduel.play.statistics import FILE, accuracies, statistics

WON = "Game: sequence-duel\nPlayer 2: hard\nDate: 2026-11-1{}\n\n4 6 5 7 3\n"
LOST = "Game: sequence-duel\nPlayer 1: easy\nFirst: 1\n\n4 6 5 7 3\n"
PEOPLE = "Game: line\n\nresign\n"
OPEN = "Game: line\nPlayer 2: hard\n\n5\n"


def kept(*texts: str) -> list[tuple[Path, Record]]:
    return [(Path(f"{number}.duel"), parse(text)) for number, text in enumerate(texts)]


def test_games_are_counted_by_game_level_and_seat() -> None:
    found = statistics(kept(WON.format(2), WON.format(1), LOST, WON.format(0), PEOPLE, OPEN))
    assert (found.games, found.people, found.total) == (5, 1, (3, 4))
    assert found.by_game() == {"Sequence Duel": (3, 4)}
    assert found.by_level() == {"hard": (3, 3), "easy": (0, 1)}
    assert found.by_seat() == {"moving first": (3, 3), "moving second": (0, 1)}
    assert (found.streak, found.longest) == (2, 2)
    assert found.total.text == "3 of 4 (75 %)"


def test_wins_in_a_row_end_with_a_loss_and_the_longest_row_is_remembered() -> None:
    lost = LOST.replace("Player 1: easy", "Player 2: easy").replace("3\n", "resign\n")
    won = WON.format(0)
    for games, streak, longest in (
        ((won, lost, won, won, won), 1, 3),
        ((lost, won, won), 0, 2),
        ((won, won, lost, won), 2, 2),
        ((lost,), 0, 0),
    ):
        found = statistics(kept(*games))
        assert (found.streak, found.longest) == (streak, longest)


def test_games_are_counted_by_who_sat_where() -> None:
    computers = WON.format(0).replace("Player 2", "Player 1: easy\nPlayer 2")
    found = statistics(kept(WON.format(0), LOST, computers, PEOPLE, PEOPLE, OPEN))
    assert found.text == (
        "6 games: 2 against the computer, 2 between two people, 1 between two computers, 1 not over"
    )
    assert [(one.seat, one.won, one.began, one.level) for one in found.played] == [
        (1, True, True, "hard"),
        (2, False, False, "easy"),
    ]
    assert found.by_name() == {"Player 1": (0, 2), "Player 2": (2, 2)}


def test_without_games_there_is_nothing_to_count() -> None:
    found = statistics([])
    assert (found.games, found.total.text, found.streak) == (0, "0 of 0 (0 %)", 0)


def test_an_accuracy_is_found_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    played = statistics(kept(LOST)).played
    ((_, share),) = accuracies(played)
    assert share is not None
    file = tmp_path / "numduel" / FILE
    assert json.loads(file.read_text()) == {"0.duel": share}
    file.write_text('{"0.duel": "nonsense"}')
    assert list(accuracies(played)) == [(played[0], None)]
    for value, known in ((0, 0.0), (1, 1.0), (1.5, None), (-0.5, None), (None, None)):
        file.write_text(json.dumps({"0.duel": value}))
        assert list(accuracies(played)) == [(played[0], known)]
    file.write_text("[")
    assert list(accuracies(played)) == [(played[0], share)]
