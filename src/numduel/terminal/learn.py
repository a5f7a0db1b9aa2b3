"""Lessons at the prompt: a few sentences, a position, and one thing to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.text import printable, whole_number
from numduel.core.view import view
from numduel.games import game as find
from numduel.lesson import Lesson, Step, lesson, lessons, progress
from numduel.lesson.steps import Text
from numduel.match import begin
from numduel.players import player
from numduel.store import new_save
from numduel.terminal.options import Json, Plain, complete_game
from numduel.terminal.play import PromptGame
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

MOVES = re.compile("`([^`]*)`")
"""Moves in the text of a lesson: on the page they stand between backticks."""


def learn(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A game; without, the list of lessons.",
            autocompletion=complete_game,
        ),
    ] = None,
    step: Annotated[
        str | None, typer.Option(metavar="STEP", help="The step to begin with.")
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Learn a game step by step, from its goal to beating the computer."""
    if game is None:
        _list(as_json=as_json)
        return
    kind = find(game)
    found = waited(lambda: lesson(kind))
    steps = _steps(found, step)
    if as_json:
        print(json.dumps(found.json() | {"done": _done(found)}))
    else:
        LessonPrompt(found, Screen(plain=plain)).run(steps)


def _list(*, as_json: bool) -> None:
    found = waited(lessons)
    if as_json:
        print(json.dumps([
            {"game": one.game.id, "name": one.game.name, "title": one.title,
             "steps": len(one.steps), "done": _done(one)}
            for one in found
        ]))  # fmt: skip
        return
    screen = Screen(plain=True)
    screen.say("Learn a game step by step:", "")
    for one in found:
        screen.say(f"  {one.game.name:9} {len(_done(one))} of {len(one.steps)} steps done")
    screen.say("", f"Begin, or go on: numduel learn {found[0].game.name}, for example")


def _done(found: Lesson) -> list[int]:
    """The steps of a lesson that are done."""
    known = progress.read().get(found.game.name, frozenset())
    return [number for number in range(1, len(found.steps) + 1) if number in known]


def _steps(found: Lesson, text: str | None) -> Sequence[int]:
    """The steps to take: from the one that was asked for, or those that are not done; when all
    are done, all again."""
    last = len(found.steps)
    if text is None:
        done = _done(found)
        return [one for one in range(1, last + 1) if one not in done] or range(1, last + 1)
    number = whole_number(text)
    if number is None or not 1 <= number <= last:
        raise BadVariant(
            f"--step must be a whole number from 1 to {last}, not {printable(text, 20)!r}."
        )
    return range(number, last + 1)


def listed_moves(found: re.Match[str]) -> str:
    """Moves of a lesson's text, as a person would write them."""
    return ", ".join(found[1].split())


class _Leave(Exception):
    """The learner leaves the lesson."""


class LessonPrompt:
    """A lesson that a person takes at the prompt."""

    def __init__(self, found: Lesson, screen: Screen) -> None:
        self.lesson = found
        self.screen = screen
        self._kept = True

    def run(self, steps: Sequence[int]) -> None:
        """Take steps in turn, until the last one is done or the person leaves."""
        try:
            self._say(self.lesson.title)
            if steps[0] == 1:
                self._tell(self.lesson.text)
            for number in steps:
                if self._take(number):
                    self._keep(number)
                    if number != steps[-1]:
                        self._goes_on("Enter: go on, quit: leave > ")
            self.screen.say("")
            self._say(f"The lesson is over. Play on with: numduel play {self.lesson.game.name}")
        except (EOFError, KeyboardInterrupt, _Leave) as leave:
            if self.screen.interactive and not isinstance(leave, _Leave):
                self.screen.say("")
            self._say(f"Go on whenever you like: numduel learn {self.lesson.game.name}")

    # -- one step ---------------------------------------------------------------------------

    def _take(self, number: int) -> bool:
        """Take a step; whether it was done, and not skipped."""
        step = self.lesson.steps[number - 1]
        self.screen.say("", f"{number} of {len(self.lesson.steps)}: {step.title}")
        self._tell(step.text)
        self.screen.say("")
        return self._play(step) if step.kind == "beat" else self._solve(step)

    def _solve(self, step: Step) -> bool:
        """Ask for the move of a step until it is right."""
        game, seen = step.state.game, view(step.state)
        self.screen.tell_apart(
            *zip(seen.names, (f"[{mark}]" for mark in game.markers), strict=True)
        )
        self.screen.say(*game.board(seen), "")
        asked = f"{step.you} {step.task} Or type hint, skip or quit."
        self._say(asked)
        *lines, question = game.prompt(seen)
        self.screen.say("", *lines)
        hints = 0
        while True:
            typed = self.screen.ask(question).strip()
            word = typed.lower()
            if word in ("quit", "exit", "q"):
                raise _Leave
            if word == "skip":
                return False
            if word in ("help", "?"):
                self._say(asked)
                continue
            if word == "hint":
                hints += 1
                self._say(step.hint(hints))
                continue
            try:
                answer = step.answer(typed)
            except IllegalMove as refused:
                self.screen.fail(str(refused))
                continue
            if answer.right:
                self._say(answer.said)
                return True
            hints = max(hints, 1)  # the nudge has been told
            self.screen.fail(answer.said)

    def _play(self, step: Step) -> bool:
        """Play whole games against the computer until one is won. A move that breaks a rule is
        asked again: here one learns."""
        self._say(f"{step.you} {step.task}")
        while self._goes_on("Enter: play, skip or quit > "):
            match = begin(
                step.state.game,
                first=step.state.to_move,
                players=("human", step.level),
                forgiving=True,
            )
            self.screen.say("")
            seats = (None, player(step.level))
            PromptGame(match, seats, self.screen, new_save(match.record)).play()
            winner = match.state.winner
            if winner is None:
                raise _Leave
            self.screen.say("")
            if winner == step.seat:
                self._say(f"You have beaten {step.level}. {step.right}".rstrip())
                return True
            self._say("Not this time. Look at the list again:")
            self._tell(step.text[1:])
        return False

    def _goes_on(self, question: str) -> bool:
        """Wait for Enter; whether it was that, and not skip."""
        self.screen.say("")
        while True:
            answer = self.screen.ask(question).strip().lower()
            if answer in ("quit", "exit", "q"):
                raise _Leave
            if answer in ("", "skip"):
                return not answer
            self.screen.fail("Please press Enter, or type skip or quit.")

    def _keep(self, number: int) -> None:
        """Keep that a step is done. An error is told once, and the lesson goes on."""
        try:
            progress.add(self.lesson.game.name, number)
        except OSError as error:
            if self._kept:
                self.screen.fail(f"Your progress cannot be kept: {error.strerror}.")
            self._kept = False

    # -- text -------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self.screen.say(MOVES.sub(listed_moves, text))

    def _tell(self, text: Text) -> None:
        """Print paragraphs and numbered lists, as wide as the terminal."""
        for block in text:
            self.screen.say("")
            if isinstance(block, str):
                self._say(block)
            else:
                self._items(block)

    def _items(self, items: Iterable[str]) -> None:
        for number, item in enumerate(items, 1):
            self.screen.say(f"{number}. {item}")
