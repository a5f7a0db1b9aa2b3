"""What every move in a position is worth."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Annotated, NamedTuple

import typer

from numduel import solver
from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.game import Game
from numduel.core.state import State
from numduel.core.text import DEFAULT_NAMES, printable, read_settings
from numduel.core.view import view
from numduel.games import game as find
from numduel.games import games
from numduel.learn.coach import legend, percent, worth
from numduel.play.record import read
from numduel.solver import Option, TooLarge, Value
from numduel.solver.mcts import MonteCarlo
from numduel.terminal.choice import choose_game
from numduel.terminal.options import Json, Settings, complete_game_or_file
from numduel.terminal.screen import Screen
from numduel.terminal.solve import Memory, read_size
from numduel.terminal.waiting import waited

LINES_TIMEOUT = 5.0
"""Seconds for the lines of all moves. Moves that are left when the time is over get no line; the
best move always has one."""
ESTIMATE_SECONDS = 3.0
"""Seconds for all cards together, where their values can only be estimated."""


class Analysis(NamedTuple):
    """A position, and all that is known about it."""

    state: State
    value: Value
    """For the player to move."""
    options: tuple[Option, ...]
    lines: tuple[tuple[str, ...], ...]
    """How the game goes on after each option, the option's move first."""
    draws: dict[int, tuple[float, Value]]
    """Before a draw: how likely each card is, and the value once it is drawn."""

    def json(self) -> dict[str, object]:
        """The analysis as plain data."""
        state, outcome = self.state, self.state.outcome
        found: dict[str, object] = {
            "game": state.game.id,
            "variant": state.game.settings,
            "to_move": state.to_move,
            "exact": self.value.exact,
            "win_probability": self.value.win_probability,
        }
        if outcome is not None:
            return found | {"outcome": outcome._asdict()}
        moves = [
            option.json() | {"line": list(line)}
            for option, line in zip(self.options, self.lines, strict=True)
        ]
        found["moves"] = moves
        if self.draws:
            found["draws"] = {
                str(card): {"probability": likely, "win_probability": value.win_probability}
                for card, (likely, value) in self.draws.items()
            }
        return found


