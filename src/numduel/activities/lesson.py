"""A lesson, step by step: a few sentences, a position, and one thing to do; or a whole game against
the computer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Self

from numduel.activities.base import (
    Activity,
    Choice,
    Mark,
    Scene,
    Sentence,
    record_of,
    refused,
)
from numduel.core.errors import BadVariant
from numduel.core.language import N_, _
from numduel.core.state import State
from numduel.core.text import titled, whole_number
from numduel.core.view import view
from numduel.games import game as find
from numduel.learn.lesson import Step, lesson
from numduel.learn.lesson.steps import Text
from numduel.play.players import answered, player
from numduel.play.record import parse

HINT = Choice("hint", N_("Hint"), "h", N_("What to look at; ask again for the answer"))
NEXT = Choice("next", N_("Next step"), "n", N_("The next step"))
SKIP = Choice("skip", N_("Skip"), "n", N_("The next step, without doing this one"))
AGAIN = Choice("again", N_("Play again"), "a", N_("Play the game of this step again"))
PREVIOUS = Choice("previous", N_("Previous step"), "N", N_("The previous step"))
ANSWERS = (
    Choice("1", "1", "1", N_("Give answer 1")),
    Choice("2", "2", "2", N_("Give answer 2")),
    Choice("3", "3", "3", N_("Give answer 3")),
    Choice("4", "4", "4", N_("Give answer 4")),
)


@dataclass(frozen=True)
class Told:
    """A step without its answer."""

    title: str
    text: Text
    task: str
    at: str
    """The position, as a record."""
    whole: bool
    """Whether a whole game is to be won."""
    titles: tuple[str, ...]
    """Of all steps."""
    answers: int = 0
    """How many there are to choose from, in a question without a board."""


@dataclass(frozen=True)
class Lessons(Activity):
    """Somebody takes a lesson."""

    NAME: ClassVar = "lesson"
    CHOICES: ClassVar = (HINT, *ANSWERS, NEXT, SKIP, AGAIN, PREVIOUS)

    game: str = ""
    number: int = 1
    """The step that is taken, from 1."""
    done: tuple[int, ...] = ()
    """The steps that are done."""
    step: Told | None = None
    at: str = ""
    """The position that has been reached."""
    hints: int = 0
    solved: bool = False
    over: bool = False
    """Whether the whole game of a step is over."""
    advised: tuple[str, ...] = ()
    """The moves that the last hint named."""

    # -- acting -----------------------------------------------------------------------------

    def act(self, action: str, given: str = "") -> Self:
        """Begin the lesson of a game at a step, such as ``line 3``, or at the first that is not
        done; make a move, answer a question, have a hint, or go to another step."""
        if action == "begin":
            game, _space, step = given.partition(" ")
            return replace(self, game=game)._open(whole_number(step) or 0)
        if action == "leave":
            return replace(self, work=None, said=())
        if self.step is None or self.work is not None:
            return self
        if action in ("next", "skip", "previous", "again", "step"):
            number = self._other(self.step, action, given)
            return self._open(number) if 1 <= number <= len(self.step.titles) else self
        if self.solved or self.over:
            return self
        if action == "move" and self.step.answers == 0:
            return self._try(given)
        if action in [choice.action for choice in ANSWERS[: self.step.answers]]:
            return self._ask(action)
        if action == "hint":
            asked = replace(self, hints=self.hints + 1)
            return asked._wait("hint_step", self.game, self.number, asked.hints, told=_("Thinking"))
        return self

    def fed(self, result: Any) -> Self:
        """A step that was opened, what became of a move, or a hint."""
        waited, done = self.work, replace(self, work=None, said=())
        if waited is None:
            return self
        if waited.task == "hint_step":
            said = tuple(Sentence("hint", line) for line in result["lines"])
            return replace(done, said=said, advised=tuple(result["moves"]))
        if waited.task == "open_step":
            return replace(
                done, number=result.pop("number"), step=Told(**result), at=result["at"], hints=0,
                solved=False, over=False, advised=(),
            )  # fmt: skip
        return done._tried(result)

    def _other(self, step: Told, action: str, given: str) -> int:
        """The number of another step; going on skips the steps that are done, unless all are."""
        if action in ("next", "skip"):
            later = range(self.number + 1, len(step.titles) + 1)
            return next((one for one in later if one not in self.done), self.number + 1)
        steps = {"previous": self.number - 1, "again": self.number}
        return steps.get(action, whole_number(given) or 0)

    def _open(self, number: int) -> Self:
        task = ("open_step", self.game, number, self.done)
        return replace(self, said=(), step=None)._wait(*task, told=_("Opening the lesson"))

    def _try(self, move: str) -> Self:
        if refusal := refused(self.at, move):
            return replace(self, said=(refusal,))
        return self._ask(move)

    def _ask(self, given: str) -> Self:
        return self._wait("try_step", self.game, self.number, self.at, given, told=_("Thinking"))

    def _tried(self, result: Mapping[str, Any]) -> Self:
        tried = replace(
            self, at=result["at"], solved=result["right"], over=result["over"], advised=(),
            hints=max(self.hints, 1),  # the nudge is told with what is wrong
        )  # fmt: skip
        said = [Sentence(kind, text) for kind, text in result["said"]]
        if not tried.solved:
            return replace(tried, said=tuple(said))
        if tried.step and tried.number == len(tried.step.titles):
            said.append(Sentence("note", _("The lesson is over.")))
        return replace(tried, said=tuple(said), done=tuple(sorted({*self.done, self.number})))

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The step, what was said last, and what can be done."""
        step = self.step
        if step is None:
            return Scene(
                _("Lesson"), goal=f"{self.work.told}…" if self.work else "", said=self.said
            )
        last = self.number == len(step.titles)
        reached = _("{done} of {steps} steps done", done=len(self.done), steps=len(step.titles))
        place = _("{at} of {of}", at=self.number, of=len(step.titles))
        ended = self.solved or self.over
        onward = () if last else (NEXT if self.solved else SKIP,)
        again = (AGAIN,) if self.over and not self.solved else ()
        hint = () if ended else (HINT, *ANSWERS[: step.answers])
        earlier = (PREVIOUS,) if self.number > 1 and not (self.solved and last) else ()
        return Scene(
            titled(place, step.title), "", step.task,
            "" if step.answers else self.at, not (ended or step.answers), self.said, (reached,),
            choices=(*again, *hint, *onward, *earlier), link=f"{self.game} {self.number}",
            text=step.text, advised=self.advised,
            steps=tuple(
                Mark(title, number in self.done, number == self.number)
                for number, title in enumerate(step.titles, 1)
            ),
        )  # fmt: skip


