"""Tournaments on small boards, for tests."""

from pathlib import Path

import numduel
from numduel.lab.tournament.entrants import entrants
from numduel.lab.tournament.jobs import NO_OPENING, Result, Tournament, play
from numduel.lab.tournament.secret import Secret
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
STRIKING = """
import os, signal
from contextlib import suppress
from pathlib import Path

def parent(process):
    return int(Path(f"/proc/{{process}}/stat").read_text().rpartition(")")[2].split()[1])

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

SPY = """
import re, sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path


def found():
    # What on the disk is a secret that the tournament has promised.
    promised = re.findall('"commitment": "([0-9a-f]{64})"', Path("tournament.jsonl").read_text())
    for path in Path().rglob("*"):
        with suppress(OSError):
            for digits in re.findall("(?=([0-9a-f]{32}))", path.read_text("latin-1")):
                if sha256(f"numduel tournament {digits}".encode()).hexdigest() in promised:
                    return digits


for question in sys.stdin if __name__ == "__main__" else ():
    with open("searches", "a") as file:
        file.write(".")
    if found():
        Path("stolen").touch()
    taken = question.partition(":")[2].split()
    print(next(number for number in range(1, 99) if str(number) not in taken), flush=True)
"""
"""A program that takes the lowest free number, and searches its folder for the secret."""


def held(
    *players: str,
    games: str = "duel",
    rounds: int = 4,
    openings: str = NO_OPENING,
    move_timeout: float = RUN_LIMIT,
    secret: int = 0,
) -> Tournament:
    """A tournament on small boards."""
    boards = tuple(numduel.game(name, **BOARDS[name]) for name in games.split())
    secrets = (Secret(f"{secret:032x}"),)
    return Tournament(entrants(players), boards, rounds, move_timeout, openings, secrets)


def strike(folder: Path, how: str) -> None:
    """Write a player, ``striking:Player``, that strikes in its tenth game."""
    (folder / "striking.py").write_text(STRIKING.format(strike=how))


def played(tournament: Tournament) -> list[Result]:
    """The results of all games of a tournament, in order."""
    return [play(job) for job in tournament.jobs()]
