"""Tournaments: fair, repeatable, never losing a game, and judged by exact values."""

import gc
import json
import math
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import numduel
from numduel import BadRecord, BadVariant, State
from numduel.core.state import Move
from numduel.terminal.app import app
from numduel.terminal.waiting import NOTICE
from numduel.tournament import ratings, report, runner
from numduel.tournament.entrants import entrants, question
from numduel.tournament.jobs import Job, Result, Tournament, play, prepare
from numduel.tournament.journal import Journal
from numduel.tournament.ratings import ELO_PER_LOG_ODDS, Z_95, rate, wilson
from numduel.tournament.runner import make_ready, run
from numduel.tournament.standings import Standings, standings
from tests.cli import Ran, Terminal
from tests.cli import run as command
from tests.games import or_else

BOARDS = or_else(
    {
        "line": {"n": 6, "k": 3},
        "factors": {"n": 9},
        "capture": {"n": 7},
        "build": {"n": 4, "copies": 2, "k": 3},
        "duel": {"n": 6},
    },
    {},
)
"""Small boards, on which everything is quick."""
HERE = "tests.test_tournament"


def held(*players: str, games: str = "duel", rounds: int = 4, seed: int = 0) -> Tournament:
    boards = tuple(numduel.game(name, **BOARDS[name]) for name in games.split())
    return Tournament(entrants(players), boards, rounds, seed, move_timeout=30)


def played(tournament: Tournament) -> list[Result]:
    return [play(job) for job in tournament.jobs()]


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


# -- who meets whom --------------------------------------------------------------------------------


def test_everybody_meets_everybody_once_a_round_in_every_game_and_seats_alternate() -> None:
    jobs = list(held("random", "easy", "perfect", games="duel line", rounds=5).jobs())
    assert len(jobs) == len({job.key for job in jobs}) == 2 * 3 * 5
    seats = Counter((job.game.name, *(player.name for player in job.players)) for job in jobs)
    for game in ("duel", "line"):
        assert seats[game, "random", "easy"] == seats[game, "easy", "perfect"] == 3
        assert seats[game, "easy", "random"] == seats[game, "perfect", "easy"] == 2
    for job in jobs:
        assert job.index % 2 == (job.players not in {one.players for one in jobs if not one.index})


def test_a_game_is_the_same_whenever_and_wherever_it_is_played() -> None:
    jobs = list(held("random", "medium", "search:20", games=" ".join(BOARDS)).jobs())
    forwards = [play(job) for job in jobs]
    assert [play(job) for job in reversed(jobs)] == forwards[::-1]
    assert len({result.moves for result in forwards}) > len(forwards) / 2


def test_another_seed_is_another_tournament() -> None:
    one, two = (played(held("random", "easy", seed=seed)) for seed in (0, 1))
    assert [result.moves for result in one] != [result.moves for result in two]


def test_who_changes_seats_gets_the_same_cards() -> None:
    jobs = list(held("random", "easy", games="build", rounds=6).jobs())
    decks = [job.deck() for job in jobs]
    assert decks[0::2] == decks[1::2]
    assert len(set(map(tuple, decks))) == 3
    for job, deck in zip(jobs, decks, strict=True):
        game, moves = job.game, play(job).moves
        assert list(game.drawn(game.replay(moves))) == deck[: len(moves.split())]
        assert sorted(deck) == sorted(game.cards)


# -- what a player is given ------------------------------------------------------------------------


class Spy:
    """Keeps everything that it is given, and takes the first legal move."""

    seen: list[State] = []

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, state: State) -> Move:
        self.seen.append(state)
        return state.legal_moves[0]


def reached(state: State) -> Iterator[object]:
    """Everything that hangs on a state, but for the code it is made of."""
    waiting: list[Any] = [state]
    known = set()
    while waiting:
        thing = waiting.pop()
        if id(thing) not in known and not isinstance(thing, type | ModuleType):
            known.add(id(thing))
            yield thing
            waiting += gc.get_referents(thing)


