"""Kept games: the list in columns that fit, and forgetting some of them."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from numduel.core.text import ago
from numduel.play.record import parse
from numduel.play.store import open_save
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
    removed = run(tmp_path, "forget", "1", "--yes").out
    assert removed.endswith("Removed: 1 game. Newer games have lower numbers now.\n")
    assert [path.stem for path in records(tmp_path)] == ["going-on", "over"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["resume", "2"], "Game 2 is over; replay it with numduel replay 2."),
        (["review", "1"], "Game 1 is not over; go on with numduel resume 1."),
        (["forget", "99"],
         "There is no game 99: the numbers go from 1 to 2, and numduel forget lists them."),
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


def test_forgetting_asks_and_no_is_the_answer_of_enter(tmp_path: Path) -> None:
    kept(tmp_path, "one", "4 6")
    kept(tmp_path, "two", "4 6 5 7 3", days=1)
    with Terminal(tmp_path, "forget") as terminal:
        terminal.until("Which game? ")
        terminal.send("1").until("(yes, Enter: no) ")
        assert "Please type yes or no." in plain(terminal.send("maybe").until("Enter: no) "))
        assert plain(terminal.send("").rest()).endswith("Nothing was removed.\n")
    assert len(records(tmp_path)) == 2
    with Terminal(tmp_path, "forget", "2") as terminal:
        terminal.until("(yes, Enter: no) ")
        assert plain(terminal.send("yes").rest()).endswith("Removed: 1 game.\n")
    assert [path.name for path in records(tmp_path)] == ["two.duel"]


def test_games_are_forgotten_by_age_by_game_or_all(tmp_path: Path) -> None:
    for days in (0, 10, 50):
        kept(tmp_path, f"duel-{days}", "4", days)
        kept(tmp_path, f"line-{days}", "5", days, game="sequence-capture-line")
    assert run(tmp_path, "forget", "--older", "30d").code == 2
    assert len(records(tmp_path)) == 6
    assert "Removed: 2 games." in run(tmp_path, "forget", "--older", "30d", "--yes").out
    assert run(tmp_path, "forget", "duel", "--older", "1w", "--yes").code == 0
    assert [path.stem for path in records(tmp_path)] == ["duel-0", "line-0", "line-10"]
    assert "Removed: 1 game." in run(tmp_path, "forget", "line-10.duel", "--yes").out
    assert run(tmp_path, "forget", "--all", "--yes").out.endswith("Removed: 2 games.\n")
    assert run(tmp_path, "forget", "--all", "--yes").out == "There are no saved games.\n"


def test_only_kept_games_are_forgotten_and_none_that_is_being_played(tmp_path: Path) -> None:
    path = kept(tmp_path, "one", "4")
    other = tmp_path / "other.duel"
    other.write_bytes(path.read_bytes())
    assert "not among the saved games" in run(tmp_path, "forget", "other.duel", "--yes").err
    assert other.exists()
    save = open_save(path)
    said = run(tmp_path, "forget", "--all", "--yes").out
    save.close()
    assert "is being played in another window" in said
    assert path.exists()


def test_statistics_of_two_people_say_who_won_how_often(tmp_path: Path) -> None:
    names = "Name 1: Ann\nName 2: Bob\n"
    kept(tmp_path, "one", "4 6 5 7 3", more=names)
    kept(tmp_path, "two", "4 6 5 7 3", more=names)
    kept(tmp_path, "three", "4 6 resign", more=names)
    kept(tmp_path, "left at once", "resign", more=names)
    said = run(tmp_path, "stats").out
    assert "3 games: 3 between two people.\n\nBetween people\n" in said
    assert "  Ann  2 of 3 games won (67 %)\n" in said
    assert "  Bob  1 of 3 games won (33 %)\n" in said
    data = json.loads(run(tmp_path, "stats", "--json").out)
    assert data["between_people"] == 3
    assert data["between_people_by_name"]["Bob"] == {"won": 1, "games": 3}


def test_statistics_are_of_the_kept_games(tmp_path: Path) -> None:
    assert "No games yet.\n" in run(tmp_path, "stats").out
    kept(tmp_path, "one", "4 6 5 7 3", more="Player 2: hard\n")
    kept(tmp_path, "two", "4 6 5 7 3", more="Player 1: easy\nPlayer 2: hard\n")
    kept(tmp_path, "three", "4")
    said = run(tmp_path, "stats").out
    listed = run(tmp_path, "replay").out.splitlines()[:-1]
    assert "3 games: 1 against the computer, 1 between two computers, 1 not over.\n" in said
    assert len(listed) == 3
    assert "Against the computer: 1 of 1 game won (100 %)" in said
    assert "  Sequence Duel  1/1\n" in said
    assert said.endswith("\nNext: beat the computer (perfect) at Sequence Duel.\n"), (
        "nobody is asked in a pipe"
    )


def test_statistics_as_json_judge_the_latest_games(tmp_path: Path) -> None:
    kept(tmp_path, "one", "4 6 5 7 3", more="Player 2: hard\n")
    found = json.loads(run(tmp_path, "stats", "--json").out)
    (share,), (choices,) = found["accuracy"].values(), found["choices"].values()
    assert 0 < choices["kept"] / choices["choices"] == share <= 1
    assert choices["choices"] <= choices["moves"]


def test_the_next_goal_is_one_key_away(tmp_path: Path) -> None:
    with Terminal(tmp_path, "stats") as terminal:
        assert "Next: beat the computer (easy) at Four in a Row." in plain(
            terminal.until("quit > ")
        )
        assert "Please press Enter, or type quit." in plain(terminal.send("x").until("quit > "))
        begun = plain(terminal.send("").until("to claim:\n> "))
        assert "1 2 3 4 5 6 7 8 9 10" in begun


def test_a_game_that_was_left_early_stays_in_the_lists_with_its_number(tmp_path: Path) -> None:
    against = "Player 2: easy\n"
    kept(tmp_path, "one", "4 6 5 1", days=3, more=against)
    kept(tmp_path, "left", "4 6", days=2, more=against)
    kept(tmp_path, "three", "4 6 5 2", days=1, more=against)
    listed = run(tmp_path, "resume").out.splitlines()[:3]
    assert [line[:3] for line in listed] == ["  3", "  2", "  1"]
    assert "2 games: 2 not over." in run(tmp_path, "stats").out, "nobody misses it there"
    assert "4 moves" in run(tmp_path, "resume", "3").out
    assert "2 moves" in run(tmp_path, "resume", "2").out
    run(tmp_path, "play", "duel", "--p1", "easy", typed="quit\n")
    assert len(records(tmp_path)) == 3, "the computer's first move alone is not saved"
