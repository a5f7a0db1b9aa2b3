"""Rules that go by the look of a move alone: the lowest prime, the second highest number, 15 if it
is there, a card of 4 or more.

Whoever follows one knows nothing of the game, so in positions to test with none of them may score.
There are too many to print each beside every score: only the best of them is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product

from numduel.core.state import State
from numduel.learn.ideas import situation
from numduel.solver import Option

KINDS: dict[str, Callable[[int], bool]] = {
    "number": lambda _: True,
    "odd number": lambda number: number % 2 == 1,
    "even number": lambda number: number % 2 == 0,
    "prime": lambda number: number > 1 and all(number % other for other in range(2, number)),
    "number that is no prime": lambda number: not KINDS["prime"](number),
}
MODULI = (3, 4)
MOST_PLACES = 4
"""A card that can be played in more ways has too many orders of preference."""


def look_regrets(state: State, options: Sequence[Option]) -> dict[str, float]:
    """What each of these rules loses in a position, on average where it takes several moves. They
    are the same in every position of a game."""
    game = state.game
    losses = {game.code(option.move): option.loss for option in options}
    rules = _of_cards if game.has_deck else _of_numbers
    return {
        name: sum(losses[move] for move in moves) / len(moves)
        for name, moves in rules(state, sorted(losses))
    }


def _of_numbers(state: State, legal: list[int]) -> Iterator[tuple[str, list[int]]]:
    """The rules of a game whose moves are numbers, and the moves that each takes."""
    for kind, fits in KINDS.items():
        some = [one for one in legal if fits(one)] or legal
        yield f"any {kind}", some
        yield f"lowest {kind}", some[:1]
        yield f"highest {kind}", some[-1:]
        yield f"middle {kind}", [some[len(some) // 2]]
    for place, name in enumerate(("second", "third"), 1):
        yield f"{name} lowest", [legal[min(place, len(legal) - 1)]]
        yield f"{name} highest", [legal[max(-1 - place, -len(legal))]]
    seen, most = situation(state), state.game.bounds.actions
    for whose, last in (("their", seen.theirs), ("your own", seen.mine)):
        yield f"nearest to {whose} last", _least({one: abs(one - last) for one in legal})
        yield f"farthest from {whose} last", _least({one: -abs(one - last) for one in legal})
        yield f"next above {whose} last", _least({one: (one - last) % (most + 1) for one in legal})
        yield f"next below {whose} last", _least({one: (last - one) % (most + 1) for one in legal})
        yield f"even distance to {whose} last", _least({one: (one - last) % 2 for one in legal})
        across = most + 1 - last
        yield f"mirror image of {whose} last", _least({one: abs(one - across) for one in legal})
    for modulus in MODULI:
        for rest in range(modulus):
            some = [one for one in legal if one % modulus == rest] or legal
            yield f"{rest} modulo {modulus}", some
    for number in range(1, most + 1):
        yield f"{number} if possible", [number] if number in legal else legal


def _of_cards(state: State, legal: list[int]) -> Iterator[tuple[str, list[int]]]:
    """The rules of a game of cards, and the moves that each takes: ways to play the card."""
    game = state.game
    every = range(1, game.bounds.actions + 1)
    ways = {way: game.label(game.moves(1 << way, state)[0]) for way in every}
    if len(ways) <= MOST_PLACES:
        for order in permutations(ways):
            first = next(way for way in order if way in legal)
            yield ", else ".join(ways[way] for way in order), [first]
    card = state.card or 0
    for way, limit, low in product(ways, range(1, game.bounds.cards + 1), (True, False)):
        some = [one for one in legal if (one == way) == ((card <= limit) == low)] or legal
        yield f"{ways[way]} {'up to' if low else 'above'} {limit}, else another", some
    for way in ways:
        some = [one for one in legal if (one == way) == (card % 2 == 1)] or legal
        yield f"{ways[way]} if the card is odd, else another", some


def _least(distances: dict[int, int]) -> list[int]:
    """The moves with the smallest distance."""
    nearest = min(distances.values())
    return [one for one, distance in distances.items() if distance == nearest]
