"""Players in Python: each in a process of its own, which serves many games."""

from __future__ import annotations

import atexit
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.lab.tournament.child import MAX_ANSWER, Child, Fault
from numduel.lab.tournament.protocol import question

START_TIMEOUT = 60.0
"""Seconds that a player has to be imported and created."""
MAX_FILES = 1 << 20
"""Bytes of the longest list of a player's files."""
MAX_IDLE = 8
"""How many processes may wait for another game."""

Files = tuple[tuple[str, str], ...]
"""Names of files, each with a digest of its content."""


class Asked:
    """A player in another process, asked for every move of one game."""

    def __init__(
        self,
        process: Child | Host,
        move_timeout: float,
        begin: Callable[[], None] = lambda: None,
    ) -> None:
        self._process = process
        self._move_timeout = move_timeout
        self._begin: Callable[[], None] | None = begin

    def choose(self, state: State) -> Move:
        """Its answer. The player is created by the first question, so that an error then is a fault
        of the game."""
        if self._begin is not None:
            begin, self._begin = self._begin, None
            begin()
        return self._process.ask(question(state), self._move_timeout)


class Host:
    """A process that creates players and passes questions on to them (see `player`)."""

    def __init__(self, place: tuple[str, ...], files: Files = ()) -> None:
        self._child = Child(
            [sys.executable, "-P", "-m", "numduel.lab.tournament.player", *place],
            # It imports what this process would. Sets have the same order in every process.
            {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONHASHSEED": "0"},
        )
        self._expected = files
        self._answered = True

    @property
    def usable(self) -> bool:
        """Whether it can be asked again: it is alive, and owes no answer."""
        return self._answered and self._child.alive

    def begin(self, seed: int) -> None:
        """Create a player, for one game. `BadVariant` if its files are not the expected ones."""
        self.ask(f"new {seed}", START_TIMEOUT)
        if self._expected:
            expected, self._expected = self._expected, ()
            if changed := changes(expected, self.files()):
                raise BadVariant(f"{changed} during the tournament: choose another --file.")

    def files(self) -> Files:
        """The player's own files, as far as it has read them."""
        return tuple(json.loads(self.ask("files", START_TIMEOUT, MAX_FILES)).items())

    def ask(self, line: str, timeout: float, longest: int = MAX_ANSWER) -> str:
        """The answer to a line; `Fault` if it is an error, or there is none. `BadVariant`, which
        ends the tournament, if the player cannot be asked."""
        self._answered = False
        answer = self._child.ask(line, timeout, longest)
        self._answered = True
        if answer.startswith("!"):
            raise Fault(answer[1:])
        if answer.startswith("?"):
            raise BadVariant(f"{answer[1:]} Run the same command again to continue.")
        return answer

    def close(self) -> None:
        """End the process."""
        self._child.close()


def changes(before: Files, after: Files) -> str:
    """Which files changed, in words; empty if none did. Files on one side only do not count: what
    a player reads may depend on its seed."""
    known = dict(before)
    found = [name for name, what in after if known.get(name, what) != what]
    return f"{', '.join(found)} changed" if found else ""


Key = tuple[tuple[str, ...], Files, str]
_idle: list[tuple[Key, Host]] = []
"""Processes that wait for another game, by their player, its files and the current folder; the
last used at the end."""
_lock = Lock()


@contextmanager
def hosted(place: tuple[str, ...], files: Files) -> Iterator[Host]:
    """A process for a player, for one game. Idle ones are used again: starting a process takes
    longer than playing many games."""
    key = place, files, os.getcwd()
    host = _idle_host(key) or Host(place, files)
    try:
        yield host
    except BaseException:
        host.close()
        raise
    _put_back(key, host)


def _idle_host(key: Key) -> Host | None:
    with _lock:
        for entry in reversed(_idle):
            if entry[0] == key and entry[1].usable:
                _idle.remove(entry)
                return entry[1]
    return None


def _put_back(key: Key, host: Host) -> None:
    with _lock:
        _idle.append((key, host))
        gone = [entry for entry in _idle if not entry[1].usable]
        gone += [entry for entry in _idle if entry not in gone][:-MAX_IDLE]
        for entry in gone:
            _idle.remove(entry)
    for _, spare in gone:
        spare.close()


@atexit.register
def _close_all() -> None:
    while _idle:
        _idle.pop()[1].close()