def test_no_player_can_reach_the_deck() -> None:
    Spy.seen.clear()
    (job,) = held(f"spy=python:{HERE}:Spy", "random", games="build", rounds=1).jobs()
    play(job)
    assert len(Spy.seen) > 2
    for state in Spy.seen:
        cards = job.game.drawn(state)
        left = job.deck()[len(cards) :]
        after = state.play(state.legal_moves[0])
        assert after.winner is not None or not left or after.draws
        for thing in reached(state):
            assert not isinstance(thing, list | tuple) or list(thing)[-len(left) :] != left


# -- players of somebody else's --------------------------------------------------------------------


class First:
    """Takes the first legal move."""

    def choose(self, state: State) -> Move:
        return state.legal_moves[0]


class Learner:
    """Answers as learners do, with an integer of NumPy."""

    def choose(self, state: State) -> Any:
        return np.int64(int(state.legal_moves[0]))


class Failing:
    def choose(self, state: State) -> Move:
        raise KeyError("<lost>")


class Leaving:
    def choose(self, state: State) -> Move:
        sys.exit("goodbye")


class Forgetful:
    def choose(self, state: State) -> None:
        pass


class Endless:
    def choose(self, state: State) -> int:
        return 10**5000


class Sure:
    def choose(self, state: State) -> bool:
        return True


class Cheat:
    """Plays what was played already."""

    def choose(self, state: State) -> Move:
        return state.moves[-1] if state.moves else 99


def seeded(seed: int) -> Spy:
    return Spy(seed)


def unseeded() -> First:
    return First()


ready = First()
number = 5


@pytest.mark.parametrize(
    "place", ["First", "Spy", "seeded", "unseeded", "ready", "ready.__class__"]
)
def test_a_class_a_factory_and_an_object_play_alike(place: str) -> None:
    moves = [result.moves for result in played(held("a=perfect", f"b=python:{HERE}:{place}"))]
    assert moves == [result.moves for result in played(held("a=perfect", f"b=python:{HERE}:First"))]
    assert not any(result.fault for result in played(held("random", f"python:{HERE}:{place}")))


def test_a_factory_is_given_a_seed_of_the_game() -> None:
    seeds = [seed for job in held("random", "easy").jobs() for seed in job.seeds()]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 10**9 for seed in seeds)


def test_integers_of_numpy_are_moves() -> None:
    assert not any(result.fault for result in played(held("random", f"python:{HERE}:Learner")))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("Failing", "It raised KeyError: '<lost>'."),
        ("Leaving", "It raised SystemExit: goodbye."),
        (
            "Forgetful",
            "It raised TypeError: 'NoneType' object cannot be interpreted as an integer.",
        ),
        ("Endless", "It answered with something that is no move."),
        ("Sure", "It answered with something that is no move."),
        ("Cheat", "has already been picked."),
    ],
)
def test_what_goes_wrong_in_python_loses_that_game(place: str, why: str) -> None:
    tournament = held("random", f"bad=python:{HERE}:{place}")
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
     "exec:", "exec: ", 'exec:"', "perfect:3"],
)  # fmt: skip
def test_what_is_no_player_is_refused(spec: str) -> None:
    with pytest.raises(BadVariant):
        entrants(["random", spec])


@pytest.mark.parametrize(
    "spec",
    ["exec:no-such-program-anywhere", "python:no.such.module:x", f"python:{HERE}:missing",
     f"python:{HERE}:number"],
)  # fmt: skip
def test_what_cannot_be_found_is_refused_before_the_first_game(spec: str) -> None:
    with pytest.raises(BadVariant):
        make_ready(held("random", spec))


def test_players_need_names_that_differ() -> None:
    assert [one.name for one in entrants(["easy", "b=easy", "c=exec:x --y=z"])] == [
        "easy",
        "b",
        "c",
    ]
    assert entrants(["easy", "exec:x --y=z"])[1] == ("exec:x --y=z", "exec:x --y=z")
    with pytest.raises(BadVariant, match="Two players are called"):
        entrants(["easy", "Easy=hard"])
    with pytest.raises(BadVariant, match="two players or more"):
        entrants(["easy"])


# -- programs --------------------------------------------------------------------------------------

