"""The theorems of docs/strategies.md, checked by brute force as far as that goes.

Rules are those of the checker, which shares no code with the package. Where a theorem rests on a
computation, it is made here once more.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, pairwise, product
from math import log
from pathlib import Path

import pytest

import numduel
from numduel.core.matching import graph_of, matching, missed
from tests.learn.strategies.checker import Board, Rules, bits, capture, duel, factors, line

PAGE = " ".join((Path(__file__).parents[3] / "docs" / "strategies.md").read_text("utf-8").split())


def said(before: str, after: str) -> list[int]:
    """The numbers that the page lists between two phrases."""
    listed = PAGE.partition(before)[2].partition(after)[0]
    return [int(word) for word in listed.replace(",", " ").replace(" and ", " ").split()]


def long_run(*cases: object) -> list[object]:
    """Cases that belong to the long run."""
    return [pytest.param(case, marks=pytest.mark.proof) for case in cases]


# -- Number Capture -------------------------------------------------------------------------


def finals(n: int) -> set[Board]:
    """The final positions that play can reach: the numbers of the player who began, then the
    other's."""
    rules = capture(n)
    known, waiting, found = set(), [(rules.start, True)], set()
    while waiting:
        turn = waiting.pop()
        if turn in known:
            continue
        known.add(turn)
        board, began = turn
        moves = rules.moves(board)
        if not moves:
            found.add(board if began else board[::-1])
        waiting += [(rules.play(board, move), not began) for move in moves]
    return found


def total(numbers: int) -> int:
    return sum(bits(numbers))


SIZES = [*range(1, 12), *long_run(12, 13, 14)]


