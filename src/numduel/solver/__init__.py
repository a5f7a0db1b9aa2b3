"""Exact values of positions and moves, compiled from the rules of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import import_module
from typing import Any, NamedTuple, Protocol, cast

from numduel.core.game import Game, numbers
from numduel.core.state import Move, Position, State
from numduel.solver.notices import Notice, tell
from numduel.solver.values import (
    SEARCH_LIMIT,
    Lookup,
    Option,
    Report,
    TooLarge,
    Value,
    options,
    unreported,
)
from numduel.system import physical_memory

__all__ = [
    "Option", "Plan", "TooLarge", "Value", "analyse", "evaluate", "limited", "line",
    "memory", "plan", "ready", "solution", "solve",
]  # fmt: skip


SEARCHED, TABLED = 36, 28
"""Geography up to these sizes is searched for distances, and solved as a whole; beyond, matchings
find who wins."""


class Solver(Protocol):
    """Anything that can evaluate positions."""

    nodes_left: int
    """Nodes that a search may still visit; a table visits none."""

    def value(self, position: Position) -> Value:
        """The value of a position for the player to move."""
        ...


class Solution(Solver, Protocol):
    """The values of every position of a game."""

    values: Any

    def lookup(self) -> Lookup:
        """How compiled code reads the values."""
        ...


class Plan(NamedTuple):
    """How a game would be solved as a whole."""

    size: int
    """Bytes that the values take; 0 if only solving can tell."""
    positions: int
    """Positions that the values are of; 0 if only solving can tell."""
    kind: Any
    """The NumPy type of a value."""
    shape: tuple[int, ...] | None
    made: Callable[[Any], Solution]
    """The solver for values that are computed already."""
    solved: Callable[[int, Report], Any]
    """Solve within a limit in bytes, reporting positions; the solver has the `values`."""


_SOLVERS: dict[Game, Solver] = {}
_limit: ContextVar[int | None] = ContextVar("limit", default=None)
"""Bytes that a table may take where it is `limited`."""


def analyse(state: State) -> tuple[Option, ...]:
    """Every legal move and its value for the player to move, best first.

    Nothing is legal in a finished game, nor before a due card is drawn. Where a board is too large,
    the values are estimates and say so: `Option.exact`.
    """
    game = state.game
    return options([(game.moves(1 << code, state)[0], value) for code, value in _valued(state)])


def evaluate(state: State) -> Value:
    """The value of a state for the player to move; before a draw, the expectation."""
    if state.winner is not None:
        return Value(1.0 if state.winner == state.to_move else 0.0, plies=0)
    found = analyse(state)
    if found:
        return found[0].value
    try:
        return _solver(state.game).value(state.position)
    except TooLarge:
        from numduel.solver.mcts import MonteCarlo

        return MonteCarlo(state.game).value(state.position)


def line(state: State) -> tuple[Move, ...]:
    """The principal variation, by first best moves, up to the first draw or estimate."""
    moves: list[Move] = []
    while state.mask:
        best = analyse(state)[0]
        moves.append(best.move)
        if state.game.has_deck or not best.exact:
            break
        state = state.play(best.move)
    return tuple(moves)


def memory() -> int:
    """A quarter of this machine's memory, in bytes: what solving may use unless told otherwise."""
    return (physical_memory() or 8 << 30) // 4


@contextmanager
def limited(size: int) -> Iterator[None]:
    """While the body runs, strangers choose the variants, as on a server: a table takes at most so
    many bytes unless told otherwise, and only those of default variants are kept on disk."""
    before = _limit.set(size)
    try:
        yield
    finally:
        _limit.reset(before)


def ready(game: Game) -> bool:
    """Whether a game can be analysed at once, without solving or compiling it first."""
    return game in _SOLVERS


