"""Puzzles, one after the other: tries, hints, the answer, and the line to share.

That of a day is a line of several moves, with one try for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, urlencode

from numduel.activities.base import Activity, Choice, Scene, Sentence, record_of, refused
from numduel.core.errors import BadVariant
from numduel.core.language import N_, _, plural
from numduel.core.state import Move, State
from numduel.core.text import (
    MAX_SEED,
    capital,
    day_told,
    either,
    in_range,
    printable,
    titled,
    whole_number,
)
from numduel.core.view import view
from numduel.games import offered as find
from numduel.learn import coach
from numduel.learn.daily import Daily, daily
from numduel.learn.ideas import subject
from numduel.learn.puzzle import GRADES, Puzzle, posed, puzzle
from numduel.learn.streaks import HINTED, RIGHT, WRONG, Streak
from numduel.play.record import parse

SEEDS = 1_000_000
"""Random seeds are below this: short enough to pass on."""
HINT = Choice(
    "hint", N_("Hint"), "h", N_("What to look at; ask again for fewer moves to choose from")
)
SHOW = Choice("show", N_("Show answer"), "s", N_("Give up, and see the answer"))
NEXT = Choice("next", N_("Another puzzle"), "n", N_("Another puzzle"))
LAST_HINT = N_("That was the last hint; try one of the moves that are left: {moves}.")
KINDS = ("game", "grade")
"""What can be chosen about a puzzle."""
NO_STREAK = Streak()
SQUARES = {RIGHT: "🟩", HINTED: "🟨", WRONG: "🟥"}
"""The moves of a daily puzzle, as they are shared."""


@dataclass(frozen=True)
class Posed:
    """A puzzle without its answer."""

    at: str
    """The position, as a record."""
    title: str
    task: str
    label: str
    link: str
    grade: int
    day: str
    """The day whose puzzle it is, if it is a daily one."""
    nudges: tuple[str, ...]
    number: int = 0
    """Which move of a daily puzzle is to be found, from 0; all are found if it is their count."""
    count: int = 0
    """How many moves of a daily puzzle are to be found."""

    def named(self, move: str) -> str:
        """A move as part of a sentence: ``5``, ``discarding 4``."""
        state = parse(self.at).state
        return subject(state, state.play(move).moves[-1])


@dataclass(frozen=True)
class Puzzles(Activity):
    """Puzzles that somebody solves."""

    NAME: ClassVar = "puzzle"
    CHOICES: ClassVar = (HINT, SHOW, NEXT)

    seed: int = 0
    """The seed of the next puzzle, unless that is a daily one."""
    streak: Streak = NO_STREAK
    wish: str = ""
    """The game and grade that are wanted, as in an address."""
    posed: Posed | None = None
    tries: int = 0
    hints: int = 0
    nudges: int = 0
    """How many nudges have been given."""
    candidates: tuple[str, ...] = ()
    """The moves that no hint has ruled out."""
    over: bool = False
    """Whether it is solved or given up."""
    marks: str = ""
    """What became of the moves of a daily puzzle so far, if it is not that of today."""
    line: tuple[str, ...] = ()
    """The positions of the answer, or those up to the next move of a daily puzzle."""
    tried: int = 0
    """Puzzles that were tried so far."""
    solved: int = 0

    # -- acting -----------------------------------------------------------------------------

    def act(self, action: str, given: str = "") -> Self:
        """Begin the puzzle of an address, or today's; try a move; have a hint or the answer; go on
        to the next, perhaps of another kind; or leave."""
        if action == "begin":
            return self._left()._look(given, named=True)
        if action == "next":
            return self._left()._look(given or self.wish, named=False)
        if action == "leave":
            return self._left()._summed_up()
        if self.posed is None or self.over or self.work is not None:
            return self
        if self.posed.day and self.posed.number != len(self._made(self.posed.day)):
            return self._look(self.posed.link, named=True)  # it went on elsewhere
        if action == "move":
            return self._try(self.posed, given)
        if action == "hint":
            return self._hint(self.posed)
        if action == "show" and not self.posed.day:
            return self._wait("solve_puzzle", self.posed.at, told=_("Thinking"))
        return self

    def fed(self, result: Any) -> Self:
        """A puzzle that was found, the verdict on a move, fewer candidates, or the answer."""
        waited, puzzle = self.work, self.posed
        done = replace(self, work=None, said=())
        if waited is None:
            return self
        if waited.task in ("find_puzzle", "daily_puzzle"):
            return done._begin(Posed(**result))
        if puzzle is None:
            return done
        if waited.task == "judge_daily":
            return done._made_a_move(puzzle, result, waited.arguments[2])
        if waited.task == "narrow_puzzle":
            either_one = either(map(puzzle.named, result))
            fewer = len(result) < len(self.candidates)
            told = N_("The answer is {moves}.") if fewer else LAST_HINT
            told = _(told, moves=either_one)
            return replace(done, candidates=tuple(result))._say(("hint", told))
        if waited.task == "solve_puzzle":
            told = _("The answer is {moves}.", moves=puzzle.named(result["move"]))
            return done._end(result, ("answer", told))
        tried = replace(done, tries=self.tries + 1, tried=self.tried + (self.tries == 0))
        move = capital(puzzle.named(waited.arguments[1]))
        return tried._solved(result, move) if result["right"] else tried._wrong(result, move)

    def _look(self, wish: str, *, named: bool) -> Self:
        """Look for the puzzle of a link, or for the next of a kind."""
        wanted = dict(parse_qsl(wish))
        kind = urlencode([(key, wanted[key]) for key in KINDS if key in wanted])
        looking = replace(self, wish=kind, posed=None, over=False, line=(), marks="")
        told = _("Looking for a puzzle")
        if named and not kind and "seed" not in wanted:
            day = wanted.get("date") or self.today
            made = len(looking._made(day))
            return looking._wait("daily_puzzle", day, made, self.today, told=told)
        seed = wanted.get("seed", "") if named else ""
        link = urlencode({"seed": seed or self.seed}) + (kind and f"&{kind}")
        number = whole_number(seed)
        following = ((self.seed if number is None else number) + 1) % (MAX_SEED + 1)
        return replace(looking, seed=following)._wait("find_puzzle", link, told=told)

    def _begin(self, puzzle: Posed) -> Self:
        begun = self._asked(puzzle)
        if puzzle.day and puzzle.number == puzzle.count:
            told = ("note", _("You have finished today's puzzle."))
            return replace(begun, over=True)._say(told, *begun._result(puzzle))
        if puzzle.day and puzzle.day == self.today:
            hinted = self.streak.hinted and str(self.streak.begun) == self.today
            return replace(begun, hints=int(hinted))
        return begun

    def _asked(self, puzzle: Posed) -> Self:
        """With a move to be found."""
        return replace(
            self, posed=puzzle, tries=0, hints=0, nudges=0, over=False, line=(),
            candidates=tuple(map(str, parse(puzzle.at).state.legal_moves)),
        )  # fmt: skip

    def _try(self, puzzle: Posed, move: str) -> Self:
        if refusal := refused(puzzle.at, move):
            return replace(self, said=(refusal,))
        if puzzle.day:
            return self._wait(
                "judge_daily", puzzle.day, puzzle.number, move, self.today, told=_("Thinking")
            )
        return self._wait("judge_puzzle", puzzle.at, move, told=_("Thinking"))

    def _hint(self, puzzle: Posed) -> Self:
        """What to look at; then rule out half of the wrong moves that are left, but keep one."""
        asked = replace(self, hints=self.hints + 1, line=())._hinted(puzzle)
        if self.nudges < len(puzzle.nudges):
            return asked._nudged(puzzle)
        return asked._wait("narrow_puzzle", puzzle.at, self.candidates, told=_("Thinking"))

    def _nudged(self, puzzle: Posed, *before: tuple[Any, str]) -> Self:
        """Say what to look at, as long as there is something to say."""
        if self.nudges == len(puzzle.nudges):
            return self._say(*before, ("hint", _("Try again, or ask for a hint.")))
        nudge = puzzle.nudges[self.nudges]
        return replace(self, nudges=self.nudges + 1)._say(*before, ("hint", nudge))

    def _hinted(self, puzzle: Posed) -> Self:
        """A hint for today's puzzle is saved, so that nobody gets rid of it by coming back."""
        if not puzzle.day or puzzle.day != self.today:
            return self
        made, day = self._made(puzzle.day), date.fromisoformat(puzzle.day)
        return replace(self, streak=self.streak.after_moves(day, made, hinted=True))

    def _wrong(self, verdict: Mapping[str, Any], move: str) -> Self:
        puzzle = self.posed
        assert puzzle is not None  # noqa: S101
        said = [("wrong", _("{move} is not it.", move=move)), ("why", verdict["why"])]
        return self._nudged(puzzle, *(pair for pair in said if pair[1]))

    def _solved(self, verdict: Mapping[str, Any], move: str) -> Self:
        puzzle = self.posed
        assert puzzle is not None  # noqa: S101
        won = replace(self, solved=self.solved + 1)
        ended = won._end(verdict, ("right", _("{move} is right.", move=move)))
        return replace(ended, said=(*ended.said, Sentence("share", ended._shared(puzzle))))

    def _end(self, answer: Mapping[str, Any], verdict: tuple[Any, str]) -> Self:
        ended = replace(self, over=True, line=tuple(answer["line"]))
        return ended._say(verdict, *(("why", words) for words in answer["words"]))

    # -- that of a day ----------------------------------------------------------------------

    def _made(self, day: str) -> str:
        """What became of the moves of a daily puzzle so far."""
        return self.streak.made(date.fromisoformat(day)) if day == self.today else self.marks

    def _made_a_move(self, puzzle: Posed, verdict: Mapping[str, Any], move: str) -> Self:
        """Go on with the right move, whichever was tried."""
        right, name = verdict["right"], capital(puzzle.named(move))
        mark = WRONG if not right else HINTED if self.hints else RIGHT
        marks = self._made(puzzle.day) + mark
        on = replace(self._asked(Posed(**verdict["next"])), line=tuple(verdict["line"]))
        if puzzle.day == self.today:
            day = date.fromisoformat(puzzle.day)
            on = replace(on, streak=self.streak.after_moves(day, marks))
        else:
            on = replace(on, marks=marks)
        answer = puzzle.named(verdict["move"])
        told = N_("{move} is right.") if right else N_("{move} is wrong: {answer} was right.")
        told = _(told, move=name, answer=answer)
        said = [("right" if right else "wrong", told), ("why", verdict["why"])]
        if puzzle.number + 1 < puzzle.count:
            made = [] if right else [_("The right move is made; go on.")]
            return on._say(*said, ("move", " ".join([*made, verdict["told"]])))
        return on._finished(puzzle, marks, said)

    def _finished(self, puzzle: Posed, marks: str, said: list[tuple[Any, str]]) -> Self:
        ended = replace(
            self, over=True, tried=self.tried + 1, solved=self.solved + (WRONG not in marks)
        )
        if puzzle.day == self.today:
            kept = self.streak.after_daily(date.fromisoformat(puzzle.day))
            ended = replace(ended, streak=kept)
        return ended._say(*said, *ended._result(puzzle))

    def _result(self, puzzle: Posed) -> list[tuple[Any, str]]:
        """The text to share of a daily puzzle."""
        marks, days = self._made(puzzle.day), self._days()
        found = len(marks) - marks.count(WRONG)
        row = plural("{n:,} day in a row", "{n:,} days in a row", days) if days else ""
        squares = "".join(SQUARES[mark] for mark in marks)
        result = " ".join([squares, _("{at} of {of}", at=found, of=len(marks))])
        return [("share", f"{puzzle.label}\n{' · '.join(filter(None, (result, row)))}")]

    def _left(self) -> Self:
        return replace(self, work=None, said=())

    def _summed_up(self) -> Self:
        puzzle, told = self.posed, list[str]()
        if puzzle and not self.over:
            waits = puzzle.day and puzzle.day == self.today
            at, of = puzzle.number + 1, puzzle.count
            told = [
                _("Today's puzzle waits at move {at} of {of}.", at=at, of=of)
                if waits
                else _("The puzzle is left unsolved.")
            ]
        if self.tried > 1:
            told.append(plural(
                "{solved} of {n} puzzle solved.",
                "{solved} of {n} puzzles solved.",
                self.tried, solved=self.solved,
            ))  # fmt: skip
        return replace(self, posed=None)._say(*(("note", sentence) for sentence in told))

    def _say(self, *said: tuple[Any, str]) -> Self:
        return replace(self, said=tuple(Sentence(kind, text) for kind, text in said))

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The puzzle, what was said of it last, and what can be done."""
        puzzle = self.posed
        if puzzle is None:
            return Scene(
                _("Puzzle"), goal=f"{self.work.told}…" if self.work else "", said=self.said
            )
        choices = (NEXT,) if self.over else (HINT, NEXT) if puzzle.day else self.CHOICES
        at = self.line[0] if self.line and not puzzle.day else puzzle.at
        return Scene(
            titled(puzzle.title, parse(puzzle.at).state.game.display_name),
            _("grade {grade} of {most}", grade=puzzle.grade, most=GRADES[-1]),
            self._goal(puzzle), at, not self.over,
            self.said, tuple(self._notes(puzzle)), choices, self.line, puzzle.link,
            next_day=self._next_day(puzzle),
        )  # fmt: skip

    def _goal(self, puzzle: Posed) -> str:
        """What is asked; when a daily puzzle is over, how it went."""
        if not puzzle.day:
            return puzzle.task
        if not self.over:
            return " ".join([puzzle.task, _("There is one try for each move.")])
        marks = self._made(puzzle.day)
        return _("{at} of {of} right.", at=len(marks) - marks.count(WRONG), of=len(marks))

    def _notes(self, puzzle: Posed) -> list[str]:
        days = 0 if self.over else self._days()  # the line to share says it at the end
        row = plural("{n:,} day in a row", "{n:,} days in a row", days) if days else ""
        return [self._place(puzzle), row]

    def _place(self, puzzle: Posed) -> str:
        """Which move or try it is; in a daily puzzle also what became of the moves so far."""
        if not puzzle.day:
            return "" if self.over else _("Try {n}", n=self.tries + 1)
        squares = "".join(SQUARES[mark] for mark in self._made(puzzle.day))
        if self.over:
            return squares
        at = _("Move {at} of {of}", at=puzzle.number + 1, of=puzzle.count)
        return f"{at} {squares}".strip()

    def _next_day(self, puzzle: Posed) -> str:
        """The day after today, if the puzzle of today is finished."""
        if not self.over or not puzzle.day or puzzle.day != self.today:
            return ""
        return (date.fromisoformat(self.today) + timedelta(1)).isoformat()

    def _days(self) -> int:
        """The days in a row, if this is the puzzle of today."""
        if self.posed is None or not self.posed.day or self.posed.day != self.today:
            return 0
        return self.streak.on(date.fromisoformat(self.today))

    def _shared(self, puzzle: Posed) -> str:
        """A solved puzzle as one line to share, without the answer."""
        solved = _("solved on try {tries}", tries=self.tries)
        if self.hints:
            solved = plural(
                "solved on try {tries} with a hint",
                "solved on try {tries} with {n} hints",
                self.hints, tries=self.tries,
            )  # fmt: skip
        return f"{puzzle.label} · {solved}"


# -- what is computed -----------------------------------------------------------------------


def daily_puzzle(day: str, number: int, today: str) -> dict[str, Any]:
    """A move of the puzzle of a day, without the answer; after the last, how it ended."""
    return asdict(_step(daily_of(day, today), number))


def judge_daily(day: str, number: int, move: str, today: str) -> dict[str, Any]:
    """Whether a move of the puzzle of a day is right; the right one, why, and how it goes on."""
    line = daily_of(day, today)
    puzzle, way = line.puzzles[number], line.ways[number]
    made = puzzle.state.play(move).moves[-1]
    return {
        "right": made == puzzle.solution,
        "move": str(puzzle.solution),
        "why": puzzle.reason,
        "told": _played_on(way),
        "line": [record_of(state) for state in way],
        "next": asdict(_step(line, number + 1)),
    }


def daily_of(day: str, today: str) -> Daily:
    """The puzzle of a day that has come."""
    wanted = day_of(day)
    if wanted > day_of(today):
        raise BadVariant(_("The puzzle of {day} is not there yet.", day=day_told(wanted)))
    return daily(wanted)


def _step(line: Daily, number: int) -> Posed:
    count = len(line.puzzles)
    puzzle = line.puzzles[min(number, count - 1)]
    asked = replace(_asked(puzzle), grade=line.grade, number=min(number, count), count=count)
    return asked if number < count else replace(asked, at=record_of(line.ways[-1][-1]))


def _played_on(way: tuple[State, ...]) -> str:
    """What follows a right move: ``Player 2 plays 7.``"""
    game = way[0].game
    made = (
        f"{view(state).name(state.movers[-1])} {game.does(game.worded_moves(state)[-1])}"
        for state in way[1:]
    )
    return f"{', '.join(made)}."


def find_puzzle(link: str) -> dict[str, Any]:
    """The puzzle that a link names, without its answer."""
    return asdict(_asked(named(link)))


def _asked(found: Puzzle) -> Posed:
    return Posed(
        record_of(found.state), found.title, found.task, found.label, found.link, found.grade,
        found.day.isoformat() if found.day else "", found.nudges,
    )  # fmt: skip


def judge_puzzle(at: str, move: str) -> dict[str, Any]:
    """Whether a move is the answer; if so with the solution, otherwise with what becomes of it."""
    puzzle = _posed(at)
    made = puzzle.state.play(move).moves[-1]
    if made == puzzle.solution:
        return {"right": True, **solve_puzzle(at)}
    return {"right": False, "why": fault(puzzle, made)}


def narrow_puzzle(at: str, candidates: Sequence[str]) -> list[str]:
    """Some of the moves, without half of the wrong ones."""
    puzzle = _posed(at)
    moves = [puzzle.state.play(move).moves[-1] for move in candidates]
    return [str(move) for move in puzzle.narrowed(moves)]


def solve_puzzle(at: str) -> dict[str, Any]:
    """The answer, the reason, and how the game goes on."""
    puzzle = _posed(at)
    line = [record_of(state) for state in puzzle.line()]
    return {"move": str(puzzle.solution), "words": puzzle.explained(), "line": line}


TASKS = (
    daily_puzzle, judge_daily, find_puzzle, judge_puzzle, narrow_puzzle, solve_puzzle,
)  # fmt: skip


def named(link: str) -> Puzzle:
    """The puzzle of a link."""
    wanted = dict(parse_qsl(link))
    kind = find(wanted["game"]) if "game" in wanted else None
    seed = in_range("seed", wanted.get("seed"), 0, MAX_SEED) or 0
    grade = in_range("grade", wanted.get("grade"), GRADES[0], GRADES[-1])
    return puzzle(kind, seed, grade)


def day_of(text: str) -> date:
    """A day that is given."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadVariant(
            _("A date is written 2026-11-15, not {text!r}.", text=printable(text, 20))
        ) from None


def fault(puzzle: Puzzle, move: Move) -> str:
    """What becomes of a wrong answer; empty where that would give the right one away, and where it
    is a matter of chances."""
    game = puzzle.state.game
    option = next(option for option in puzzle.options if option.move == move)
    told = "" if game.has_deck else coach.why(puzzle.state, option)
    return "" if game.label(puzzle.solution) in re.findall(r"\w+", told) else told


@lru_cache(maxsize=32)
def _posed(at: str) -> Puzzle:
    found = posed(parse(at).state, fewest=2)
    if found is None:
        raise BadVariant(
            _("This position is not a puzzle: it has more than one good move, or none.")
        )
    return found