TALKING = """
import sys, numduel
for line in sys.stdin:
    head, _, moves = line.partition(":")
    name, *pairs = head.split()
    settings = dict(pair.split("=") for pair in pairs)
    seat = int(settings.pop("seat"))
    state = numduel.game(name, **settings).replay(moves)
    assert state.to_move == seat
    print(state.legal_moves[0], flush=True)
"""


def program(folder: Path, text: str) -> str:
    path = folder / "a program.py"
    path.write_text(text)
    return f"bot=exec:{shlex.join([sys.executable, str(path)])}"


def test_a_program_is_asked_in_the_notation_and_answers_with_a_move(tmp_path: Path) -> None:
    bot = program(tmp_path, TALKING)
    names = " ".join(BOARDS)
    asked_in_lines = played(held(bot, "random", games=names, rounds=2))
    assert asked_in_lines == played(
        held(f"bot=python:{HERE}:First", "random", games=names, rounds=2)
    )
    assert not any(result.fault for result in asked_in_lines)


def test_the_question_is_the_game_so_far() -> None:
    state = numduel.game("duel").replay("4 6")
    assert question(state) == "sequence-duel n=9 k=3 seat=1: 4 6"
    assert question(numduel.game("duel").start()) == "sequence-duel n=9 k=3 seat=1:"
    dealt = numduel.game("build").replay("7e 3")
    assert question(dealt) == "sequence-build n=10 copies=2 k=5 seat=2: 7e 3"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Its program ended without an answer."),
        ("input(); print('pony')", "It answered 'pony', which is no move."),
        ("input(); print()", "It answered '', which is no move."),
        ("input(); print('\\x1b[2J\\xff')", "It answered '?[2J\\xff', which is no move."),
        ("input(); print(99)", "99 is out of range: the numbers are 1 to 6."),
        ("input(); print('1' * 1025)", "It answered with a line of more than 1024 bytes."),
        ("while True: print('1' * 99, end='')", "It answered with a line of more than 1024 bytes."),
        ("while True: print('1' * 99)", f"It answered {'1' * 40 + '…'!r}, which is no move."),
        ("import os; os.kill(os.getpid(), 9)", "Its program ended without an answer."),
    ],
    ids=["gone", "garbage", "empty", "binary", "illegal", "long", "endless", "flood", "killed"],
)
def test_a_program_that_does_not_answer_with_a_move_loses(
    tmp_path: Path, text: str, why: str
) -> None:
    for result in played(held(program(tmp_path, text), "random", rounds=2)):
        assert result.fault is not None
        assert result.fault.why == why.replace("\\xff", "ÿ")
        assert result.players[2 - result.winner] == "bot"