def plan(game: Game) -> Plan:
    """How a game would be solved as a whole; `TooLarge` if it cannot be."""
    import numpy as np

    if game.rules.edges is not None and game.bounds.actions > TABLED:
        raise TooLarge
    if game.has_deck:
        from numduel.solver import decks, hands

        found = hands.hands(game)
        at = hands.layout(game, found)
        return Plan(
            8 * at.total,
            at.total,
            np.float64,
            (at.total,),
            lambda values: decks.Decks(game, found, at, values),
            lambda _, report: decks.solve(game, found, at, report),
        )
    if game.apart:
        from numduel.solver import claims

        n = game.bounds.actions
        return Plan(
            claims.size(game),
            claims.strings(n),
            claims.kind(game),
            (2, claims.strings(n)),
            lambda values: claims.Claims(game, values),
            lambda _, report: claims.solve(game, report),
        )
    from numduel.solver.strong_table import StrongSolution

    return Plan(
        0,
        0,
        np.int64,
        None,
        lambda values: StrongSolution(game, values),
        lambda limit, report: _late("strong").solve(game, limit, report),
    )


def _late(module: str) -> Any:
    """A module of the solver that needs the compiler, loaded when it is needed."""
    return import_module(f"numduel.solver.{module}")


def solve(game: Game, *, limit: int | None = None, report: Report = unreported) -> Any:
    """Find the value of every position of a game, and keep the table for all later analysis.

    Raises `TooLarge` if that takes more memory than the limit, in bytes, and OSError if the table
    cannot be kept; the game is solved for this process even then.
    """
    from numduel.solver import tables

    strangers = _limit.get()
    if limit is None:
        limit = memory() if strangers is None else strangers
    how = plan(game)
    if how.size > limit:
        raise TooLarge
    solver = how.solved(limit, report)
    _SOLVERS[game] = solver
    if strangers is None or game == type(game)():
        tables.save(game, solver.values)
        tell(Notice.KEPT, game)
    return solver


def solution(game: Game) -> Solution:
    """The values of every position of a game: those that are kept, or else found and kept now.

    Raises `TooLarge` where that takes too much memory.
    """
    if not hasattr(_SOLVERS.get(game), "lookup"):
        found = kept(game)
        if found is not None:
            _SOLVERS[game] = found
        else:
            tell(Notice.SOLVING, game)
            with suppress(OSError):  # without a cache folder, it is solved for this process only
                solve(game)
    return cast(Solution, _SOLVERS[game])


def _valued(state: State) -> list[tuple[int, Value]]:
    """The legal moves of a state, as bits, each with its value for the player to move."""
    game, codes = state.game, numbers(state.mask)
    if not codes:
        return []
    after = [game.rules.play(*state.position, code, game.variant) for code in codes]
    try:
        if _matched(game):
            raise TooLarge
        solver = _solver(game)
        solver.nodes_left = SEARCH_LIMIT
        return [(code, solver.value(p).before()) for code, p in zip(codes, after, strict=True)]
    except TooLarge:
        pass
    if game.rules.edges is not None:
        from numduel.solver.geography import results

        return list(results(game, state.position).items())
    from numduel.solver.mcts import MonteCarlo

    return list(MonteCarlo(game).values(state.position).items())


def _matched(game: Game) -> bool:
    """Whether matchings are used, because a search would take too long."""
    return game.rules.edges is not None and game.bounds.actions > SEARCHED


def _solver(game: Game) -> Solver:
    """The solver of a game: a kept table, a search, or, for a deck, a table made now."""
    if game not in _SOLVERS:
        _SOLVERS[game] = _found(game)
    return _SOLVERS[game]


def _found(game: Game) -> Solver:
    if game.has_deck:
        return solution(game)
    found = kept(game)
    if found is not None:
        return found
    from numduel.solver.search import Search

    return Search(game)


def kept(game: Game) -> Solution | None:
    """The solution that is kept on disk, if there is one."""
    from numduel.solver import tables

    if not tables.exists(game):
        return None
    how = plan(game)
    values = tables.load(game, how.kind, how.shape)
    return None if values is None else how.made(values)
