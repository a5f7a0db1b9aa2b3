"""Who can take part in a tournament, and how each is asked for a move.

A player is written ``random``, ``easy``, ``medium``, ``hard``, ``perfect``; ``search`` or
``search:500``, which only tries games out; ``python:package.module:attribute``; or ``exec:command
line``. ``name=`` before it gives it another name.

A program behind ``exec:`` is started for every game, with a seed of its own in ``NUMDUEL_SEED``.
Each decision is one line on its standard input, the game so far, and one line back, the move:

    sequence-duel n=9 k=3 seat=1: 4 6
    5

Seat 1 always begins. Where cards are drawn, the last word is the card that waits to be played. The
program must end when its input does.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import signature
from operator import index
from time import monotonic
from typing import NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.core.text import HUMAN, MAX_DIGITS, MAX_NAME, printable, whole_number
from numduel.players import KINDS, Player, Search, player

BUILT_IN = tuple(kind for kind in KINDS if kind != HUMAN)
TRIES = 200
"""Games that ``search`` tries out before each move."""
MOST_TRIES = 1_000_000
LONGEST = 1024
"""Bytes of the longest line that a program may answer with."""
GRACE = 0.2
"""Seconds that a program has to end by itself after its game."""


class Fault(Exception):
    """A player did not answer with a move; the text is a sentence about it."""


class Entrant(NamedTuple):
    """A player in a tournament: what it is called, and what it is."""

    name: str
    spec: str


def entrants(texts: Sequence[str]) -> tuple[Entrant, ...]:
    """The players of a tournament, from what was typed; `BadVariant` if they cannot meet."""
    found = tuple(map(_entrant, texts))
    if len(found) < 2:
        raise BadVariant("A tournament needs two players or more.")
    names = [one.name.casefold() for one in found]
    for one in found:
        if names.count(one.name.casefold()) > 1:
            raise BadVariant(
                f"Two players are called {one.name}; name one of them: another={one.spec[:40]}"
            )
    return found


def check(entrant: Entrant) -> None:
    """Refuse what could not play even one game on this machine."""
    kind, _, rest = entrant.spec.partition(":")
    if kind == "python":
        _loaded(rest)
    elif kind == "exec" and shutil.which(shlex.split(rest)[0]) is None:
        raise BadVariant(f"There is no program {printable(shlex.split(rest)[0])!r}.")


@contextmanager
def seated(entrant: Entrant, seed: int, patience: float) -> Iterator[Player]:
    """A player for one game. Its `choose` raises `Fault` where there is no answer to be had."""
    kind, _, rest = entrant.spec.partition(":")
    if kind == "exec":
        program = Program(rest, seed, patience)
        try:
            yield program
        finally:
            program.close()
    elif kind == "python":
        yield Guest(rest, seed)
    elif kind == "search":
        yield Search(int(rest or TRIES), seed)
    else:
        found = player(kind, seed)
        if found is None:
            raise BadVariant("A person cannot take part in a tournament.")
        yield found


def _entrant(text: str) -> Entrant:
    name, equals, spec = text.partition("=")
    # An equals sign after a colon belongs to the command line of a program.
    if not equals or ":" in name:
        name, spec = "", text
    name, spec = " ".join(name.split()), spec.strip()
    _read(spec)
    name = name or printable(spec, MAX_NAME - 1)
    if len(name) > MAX_NAME or not name.isprintable():
        raise BadVariant(f"The name of a player must be at most {MAX_NAME} printable characters.")
    return Entrant(name, spec)


def _read(spec: str) -> None:
    """Refuse what is no player."""
    kind, _, rest = spec.partition(":")
    if spec in BUILT_IN or spec == "search":
        return
    if kind == "search":
        tries = whole_number(rest)
        if tries is None or not 1 <= tries <= MOST_TRIES:
            raise BadVariant(f"search:N tries N games out, from 1 to {MOST_TRIES:,}.")
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
            raise BadVariant(f"{printable(rest, 60)!r} is no command line: {error}.") from None
        if not words:
            raise BadVariant("A program is written exec:command line; there is no command.")
    else:
        raise BadVariant(
            f"There is no player {printable(spec, 40)!r}; there are {', '.join(BUILT_IN)}, search,"
            " python:package.module:attribute and exec:command line."
        )


# -- a player in Python -----------------------------------------------------------------------


class Guest:
    """An object of somebody else's: what goes wrong in it is a fault, and loses one game."""

    def __init__(self, place: str, seed: int) -> None:
        self._place = place
        self._seed = seed
        self._player: object = None

    def choose(self, state: State) -> Move:
        """What the object chooses; it is made for the first move of a game."""
        try:
            if self._player is None:
                self._player = _made(_loaded(self._place), self._seed)
            move = self._player.choose(state)  # type: ignore[attr-defined]
            if isinstance(move, str):
                return move
            # Learners answer with the integers of NumPy.
            found = None if isinstance(move, bool) else index(move)
        except (Exception, SystemExit) as error:
            said = printable(f"{type(error).__name__}: {error}", 200)
            raise Fault(f"It raised {said}.") from None
        if found is None or abs(found) >= 10**MAX_DIGITS:
            raise Fault("It answered with something that is no move.")
        return found


