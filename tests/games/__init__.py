"""The games that tests go through: all that there are, in the order of menus.

Where a test needs to know more about a game than it says itself, the games of the rulebooks have
data of their own; for any other game it is worked out here.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

import pytest

import numduel
from numduel import State, view
from tests.games import naive

Data = TypeVar("Data")
NAMES = tuple(kind.name for kind in numduel.games())
WITHOUT_LUCK = tuple(kind.name for kind in numduel.games() if not kind.has_deck)
RULEBOOKS = tuple(name for name in NAMES if hasattr(naive, f"{name}_winner"))
"""The games that have a second reading of their rules."""


def or_else(known: Mapping[str, Data], default: Data) -> dict[str, Data]:
    """Data for every game: what is known of it, or the default."""
    return {name: known.get(name, default) for name in NAMES}


def prompt(name: str) -> str:
    """The end of what a player of a game is asked."""
    return numduel.game(name).prompt(view(numduel.game(name).start(seed=1)))[-1][-8:]


def three_moves(name: str) -> list[str]:
    """Three moves of a game that are legal whatever is drawn, and do not end it."""
    game = numduel.game(name)
    if game.has_deck:
        always = numduel.game(name).start(seed=1).legal_moves[-1]
        return 3 * [game.label(always)]
    return _path(game.start(), 3) or []


def _path(state: State, moves: int) -> list[str] | None:
    if moves == 0 or state.winner is not None:
        return None if state.winner is not None else []
    for move in state.legal_moves:
        rest = _path(state.play(move), moves - 1)
        if rest is not None:
            return [state.game.label(move), *rest]
    return None


CLAIM = re.compile(
    r"force\w* (?:a |the )?(?:win|loss)|winning (?:move|number|open|reply|answer)"
    r"|(?:has|have|is|are) (?:already )?(?:won|lost)\b"
    r"|(?:always|never|cannot|sure to) (?:wins?|loses?|happens?)\b|whatever happens"
    r"|\bbest\b|perfect play|optimal|unbeatable|guarantee|advantage|shortcut|strateg"
    r"|\bopenings?\b|\bopens? with|\bin fact\b|\bsolv|\bsolution|\bprove|\bproof|\d ?%"
    r"|(?:trying|checking) (?:out )?(?:all|every)",
    re.IGNORECASE,
)
"""Words of who knows how a game should be played, and not only how it goes."""


def claims(text: str) -> list[str]:
    """What a text says about who wins, or how."""
    return CLAIM.findall(" ".join(text.split()))


def compiled_in_proof(name: str) -> list[pytest.MarkDecorator]:
    """The marks of a test that needs compiled kernels of a game. Every game has its own, and they
    take seconds: one game without points, one with them and one with cards are for every run."""
    return [] if name in ("duel", "capture", "build") else [pytest.mark.proof]
