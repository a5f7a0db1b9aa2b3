"""The tasks of the solving processes: moves of the computer, values, reports, puzzles.

They take and return plain data, and know nothing of the server; a state that is sent to them has no
deck in it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from numduel import coach
from numduel import puzzle as puzzles
from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES
from numduel.core.view import view
from numduel.games import game as find
from numduel.players import player
from numduel.record import parse
from numduel.solver import Option, analyse, line
from numduel.web.serialise import position


def choose(kind: str, state: State) -> str:
    """The move of a computer player."""
    who = player(kind)
    if who is None:
        raise BadVariant("A person chooses for themselves.")
    return str(who.choose(state))


def values(state: State) -> dict[str, Any]:
    """What every legal move is worth, best first."""
    game, options = state.game, analyse(state) if state.mask else ()
    valued = [
        option.json()
        | {
            "label": game.spoken(option.move),
            "worth": coach.worth(game, option),
            "short": coach.short(game, option),
        }
        for option in options
    ]
    legend = f"{coach.legend(game, options)} ★ is best." if options else ""
    return {"options": valued, "legend": legend}


def hint(state: State, names: tuple[str, str]) -> dict[str, Any]:
    """What to look at, and a best move and why it is one."""
    if not state.mask:
        return {"nudge": "", "lines": []}
    found = coach.hint(state, names)
    return {"nudge": found.nudge, "lines": list(found.lines)}


def report(record: str, seat: int | None = None) -> dict[str, Any]:
    """What became of a game in the notation, and its chart, for the reader in a seat."""
    return coach.report(parse(record), seat).page_data()


def daily(day: date) -> dict[str, Any]:
    """The puzzle of a day, without its solution."""
    return _puzzle_data(puzzles.daily(day), f"Puzzle of {day.day} {day:%B %Y}")


def puzzle(game: str | None, seed: str, grade: int | None) -> dict[str, Any]:
    """The puzzle of a seed, without its solution."""
    return _puzzle_data(puzzles.puzzle(find(game) if game else None, seed, grade), "Puzzle")


def answer(state: State, move: Move, reveal: bool) -> dict[str, Any]:
    """Whether a move solves a puzzle, and why; the solution itself only if it is asked for."""
    made = state.play(move).moves[-1]
    options = analyse(state)
    if not puzzles.single(options, luck=state.game.has_deck):
        raise BadVariant("This position is no puzzle: it has more than one good move, or none.")
    given = next(option for option in options if option.move == made)
    best = options[0]
    return {
        "right": given is best,
        **_explained(state, given),
        "solution": {"move": str(best.move), **_explained(state, best)} if reveal else None,
    }


def warm(game: str) -> None:
    """Have a game's rules compiled, and its tables made, before somebody waits for them."""
    state = find(game).start()
    for card in state.draws:
        state = state.draw(card)
        break
    analyse(state)


TASKS: dict[str, Callable[..., Any]] = {
    task.__name__: task
    for task in (choose, values, hint, report, daily, puzzle, answer, warm)
}  # fmt: skip
"""The tasks by name; nothing else can be asked of a solving process."""


def _puzzle_data(puzzle: puzzles.Puzzle, title: str) -> dict[str, Any]:
    state = puzzle.state
    task = "one move is clearly the best" if state.game.has_deck else "only one move wins"
    return {
        "title": title,
        "task": f"{view(state).player} is to move, and {task}.",
        "grade": puzzle.grade,
        "grades": puzzles.GRADES[-1],
        "state": position(state),
    }


def _explained(state: State, option: Option) -> dict[str, Any]:
    after = line(state.play(option.move))
    return {
        "why": coach.why(state, option, DEFAULT_NAMES),
        "line": " ".join(map(str, (option.move, *after))),
    }
