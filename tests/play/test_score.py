"""A match is two games, which the players begin in turn: who wins it, and by what."""

from pathlib import Path

import pytest

import numduel
from numduel import State
from numduel.core.errors import BadRecord
from numduel.play.match import begin
from numduel.play.record import parse, read
from numduel.play.score import Score
from tests.cli import Terminal, plain, records, run
from tests.games import NAMES

ADA_AND_BOB = ("--name1", "Ada", "--name2", "Bob")
NEXT = "q: leave > "


def line(text: str, first: int) -> State:
    return numduel.game("line", n=4, k=2).replay(text, first=first)


def capture(text: str, first: int) -> State:
    return numduel.game("capture", n=5).replay(text, first=first)


def told(*games: State) -> str:
    return " ".join(Score.of(games).verdict(("Ada", "Bob")))


# -- who wins a match -----------------------------------------------------------------------


def test_games_won_decide() -> None:
    assert told(line("2 1 3", 1)) == "The score is 1 to 0 for Ada."
    assert told(line("2 1 3", 1), line("1 2 4 3", 2)) == "Ada wins the match, 2 to 0."
    three = line("2 1 3", 1), line("2 1 3", 2), line("1 2 4 3", 1)
    assert told(*three) == "The score is 2 to 1 for Bob."
    assert told(*three, line("2 1 3", 2)) == "Bob wins the match, 3 to 1."


def test_where_nothing_is_counted_the_faster_win_decides() -> None:
    duel = numduel.game("duel")
    assert told(duel.replay("4 6 5 7 3"), duel.replay("5 1 6 9 8 2 7", first=2)) == (
        "The score is 1 to 1. Ada won in 5 moves, Bob in 7 moves: Ada wins the match."
    )


def test_where_points_are_counted_they_decide_and_not_speed() -> None:
    assert told(capture("2 1 5 4", 1), capture("1 2 3 4 5", 2)) == (
        "The score is 1 to 1. Ada won by 2 points, Bob by 3 points: Bob wins the match."
    )
    assert told(capture("1 3 5", 1), capture("1 2 3 4 5", 2)) == (
        "The score is 1 to 1. Ada won by 3 points, Bob by 3 points: the match is a tie."
    )


def test_a_tiebreak_counts_from_the_first_game() -> None:
    assert Score().tiebreak == (0, 0)
    assert Score.of((capture("2 1 5 4", 1),)).tiebreak == (2, 0)
    assert Score.of((line("2 1 3", 2),)).tiebreak == (0, 3)


def test_equal_wins_are_a_tie() -> None:
    games = line("2 1 3", 1), line("2 1 3", 2)
    assert Score.of(games).leader is None
    assert told(*games) == (
        "The score is 1 to 1. Ada won in 3 moves, Bob in 3 moves: the match is a tie."
    )
    assert told(*games * 2) == (
        "The score is 2 to 2. Ada won in 6 moves in all, Bob in 6 moves: the match is a tie."
    )


def test_a_game_that_is_given_up_is_a_lost_game() -> None:
    assert told(line("resign", 2), line("2 1 3", 1)) == "Ada wins the match, 2 to 0."
    assert told(line("resign", 1), line("2 1 3", 1)) == (
        "The score is 1 to 1. A game that is given up counts as won at once."
        " Ada won in 3 moves, Bob at once: Bob wins the match."
    )


def test_a_broken_rule_is_a_lost_game() -> None:
    broken = numduel.game("factors").replay("6 7!")
    assert broken.fault is not None
    assert Score.of((broken,)).won == (1, 0)


def test_resigning_early_saves_no_points() -> None:
    assert told(capture("1 3 5", 1), capture("resign", 1)) == (
        "The score is 1 to 1. A game that is given up is lost by 9 points."
        " Ada won by 3 points, Bob by 9 points: Bob wins the match."
    )


def test_games_outside_a_match_have_a_score_and_no_verdict() -> None:
    names = "Ada", "Bob"
    assert Score.of((line("resign", 1), line("2 1 3", 1))).told(names) == ["The score is 1 to 1."]
    assert Score.of((line("2 1 3", 1),) * 2).told(names) == ["The score is 2 to 0 for Ada."]


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


