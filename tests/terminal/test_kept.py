"""Kept games: the list in columns that fit, and going on with one."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from numduel.core.text import ago
from numduel.play.record import parse
from numduel.terminal.picker import players
from tests.cli import Terminal, keep, plain, records, run

NOW = datetime(2026, 11, 15, 12, 0)
LONG = "Wolfgang Amadeus Theophilus Mozart"


def kept(home: Path, name: str, moves: str, days: int = 0, more: str = "", game: str = "") -> Path:
    """Keep a game that was begun so many days ago."""
    date = datetime.now().replace(microsecond=0) - timedelta(days=days)
    head = f"Game: {game or 'sequence-duel'}\n{more}Date: {date}\n"
    return keep(home, f"{name}.duel", f"{head}\n{moves}\n")


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        (timedelta(seconds=20), "just now"), (timedelta(minutes=5), "5 min ago"),
        (timedelta(hours=3), "3 h ago"), (timedelta(days=1, hours=3), "yesterday"),
        (timedelta(days=29), "29 days ago"), (timedelta(days=40), "2026-10-06"),
        (timedelta(days=-9), "2026-11-24"),
    ],
)  # fmt: skip
def test_a_date_is_told_as_people_tell_it(gone: timedelta, told: str) -> None:
    assert ago(NOW - gone, NOW) == told


def test_the_list_of_games_has_columns(tmp_path: Path) -> None:
    kept(tmp_path, "one", "4 6 5 7 3")
    kept(tmp_path, "two", "4 6 5 1 3", days=2, more="Player 2: hard\nName 2: Computer (hard)\n")
    assert run(tmp_path, "replay").out.splitlines()[:2] == [
        "  2  Sequence Duel  Player 1 – Player 2         5 moves  Player 1 won  just now",
        "  1  Sequence Duel  Player 1 – Computer (hard)  5 moves  Player 1 won  2 days ago",
    ]


@pytest.mark.parametrize("columns", [40, 80])
def test_the_list_of_games_fits_the_terminal(tmp_path: Path, columns: int) -> None:
    for number in range(3):
        names = f"Name 1: {LONG}\nName 2: {LONG} {number}\n"
        kept(tmp_path, str(number), "4 6 5 7 3", days=number, more=names)
    with Terminal(tmp_path, "replay", env={"COLUMNS": str(columns)}) as terminal:
        lines = plain(terminal.until("Which game? ")).splitlines()
    assert max(map(len, lines)) <= columns
    assert any("2 days ago" in line and "Sequence Duel" in line for line in lines)
    assert len(lines) == 4 or columns == 40


def test_a_number_means_the_same_game_for_every_command_and_after_a_new_game(
    tmp_path: Path,
) -> None:
    kept(tmp_path, "left", "9", days=2)
    kept(tmp_path, "going-on", "4 6", days=1)
    assert "1 move" in run(tmp_path, "resume", "1").out
    kept(tmp_path, "over", "4 6 5 7 3")
    assert run(tmp_path, "replay").out.splitlines()[:3] == [
        "  3  Sequence Duel  Player 1 – Player 2  5 moves  Player 1 won  just now",
        "  2  Sequence Duel  Player 1 – Player 2  2 moves  not over      yesterday",
        "  1  Sequence Duel  Player 1 – Player 2   1 move  not over      2 days ago",
    ]
    assert [line[:3] for line in run(tmp_path, "resume").out.splitlines()[:2]] == ["  2", "  1"]
    assert "1 move" in run(tmp_path, "resume", "1").out
    assert "Move 2:" in run(tmp_path, "replay", "2").out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["resume", "2"], "Game 2 is over; replay it with numduel replay 2."),
        (["review", "1"], "Game 1 is not over; go on with numduel resume 1."),
        (["replay", "99"],
         "There is no game 99: the numbers go from 1 to 2, and numduel replay lists them."),
    ],
)  # fmt: skip
def test_a_command_that_cannot_use_a_game_says_why(
    tmp_path: Path, arguments: list[str], why: str
) -> None:
    kept(tmp_path, "over", "4 6 5 7 3")
    kept(tmp_path, "going-on", "4 6", days=1)
    assert run(tmp_path, *arguments) == (2, "", f"numduel: {why}\n")


def test_a_number_beyond_the_only_game_names_that(tmp_path: Path) -> None:
    kept(tmp_path, "one", "4 6")
    why = "numduel: There is no game 9: there is only game 1.\n"
    assert run(tmp_path, "resume", "9") == (2, "", why)


def test_a_game_online_goes_on_with_join(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "online.duel",
        "Game: duel\nSeat: 1\nOnline: http://localhost:8000/play/V3b1tq0k9Zfx\n\n5 4\n",
    )
    assert run(tmp_path, "resume", "1") == (
        2, "",
        "numduel: This game is online; go on with: numduel join"
        " http://localhost:8000/play/V3b1tq0k9Zfx\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("localhost:8000/play/V3b1tq0k9Zfx?a=b",
         "The app needs a terminal; open this link in a browser:"
         " http://localhost:8000/play/V3b1tq0k9Zfx"),
        ("", "The app needs a terminal; open your link in a browser."),
        ("k7m-4qx",
         "That is an event, which is played in a browser: open the address that its host shows."),
        ("http://localhost:8000/join/K7M4QX",
         "That is an event, which is played in a browser: open the address that its host shows."),
        ("localhost:8000",
         "A link to a game looks like http://localhost:8000/play/V3b1tq0k9Zfx#…."),
    ],
)  # fmt: skip
def test_a_link_that_cannot_be_followed_here_says_what_to_do(
    tmp_path: Path, link: str, why: str
) -> None:
    assert run(tmp_path, "join", link) == (2, "", f"numduel: {why}\n")


def test_the_level_of_an_opponent_is_never_cut() -> None:
    text = f"Game: sequence-duel\nPlayer 2: perfect\nName 1: {LONG}\nName 2: {LONG} 2\n\n4\n"
    assert players(parse(text), 30) == "Wolfgan… – Wolfgang… (perfect)"


def test_a_computer_without_a_name_is_called_by_its_level() -> None:
    text = "Game: sequence-duel\nPlayer 2: hard\n\n4\n"
    assert players(parse(text)) == "Player 1 – Computer (hard)"


def test_a_game_that_was_left_early_stays_in_the_lists_with_its_number(tmp_path: Path) -> None:
    against = "Player 2: easy\n"
    kept(tmp_path, "one", "4 6 5 1", days=3, more=against)
    kept(tmp_path, "left", "4 6", days=2, more=against)
    kept(tmp_path, "three", "4 6 5 2", days=1, more=against)
    listed = run(tmp_path, "resume").out.splitlines()[:3]
    assert [line[:3] for line in listed] == ["  3", "  2", "  1"]
    assert "4 moves" in run(tmp_path, "resume", "3").out
    assert "2 moves" in run(tmp_path, "resume", "2").out
    run(tmp_path, "play", "duel", "--p1", "easy", typed="quit\n")
    assert len(records(tmp_path)) == 3, "the computer's first move alone is not saved"
