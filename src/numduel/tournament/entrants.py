"""Who can take part in a tournament, and how each is asked for a move.

A player is written ``random``, ``easy``, ``medium``, ``hard``, ``perfect``; ``search`` or
``search:500``, which searches by playing out so many games; ``python:package.module:attribute``; or
``exec:command line``. ``name=`` before it gives it another name.

A program behind ``exec:`` is started for every game, with a seed of its own in ``NUMDUEL_SEED``.
For each decision it reads one line, the game so far, and answers with one line, the move:

    sequence-duel n=9 k=3 seat=1: 4 6
    5

Seat 1 always begins. In a game with a deck, the last word is the card that was drawn. The
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
from numduel.core.text import HUMAN, MAX_DIGITS, MAX_NAME, printable
from numduel.players import KINDS, Player, player

BUILT_IN = tuple(kind for kind in KINDS if kind != HUMAN)
MAX_ANSWER = 1024
"""Bytes of the longest line that a program may answer with."""
EXIT_TIMEOUT = 0.2
"""Seconds that a program has to end by itself after its game."""


class Fault(Exception):
    """A player did not answer with a legal move; the text is a sentence that says what it did."""


class Entrant(NamedTuple):
    """A player in a tournament: its name, and how it was written on the command line."""

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
    """Refuse a player that cannot play on this machine: `BadVariant`."""
    kind, _, rest = entrant.spec.partition(":")
    if kind == "python":
        _load(rest)
    elif kind == "exec" and shutil.which(shlex.split(rest)[0]) is None:
        raise BadVariant(f"There is no program {printable(shlex.split(rest)[0])!r}.")


@contextmanager
def seated(entrant: Entrant, seed: int, move_timeout: float) -> Iterator[Player]:
    """A player for one game. Its `choose` raises `Fault` if it gives no answer."""
    kind, _, rest = entrant.spec.partition(":")
    if kind == "exec":
        program = Program(rest, seed, move_timeout)
        try:
            yield program
        finally:
            program.close()
    elif kind == "python":
        yield PythonPlayer(rest, seed)
    else:
        found = player(entrant.spec, seed)
        if found is None:
            raise BadVariant("A person cannot take part in a tournament.")
        yield found


def _entrant(text: str) -> Entrant:
    name, equals, spec = text.partition("=")
    # An equals sign after a colon belongs to the command line of a program.
    if not equals or ":" in name:
        name, spec = "", text
    name, spec = " ".join(name.split()), spec.strip()
    _check_spec(spec)
    name = name or printable(spec, MAX_NAME - 1)
    if len(name) > MAX_NAME or not name.isprintable():
        raise BadVariant(f"The name of a player must be at most {MAX_NAME} printable characters.")
    return Entrant(name, spec)


def _check_spec(spec: str) -> None:
    """Refuse a text that describes no player: `BadVariant`."""
    kind, _, rest = spec.partition(":")
    if spec in BUILT_IN or kind == "search":
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
            raise BadVariant(f"{printable(rest, 60)!r} is no command line: {error}.") from None
        if not words:
            raise BadVariant("A program is written exec:command line; there is no command.")
    else:
        raise BadVariant(
            f"There is no player {printable(spec, 40)!r}; there are {', '.join(BUILT_IN)}, search,"
            " python:package.module:attribute and exec:command line."
        )


# -- a player in Python -----------------------------------------------------------------------


class PythonPlayer:
    """A player written in Python by somebody else; whatever it raises is a fault."""

    def __init__(self, place: str, seed: int) -> None:
        self._place = place
        self._seed = seed
        self._player: object = None

    def choose(self, state: State) -> Move:
        """The move that it chooses. It is created here, too, so that an error then is a fault."""
        try:
            if self._player is None:
                self._player = _create(_load(self._place), self._seed)
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


def _load(place: str) -> object:
    """The object at ``package.module:attribute``; the module may be in the current folder."""
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


def _create(found: object, seed: int) -> object:
    """The player: the object itself, or what the class or function returns for a seed."""
    if not callable(found) or (not isinstance(found, type) and hasattr(found, "choose")):
        return found
    try:
        signature(found).bind(seed)
    except (TypeError, ValueError):
        return found()
    return found(seed)


# -- a program --------------------------------------------------------------------------------


def question(state: State) -> str:
    """The line that asks a program for a move."""
    game = state.game
    return f"{game.id} {game.variant_text} seat={state.to_move}: {state.text}".rstrip()


class Program:
    """A program that reads questions and writes answers, a line each. Its n-th line answers the
    n-th question, even if it came before the question, so that timing changes nothing."""

    def __init__(self, command: str, seed: int, move_timeout: float) -> None:
        self._move_timeout = move_timeout
        self._received = b""
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            # In a session of its own, so that Ctrl-C does not reach it and look like a fault.
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
        """The line that the program answers with; `Fault` if none comes in time."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise Fault("Its program cannot be started.")
        end = monotonic() + self._move_timeout
        self._send(self._process.stdin.fileno(), question(state).encode() + b"\n", end)
        return self._receive(self._process.stdout.fileno(), end)

    def close(self) -> None:
        """Close its input, and kill it and its children if it does not end soon."""
        if self._process is None:
            return
        with self._process as process:
            if process.stdin is not None:
                process.stdin.close()
            try:
                process.wait(EXIT_TIMEOUT)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def _send(self, file: int, data: bytes, end: float) -> None:
        # A program that has ended may have answered before; then its answer is still to be read.
        with suppress(BrokenPipeError):
            while data:
                self._wait(file, select.POLLOUT, end)
                data = data[os.write(file, data) :]

    def _receive(self, file: int, end: float) -> str:
        while b"\n" not in self._received[: MAX_ANSWER + 1]:
            if len(self._received) > MAX_ANSWER:
                raise Fault(f"It answered with a line of more than {MAX_ANSWER} bytes.")
            self._wait(file, select.POLLIN, end)
            more = os.read(file, 4 * MAX_ANSWER)
            if not more:
                raise Fault("Its program ended without an answer.")
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line.decode(errors="replace")

    def _wait(self, file: int, event: int, end: float) -> None:
        poll = select.poll()
        poll.register(file, event)
        if not poll.poll(max(0.0, end - monotonic()) * 1000):
            raise Fault(f"It did not answer within {self._move_timeout:g} s.")