def test_a_silent_program_loses_when_its_time_is_over_and_is_gone_then(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    text = (
        "import os, signal, sys\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}}')\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "while True: signal.pause()\n"
    )
    (job,) = held(program(tmp_path, text), "random", rounds=1).jobs()
    quick = Job(job.game, job.players, job.index, job.seed, move_timeout=0.5)
    assert play(quick).fault == (1, "It did not answer within 0.5 s.")
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_a_program_knows_its_seed(tmp_path: Path) -> None:
    text = "import os; input(); print('seed', os.environ['NUMDUEL_SEED'])"
    (job,) = held(program(tmp_path, text), "random", rounds=1).jobs()
    fault = play(job).fault
    assert fault is not None
    assert fault.why == f"It answered 'seed {job.seeds()[0]}', which is no move."


# -- what decisions are worth ----------------------------------------------------------------------


@settings(max_examples=60)
@given(st.sampled_from([*BOARDS]), st.integers(0, 10**6))
def test_perfect_play_has_no_regret_and_keeps_everything(name: str, seed: int) -> None:
    for result in played(held("random", "perfect", games=name, rounds=2, seed=seed)):
        tally = result.seats[result.players.index("perfect")]
        assert tally.regret == 0
        assert tally.kept == tally.best
        assert not tally.points


def worth(state: State) -> float:
    return numduel.evaluate(state).win_probability


@settings(max_examples=60)
@given(st.sampled_from([*BOARDS]), st.integers(0, 10**6))
def test_regret_is_the_fall_of_the_value_from_move_to_move(name: str, seed: int) -> None:
    for result in played(held("random", "easy", games=name, rounds=2, seed=seed)):
        state = numduel.game(result.game, **result.variant).start()
        lost, best, kept, points, made = ([0.0, 0.0] for _ in range(5))
        for token in result.moves.split():
            state = state.revealed(token)
            seat, choices, before = (
                state.to_move - 1,
                len(state.legal_moves),
                numduel.evaluate(state),
            )
            state = state.follow(token)
            if choices > 1:
                after = numduel.evaluate(state)
                made[seat] += 1
                best[seat] += before.win_probability
                kept[seat] += 1 - after.win_probability
                lost[seat] += before.win_probability + after.win_probability - 1
                if name == "capture":
                    points[seat] += margin(before, state) + margin(after, state)
        assert state.winner == result.winner
        for seat, tally in enumerate(result.seats):
            assert tally.decisions == made[seat]
            assert tally.regret == pytest.approx(lost[seat])
            assert (tally.best, tally.kept) == pytest.approx((best[seat], kept[seat]))
            assert tally.points == (points[seat] if name == "capture" else None)


def margin(value: Any, state: State) -> int:
    """Points ahead; in a finished game they are counted."""
    if value.margin is not None:
        return int(value.margin)
    sums = [sum(hand) for hand in numduel.view(state).hands]
    return sums[state.to_move - 1] - sums[2 - state.to_move]


def test_a_fault_gives_away_all_that_there_was() -> None:
    (result,) = played(held(f"bad=python:{HERE}:Failing", "random", rounds=1))
    assert result.seats[0] == (1, 1.0, None, 1.0, 0.0)
    assert result.seats[1] == (0, 0.0, None, 0.0, 0.0)


def test_a_fault_loses_no_points() -> None:
    (result,) = played(held(f"bad=python:{HERE}:Failing", "random", games="capture", rounds=1))
    assert result.fault is not None
    assert result.seats[0] == (1, 1.0, 0.0, 1.0, 0.0)


class FailingWhenForced:
    """Takes the first legal move, and fails when there is only one."""

    def choose(self, state: State) -> Move:
        first, *others = state.legal_moves
        assert others
        return first


def test_a_fault_on_a_forced_move_is_a_decision_that_loses_everything() -> None:
    (job,) = held(
        f"bad=python:{HERE}:FailingWhenForced", "random", games="capture", rounds=1
    ).jobs()
    result = play(job)
    assert result.fault is not None
    state = job.game.replay(result.moves)
    assert (state.to_move, len(state.legal_moves)) == (result.fault.seat, 1)
    chance = numduel.evaluate(state).win_probability
    made = [
        numduel.evaluate(before)
        for before in map(job.game.replay, prefixes(result.moves))
        if before.to_move == result.fault.seat and len(before.legal_moves) > 1
    ]
    tally = result.seats[result.fault.seat - 1]
    assert tally.decisions == len(made) + 1
    assert tally.best == sum(value.win_probability for value in made) + chance


def prefixes(moves: str) -> Iterator[str]:
    """The moves before the first, the second, … of a game."""
    tokens = moves.split()
    for count in range(len(tokens)):
        yield " ".join(tokens[:count])


def test_a_win_that_perfect_play_cannot_prevent_is_par() -> None:
    tournament = held("perfect", "twin=perfect", rounds=5)
    found = standings(tournament, played(tournament)).tables[0]
    assert found.par == (1.0, 0.0)
    for one in found.standings:
        assert [seat.wins for seat in one.seats] == [3 if one.name == "perfect" else 2, 0]
        assert (one.over_par, one.share, one.regret) == (0.0, 1.0, 0.0)
        assert one.seats[1].share is None
        assert abs(one.rating.points) < one.rating.spread


def test_over_par_and_share_are_counted_from_the_games() -> None:
    tournament = held("random", "perfect", games="build", rounds=40)
    results = played(tournament)
    (table,) = standings(tournament, results).tables
    (blind,) = [one for one in table.standings if one.name == "random"]
    mine = [(result, result.players.index("random")) for result in results]
    wins = sum(result.winner == seat + 1 for result, seat in mine)
    par = prepare(tournament.games[0])
    assert sum(par) == 1
    assert blind.over_par == pytest.approx(wins / 40 - sum(par) / 2)
    kept = sum(result.seats[seat].kept for result, seat in mine)
    best = sum(result.seats[seat].best for result, seat in mine)
    assert blind.share == pytest.approx(kept / best)
    assert blind.share is not None
    assert blind.share < 1
    assert blind.against == {"perfect": (wins, 40)}


def test_standings_do_not_hang_on_the_order_of_results() -> None:
    tournament = held("random", "easy", "hard", games="build duel")
    results = played(tournament)
    assert standings(tournament, results) == standings(tournament, results[::-1])


def test_a_board_without_exact_values_is_refused() -> None:
    large = Tournament(entrants(["random", "easy"]), (numduel.game("line", n=100),))
    with pytest.raises(BadVariant, match="too large for exact values"):
        make_ready(large)


def test_search_finds_wins_that_random_play_misses() -> None:
    tournament = held("random", "search:100", games="line duel", rounds=10)
    for table in standings(tournament, played(tournament)).tables:
        one, two = table.standings
        assert (one.name, two.name) == ("search:100", "random")
        assert one.wins > two.wins


# -- intervals and ratings -------------------------------------------------------------------------


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_ends_of_an_interval_are_just_not_rejected(case: tuple[int, int]) -> None:
    """Wilson's interval holds the rates from which the one seen is at most 1.96 deviations away."""
    wins, games = case
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games <= high <= 1
    for end in (low, high):
        off = Z_95 * math.sqrt(end * (1 - end) / games)
        assert abs(wins / games - end) == pytest.approx(off, abs=1e-9)


def test_intervals_are_those_of_the_books() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


BASEBALL = """
Mil-Det 4-3 Mil-Tor 4-2 Mil-New 4-3 Mil-Bos 6-1 Mil-Cle 4-2 Mil-Bal 6-0
Det-Mil 3-3 Det-Tor 4-2 Det-New 4-3 Det-Bos 6-0 Det-Cle 6-1 Det-Bal 4-3
Tor-Mil 2-5 Tor-Det 4-3 Tor-New 2-4 Tor-Bos 4-3 Tor-Cle 4-2 Tor-Bal 6-0
New-Mil 3-3 New-Det 5-1 New-Tor 2-5 New-Bos 4-3 New-Cle 4-2 New-Bal 6-1
Bos-Mil 5-1 Bos-Det 2-5 Bos-Tor 3-3 Bos-New 4-2 Bos-Cle 5-2 Bos-Bal 6-0
Cle-Mil 2-5 Cle-Det 3-3 Cle-Tor 3-4 Cle-New 4-3 Cle-Bos 4-2 Cle-Bal 2-4
Bal-Mil 2-5 Bal-Det 1-5 Bal-Tor 1-6 Bal-New 2-4 Bal-Bos 1-6 Bal-Cle 3-4
"""
"""Home teams against visitors, 1987 (Agresti, Categorical Data Analysis)."""
FITTED = {"Bos": 1.1438, "Cle": 0.7047, "Det": 1.4754, "Mil": 1.6196, "New": 1.2813, "Tor": 1.3271}
"""Against Baltimore, with an advantage of 0.3023 at home: the manual of R's BradleyTerry2."""


def met(one: str, two: str, won: int, lost: int) -> list[ratings.Game]:
    return [ratings.Game(one, two, "game", first < won) for first in range(won + lost)]


def test_ratings_with_an_advantage_are_those_that_were_published() -> None:
    words = BASEBALL.split()
    games = []
    for teams, score in zip(words[::2], words[1::2], strict=True):
        home_team, visitor = teams.split("-")
        won, lost = map(int, score.split("-"))
        games += met(home_team, visitor, won, lost)
    found, home = rate(games, prior=0)
    assert home["game"].points / ELO_PER_LOG_ODDS == pytest.approx(0.3023, abs=1e-4)
    for team, value in FITTED.items():
        above = (found[team].points - found["Bal"].points) / ELO_PER_LOG_ODDS
        assert above == pytest.approx(value, abs=1e-4)
    assert sum(rating.points for rating in found.values()) == pytest.approx(0, abs=1e-6)


def test_ratings_of_two_are_the_mean_of_their_log_odds_in_both_seats() -> None:
    found, seat = rate(met("a", "b", 30, 10) + met("b", "a", 24, 16), prior=0)
    first, second = math.log(3), math.log(16 / 24)
    assert found["a"].points - found["b"].points == pytest.approx(
        ELO_PER_LOG_ODDS * (first + second) / 2
    )
    assert seat["game"].points == pytest.approx(ELO_PER_LOG_ODDS * (first - second) / 2)
    spread = math.sqrt(1 / 30 + 1 / 10 + 1 / 24 + 1 / 16) / 2 * Z_95 * ELO_PER_LOG_ODDS
    assert seat["game"].spread == pytest.approx(spread)
    assert found["a"].spread == pytest.approx(spread / 2)


def test_who_always_wins_has_a_finite_rating_that_grows_with_the_games() -> None:
    few, many = (rate(met("a", "b", n, 0) + met("b", "a", 0, n))[0]["a"] for n in (2, 200))
    assert 0 < few.points < many.points < 2000
    assert few.points - few.spread < 0 < many.points - many.spread
    assert rate([]) == ({}, {})


def test_the_mean_of_all_ratings_is_zero() -> None:
    found, _ = rate(met("a", "b", 9, 1) + met("a", "c", 5, 0) + met("a", "d", 3, 0))
    assert sum(rating.points for rating in found.values()) == pytest.approx(0)
    assert found["a"].points > 100


# -- the file --------------------------------------------------------------------------------------


SHORT = held("random", "easy", games="duel capture", rounds=3)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a tournament that nothing interrupted."""
    path = tmp_path_factory.mktemp("whole") / "file"
    finish(path)
    return path.read_bytes()


def finish(path: Path, **options: Any) -> Standings:
    with Journal(path, SHORT) as journal:
        run(SHORT, journal, jobs=1, **options)
        return standings(SHORT, journal.results.values())


@settings(max_examples=40)
@given(at=st.integers(0, 10_000))
def test_wherever_a_file_is_cut_the_games_are_the_same_in_the_end(
    whole: bytes, tmp_path_factory: pytest.TempPathFactory, at: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "file"
    path.write_bytes(whole[: at % (len(whole) + 1)])
    again = []
    finish(path, advance=lambda: again.append(1))
    assert path.read_bytes() == whole
    kept = max(0, whole[: at % (len(whole) + 1)].count(b"\n") - 1)
    assert len(again) == 6 - kept


def test_a_long_line_that_was_cut_leaves_nothing_behind(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]) + b"{" + b" " * 9999)
    finish(path)
    assert path.read_bytes() == whole


def test_a_finished_tournament_is_only_read(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(whole)
    with Journal(path, SHORT) as journal:
        assert [*journal.results.values()] == played(SHORT)
        assert not any(journal.add(result) for result in played(SHORT))
        monkeypatch.setattr(runner, "play", None)
        run(SHORT, journal, jobs=1)
    assert path.read_bytes() == whole


def test_a_line_that_is_there_twice_counts_once(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(whole + whole.splitlines(keepends=True)[-1])
    assert finish(path).played == 6


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (
            held("random", "hard", games="duel capture", rounds=3),
            "with players .*easy.*, not .*hard",
        ),
        (held("random", "easy", games="duel", rounds=3), "with games .*number-capture.*, not "),
        (held("random", "easy", games="duel capture", rounds=4), "with rounds 3, not 4"),
        (held("random", "easy", games="duel capture", rounds=3, seed=1), "with seed 0, not 1"),
    ],
)
def test_the_file_of_another_tournament_is_refused_and_left_alone(
    whole: bytes, tmp_path: Path, other: Tournament, why: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(whole)
    with pytest.raises(BadRecord, match=why):
        Journal(path, other)
    assert path.read_bytes() == whole
    with Journal(path, other, fresh=True) as journal:
        assert not journal.results
    assert len(lines(path)) == 1


@pytest.mark.parametrize("text", ["dear diary\n", "{}\n", "[1]\n", "no line", "\x00" * 99])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(BadRecord, match="not the file of a tournament"):
        Journal(path, SHORT)
    assert path.read_text() == text


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"game": 1}', "null", "[" * 9999])
def test_a_broken_line_within_the_file_is_refused(whole: bytes, tmp_path: Path, line: str) -> None:
    path = tmp_path / "file"
    head, *rest = whole.decode().splitlines()
    path.write_text("\n".join((head, rest[0], line, *rest[1:])) + "\n")
    with pytest.raises(BadRecord, match="line 3 is not a result"):
        Journal(path, SHORT)


def test_a_result_of_another_tournament_is_refused(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    foreign = json.dumps(played(held("random", "hard", rounds=1))[0].json())
    path.write_bytes(whole + foreign.encode() + b"\n")
    with pytest.raises(BadRecord, match="line 8 is not a result"):
        Journal(path, SHORT)


def test_one_process_at_a_time_writes_the_file(tmp_path: Path) -> None:
    with Journal(tmp_path / "file", SHORT), pytest.raises(BadRecord, match="another tournament"):
        Journal(tmp_path / "file", SHORT)
    Journal(tmp_path / "file", SHORT).close()


@pytest.mark.parametrize("name", [".", "missing/file", "\0"])
def test_what_cannot_be_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRecord):
        Journal(Path(f"{tmp_path}/{name}"), SHORT)


CACHE = {"XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}


def ran(folder: Path, *arguments: str) -> Ran:
    """Run the command, with the games that were solved already."""
    return command(folder, *arguments, env=CACHE)


# -- the command -----------------------------------------------------------------------------------

STRIKING = """
import os, signal
from pathlib import Path

class Player:
    '''In the tenth game that is begun, strikes; else takes the first legal move.'''

    def __init__(self):
        with open("begun", "ab", buffering=0) as file:
            file.write(b".")
            if os.fstat(file.fileno()).st_size == 10:
                self.strike()

    def strike(self):
        {strike}

    def choose(self, state):
        return state.legal_moves[0]
"""
ARGUMENTS = (
    "tournament", "random", "bot=python:striking:Player", "easy",
    "--game", "duel", "--game", "line", "--set", "n=6", "--rounds", "6",
)  # fmt: skip


@pytest.fixture
def again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Go on with a tournament in which a player has struck, and compare it with one without."""

    def go_on() -> None:
        left = (tmp_path / "tournament.jsonl").read_bytes()
        assert 0 < left.count(b"\n") < 37
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "striking", raising=False)
        done = CliRunner().invoke(app, [*ARGUMENTS, "--jobs", "1", "--json"])
        assert done.exit_code == 0, done.output
        written = (tmp_path / "tournament.jsonl").read_bytes()
        assert written.startswith(left[: left.rfind(b"\n")])
        games = tuple(numduel.game(name, n=6) for name in ("duel", "line"))
        players = entrants(("random", f"bot=python:{HERE}:First", "easy"))
        expected = [json.dumps(play(job).json()) for job in Tournament(players, games, 6).jobs()]
        assert sorted(written.decode().splitlines()[1:]) == sorted(expected)
        assert json.loads(done.stdout)["played"] == len(expected) == 36

    return go_on


