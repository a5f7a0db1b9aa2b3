"""Puzzle storm: as many puzzles as one can solve in three minutes, harder and harder ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

from numduel.activities.base import (
    Activity,
    Choice,
    Scene,
    Sentence,
    Work,
    record_of,
    refused,
)
from numduel.core.language import N_, _, class_text
from numduel.core.text import MAX_SEED, titled
from numduel.games import games
from numduel.games import offered as find
from numduel.learn.ideas import subject
from numduel.learn.puzzle import GRADES, puzzle_near
from numduel.play.record import parse

LENGTH = 180.0
"""Seconds of a storm."""
PENALTY = 10
"""Seconds that a wrong answer costs."""
EACH = 3
"""Right answers after which puzzles get harder by a grade."""
ROW, BONUS = 5, 5
"""Right answers in a row that earn time, and the seconds that they earn."""
AHEAD = 3
"""Puzzles that are found before they are needed."""
SHOWN = 1.5
"""Seconds for which the right move is shown after a wrong one."""
ALL = "all"
"""What stands for puzzles of all games."""
START = Choice("start", N_("Start"), "s", N_("Start the clock"))
AGAIN = Choice("again", N_("Again"), "a", N_("Another three minutes"))
GAME = Choice("game", N_("Another game"), "g", N_("Puzzles of another game, or of all"))
NEXT = Choice("next", N_("Next puzzle"), "n", N_("Go on to the next puzzle"))
STOP = Choice("stop", N_("Stop"), "x", N_("Stop the clock, and see the result"))
RULES = N_(
    "Solve as many puzzles as you can in three minutes; every three make the next ones harder."
    " A wrong answer costs ten seconds, and five right ones in a row earn five."
)


@dataclass(frozen=True)
class Posed:
    """A puzzle, with its answer."""

    at: str
    """The position, as a record."""
    called: str
    """The name of its game."""
    task: str
    link: str
    grade: int
    answer: str


@dataclass(frozen=True)
class Had:
    """A puzzle that was answered."""

    title: str
    link: str
    right: bool


@dataclass(frozen=True)
class Storm(Activity):
    """Puzzles that somebody solves against the clock."""

    NAME: ClassVar = "storm"
    TITLE: ClassVar = class_text("Puzzle storm")
    ABOUT: ClassVar = class_text("three minutes of puzzles")
    CHOICES: ClassVar = (START, AGAIN, GAME, NEXT, STOP)

    seed: int = 0
    """Of the puzzle that is looked for next."""
    best: dict[str, int] = field(default_factory=dict)
    """The most that were solved so far, by game."""
    game: str = ALL
    stage: Literal["ready", "running", "wrong", "over", "left"] = "ready"
    """Whether it has begun, the answer is shown after a wrong one, or it has ended."""
    seconds: float = LENGTH
    """The time that is left."""
    posed: Posed | None = None
    """The puzzle on the board; none while the next is looked for."""
    ready: tuple[Posed, ...] = ()
    """The puzzles that come next."""
    had: tuple[Had, ...] = ()
    row: int = 0
    """The right answers since the last wrong one."""
    grade: int = GRADES[0]
    """Of the puzzle that was found last: the next is no easier."""
    result: str = ""
    """How it ended, in a sentence."""

    # -- acting -----------------------------------------------------------------------------

    def act(self, action: str, given: str = "") -> Self:
        """Begin with a game, or with all of them; start the clock, perhaps for another game; answer
        a puzzle, go on after a wrong answer, or stop; or have more puzzles found ahead."""
        if action == "begin":
            return self._ready(given or self.game)
        if self.stage in ("ready", "over"):
            return self._at_rest(action, given)
        if action == "stop":
            return self._over(stopped=True)
        if action == "leave":
            over = self.act("stop")
            return replace(over, stage="left", said=(Sentence("note", over.result), *over.said))
        if self.stage == "wrong" and action == "next":
            return replace(self, said=())._next()
        if self.stage != "running" or self.posed is None:
            return self
        if action == "move":
            return self._answer(self.posed, given)
        return self._look() if action == "more" and self.work is None else self

    def after(self, seconds: float) -> Self:
        """The clock runs while there is a puzzle to solve."""
        if self.stage != "running" or self.posed is None:
            return self
        passed = replace(self, seconds=max(0.0, self.seconds - max(0.0, seconds)))
        return passed if passed.seconds else passed._over()

    def fed(self, result: Any) -> Self:
        """A puzzle that was found."""
        posed = Posed(**result)
        found = replace(self, work=None, ready=(*self.ready, posed), grade=posed.grade)
        return found._next() if self.posed is None else found

    def _at_rest(self, action: str, given: str) -> Self:
        """What can be done while no clock runs."""
        if action in ("start", "again"):
            return replace(self._ready(given or self.game), stage="running")._next()
        if action == "game":
            names = [ALL, *(kind.name for kind in games())]
            at = names.index(self.game) if self.game in names else 0
            return self._ready(names[(at + 1) % len(names)])
        return replace(self, stage="left", said=()) if action == "leave" else self

    def _ready(self, game: str) -> Self:
        name = game if game == ALL else find(game).name
        return replace(
            self, game=name, stage="ready", seconds=LENGTH, posed=None, ready=(), had=(), row=0,
            grade=GRADES[0], said=(), work=None,
        )  # fmt: skip

    def _look(self) -> Self:
        """Look for a puzzle; what was said stays."""
        number = self._solved + (self.posed is not None) + len(self.ready)
        grade = max(self.grade, min(GRADES[0] + number // EACH, GRADES[-1]))
        told = "" if self.posed else _("Looking for a puzzle")
        work = Work("storm_puzzle", (self.game, self.seed, grade, self.grade), told)
        return replace(self, seed=(self.seed + 1) % (MAX_SEED + 1), work=work)

    def _next(self) -> Self:
        if not self.seconds:
            return self._over()
        on = replace(self, stage="running", posed=self.ready[0] if self.ready else None)
        return replace(on, ready=self.ready[1:]) if self.ready else on._look()

    def _answer(self, posed: Posed, move: str) -> Self:
        if refusal := refused(posed.at, move):
            return replace(self, work=None, said=(refusal,))
        state = parse(posed.at).state
        answer = state.play(posed.answer).moves[-1]
        right = state.play(move).moves[-1] == answer
        had = Had(
            _("{game}, grade {grade}", game=posed.called, grade=posed.grade), posed.link, right
        )
        answered = replace(self, work=None, had=(*self.had, had))
        if right:
            return answered._right()
        told = _(
            "Wrong: it was {move}. That costs {seconds} seconds.",
            move=subject(state, answer),
            seconds=PENALTY,
        )
        left = max(0.0, self.seconds - PENALTY)
        said = (Sentence("wrong", told),)
        return replace(answered, stage="wrong", row=0, seconds=left, said=said)

    def _right(self) -> Self:
        """Go on after a right answer, with more time after some in a row."""
        row, told = self.row + 1, _("Right.")
        if row % ROW == 0:
            told = _("Right, {row} in a row: {seconds} seconds more.", row=row, seconds=BONUS)
        earned = BONUS if row % ROW == 0 else 0
        after = replace(self, row=row, seconds=self.seconds + earned)
        return replace(after, said=(Sentence("right", told),))._next()

    def _over(self, *, stopped: bool = False) -> Self:
        solved, record = self._solved, self._solved > self._best
        share = Sentence(
            "share",
            _("numduel storm · {game} · {solved} solved", game=_called(self.game), solved=solved),
        )
        return replace(
            self, stage="over", posed=None, ready=(), work=None, said=(share,) if self.had else (),
            best=self.best | {self.game: solved} if record else self.best,
            result=_result(solved, record, stopped),
        )  # fmt: skip

    @property
    def _solved(self) -> int:
        return sum(one.right for one in self.had)

    @property
    def _best(self) -> int:
        return self.best.get(self.game, 0)

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """What can be chosen before, the puzzle and the clock, or the result."""
        grade = self.posed.grade if self.posed else GRADES[0]
        notes = (
            _("Solved: {n}", n=self._solved), _("In a row: {n}", n=self.row),
            _("Grade: {n}", n=grade), _("Best: {n}", n=self._best),
        )  # fmt: skip
        if self.stage == "left":
            return Scene(said=self.said)
        if self.stage == "ready":
            return Scene(
                _called(self.game), goal=_(RULES), notes=notes[-1:], choices=(START, GAME),
                link=f"ready {self.game}",
            )  # fmt: skip
        if self.stage == "over":
            rows = tuple(
                titled(_("Right") if one.right else _("Wrong"), one.title) for one in self.had
            )
            return Scene(
                _("{n} solved", n=self._solved), goal=self.result, said=self.said, notes=notes[-1:],
                choices=(AGAIN, GAME), link="over", text=(rows,) if rows else (),
            )  # fmt: skip
        if self.posed is None:
            return Scene(goal=_("Looking for a puzzle…"), said=self.said, choices=(STOP,))
        wrong, posed = self.stage == "wrong", self.posed
        return Scene(
            posed.called, _("grade {grade} of {most}", grade=posed.grade, most=GRADES[-1]),
            posed.task, posed.at, not wrong,
            self.said, notes, (NEXT, STOP) if wrong else (STOP,), link=posed.link,
            advised=(posed.answer,) if wrong else (), clock=self.seconds,
            then="next" if wrong else "more" if len(self.ready) < AHEAD else "",
            pause=SHOWN if wrong else 0.0,
        )  # fmt: skip


def _result(solved: int, record: bool, stopped: bool) -> str:
    if stopped and record:
        return _("You have stopped the storm: {n} solved, your best.", n=solved)
    if stopped:
        return _("You have stopped the storm: {n} solved.", n=solved)
    if record:
        return _("The storm is over: {n} solved, your best.", n=solved)
    return _("The storm is over: {n} solved.", n=solved)


def _called(game: str) -> str:
    return _("All games") if game == ALL else find(game).display_name


# -- what is computed -----------------------------------------------------------------------


def storm_puzzle(game: str, seed: int, grade: int, least: int) -> dict[str, Any]:
    """The puzzle of a seed that is about as hard as a grade says, and no easier than the least."""
    found = puzzle_near(None if game == ALL else find(game), seed, grade, least)
    state = found.state
    return asdict(
        Posed(
            record_of(state), state.game.display_name, found.task, found.link, found.grade,
            str(found.solution),
        )
    )  # fmt: skip


TASKS = (storm_puzzle,)
