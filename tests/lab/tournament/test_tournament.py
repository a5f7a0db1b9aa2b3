"""Tournaments: fair, repeatable, never losing a game, and judged by exact values."""

import json
import math
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import numduel
from numduel import BadRecord, BadVariant, State
from numduel.lab.tournament import ratings, report, runner
from numduel.lab.tournament.entrants import entrants
from numduel.lab.tournament.file import ResultFile
from numduel.lab.tournament.jobs import Tournament, play
from numduel.lab.tournament.openings import PLIES, Openings
from numduel.lab.tournament.ratings import (
    ELO_PER_LOG_ODDS,
    Z_95,
    Estimate,
    Part,
    mean,
    rate,
    share,
    wilson,
)
from numduel.lab.tournament.report import Table
from numduel.lab.tournament.runner import make_ready, run
from numduel.lab.tournament.standings import Standings, standings
from numduel.solver.values import TIE
from numduel.terminal.app import app
from numduel.terminal.tournament import file_name, fitting
from tests.cli import Terminal
from tests.cli import run as command
from tests.everywhere import Ran
from tests.games import WITHOUT_LUCK
from tests.lab.tournament.small import BOARDS, BOTS, held, played, strike


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


def test_no_two_games_have_the_same_cards() -> None:
    """Not even when two players change seats: they may remember the cards of the first game."""
    tournament = held("random", "easy", "hard", games="build", rounds=6)
    jobs = list(replace(tournament, games=(numduel.game("build"),)).jobs())
    decks = [job.deck() for job in jobs]
    assert len(set(map(tuple, decks))) == len(jobs) == 18
    for job, deck in zip(jobs, decks, strict=True):
        game, moves = job.game, play(job).moves
        assert list(game.drawn(game.replay(moves))) == deck[: len(moves.split())]
        assert sorted(deck) == sorted(game.cards)


# -- how games begin -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_an_opening_is_a_few_moves_after_which_the_next_one_matters(name: str) -> None:
    for job in held("random", "easy", games=name, rounds=12, openings="random").jobs():
        state = job.opening()
        assert len(state.moves) in (0, *PLIES)
        if state.moves:
            chances = {option.win_probability for option in numduel.analyse(state)}
            assert chances == {0.0, 1.0}


