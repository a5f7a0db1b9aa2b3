"""Exact values, against trying everything, against each other, and against what is published."""

import random
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel import solver
from numduel.core.matching import missed
from numduel.games.capture import Capture
from numduel.solver import claims, geography, search, strong, transposition
from numduel.solver.search import Search
from tests.games import NAMES, WITHOUT_LUCK, naive
from tests.solver import brute


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *(("line", {"n": n, "k": k}) for n in range(1, 7) for k in range(1, n + 1)),
        *(("duel", {"n": n, "k": k}) for n in range(1, 7) for k in range(1, n + 1)),
        *(("factors", {"n": n}) for n in range(1, 9)),
        ("factors", {"n": 8, "first": "even"}),
    ],
)
def test_results_and_distances_are_those_of_trying_everything(
    name: str, settings: dict[str, object]
) -> None:
    game = numduel.game(name, **settings)
    legal, winner = getattr(naive, f"{name}_moves"), getattr(naive, f"{name}_winner")
    for state in game.start().walk():
        value = numduel.evaluate(state)
        sign, plies = brute.best(
            state.moves,
            lambda moves: legal(moves, *game.variant),
            lambda moves: winner(moves, *game.variant),
        )
        assert (value.win_probability, value.plies) == ((sign + 1) / 2, plies), state
        assert value.exact


@pytest.mark.parametrize(("n", "gaps"), [*((n, 0) for n in range(1, 8)), (4, 1), (8, 1), (9, 1)])
def test_margins_are_those_of_trying_everything(n: int, gaps: int) -> None:
    for state in Capture(n=n, gaps=("none", "square")[gaps]).start().walk():
        if state.winner is None:
            assert numduel.evaluate(state).margin == brute.best_margin(state.moves, n, gaps), state


@pytest.mark.parametrize(
    ("n", "copies", "k"), [(2, 2, 2), (3, 1, 2), (3, 2, 3), (3, 2, 4), (2, 3, 3), (4, 1, 3)]
)
def test_chances_are_those_of_trying_everything(n: int, copies: int, k: int) -> None:
    game = numduel.game("build", n=n, copies=copies, k=k)
    for state in game.start().walk():
        if state.draws:
            moves = tuple(map(str, state.moves))
            expected = brute.best_chance(moves, n, copies, k)
            assert numduel.evaluate(state).win_probability == pytest.approx(expected), state


@pytest.mark.parametrize(
    ("name", "winning"),
    [
        ("line", set(range(1, 9))),
        ("duel", set(range(2, 9))),
        ("factors", set(range(1, 21)) - {1, 14}),
        ("capture", {21}),
    ],
)
def test_the_winning_openings_of_the_defaults(name: str, winning: set[int]) -> None:
    found = numduel.analyse(numduel.game(name).start())
    assert {option.move for option in found if option.win_probability == 1} == winning


def test_number_capture_is_won_by_eleven() -> None:
    best = numduel.analyse(numduel.game("capture").start())[0]
    assert (best.move, best.margin, best.win_probability) == (21, 11, 1.0)


def test_the_first_player_of_sequence_build_wins_a_little_less_than_half() -> None:
    value = numduel.evaluate(numduel.game("build").start())
    assert round(value.win_probability, 6) == 0.498876


def test_the_classroom_game_on_40_is_won_with_22_and_26() -> None:
    found = numduel.analyse(numduel.game("factors", n=40, first="even").start())
    assert {o.move for o in found if o.win_probability == 1} == {22, 26}
    assert all(option.exact for option in found)


def test_factors_on_34_has_distances() -> None:
    game = numduel.game("factors", n=34)
    found = numduel.analyse(game.start())
    assert {option.plies for option in found} > {3, 21}
    results = geography.results(game, game.start().position)
    assert {o.move: o.win_probability for o in found} == {
        move: value.win_probability for move, value in results.items()
    }


def test_factors_on_200_is_exact() -> None:
    found = numduel.analyse(numduel.game("factors", n=200).start())
    assert len(found) == 200
    assert all(option.exact for option in found)


