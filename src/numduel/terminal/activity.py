"""An activity at the prompt: what it says line by line, and what can be typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

from numduel.activities import Activity, Scene, run
from numduel.core.errors import NumduelError
from numduel.core.text import either
from numduel.core.view import view
from numduel.record import parse
from numduel.terminal.screen import NO_BREAK, Screen
from numduel.terminal.waiting import waited

QUIT = ("quit", "exit", "q")
HELP = ("help", "?")
Some = TypeVar("Some", bound=Activity)


class Prompt(Generic[Some]):
    """An activity that somebody does by typing. What it carries from one time to the next is kept
    after every action."""

    def __init__(self, activity: Some, screen: Screen, keep: Callable[[Some], None]) -> None:
        self.activity = activity
        self.screen = screen
        self._keep = keep
        self._shown = ""
        """What the board was printed for."""

    def run(self, link: str) -> None:
        """Begin with what an address names, and go on as long as one likes."""
        self._act("begin", link)
        try:
            while True:
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
        """What cannot be computed leaves everything as it was."""
        activity = self.activity.act(action, given)
        while activity.work is not None:
            activity = activity.fed(waited(partial(run, activity.work)))
        self.activity = activity
        self._keep(activity)
        self.tell(activity.scene)

    def tell(self, scene: Scene) -> None:
        """Print what is new."""
        if scene.link and scene.link != self._shown:
            self._show(scene)
        self._shown = scene.link
        for line in _lines(scene):
            self.screen.say(line)
        for sentence in scene.said:
            if sentence.kind == "error":
                self.screen.fail(sentence.text)

    def _show(self, scene: Scene) -> None:
        state = parse(scene.at).state
        seen = view(state)
        markers = zip(seen.names, state.game.markers, strict=True)
        self.screen.tell_apart(*((name, f"[{marker}]") for name, marker in markers))
        if self._shown:
            self.screen.say("")
        self.screen.say(", ".join(filter(None, (scene.title, scene.grade))), _help(scene))
        self.screen.say("", *state.game.board(seen))

    def _ask(self, scene: Scene) -> tuple[str, str]:
        """What is typed: one of the words that mean something now, or a move."""
        words = [choice.action for choice in scene.choices]
        if not scene.moves:
            answer = self.screen.ask(f"Enter for {scene.choices[0].label.lower()}, or quit: ")
            return (answer.strip().lower() if answer.strip().lower() in QUIT else words[0]), ""
        state = parse(scene.at).state
        *lines, question = state.game.prompt(view(state))
        self.screen.say("", *lines)
        while True:
            typed = self.screen.ask(question).strip()
            if typed.lower() in (*words, *QUIT):
                return typed.lower(), ""
            if typed.lower() not in HELP:
                return "move", typed
            self.screen.say(_help(scene))


def _help(scene: Scene) -> str:
    words = either([choice.action for choice in scene.choices] + ["quit"])
    return f"{scene.goal} Type it, or {words}."


def _lines(scene: Scene) -> Iterator[str]:
    """What is said, a line for each; a verdict stands before the next. What is to be shared stays
    in one piece, to be copied."""
    verdict = ""
    for sentence in scene.said:
        if sentence.kind in ("right", "wrong", "answer"):
            verdict = f"{sentence.text} "
        elif sentence.kind != "error":
            whole = sentence.kind == "share"
            yield verdict + (sentence.text.replace(" ", NO_BREAK) if whole else sentence.text)
            verdict = ""
    if verdict:
        yield verdict.rstrip()
