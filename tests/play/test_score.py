"""Several games between the same players, who begin in turn, and their score."""

from pathlib import Path

import pytest

import numduel
from numduel.play.match import begin
from numduel.play.score import Score
from tests.cli import Terminal, plain, run
from tests.games import NAMES

ADA_AND_BOB = ("--name1", "Ada", "--name2", "Bob")
NEXT = "q: leave > "


def test_a_score_counts_the_games_that_each_has_won() -> None:
    names = "Ada", "Bob"
    assert Score().add(1).add(None).add(2) == (1, 1)
    assert Score(1, 1).told(names) == "The score is 1 to 1."
    assert Score(2, 0).told(names) == "The score is 2 to 0 for Ada."
    assert Score(1, 2).told(names) == "The score is 2 to 1 for Bob."
    assert (Score().games, Score(1, 2).games) == (0, 3)


# -- the next game --------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first", [1, 2])
def test_in_the_next_game_the_other_begins_and_all_else_stays(name: str, first: int) -> None:
    game = numduel.game(name)
    match = begin(game, first=first, players=("human", "easy"), names=("Ada", "Bob"))
    again = match.rematch()
    assert (again.state.to_move, again.state.text.split()[1:]) == (3 - first, [])
    assert again.record.game == game
    assert again.record.players == ("human", "easy")
    assert again.record.names == ("Ada", "Bob")
    assert again.rematch().state.to_move == first


# -- at the prompt --------------------------------------------------------------------------


def test_a_pipe_is_asked_nothing_after_the_game(tmp_path: Path) -> None:
    said = run(tmp_path, "play", "duel", typed="4\n6\n5\n7\n3\n1\n").out
    assert said.endswith("Player 1 wins the game!\n")


def test_an_evening_on_a_terminal_goes_on_for_as_long_as_the_players_like(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", *ADA_AND_BOB) as terminal:
        terminal.until("Ada's Turn.\n> ")
        terminal.resign().until(NEXT)
        assert "Game 2: Bob begins." in plain(terminal.send("").until("Bob's Turn.\n> "))
        said = plain(terminal.resign().until(NEXT))
        assert "The score is 1 to 1.\nEnter: rematch (Ada begins), a: again" in said
        said = plain(terminal.send("what?").until(NEXT))
        assert "Please press Enter, or type a, r, m or q.\nEnter: rematch (Ada begins)" in said
        assert "Game 3: Ada begins." in plain(terminal.send("").until("Ada's Turn.\n> "))
        said = plain(terminal.resign().until(NEXT))
        assert "Bob wins the game!\nThe score is 2 to 1 for Bob.\nEnter: " in said
        terminal.send("q")
        assert terminal.code() == 0


def test_after_any_game_on_a_terminal_another_is_offered(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", "--first", "2") as terminal:
        terminal.until("Player 2's Turn.\n> ")
        said = plain(terminal.resign().until(NEXT))
        assert "wins the game!\nEnter: rematch (Player 1 begins), a: again (Player 2" in said
        terminal.send("").until("Player 1's Turn.\n> ")
        terminal.resign().until(NEXT)
    assert "The score is 1 to 1.\nEnter: " in plain(terminal.said)