@given(st.integers(2, 22), st.data())
def test_matchings_and_search_agree_on_factors(n: int, data: st.DataObject) -> None:
    game = numduel.game("factors", n=n)
    searched = Search(game)
    state = game.start()
    while state.winner is None:
        for move, value in geography.results(game, state.position).items():
            after = searched.value(state.play(move).position)
            assert value.win_probability == 1 - after.win_probability
        state = state.play(data.draw(st.sampled_from(state.legal_moves)))


@given(st.integers(1, 8), st.data())
def test_missed_vertices_are_those_that_a_largest_matching_can_spare(
    size: int, data: st.DataObject
) -> None:
    pairs = [(a, b) for a in range(size) for b in range(a)]
    edges = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    graph = {v: [b if a == v else a for a, b in edges if v in (a, b)] for v in range(size)}

    def largest(vertices: tuple[int, ...]) -> int:
        if not vertices:
            return 0
        first, rest = vertices[0], vertices[1:]
        found = [largest(rest)]
        found += [
            1 + largest(tuple(v for v in rest if v != other))
            for other in graph[first]
            if other in rest
        ]
        return max(found)

    everyone = tuple(graph)
    spared = {
        vertex
        for vertex in everyone
        if largest(tuple(v for v in everyone if v != vertex)) == largest(everyone)
    }
    assert missed(graph) == spared


@given(st.sampled_from(NAMES), st.integers(0, 10**6), st.data())
def test_a_position_is_worth_its_best_move(name: str, seed: int, data: st.DataObject) -> None:
    state = numduel.game(name).start(seed=seed)
    while state.winner is None:
        found = numduel.analyse(state)
        assert {option.move for option in found} == set(state.legal_moves)
        value = numduel.evaluate(state)
        assert value == found[0].value
        assert found[0].best
        assert found[0].loss == 0
        for option in found:
            after = numduel.evaluate(state.public.play(option.move))
            assert 1 - after.win_probability == pytest.approx(option.win_probability)
            assert option.loss >= 0
        state = state.play(data.draw(st.sampled_from(state.legal_moves)))


def test_before_a_draw_the_value_is_the_mean_over_the_cards() -> None:
    state = numduel.game("build").replay("7e 5e 6b 6e")
    mean = sum(p * numduel.evaluate(state.draw(c)).win_probability for c, p in state.draws.items())
    assert numduel.evaluate(state).win_probability == pytest.approx(mean)


