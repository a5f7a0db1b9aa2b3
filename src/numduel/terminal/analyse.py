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
from numduel.core.text import DEFAULT_NAMES, in_range, printable, read_settings
from numduel.core.view import view
from numduel.games import game as find
from numduel.games import games
from numduel.learn.coach import legend, percent, worth
from numduel.play.record import read
from numduel.solver import Option, TooLarge, Value
from numduel.solver.mcts import MonteCarlo
from numduel.terminal.choice import choose_game
from numduel.terminal.options import Json, Settings, complete_game
from numduel.terminal.screen import Screen
from numduel.terminal.solve import Memory, read_size
from numduel.terminal.waiting import waited

LINES_TIMEOUT = 5.0
"""Seconds for the lines of all moves. Moves that are left when the time is over get no line; the
best move always has one."""
ESTIMATE_SECONDS = 3.0
"""Seconds for all cards together, where their values can only be estimated."""


class Analysis(NamedTuple):
    """A position, and what is known about it."""

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
            help="A game, or a record file. Without one, you are asked.",
            autocompletion=complete_game,
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            metavar="MOVES",
            help='The moves so far, such as "21 18"; with cards, "7e 5e 6" (6 is drawn).',
        ),
    ] = None,
    first: Annotated[str | None, typer.Option(metavar="SEAT", help="Who began: 1 or 2.")] = None,
    settings: Settings = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Show what every move is worth, best first, and how the game would go on.

    If a board is too large to search, --memory solves the whole game first.
    """
    limit = None if memory is None else read_size(memory)
    names = DEFAULT_NAMES
    if what is None:
        what = choose_game(Screen(), None)
    if what is None:
        return
    if _is_game(what):
        kind = find(what, **read_settings(settings or ()))
        state = _replayed(kind, moves or "", in_range("--first", first, 1, 2) or 1)
    elif moves is not None or first is not None or settings:
        raise BadVariant("A record says what was played: leave out --moves, --first and --set.")
    else:
        record = read(what)
        state, names = record.state, record.names
    found = waited(lambda: examine(state, limit))
    if as_json:
        print(json.dumps(found.json()))
    else:
        screen = Screen()
        screen.say_values(*_printed(found, names, screen.limit))


def examine(state: State, limit: int | None = None) -> Analysis:
    """What is known about a position. A game that is too large to search is solved as a whole, if
    a limit in bytes is given and suffices."""
    found = _examined(state)
    if limit is not None and not found.value.exact:
        with suppress(OSError, TooLarge, MemoryError):
            solver.solve(state.game, limit=limit)
            return _examined(state)
    return found


def _examined(state: State) -> Analysis:
    options = () if state.winner else solver.analyse(state)
    draws = _draws(state)
    if draws:
        chances = sum(likely * value.win_probability for likely, value in draws.values())
        value = Value(chances, exact=all(after.exact for _, after in draws.values()))
    else:
        value = solver.evaluate(state) if not options else options[0].value
    return Analysis(state, value, options, _lines(state, options), draws)


def _lines(state: State, options: tuple[Option, ...]) -> tuple[tuple[str, ...], ...]:
    """How the game goes on after each move, as far as that is known and time allows."""
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
    """The best move; `TooLarge` if its value is not exact."""
    best = solver.analyse(state)[0]
    if not best.exact:
        raise TooLarge
    return best


def _is_game(what: str) -> bool:
    """Whether a word names a game rather than a file."""
    known = {name for kind in games() for name in (kind.id, kind.name)}
    if what.strip().lower() in known:
        return True
    path = Path(what)
    return path.name == what and path.suffix != ".duel" and not os.path.lexists(what)


def _replayed(game: Game, text: str, first: int) -> State:
    """The state after moves in notation; an error says which of them was refused."""
    tokens = text.replace(",", " ").split()
    state = game.start(first=first)
    for place, token in enumerate(tokens, 1):
        try:
            state = state.apply_token(token)
        except IllegalMove as error:
            given = printable(token, 20)
            raise IllegalMove(f"Move {place} ({given}): {error}") from None
    return state


def _printed(found: Analysis, names: tuple[str, str], width: int | None) -> list[str]:
    """The board, whose turn it is, and every move with its value, in lines that fit."""
    state, game, seen = found.state, found.state.game, view(found.state, names)
    if state.outcome is not None:
        return [*game.board(seen), "", *game.closing(seen)]
    told = "{name} to move: {worth}" if seen.card is None else "{name} has drawn {card}: {worth}"
    told = "{name} draws next: {worth}" if found.draws else told
    status = told.format(name=seen.player, card=seen.card, worth=worth(game, found.value))
    lines = [*game.board(seen), "", status]
    values = found.options or [value for likely, value in found.draws.values()]
    return [*lines, legend(game, values), "", *_rows(found, width)]


def _rows(found: Analysis, width: int | None) -> list[str]:
    """One line for every move, the best marked, or for every card that may be drawn."""
    state, game = found.state, found.state.game
    cells = [
        (
            "best" if option.best else "",
            game.label(game.worded(option.move, state)),
            worth(game, option),
            [game.label_played(game.worded(line[0], state)), *map(game.label_played, line[1:])],
        )
        for option, line in zip(found.options, found.lines, strict=True)
    ] or [
        ("", str(card), worth(game, value), [f"{percent(likely)} likely"])
        for card, (likely, value) in found.draws.items()
    ]
    wide = [max(len(row[column]) for row in cells) for column in range(3)]
    return [
        _whole(f"{mark:<{wide[0]}}  {name:>{wide[1]}}  {value:>{wide[2]}}   ", rest, width)
        for mark, name, value, rest in cells
    ]


def _whole(row: str, moves: list[str], width: int | None) -> str:
    """A row with as many of its moves as fit, none of them cut."""
    whole = row + ", ".join(moves)
    if width is None or len(whole) <= width:
        return whole
    fits = (f"{row}{', '.join(moves[:count])}, …" for count in range(len(moves) - 1, 0, -1))
    return next((line for line in fits if len(line) <= width), row.rstrip())
