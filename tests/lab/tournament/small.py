"""Tournaments on small boards, for tests."""

import numduel
from numduel.lab.tournament.entrants import entrants
from numduel.lab.tournament.jobs import NO_OPENING, Result, Tournament, play
from tests.games import or_else
from tests.plugins.limit import RUN_LIMIT

BOARDS = or_else(
    {
        "line": {"n": 6, "k": 3},
        "factors": {"n": 9},
        "capture": {"n": 7},
        "build": {"n": 4, "copies": 2, "k": 3},
        "duel": {"n": 6},
    },
    {},
)
"""Small boards, on which everything is quick."""
BOTS = "tests.lab.tournament.bots"
"""Where players in Python are."""


def held(
    *players: str,
    games: str = "duel",
    rounds: int = 4,
    seed: int = 0,
    openings: str = NO_OPENING,
    move_timeout: float = RUN_LIMIT,
) -> Tournament:
    """A tournament on small boards."""
    boards = tuple(numduel.game(name, **BOARDS[name]) for name in games.split())
    return Tournament(entrants(players), boards, rounds, seed, move_timeout, openings)


def played(tournament: Tournament) -> list[Result]:
    """The results of all games of a tournament, in order."""
    return [play(job) for job in tournament.jobs()]
