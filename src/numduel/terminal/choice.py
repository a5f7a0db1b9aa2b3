"""What a person is asked at the prompt: which game, and yes or no."""

from __future__ import annotations

from numduel.core.errors import BadVariant, UnknownGame
from numduel.core.text import either, similar
from numduel.games import game, games
from numduel.terminal.screen import Screen

LEAVE = ("q", "quit", "exit")


def choose_game(screen: Screen, name: str | None) -> str | None:
    """The name of a game: as given, or as the person means or chooses it; None if they leave.
    Without a terminal nobody is asked."""
    if name is None:
        if not screen.interactive:
            names = either(kind.name for kind in games())
            raise BadVariant(f"Name a game: {names}.")
        return _ask_for_game(screen)
    try:
        game(name)
    except UnknownGame:
        meant = similar(name.strip().lower(), (kind.name for kind in games()))
        if not (screen.interactive and meant):
            raise
        question = f"Did you mean {meant}? (Enter: yes, n: no) "
        return meant if confirmed(screen, question, default=True) else None
    return name


def _ask_for_game(screen: Screen) -> str | None:
    """The name of a game from the list, by its number or its name; None if the person leaves."""
    screen.say("", "Which game?", "")
    names = [kind.name for kind in games()]
    for number, kind in enumerate(games(), 1):
        screen.say(
            f"  {number}  {kind.name:9}{kind().display_name}", f"     {'':9}  {kind.summary}"
        )
    screen.say("")
    known = {str(number): name for number, name in enumerate(names, 1)}
    known |= {name: name for name in names}
    highest = f"a number from 1 to {len(names)}"
    expected = either([highest, "q"])
    try:
        while True:
            answer = screen.ask(f"Type {expected}: ").strip().lower()
            if answer in LEAVE:
                return None
            if answer in known:
                return known[answer]
            screen.fail(f"That is not on the list. Please type {expected}.")
    except (EOFError, KeyboardInterrupt):
        screen.say("")
        return None


def confirmed(screen: Screen, question: str, *, default: bool) -> bool:
    """Whether the person says yes; Enter means the default, and leaving means no."""
    yes, no = "yes", "no"
    answers = {"": default, yes[0]: True, yes: True, no[0]: False, no: False}
    answers |= {"y": True, "yes": True, "n": False, "no": False, "q": False}
    try:
        while True:
            answer = screen.ask(question).strip().lower()
            if answer in answers:
                return answers[answer]
            screen.fail("Please type yes or no.")
    except (EOFError, KeyboardInterrupt):
        screen.say("")
        return False
