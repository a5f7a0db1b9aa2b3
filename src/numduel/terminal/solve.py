"""The command ``numduel solve``: the value of every position of a game."""

from __future__ import annotations

import json
import re
from time import perf_counter
from typing import Annotated, NamedTuple

import typer

from numduel import solver
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import Move
from numduel.core.text import (
    BYTE_UNITS,
    byte_size,
    counted,
    file_name,
    percentage,
    printable,
    read_settings,
)
from numduel.games import game as find
from numduel.solver import TooLarge, Value, tables
from numduel.terminal.choice import choose_game
from numduel.terminal.commands import stopped
from numduel.terminal.options import AnyGame, Json, Settings
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory that solving may use, such as 500M or 2G; usually a quarter of the machine's.",
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Solve the game again, even if its table is saved.")
]
SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,3})?) ?([kmgt]?)(?:i?b)?", re.IGNORECASE)


class Solution(NamedTuple):
    """What is known of a game once it is solved."""

    game: Game
    positions: int
    """How many positions have a value in the table; 0 if there is no table."""
    seconds: float
    size: int
    """Bytes of the table on disk."""
    file: str
    """Where the table is kept; empty if nowhere."""
    trouble: str
    """Why the table is not kept, if it should have been."""
    value: Value
    """Of the start, for the player who begins."""
    openings: tuple[Move, ...]
    """The first moves that win."""
    kept: bool = False
    """Whether it was solved before."""

    def json(self) -> dict[str, object]:
        """The solution as plain data."""
        return {
            "game": self.game.id,
            "variant": self.game.settings,
            "exact": self.value.exact,
            "positions": self.positions or None,
            "seconds": round(self.seconds, 3),
            "bytes": self.size or None,
            "file": self.file or None,
            "win_probability": self.value.win_probability,
            "plies": self.value.plies,
            "margin": self.value.margin,
            "winning": [str(move) for move in self.openings],
        }

    def lines(self) -> list[str]:
        """The solution in lines."""
        title = self.game.display_name
        if not self.positions:
            lines = [f"{title} is too large for a table, and needs none: matching tells exactly who"
                    " wins, in any position, at once."]  # fmt: skip
        elif self.kept:
            lines = [f"{title} was solved before: {counted(self.positions, 'position')}."
                     " --fresh solves it again."]  # fmt: skip
        else:
            lines = [f"{title} is solved: {counted(self.positions, 'position')} in"
                     f" {self.seconds:.1f} s."]  # fmt: skip
        if self.trouble:
            folder = file_name(tables.folder())
            lines.append(f"The table cannot be saved in {folder}: {self.trouble}."
                         " XDG_CACHE_HOME names another place.")  # fmt: skip
        elif self.file:
            lines.append(f"The table takes {byte_size(self.size)}: {file_name(self.file)}")
        return [*lines, *self._start()]

    def _start(self) -> list[str]:
        """Who wins from the start, and how."""
        if self.game.has_deck:
            chance = percentage(self.value.win_probability, 4)
            return [f"Whoever begins wins with a chance of {chance}."]
        if not self.openings:
            return [f"Whoever begins loses{self._how()}."]
        moves = ", ".join(map(str, self.openings))
        return [f"Whoever begins wins{self._how()}; winning first moves: {moves}."]

    def _how(self) -> str:
        if self.value.margin is not None:
            points = counted(abs(self.value.margin), "point")
            return f" by {points}" if self.value.margin else " by the tiebreak"
        return "" if self.value.plies is None else f" in {counted(self.value.plies, 'move')}"


def solve(
    game: AnyGame = None,
    settings: Settings = None,
    memory: Memory = None,
    fresh: Fresh = False,
    as_json: Json = False,
) -> None:
    """Find the value of every position of a game, and keep the table for later."""
    chosen = choose_game(Screen(plain=True), game)
    if chosen is None:
        return
    kind = find(chosen, **read_settings(settings or ()))
    limit = solver.memory() if memory is None else read_size(memory)
    before = _written(kind)
    try:
        with ProgressBar() as bar:
            kept = None if fresh else waited(lambda: saved(kind), bar=bar)
            solution = kept or waited(lambda: solved(kind, limit, bar), bar=bar)
    except KeyboardInterrupt:
        raise stopped(_left_behind(kind, before)) from None
    if as_json:
        print(json.dumps(solution.json()))
    else:
        Screen(plain=True).say(*solution.lines())


def _written(game: Game) -> int | None:
    """When the table of a game was written, in nanoseconds; None if there is none."""
    try:
        return tables.path(game).stat().st_mtime_ns
    except OSError:
        return None


def _left_behind(game: Game, before: int | None) -> str:
    """What is kept after Ctrl-C, given when the table was written before."""
    if _written(game) != before:
        return f"Stopped; the table was finished, and is saved: {file_name(tables.path(game))}"
    return "Stopped before the end; nothing is saved. The same command starts again."


def saved(game: Game) -> Solution | None:
    """The solution whose table is saved, if there is one."""
    begun, path = perf_counter(), tables.path(game)
    found = solver.kept(game)
    if found is None:
        return None
    positions = _need(game)[1] or len(found.values)
    size, start = path.stat().st_size, _start(game)
    return Solution(game, positions, perf_counter() - begun, size, str(path), "", *start, kept=True)


def solved(game: Game, limit: int, bar: ProgressBar) -> Solution:
    """Solve a game within a limit in bytes; `BadVariant` if that is not enough."""
    size, positions, trouble, counts = *_need(game), "", [0]
    begun = perf_counter()

    def report(_what: str, done: int, total: int | None) -> None:
        counts.append(done)
        bar.reach(done, total)

    try:
        bar.begin("Solving positions", positions or None)
        solver.solve(game, limit=limit, report=report)
    except OSError as error:
        trouble = error.strerror or str(error)
    except (TooLarge, MemoryError) as error:
        if game.rules.edges is None:
            why = _too_large(game, size, limit)
            if isinstance(error, TooLarge) and str(error):
                why = f"{game} cannot be solved as a whole: {error}."
            raise BadVariant(why) from None
        counts = [0]
    seconds = perf_counter() - begun
    path = tables.path(game) if counts[-1] and not trouble else None
    size, file = (path.stat().st_size, str(path)) if path else (0, "")
    return Solution(game, counts[-1], seconds, size, file, trouble, *_start(game))


def _need(game: Game) -> tuple[int, int]:
    """The bytes and the positions of a table; 0 where they are not known in advance."""
    try:
        return solver.plan(game)[:2]
    except TooLarge:
        return 0, 0


def _too_large(game: Game, size: int, limit: int) -> str:
    need = f"{byte_size(size)}, more" if size else "more"
    return (
        f"{game} is too large to solve: its table takes {need} than the {byte_size(limit)} of"
        " memory that it may use (--memory). Play and analysis search instead."
    )


def _start(game: Game) -> tuple[Value, tuple[Move, ...]]:
    """The value of the start, and the first moves that win."""
    start = game.start()
    winning = [option.move for option in solver.analyse(start) if option.win_probability == 1]
    return solver.evaluate(start), tuple(sorted(winning, key=start.legal_moves.index))


def read_size(text: str) -> int:
    """The bytes that a size such as ``500M`` or ``2G`` means."""
    found = SIZE.fullmatch(text.strip())
    size = int(float(found[1]) * 1024 ** BYTE_UNITS.index(found[2].lower() or " ")) if found else 0
    if not size:
        raise BadVariant(
            f"--memory must be a size such as 500M or 2G, not {printable(text, 40)!r}."
        )
    return size
