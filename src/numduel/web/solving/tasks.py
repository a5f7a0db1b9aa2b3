"""The tasks of the solving processes: moves of the computer, values, reports, puzzles, lessons.

They take and return plain data, and know nothing of the server; a state that is sent to them has no
deck in it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from numduel import activities
from numduel.activities.puzzle import fault
from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.events import review
from numduel.games import game as find
from numduel.learn import coach
from numduel.learn import puzzle as puzzles
from numduel.play.players import estimates, player
from numduel.play.record import parse
from numduel.solver import analyse, evaluate
from numduel.web.positions import position
from numduel.web.solving.lessons import lesson_answer, lesson_data, lesson_list


def choose(kind: str, state: State) -> tuple[str, bool]:
    """The move of a computer player, and whether it is chosen by estimates."""
    who = player(kind)
    if who is None:
        raise BadVariant("A person chooses for themselves.")
    return str(who.choose(state)), estimates(who)


def values(state: State) -> dict[str, Any]:
    """What every legal move is worth, best first, and what the position is."""
    game, options = state.game, analyse(state) if state.mask else ()
    valued = [
        option.json()
        | {
            "label": game.label(option.move),
            "worth": coach.worth(game, option),
            "short": coach.short(game, option),
        }
        for option in options
    ]
    legend = f"{coach.legend(game, options)} ★ is best." if options else ""
    return {"options": valued, "legend": legend, "evaluation": _evaluation(state)}


def hint(state: State, names: tuple[str, str]) -> dict[str, Any]:
    """What to look at, and a best move and why it is one."""
    if not state.mask:
        return {"nudge": "", "lines": [], "move": None}
    found = coach.hint(state, names)
    return {"nudge": found.nudge, "lines": list(found.lines), "move": str(found.move)}


def report(record: str, seat: int | None = None) -> dict[str, Any]:
    """What became of a game in the notation, and its chart, for the reader in a seat."""
    return coach.report(parse(record), seat).page_data()


def judge(record: str) -> dict[str, Any]:
    """What an event keeps of the moves of a game in the notation."""
    return review.judge(coach.report(parse(record))).json()


def daily(day: date) -> dict[str, Any]:
    """The puzzle of a day, without its solution."""
    return _puzzle_data(puzzles.daily(day))


def puzzle(
    game: str | None, seed: int, grade: int | None, theme: str | None = None
) -> dict[str, Any]:
    """The puzzle of a seed, without its solution."""
    return _puzzle_data(puzzles.puzzle(find(game) if game else None, seed, grade, theme))


def answer(state: State, move: Move, reveal: bool) -> dict[str, Any]:
    """Whether a move solves a puzzle; the solution if it does, or if it is asked for."""
    made = state.play(move).moves[-1]
    posed = puzzles.posed(state)
    if posed is None:
        raise BadVariant("This position is no puzzle: it has more than one good move, or none.")
    right = made == posed.solution
    return {
        "right": right,
        "why": "" if right else fault(posed, made),
        "nudges": [] if right else list(posed.nudges),
        "solution": _solution(posed) if right or reveal else None,
    }


def strategy(game: str) -> dict[str, Any]:
    """How to win a game, as a card."""
    from numduel.learn.strategies import known
    from numduel.learn.strategies import strategy as found_for
    from numduel.learn.strategies.card import card

    kind = find(game)
    made = card(known(kind) or found_for(kind))
    return {
        "title": made.title,
        "subtitle": made.subtitle,
        "rows": [[tile._asdict() for tile in row] for row in made.rows],
        "caption": made.caption,
        "steps": list(made.steps),
        "footnote": made.footnote,
    }


def warm(game: str) -> None:
    """Have a game's rules compiled, and its tables made, before somebody waits for them."""
    state = find(game).start()
    for card in state.draws:
        state = state.draw(card)
        break
    analyse(state)


def ping() -> None:
    """Do nothing: who answers is there."""


TASKS: dict[str, Callable[..., Any]] = activities.tasks() | {
    task.__name__: task
    for task in (
        choose, values, hint, report, judge, daily, puzzle, answer, strategy, warm, ping,
        lesson_list, lesson_data, lesson_answer,
    )
}  # fmt: skip
"""The tasks by name; nothing else can be asked of a solving process."""


def _evaluation(state: State) -> dict[str, Any] | None:
    """How a position stands for both players; None when the game is over."""
    if state.winner is not None:
        return None
    value, seat = evaluate(state), state.to_move
    chance = value.win_probability
    return {
        "chances": [chance, 1 - chance] if seat == 1 else [1 - chance, chance],
        "words": list(coach.outlook(state.game, value, seat)),
        "exact": value.exact,
    }


def _puzzle_data(puzzle: puzzles.Puzzle) -> dict[str, Any]:
    return {
        "title": puzzle.title,
        "task": puzzle.task,
        "label": puzzle.label,
        "link": puzzle.link,
        "grade": puzzle.grade,
        "grades": puzzles.GRADES[-1],
        "date": None if puzzle.day is None else puzzle.day.isoformat(),
        "state": position(puzzle.state),
    }


def _solution(puzzle: puzzles.Puzzle) -> dict[str, Any]:
    return {
        "move": str(puzzle.solution),
        "theme": None if puzzle.theme is None else puzzle.theme.name,
        "words": puzzle.explained(),
        "line": [position(state) for state in puzzle.line()],
    }
