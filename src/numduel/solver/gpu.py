"""Whole games solved on a GPU: the tables of `claims` and `decks`, to the byte.

The processor sweeps from the last position to the first. A GPU takes many positions at once that do
not depend on each other: strings with equally many claims, decks with equally many cards.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from operator import mul
from typing import Any, NamedTuple
from warnings import catch_warnings, filterwarnings

import numpy as np
from numba.cuda import libdevice

from numduel.core.game import Game
from numduel.core.rules import Rules
from numduel.core.text import byte_size
from numduel.solver import claims, decks
from numduel.solver.hands import DONE, NONE, Hands, Layout, digits, full_deck
from numduel.solver.ported import SIMULATED, Port, check_gpu, cuda, lowest
from numduel.solver.values import SOLVING, Report, TooLarge, unreported

THREADS = 128
"""Threads of a block."""
MOST, MOST_ROWS = 1 << 27, 65_535
"""Threads of a grid, across and down; each takes several positions if there are more."""
OWN, OTHER, NUMBER, SWAPPED, CLAIMED, LAST = range(6)
"""The rows of a table of strings: both sets, the number, and that of the same string with the
owners exchanged; then how many places are claimed, and the owner of the lowest one."""
EXCHANGED = np.array([0, 2, 1])
LEAST = np.iinfo(np.int16).min
# A product that is added must be rounded first, as on a processor.
times: Any = mul if SIMULATED else libdevice.dmul_rn


def solve_claims(game: Game, report: Report = unreported) -> claims.Claims:
    """Find every value of a game of claims on the GPU."""
    return claims.Claims(game, claim_values(game, 2, report).copy_to_host())


def solve_decks(game: Game, found: Hands, at: Layout, report: Report = unreported) -> decks.Decks:
    """Find every value of a game with a deck on the GPU."""
    return decks.Decks(game, found, at, deck_values(game, found, at, report).copy_to_host())


def check_room(game: Game, size: int) -> None:
    """Raise `TooLarge` if the GPU has fewer bytes free."""
    free = free_memory()
    if size > free:
        raise TooLarge(
            f"{game} does not fit into the GPU: solving it takes {byte_size(size)} of its memory,"
            f" of which {byte_size(int(free))} is free."
        )


def free_memory() -> float:
    """Bytes of the GPU's memory that are free; the simulator's has no end."""
    context = cuda.current_context()
    if not SIMULATED:
        context.memory_manager.deallocations.clear()  # Numba frees what is not used only later.
    free: float = context.get_memory_info().free
    return free


def start(kernel: Any, across: int, down: int, *given: Any) -> None:
    """Start a kernel in so many threads, or a few more across. Numba need not warn that the first
    and the last layers, which are small, leave most of the GPU idle."""
    threads = min(THREADS, across)
    with catch_warnings():
        filterwarnings("ignore", "Grid size")
        ready = kernel[(-(-across // threads), down), (threads, 1)]
    ready(*given)


# -- claims ---------------------------------------------------------------------------------


class Part(NamedTuple):
    """Some neighbouring places of all strings, ordered by how many are claimed."""

    strings: Any
    """On the GPU: a column for each string, up to the row `CLAIMED`."""
    keys: Any
    """How many places are claimed, times 3, plus the owner of the lowest one."""

    def within(self, first: int, last: int) -> tuple[int, int]:
        """Where the strings with these keys begin and end."""
        begin, end = np.searchsorted(self.keys, [first, last + 1])
        return int(begin), int(end)


def claim_values(game: Game, rows: int = 1, report: Report = unreported) -> Any:
    """The values of all strings of a game of claims, on the GPU: in one row, or in the two of
    `Claims`, where the second has the same values for the other player."""
    check_gpu()
    n, total = game.bounds.actions, claims.strings(game.bounds.actions)
    check_room(game, rows * total * claims.kind(game)().itemsize)
    values = cuda.device_array((rows, total), claims.kind(game))
    sweep, middle = _claiming(game.rules), n // 2
    smaller = claims.smaller(game)
    # The player who has just claimed is the other one of the string that follows.
    rises = cuda.to_device(claims.rises_of(n)[1, :, :2, :2].astype(np.int64, order="C"))
    high = _part(range(n, middle, -1), 0, smaller)
    lows = [_part(range(middle, 0, -1), above, smaller) for above in range(3)]
    done = 0
    for many in range(n - middle, -1, -1):
        for few in range(middle, -1, -1):
            for above, low in enumerate(lows):
                begin, end = high.within(3 * many + above, 3 * many + above)
                first, last = low.within(3 * few, 3 * few + 2)
                if begin == end or first == last:
                    continue
                start(
                    sweep, last - first, min(end - begin, MOST_ROWS), game.variant,
                    high.strings, begin, end, low.strings, first, last, rises, values,
                )  # fmt: skip
                done += (end - begin) * (last - first)
        cuda.synchronize()
        report(SOLVING, done, total)
    return values


def _part(places: range, above: int, smaller: Any) -> Part:
    """All strings of some places, from the highest to the lowest, below an owner."""
    found = np.array([[0], [0], [0], [0], [0], [above]], np.int64)
    for place in places:
        grown = []
        for here in range(3):
            more = found[:, (found[LAST] != here) | (here == 0)]
            more[NUMBER] += smaller[place, more[LAST], here]
            more[SWAPPED] += smaller[place, EXCHANGED[more[LAST]], EXCHANGED[here]]
            if here:
                more[here - 1] |= 1 << place
                more[CLAIMED] += 1
            more[LAST] = here
            grown.append(more)
        found = np.concatenate(grown, axis=1)
    keys = 3 * found[CLAIMED] + found[LAST]
    order = np.argsort(keys, kind="stable")
    return Part(cuda.to_device(np.ascontiguousarray(found[:CLAIMED, order])), keys[order])


@cache
def _claiming(rules: Rules) -> Any:
    """The kernel for strings that are made of a higher and a lower part."""
    port = Port({})
    legal, play, result = map(port.function, (rules.legal, rules.play, rules.result))
    margin = port.function(rules.margin)

    @cuda.jit
    def sweep(v, high, begin, end, low, first, last, rises, values):  # type: ignore[no-untyped-def]
        x, y = cuda.grid(2)
        _, down = cuda.gridsize(2)
        if first + x >= last:
            return
        below = first + x
        for above in range(begin + y, end, down):
            own = high[OWN, above] | low[OWN, below]
            other = high[OTHER, above] | low[OTHER, below]
            number = high[NUMBER, above] + low[NUMBER, below]
            swapped = high[SWAPPED, above] + low[SWAPPED, below]
            moves = legal(own, other, v)
            if moves == 0:
                score = margin(own, other, v) + result(own, other, v)
            else:
                # After a pass the score is the opponent's, with the other sign.
                passed = moves == 1
                after = swapped
                if passed:
                    own, other = play(own, other, 0, v)
                    after = number
                    moves = legal(own, other, v)
                score = LEAST
                while moves:
                    move = lowest(moves)
                    moves &= moves - 1
                    rise = rises[move, other >> move + 1 & 1, other >> move - 1 & 1]
                    score = max(score, -np.int64(values[0, after + rise]))
                if passed:
                    score = -score
            values[0, number] = score
            if values.shape[0] > 1:
                values[1, swapped] = score

    return sweep


# -- decks ----------------------------------------------------------------------------------


def deck_values(game: Game, found: Hands, at: Layout, report: Report = unreported) -> Any:
    """The values of all positions of a game with a deck, on the GPU."""
    check_gpu()
    copies = full_deck(game)
    left = digits(copies).sum(axis=1)
    order = np.argsort(left, kind="stable")
    known = (
        order, copies, found.follows, found.results, at.starts, at.rows, at.columns, at.widths
    )  # fmt: skip
    check_room(game, 8 * at.total + sum(array.nbytes for array in known))
    given = [cuda.to_device(np.ascontiguousarray(array)) for array in known]
    values = cuda.device_array(at.total, np.float64)
    ends = np.cumsum(np.bincount(left)).tolist()
    sizes = np.diff(at.starts, append=at.total)[order]
    for begin, end in pairwise([0, *ends]):
        pairs = (end - begin) * len(found.results) ** 2
        start(_expect, min(pairs, MOST), 1, begin, end, *given, values)
        cuda.synchronize()
        report(SOLVING, int(sizes[:end].sum()), at.total)
    return values


@cuda.jit
def _expect(  # type: ignore[no-untyped-def]
    begin, end, order, copies, follows, results, starts, rows, columns, widths, values
):
    """Find the values of decks with equally many cards, a thread for each pair of hands: the same
    sums in the same order as in `decks.solve`."""
    hands = results.shape[0]
    for i in range(cuda.grid(1), (end - begin) * hands * hands, cuda.gridsize(1)):
        own, other = i % hands, i // hands % hands
        deck = order[begin + i // hands // hands]
        row, column = np.int64(rows[deck, own]), np.int64(columns[deck, other])
        if row < 0 or column < 0:
            continue
        leaves, left = 0.0, 0
        for correcting in range(2):
            left, place = 0, 1
            for card in range(copies.shape[0]):
                count = deck // place % (copies[card] + 1)
                if count:
                    left += count
                    under = deck - place
                    line = starts[under] + np.int64(rows[under, other]) * widths[under]
                    way = follows[own, card, 0]
                    plain = values[line + (np.int64(columns[under, way]) if way != NONE else 0)]
                    if correcting:
                        least = plain
                        for option in range(1, follows.shape[2]):
                            way = follows[own, card, option]
                            if way >= 0:
                                least = min(least, values[line + columns[under, way]])
                            elif way == DONE:
                                least = 0.0
                        leaves -= times(np.float64(count), plain - least)
                    else:
                        leaves += times(np.float64(count), plain)
                place *= copies[card] + 1
        chance = 1.0 if results[own, other] > 0 else 0.0
        if left:
            chance = 1.0 - leaves / left
        values[starts[deck] + row * widths[deck] + column] = chance