def test_a_match_through_a_pipe_is_two_games_and_asks_nothing_else(tmp_path: Path) -> None:
    typed = "\n".join("46573" + "5169827") + "\n"
    said = run(tmp_path, "play", "duel", "--match", *ADA_AND_BOB, typed=typed).out
    assert "Ada wins the game!\nThe score is 1 to 0 for Ada.\n\nGame 2: Bob begins.\n\n" in said
    assert said.endswith(
        "Bob wins the game!\nThe score is 1 to 1.\n"
        "Ada won in 5 moves, Bob in 7 moves: Ada wins the match.\n"
    )
    kept = sorted((read(path) for path in records(tmp_path)), key=lambda record: record.result)
    assert [record.states[0].first for record in kept] == [1, 2]
    assert [record.state.text for record in kept] == ["4 6 5 7 3", "5 1 6 9 8 2 7"]


def test_without_a_match_a_pipe_is_asked_nothing_after_the_game(tmp_path: Path) -> None:
    said = run(tmp_path, "play", "duel", typed="4\n6\n5\n7\n3\n1\n").out
    assert said.endswith("Player 1 wins the game!\n")


def test_a_match_on_a_terminal_goes_on_for_as_long_as_the_players_like(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel", "--match", *ADA_AND_BOB) as terminal:
        terminal.until("Ada's Turn.\n> ")
        assert "Game 2: Bob begins." in plain(terminal.resign().until("Bob's Turn.\n> "))
        said = plain(terminal.resign().until(NEXT))
        assert "The score is 1 to 1.\n" in said
        assert "the match is a tie.\nEnter: rematch (Ada begins), a: again" in said
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


@pytest.mark.parametrize("typed", ["5\nquit\n", ""])
def test_a_match_that_is_left_in_its_second_game_goes_on_with_its_score(
    tmp_path: Path, typed: str
) -> None:
    said = run(tmp_path, "play", "duel", "--match", typed=f"resign\n{typed}").out
    assert said.startswith(
        "A match is two games, and each player begins one. If each wins one, the player who won "
    )
    assert said.endswith("The match is saved: numduel resume goes on with it.\n")
    said = run(tmp_path, "resume", typed="resign\n" * 2).out
    assert "The score is 1 to 0 for Player 2.\n\n" in said
    assert "wins the match" in said or "the match is a tie" in said


def test_a_match_that_is_left_in_its_first_game_has_a_second_one(tmp_path: Path) -> None:
    run(tmp_path, "play", "build", "--match", "--seed", "7", typed="end\n")
    said = run(tmp_path, "resume", typed="resign\nresign\n").out
    assert "The score is 1 to 0 for Player 1.\n\nGame 2: Player 2 begins.\n" in said
    assert said.endswith("Player 1 wins the match, 2 to 0.\n")


@pytest.mark.parametrize("name", NAMES)
def test_a_record_holds_the_games_before_it_in_the_match(name: str) -> None:
    match = begin(numduel.game(name), earlier=())
    for _ in range(2):
        match.play(match.state.legal_moves[0])
        match.resign()
        match = match.rematch()
    kept = parse(match.record.text())
    assert kept.earlier is not None
    assert [(state.text, state.first) for state in kept.earlier] == [
        (state.text, state.first) for state in match.record.earlier or ()
    ]
    assert len(kept.earlier) == 2
    assert match.rematch(exchanged=False).record.earlier == ()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "Match says '' (expected: first game, or after and moves)."),
        ("after 5", "An earlier game of the match is not finished."),
        ("after 5 5", "An earlier game of the match: 5 has already been picked."),
    ],
)
def test_a_match_that_cannot_have_been_played_is_refused(said: str, why: str) -> None:
    with pytest.raises(BadRecord) as refused:
        parse(f"Game: duel\nMatch: {said}\n\n5\n")
    assert str(refused.value) == why


def test_a_seed_repeats_a_whole_match_and_its_games_have_different_decks(tmp_path: Path) -> None:
    words = ["play", "build", "--p1", "random", "--p2", "random", "--match", "--seed", "999999999"]
    one, two = (run(tmp_path, *words).out for _ in range(2))
    assert one == two
    games = [read(path) for path in records(tmp_path)]
    assert len({record.seed for record in games}) == 2
    assert len({record.state.text for record in games}) == 2
    assert all(record.state.winner for record in games)
