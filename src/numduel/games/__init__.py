"""The games: one file each in this folder, or registered by another package through the
entry-point group ``numduel.games``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from numduel.core.errors import UnknownGame
from numduel.core.game import Game
from numduel.core.language import N_, _
from numduel.core.plugins import registered
from numduel.core.text import read_settings, similar


def game(name: str, /, **settings: object) -> Game:
    """A game by id or short name, in its default variant or with settings such as ``n=12``."""
    found = _by_name(name.strip().lower()) if isinstance(name, str) else None
    if found is None:
        known = [kind.name for kind in games()]
        meant = similar(str(name).strip().lower(), known)
        told = (
            N_("There is no game {name!r}; there are {known}. Did you mean {meant}?")
            if meant
            else N_("There is no game {name!r}; there are {known}.")
        )
        raise UnknownGame(_(told, name=str(name)[:40], known=", ".join(known), meant=meant))
    return found(**settings)


def offered(name: str, /, **settings: object) -> Game:
    """A game as people are offered it: on the page, in the app, in puzzles. Only here
    it may be another one than the rulebook's, which `game` gives."""
    kind = type(game(name))
    return kind(**(kind.offer.settings if kind.offer else {}) | settings)


def tested(name: str, /, **settings: object) -> Game:
    """A game as language models are tested with it, on the board of `benchmark`. If one of the
    settings of that board is given, the others are the rulebook's."""
    kind = type(game(name))
    usual = {} if kind.benchmark.keys() & settings.keys() else kind.benchmark
    return kind(**{**usual, **settings})


def variant(word: str, settings: Iterable[str] = (), named: Callable[..., Game] = game) -> Game:
    """The game that a word names: ``duel``, or ``line:n=12,k=5``; settings before its own are
    written ``n=12``. `named` is what a name and settings stand for, such as `tested`."""
    name, colon, own = word.partition(":")
    return named(name, **read_settings([*settings, *(own.split(",") if colon else ())]))


@cache
def games() -> tuple[type[Game], ...]:
    """Every game there is, in the order of menus."""
    return _in_order([*shipped(), *registered("numduel.games", Game, _names, _shipped_names)])


@cache
def shipped() -> tuple[type[Game], ...]:
    """The games of this package, in the order of menus: the same wherever it is installed."""
    return _in_order(_in_file(name) for name in sorted(_files()))


def _shipped_names() -> set[str]:
    return {name for kind in shipped() for name in _names(kind)}


def _names(kind: type[Game]) -> set[str]:
    return {kind.id, kind.name}


def _in_order(kinds: Iterable[type[Game]]) -> tuple[type[Game], ...]:
    return tuple(sorted(kinds, key=lambda kind: (kind.order, kind.name)))


def _by_name(name: str) -> type[Game] | None:
    if name in _files():
        return _in_file(name)
    return next((kind for kind in games() if name in (kind.id, kind.name)), None)


@cache
def _files() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(__path__))


def _in_file(name: str) -> type[Game]:
    module = import_module(f"{__name__}.{name}")
    return next(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == module.__name__
    )
