"""The menu that ``numduel`` alone shows: a game, an opponent, and off it goes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from numduel.core.errors import NumduelError
from numduel.core.game import Game, whole_number
from numduel.games import games
from numduel.store import unfinished
from numduel.terminal.screen import Screen

Begin = Callable[[Screen, type[Game], tuple[str, str], int], None]
OPPONENTS: tuple[tuple[str, tuple[str, str], int], ...] = (
    ("Two people at this keyboard", ("human", "human"), 1),
    ("You against the computer; you begin", ("human", "random"), 1),
    ("You against the computer; it begins", ("human", "random"), 2),
)


def menu(screen: Screen, *, start: Begin, resume: Callable[[Screen, Path], None]) -> None:
    """Offer games until the person has had enough; without a terminal, say what there is."""
    if not screen.interactive:
        screen.say(
            "Five number games for two. Start one with numduel play and its name:",
            "",
            *_games(),
            "",
            "numduel --help lists everything else.",
        )
        return
    try:
        while _once(screen, start, resume):
            screen.say("")
    except (EOFError, KeyboardInterrupt):
        screen.say("")


def when(date: datetime) -> str:
    """A date as people write it."""
    return f"{date:%Y-%m-%d %H:%M}"


def _once(screen: Screen, start: Begin, resume: Callable[[Screen, Path], None]) -> bool:
    kept = unfinished()
    kinds = games()
    screen.say(
        "Which game would you like to play?",
        "",
        *(f"  {number}  {kind.title}\n     {kind.summary}" for number, kind in enumerate(kinds, 1)),
    )
    if kept:
        screen.say(
            f"  r  Go on with the last game ({kept[0][1].game.title}, {when(kept[0][1].date)})"
        )
    screen.say("  q  Leave", "")
    answer = _choice(screen, len(kinds), "rq" if kept else "q")
    if answer == "q":
        return False
    try:
        if answer == "r":
            resume(screen, kept[0][0])
            return True
        screen.say(
            "",
            "Who plays?",
            "",
            *(f"  {number}  {text}" for number, (text, _, _) in enumerate(OPPONENTS, 1)),
            "  q  Leave",
            "",
        )
        opponent = _choice(screen, len(OPPONENTS), "q")
        if opponent == "q":
            return False
        _, players, first = OPPONENTS[int(opponent) - 1]
        screen.say("", "Type help at any time to see what can be typed.", "")
        start(screen, kinds[int(answer) - 1], players, first)
    except NumduelError as error:
        screen.fail(str(error))
    return True


def _choice(screen: Screen, count: int, letters: str) -> str:
    """A number from 1 to count, or one of the letters."""
    while True:
        answer = screen.ask(f"Type a number from 1 to {count}, or {' or '.join(letters)}: ")
        answer = answer.strip().lower()
        number = whole_number(answer)
        if answer in ("quit", "exit"):
            return "q"
        if answer and answer in letters:
            return answer
        if number is not None and 1 <= number <= count:
            return str(number)
        screen.fail(f"That is not on the list: a number from 1 to {count} is expected.")


def _games() -> list[str]:
    return [f"  {kind.name:9} {kind.summary}" for kind in games()]
