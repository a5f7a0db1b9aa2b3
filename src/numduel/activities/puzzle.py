"""Puzzles, one after the other: tries, hints, the answer, streaks, and the line to share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, urlencode

from numduel.activities.base import Activity, Choice, Scene, Sentence, record_of, refused
from numduel.core.errors import BadVariant
from numduel.core.state import Move
from numduel.core.text import MAX_SEED, either, in_range, printable, whole_number
from numduel.games import offered as find
from numduel.learn import coach
from numduel.learn.coach.words import capital
from numduel.learn.puzzle import GRADES, Puzzle, daily, grades, kinds, posed, puzzle
from numduel.learn.streaks import Streaks
from numduel.play.record import parse

SEEDS = 1_000_000
"""Random seeds are below this: short enough to pass on."""
HINT = Choice("hint", "Hint", "h", "What to look at; ask again for fewer moves to choose from")
SHOW = Choice("show", "Show answer", "s", "Give up, and see the answer")
NEXT = Choice("next", "Another puzzle", "n", "Another puzzle")
KINDS = ("game", "grade", "theme")
"""What can be chosen about a puzzle."""
NO_STREAKS = Streaks()


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

    def named(self, move: str) -> str:
        """A move as part of a sentence: ``5``, ``discarding 4``."""
        state = parse(self.at).state
        return state.game.subject(state.play(move).moves[-1])


@dataclass(frozen=True)
class Puzzles(Activity):
    """Puzzles that somebody solves."""

    NAME: ClassVar = "puzzle"
    CHOICES: ClassVar = (HINT, SHOW, NEXT)

    seed: int = 0
    """The seed of the next puzzle, unless that is a daily one."""
    streaks: Streaks = NO_STREAKS
    wish: str = ""
    """The game, grade and theme that are wanted, as in an address."""
    posed: Posed | None = None
    tries: int = 0
    hints: int = 0
    nudges: int = 0
    """How many nudges have been given."""
    candidates: tuple[str, ...] = ()
    """The moves that no hint has ruled out."""
    over: bool = False
    """Whether it is solved or given up."""
    line: tuple[str, ...] = ()
    """The positions of the answer."""
    tried: int = 0
    """Puzzles that were tried so far."""
    solved: int = 0
    first_tries: int = 0

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
        if action == "move":
            return self._try(self.posed, given)
        if action == "hint":
            return self._hint(self.posed)
        if action == "show":
            return self._wait("solve_puzzle", self.posed.at, told="Thinking")
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
        if waited.task == "narrow_puzzle":
            told = f"The answer is {either(map(puzzle.named, result))}."
            return replace(done, candidates=tuple(result))._say(("hint", told))
        if waited.task == "solve_puzzle":
            told = f"The answer is {puzzle.named(result['move'])}."
            return done._end(result, done.streaks.after_missing(puzzle.link), ("answer", told))
        tried = replace(done, tries=self.tries + 1, tried=self.tried + (self.tries == 0))
        move = capital(puzzle.named(waited.arguments[1]))
        return tried._solved(result, move) if result["right"] else tried._wrong(result, move)

    def _look(self, wish: str, *, named: bool) -> Self:
        """Look for the puzzle of a link, or for the next of a kind."""
        wanted = dict(parse_qsl(wish))
        kind = urlencode([(key, wanted[key]) for key in KINDS if key in wanted])
        following = self.seed
        if named and not kind and "seed" not in wanted:
            link = wanted.get("date") or self.today
        else:
            seed = wanted.get("seed", "") if named else ""
            link = urlencode({"seed": seed or self.seed}) + (kind and f"&{kind}")
            number = whole_number(seed)
            following = ((self.seed if number is None else number) + 1) % (MAX_SEED + 1)
        looking = replace(self, wish=kind, seed=following, posed=None, over=False, line=())
        task = "find_puzzle" if "=" in link else "daily_puzzle"
        return looking._wait(task, link, told="Looking for a puzzle")

    def _begin(self, puzzle: Posed) -> Self:
        begun = replace(
            self, posed=puzzle, tries=0, hints=0, nudges=0, over=False, line=(),
            candidates=tuple(map(str, parse(puzzle.at).state.legal_moves)),
        )  # fmt: skip
        if puzzle.day == self.today == str(self.streaks.day):
            told = f"You have solved today’s puzzle on try {self.streaks.tries}."
            later = ("note", "The next one comes tomorrow.")
            return begun._say(("note", told), later, ("share", begun._shared(self.streaks.tries)))
        if puzzle.link in self.streaks.done:
            return begun._say(("note", "You have done this one before: it does not count again."))
        return begun

    def _try(self, puzzle: Posed, move: str) -> Self:
        if refusal := refused(puzzle.at, move):
            return replace(self, said=(refusal,))
        return self._wait("judge_puzzle", puzzle.at, move, told="Thinking")

    def _hint(self, puzzle: Posed) -> Self:
        """What to look at; then rule out half of the wrong moves that are left, but keep one."""
        asked = replace(self, hints=self.hints + 1)
        if self.nudges < len(puzzle.nudges):
            return asked._nudged(puzzle)
        return asked._wait("narrow_puzzle", puzzle.at, self.candidates, told="Thinking")

    def _nudged(self, puzzle: Posed, *before: tuple[Any, str]) -> Self:
        """Say what to look at, as long as there is something to say."""
        if self.nudges == len(puzzle.nudges):
            return self._say(*before, ("hint", "Try again, or ask for a hint."))
        nudge = puzzle.nudges[self.nudges]
        return replace(self, nudges=self.nudges + 1)._say(*before, ("hint", nudge))

    def _wrong(self, verdict: Mapping[str, Any], move: str) -> Self:
        assert self.posed is not None  # noqa: S101
        said = [("wrong", f"{move} is not it."), ("why", verdict["why"])]
        return self._nudged(self.posed, *(pair for pair in said if pair[1]))

    def _solved(self, verdict: Mapping[str, Any], move: str) -> Self:
        puzzle = self.posed
        assert puzzle is not None  # noqa: S101
        first = self.tries == 1 and not self.hints
        after = self.streaks.after_solving(
            puzzle.link, first_try=first, tries=self.tries,
            day=date.fromisoformat(puzzle.day) if puzzle.day == self.today else None,
        )  # fmt: skip
        won = replace(self, solved=self.solved + 1, first_tries=self.first_tries + first)
        told = won._end(verdict, after, ("right", f"{move} is right."))
        return replace(told, said=(*told.said, Sentence("share", told._shared(told._counted()))))

    def _end(self, answer: Mapping[str, Any], streaks: Streaks, verdict: tuple[Any, str]) -> Self:
        ended = replace(self, over=True, streaks=streaks, line=tuple(answer["line"]))
        return ended._say(verdict, *(("why", words) for words in answer["words"]))

    def _left(self) -> Self:
        """A puzzle that was begun and left counts as missed; today's can still be solved."""
        left = replace(self, work=None, said=())
        if self.posed is None or self.over or not (self.tries or self.hints):
            return left
        if self.posed.day and self.posed.day == self.today:
            return replace(left, streaks=replace(self.streaks, first_tries=0))
        return replace(left, streaks=self.streaks.after_missing(self.posed.link))

    def _summed_up(self) -> Self:
        told = ["The puzzle is left unsolved."] if self.posed and not self.over else []
        if self.tried > 1:
            first = f"{self.first_tries} on the first try"
            told.append(f"{self.solved} of {self.tried} puzzles solved, {first}.")
        return replace(self, posed=None)._say(*(("note", sentence) for sentence in told))

    def _say(self, *said: tuple[Any, str]) -> Self:
        return replace(self, said=tuple(Sentence(kind, text) for kind, text in said))

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The puzzle, what was said of it last, and what can be done."""
        puzzle = self.posed
        if puzzle is None:
            return Scene("Puzzle", goal=f"{self.work.told}…" if self.work else "", said=self.said)
        return Scene(
            f"{puzzle.title}: {parse(puzzle.at).state.game.display_name}",
            f"grade {puzzle.grade} of {GRADES[-1]}", puzzle.task,
            self.line[0] if self.line else puzzle.at, not self.over, self.said,
            tuple(self._notes(puzzle)), (NEXT,) if self.over else self.CHOICES,
            self.line, puzzle.link,
        )  # fmt: skip

    def _notes(self, puzzle: Posed) -> list[str]:
        kept, days = self.streaks, self._days()
        reached = [f"Puzzles solved: {kept.solved}"]
        if days > 1:
            reached.append(f"days in a row: {days}")
        if kept.first_tries > 1:
            reached.append(f"first tries in a row: {kept.first_tries}")
        again = puzzle.day == self.today == str(kept.day) and not self.tries
        number = "" if self.over or again else f"Try {self.tries + 1}"
        return [number, " · ".join(reached)]

    def _days(self) -> int:
        """The streak of days, if this is the puzzle of today."""
        if self.posed is None or not self.posed.day or self.posed.day != self.today:
            return 0
        return self.streaks.on(date.fromisoformat(self.today))

    def _counted(self) -> int:
        """The try that counts: for today's puzzle, the one that solved it first."""
        return self.streaks.tries if self._days() else self.tries

    def _shared(self, tries: int) -> str:
        """A solved puzzle as one line to share, without the answer."""
        assert self.posed is not None  # noqa: S101
        parts = [self.posed.label, f"solved on try {tries}"]
        if self.hints:
            parts[-1] += " with a hint" if self.hints == 1 else f" with {self.hints} hints"
        if days := self._days():
            parts.append(f"streak {days}")
        elif not self.posed.day and self.streaks.first_tries > 1:
            parts.append(f"{self.streaks.first_tries} first tries in a row")
        return " · ".join(parts)


