"""What the lessons tell people to do is done as it is said, with every choice that it leaves open,
and what they say of numbers is counted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise, product

import pytest

import numduel
from numduel.core.state import Move, State, played_at_random
from numduel.learn.ideas import preferred, vocabulary
from numduel.learn.lesson import Step, lesson
from numduel.play.players import player
from tests.games import NAMES

Play = Callable[[State], tuple[Move, ...]]
"""The moves of a state that somebody leaves who does what a sentence says."""


def steps(name: str) -> tuple[Step, ...]:
    return lesson(numduel.game(name)).steps


def titled(name: str, title: str) -> Step:
    return next(step for step in steps(name) if step.title == title)


def says(name: str, title: str, *parts: str) -> None:
    """The words that are checked stand in the lesson."""
    step = titled(name, title)
    page = " ".join([*map(str, step.text), step.right, step.nudge, step.task])
    for part in parts:
        assert part in page, part


def won(state: State) -> set[int]:
    """The moves that win, by the solver."""
    return {int(option.move) for option in numduel.analyse(state) if option.win_probability == 1}


# -- lists of what to do ----------------------------------------------------------------------


def fork(state: State) -> tuple[Move, ...]:
    """Moves after which two different numbers would give three, read as a person reads it."""
    own = numduel.view(state).hand(state.to_move)
    free = {int(move) for move in state.legal_moves}
    return tuple(
        move
        for move in state.legal_moves
        if sum(three({*own, int(move), more}) for more in free - {int(move)}) > 1
    )


def three(numbers: set[int]) -> bool:
    """Whether some three of them are evenly spaced."""
    return any(high - mid == mid - low for low, mid, high in combinations(sorted(numbers), 3))


def idea(name: str) -> Play:
    def play(state: State) -> tuple[Move, ...]:
        return preferred(state, next(one for one in vocabulary(state.game) if one.name == name))

    return play


def opened(number: int) -> Play:
    return lambda state: () if state.moves else (number,)


def partner(state: State) -> tuple[Move, ...]:
    theirs = int(state.moves[-1]) if state.moves else 1
    answer = theirs + 1 if theirs % 2 == 0 else theirs - 1
    return tuple(move for move in state.legal_moves if theirs > 1 and move == answer)


def largest(state: State) -> tuple[Move, ...]:
    return (state.legal_moves[-1],)


def near_the_middle(state: State) -> tuple[Move, ...]:
    distance = {move: abs(int(move) - 5) for move in state.legal_moves}
    return tuple(move for move in distance if distance[move] == min(distance.values()))


def anything(state: State) -> tuple[Move, ...]:
    return state.legal_moves


def first_cards(state: State) -> tuple[Move, ...]:
    if numduel.view(state).hand(state.to_move):
        return ()
    keeps = 4 <= (state.card or 0) <= 9
    return tuple(move for move in state.legal_moves if str(move).endswith("x") != keeps)


SENTENCES: dict[str, Play] = {
    "Open with 1.": opened(1),
    "Open with 3.": opened(3),
    "Open with 11.": opened(11),
    "Open with 21.": opened(21),
    "Answer each of their numbers with its partner: 2–3, 4–5, 6–7, 8–9.": partner,
    "If it has no partner, or the partner is gone, take any number you like.": anything,
    "Always take the largest number you can.": largest,
    "Then always take the largest number you can.": largest,
    "Win at once if you can.": idea("win"),
    "If not, make two threats at once if you can.": fork,
    "Don't let them win at once.": idea("deny"),
    "Stop them from winning, and from setting up a win that you can't stop.": idea("deny-fork"),
    "Take the number nearest the middle.": near_the_middle,
    "Leave them as little room for four in a row as you can.": idea("cut"),
    "Keep as many moves for yourself as you can, whatever they answer.": idea("mobility"),
    "While your row is empty, keep 4, 5, 6, 7, 8 or 9 and discard any other card.": first_cards,
    "Add every card that you can.": idea("use"),
    "If it fits on both sides, add it where more undrawn cards would fit.": idea("fits"),
}
"""Every sentence of a list, and the moves of somebody who does that; none where it says nothing."""


def followed(step: Step, state: State) -> list[Move]:
    """The moves that the list of a step leaves, when its sentences are read in turn."""
    left = list(state.legal_moves)
    told = step.text[-1]
    assert isinstance(told, tuple)
    for sentence in told:
        wanted = SENTENCES[sentence](state)
        left = [move for move in left if move in wanted] or left
    return left


@pytest.mark.parametrize("name", NAMES)
def test_every_list_is_made_of_sentences_that_are_played_here(name: str) -> None:
    for step in steps(name):
        if step.kind == "beat":
            told = step.text[-1]
            assert set(told) <= set(SENTENCES)


def key(state: State) -> tuple[object, ...]:
    return (state.position, state.to_move, state.moves[-2:])


def worst(step: Step, state: State, known: dict[object, int]) -> int:
    """The least by which the list of a step wins, whatever the other does and whichever of the
    moves that it leaves is made: the points, where they count, or else 1 and -1."""
    if state.winner is not None:
        sign = 1 if state.winner == step.seat else -1
        margin = state.game.rules.margin
        end = abs(margin(*state.position, state.game.variant)) if margin else 1
        return sign * end
    if key(state) not in known:
        mine = state.to_move == step.seat
        moves = followed(step, state) if mine else state.legal_moves
        known[key(state)] = min(worst(step, state.play(move), known) for move in moves)
    return known[key(state)]


@pytest.mark.parametrize("name", ["line", "duel", "factors"])
def test_the_list_that_beats_medium_wins_whichever_move_it_leaves(name: str) -> None:
    step = titled(name, "Beat medium")
    assert worst(step, step.state, {}) == 1


@pytest.mark.parametrize("opening", range(3, 8))
def test_in_the_duel_any_first_number_from_3_to_7_works(
    opening: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    says("duel", "Beat medium", "Any first number from 3 to 7 works as well.")
    monkeypatch.setitem(SENTENCES, "Open with 3.", opened(opening))
    step = titled("duel", "Beat medium")
    assert worst(step, step.state, {}) == 1


@pytest.mark.parametrize("opening", [13, 17, 19])
def test_every_lonely_prime_opens_a_won_game(opening: int, monkeypatch: pytest.MonkeyPatch) -> None:
    says("factors", "Beat medium", "Try it with 13, 17 or 19, too.")
    monkeypatch.setitem(SENTENCES, "Open with 11.", opened(opening))
    step = titled("factors", "Beat medium")
    assert worst(step, step.state, {}) == 1


def chance(step: Step, state: State, known: dict[object, float]) -> float:
    """How likely the list of a step beats its computer, if what it leaves open is chosen by lot."""
    if state.winner is not None:
        return float(state.winner == step.seat)
    if key(state) not in known:
        if state.to_move == step.seat:
            moves = followed(step, state)
            odds = {move: 1 / len(moves) for move in moves}
        else:
            odds = player(step.level).odds(state)  # type: ignore[union-attr]
        known[key(state)] = sum(odds[move] * chance(step, state.play(move), known) for move in odds)
    return known[key(state)]


@pytest.mark.parametrize(
    ("name", "games", "share"),
    [("line", "two games in three", 2 / 3), ("duel", "three games in four", 3 / 4),
     ("factors", "three games in four", 3 / 4)],
)  # fmt: skip
def test_in_the_harder_seat_the_list_wins_as_often_as_it_says(
    name: str, games: str, share: float
) -> None:
    says(name, "The harder seat", f"you win about {games}")
    step = titled(name, "The harder seat")
    assert step.state.to_move == 2
    assert abs(chance(step, step.state, {}) - share) < 0.04


# -- four in a row ----------------------------------------------------------------------------


def full_lines(n: int) -> Iterator[set[int]]:
    """What the second player owns on full lines on which the first one owns 1 and answers with
    partners: at most one number of each pair, and the last one if it has no partner. Of a game
    that ends before, these are all that could have come of it."""
    pairs = [(low, low + 1) for low in range(2, n, 2)]
    rest = [(0, n)] if n % 2 == 0 else []
    yield from (set(chosen) - {0} for chosen in product(*pairs, *rest))


def longest(numbers: set[int]) -> tuple[int, int]:
    """The length of the longest run, and minus its start: the larger, the better."""
    runs = [
        (end - start + 1, -start)
        for start, end in product(sorted(numbers), repeat=2)
        if {*range(start, end + 1)} <= numbers and start <= end
    ]
    return max(runs)


@pytest.mark.parametrize("n", range(3, 17))
def test_with_partners_they_never_get_three_and_a_full_line_is_won(n: int) -> None:
    says("line", "Why not three?", "they never get three in a row, let alone four")
    for theirs in full_lines(n):
        mine = {*range(1, n + 1)} - theirs
        length, start = longest(theirs)
        assert length <= 2
        assert longest(mine) > (length, start)
        uppers = [number for number in theirs if number % 2]
        if uppers:
            assert {min(uppers) - 2, min(uppers) - 1} <= mine, "the two just below that number"


def test_three_numbers_above_1_contain_a_whole_pair() -> None:
    for low in range(2, 50):
        row = {low, low + 1, low + 2}
        assert any({even, even + 1} <= row for even in range(2, 60, 2))


@pytest.mark.parametrize(("n", "k"), [(5, 3), (6, 3), (7, 3), (8, 3), (7, 4), (8, 4), (8, 5)])
def test_partners_win_on_lines_of_any_length(n: int, k: int) -> None:
    says("line", "Another size", "With partners you win on a line of any length.")
    step = titled("line", "Beat medium")
    assert worst(step, numduel.game("line", n=n, k=k).start(), {}) == 1


def test_a_piece_of_three_can_decide_a_full_line() -> None:
    says("line", "Cut their room", "a run of three may still be the longest")
    state = numduel.game("line").replay("8 1 9 3 10 7 2 4 5 6")
    assert longest(set(numduel.view(state).hand(1))) == (3, -8)
    assert state.winner == 1


def test_of_the_first_numbers_1_and_10_the_10_loses() -> None:
    says("build", "The same idea elsewhere", "The 10 loses.")
    line = numduel.game("line")
    assert won(line.start()) == {*range(1, 9)}
    assert titled("build", "The same idea elsewhere").right_answer == 2


# -- capture ----------------------------------------------------------------------------------


@cache
def least(n: int, own: int, other: int, turn: bool, choose: str) -> int:
    """The least by which somebody wins at last who owns some numbers, as bits, and always takes the
    largest, the smallest or any number they can."""
    full = (2 << n) - 2
    free = [full & ~(own | other) & ~(mine << 1) & ~(mine >> 1) for mine in (own, other)]
    if not any(free):
        return sum(i for i in range(1, n + 1) if own >> i & 1) - sum(
            i for i in range(1, n + 1) if other >> i & 1
        )
    if not free[not turn]:
        return least(n, own, other, not turn, choose)
    moves = [1 << i for i in range(1, n + 1) if free[not turn] >> i & 1]
    if turn:
        kept = {"largest": moves[-1:], "smallest": moves[:1], "any": moves}[choose]
        return min(least(n, own | move, other, False, choose) for move in kept)
    return min(least(n, own, other | move, True, choose) for move in moves)


@pytest.mark.parametrize("n", range(3, 14))
def test_whoever_owns_the_largest_wins_whatever_both_do(n: int) -> None:
    assert least(n, 1 << n, 0, False, "any") == n // 3 + 1
    assert least(n, 1 << n, 0, False, "largest") == (n + 1) // 2
    assert least(n, 0, 1 << n - 1, True, "any") > 0, "somebody who opens just below it loses"


def test_on_21_numbers_the_largest_is_worth_11_points_and_anything_8() -> None:
    says("capture", "Beat medium", "you win, by 8 points or more", "by 11 points or more")
    assert least(21, 1 << 21, 0, False, "largest") == 11
    assert least(21, 1 << 21, 0, False, "smallest") == 8
    assert 21 // 3 + 1 == 8


def test_nobody_can_be_sure_of_more_than_11_points() -> None:
    best = numduel.analyse(numduel.game("capture").start())[0]
    assert (best.move, best.margin) == (21, 11)


@pytest.mark.parametrize(("n", "points"), [(12, 6), (21, 11)])
def test_if_both_always_take_the_largest_the_first_wins_by_half(n: int, points: int) -> None:
    says("capture", "Another size", "you win by 6, half of 12; with 21 numbers by 11")
    state = numduel.game("capture", n=n).start()
    while state.winner is None:
        state = state.play(state.legal_moves[-1])
    margin = state.game.rules.margin
    assert margin is not None
    assert abs(margin(*state.position, state.game.variant)) == points
    assert state.winner == 1


@pytest.mark.parametrize("n", [6, 9, 11])
def test_when_a_game_of_capture_is_over_the_owners_alternate(n: int) -> None:
    for state in finished(numduel.game("capture", n=n).start(), set()):
        owners = [cell.owner for cell in numduel.view(state).cells]
        assert all(one or two for one, two in pairwise(owners))
        owned = [owner for owner in owners if owner]
        assert all(one != two for one, two in pairwise(owned))
        assert state.winner == owners[-1]


def finished(state: State, known: set[object]) -> Iterator[State]:
    """All ends of a game, each position once."""
    if (state.position, state.to_move) in known:
        return
    known.add((state.position, state.to_move))
    if state.winner is not None:
        yield state
    for move in state.legal_moves if state.winner is None else ():
        yield from finished(state.play(move), known)


@pytest.mark.parametrize("n", [6, 9, 12])
def test_in_the_harder_seat_the_largest_wins_unless_they_open_with_it(n: int) -> None:
    says("capture", "The harder seat", "If they open with anything else, you win")
    for opening in range(1, n):
        assert least(n, 0, 1 << opening, True, "largest") > 0
    assert least(n, 0, 1 << n, True, "largest") == -((n + 1) // 2), "that keeps it close"


# -- factors ----------------------------------------------------------------------------------

PAIRS = {1: 7, 2: 6, 3: 9, 4: 8, 5: 10}


def test_the_pairs_of_1_to_10_fit_and_are_the_only_answers_that_win() -> None:
    says("factors", "Another size", "1–7, 2–6, 3–9, 4–8 and 5–10")
    says("line", "The same idea elsewhere", "1–7, 2–6, 3–9, 4–8 and 5–10")
    partners = PAIRS | {two: one for one, two in PAIRS.items()}
    game = numduel.game("factors", n=10)
    for number in range(1, 11):
        assert won(game.replay(str(number))) == {partners[number]}
    assert steps("line")[11].answers[steps("line")[11].right_answer - 1] == "You answer 3."


@pytest.mark.parametrize("n", range(2, 13))
def test_the_second_player_wins_where_there_are_such_pairs(n: int) -> None:
    says("factors", "Another size", "With 1 to 2, 1 to 4 and 1 to 6 there are pairs, too.")
    assert (not won(numduel.game("factors", n=n).start())) == (n in (2, 4, 6, 10))


def test_exactly_four_primes_are_lonely_among_20() -> None:
    says("factors", "The lonely primes", "11, 13, 17 and 19", "1 and itself")
    fits = {
        one: {two for two in range(2, 21) if one != two and (one % two == 0 or two % one == 0)}
        for one in range(2, 21)
    }
    assert [number for number in fits if not fits[number]] == [11, 13, 17, 19]
    assert fits[7] == {14}
    for prime in (11, 13, 17, 19):
        assert [factor for factor in range(1, 21) if prime % factor == 0] == [1, prime]


def test_in_the_harder_seat_a_lonely_prime_beats_you() -> None:
    says("factors", "The harder seat", "you must pick 1, and another lonely prime beats you")
    for prime in (11, 13, 17, 19):
        state = numduel.game("factors").replay(str(prime))
        assert state.legal_moves == (1,)
        assert {11, 13, 17, 19} - {prime} <= won(state.play(1))


# -- duel -------------------------------------------------------------------------------------


def sequences(n: int) -> list[set[int]]:
    return [set(some) for some in combinations(range(1, n + 1), 3) if three(set(some))]


def test_the_5_is_in_eight_of_sixteen_sequences_and_the_1_in_four() -> None:
    says("duel", "Why the middle?", "sixteen sequences", "in eight of them", "only in four")
    counts = {number: sum(number in one for one in sequences(9)) for number in range(1, 10)}
    assert len(sequences(9)) == 16
    assert (counts[5], counts[1], max(counts.values())) == (8, 4, 8)
    assert all(min(one) == 1 for one in sequences(9) if 1 in one)


def test_nine_numbers_cannot_be_shared_out_without_a_sequence_but_eight_can() -> None:
    says("duel", "Finish the proof", "1, 2, 5, 6 and 3, 4, 7, 8", "somebody always gets three")
    for owners in product((0, 1), repeat=9):
        parts = [{i for i, one in enumerate(owners, 1) if one == owner} for owner in (0, 1)]
        assert any(map(three, parts))
    assert not three({1, 2, 5, 6})
    assert not three({3, 4, 7, 8})


def test_each_number_of_the_proof_follows_from_those_before() -> None:
    says("duel", "Finish the proof", "so 9 is yours, so 1 and 7 are theirs, so 8 is yours")
    mine, theirs = {4, 5}, set[int]()
    for number in (3, 6, -9, 1, 7, -8, 2):
        forced, other = (mine, theirs) if number > 0 else (theirs, mine)
        assert three({*forced, abs(number)}), "so it must be the other's"
        other.add(abs(number))
    assert {1, 2, 3} <= theirs
    assert three({4, 6, 2})
    assert three({4, 6, 8})
    assert three({2, 5, 8})


def test_with_five_numbers_whoever_picks_last_would_be_the_first_player() -> None:
    says("duel", "Another size", "whoever picked last loses, and that would be you")
    ends = [
        end for end in finished(numduel.game("duel", n=5).start(), set()) if len(end.moves) == 5
    ]
    unfinished = [end for end in ends if not three(set(numduel.view(end).hand(1)))]
    assert unfinished
    assert {end.winner for end in unfinished} == {2}


def test_between_4_and_6_there_are_two_ways_to_four_in_a_row() -> None:
    says("duel", "The same idea elsewhere", "you own 4 and 6, and they own 1 and 10")
    state = numduel.game("line").replay("4 1 6 10")
    ways = {}
    for move in (3, 5, 8):
        own, free = {4, 6, move}, {2, 3, 5, 7, 8, 9} - {move}
        ways[move] = {more for more in free if longest(own | {more})[0] == 4}
    assert ways == {3: {5}, 5: {3, 7}, 8: set()}
    assert 5 in won(state)


# -- build ------------------------------------------------------------------------------------


@cache
def first_card(n: int, card: int) -> dict[str, float]:
    options = numduel.analyse(numduel.game("build", n=n).replay(str(card)))
    return {str(option.move)[-1]: option.win_probability for option in options}


def test_the_first_cards_to_keep_are_these_in_this_order() -> None:
    says("build", "The last card", "the best is 8, then 7, 9, 6, 5 and 4")
    says("build", "Finish the proof", "a first 8 wins 60 of 100 games and a 3 only 42")
    says("build", "The edges are poor", "discard a 1, a 2 or a 3 as well")
    worth = {card: first_card(10, card) for card in range(1, 11)}
    kept = [card for card in worth if worth[card]["e"] > worth[card]["x"]]
    assert sorted(kept, key=lambda card: -worth[card]["e"]) == [8, 7, 9, 6, 5, 4]
    assert (round(worth[8]["e"], 3), round(worth[3]["e"], 2)) == (0.602, 0.42)


def rows(card: int, length: int) -> Iterator[tuple[int, ...]]:
    """All rows of so many cards with a certain one in them."""
    for row in product(range(1, 11), repeat=length):
        if card in row and all(abs(one - two) == 1 for one, two in pairwise(row)):
            yield row


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_row_with_an_8_has_a_higher_sum_than_one_with_a_3(length: int) -> None:
    says("build", "Why 8 and not 3?", "a higher sum than any equally long row with a 3")
    assert min(map(sum, rows(8, length))) > max(map(sum, rows(3, length)))


def test_with_cards_to_8_the_best_first_card_is_the_6() -> None:
    says("build", "Another size", "The best first card here is the 6.")
    worth = {card: first_card(8, card) for card in range(1, 9)}
    assert max(worth, key=lambda card: worth[card]["e"]) == 6


def test_in_build_it_hardly_matters_who_begins() -> None:
    says("build", "A harder computer", "wins 49.9 of 100 games")
    assert round(numduel.evaluate(numduel.game("build").start()).win_probability, 3) == 0.499


def test_in_the_mirror_rows_stay_rows_and_the_8_becomes_a_3() -> None:
    says("build", "Finish the proof", "1 with 10, 2 with 9, 3 with 8, 4 with 7, 5 with 6")
    mirror = {card: 11 - card for card in range(1, 11)}
    assert mirror[8] == 3
    for one, two in combinations(range(1, 11), 2):
        assert abs(one - two) == abs(mirror[one] - mirror[two])


@pytest.mark.proof
def test_the_list_of_build_wins_nearly_as_often_as_anybody_can() -> None:
    says("build", "Beat medium", "you win nearly as often as anybody can")
    plan, found = titled("build", "Beat medium").plan, numduel.strategy(numduel.game("build"))
    assert plan is not None
    assert (plan.opening, plan.ideas) == (found.opening, found.ideas)
    assert found.chance is not None
    assert found.perfect is not None
    assert found.perfect - found.chance < 0.01


@pytest.mark.parametrize("title", ["Beat medium", "A harder computer"])
def test_the_list_of_build_says_what_its_strategy_does(title: str) -> None:
    step = titled("build", title)
    assert step.plan is not None
    luck = random.Random(5).random
    for _ in range(3):
        for state in played_at_random(step.state.game, luck):
            if state.mask:
                assert step.plan.choose(state) in followed(step, state)