def _loaded(place: str) -> object:
    """What ``package.module:attribute`` names; modules in the current folder are found, too."""
    module, _, attribute = place.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: object = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        said = printable(f"{type(error).__name__}: {error}", 200)
        raise BadVariant(f"python:{printable(place, 80)} cannot be imported: {said}.") from None
    if not callable(getattr(found, "choose", None)) and not callable(found):
        raise BadVariant(f"python:{printable(place, 80)} has no choose(state), and makes nothing.")
    return found


def _made(found: object, seed: int) -> object:
    """A player: the object itself, or what the class or function makes of a seed."""
    if not callable(found) or (not isinstance(found, type) and hasattr(found, "choose")):
        return found
    try:
        signature(found).bind(seed)
    except (TypeError, ValueError):
        return found()
    return found(seed)


# -- a program --------------------------------------------------------------------------------


def asked(state: State) -> str:
    """The line that a program is asked for a move with."""
    settings = " ".join(f"{key}={value}" for key, value in state.game.settings.items())
    return f"{state.game.id} {settings} seat={state.to_move}: {state.text}".rstrip()


class Program:
    """Another process, which is asked in lines. Its n-th line is the answer to the n-th question,
    whenever it comes, so that nothing hangs on who is faster."""

    def __init__(self, command: str, seed: int, patience: float) -> None:
        self._patience = patience
        self._said = b""
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            # In a session of its own: Ctrl-C ends the tournament, and must not look like a fault.
            self._process = subprocess.Popen(  # noqa: S603
                shlex.split(command),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "NUMDUEL_SEED": str(seed)},
                start_new_session=True,
            )
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    os.set_blocking(pipe.fileno(), False)

    def choose(self, state: State) -> Move:
        """The line that the program answers with, in time."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise Fault("Its program cannot be started.")
        end = monotonic() + self._patience
        self._say(self._process.stdin.fileno(), asked(state).encode() + b"\n", end)
        return self._heard(self._process.stdout.fileno(), end)

    def close(self) -> None:
        """End the program and what it has started, if it does not end by itself."""
        if self._process is None:
            return
        with self._process as process:
            if process.stdin is not None:
                process.stdin.close()
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def _say(self, file: int, data: bytes, end: float) -> None:
        # A program that has gone may have answered before: that is for its output to say.
        with suppress(BrokenPipeError):
            while data:
                self._await(file, select.POLLOUT, end)
                data = data[os.write(file, data) :]

    def _heard(self, file: int, end: float) -> str:
        while b"\n" not in self._said[: LONGEST + 1]:
            if len(self._said) > LONGEST:
                raise Fault(f"It answered with a line of more than {LONGEST} bytes.")
            self._await(file, select.POLLIN, end)
            more = os.read(file, 4 * LONGEST)
            if not more:
                raise Fault("Its program ended without an answer.")
            self._said += more
        line, _, self._said = self._said.partition(b"\n")
        return line.decode(errors="replace")

    def _await(self, file: int, event: int, end: float) -> None:
        waiting = select.poll()
        waiting.register(file, event)
        if not waiting.poll(max(0.0, end - monotonic()) * 1000):
            raise Fault(f"It did not answer within {self._patience:g} s.")