# -- what is computed -----------------------------------------------------------------------


def daily_puzzle(day: str) -> dict[str, Any]:
    """The puzzle of a day, without its answer."""
    return _asked(daily(day_of(day)))


def find_puzzle(link: str) -> dict[str, Any]:
    """The puzzle that a link names, without its answer."""
    return _asked(named(link))


def _asked(found: Puzzle) -> dict[str, Any]:
    return asdict(
        Posed(
            record_of(found.state), found.title, found.task, found.label, found.link, found.grade,
            found.day.isoformat() if found.day else "", found.nudges,
        )
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


def puzzle_kinds(game: str) -> dict[str, Any]:
    """Which puzzles a game has: their grades, and their themes, what is easiest to see first."""
    kind = find(game)
    return {
        "grades": grades(kind),
        "themes": [
            {"name": idea.name, "instruction": idea.instruction, "grades": there}
            for idea, there in kinds(kind).items()
            if idea is not None
        ],
    }


TASKS = (daily_puzzle, find_puzzle, judge_puzzle, narrow_puzzle, solve_puzzle, puzzle_kinds)


def named(link: str) -> Puzzle:
    """The puzzle of a link."""
    wanted = dict(parse_qsl(link))
    if "date" in wanted:
        return daily(day_of(wanted["date"]))
    kind = find(wanted["game"]) if "game" in wanted else None
    seed = in_range("seed", wanted.get("seed"), 0, MAX_SEED) or 0
    grade = in_range("grade", wanted.get("grade"), GRADES[0], GRADES[-1])
    return puzzle(kind, seed, grade, wanted.get("theme"))


def day_of(text: str) -> date:
    """A day that is given."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadVariant(f"A date is written 2026-11-15, not {printable(text, 20)!r}.") from None


def fault(puzzle: Puzzle, move: Move) -> str:
    """What becomes of a wrong answer; empty where that would give the right one away, and where it
    is a matter of chances."""
    game = puzzle.state.game
    option = next(option for option in puzzle.options if option.move == move)
    told = "" if game.has_deck else coach.why(puzzle.state, option)
    return "" if game.label(puzzle.solution) in re.findall(r"\w+", told) else told


@lru_cache(maxsize=32)
def _posed(at: str) -> Puzzle:
    found = posed(parse(at).state)
    if found is None:
        raise BadVariant("This position is not a puzzle: it has more than one good move, or none.")
    return found
