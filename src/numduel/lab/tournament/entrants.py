"""Who can take part in a tournament, and how each is asked for a move.

A player is written ``random``, ``easy``, ``medium``, ``hard``, ``perfect``; ``search`` or
``search:500``, which plays out so many games before each move; ``python:package.module:attribute``;
or ``exec:command line``. ``name=`` in front gives it another name.

A program behind ``exec:`` is started for every game, with its own seed in ``NUMDUEL_SEED``. For
each decision it reads one line, the game so far, and answers with one line, the move:

    sequence-duel n=9 k=3 seat=1: 4 6
    5

Seat 1 always begins. In a game with a deck, the last word is the card that was drawn. The
program must end when its input does.

A player in Python is asked in the same lines, in a process of its own that is kept for further
games; it sees the states they describe, and nothing else of the tournament.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.text import MAX_NAME, printable, similar
from numduel.lab.tournament.child import Child, Fault
from numduel.lab.tournament.hosts import Asked, Files, Host, hosted
from numduel.lab.tournament.player import digest
from numduel.play.players import COMPUTERS, Player, player


class Entrant(NamedTuple):
    """A player in a tournament: its name, how it was written on the command line, and its files."""

    name: str
    spec: str
    files: Files = ()
    """Of other people's players; see `stamped`."""


def entrants(texts: Sequence[str]) -> tuple[Entrant, ...]:
    """The players that were typed; `BadVariant` if they cannot meet in a tournament."""
    found = tuple(map(entrant, texts))
    if len(found) < 2:
        raise BadVariant("A tournament needs two players or more.")
    names = [one.name.casefold() for one in found]
    for one in found:
        if names.count(one.name.casefold()) > 1:
            raise BadVariant(
                f"Two players are called {one.name}; name one of them: another={one.spec[:40]}"
            )
    return found


def stamped(entrant: Entrant) -> Entrant:
    """The player with its files; `BadVariant` if it cannot play on this machine.

    The files of a program are the program itself and every argument that is a file. Those of a
    player in Python are its modules and what it reads while it is imported and created, as far as
    these are in its package, in the folder of its module or in the current one.
    """
    kind, _, rest = entrant.spec.partition(":")
    if kind == "exec":
        return entrant._replace(files=_program_files(shlex.split(rest)))
    if kind != "python":
        return entrant
    with closing(Host((rest,))) as host:
        try:
            host.begin(0)
            return entrant._replace(files=host.files())
        except Fault as fault:
            raise BadVariant(f"{entrant.name} cannot take part: {fault}") from None


@contextmanager
def seated(entrant: Entrant, seed: int, move_timeout: float) -> Iterator[Player]:
    """A player for one game. Its `choose` raises `Fault` if it gives no answer."""
    kind, _, rest = entrant.spec.partition(":")
    if kind == "exec":
        with closing(Child(shlex.split(rest), {"NUMDUEL_SEED": str(seed)})) as child:
            yield Asked(child, move_timeout)
    elif kind == "python":
        with hosted((rest,), entrant.files) as host:
            yield Asked(host, move_timeout, lambda: host.begin(seed))
    else:
        found = player(entrant.spec, seed)
        if found is None:
            raise BadVariant("A person cannot take part in a tournament.")
        yield found


def entrant(text: str) -> Entrant:
    """The player that was typed."""
    name, equals, spec = text.partition("=")
    # An equals sign after a colon is part of a program's command line.
    if not equals or ":" in name:
        name, spec = "", text
    name, spec = " ".join(name.split()), spec.strip()
    if spec.lower() in COMPUTERS or spec.lower().startswith("search"):
        spec = spec.lower()
    _check_spec(spec)
    name = name or printable(spec, MAX_NAME - 1)
    if len(name) > MAX_NAME or not name.isprintable():
        raise BadVariant(f"The name of a player must be at most {MAX_NAME} printable characters.")
    return Entrant(name, spec)


def _check_spec(spec: str) -> None:
    kind, _, rest = spec.partition(":")
    if spec in COMPUTERS or kind == "search":
        player(spec)
    elif kind == "python":
        if not all(rest.rpartition(":")[::2]):
            raise BadVariant(
                f"A player in Python is written python:package.module:attribute,"
                f" not {printable(spec, 60)!r}."
            )
    elif kind == "exec":
        try:
            words = shlex.split(rest)
        except ValueError as error:
            raise BadVariant(f"{printable(rest, 60)!r} is not a command line: {error}.") from None
        if not words:
            raise BadVariant("A program is written exec:command line; the command is missing.")
    else:
        meant = similar(spec.lower(), (*COMPUTERS, "search"))
        raise BadVariant(
            f"There is no player {printable(spec, 40)!r}; there are {', '.join(COMPUTERS)}, search,"
            " python:package.module:attribute and exec:command line."
            + (f" Did you mean {meant}?" if meant else "")
        )


def _program_files(words: Sequence[str]) -> Files:
    """The program and every argument that is a file, or ``--option=FILE``, with a digest each."""
    program = shutil.which(words[0])
    if program is None:
        raise BadVariant(f"There is no program {printable(words[0])!r}.")
    paths = {words[0]: Path(program)}
    paths |= {name: Path(name) for word in words[1:] for name in (word, word.partition("=")[2])}
    try:
        found = {name: digest(path) for name, path in paths.items() if path.is_file()}
    except (OSError, ValueError) as error:
        raise BadVariant(f"The files of {printable(words[0])!r} cannot be read: {error}.") from None
    return tuple(sorted(found.items()))
