"""An activity at the prompt: its lines, and what can be typed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Generic, TypeVar

from numduel.activities import Activity, Scene, run
from numduel.activities.base import noted, plain, until_next
from numduel.activities.keeping import Kept
from numduel.activities.puzzle import SQUARES
from numduel.core.errors import NumduelError
from numduel.core.text import either
from numduel.core.view import view
from numduel.play.record import parse
from numduel.terminal.screen import NO_BREAK, Screen
from numduel.terminal.waiting import waited

QUIT = ("quit", "exit", "q")
HELP = ("help", "?")
LETTERS = str.maketrans({square: mark.upper() for mark, square in SQUARES.items()})
"""What stands for the moves of a daily puzzle where no emoji can be written."""
Some = TypeVar("Some", bound=Activity)


class Prompt(Generic[Some]):
    """An activity in which a person types."""

    def __init__(self, kept: Kept[Some], screen: Screen) -> None:
        self.activity = kept.activity
        self.screen = screen
        self._kept = kept
        kept.complain = screen.fail
        self._shown = Scene()
        """What was printed last."""
        self._since = monotonic()
        """When that was: time counts while somebody is asked."""

    def run(self, link: str) -> None:
        """Begin with what an address names, and go on as long as there is something to do and one
        likes."""
        self._act("begin", link)
        try:
            while self.activity.scene.moves or self.activity.scene.choices:
                action, typed = self._ask(self.activity.scene)
                if action in QUIT:
                    break
                try:
                    self._act(action, typed)
                except NumduelError as error:
                    self.screen.fail(str(error))
        except (EOFError, KeyboardInterrupt):
            if self.screen.interactive:
                self.screen.say("")
        self._act("leave")

    def _act(self, action: str, given: str = "") -> None:
        """What cannot be computed leaves everything as it was. Nobody waits for a pause here."""
        activity = self._done(self.activity.after(monotonic() - self._since), action, given)
        new, self.activity = activity is not self.activity, activity
        if new:
            self.tell(activity.scene)
        self._kept.keep(activity)
        self._since = monotonic()
        if activity.scene.pause:
            self._act(activity.scene.then)

    @staticmethod
    def _done(activity: Some, action: str, given: str = "") -> Some:
        activity = activity.act(action, given)
        while activity.work is not None:
            activity = activity.fed(waited(partial(run, activity.work)))
        return activity

    # -- printing ---------------------------------------------------------------------------

    def tell(self, scene: Scene) -> None:
        """Print what is new."""
        before, self._shown = self._shown, scene
        new = scene.link not in ("", before.link)
        judged = bool(scene.said) and scene.said[0].kind in ("right", "wrong")  # what was before
        if new and not judged:
            self._head(scene, first=not before.link)
        for line in _lines(scene):
            self.screen.say(_lettered(line))
        if new and judged:
            self._head(scene, first=False)
        for sentence in scene.said:
            if sentence.kind == "error":
                self.screen.fail(sentence.text)
        notes, going_on = noted(scene), scene.moves or scene.choices
        if notes and going_on and not scene.pause and (new or notes != noted(before)):
            self.screen.say(_lettered(notes))
        if scene.next_day and scene.next_day != before.next_day:
            time = until_next(scene.next_day, datetime.now())
            self.screen.say(f"Next puzzle in {time}.")
        if scene.at and (new or (scene.moves and scene.at != before.at)):
            self._board(scene)
        if new:
            self.screen.say("", _help(scene) if scene.moves else plain(scene.goal))

    def _head(self, scene: Scene, *, first: bool) -> None:
        """The title, and what to read first: paragraphs and numbered lists."""
        if not first:
            self.screen.say("")
        self.screen.say(self.activity.heading)
        for block in scene.text:
            self.screen.say("")
            if isinstance(block, str):
                self.screen.say(plain(block))
            else:
                self.screen.say(*(f"{number}. {item}" for number, item in enumerate(block, 1)))

    def _board(self, scene: Scene) -> None:
        record = parse(scene.at)
        state, seen = record.state, view(record.state, record.names)
        self.screen.tell_apart(seen.names, state.game.markers)
        self.screen.say("", *state.game.board(seen))

    # -- asking -----------------------------------------------------------------------------

    def _ask(self, scene: Scene) -> tuple[str, str]:
        """What is typed: a word that does something now, or a move."""
        if not scene.moves:
            return self._go_on(scene), ""
        record = parse(scene.at)
        *lines, question = record.game.prompt(view(record.state, record.names))
        self.screen.say("", *lines)
        while True:
            typed = self.screen.ask(question).strip()
            if typed.lower() in (*(choice.action for choice in scene.choices), *QUIT):
                return typed.lower(), ""
            if typed.lower() not in HELP:
                return "move", typed
            self.screen.say(_help(scene))

    def _go_on(self, scene: Scene) -> str:
        """Wait for Enter, which does the main thing, or for another word."""
        words = [choice.action for choice in scene.choices]
        more = either([*words[1:], "quit"])
        self.screen.say("")
        while True:
            what = scene.choices[0].label.lower()
            typed = self.screen.ask(f"Enter: {what}, or type {more} > ")
            word = typed.strip().lower() or words[0]
            if word in (*words, *QUIT):
                return word
            self.screen.fail(f"Please press Enter, or type {more}.")


def _help(scene: Scene) -> str:
    words = either([*(choice.action for choice in scene.choices), "quit"])
    return plain(" ".join([scene.goal, f"Or type {words}."]))


def _lettered(line: str) -> str:
    """A line in which letters stand for emoji, if those cannot be printed."""
    try:
        line.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return line.translate(LETTERS)
    return line


def _lines(scene: Scene) -> Iterator[str]:
    """What is said, line by line; a verdict shares its line with the reason. What is to be shared
    is never broken, so that it can be copied."""
    verdict = ""
    for sentence in scene.said:
        text = plain(sentence.text)
        if verdict and sentence.kind not in ("why", "hint"):
            yield verdict
            verdict = ""
        if sentence.kind in ("right", "wrong", "answer"):
            verdict = text
        elif sentence.kind != "error":
            told = text.replace(" ", NO_BREAK) if sentence.kind == "share" else text
            yield f"{verdict} {told}".lstrip()
            verdict = ""
    if verdict:
        yield verdict
