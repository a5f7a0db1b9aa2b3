"""How games end, in sentences without numbers, so that endings of a kind can be counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import State
from numduel.core.view import view
from numduel.lab.audit.findings import Ending

SMALL = 20_000
"""Positions of a smaller variant after which the search for endings stops."""
NAMES = "the winner", "the loser"


def sentence(state: State) -> str:
    """Why a finished game ended, without numbers and without saying who won."""
    winner = state.winner or 1
    names = NAMES if winner == 1 else (NAMES[1], NAMES[0])
    lines = state.game.end_lines(view(state, names), winner)
    text = re.sub(r"\[?\d+(, \d+)*\]?", "…", " ".join(lines))
    return re.sub(r"(^|[.] )([a-z])", lambda found: found[1] + found[2].upper(), text)


def counted_endings(game: Game, found: Counter[str]) -> tuple[Ending, ...]:
    """The endings that occur and, with a count of 0, those that occur only on smaller boards."""
    if not found:
        return ()
    every = dict.fromkeys([*(text for text, _ in found.most_common()), *_elsewhere(game)])
    return tuple(Ending(text, found[text]) for text in every)


def _elsewhere(game: Game) -> Iterator[str]:
    """The endings of the same game on smaller boards, until one is too large."""
    for smaller in smaller_variants(game):
        for seen, state in enumerate(smaller.start().walk()):
            if seen == SMALL:
                return
            if state.winner is not None:
                yield sentence(state)


def smaller_variants(game: Game) -> Iterator[Game]:
    """The same game in all smaller sizes (its first setting), the smallest first."""
    name, size = next(iter(game.parameters.items()))
    if not size.words:
        for value in range(size.low, int(game.settings[name])):
            try:
                yield type(game)(**{**game.settings, name: value})
            except BadVariant:
                continue