def strike(folder: Path, how: str) -> None:
    (folder / "striking.py").write_text(STRIKING.format(strike=how))


def test_a_tournament_killed_in_the_middle_goes_on_as_if_nothing_had_been(
    tmp_path: Path, again: Callable[[], None]
) -> None:
    strike(tmp_path, "os.kill(os.getppid(), signal.SIGKILL)")
    assert ran(tmp_path, *ARGUMENTS).code == -9
    again()


def test_a_worker_that_dies_is_told_in_a_sentence_and_costs_no_game(
    tmp_path: Path, again: Callable[[], None]
) -> None:
    strike(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    done = ran(tmp_path, *ARGUMENTS)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("numduel: A worker has died;")
    assert "Traceback" not in done.err
    again()


def test_ctrl_c_leaves_a_whole_file_and_says_how_to_go_on(
    tmp_path: Path, again: Callable[[], None]
) -> None:
    strike(tmp_path, "os.killpg(os.getpgrp(), signal.SIGINT)")
    with Terminal(tmp_path, *ARGUMENTS, env=CACHE) as terminal:
        said = terminal.rest()
        assert terminal.code() == 130
    assert "Traceback" not in said
    assert "Playing" in said
    count = len(lines(tmp_path / "tournament.jsonl")) - 1
    assert f"Stopped: {count} of 36 games are in tournament.jsonl; the same command" in said
    assert (tmp_path / "tournament.jsonl").read_bytes().endswith(b"\n")
    again()


SMALL = ("tournament", "random", "<i>&=perfect", "--game", "duel", "--set", "n=5", "--rounds", "2",
         "--jobs", "1")  # fmt: skip


def test_the_command_prints_tables_data_markdown_and_a_page(tmp_path: Path) -> None:
    done = ran(tmp_path, *SMALL, "--html", "page.html", "--markdown", "page.md")
    assert (done.code, done.err.removeprefix(f"{NOTICE}\n")) == (0, "")
    title, par, head, *_ = done.out.splitlines()
    assert title == "Sequence Duel (n=5, k=3)"
    assert par.startswith("Par is 100.0 % in seat 1 and 0.0 % in seat 2.")
    assert head.split()[-5:] == ["par", "share", "regret", "faults", "rating"]
    data = json.loads(ran(tmp_path, *SMALL, "--json").out)
    assert data["tables"][0]["players"][0]["seats"][0]["wins"] == 1
    assert data["tables"][0]["players"][0]["regret_per_decision"] == 0
    page, text = ((tmp_path / name).read_text("utf-8") for name in ("page.html", "page.md"))
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    assert {node.tag for node in root.iter()} >= {"svg", "table", "figure"}
    assert not {"script", "link", "img", "i"} & {node.tag for node in root.iter()}
    assert "http" not in page
    assert "<i>&=perfect" in "".join(root.itertext())
    made_by = "numduel tournament random '<i>&=perfect' --game duel --set n=5 --rounds 2 --seed 0"
    assert made_by in text
    assert made_by in "".join(root.itertext())
    assert "| \\<i\\>\\& |" in text
    assert ran(tmp_path, *SMALL, "--html", "page.html").code == 0


def test_a_report_takes_the_place_of_a_report_and_of_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("dear diary")
    for option in ("--html", "--markdown"):
        done = ran(tmp_path, *SMALL, option, "diary")
        assert done == Ran(2, "", "numduel: diary exists already; choose another name.\n")
    assert (tmp_path / "diary").read_text() == "dear diary"
    assert not (tmp_path / "tournament.jsonl").exists()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--backend", "ray"), "--backend is loky or dask, not 'ray'."),
        (("--backend", "dask"), "--backend dask needs the --address of a scheduler"),
        (("--game", "chess"), "There is no game 'chess'"),
        (("deep-blue",), "There is no player 'deep-blue'"),
    ],
)
def test_the_command_refuses_in_one_sentence(
    tmp_path: Path, more: tuple[str, ...], why: str
) -> None:
    done = ran(tmp_path, *SMALL, *more)
    assert done.code == 2
    assert done.err.startswith(f"numduel: {why}")
    assert done.err.count("\n") == 1


def test_every_table_of_a_tournament_is_on_the_page() -> None:
    tournament = held(
        "random", f"bad=python:{HERE}:Failing", "easy", games="duel capture", rounds=2
    )
    found = standings(tournament, played(tournament))
    page = report.page(found)
    for grid in report.grids(found):
        for cell in (grid.title, *grid.head, *(cell for row in grid.rows for cell in row)):
            assert cell in "".join(ElementTree.fromstring(page[15:]).itertext())
    assert report.grids(found)[-1].rows[0][0] == "bad"
    assert json.loads(json.dumps(found.json()))["tables"][1]["players"][0]["points_per_decision"]