def test_every_opening_is_played_from_both_seats_and_by_all_pairings() -> None:
    tournament = held("random", "easy", "hard", games="line duel", rounds=6, openings="random")
    found: dict[tuple[str, int], set[State]] = {}
    for job in tournament.jobs():
        found.setdefault((job.game.id, job.index // 2), set()).add(job.opening())
    assert all(len(states) == 1 for states in found.values())
    assert len(set.union(*found.values())) == 2 * 3


def test_openings_favour_each_seat_equally_often_and_differ_until_there_are_no_more() -> None:
    (board,) = held("random", "easy", games="line").games
    found = Openings(board, "seed")
    states = [found[number] for number in range(200)]
    size = len(set(states))
    assert 4 < size < 200
    assert len(set(states[:size])) == size
    assert states[size:] == states[: 200 - size]
    assert [state.to_move for state in states[:size]] == [1 + number % 2 for number in range(size)]
    assert [Openings(board, "seed")[number] for number in (7, 3)] == [states[7], states[3]]
    assert Openings(board, "another")[0] != states[0]


def test_a_board_too_small_for_openings_and_a_deck_need_none() -> None:
    assert not Openings(numduel.game("line", n=3, k=3), "")[5].moves
    (job,) = held("random", "easy", games="build", rounds=1, openings="random").jobs()
    assert job.opening() == job.game.start()


def test_par_is_what_the_opening_leaves_and_its_moves_are_nobodys_decisions() -> None:
    tournament = held(
        "perfect", "twin=perfect", games="line duel factors", rounds=8, openings="random"
    )
    for result in played(tournament):
        assert result.opening in PLIES
        assert result.par == (result.opening == 2)
        assert result.winner == 2 - result.par
        assert [tally.regret for tally in result.seats] == [0, 0]
        state = numduel.game(result.game, **result.variant).start()
        decisions = [0, 0]
        for number, token in enumerate(result.moves.split()):
            decisions[state.to_move - 1] += len(state.legal_moves) > 1 and number >= result.opening
            state = state.apply_token(token)
        assert [tally.decisions for tally in result.seats] == decisions
    for table in standings(tournament, played(tournament)).tables:
        assert table.par == (0.5, 0.5)
        assert [one.over_par for one in table.standings] == [0.0, 0.0]
        assert table.better_seat.points > 400


def test_players_who_always_answer_alike_play_different_games_after_openings() -> None:
    players = f"a=python:{BOTS}:First", f"b=python:{BOTS}:First"
    for openings, different, told in (("none", 2, "2 different"), ("random", 12, "all different")):
        tournament = held(*players, games="line", rounds=12, openings=openings)
        found = standings(tournament, played(tournament))
        assert (found.tables[0].played, found.tables[0].distinct) == (12, different)
        assert report.tables(found)[0].note.startswith(f"12 games, {told}.")


# -- what decisions are worth ----------------------------------------------------------------------


@given(st.sampled_from([*BOARDS]), st.integers(0, 10**6))
def test_perfect_play_has_no_regret_and_keeps_everything(name: str, seed: int) -> None:
    for result in played(held("random", "perfect", games=name, rounds=2, seed=seed)):
        tally = result.seats[result.players.index("perfect")]
        assert tally.regret == pytest.approx(0, abs=TIE)
        assert tally.kept == pytest.approx(tally.best, abs=TIE)
        assert not tally.points


def worth(state: State) -> float:
    return numduel.evaluate(state).win_probability


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
            state = state.apply_token(token)
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


@pytest.mark.parametrize("name", BOARDS)
def test_a_fault_is_judged_as_the_worst_legal_move(name: str) -> None:
    (job,) = held(f"bad=python:{BOTS}:Failing", "random", games=name, rounds=1).jobs()
    result = play(job)
    assert result.fault is not None
    *_, worst = options = numduel.analyse(job.game.replay(result.moves))
    assert all(worst.win_probability <= option.win_probability for option in options)
    best, kept = options[0].win_probability, worst.win_probability
    points = worst.loss if name == "capture" else None
    assert result.seats[0] == (1, best - kept, points, best, kept)
    assert result.seats[1].decisions == 0


def test_a_fault_on_a_forced_move_is_no_decision() -> None:
    (job,) = held(
        f"bad=python:{BOTS}:FailingWhenForced", "random", games="capture", rounds=1, seed=1
    ).jobs()
    result = play(job)
    assert result.fault is not None
    state = job.game.replay(result.moves)
    assert (state.to_move, len(state.legal_moves)) == (result.fault.seat, 1)
    made = [
        numduel.evaluate(before)
        for before in map(job.game.replay, prefixes(result.moves))
        if before.to_move == result.fault.seat and len(before.legal_moves) > 1
    ]
    tally = result.seats[result.fault.seat - 1]
    assert tally.decisions == len(made)
    assert tally.best == sum(value.win_probability for value in made)


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
        assert (one.over_par, one.share, one.regret) == (0.0, (1.0, None, None), ANY)
        assert one.regret is not None
        assert one.regret.value == one.regret.low == 0 < (one.regret.high or 0)
        assert one.seats[1].share is None
        assert abs(one.rating.points) < one.rating.spread


def test_over_par_and_share_are_counted_from_the_games() -> None:
    tournament = held("random", "perfect", games="build", rounds=40)
    results = played(tournament)
    (table,) = standings(tournament, results).tables
    (blind,) = [one for one in table.standings if one.name == "random"]
    mine = [(result, result.players.index("random")) for result in results]
    wins = sum(result.winner == seat + 1 for result, seat in mine)
    assert blind.over_par == pytest.approx(wins / 40 - 1 / 2)
    kept = sum(result.seats[seat].kept for result, seat in mine)
    best = sum(result.seats[seat].best for result, seat in mine)
    assert blind.share is not None
    assert blind.share.value == pytest.approx(kept / best)
    assert blind.share.value < 1
    assert blind.against == {"perfect": (wins, 40)}


def test_standings_do_not_hang_on_the_order_of_results() -> None:
    tournament = held("random", "easy", "hard", games="build duel")
    results = played(tournament)
    assert standings(tournament, results) == standings(tournament, results[::-1])


@pytest.mark.usefixtures("quick_estimates")
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


def part_of(parts: list[tuple[float, float]]) -> Estimate | None:
    """A mean per unit from 0 to 1."""
    return mean(Part(total, units, 0.0, units) for total, units in parts)


def test_the_interval_of_a_mean_takes_games_as_the_sample() -> None:
    games = [(0.0, 2.0), (0.5, 3.0), (1.0, 5.0), (0.0, 0.0)]
    few = part_of(games)
    assert few
    assert few.value == pytest.approx(0.15)
    assert few.low is few.high is None
    one, other = (part_of(order) for order in (2 * games, 2 * games[::-1]))
    assert one
    assert one == other, "whatever their order"
    assert 0 < (one.low or 0) < 0.15 < (one.high or 1) < 1
    more, longer = part_of(8 * games), part_of([(4 * a, 4 * b) for a, b in 2 * games])
    assert more
    assert (more.low or 0) > (one.low or 0)
    assert longer == pytest.approx(one), "longer games are no more of them"
    assert part_of([]) is part_of([(0.0, 0.0)]) is None


def test_the_interval_of_a_share_of_single_ones_is_that_of_the_books() -> None:
    """Clopper and Pearson's interval for 0 and for 3 of 10; `share` has Wilson's."""
    some = [(float(number < 3), 1.0) for number in range(10)]
    none = [(0.0, 1.0)] * 10
    assert part_of(some) == pytest.approx((0.3, 0.067, 0.652), abs=0.015)
    assert part_of(none) == pytest.approx((0, 0, 0.308), abs=0.015)
    assert share(some) == (0.3, *wilson(3, 10))
    assert share(none[:4]) == (0, None, None)
    assert share([(2.0, 4.0)] * 6) == part_of([(2.0, 4.0)] * 6)


Drawn = tuple[Part, float]
"""An observation, and the true mean."""


def rare(luck: random.Random) -> Drawn:
    """A loss of 1 in one decision of a hundred."""
    return Part(float(luck.random() < 0.01), 1.0, 0.0, 1.0), 0.01


def skewed(luck: random.Random) -> Drawn:
    """Points: mostly none, seldom many, of at most 15."""
    lost = (0.0 if luck.random() < 0.9 else 15 * luck.betavariate(0.5, 2)) / 15
    return Part(lost, 1.0, 0.0, 1.0), 0.02


def clustered(luck: random.Random) -> Drawn:
    """Games of 1 to 6 decisions, good or bad ones as a whole."""
    size = luck.randint(1, 6)
    return Part(float(size * luck.randint(0, 1)), float(size), 0.0, float(size)), 0.5


def unequal(luck: random.Random) -> Drawn:
    """Every other decision may lose 1, and a third of them does; the others lose next to nothing.
    If all that can be lost on average were the bound, 83 of 100 samples of ten would hold it."""
    if luck.random() < 0.5:
        return Part(0.0, 1.0, 0.0, 0.01), 0.35 / 2
    return Part(float(luck.random() < 0.35), 1.0, 0.0, 1.0), 0.35 / 2


@pytest.mark.parametrize("size", [10, 30, 100])
@pytest.mark.parametrize("drawn", [rare, skewed, clustered, unequal])
def test_an_interval_holds_the_truth_in_at_least_93_of_100_samples(
    drawn: Callable[[random.Random], Drawn], size: int
) -> None:
    """A mean with its standard error held it in 10 of 100 samples of ten, if losses are rare."""
    luck, held_it = random.Random(size), 0
    for _ in range(200):
        parts = [drawn(luck) for _ in range(size)]
        found = mean(part for part, _ in parts)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held_it += found.low <= parts[0][1] <= found.high
    assert held_it >= 186


def test_share_and_regret_have_intervals_in_tables_and_data() -> None:
    tournament = held("random", "easy", games="capture", rounds=6)
    found = standings(tournament, played(tournament))
    (table,) = found.tables
    for one, data in zip(table.standings, table.json()["players"], strict=True):  # type: ignore[call-overload]
        most = max(1.0, *(tally.regret for tally in one.tallies))
        parts = [Part(tally.regret, tally.decisions, 0.0, most) for tally in one.tallies]
        assert one.regret == mean(parts), "a whole chance in another game"
        for name, what in (
            ("share", one.share),
            ("regret_per_decision", one.regret),
            ("points_per_decision", one.points),
        ):
            assert (data[name], data[f"{name}_low"], data[f"{name}_high"]) == what
        assert one.regret is not None
        assert one.points is not None
        lost, low, high = (100 * (part or 0) for part in one.regret)
        chance = f"{lost:.1f} % [{low:.1f}–{high:.1f}]"
        points = f"{one.points.value:.2f} [{one.points.low:.2f}–{one.points.high:.2f}]"
        grid = report.tables(found)[1]
        assert grid.head[-2:] == ("regret (chance)", "regret (points)")
        assert (chance, points) in [row[-2:] for row in grid.rows if row[0] == one.name]
    assert "regret (points)" not in str(report.tables(standings(held("random", "easy"), [])))


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


def test_the_intervals_of_equal_players_follow_from_the_number_of_games_alone() -> None:
    """Two who won each as often as the other: every game, and every draw that is taken for granted,
    tells a quarter of a unit of log-odds, so that the variances can be worked out by hand."""
    games = [
        ratings.Game(one, two, "duel", won)
        for one, two in (("a", "b"), ("b", "a"))
        for won in (True, False)
    ]
    players, seats = rate(games)
    for name in ("a", "b"):
        assert players[name].points == pytest.approx(0, abs=1e-9)
        assert players[name].spread == pytest.approx(Z_95 * ELO_PER_LOG_ODDS * math.sqrt(2 / 9))
    assert seats["duel"].spread == pytest.approx(Z_95 * ELO_PER_LOG_ODDS * math.sqrt(4 / 5))


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
    with ResultFile(path, SHORT) as file:
        run(SHORT, file, jobs=1, **options)
        return standings(SHORT, file.results.values())


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
    with ResultFile(path, SHORT) as file:
        assert [*file.results.values()] == played(SHORT)
        monkeypatch.setattr(runner, "play", None)
        run(SHORT, file, jobs=1)
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
            "holds a tournament with players .*easy",
        ),
        (held("random", "easy", games="duel", rounds=3), "with games .*number-captur"),
        (
            held("random", "easy", games="duel capture", rounds=3, openings="random"),
            'with openings "none"; choose another --file',
        ),
        (
            held("random", "easy", games="duel capture", rounds=3, seed=1),
            "with seed 0; choose another --file, or start over with --fresh",
        ),
    ],
)
def test_the_file_of_another_tournament_is_refused_and_left_alone(
    whole: bytes, tmp_path: Path, other: Tournament, why: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(whole)
    with pytest.raises(BadRecord, match=why):
        ResultFile(path, other)
    assert path.read_bytes() == whole
    with ResultFile(path, other, fresh=True) as file:
        assert not file.results
    assert len(lines(path)) == 1


def test_more_rounds_go_on_in_the_same_file(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(whole)
    longer = replace(SHORT, rounds=5)
    with ResultFile(path, longer) as file:
        run(longer, file, jobs=1)
        assert [*file.results.values()] == played(longer)
    assert path.read_bytes().startswith(whole)
    assert len(lines(path)) == 1 + 2 * 5


def test_a_file_of_an_earlier_format_is_refused_in_one_sentence(
    whole: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(whole.replace(b'"format": 2', b'"format": 1', 1))
    with pytest.raises(BadRecord, match="is not written in format 2, which this version"):
        ResultFile(path, SHORT)


def test_fewer_rounds_are_the_first_ones_of_the_file(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(whole)
    shorter = replace(SHORT, rounds=1)
    with ResultFile(path, shorter) as file:
        run(shorter, file, jobs=1)
        assert [*file.results.values()] == played(shorter)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("text", ["dear diary\n", "{}\n", "[1]\n", "no line", "\x00" * 99])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(BadRecord, match="not a tournament file"):
        ResultFile(path, SHORT)
    assert path.read_text() == text


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"game": 1}', "null", "[" * 9999])
def test_a_broken_line_within_the_file_is_refused(whole: bytes, tmp_path: Path, line: str) -> None:
    path = tmp_path / "file"
    head, *rest = whole.decode().splitlines()
    path.write_text("\n".join((head, rest[0], line, *rest[1:])) + "\n")
    with pytest.raises(BadRecord, match="line 3 is not a result"):
        ResultFile(path, SHORT)


def test_a_result_of_another_tournament_is_refused(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    foreign = json.dumps(played(held("random", "hard", rounds=1))[0].json())
    path.write_bytes(whole + foreign.encode() + b"\n")
    with pytest.raises(BadRecord, match="line 8 is not a result"):
        ResultFile(path, SHORT)


def test_a_game_is_of_a_tournament_by_its_rules_its_players_and_who_began() -> None:
    tournament, duel = held("easy", "hard", "random"), "sequence-duel"
    for key in ((duel, "easy", "hard", 0), (duel, "hard", "easy", 1), (duel, "easy", "random", 98)):
        assert tournament.has(key)
    for key in (
        (duel, "hard", "easy", 0), (duel, "easy", "hard", 1), (duel, "easy", "hard", -2),
        (duel, "easy", "easy", 0), (duel, "easy", "perfect", 0), ("chess", "easy", "hard", 0),
    ):  # fmt: skip
        assert not tournament.has(key)


def test_a_file_is_named_after_its_players_and_games() -> None:
    assert file_name(entrants(["EASY", "me=hard"]), []) == "tournament-easy-me.jsonl"
    assert file_name(entrants(["easy", "hard"]), ["duel"]) == "tournament-easy-hard-duel.jsonl"
    hostile = file_name(entrants(["../../etc=easy", "hard"]), [])
    assert hostile == "tournament-etc-hard.jsonl"
    many = [f"{'long name ' * 3}{number}=easy" for number in range(9)]
    names = {file_name(entrants(many[:count]), []) for count in (8, 9)}
    assert len(names) == 2
    assert max(map(len, names)) < 100


def test_one_process_at_a_time_writes_the_file(tmp_path: Path) -> None:
    with ResultFile(tmp_path / "file", SHORT), pytest.raises(BadRecord, match="another tournament"):
        ResultFile(tmp_path / "file", SHORT)
    ResultFile(tmp_path / "file", SHORT).close()


@pytest.mark.parametrize("name", [".", "missing/file", "\0"])
def test_what_cannot_be_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRecord):
        ResultFile(Path(f"{tmp_path}/{name}"), SHORT)


CACHE = {"XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}


def ran(folder: Path, *arguments: str) -> Ran:
    """Run the command, with the games that were solved already."""
    return command(folder, *arguments, env=CACHE)


# -- the command -----------------------------------------------------------------------------------

ARGUMENTS = (
    "tournament", "random", "bot=python:striking:Player", "easy",
    "--game", "duel", "--game", "line", "--set", "n=6", "--rounds", "6",
    "--file", "tournament.jsonl",
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
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        done = CliRunner().invoke(app, [*ARGUMENTS, "--jobs", "1", "--json"])
        assert done.exit_code == 0, done.output
        written = (tmp_path / "tournament.jsonl").read_bytes()
        assert written.startswith(left[: left.rfind(b"\n")])
        results = written.decode().splitlines()[1:]
        games = tuple(numduel.game(name, n=6) for name in ("duel", "line"))
        players = entrants(("random", f"bot=python:{BOTS}:First", "easy"))
        expected = [json.dumps(play(job).json()) for job in Tournament(players, games, 6).jobs()]
        assert sorted(results) == sorted(expected)
        assert json.loads(done.stdout)["played"] == len(expected) == 36

    return go_on


def test_whoever_ends_a_tournament_can_go_on(tmp_path: Path, again: Callable[[], None]) -> None:
    strike(tmp_path, "os.kill(os.getppid(), signal.SIGTERM)")
    done = ran(tmp_path, *ARGUMENTS)
    assert done.code == 130
    assert done.err.splitlines()[-1].endswith("the same command goes on.")
    again()


def test_a_tournament_killed_in_the_middle_goes_on(
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
    assert done.err.splitlines()[-1].startswith("numduel: A worker has died.")
    assert "Traceback" not in done.err
    again()


def test_ctrl_c_leaves_a_whole_file_and_says_how_to_go_on(
    tmp_path: Path, again: Callable[[], None]
) -> None:
    strike(tmp_path, "os.killpg(os.getpgid(os.getppid()), signal.SIGINT)")
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
         "--jobs", "1", "--file", "tournament.jsonl")  # fmt: skip


def test_the_command_prints_tables_and_data(tmp_path: Path) -> None:
    done = ran(tmp_path, *SMALL)
    assert (done.code, done.err) == (0, "")
    title, par, head, *_, file = done.out.splitlines()
    assert file == "Every game is in tournament.jsonl."
    assert title == "Sequence Duel (n=5, k=3)"
    assert par.startswith("2 games, all different. Par is 100.0 % in seat 1 and 0.0 % in seat 2.")
    assert par.endswith("No difference between the seats could be measured.")
    assert " ".join(head.split()) == "player rating seat 1 wins seat 2 wins over par faults"
    data = json.loads(ran(tmp_path, *SMALL, "--json").out)
    assert data["tables"][0]["players"][0]["seats"][0]["wins"] == 1
    assert data["tables"][0]["players"][0]["regret_per_decision"] == 0


@pytest.mark.parametrize(
    ("more", "why", "end"),
    [
        (("--openings", "sicilian"), "--openings must be random or none, not 'sicilian'.", ""),
        (("--game", "chess"), "There is no game 'chess'", ""),
        (("deep-blue",), "There is no player 'deep-blue'", ""),
        (("esy",), "There is no player 'esy'", "Did you mean easy?\n"),
    ],
)
def test_the_command_refuses_in_one_sentence(
    tmp_path: Path, more: tuple[str, ...], why: str, end: str
) -> None:
    done = ran(tmp_path, *SMALL, *more)
    assert done.code == 2
    assert done.err.startswith(f"numduel: {why}")
    assert done.err.endswith(end)
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("width", [40, 80])
def test_a_table_of_many_players_is_printed_in_parts(width: int) -> None:
    names = tuple(f"player-{number}" for number in range(12))
    whole = Table("Wins", tuple((name, *names) for name in names), ("", *names), "note")
    parts = fitting(whole, width)
    assert fitting(whole, None) == [whole]
    for part in parts:
        wide = [max(map(len, column)) for column in zip(part.head, *part.rows, strict=True)]
        assert sum(wide) + 2 * len(wide) <= width
    assert [name for part in parts for name in part.head[1:]] == list(names)
    assert {part.head[0] for part in parts} == {""}
    assert all([row[0] for row in part.rows] == list(names) for part in parts)


def test_tables_fit_on_a_terminal_of_80_columns() -> None:
    tournament = held("random", "perfect", games="capture duel", rounds=40)
    for grid in report.tables(standings(tournament, played(tournament))):
        widths = [max(map(len, column)) for column in zip(grid.head, *grid.rows, strict=True)]
        assert sum(widths) + 2 * len(widths) <= 80, grid.title
