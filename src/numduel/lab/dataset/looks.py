"""Rules that go by the look of a move alone: the lowest prime, the nearest to 16 or to the mean of
your own numbers; to discard a card while your row is empty.

Whoever follows one knows nothing of the game, so in positions to test with none of them may score.
There are too many to print each beside every score: only the best of them is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from statistics import fmean

from numduel.core.state import State
from numduel.core.view import view
from numduel.learn.ideas import situation
from numduel.solver import Option

Rules = Iterator[tuple[str, Sequence[int]]]
"""Names of rules, and the moves that each takes."""
KINDS: dict[str, Callable[[int], bool]] = {
    "number": lambda _: True,
    "odd number": lambda number: number % 2 == 1,
    "even number": lambda number: number % 2 == 0,
    "prime": lambda number: number > 1 and all(number % other for other in range(2, number)),
    "number that is no prime": lambda number: not KINDS["prime"](number),
}
PLACES = ("second", "third", "fourth", "fifth")
MODULI = range(3, 8)
DISTANCES = (1, 2, 3)
MOST_PLACES = 4
"""A card that can be played in more ways has too many orders of preference."""
MOST_CARDS = 4
"""The longest row that a rule asks for."""


def look_regrets(state: State, options: Sequence[Option]) -> dict[str, float]:
    """What each of these rules loses in a position, on average where it takes several moves. They
    are the same in every position of a game."""
    game = state.game
    losses = {game.code(option.move): option.loss for option in options}
    rules = _of_cards if game.has_deck else _of_numbers
    known: dict[tuple[int, ...], float] = {}  # many rules take the same moves
    found = {}
    for name, moves in rules(state, sorted(losses)):
        key = tuple(moves)
        if key not in known:
            known[key] = sum(losses[move] for move in key) / len(key)
        found[name] = known[key]
    return found


def _of_numbers(state: State, legal: list[int]) -> Rules:
    """The rules of a game whose moves are numbers."""
    yield from _by_place(legal)
    yield from _by_value(legal, state.game.bounds.actions)
    yield from _by_last(state, legal)
    yield from _by_taken(state, legal)


def _by_place(legal: list[int]) -> Rules:
    """The lowest prime, the second highest number, the one a third of the way up."""
    for kind, fits in KINDS.items():
        some = [one for one in legal if fits(one)] or legal
        yield f"any {kind}", some
        yield f"lowest {kind}", some[:1]
        yield f"highest {kind}", some[-1:]
        yield f"middle {kind}", [some[len(some) // 2]]
    for place, name in enumerate(PLACES, 1):
        yield f"{name} lowest", [legal[min(place, len(legal) - 1)]]
        yield f"{name} highest", [legal[max(-1 - place, -len(legal))]]
    for tenth in range(1, 10):
        yield f"{tenth} tenths of the way up", [legal[tenth * len(legal) // 10]]


def _by_value(legal: list[int], most: int) -> Rules:
    """A favourite number, or the nearest to it; small ones; every third."""
    for number in range(1, most + 1):
        yield f"{number} if possible", [number] if number in legal else legal
        yield from _nearest(str(number), number, legal)
        yield f"up to {number}", [one for one in legal if one <= number] or legal
        yield f"above {number}", [one for one in legal if one > number] or legal
    for modulus in MODULI:
        for rest in range(modulus):
            some = [one for one in legal if one % modulus == rest] or legal
            yield f"{rest} modulo {modulus}", some
    divisors = {one: sum(one % other == 0 for other in range(1, one + 1)) for one in legal}
    yield from _fewest_and_most("divisors", divisors)


def _by_last(state: State, legal: list[int]) -> Rules:
    """What goes by the last number of each player."""
    seen, most = situation(state), state.game.bounds.actions
    for whose, last in (("their", seen.theirs), ("your own", seen.mine)):
        yield from _nearest(f"{whose} last", last, legal)
        yield from _nearest(f"twice {whose} last", 2 * last, legal)
        yield from _nearest(f"half {whose} last", last / 2, legal)
        yield f"next above {whose} last", _least({one: (one - last) % (most + 1) for one in legal})
        yield f"next below {whose} last", _least({one: (last - one) % (most + 1) for one in legal})
        yield f"even distance to {whose} last", _least({one: (one - last) % 2 for one in legal})
        yield from _nearest(f"the mirror image of {whose} last", most + 1 - last, legal)
        yield f"more than {whose} last", [one for one in legal if one > last] or legal
        yield f"less than {whose} last", [one for one in legal if one < last] or legal
        multiples = [one for one in legal if last and one % last == 0]
        yield f"multiple of {whose} last", multiples or legal
        yield f"divisor of {whose} last", [one for one in legal if last % one == 0] or legal
    low, high = sorted((seen.theirs, seen.mine))
    between = [one for one in legal if low < one < high]
    yield "between both last", between or legal
    yield "not between both last", [one for one in legal if one not in between] or legal
    yield from _nearest("the middle of both last", (low + high) / 2, legal)
    yield from _nearest("the sum of both last", low + high, legal)
    yield from _nearest("the difference of both last", high - low, legal)
    yield from _nearest("their last, carried on", 2 * seen.theirs - seen.mine, legal)
    yield from _nearest("your own last, carried on", 2 * seen.mine - seen.theirs, legal)


def _by_taken(state: State, legal: list[int]) -> Rules:
    """What goes by the numbers that are taken, and by those that are free."""
    hands = view(state).hands
    own, theirs = hands[state.to_move - 1], hands[2 - state.to_move]
    for whose, held in (("your own", own), ("their", theirs), ("all taken", (*own, *theirs))):
        mean = fmean(held) if held else 0.0
        yield from _nearest(f"the mean of {whose} numbers", mean, legal)
        apart = {one: sum(abs(one - other) for other in held) for one in legal}
        yield from _fewest_and_most(f"steps to {whose} numbers", apart)
        nearest = {one: min((abs(one - other) for other in held), default=0) for one in legal}
        yield from _fewest_and_most(f"steps to the nearest of {whose} numbers", nearest)
        for distance in DISTANCES:
            yield from _neighbours(f"of {whose} numbers", legal, held, distance)
        alike = {one: sum((one - other) % 2 == 0 for other in held) for one in legal}
        yield from _fewest_and_most(f"of {whose} numbers as odd or even as it is", alike)
        low, high = min(held, default=0), max(held, default=0)
        yield f"within {whose} numbers", [one for one in legal if low < one < high] or legal
        yield f"below {whose} numbers", [one for one in legal if one < low] or legal
        yield f"above {whose} numbers", [one for one in legal if one > high] or legal
        yield from _nearest(f"the lowest of {whose} numbers", low, legal)
        yield from _nearest(f"the highest of {whose} numbers", high, legal)
    for distance in DISTANCES:
        yield from _neighbours("free numbers", legal, legal, distance)


def _neighbours(name: str, legal: list[int], others: Sequence[int], distance: int) -> Rules:
    counts = {one: sum(abs(one - other) <= distance for other in others) for one in legal}
    yield from _fewest_and_most(f"{name} up to {distance} away", counts)


def _nearest(name: str, target: float, legal: list[int]) -> Rules:
    yield f"nearest to {name}", _least({one: abs(one - target) for one in legal})
    yield f"farthest from {name}", _least({one: -abs(one - target) for one in legal})


def _fewest_and_most(name: str, counts: dict[int, int]) -> Rules:
    yield f"fewest {name}", _least(counts)
    yield f"most {name}", _least({one: -count for one, count in counts.items()})


def _least(distances: dict[int, float] | dict[int, int]) -> list[int]:
    """The moves with the smallest distance."""
    nearest = min(distances.values())
    return [one for one, distance in distances.items() if distance == nearest]


# -- cards ----------------------------------------------------------------------------------


def _of_cards(state: State, legal: list[int]) -> Rules:
    """The rules of a game of cards: an order of places, or one of two ways to play the card, by
    what it is and how far the game is."""
    game = state.game
    every = range(1, game.bounds.actions + 1)
    ways = {way: game.label(game.moves(1 << way, state)[0]) for way in every}
    if len(ways) <= MOST_PLACES:
        for order in permutations(ways):
            first = next(way for way in order if way in legal)
            yield ", else ".join(ways[way] for way in order), [first]
    taken = {way: [way] if way in legal else legal for way in ways}
    others = {way: [one for one in legal if one != way] or legal for way in ways}
    for when, holds in _conditions(state):
        for way, told in ways.items():
            yield f"{told} if {when}, else another", (taken if holds else others)[way]
            yield f"{told} unless {when}, else another", (others if holds else taken)[way]
        for one, two in permutations(ways, 2):
            yield f"{ways[one]} if {when}, else {ways[two]}", taken[one if holds else two]


def _conditions(state: State) -> Iterator[tuple[str, bool]]:
    """What a rule of cards may go by, in words, and whether it is so."""
    card, hands = state.card or 0, view(state).hands
    own, theirs = hands[state.to_move - 1], hands[2 - state.to_move]
    for limit in range(1, state.game.bounds.cards):
        yield f"the card is up to {limit}", card <= limit
    yield "the card is odd", card % 2 == 1
    for whose, held in (("your", own), ("their", theirs)):
        yield f"{whose} row has the card", card in held
        yield f"the card is above {whose} row", card > max(held, default=0)
        yield f"the card is below {whose} row", card < min(held, default=0)
        for count in range(MOST_CARDS + 1):
            yield f"{whose} row has up to {count}", len(held) <= count
    yield "your row is longer", len(own) > len(theirs)
    yield "your row is shorter", len(own) < len(theirs)
    cards = len(state.moves) + 1 + state.cards_left
    for tenth in range(1, 10):
        yield f"up to {tenth} tenths of the cards are left", 10 * state.cards_left <= tenth * cards
