"""The games of a batch on a GPU: the same functions as on the processor, compiled by numba-cuda."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.cuda.cudadrv.driver import CudaAPIError
from numpy.typing import NDArray

from numduel.core.game import Game
from numduel.lab.batch import kernels
from numduel.lab.batch.kernels import Arrays, Body, bodies, unrolled
from numduel.lab.batch.ported import SIMULATED, Port, check_gpu, cuda, lowest

BLOCK = 128
"""Threads of a block, each with one game."""
OUT_OF_MEMORY = 2
"""CUDA's error code."""

_KERNELS: dict[Game, dict[str, Any]] = {}


class Cuda:
    """The device "cuda": arrays in the GPU's memory, and a thread for each game."""

    each = staticmethod(unrolled)

    def __init__(self, game: Game, count: int) -> None:
        check_gpu()
        self._game = game
        if game not in _KERNELS:
            self.learn(bodies(game, self.each))
        self._threads = max(1, min(BLOCK, count))
        self._blocks = max(1, -(-count // self._threads))

    def zeros(self, shape: tuple[int, ...], kind: Any) -> Any:
        """A new array in column order, so that neighbouring threads write side by side;
        `MemoryError` if it does not fit."""
        try:
            return cuda.to_device(np.zeros(shape, kind, order="F"))
        except CudaAPIError as error:
            if error.code != OUT_OF_MEMORY:
                raise
            raise MemoryError from None

    def shown(self, array: Any) -> DeviceArray:
        """An array as users get it."""
        return DeviceArray(array)

    def taken(self, array: Any) -> Any:
        """A user's array on the GPU; one that is there already is not copied."""
        if isinstance(array, DeviceArray):
            return array.data
        if hasattr(array, "__cuda_array_interface__"):
            return cuda.as_cuda_array(array)
        return cuda.to_device(np.asarray(array))

    def read(self, array: Any) -> NDArray[Any]:
        """The numbers of an array, as NumPy has them."""
        found: NDArray[Any] = array.copy_to_host()
        return found

    def write(self, array: Any, numbers: NDArray[Any]) -> None:
        """Put numbers into an array."""
        array.copy_to_device(numbers)

    def learn(self, more: dict[str, Body]) -> None:
        """Compile more bodies, by their names."""
        known = _KERNELS.setdefault(self._game, {})
        known |= {name: kernel(self._game, body) for name, body in more.items()}

    def run(self, name: str, games: Arrays, given: Any = 0, moves: int = 1) -> None:
        """Run a body for all games. This returns at once; reading an array waits for the GPU."""
        _KERNELS[self._game][name][self._blocks, self._threads](games, given)


class DeviceArray:
    """An array in the GPU's memory, which PyTorch, JAX and CuPy can use without a copy.

    ``torch.from_dlpack(array)``, ``jax.dlpack.from_dlpack(array)`` and ``cupy.from_dlpack(array)``
    are views of it: the next step shows in them.
    """

    def __init__(self, data: Any) -> None:
        self.data = data
        """The array as Numba knows it."""
        self.shape: tuple[int, ...] = tuple(data.shape)
        self.dtype: np.dtype[Any] = data.dtype

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = self.data.__cuda_array_interface__
        return found

    def __dlpack_device__(self) -> tuple[int, int]:
        found: tuple[int, int] = self._exported().__dlpack_device__()
        return found

    def __dlpack__(self, *, stream: Any = None, **options: Any) -> Any:
        cuda.synchronize()  # so that the numbers are there, whatever stream the reader uses
        return self._exported().__dlpack__(**options)

    def _exported(self) -> Any:
        if SIMULATED:
            return self.copy_to_host()
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView.from_cuda_array_interface(self, stream_ptr=-1)

    def copy_to_host(self) -> NDArray[Any]:
        """The numbers, in an array of NumPy."""
        found: NDArray[Any] = self.data.copy_to_host()
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.copy_to_host(), dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray({self.copy_to_host()!r})"


def kernel(game: Game, body: Body) -> Any:
    """A body, compiled for a GPU: one thread for each game."""
    known = INSTRUCTIONS | {kernels.some.py_func: _chooser(game)}
    if game.rules.edges is not None:
        known[game.rules.edges] = _tabulated(game.rules.edges, game)
    one = Port(known).function(body)

    @cuda.jit
    def kernel(games, given):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < games.a.shape[0]:
            one(games, i, given)

    return kernel


@cuda.jit(device=True)
def members(bits):  # type: ignore[no-untyped-def]
    """As `kernels.members`: one instruction of the GPU."""
    return cuda.popc(bits)


INSTRUCTIONS: dict[Any, Any] = {kernels.members.py_func: members, kernels.lowest.py_func: lowest}
"""Functions that a GPU has an instruction for."""


def _chooser(game: Game) -> Any:
    """As `kernels.some`, in the same few steps for every set: the threads of a GPU wait for the
    slowest of them."""
    word, half = (np.uint32, 16) if game.bounds.actions < 32 else (np.uint64, 32)
    below = Port({}).function(kernels.below)

    @cuda.jit(device=True)
    def some(bits, luck):  # type: ignore[no-untyped-def]
        rest = word(bits)
        skipped = below(luck, cuda.popc(rest))
        place, width = 0, half
        while width:
            lower = cuda.popc(word(rest & word((1 << width) - 1)))
            if skipped >= lower:
                skipped -= lower
                place += width
                rest = word(rest >> width)
            width >>= 1
        return place

    return some


def _tabulated(edges: Any, game: Game) -> Any:
    """The edges of every number, as a table: there are few, and a GPU reads faster than it
    divides."""
    found = [edges(number, game.variant) for number in range(1, game.bounds.actions + 1)]
    table = np.array([0, *found], np.int64)

    @cuda.jit(device=True)
    def known(number, _):  # type: ignore[no-untyped-def]
        return table[number]

    return known
