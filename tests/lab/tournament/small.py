"""Tournaments on small boards, for tests."""

from pathlib import Path

import numduel
from numduel.lab.tournament.entrants import entrants
from numduel.lab.tournament.jobs import NO_OPENING, Result, Tournament, play
from tests.games import or_else

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
STRIKING = """
import os, signal
from contextlib import suppress

class Player:
    '''When ten games are begun, strikes, once; else takes the first legal move.'''

    def __init__(self):
        with open("begun", "ab", buffering=0) as file:
            file.write(b".")
            begun = os.fstat(file.fileno()).st_size
        if begun >= 10:
            with suppress(FileExistsError), open("struck", "x"):
                {strike}

    def choose(self, state):
        return state.legal_moves[0]
"""


def held(
    *players: str,
    games: str = "duel",
    rounds: int = 4,
    openings: str = NO_OPENING,
    seed: int = 0,
) -> Tournament:
    """A tournament on small boards."""
    boards = tuple(numduel.game(name, **BOARDS[name]) for name in games.split())
    return Tournament(entrants(players), boards, rounds, openings, seed)


def strike(folder: Path, how: str) -> None:
    """Write a player, ``striking:Player``, that strikes in its tenth game."""
    (folder / "striking.py").write_text(STRIKING.format(strike=how))


def played(tournament: Tournament) -> list[Result]:
    """The results of all games of a tournament, in order."""
    return [play(job) for job in tournament.jobs()]
