"""The rules of a game, compiled by Numba: the same functions, never a second copy.

A kernel is a compiled function that calls the rules. Compiled code is cached on disk, in a folder
for each game, under a name that is a digest of everything it depends on: the sources of the rules
and of the solver, the types, the processor, the versions. A file that is missing, damaged or of
another version, or a folder that cannot be written, only means that the kernel is compiled again.
"""

from __future__ import annotations

import marshal
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
from numba import njit
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps as _dumps
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.files import cache_folder, replace

dumps: Any = _dumps
LIBRARIES = ("numba", "numpy")
"""Packages whose functions Numba can already call."""


# -- what rules are made of -----------------------------------------------------------------


def functions(kind: type[Game]) -> tuple[FunctionType, ...]:
    """Every function that the rules of a game call, directly or not, wherever it is defined."""
    declared = [*kind.rules, *kind.observation, *(kind.chance if kind.has_deck else ())]
    found: dict[FunctionType, None] = {}
    waiting = [value for value in declared if isinstance(value, FunctionType)]
    while waiting:
        function = waiting.pop()
        if function not in found:
            found[function] = None
            waiting += _called(function)
    return tuple(found)


def _called(function: FunctionType) -> Iterator[FunctionType]:
    """The plain Python functions that a function refers to."""
    names = set(_names(function.__code__))
    values = [function.__globals__.get(name) for name in names]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    for value in list(values):
        if isinstance(value, ModuleType):
            values += [getattr(value, name, None) for name in names]
    for value in values:
        plain = getattr(value, "py_func", value)  # of a function that is compiled already
        if isinstance(plain, FunctionType) and plain.__module__.split(".")[0] not in LIBRARIES:
            yield plain


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


_REGISTERED: set[FunctionType] = set()
_STAMPS: dict[type[Game] | None, str] = {}


def register(kind: type[Game]) -> None:
    """Let compiled code call the rules of a game."""
    for function in functions(kind):
        if function not in _REGISTERED:
            _REGISTERED.add(function)
            register_jitable(function)


def stamp(kind: type[Game] | None) -> str:
    """A digest of everything that the values of a game depend on: the files in which its rules
    are, and the solver. Without a game, of the solver alone."""
    if kind not in _STAMPS:
        files = set(Path(__file__).parent.glob("*.py"))
        rules = functions(kind) if kind is not None else ()
        for name in {function.__module__ for function in rules}:
            file = getattr(sys.modules.get(name), "__file__", None)
            files |= {Path(file)} if file else set()
        # Rules that were typed at a prompt are in no file: their bytecode identifies them.
        typed = sorted(marshal.dumps(function.__code__) for function in rules)
        parts = [_digest(*sorted(files)).encode(), *typed]
        _STAMPS[kind] = sha256(b"".join(parts)).hexdigest()[:24]
    return _STAMPS[kind]


def _digest(*files: Path) -> str:
    found = sha256()
    for file in files:
        found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:24]


# -- kernels --------------------------------------------------------------------------------

_KERNELS: dict[tuple[str, type[Game]], Any] = {}


def kernel(name: str, kind: type[Game], make: Callable[[type[Game]], Any]) -> Any:
    """The named kernel of a game, made once per process. `make` returns a Python function that
    closes over the rules."""
    if (name, kind) not in _KERNELS:
        register(kind)
        _KERNELS[name, kind] = compiled(make(kind), kind)
    return _KERNELS[name, kind]


def compiled(
    function: Callable[..., Any], kind: type[Game] | None, *, key: object = "", nogil: bool = False
) -> Any:
    """A function compiled when it is first called, and kept on disk for the game that it belongs
    to. `key` names what else it closes over, such as a variant."""
    found: Any = njit(nogil=nogil)(function)
    found._cache = _Kept(function, kind, str(key))
    return found


def shared(function: Callable[..., Any]) -> Any:
    """Compile a function that calls no rule: it serves all games."""
    return compiled(function, None)


class _Kept(NullCache):
    """The disk cache of one kernel: a file for each signature that Numba asks for."""

    def __init__(self, function: Any, kind: type[Game] | None, key: str) -> None:
        self._function = function
        self._kind = kind
        self._key = key

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code compiled for these types before, if it is cached and intact."""
        try:
            target_context.refresh()
            data = self._file(sig, target_context.codegen()).read_bytes()
            digest, payload = data[:32], data[32:]
            if sha256(payload).digest() != digest:
                return None
            # Machine code, in the only form that Numba offers: whoever can write to
            # this folder can run programs as this user anyway.
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
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace(file, [sha256(payload).digest(), payload])
            self._sweep(file.parent)

    def _file(self, sig: Any, codegen: Any) -> Path:
        name = self._function.__qualname__.rpartition(".")[2]
        depends = (
            self._key, self._function.__module__, self._function.__code__.co_firstlineno, sig,
            codegen.magic_tuple(), numba.__version__, sys.version,
        )  # fmt: skip
        digest = sha256(repr(depends).encode()).hexdigest()[:24]
        return self._folder() / f"{name}.{self._stamp()}.{digest}.kernel"

    def _folder(self) -> Path:
        owner = f"{self._kind.__module__}.{self._kind.__name__}" if self._kind else "shared"
        return cache_folder() / "kernels" / owner

    def _stamp(self) -> str:
        own = _digest(Path(self._function.__code__.co_filename))
        return sha256(f"{stamp(self._kind)} {own}".encode()).hexdigest()[:24]

    def _sweep(self, folder: Path) -> None:
        """Remove files of this kernel that older sources made."""
        name = self._function.__qualname__.rpartition(".")[2]
        for file in folder.glob(f"{name}.*.kernel"):
            if file.name.split(".")[1] != self._stamp():
                file.unlink(missing_ok=True)
