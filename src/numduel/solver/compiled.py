"""The rules of a game, compiled by Numba: the same functions, never a second copy.

A kernel is a compiled function that calls the rules. Its machine code is cached on disk, in a
folder for each game, under a digest of everything that Numba compiles into it: the code of every
function it reaches, the constants and closures these refer to, the types, the processor and the
versions. If a file is missing, damaged or out of date, or others can write to its folder, the
kernel is just compiled again. Of several processes that need the same kernel, one compiles it and
the others wait for its file.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numba
from numba import njit
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps as _dumps
from numba.extending import register_jitable

from numduel.core.game import Game
from numduel.files import (
    cache_folder,
    is_private,
    lock,
    make_private,
    remove_abandoned,
    replace,
    unlock,
)
from numduel.solver.digests import digest, functions, reachable
from numduel.solver.notices import Notice, tell

if TYPE_CHECKING:
    from filelock import BaseFileLock

dumps: Any = _dumps
OPTIONS: dict[str, Any] = {"nogil": True}
"""How kernels are compiled."""
LEAN: dict[str, Any] = {"_nrt": False}
"""How kernels that make no arrays are compiled: without counting references to the given ones."""
COMPILING_TIMEOUT = 30.0
"""Seconds to wait for a kernel that another process compiles, which may have been stopped. No other
thread of this process compiles meanwhile."""
_REGISTERED: set[FunctionType] = set()


def register(kind: type[Game], *more: Any) -> None:
    """Let compiled code call the rules of a game, and further functions with all that they call."""
    for function in (*functions(kind), *reachable(*more)):
        if function not in _REGISTERED:
            _REGISTERED.add(function)
            register_jitable(function)


# -- kernels --------------------------------------------------------------------------------

_KERNELS: dict[tuple[str, type[Game]], Any] = {}


def kernel(name: str, kind: type[Game], make: Callable[[type[Game]], Any]) -> Any:
    """The named kernel of a game, made once per process; `make` returns the Python function, which
    closes over the rules."""
    if (name, kind) not in _KERNELS:
        register(kind)
        _KERNELS[name, kind] = compiled(make(kind), kind, key=name)
    return _KERNELS[name, kind]


def compiled(
    function: Callable[..., Any], kind: type[Game] | None, *, key: object = "", **more: Any
) -> Any:
    """A function that is compiled when it is first called, and cached on disk for its game. `key`
    tells apart kernels that are made by the same code, for instance by their variant; `more` are
    further options for Numba.

    Other threads go on while it runs: a screen that waits for a value does not freeze.
    """
    options = OPTIONS | more
    found: Any = njit(**options)(function)
    found._cache = _KernelCache(function, kind, str(key), options)
    return found


def shared(function: Callable[..., Any]) -> Any:
    """Compile a function that calls no rule: it serves all games."""
    return compiled(function, None)


_RESERVED: dict[Path, BaseFileLock | None] = {}
"""The files that this process is about to write, each with its lock, or None if it has waited for
another process in vain. If compiling fails, the lock is released when the process ends."""


def _reserve(file: Path) -> None:
    """Lock a file until this process has written it; wait for another process once at most."""
    if file not in _RESERVED:
        _RESERVED[file] = None
        _RESERVED[file] = lock(file, COMPILING_TIMEOUT)


def _release(file: Path) -> None:
    if (found := _RESERVED.pop(file, None)) is not None:
        unlock(found)


class _KernelCache(NullCache):
    """The compiled forms of one kernel, a file each. Numba asks for them by their types."""

    def __init__(
        self, function: Any, kind: type[Game] | None, key: str, options: dict[str, Any]
    ) -> None:
        self._function = function
        self._options = options
        self._owner = f"{kind.__module__}.{kind.__name__}" if kind else "shared"
        name = function.__qualname__.rpartition(".")[2]
        origin = f"{function.__module__} {function.__qualname__} {key}"
        self._prefix = f"{name}-{sha256(origin.encode()).hexdigest()[:8]}"

    @cached_property
    def _folder(self) -> Path:
        return cache_folder() / "kernels" / self._owner

    @cached_property
    def _digest(self) -> str:
        return sha256(f"{self._options} {digest(self._function)}".encode()).hexdigest()[:24]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code compiled for these types, if it is cached and intact; waits for another process
        that is compiling it."""
        found = self._load(sig, target_context)
        if found is None:
            tell(Notice.COMPILING)
            with suppress(Exception):  # No folder, or too long a wait: then it is compiled here.
                file = self._file(sig, target_context.codegen())
                make_private(file.parent)
                _reserve(file)
                found = self._load(sig, target_context)
                if found is not None:
                    _release(file)
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
        """Cache compiled code; if that fails, only this process has it."""
        with suppress(Exception):
            file = self._file(sig, data.codegen)
            try:
                if not data.lifted and not data.library.has_dynamic_globals:
                    self._write(file, data)
            finally:
                _release(file)

    def _write(self, file: Path, data: Any) -> None:
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
        for file in self._folder.glob(f"*{self._prefix}.*.kernel*"):
            if f"{self._prefix}.{self._digest}." not in file.name:
                file.unlink(missing_ok=True)
