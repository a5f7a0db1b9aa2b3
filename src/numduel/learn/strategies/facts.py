"""Facts about a game that are stronger than any strategy."""

from __future__ import annotations

from typing import Any

import numpy as np

from numduel.core.game import Game
from numduel.solver.claims import LARGEST, next_owner, strings
from numduel.solver.compiled import kernel

MOST_STRINGS = 300_000_000
"""Arrangements that are gone through: some seconds."""


def always_winning(game: Game) -> int:
    """The numbers that the winner owns at the end of every game, as a bit set.

    Every finished arrangement of two sets without neighbours counts, even if no game leads to it.
    There are none for games of another kind, and for longer lines.
    """
    n = game.bounds.actions
    if not game.apart or n > LARGEST or strings(n) > MOST_STRINGS:
        return 0
    held = np.zeros((2, n + 2), np.int64)
    held[1] = 2
    return int(kernel("owners", type(game), _made)(n, game.variant, held))


def _made(kind: type[Game]) -> Any:
    legal, result = kind.rules.legal, kind.rules.result

    def owners(n, v, held):  # type: ignore[no-untyped-def]
        """Go through all strings over free, own and other without two equal owners side by side."""
        place, one, two = n, np.int64(0), np.int64(0)
        common = np.int64((np.int64(2) << n) - 2)
        while place <= n:
            place, one, two, whole = next_owner(place, 1, one, two, held)
            if whole and legal(one, two, v) == 0:
                common &= one if result(one, two, v) > 0 else two
        return common

    return owners
