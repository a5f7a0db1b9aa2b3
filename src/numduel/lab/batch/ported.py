"""The rules of a game for a GPU, compiled by numba-cuda: the same functions, never a second copy.

With ``NUMBA_ENABLE_CUDASIM=1`` in the environment Numba's simulator takes the place of the GPU.
"""

from __future__ import annotations

from types import CellType, FunctionType, ModuleType
from typing import Any

import numba.cuda
import numpy as np

from numduel.core.errors import BadVariant
from numduel.solver.digests import LIBRARIES, names

cuda: Any = numba.cuda
SIMULATED = bool(vars(numba.config)["ENABLE_CUDASIM"])


def check_gpu() -> None:
    """Raise `BadVariant` if there is no GPU, not even a simulated one."""
    if not SIMULATED and not cuda.is_available():
        raise BadVariant(
            "device='cuda' needs an NVIDIA GPU with its driver, and numba-cuda (the extra 'cuda'):"
            " there is none here."
        )


@cuda.jit(device=True)
def lowest(bits):  # type: ignore[no-untyped-def]
    """The lowest member of a bit set: one instruction of the GPU."""
    return np.int64(cuda.ffs(bits) - 1)


class Port:
    """Copies of functions for a GPU, with the same code; every function that they refer to is
    replaced by its own port."""

    def __init__(self, known: dict[Any, Any]) -> None:
        """`known` are ports that are given, each by the function that it replaces."""
        self._ported = dict(known)

    def function(self, function: Any) -> Any:
        """A function that GPU code can call."""
        function = getattr(function, "py_func", function)
        if function not in self._ported:
            code, closure = function.__code__, function.__closure__ or ()
            known = dict(function.__globals__)
            cells = tuple(CellType() for _ in closure)
            copy = FunctionType(code, known, function.__name__, function.__defaults__, cells)
            self._ported[function] = copy if SIMULATED else cuda.jit(device=True)(copy)
            for cell, original in zip(cells, closure, strict=True):
                cell.cell_contents = self._value(original.cell_contents, code)
            for name in set(names(code)) & known.keys():
                known[name] = self._value(known[name], code)
        return self._ported[function]

    def _value(self, value: Any, code: Any) -> Any:
        """What the port refers to in place of a value."""
        home = value if isinstance(value, ModuleType) else None
        origin = home.__name__ if home else getattr(value, "__module__", None) or ""
        if origin.split(".")[0] in LIBRARIES:
            return value
        if home is not None:
            module = ModuleType(home.__name__)
            parts = {name: getattr(home, name) for name in names(code) if hasattr(home, name)}
            vars(module).update({name: self._value(part, code) for name, part in parts.items()})
            return module
        is_function = isinstance(getattr(value, "py_func", value), FunctionType)
        return self.function(value) if is_function else value
