"""What functions depend on, as a digest, so that nothing made by other rules is ever used. This
needs no compiler, which takes a while to load."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from numduel.core.game import Game

LIBRARIES = ("numba", "numpy")
"""Packages whose functions Numba can already call."""


def functions(kind: type[Game]) -> tuple[FunctionType, ...]:
    """Every function that the rules of a game call, directly or not, wherever it is defined."""
    declared = [*kind.rules, *kind.observation, *(kind.chance if kind.has_deck else ())]
    return reachable(*(value for value in declared if isinstance(value, FunctionType)))


def reachable(*roots: FunctionType) -> tuple[FunctionType, ...]:
    """Some functions and all plain Python functions that they refer to, directly or not."""
    found: dict[FunctionType, None] = {}
    waiting = list(roots)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found[function] = None
            values = (getattr(value, "py_func", value) for _, value in _references(function))
            waiting += [value for value in values if isinstance(value, FunctionType)]
    return tuple(found)


def _references(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The names that a function refers to outside of itself, and their values."""
    called = sorted(set(names(function.__code__)))
    closure = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found = [(name, cell.cell_contents) for name, cell in closure]
    found += [(name, function.__globals__[name]) for name in called if name in function.__globals__]
    for name, value in found:
        if not isinstance(value, ModuleType):
            library = getattr(value, "__module__", None) or ""
            if library.split(".")[0] not in LIBRARIES:
                yield name, value
        elif value.__name__.split(".")[0] not in LIBRARIES:
            yield from ((f"{name}.{part}", getattr(value, part, None)) for part in called)
    yield "defaults", function.__defaults__


def names(code: CodeType) -> Iterator[str]:
    """The names of globals and attributes in the code of a function."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names(constant)


def digest(*roots: FunctionType) -> str:
    """A digest of some functions as they are in this process: the code of everything reachable, and
    every constant it refers to. Not of their files, which may have changed since."""
    found = sha256()
    for function in sorted(reachable(*roots), key=lambda one: (one.__module__, one.__qualname__)):
        parts = [function.__module__, function.__qualname__, _code(function.__code__)]
        parts += [f"{name}={_constant(value)}" for name, value in _references(function)]
        found.update("\0".join(parts).encode())
    return found.hexdigest()[:24]


def _code(code: CodeType) -> str:
    """The code of a function as text, wherever it is in its file."""
    constants = [_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars))


def _constant(value: Any) -> str:
    """A value that compiled code may contain, as text; functions are digested on their own."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", ())
        return f"{type(value).__name__}{fields}({', '.join(map(_constant, value))})"
    if isinstance(value, bool | int | float | complex | str | bytes | np.generic | None):
        return repr(value)
    return getattr(value, "__qualname__", type(value).__name__)


def _sources() -> str:
    found = sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:24]


_SOLVER = _sources()
"""The solver's sources when this process loaded them."""


def stamp(kind: type[Game]) -> str:
    """A digest of everything that the values of a game depend on: its rules and the solver."""
    roots = (function for function in kind.rules if isinstance(function, FunctionType))
    deck = (function for function in kind.chance) if kind.has_deck else ()
    facts = (_SOLVER, digest(*roots, *deck), kind.Variant._fields)
    return sha256(repr(facts).encode()).hexdigest()[:24]
