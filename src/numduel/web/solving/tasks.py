"""The tasks of the solving processes: moves of the computer, values, reports, puzzles, lessons.

They take and return plain data, and know nothing of the server; the states that they are given have
no deck.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, cast

from typing_extensions import TypedDict

from numduel import activities
from numduel.activities import analysis
from numduel.activities.mistakes import to_try
from numduel.activities.puzzle import daily_of, fault
from numduel.core.errors import BadVariant
from numduel.core.language import _
from numduel.core.state import Move, State
from numduel.events import review
from numduel.games import game as find
from numduel.games import offered
from numduel.learn import coach
from numduel.learn import puzzle as puzzles
from numduel.play.players import estimates, player
from numduel.play.record import parse
from numduel.solver import analyse
from numduel.web.http.described import about
from numduel.web.positions import Position, Values, position
from numduel.web.solving.lessons import lesson_answer, lesson_data, lesson_list


class Hint(TypedDict):
    """What to look at, and a best move and why."""

    nudge: Annotated[str, about("What to look at, without the move.")]
    lines: Annotated[list[str], about("The move, and why.")]
    move: Annotated[str | None, about("The move; null in a game that is over.")]


class Report(TypedDict):
    """Where a game was won and lost."""

    title: str
    lines: list[str]
    before: Annotated[list[str], about("The lines that tell no better move.")]
    asked: Annotated[list[int], about("The numbers of the mistakes to try before all is told.")]
    spotless: Annotated[str, about("For a player who made no mistake; else empty.")]
    afterwards: Annotated[list[str], about("How much was luck, and what to try after a loss.")]
    labels: list[str]
    levels: list[float]
    names: list[str]
    exact: bool
    slips: Annotated[list[int], about("The numbers of mistakes and inaccuracies.")]
    turning: int | None
    accuracy: Annotated[
        list[list[int]],
        about("By seat: choices that mattered and gave nothing away, those that mattered, moves."),
    ]
    plies: list[dict[str, Any]]


class Posed(TypedDict):
    """A puzzle, without its solution."""

    title: str
    task: str
    label: Annotated[str, about("The beginning of a line to share.")]
    link: Annotated[str, about("The query of its address.")]
    grade: int
    grades: int
    date: Annotated[str | None, about("Its day, if it is a daily puzzle.")]
    moves: Annotated[int, about("How many moves are to be found; this is the first of them.")]
    state: Position


class Puzzle(Posed):
    """A position with one right answer."""

    today: bool


class Solution(TypedDict):
    """The answer to a puzzle, explained and played out."""

    move: str
    theme: str | None
    words: list[str]
    line: list[Position]


class Answer(TypedDict):
    """Whether a move solves a puzzle."""

    right: bool
    why: Annotated[str, about("What is wrong with the move, without the solution.")]
    nudges: Annotated[list[str], about("What to look at: one sentence for each wrong try.")]
    solution: Solution | None


def choose(kind: str, state: State) -> tuple[str, bool]:
    """The move of a computer player, and whether it is an estimate."""
    who = player(kind)
    if who is None:
        raise BadVariant(_("Only a computer player can be asked for a move."))
    return str(who.choose(state)), estimates(who)


def values(state: State) -> Values:
    """What every legal move is worth, best first, and what the position is."""
    return cast("Values", analysis.values(state))


def hint(state: State, names: tuple[str, str]) -> Hint:
    """What to look at, and a best move and why it is one."""
    if not state.mask:
        return {"nudge": "", "lines": [], "move": None}
    found = coach.hint(state, names)
    return {"nudge": found.nudge, "lines": list(found.lines), "move": str(found.move)}


def report(record: str, seat: int | None = None) -> Report:
    """The report on a record, and its chart, for the reader in a seat."""
    found = coach.report(parse(record), seat)
    names, numbers = found.record.names, [ply.number for ply in found.slips]
    spoken = found.record.game.worded_moves(found.record.state)
    told = dict(zip(numbers, found.sentences(found.slips), strict=True))
    return {
        "title": found.chart.title,
        "lines": found.lines(),
        "before": found.lines(slips=False),
        "asked": [ply.number for ply in to_try(found)],
        "spotless": found.spotless(),
        "afterwards": found.afterwards(),
        "labels": list(found.chart.labels),
        "levels": list(found.chart.levels),
        "names": list(names),
        "exact": found.exact,
        "slips": numbers,
        "turning": None if found.turning is None else found.turning.number,
        "accuracy": [list(found.accuracy(seat)) for seat in (1, 2)],
        "plies": [
            {
                **ply.json(),
                "label": found.record.game.label_played(move),
                "told": told.get(ply.number, ""),
                "headline": ply.headline(names, found.reader) if ply.slip else "",
            }
            for ply, move in zip(found.plies, spoken, strict=True)
        ],
    }


def judge(record: str) -> dict[str, Any]:
    """What an event stores about the moves of a game."""
    return review.judge(coach.report(parse(record))).json()


def daily(day: date, latest: date) -> Posed:
    """The first move of the puzzle of a day up to the latest that there is, without its
    solution."""
    line = daily_of(day.isoformat(), latest.isoformat())
    return {**_puzzle_data(line.puzzles[0]), "grade": line.grade, "moves": len(line.puzzles)}


def puzzle(game: str | None, seed: int, grade: int | None) -> Posed:
    """The puzzle of a seed, without its solution."""
    return _puzzle_data(puzzles.puzzle(offered(game) if game else None, seed, grade))


def answer(state: State, move: Move, reveal: bool) -> Answer:
    """Whether a move solves a puzzle; the solution if it does, or if it is asked for."""
    made = state.play(move).moves[-1]
    posed = puzzles.posed(state, fewest=2)
    if posed is None:
        raise BadVariant(
            _("This position is not a puzzle: it has more than one good move, or none.")
        )
    right = made == posed.solution
    return {
        "right": right,
        "why": "" if right else fault(posed, made),
        "nudges": [] if right else list(posed.nudges),
        "solution": _solution(posed) if right or reveal else None,
    }


def warm(game: str) -> None:
    """Compile a game's rules and make its tables, before somebody waits for them."""
    state = find(game).start()
    for card in state.draws:
        state = state.draw(card)
        break
    analyse(state)


def ping() -> None:
    """Do nothing: an answer is enough."""


TASKS: dict[str, Callable[..., Any]] = activities.tasks() | {
    task.__name__: task
    for task in (
        choose, values, hint, report, judge, daily, puzzle, answer, warm, ping,
        lesson_list, lesson_data, lesson_answer,
    )
}  # fmt: skip
"""The tasks by name; a solving process does nothing else."""


def _puzzle_data(puzzle: puzzles.Puzzle) -> Posed:
    return {
        "title": puzzle.title,
        "task": puzzle.task,
        "label": puzzle.label,
        "link": puzzle.link,
        "grade": puzzle.grade,
        "grades": puzzles.GRADES[-1],
        "date": None if puzzle.day is None else puzzle.day.isoformat(),
        "moves": 1,
        "state": position(puzzle.state),
    }


def _solution(puzzle: puzzles.Puzzle) -> Solution:
    return {
        "move": str(puzzle.solution),
        "theme": None if puzzle.theme is None else puzzle.theme.name,
        "words": puzzle.explained(),
        "line": [position(state) for state in puzzle.line()],
    }
