"""What games add up to."""

from numduel.play.record import parse
from numduel.play.statistics import LATEST, Played, Statistics, statistics
from numduel.play.store import worth_listing

WON = "Game: sequence-duel\nPlayer 2: hard\nDate: 2026-11-1{}\n\n4 6 5 7 3\n"
LOST = "Game: sequence-duel\nPlayer 1: easy\nFirst: 1\n\n4 6 5 7 3\n"
HELPED = WON.format(0).replace("Date:", "Help: hint\nDate:")
PEOPLE = "Game: line\n\n5 resign\n"
OPEN = "Game: line\nPlayer 2: hard\n\n5 6 7\n"


def of(*texts: str) -> Statistics:
    return statistics(Played.of(str(number), parse(text)) for number, text in enumerate(texts))


def test_games_are_counted_by_game_level_and_seat() -> None:
    found = of(WON.format(2), WON.format(1), LOST, WON.format(0), PEOPLE, OPEN)
    assert (found.games, found.people, found.total()) == (5, 1, (3, 4))
    assert found.by_game() == {"Sequence Duel": (3, 4)}
    assert found.by_level() == {"hard": (3, 3), "easy": (0, 1)}
    assert found.by_seat() == {"moving first": (3, 3), "moving second": (0, 1)}
    assert (found.streak, found.longest) == (2, 2)
    assert found.total().text == "3 of 4 games won (75 %)"


def test_games_with_help_are_counted_apart() -> None:
    found = of(WON.format(0), HELPED, WON.format(1), HELPED, LOST)
    assert (found.against, found.games) == (5, 5)
    assert (found.total(), found.total(helped=True)) == ((2, 3), (2, 2))
    assert found.by_game(helped=True) == {"Sequence Duel": (2, 2)}
    assert found.by_level() == {"hard": (2, 2), "easy": (0, 1)}
    assert (found.streak, found.longest) == (2, 2), "help neither adds to a row nor ends it"


def test_wins_in_a_row_end_with_a_loss_and_the_longest_row_is_remembered() -> None:
    lost = LOST.replace("Player 1: easy", "Player 2: easy").replace("3\n", "resign\n")
    won = WON.format(0)
    for games, streak, longest in (
        ((won, lost, won, won, won), 1, 3),
        ((lost, won, won), 0, 2),
        ((won, won, lost, won), 2, 2),
        ((lost,), 0, 0),
    ):
        found = of(*games)
        assert (found.streak, found.longest) == (streak, longest)


def test_games_are_counted_by_who_sat_where() -> None:
    computers = WON.format(0).replace("Player 2", "Player 1: easy\nPlayer 2")
    found = of(WON.format(0), LOST, computers, PEOPLE, PEOPLE, OPEN)
    assert found.text == (
        "6 games: 2 against the computer, 2 between two people, 1 between two computers, 1 not over"
    )
    assert [(one.seat, one.won, one.began, one.level) for one in found.latest] == [
        (1, True, True, "hard"),
        (2, False, False, "easy"),
    ]
    assert dict(found.names) == {"Player 1": (2, 2), "Player 2": (0, 2)}


def test_without_games_there_is_nothing_to_count() -> None:
    found = of()
    assert (found.games, found.total().text, found.streak) == (0, "0 of 0 games won (0 %)", 0)


def test_only_the_latest_games_are_listed_one_by_one() -> None:
    found = of(*[LOST] * (LATEST + 5))
    assert (len(found.latest), found.against) == (LATEST, LATEST + 5)


def test_games_that_nobody_misses_are_not_listed() -> None:
    left = "Game: line\nPlayer 2: hard\n\n5\n"
    games = {
        "left": left,
        "the computer began": "Game: line\nPlayer 1: hard\n\n5\n",
        "won": WON.format(0),
        "left before": left,
        "resigned at once": "Game: line\nPlayer 2: hard\n\nresign\n",
        "going on": OPEN,
        "two people": "Game: line\n\n5\n",
        "two people who did nothing": "Game: line\n\n\n",
        "computers": "Game: line\nPlayer 1: easy\nPlayer 2: easy\n\n5\n",
    }
    listed = [*worth_listing(games, lambda name: parse(games[name]))]
    assert listed == ["left", "won", "going on", "two people", "computers"]
    later = [*worth_listing([*games][2:], lambda name: parse(games[name]))]
    assert "left before" not in later
    assert [*worth_listing(["left"], lambda _: parse(left), from_latest=False)] == []