# -- what is computed -----------------------------------------------------------------------


def open_step(game: str, number: int, done: tuple[int, ...]) -> dict[str, Any]:
    """A step of a lesson, or the first that is not done."""
    found = lesson(find(game))
    numbers = range(1, len(found.steps) + 1)
    number = number or next((one for one in numbers if one not in done), 1)
    step = step_of(game, number)
    state = replied(step, step.state) if step.kind == "beat" else step.state
    text = (*found.text, *step.text) if number == 1 else step.text
    titles = tuple(one.title for one in found.steps)
    told = Told(
        step.title, text, step.goal, record_of(state), step.kind == "beat", titles,
        len(step.answers),
    )  # fmt: skip
    return {"number": number, **asdict(told)}


def hint_step(game: str, number: int, count: int) -> dict[str, Any]:
    """A hint; the second one gives the answer, with the moves to mark on the board."""
    step = step_of(game, number)
    if step.kind == "beat":
        told = step.text[-1]
        return {"lines": [told] if isinstance(told, str) else list(told), "moves": []}
    line = step.hint(count)
    named = [] if line == step.nudge else [str(move) for move in step.moves]
    return {"lines": [line], "moves": named}


def try_step(game: str, number: int, at: str, move: str) -> dict[str, Any]:
    """What becomes of a move. In a whole game the computer answers."""
    step, state = step_of(game, number), parse(at).state
    if step.kind != "beat":
        answer = step.answer(move)
        said = [("right" if answer.right else "wrong", answer.said)]
        return _became(answer.state, said, right=answer.right, over=answer.right)
    if state.game != step.state.game:
        raise BadVariant(_("This step is about another game."))
    after = replied(step, state.play(move))
    seen, won = view(after), after.winner == step.seat
    did = after.game.does(after.game.worded_moves(after)[-1])
    said = [("move", f"{seen.name(seen.mover)} {did}.")]
    if after.winner is not None:
        verdict = ("right" if won else "wrong", ended(step, after))
        said = [verdict, *(("why", line) for line in after.game.end_reason(seen, after.winner))]
    return _became(after, said, right=won, over=after.winner is not None)


def _became(
    state: State, said: list[tuple[str, str]], *, right: bool, over: bool
) -> dict[str, Any]:
    return {"at": record_of(state), "said": said, "right": right, "over": over}


TASKS = (open_step, hint_step, try_step)


def step_of(game: str, number: int) -> Step:
    """A step of the lesson of a game."""
    found = lesson(find(game))
    if not 1 <= number <= len(found.steps):
        raise BadVariant(_("This lesson has steps 1 to {count}.", count=len(found.steps)))
    return found.steps[number - 1]


def replied(step: Step, state: State) -> State:
    """The state when the learner is to move again, or the game is over."""
    opponent = player(step.level)
    if opponent is None:
        raise BadVariant(_("A lesson is played against the computer."))
    return answered(state, step.seat, opponent, random.random)


def ended(step: Step, state: State) -> str:
    """The verdict on a whole game; empty while it goes on."""
    if state.winner is None:
        return ""
    if state.winner == step.seat:
        beaten = _("You have beaten {level}.", level=_(step.level))
        return f"{beaten} {step.right}".rstrip()
    return _("Not this time. Look at the list, and try again.")
