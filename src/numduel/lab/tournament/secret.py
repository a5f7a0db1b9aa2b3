"""The secrets of a tournament: its decks, its openings and its players' seeds follow from them, and
from nothing else that anybody knows before the end.

The file of the tournament begins with the hash of a secret and ends with the secret itself, so
anybody can check that it was not chosen afterwards, and play the tournament again. Rounds that are
added after a secret has been told have another one.

While games are played, a secret is nowhere but in memory: players run as this user, and could read
it in any file. Only between an interruption and the command that goes on is it in this user's
folder. If there was no time to write it, because the process was killed, it is lost: the games that
are left have a new one.
"""

from __future__ import annotations

import hmac
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import count
from math import comb
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple, Self

from numduel.core.errors import BadRecord, BadVariant
from numduel.core.text import printable
from numduel.files import data_folder, read_json, write_json

BYTES = 16
WRITTEN = re.compile(r"(?:([0-9]{1,7}):)?([0-9a-f]{32})")
ADVICE = "choose another --file, or start over with --fresh."


class Secret(NamedTuple):
    """What is random in the games of some rounds comes from this."""

    digits: str
    start: int = 0
    """The first of these rounds, counted from 0. They end where those of the next secret begin."""
    lost: str = ""
    """Its hash, if it is lost: then nobody knows the digits."""

    @classmethod
    def drawn(cls, start: int = 0) -> Self:
        """A new secret."""
        return cls(token_hex(BYTES), start)

    @classmethod
    def read(cls, text: str) -> Self:
        """The secret that `str` wrote; `BadVariant` if it is none."""
        found = WRITTEN.fullmatch(text)
        if found is None:
            raise BadVariant(
                "A secret is 32 digits from 0 to f, as the file of a finished tournament tells it;"
                " 40: before them says that it is for the rounds after the first 40."
            )
        return cls(found[2], int(found[1] or 0))

    def __str__(self) -> str:
        """As ``--secret`` takes it: the digits, after ``40:`` if the first 40 rounds have another
        secret."""
        return f"{self.start}:{self.digits}" if self.start else self.digits

    @property
    def commitment(self) -> str:
        """What is told of it before the end: its hash."""
        return self.lost or sha256(f"numduel tournament {self.digits}".encode()).hexdigest()

    @property
    def promise(self) -> dict[str, object]:
        """The line of the file that begins its rounds, if they are not the first."""
        return {"commitment": self.commitment, "from": self.start}

    @property
    def told(self) -> dict[str, object]:
        """The line of the file that tells it."""
        return {"secret": self.digits}

    def derive(self, what: Iterable[object]) -> str:
        """64 digits for one purpose; without the secret, they tell nothing of those for another."""
        if self.lost:
            raise BadRecord("The secret of this game is lost: it cannot be played any more.")
        text = "\n".join(map(str, what))
        return hmac.new(self.digits.encode(), text.encode(), sha256).hexdigest()

    def keep(self) -> None:
        """Write it where the same command finds it; raises OSError if that is not possible."""
        write_json(_place(self.commitment), self.digits)

    def forget(self) -> None:
        """Remove it where it was kept: no player may find it there."""
        with suppress(OSError):
            (data_folder() / _place(self.commitment)).unlink(missing_ok=True)


def secrets_for(path: Path, rounds: int, given: Iterable[str] = ()) -> tuple[Secret, ...]:
    """The secrets of the tournament in a file: those that are given, else the file's own, else new
    ones. What is left to play has a new one if its own is lost."""
    wanted = [*map(Secret.read, given)]
    promised: list[tuple[int, str]] = []
    told, played, games_of_a_round = set[str](), defaultdict[int, set[str]](set), 1
    for line in _lines(path):
        match line:
            case {"commitment": str(promise), "players": list(players), "games": list(games)}:
                promised.append((0, promise))
                games_of_a_round = max(1, comb(len(players), 2) * len(games))
            case {"commitment": str(promise), "from": int(start)}:
                promised.append((start, promise))
            case {"secret": str(digits)}:
                told.add(digits)
            case {"index": int(index), "game": game, "players": players}:
                played[index].add(f"{game} {players}")
    if not promised:
        of_rounds = {0: Secret.drawn()} | {one.start: one for one in wanted}
        return tuple(one for _, one in sorted(of_rounds.items()))
    known = [*(one.digits for one in wanted), *told]
    found = [_found(start, promise, known) for start, promise in promised]
    left = next(index for index in count() if len(played[index]) < games_of_a_round)
    if rounds > left and (found[-1].lost or found[-1].digits in told):
        new = [one for one in wanted if one.start == left and one not in found]
        found.append(new[-1] if new else Secret.drawn(left))
    if not {one.digits for one in wanted} <= {one.digits for one in found}:
        raise BadRecord(f"{printable(str(path))} holds a tournament with another secret; {ADVICE}")
    return tuple(found)


def is_about_secrets(line: object) -> bool:
    """Whether a line of a tournament's file promises a secret or tells it, and is no result."""
    return isinstance(line, dict) and line.keys() in ({"commitment", "from"}, {"secret"})


def _found(start: int, promise: str, known: Iterable[str]) -> Secret:
    """The secret that was promised; a lost one if it is not known here."""
    for digits in (*known, read_json(_place(promise))):
        secret = Secret(str(digits), start)
        if secret.commitment == promise:
            return secret
    return Secret("", start, lost=promise)


def _place(promise: str) -> str:
    return f"tournaments/{sha256(promise.encode()).hexdigest()[:32]}.json"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file that can be read. The last one may have been cut."""
    with suppress(OSError, ValueError), path.open(encoding="utf-8") as file:
        for line in file:
            with suppress(ValueError, RecursionError):
                if isinstance(data := json.loads(line), dict) and line.endswith("\n"):
                    yield data