@pytest.mark.parametrize("n", SIZES)
def test_whoever_owns_n_wins_number_capture_by_the_gaps_and_the_numbers_of_the_loser(
    n: int,
) -> None:
    for one, two in finals(n):
        winner, loser = (one, two) if one >> n & 1 else (two, one)
        owned = bits(one | two)[::-1]
        assert owned[0] == n
        assert owned[-1] == 1
        assert owned[::2] == bits(winner)[::-1]
        free = set(range(1, n + 1)) - set(owned)
        assert not any(number + 1 in free for number in free)
        margin = total(winner) - total(loser)
        assert margin >= max(1, len(bits(loser)))
        a = sum(bool(winner >> number + 1 & 1) for number in free)
        assert margin == -(-(n + a - (len(free) - a)) // 2)


def arrangements(n: int) -> set[Board]:
    """The final positions, found by trying every owner of every number."""
    found = set()
    for owners in product((0, 1, 2), repeat=n):
        line = (0, *owners, 0)
        apart = not any(one and one == two for one, two in pairwise(line))
        if apart and all(
            owner or {before, after} == {1, 2}
            for before, owner, after in zip(line, line[1:], line[2:], strict=False)
        ):
            one, two = (sum(1 << x for x in range(1, n + 1) if line[x] == who) for who in (1, 2))
            found.add((one, two))
    return found


@pytest.mark.parametrize("n", SIZES)
def test_the_final_positions_are_counted_by_fibonacci_numbers(n: int) -> None:
    fibonacci = [1, 1]
    while len(fibonacci) < n:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    found = finals(n)
    exchanged = {(two, one) for one, two in found}
    assert len(found | exchanged) == 2 * fibonacci[n - 1]
    if n < 9:
        assert found | exchanged == arrangements(n)
    missing = {(sum(1 << x for x in range(3, n, 4)), sum(1 << x for x in range(1, n + 1, 4)))}
    assert exchanged - found == (missing if n % 4 == 1 else set())
    margins = {abs(total(one) - total(two)) for one, two in found}
    assert margins == set(range(n // 3 + 1, (2 * n + 1) // 3 + 1))


def greedy_ends(n: int, seat: int) -> set[Board]:
    """How games end in which one seat always claims the largest number it can: the first player's
    numbers, then the other's."""
    rules, found = capture(n), set()
    known, waiting = set(), [(rules.start, 1)]
    while waiting:
        turn = waiting.pop()
        if turn in known:
            continue
        known.add(turn)
        board, mover = turn
        moves = rules.moves(board)
        if not moves:
            found.add(board if mover == 1 else board[::-1])
        if mover == seat and moves:
            moves = moves[-1:]
            assert not board[0] & (1 << moves[0]) - 1, "its numbers go down"
        waiting += [(rules.play(board, move), 3 - mover) for move in moves]
    return found


def lead(board: Board, weights: tuple[int, ...]) -> int:
    """By how much the first player is ahead, if numbers count so much, from 1 on."""
    one, two = (sum(weights[number - 1] for number in bits(held)) for held in board)
    return one - two


def alternating(weights: tuple[int, ...]) -> int:
    """The last weight, minus the one before, plus the one before that, and so on."""
    return sum(weights[::-1][::2]) - sum(weights[::-1][1::2])


GREEDY = [*range(1, 12), *long_run(12, 13, 14, 15)]


@pytest.mark.parametrize("n", GREEDY)
def test_whoever_claims_the_largest_owns_the_number_below_each_of_the_others(n: int) -> None:
    for seat in (1, 2):
        for board in greedy_ends(n, seat):
            own, others = bits(board[seat - 1]), bits(board[2 - seat])
            assert {high - low for low, high in pairwise(own)} <= {2, 3}
            assert all(x == 1 or x - 1 in own for x in others if own and x < own[-1])


@pytest.mark.parametrize("n", GREEDY)
def test_always_the_largest_keeps_half_of_n_for_both_players(n: int) -> None:
    one, two = greedy_ends(n, 1), greedy_ends(n, 2)
    plain, squares = tuple(range(1, n + 1)), tuple(x * x for x in range(1, n + 1))
    for weights, value in ((plain, (n + 1) // 2), (squares, n * (n + 1) // 2)):
        assert min(lead(board, weights) for board in one) == value
        assert max(lead(board, weights) for board in two) == value
        without_n = [lead(board, weights) for board in two if not board[0] >> n & 1]
        assert all(found <= -value for found in without_n)


def openings(weights: tuple[int, ...]) -> list[int]:
    """The lead of the first player after each opening, with best play for points."""
    rules = capture(len(weights))

    @cache
    def best(board: Board) -> int:
        return max(after(board, move) for move in rules.moves(board)) if rules.moves(board) else 0

    def after(board: Board, move: int) -> int:
        return (weights[move - 1] if move else 0) - best(rules.play(board, move))

    return [after(rules.start, move) for move in rules.moves(rules.start)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, *long_run(6, 7)])
def test_best_play_is_worth_the_alternating_sum_if_increments_never_fall(n: int) -> None:
    one, two = greedy_ends(n, 1), greedy_ends(n, 2)
    for increments in combinations_with_replacement(range(4), n):
        weights = (*accumulate(increments),)
        assert min(lead(board, weights) for board in one) == alternating(weights)
        assert max(lead(board, weights) for board in two) == alternating(weights)
        *others, last = openings(weights)
        assert last == alternating(weights)
        assert all(other <= -last for other in others)


def test_best_play_is_worth_less_on_the_example_with_falling_increments() -> None:
    assert alternating((2, 3, 4)) == 3
    assert openings((2, 3, 4)) == [-2, -3, 2]


def test_the_solver_finds_half_of_n_too() -> None:
    for n in range(1, 15):
        assert numduel.evaluate(numduel.game("capture", n=n).start()).margin == (n + 1) // 2


# -- Four in a Row --------------------------------------------------------------------------


def losses(rules: Rules, strategy: Callable[[Board, int], list[int]], opening: int) -> int:
    """How many games are lost by a player who begins with an opening, and then takes any of the
    numbers that a strategy allows after their last number."""
    lost, known = 0, set()
    waiting = [(rules.play(rules.start, opening), True)]
    while waiting:
        turn = waiting.pop()
        if turn in known:
            continue
        known.add(turn)
        board, theirs = turn
        moves = rules.moves(board)
        if not moves:
            lost += rules.won(board) == theirs
        for move in moves if theirs else []:
            after = rules.play(board, move)
            answers = strategy(after, move) if rules.moves(after) else []
            waiting += [(rules.play(after, answer), True) for answer in answers]
            if not rules.moves(after):
                waiting.append((after, False))
    return lost


def partner(rules: Rules) -> Callable[[Board, int], list[int]]:
    """The other of 2–3, 4–5, 6–7, …; or anything."""

    def strategy(board: Board, theirs: int) -> list[int]:
        free = rules.moves(board)
        return [theirs ^ 1] if theirs > 1 and theirs ^ 1 in free else free

    return strategy


PAIRED = [(n, k) for n in range(1, 12) for k in range(1, n + 1) if k > 2 or n < 3]


@pytest.mark.parametrize(
    "variant",
    [case for case in PAIRED if case[0] < 10]
    + long_run(*[case for case in PAIRED if case[0] > 9], (12, 3), (12, 4), (13, 4), (15, 4)),
)
def test_one_and_then_partners_win_four_in_a_row_whatever_else_is_claimed(
    variant: tuple[int, int],
) -> None:
    rules = line(*variant)
    assert losses(rules, partner(rules), opening=1) == 0


def test_partners_alone_do_not_win_two_in_a_row() -> None:
    rules = line(6, 2)
    assert losses(rules, partner(rules), opening=1) > 0
    for n in range(3, 9):
        rules = line(n, 2)
        assert losses(rules, lambda _, theirs: [3 if theirs == 1 else 1], opening=2) == 0


@pytest.mark.parametrize("n", [4, 6, 8, *long_run(10)])
def test_opening_with_an_even_n_loses_four_in_a_row(n: int) -> None:
    for k in range(3, n + 1):
        rules = line(n, k)
        after = rules.play(rules.start, n)
        answered = rules._replace(start=after)
        assert losses(answered, partner(rules), opening=1) == 0


@pytest.mark.parametrize("n", [*range(3, 10), *long_run(10, 11, 12, 13)])
def test_the_openings_that_win_four_in_a_row_are_as_far_as_conjectured(n: int) -> None:
    for k in range(2, n + 1):
        won = winning_openings(line(n, k))
        assert {*range(1, n - 1)} <= won
        if k == 4:
            assert (n - 1 in won) == (n not in (10, 12, 14, 16, 18))
            assert (n in won) == (n == 5)


def winning_openings(rules: Rules) -> set[int]:
    @cache
    def wins(board: Board) -> bool:
        moves = rules.moves(board)
        return any(not wins(rules.play(board, m)) for m in moves) if moves else rules.won(board)

    return {m for m in rules.moves(rules.start) if not wins(rules.play(rules.start, m))}


# -- Juniper Green --------------------------------------------------------------------------


def primes(low: float, high: float) -> list[int]:
    """The primes above one number, up to another."""
    return [p for p in PRIMES if low < p <= high]


MOST = 12_000
PRIMES = [p for p in range(2, MOST) if all(p % d for d in range(2, int(p**0.5) + 1))]


def fits(one: int, two: int) -> bool:
    return one != two and (one % two == 0 or two % one == 0)


def test_who_wins_juniper_green_with_any_first_number() -> None:
    pairings = {2: "1–2", 4: "1–3 2–4", 6: "1–5 2–4 3–6", 10: "1–7 2–6 3–9 4–8 5–10"}
    for n, told in pairings.items():
        pairs = [(*map(int, pair.split("–")),) for pair in told.split()]
        assert sorted(number for pair in pairs for number in pair) == [*range(1, n + 1)]
        assert all(fits(*pair) for pair in pairs)
        assert not winning_openings(factors(n, "any"))
    assert winning_openings(factors(1, "any")) == {1}
    for n in (3, 5, 7, 8, 9, *range(11, 200)):
        one, two, *_ = primes(n / 2, n)
        rules = factors(n, "any")
        board = rules.play(rules.start, one)
        assert rules.moves(board) == [1]
        assert not rules.moves(rules.play(rules.play(board, 1), two))


def sometimes_single(every: int, fit: Callable[[int, int], bool]) -> tuple[set[int], int]:
    """The numbers that some largest pairing leaves single, by trying all pairings; and how many
    numbers a largest pairing leaves single."""

    @cache
    def pairs(left: int) -> int:
        if not left:
            return 0
        first, *rest = bits(left)
        others = left & ~(1 << first)
        return max(
            pairs(others), *(1 + pairs(others & ~(1 << o)) for o in rest if fit(first, o)), 0
        )

    numbers = bits(every)
    single = {v for v in numbers if pairs(every & ~(1 << v)) == pairs(every)}
    return single, len(numbers) - 2 * pairs(every)


@pytest.mark.parametrize("n", [*range(2, 15), *long_run(*range(15, 21))])
def test_a_number_that_a_largest_pairing_leaves_single_wins_and_no_other(n: int) -> None:
    """Both sides by brute force: the game is searched, and all pairings are tried."""
    single, _ = sometimes_single((2 << n) - 2, fits)
    assert winning_openings(factors(n, "any")) == single


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_on_every_graph_single_vertices_win_and_odd_pieces_say_which_they_are(size: int) -> None:
    vertices = set(range(size))
    possible = [*combinations(range(size), 2)]
    for count in range(len(possible) + 1):
        for edges in combinations(possible, count):
            joined = {*edges, *(edge[::-1] for edge in edges)}

            def fit(one: int, two: int, joined: set[tuple[int, int]] = joined) -> bool:
                return (one, two) in joined

            def lost(at: int, left: set[int], fit: Callable[[int, int], bool] = fit) -> bool:
                return not any(lost(v, left - {v}, fit) for v in left if fit(at, v))

            single, least = sometimes_single((1 << size) - 1, fit)
            assert single == {v for v in vertices if lost(v, vertices - {v})}
            bounds = set()
            for taken in range(size + 1):
                for out in combinations(range(size), taken):
                    odd = [p for p in pieces(vertices - {*out}, fit) if len(p) % 2]
                    bounds.add(len(odd) - taken)
                    if len(odd) - taken == least:
                        assert single <= set[int]().union(*odd)
            assert max(bounds) == least


POOLS = said("exactly for the 43 pools n = ", ". So the first player")


@pytest.mark.parametrize("n", [*range(2, 60), *long_run(*range(60, 177))])
def test_the_pools_whose_even_openings_lose_are_those_of_the_page(n: int) -> None:
    """The program's pairing is checked by the formula of Tutte and Berge."""
    graph = graph_of(numduel.game("factors", n=n))
    single = missed(graph)
    opening = min((number for number in single if number % 2 == 0), default=None)
    rest = {k: [o for o in near if o != opening] for k, near in graph.items() if k != opening}
    mate = matching(rest)
    assert all(fits(*pair) for pair in mate.items())
    assert all(mate[two] == one for one, two in mate.items())
    apart = {other for number in single for other in graph[number]} - single
    odd = [piece for piece in pieces(set(range(1, n + 1)) - apart) if len(piece) % 2]
    assert len(odd) - len(apart) == n - len(mate)
    assert (opening is None) == (n in POOLS)
    if opening is None:
        assert not any(number % 2 == 0 for piece in odd for number in piece)


def pieces(left: set[int], fit: Callable[[int, int], bool] = fits) -> Iterator[set[int]]:
    """The pieces that some numbers fall into, if those that fit hang together."""
    while left:
        piece, waiting = set[int](), {min(left)}
        while waiting:
            piece |= waiting
            waiting = {o for o in left - piece if any(fit(o, number) for number in waiting)}
        left = left - piece
        yield piece


def test_the_page_has_all_pools_below_119_that_the_second_player_wins() -> None:
    assert len(POOLS) == 43
    assert max(POOLS) == 118
    searched = [n for n in range(2, 21) if not winning_openings(factors(n, "even"))]
    assert searched == [n for n in POOLS if n <= 20]


def thirteen(n: int) -> int:
    """The most moves that a game takes if the first player answers as in the proof."""
    rules, three = factors(n, "even"), primes(n / 4, n / 3)[:3]

    def longest(board: Board, fresh: list[int], mine: int) -> int:
        """The moves left after mine, against every answer."""
        games = [0]
        for theirs in rules.moves(board):
            after, rest = rules.play(board, theirs), fresh
            if theirs == 1:
                answer = primes(n / 2, n)[0]
            elif theirs in (2, 3):
                answer, rest = theirs * fresh[0], fresh[1:]
            else:
                assert theirs in three
                answer = 5 * theirs - mine
            assert answer in rules.moves(after)
            games.append(2 + longest(rules.play(after, answer), rest, answer))
        return max(games)

    opening = 2 * three[0]
    assert opening in rules.moves(rules.start)
    return 1 + longest(rules.play(rules.start, opening), three[1:], opening)


@pytest.mark.parametrize(
    "pools", [range(177, 200), range(990, 1000), *long_run(range(200, 990))], ids=str
)
def test_three_primes_win_juniper_green_in_thirteen_moves(pools: range) -> None:
    assert {thirteen(n) for n in pools} == {13}


def test_from_177_on_there_are_three_primes_between_a_fourth_and_a_third() -> None:
    up_to = [0] * MOST
    for p in PRIMES:
        up_to[p] = 1
    count = [*accumulate(up_to)]
    few = [n for n in range(1, MOST) if count[n // 3] - count[n // 4] < 3]
    assert max(few) == 176


def test_from_12000_on_the_estimates_of_the_primes_are_enough() -> None:
    y, delta, quarter = log(MOST / 4), log(4 / 3), 1.25506 / 4
    assert y > 8
    assert delta < 0.2877
    assert 1 / 3 - quarter > 0.0195
    assert quarter * 0.2877 < 0.0903
    assert 0.0195 * 8 - 0.0903 > 0.0656
    assert 4 * 2.718281**8 / (8 * 8.2877) > 179


# -- Sequence Duel --------------------------------------------------------------------------


def first_wins(n: int, k: int) -> bool:
    """Whether the first player wins Sequence Duel: a search that looks at threats first."""
    sets = duel(n, k).sets
    through = [[one for one in sets if one >> number & 1] for number in range(n + 1)]
    every = (2 << n) - 2

    def completing(own: int, free: int) -> int:
        """The numbers that complete a progression at once."""
        found = 0
        for one in sets:
            missing = one & ~own
            if missing & free == missing and missing & (missing - 1) == 0:
                found |= missing
        return found

    @cache
    def wins(own: int, other: int) -> bool:
        free = every & ~(own | other)
        if not free:
            return True  # the opponent picked last
        if completing(own, free):
            return True
        threats = completing(other, free)

        def weight(number: int) -> int:
            rows = through[number]
            mine = sum(1 << 2 * (one & own).bit_count() for one in rows if not one & other)
            theirs = sum(1 << 2 * (one & other).bit_count() for one in rows if not one & own)
            return mine + theirs

        # With two threats or more against them, whatever they pick leaves one.
        forced = bits(threats)[:1] or sorted(bits(free), key=weight, reverse=True)
        return any(not wins(other, own | 1 << number) for number in forced)

    return wins(0, 0)


def test_the_search_of_sequence_duel_agrees_with_plain_minimax() -> None:
    for n, k in product(range(1, 9), range(1, 9)):
        if k <= n:
            assert first_wins(n, k) == bool(winning_openings(duel(n, k)))


def test_the_first_player_wins_sequence_duel_if_n_is_even_or_nobody_can_avoid_a_progression() -> (
    None
):
    for k in range(1, 6):
        assert all(first_wins(n, k) for n in range(k + k % 2, 13, 2))
    assert all(first_wins(n, 3) for n in range(9, 16))
    assert all(first_wins(n, k) for k in (1, 2) for n in range(k, 13))


@pytest.mark.parametrize("n", [*range(5, 16), *long_run(*range(16, 30))])
def test_three_and_the_number_across_the_ring_win_sequence_duel(n: int) -> None:
    rules = duel(n, 3)
    across = {1: 4, 4: 1, 2: 5, 5: 2}
    start = rules.play(rules.start, 3)
    for theirs in rules.moves(start):
        answered = rules.play(rules.play(start, theirs), across.get(theirs, 4))
        for block in rules.moves(answered):
            board = rules.play(answered, block)
            assert any(not rules.moves(rules.play(board, last)) for last in rules.moves(board))


def test_three_numbers_are_too_few_for_the_first_player_of_sequence_duel() -> None:
    assert [n for n in range(3, 12) if not first_wins(n, 3)] == [3]


@pytest.mark.parametrize("n", [*range(4, 24), *long_run(*range(24, 36))])
def test_the_first_player_loses_four_in_progression_on_the_pools_of_the_page(n: int) -> None:
    lost = said("With k = 4 the first player loses exactly for n = ", ".*")
    assert lost == [5, 7, 9, 11, 13]
    assert first_wins(n, 4) == (n not in lost)


@pytest.mark.parametrize("n", [5, 7, 9, 11, *long_run(13)])
def test_the_first_player_loses_five_in_progression_on_small_odd_pools(n: int) -> None:
    assert not first_wins(n, 5)