@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 15))
def test_the_solver_cannot_see_the_deck(one: int, two: int, plies: int) -> None:
    """Two decks that agree on what has been drawn and on nothing else get the same answers."""
    game = numduel.game("build")
    state = game.start(seed=one)
    chance = random.Random(two)
    while len(state.moves) < plies and state.winner is None:
        state = state.play(chance.choice(state.legal_moves))
    if state.winner is not None:
        return
    other = game.start(deck=game.drawn(state), seed=two)
    for move in state.moves:
        other = other.play(move)
    assert numduel.analyse(other) == numduel.analyse(state)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("line", {"n": 7, "k": 3}),
        ("duel", {"n": 8}),
        ("factors", {"n": 10}),
        ("capture", {"n": 9}),
        ("capture", {"n": 11, "gaps": "square"}),
    ],
)
def test_the_search_finds_the_same_compiled_and_with_tables_that_forget(
    name: str, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain Python is what the other tests of small boards try."""
    game = numduel.game(name, **settings)
    monkeypatch.setattr(search, "_LOADED", set())
    plain = Search(game)
    monkeypatch.setattr(search, "PLAIN", 0)
    monkeypatch.setattr(transposition, "SMALLEST", 1 << 4)
    monkeypatch.setattr(transposition, "LARGEST", 1 << 6)
    compiled = Search(game)
    for state in game.start().walk():
        assert compiled.value(state.position) == plain.value(state.position), state
    assert len(compiled._table) == 1 << 6
    assert isinstance(plain._table, dict)


FIRST_HINT = """
import sys, numduel
from numduel.learn.coach import hint
for name in sys.argv[1:]:
    assert hint(numduel.game(name).start())
print(*sorted({"numba", "numpy"} & set(sys.modules)))
"""
"""Prints which of these libraries a hint in a new process has loaded, for each of some games."""


def test_a_first_hint_does_not_wait_for_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = numduel.game("duel")
    strong.solve(game, 1 << 30)  # compiled before there is an empty cache
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    command = [sys.executable, "-c", FIRST_HINT, "duel"]
    assert subprocess.check_output([*command, "line", "factors"], text=True).split() == []
    solver.solve(game)
    assert subprocess.check_output(command, text=True).split() == ["numpy"], "to read the table"


@pytest.mark.parametrize(("n", "last"), [(1, 1), (4, 1), (5, 3)])
def test_the_owners_of_places_are_gone_through_from_the_highest_place_each_once(
    n: int, last: int
) -> None:
    """Nobody owns two neighbours."""
    held = np.zeros((2, n + 2), np.int64)
    held[1] = 2
    place, sets, found = n, (np.int64(0), np.int64(0)), []
    while place <= n:
        place, *sets, whole = claims.next_owner(place, last, *sets, held)
        if whole:
            assert place == last
            found.append(tuple(map(int, sets)))
    places = range(n, last - 1, -1)
    assert found == [
        tuple(sum(1 << place for place, owner in zip(places, owners, strict=True) if owner == who)
              for who in (1, 2))
        for owners in product((2, 1, 0), repeat=len(places))
        if all(one != two or one == 0 for one, two in pairwise(owners))
    ]  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 5, 8, 9, 11])
def test_the_sweep_over_claims_agrees_with_search(n: int) -> None:
    game = numduel.game("capture", n=n)
    swept, searched = claims.solve(game), Search(game)
    for state in game.start().walk():
        assert swept.value(state.position) == searched.value(state.position), state


@pytest.mark.parametrize(("name", "count"), [("line", 17120), ("duel", 5021), ("factors", 134260)])
def test_a_strong_solution_holds_every_reachable_position(name: str, count: int) -> None:
    game = numduel.game(name)
    told: list[int] = []
    solved = strong.solve(game, 1 << 30, lambda _, done, __: told.append(done))
    assert len(solved.values) == count == told[-1]
    assert told == sorted(told)
    searched = Search(game)
    chance = random.Random(name)
    for _ in range(100):
        state = game.start()
        while state.winner is None:
            assert solved.value(state.position) == searched.value(state.position)
            state = state.play(chance.choice(state.legal_moves))


@pytest.mark.usefixtures("quick_estimates")
@pytest.mark.parametrize(
    ("name", "settings"), [("line", {"n": 70}), ("capture", {"n": 999}), ("build", {"n": 25})]
)
def test_what_is_too_large_is_estimated_and_says_so(name: str, settings: dict[str, object]) -> None:
    found = numduel.analyse(numduel.game(name, **settings).start(seed=1))
    assert found
    assert not any(option.exact for option in found)


@pytest.mark.usefixtures("quick_estimates")
def test_on_any_board_a_win_at_once_is_seen_and_a_loss_at_once_avoided() -> None:
    game = numduel.game("line", n=70)
    win = numduel.analyse(game.replay("20 1 21 3 22 5"))[:2]
    assert {option.move for option in win} == {19, 23}
    assert all(option.win_probability == 1 and option.exact for option in win)
    block = numduel.analyse(game.replay("20 19 21 5 22"))
    assert block[0].move == 23
    assert all(option.win_probability == 0 and option.exact for option in block[1:])


def test_more_memory_than_allowed_is_refused() -> None:
    with pytest.raises(solver.TooLarge):
        solver.solve(numduel.game("capture"), limit=1 << 20)


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_the_principal_line_ends_as_the_value_says(name: str) -> None:
    start = numduel.game(name).start()
    value = numduel.evaluate(start)
    state = start
    for move in solver.line(start):
        state = state.play(move)
    assert state.winner == (1 if value.win_probability else 2)
    if value.plies is not None:
        assert len(state.moves) == value.plies
    if value.margin is not None:
        one, two = numduel.view(state).hands
        assert sum(one) - sum(two) == value.margin
