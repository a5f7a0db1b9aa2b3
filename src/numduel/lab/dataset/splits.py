"""Which positions are taken, and into which split each one goes.

Two positions that a symmetry maps onto each other (a mirrored board, exchanged numbers, a reversed
hand) are one exercise, so both go into the same split. The symmetries of a game need not be known:
none of them changes the values of the moves, nor of the answers to each. This *signature* alone
decides the split.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.text import printable, whole_number
from numduel.lab.dataset.decisions import PHASES, Decision, in_turn, pool
from numduel.lab.dataset.rows import Row, row
from numduel.learn.puzzle import grade_of
from numduel.solver import Option, analyse
from numduel.solver.values import Report, unreported

SPLIT_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
RESERVED = "all"
"""Means every split to programs that read datasets."""
MOST_SPLITS = 8
MOST_WEIGHT = 1_000_000
SAME = 9
"""Digits after the point to which chances are compared."""


def draw(
    game: Game,
    count: int,
    seed: int,
    weights: Mapping[str, int],
    report: Report = unreported,
) -> dict[str, list[Row]]:
    """So many different positions of a game in splits of these weights, or all that were found. The
    first rows of a split are of all phases and difficulties alike, as far as there are any.
    `BadVariant` if a split would be empty: nobody could load it."""
    found = pool(game, count, seed, report)
    rated = [(decision, decision.ideas()) for decision in found]
    ordered = in_turn(
        rated,
        lambda one: PHASES.index(one[0].phase),
        lambda one: grade_of(one[1]),
        lambda one: tuple(idea.name for idea in one[1] or ()),
    )
    wanted, splits = shared(count, weights), {name: list[Row]() for name in weights}
    taken = 0
    for decision, ideas in ordered:
        if taken == count:
            break
        split = assigned(signature(decision), seed, weights)
        if len(splits[split]) < wanted[split]:
            splits[split].append(row(decision, ideas))
            taken += 1
            report(f"{game.display_name}: taking positions", taken, count)
    empty = next((name for name, rows in splits.items() if not rows), None)
    if empty is not None:
        raise BadVariant(
            f"There is no position of {game} for the split {empty}: choose more positions, other"
            " weights or a larger board."
        )
    return splits


def signature(decision: Decision) -> str:
    """What no symmetry of a game changes: the value of each move, and of each answer to it, without
    their order."""
    state = decision.state
    after = (
        (_values((option,)), _values(analyse(state.play(option.move))))
        for option in decision.options
    )
    return repr(sorted(after))


def _values(options: tuple[Option, ...]) -> list[str]:
    return sorted(
        repr((round(value.win_probability, SAME), value.margin, value.plies))
        for value in (option.value for option in options)
    )


def assigned(signature: str, seed: int, weights: Mapping[str, int]) -> str:
    """The split of all positions with a signature, in whichever game they come up."""
    digest = sha256(f"numduel split {seed} {signature}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") * sum(weights.values()) >> 64
    for name, weight in weights.items():
        if place < weight:
            return name
        place -= weight
    raise AssertionError


def shared(count: int, weights: Mapping[str, int]) -> dict[str, int]:
    """A number split by weights; what is left over goes to those that lost most by rounding."""
    total = sum(weights.values())
    parts = {name: count * weight // total for name, weight in weights.items()}
    lost = sorted(weights, key=lambda name: -(count * weights[name] % total))
    for name in lost[: count - sum(parts.values())]:
        parts[name] += 1
    return parts


def read_weights(text: str) -> dict[str, int]:
    """The weights of splits written ``train,test`` or ``train=9,test=1``."""
    weights: dict[str, int] = {}
    for part in text.split(","):
        name, given, number = part.strip().partition("=")
        weight = whole_number(number) if given else 1
        if name == RESERVED or name in weights:
            twice = "names all splits together" if name == RESERVED else "is named twice"
            raise BadVariant(f"{name!r} {twice}: choose another name for a split.")
        if not SPLIT_NAME.fullmatch(name):
            raise BadVariant(
                f"{printable(part.strip(), 40)!r} is not a split: use lower-case letters,"
                " digits and _, such as train,test or train=9,test=1."
            )
        if weight is None or not 1 <= weight <= MOST_WEIGHT:
            raise BadVariant(
                f"The weight of {name} must be a whole number from 1 to {MOST_WEIGHT},"
                f" not {printable(number, 40)!r}."
            )
        weights[name] = weight
    if len(weights) > MOST_SPLITS:
        raise BadVariant(f"There can be at most {MOST_SPLITS} splits, not {len(weights)}.")
    return weights