def analyse(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME|FILE]",
            help="A game, or a record file. If you leave it out, you choose a game.",
            autocompletion=complete_game_or_file,
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            metavar="MOVES",
            help='The moves so far, such as "21 18"; with a deck "7e 5e 6": 6 is drawn.',
        ),
    ] = None,
    first: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Who moved first: 1 or 2.")
    ] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="The pie rule: swap may take over the first move.")
    ] = False,
    settings: Settings = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Say what every legal move is worth, best first, and how the game goes on after it.

    Where a board is too large to be searched, --memory lets the whole game be solved first.
    """
    limit = None if memory is None else read_size(memory)
    names = DEFAULT_NAMES
    if what is None:
        what = choose_game(Screen(), None, "analyse")
    if what is None:
        return
    if _is_game(what):
        kind = find(what, **read_settings(settings or ()))
        state = _replayed(kind, moves or "", _first(first), pie=swap)
    elif moves is not None or first is not None or swap or settings:
        raise BadVariant("A record says itself what was played: give a game, or only the file.")
    else:
        record = read(what)
        state, names = record.state, record.names
    found = waited(lambda: examine(state, limit))
    if as_json:
        print(json.dumps(found.json()))
    else:
        Screen().say_values(*_printed(found, names))


def examine(state: State, limit: int | None = None) -> Analysis:
    """Everything that is known about a position. With a limit in bytes, a game that is too large
    to be searched is solved as a whole, if that is enough for it."""
    found = _examined(state)
    if limit is not None and not found.value.exact:
        with suppress(OSError, TooLarge, MemoryError):
            solver.solve(state.game, limit=limit)
            return _examined(state)
    return found


def _examined(state: State) -> Analysis:
    """Everything that can be known about a position at once."""
    options = () if state.winner else solver.analyse(state)
    draws = _draws(state)
    if draws:
        chances = sum(likely * value.win_probability for likely, value in draws.values())
        value = Value(chances, exact=all(after.exact for _, after in draws.values()))
    else:
        value = solver.evaluate(state) if not options else options[0].value
    return Analysis(state, value, options, _lines(state, options), draws)


def _lines(state: State, options: tuple[Option, ...]) -> tuple[tuple[str, ...], ...]:
    """How the game goes on after each move, as far as that can be said and time allows."""
    end = monotonic() + LINES_TIMEOUT
    lines: list[tuple[str, ...]] = []
    for option in options:
        known = option.exact and (not lines or monotonic() < end)
        follow = solver.line(state.play(option.move)) if known else ()
        lines.append((str(option.move), *map(str, follow)))
    return tuple(lines)


def _draws(state: State) -> dict[int, tuple[float, Value]]:
    """The cards that may be drawn now: how likely each is, and the value once it is drawn."""
    draws = state.draws
    try:
        return {card: (likely, _best(state.draw(card)).value) for card, likely in draws.items()}
    except TooLarge:
        estimate = MonteCarlo(state.game, seconds=ESTIMATE_SECONDS / len(draws))
        return {
            card: (likely, estimate.value(state.draw(card).position))
            for card, likely in draws.items()
        }


def _best(state: State) -> Option:
    """The best move of a position; `TooLarge` if its value is not exact."""
    best = solver.analyse(state)[0]
    if not best.exact:
        raise TooLarge
    return best


def _is_game(what: str) -> bool:
    """Whether a word means a game: it is the name of one, or there is no such file."""
    known = {name for kind in games() for name in (kind.id, kind.name)}
    if what.strip().lower() in known:
        return True
    path = Path(what)
    return path.name == what and path.suffix != ".duel" and not os.path.lexists(what)


def _replayed(game: Game, text: str, first: int, *, pie: bool) -> State:
    """The state after moves in notation; an error says which of them was refused."""
    tokens = text.replace(",", " ").split()
    state = game.start(first=first, pie=pie or "swap" in tokens)
    for number, token in enumerate(tokens, 1):
        try:
            state = state.apply_token(token)
        except IllegalMove as error:
            raise IllegalMove(f"Move {number} ({printable(token, 20)}): {error}") from None
    return state


def _first(text: str | None) -> int:
    if text not in (None, "1", "2"):
        raise BadVariant(f"--first must be 1 or 2, not {printable(text, 40)!r}.")
    return int(text or 1)


def _printed(found: Analysis, names: tuple[str, str]) -> list[str]:
    """An analysis in lines: the board, whose turn it is, and every move with its value."""
    state, game, seen = found.state, found.state.game, view(found.state, names)
    if state.outcome is not None:
        return [*game.board(seen), "", *game.closing(seen)]
    status = f"{seen.player} draws next" if found.draws else f"{seen.player} to move"
    card = f", having drawn {seen.card}" if seen.card is not None else ""
    lines = [*game.board(seen), "", f"{status}{card}: {worth(game, found.value)}"]
    values = found.options or [value for _, value in found.draws.values()]
    return [*lines, legend(game, values), "", *_rows(found)]


def _rows(found: Analysis) -> list[str]:
    """One line for every move, the best marked, or for every card that may be drawn."""
    game = found.state.game
    cells = [
        (
            "best" if option.best else "",
            game.label(option.move),
            worth(game, option),
            " ".join(map(game.label_played, line)),
        )
        for option, line in zip(found.options, found.lines, strict=True)
    ] or [
        ("", str(card), worth(game, value), f"drawn with {percent(likely)}")
        for card, (likely, value) in found.draws.items()
    ]
    wide = [max(len(row[column]) for row in cells) for column in range(3)]
    return [
        f"{mark:<{wide[0]}}  {name:>{wide[1]}}  {value:>{wide[2]}}   {rest}".rstrip()
        for mark, name, value, rest in cells
    ]
