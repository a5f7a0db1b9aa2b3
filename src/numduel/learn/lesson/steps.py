"""What a lesson is made of, and how it responds to a try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, NoReturn

from numduel.core.errors import BadLesson, IllegalMove
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.language import _
from numduel.core.state import Move, State
from numduel.core.text import Clause, either, whole_number
from numduel.learn.ideas import reason, winning
from numduel.learn.strategies import Strategy

Kind = Literal["legal", "win", "best", "prefer", "beat", "answer"]
"""Which moves a step accepts: all that are legal, those that win, those with the best chance, those
of the right ones that an idea prefers; or, in a step that is a whole game, whatever wins it. A
question without a board has answers instead of moves, of which one is right."""
MOST_ANSWERS = 4
"""The most answers that a question without a board offers."""
Text = tuple[str | tuple[str, ...], ...]
"""Paragraphs; a list is a tuple of its items."""


def fail(game: Game, line: int, why: str) -> NoReturn:
    """Raise `BadLesson` for a line of the page of a game's lesson."""
    raise BadLesson(f"The lesson {game.name}.md, line {line}: {why}.")


def _not(given: object) -> str:
    return _("Not {given}.", given=given)


class Answer(NamedTuple):
    """What became of a try."""

    right: bool
    said: str
    state: State
    """After the move, if it was right; otherwise as it was."""


@dataclass(frozen=True)
class Step:
    """One idea: a few sentences, a position, and one thing to do there."""

    title: str
    text: Text
    task: str
    """What to do, in one sentence."""
    state: State
    kind: Kind
    moves: tuple[Move, ...] = ()
    """The moves that are accepted: exactly the right ones. None in a whole game."""
    idea: Idea | None = None
    """The idea that finds them, if there is one."""
    nudge: str = ""
    """What to look at, without the move."""
    right: str = ""
    """What is said after a right try, besides the reason."""
    level: str = ""
    """Whom to beat, in a whole game."""
    plan: Strategy | None = None
    """How to win a whole game."""
    board: tuple[str, ...] | None = None
    """The board as the page shows it."""
    right_answer: int = 0
    """The number of the right answer, in a question without a board."""

    @property
    def seat(self) -> int:
        """Where the learner sits: whoever is to move; in a whole game, always seat 1."""
        return 1 if self.kind == "beat" else self.state.to_move

    @property
    def goal(self) -> str:
        """What to do, and on a board as whom: ``You are Player 1 (X). Stop them.``"""
        return self.task if self.answers else f"{self.you} {self.task}"

    @property
    def you(self) -> str:
        """Who the learner is: ``You are Player 1 (X).``"""
        marker = self.state.game.markers[self.seat - 1]
        if marker == f"P{self.seat}":
            return _("You are Player {seat}.", seat=self.seat)
        return _("You are Player {seat} ({marker}).", seat=self.seat, marker=marker)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers to choose from in a question without a board: the list at the end of its
        text."""
        last = self.text[-1] if self.kind == "answer" else ()
        return last if isinstance(last, tuple) else ()

    def answer(self, move: Move) -> Answer:
        """What becomes of a move, or of the number of an answer; `IllegalMove` if the rules forbid
        the move or there is no such answer."""
        if self.answers:
            return self._answered(str(move))
        after = self.state.play(move)
        made = after.moves[-1]
        if made in self.moves:
            return Answer(True, self._praise(made), after)
        return Answer(False, self._doubt(made, after), self.state)

    def hint(self, number: int = 1) -> str:
        """What to look at; from the second hint on, the answer."""
        if number == 1 and self.nudge:
            return self.nudge
        if self.answers:
            return _("Answer {number} is right.", number=self.right_answer)
        game = self.state.game
        if self.kind == "legal":
            return _("You can choose {moves}.", moves=either(map(game.label, self.moves)))
        return _("The answer is {moves}.", moves=either(map(game.subject, self.moves)))

    def _answered(self, number: str) -> Answer:
        given = whole_number(number) or 0
        if not 1 <= given <= len(self.answers):
            numbers = either(range(1, len(self.answers) + 1))
            raise IllegalMove(_("Please choose {numbers}.", numbers=numbers))
        right = given == self.right_answer
        told = (_("Right."), self.right) if right else (_not(given), self.nudge)
        return Answer(right, " ".join(told).rstrip(), self.state)

    def _praise(self, move: Move) -> str:
        why = self.idea and reason(self.idea, self.state, move)
        told = _("Right: {why}.", why=Clause(why)) if why else _("Right.")
        return f"{told} {self.right}".rstrip()

    def _doubt(self, move: Move, after: State) -> str:
        """What is wrong with a move, without the right one."""
        game = self.state.game
        parts = [_not(game.label(move))]
        if not after.draws and after.mask:
            threat = game.moves(winning(game, after.position), after)
            told = [one for one in threat if one not in self.moves]
            if told:
                answer = game.label(told[0])
                parts.append(_("They would answer {answer}, and win at once.", answer=answer))
            elif threat:
                parts.append(_("They would win at once."))
        return " ".join([*parts, self.nudge]).rstrip()

    def json(self) -> dict[str, object]:
        """The step as plain data, its answers included."""
        return {
            "title": self.title,
            "text": list(self.text),
            "task": self.task,
            "variant": self.state.game.settings,
            "moves": self.state.text,
            "kind": self.kind,
            "accepted": [str(move) for move in self.moves or filter(None, [self.right_answer])],
            "idea": self.idea and self.idea.name,
            "level": self.level or None,
        }


@dataclass(frozen=True)
class Lesson:
    """How to play a game and how to win it, step by step."""

    game: Game
    title: str
    text: Text
    steps: tuple[Step, ...]

    def json(self) -> dict[str, object]:
        """The lesson as plain data."""
        return {
            "game": self.game.id,
            "name": self.game.name,
            "title": self.title,
            "text": list(self.text),
            "steps": [step.json() for step in self.steps],
        }
