"""The theorems of docs/strategies.md, checked over whole small boards, with no shared code."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import numduel
from tests.learn.strategies.checker import Board, bits, capture


def finished(n: int) -> Iterator[Board]:
    """Every final position of Number Capture that play can reach."""
    rules = capture(n)
    known, waiting = {rules.start}, [rules.start]
    while waiting:
        board = waiting.pop()
        moves = rules.moves(board)
        if not moves:
            yield board
        for move in moves:
            after = rules.play(board, move)
            if after not in known:
                known.add(after)
                waiting.append(after)


@pytest.mark.parametrize("n", range(1, 12))
def test_the_owner_of_n_wins_by_the_gaps_and_by_the_numbers_of_the_loser(n: int) -> None:
    for one, two in finished(n):
        winner, loser = (one, two) if one >> n & 1 else (two, one)
        assert winner >> n & 1
        margin = sum(bits(winner)) - sum(bits(loser))
        assert margin >= max(1, len(bits(loser)))
        free = [number for number in range(1, n + 1) if not (one | two) >> number & 1]
        a = sum(bool(winner >> number + 1 & 1) for number in free)
        assert margin == -(-(n + a - (len(free) - a)) // 2)


def answered(own: int, other: int, theirs: int, n: int) -> int | None:
    """Right below their number; or else a step, two below one of one's own. 0 is a pass."""
    free = [move for move in capture(n).moves((own, other)) if move]
    if not free:
        return 0
    if theirs > 1 and theirs - 1 in free:
        return theirs - 1
    return next(
        (z - 2 for z in bits(own) if z - 2 in free and z - 1 in blanks(own, other, n)), None
    )


def blanks(own: int, other: int, n: int) -> set[int]:
    return {number for number in range(1, n + 1) if not (own | other) >> number & 1}


def least_margin(n: int, first: bool) -> int:
    """The worst that answering below does for the player who owns n, or for the one who does not,
    against every play."""
    rules, worst = capture(n), 10**6
    waiting = [((0, 1 << n), 0)] if first else [((0, 1 << n), n)]
    known = set()
    while waiting:
        turn = waiting.pop()
        if turn in known:
            continue
        known.add(turn)
        (own, other), theirs = turn
        if first and turn == ((0, 1 << n), 0):
            own, other = 1 << n, 0
        elif rules.moves((own, other)):
            move = answered(own, other, theirs, n)
            assert move is not None, "a step is always possible"
            own |= 1 << move & ~1
        if not rules.moves((other, own)):
            worst = min(worst, sum(bits(own)) - sum(bits(other)))
        for reply in rules.moves((other, own)):
            waiting.append(((own, other | 1 << reply & ~1), reply))
    return worst


@pytest.mark.parametrize("n", range(1, 14))
def test_answering_right_below_keeps_half_of_n_for_both(n: int) -> None:
    assert least_margin(n, first=True) == (n + 1) // 2
    assert least_margin(n, first=False) == -((n + 1) // 2)


def test_best_play_of_number_capture_is_worth_half_of_n() -> None:
    for n in range(1, 17):
        assert numduel.evaluate(numduel.game("capture", n=n).start()).margin == (n + 1) // 2


def primes(low: int, high: int) -> list[int]:
    return [p for p in range(max(low, 2), high + 1) if all(p % d for d in range(2, p))]


def test_two_lonely_primes_win_factors_in_three_moves() -> None:
    for n in range(11, 120):
        one, two, *_ = primes(n // 2 + 1, n)
        game = numduel.game("factors", n=n)
        assert game.start().play(one).legal_moves == (1,)
        assert game.replay([one, 1, two]).winner == 1
    losing = [
        n for n in range(1, 11)
        if numduel.evaluate(numduel.game("factors", n=n).start()).win_probability == 0
    ]  # fmt: skip
    assert losing == [2, 4, 6, 10]


def test_the_pools_whose_even_openings_lose_are_those_of_the_page() -> None:
    page = " ".join((Path(__file__).parents[3] / "docs" / "strategies.md").read_text().split())
    said = page.partition("up to n = 120, exactly for n = ")[2].partition(". Whether")[0]
    listed = [int(word) for word in said.replace(",", " ").replace(" and ", " ").split()]
    found = [
        n for n in range(2, 121)
        if numduel.evaluate(numduel.game("factors", n=n, first="even").start()).win_probability == 0
    ]  # fmt: skip
    assert listed == found


def test_duel_is_won_with_the_third_number() -> None:
    answers = {3: 6, 5: 2, 6: 3}
    for n in range(6, 20):
        start = numduel.game("duel", n=n).replay("4")
        for reply in start.legal_moves:
            state = start.play(reply).play(answers.get(int(reply), 5))
            for block in state.legal_moves:
                after = state.play(block)
                assert any(after.play(move).winner == 1 for move in after.legal_moves)
    winners = [
        numduel.evaluate(numduel.game("duel", n=n).start()).win_probability for n in (3, 4, 5)
    ]
    assert winners == [0, 1, 1]


def test_line_is_won_by_the_first_player_as_far_as_seen() -> None:
    for n in range(4, 15):
        found = numduel.analyse(numduel.game("line", n=n).start())
        won = sorted(int(option.move) for option in found if option.win_probability == 1)
        if n in (10, 12, 14):
            assert won == list(range(1, n - 1))
        elif n > 5:
            assert won == list(range(1, n))
        else:
            assert won
