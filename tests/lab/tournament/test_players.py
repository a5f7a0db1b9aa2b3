"""Players of a tournament that somebody else has written: what they see, what becomes of them."""

import pytest

from numduel import BadVariant
from numduel.lab.tournament.entrants import Entrant, entrants
from numduel.lab.tournament.jobs import play
from numduel.lab.tournament.runner import make_ready
from numduel.lab.tournament.standings import standings
from tests.lab.tournament.small import BOTS, held, played


@pytest.mark.parametrize(
    "place", ["First", "Seeded", "seeded", "unseeded", "ready", "ready.__class__"]
)
def test_a_class_a_factory_and_an_object_play_alike(place: str) -> None:
    moves = [result.moves for result in played(held("a=perfect", f"b=python:{BOTS}:{place}"))]
    assert moves == [result.moves for result in played(held("a=perfect", f"b=python:{BOTS}:First"))]
    assert not any(result.fault for result in played(held("random", f"python:{BOTS}:{place}")))


def test_a_player_is_created_with_a_seed_of_the_game() -> None:
    jobs = list(held(f"bot=python:{BOTS}:TellingItsSeed", "random").jobs())
    seeds = [seed for job in jobs for seed in job.seeds()]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 10**9 for seed in seeds)
    for job in jobs:
        fault = play(job).fault
        assert fault is not None
        seed = job.seeds()[fault.seat - 1]
        assert fault.why == f"It answered 'seed {seed}', which is not a move."


def test_a_player_that_uses_the_shared_generators_repeats_its_games_in_any_order() -> None:
    jobs = list(held(f"python:{BOTS}:Careless", "random", rounds=6).jobs())
    assert [play(job) for job in jobs] == [play(job) for job in jobs[::-1]][::-1]


def test_integers_of_numpy_are_moves() -> None:
    assert not any(result.fault for result in played(held("random", f"python:{BOTS}:Learner")))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("Failing", "It raised KeyError: '<lost>'."),
        ("Leaving", "It raised SystemExit: goodbye."),
        (
            "Forgetful",
            "It raised TypeError: 'NoneType' object cannot be interpreted as an integer.",
        ),
        ("Endless", "It answered with something that is not a move."),
        ("Sure", "It answered with something that is not a move."),
        ("Unborn", "It raised ValueError: no weights."),
        ("Cheat", "has already been picked."),
    ],
)
def test_what_goes_wrong_in_python_loses_that_game(place: str, why: str) -> None:
    tournament = held("random", f"bad=python:{BOTS}:{place}")
    results = played(tournament)
    for result in results:
        assert result.fault is not None
        assert why in result.fault.why or "out of range" in result.fault.why
        assert result.players[result.fault.seat - 1] == "bad"
        assert result.winner == 3 - result.fault.seat
    found = standings(tournament, results)
    assert found.played == 4
    (bad,) = [one for one in found.tables[0].standings if one.name == "bad"]
    assert (bad.faults, bad.wins, bad.games) == (4, 0, 4)
    assert sum(games for _, _, games in found.faults) == 4


@pytest.mark.parametrize(
    "spec",
    ["", "deep-blue", "human", "search:0", "search:many", "python:", "python:one", "python::x",
     "exec:sh", "perfect:3"],
)  # fmt: skip
def test_what_is_no_player_is_refused(spec: str) -> None:
    with pytest.raises(BadVariant):
        entrants(["random", spec])


@pytest.mark.parametrize(
    "spec",
    ["python:no.such.module:x", f"python:{BOTS}:missing",
     f"python:{BOTS}:number", f"python:{BOTS}:Unborn"],
)  # fmt: skip
def test_what_cannot_be_found_is_refused_before_the_first_game(spec: str) -> None:
    with pytest.raises(BadVariant):
        make_ready(held("random", spec))


def test_players_need_names_that_differ() -> None:
    assert entrants(["easy", "b=easy"]) == (Entrant("easy", "easy"), Entrant("b", "easy"))
    with pytest.raises(BadVariant, match="Two players are called"):
        entrants(["easy", "Easy=hard"])
    with pytest.raises(BadVariant, match="two players or more"):
        entrants(["easy"])
