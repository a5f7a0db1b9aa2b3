"""The rules of a game, compiled by Numba: the same functions, never a second copy.

A kernel is a compiled function that calls the rules. Its machine code is cached on disk, in a
folder for each game, under a digest of everything that Numba compiles into it: the code of every
function it reaches, the constants and closures these refer to, the types, the processor and the
versions. A file that is missing, damaged or of another version, or a folder that cannot be written
or that others can write, only means that the kernel is compiled again.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import njit
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps as _dumps
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.files import cache_folder, is_private, make_private, remove_abandoned, replace
from numduel.solver.notices import Notice, tell

dumps: Any = _dumps
LIBRARIES = ("numba", "numpy")
"""Packages whose functions Numba can already call."""
OPTIONS: dict[str, Any] = {"nogil": True}
"""How kernels are compiled."""


# -- what a function depends on -------------------------------------------------------------


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
    names = sorted(set(_names(function.__code__)))
    closure = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found = [(name, cell.cell_contents) for name, cell in closure]
    found += [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    for name, value in found:
        if not isinstance(value, ModuleType):
            library = getattr(value, "__module__", None) or ""
            if library.split(".")[0] not in LIBRARIES:
                yield name, value
        elif value.__name__.split(".")[0] not in LIBRARIES:
            yield from ((f"{name}.{part}", getattr(value, part, None)) for part in names)
    yield "defaults", function.__defaults__


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def digest(*roots: FunctionType) -> str:
    """A digest of some functions as they are in this process: the code of everything reachable, and
    every constant that it refers to. Files may have changed since; Numba compiles what is here."""
    found = sha256()
    for function in sorted(reachable(*roots), key=lambda one: (one.__module__, one.__qualname__)):
        parts = [function.__module__, function.__qualname__, _code(function.__code__)]
        parts += [f"{name}={_constant(value)}" for name, value in _references(function)]
        found.update("\0".join(parts).encode())
    return found.hexdigest()[:24]


def _code(code: CodeType) -> str:
    """The code of a function as text; where it stands in its file makes no difference."""
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


_REGISTERED: set[FunctionType] = set()


def register(kind: type[Game]) -> None:
    """Let compiled code call the rules of a game."""
    for function in functions(kind):
        if function not in _REGISTERED:
            _REGISTERED.add(function)
            register_jitable(function)


def _sources() -> str:
    found = sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:24]


_SOLVER = _sources()
"""The sources of the solver when this process loaded them."""


def stamp(kind: type[Game]) -> str:
    """A digest of everything that the values of a game depend on: its rules and the solver."""
    roots = (function for function in kind.rules if isinstance(function, FunctionType))
    deck = (function for function in kind.chance) if kind.has_deck else ()
    facts = (_SOLVER, digest(*roots, *deck), kind.rules.apart, kind.Variant._fields)
    return sha256(repr(facts).encode()).hexdigest()[:24]


# -- kernels --------------------------------------------------------------------------------

_KERNELS: dict[tuple[str, type[Game]], Any] = {}


def kernel(name: str, kind: type[Game], make: Callable[[type[Game]], Any]) -> Any:
    """The named kernel of a game, made once per process. `make` returns a Python function that
    closes over the rules."""
    if (name, kind) not in _KERNELS:
        register(kind)
        _KERNELS[name, kind] = compiled(make(kind), kind)
    return _KERNELS[name, kind]


def compiled(function: Callable[..., Any], kind: type[Game] | None, *, key: object = "") -> Any:
    """A function compiled when it is first called, and cached on disk for the game that it belongs
    to. `key` tells kernels apart that are made by the same code, for instance by their variant.

    Other threads go on while it runs: a screen that waits for a value does not freeze.
    """
    found: Any = njit(**OPTIONS)(function)
    found._cache = _KernelCache(function, kind, str(key))
    return found


def shared(function: Callable[..., Any]) -> Any:
    """Compile a function that calls no rule: it serves all games."""
    return compiled(function, None)


class _KernelCache(NullCache):
    """The compiled forms of one kernel, a file each. Numba asks for them by their types."""

    def __init__(self, function: Any, kind: type[Game] | None, key: str) -> None:
        self._function = function
        owner = f"{kind.__module__}.{kind.__name__}" if kind else "shared"
        self._folder = cache_folder() / "kernels" / owner
        name = function.__qualname__.rpartition(".")[2]
        origin = f"{function.__module__} {function.__qualname__} {key}"
        self._prefix = f"{name}-{sha256(origin.encode()).hexdigest()[:8]}"

    @cached_property
    def _digest(self) -> str:
        return sha256(f"{OPTIONS} {digest(self._function)}".encode()).hexdigest()[:24]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code compiled for these types before, if it is cached and intact."""
        found = self._load(sig, target_context)
        if found is None:
            tell(Notice.COMPILING)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        if not is_private(self._folder):
            return None
        try:
            target_context.refresh()
            data = self._file(sig, target_context.codegen()).read_bytes()
            checksum, payload = data[:32], data[32:]
            if sha256(payload).digest() != checksum:
                return None
            # Machine code, in the only form that Numba offers; nobody else can write it.
            rebuild: Any = CompileResult._rebuild
            return rebuild(target_context, *pickle.loads(payload))  # noqa: S301
        except Exception:  # Whatever is wrong, it can be compiled again.
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache what was compiled; if that fails, only this process has it."""
        if data.lifted or data.library.has_dynamic_globals:
            return
        with suppress(Exception):
            file = self._file(sig, data.codegen)
            payload: bytes = dumps(data._reduce())
            make_private(file.parent)
            replace(file, [sha256(payload).digest(), payload])
            self._remove_old_versions()
            remove_abandoned(file.parent)

    def _file(self, sig: Any, codegen: Any) -> Path:
        types = sig, codegen.magic_tuple(), numba.__version__, sys.version
        form = sha256(repr(types).encode()).hexdigest()[:24]
        return self._folder / f"{self._prefix}.{self._digest}.{form}.kernel"

    def _remove_old_versions(self) -> None:
        for file in self._folder.glob(f"{self._prefix}.*.kernel"):
            if file.name.split(".")[1] != self._digest:
                file.unlink(missing_ok=True)
