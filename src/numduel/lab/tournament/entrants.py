"""Who can take part in a tournament, and how each is asked for a move.

A player is written ``random``, ``easy``, ``medium``, ``hard``, ``perfect``; ``search`` or
``search:500``, which plays out so many games before each move; or
``python:package.module:attribute``, a class or function that makes a player with `choose`, which
may take a seed, or the player itself. ``name=`` in front gives it another name.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from operator import index
from typing import Any, NamedTuple

from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.core.text import BLANKS, MAX_DIGITS, MAX_NAME, printable, similar
from numduel.play.players import COMPUTERS, Player, player

MAX_MOVE = 60
"""Characters of an answer that are passed on; no move is as long."""


class Fault(Exception):
    """A player did not answer with a legal move; the text is a sentence that says what it did."""


class Entrant(NamedTuple):
    """A player in a tournament: its name, and how it was written on the command line."""

    name: str
    spec: str


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


def entrant(text: str) -> Entrant:
    """The player that was typed."""
    name, equals, spec = text.partition("=")
    if not equals:
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
    else:
        meant = similar(spec.lower(), (*COMPUTERS, "search"))
        raise BadVariant(
            f"There is no player {printable(spec, 40)!r}; there are {', '.join(COMPUTERS)}, search"
            " and python:package.module:attribute." + (f" Did you mean {meant}?" if meant else "")
        )


def seated(entrant: Entrant, seed: int) -> Player:
    """A player for one game. Its `choose` raises `Fault` if it gives no answer."""
    kind, _, place = entrant.spec.partition(":")
    if kind == "python":
        return Foreign(place, seed)
    found = player(entrant.spec, seed)
    if found is None:
        raise BadVariant("A person cannot take part in a tournament.")
    return found


def check(entrant: Entrant) -> None:
    """Raise `BadVariant` if a player cannot be created."""
    try:
        if isinstance(found := seated(entrant, 0), Foreign):
            found.create()
    except Fault as fault:
        raise BadVariant(f"{entrant.name} cannot take part: {fault}") from None


class Foreign:
    """Somebody else's player in Python, for one game."""

    def __init__(self, place: str, seed: int) -> None:
        self._place = place
        self._seed = seed
        self._player: Any = None

    def choose(self, state: State) -> Move:
        """Its answer. It is created by the first question, so that an error then is a fault of the
        game."""
        if self._player is None:
            self.create()
        try:
            return _as_move(self._player.choose(state))
        except (Exception, SystemExit) as error:
            raise _raised(error) from None

    def create(self) -> None:
        """Import and create it. The shared random generators are seeded, too, as it may use
        them."""
        found = _imported(self._place)
        random.seed(self._seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(self._seed)
        try:
            self._player = _created(found, self._seed)
        except (Exception, SystemExit) as error:
            raise _raised(error) from None


def _imported(place: str) -> Any:
    """What a name such as ``package.module:attribute`` stands for; the current folder is searched,
    too."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    module, _, attribute = place.rpartition(":")
    try:
        found = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        said = printable(f"{type(error).__name__}: {error}", 200)
        raise Fault(f"It cannot be imported: {said}.") from None
    if not callable(getattr(found, "choose", None)) and not callable(found):
        raise Fault("It has no choose(state), and cannot be called to create a player.")
    return found


def _created(found: Any, seed: int) -> object:
    """The player: the object itself, or what a class or function returns, which may take a seed."""
    if not callable(found) or (not isinstance(found, type) and hasattr(found, "choose")):
        return found
    try:
        signature(found).bind(seed)
    except (TypeError, ValueError):
        return found()
    return found(seed)


def _as_move(answer: Any) -> Move:
    if isinstance(answer, str):
        return printable(answer.strip(BLANKS), MAX_MOVE)
    # Trained players answer with integers of NumPy.
    if isinstance(answer, bool) or abs(number := index(answer)) >= 10**MAX_DIGITS:
        raise Fault("It answered with something that is not a move.")
    return number


def _raised(error: BaseException) -> Fault:
    if isinstance(error, Fault):
        return error
    return Fault(f"It raised {printable(f'{type(error).__name__}: {error}', 200)}.")
