"""The menu of ``numduel`` without a command: choose a game and an opponent, and play."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from numduel.core.errors import BadRecord, NumduelError
from numduel.core.game import Game
from numduel.games import games
from numduel.players import LEVELS, describe
from numduel.record import Record
from numduel.store import saved_games
from numduel.terminal.picker import label
from numduel.terminal.screen import Screen

Begin = Callable[[Screen, type[Game], tuple[str, str], int, bool], None]
OPPONENTS = (
    ("Two people at this keyboard", "human"),
    ("You, as Player 1, against an easy computer", "easy"),
    ("Against a medium one", "medium"),
    ("Against a hard one", "hard"),
    ("Against perfect play", "perfect"),
    ("Against random moves", "random"),
)
BEGINNERS = ("You begin", "The computer begins")
LEAVE = {"q": "Leave"}
RULES = (
    "It loses the game at once, as the rulebook says",
    "Nothing: the player is asked again",
)


def menu(screen: Screen, *, start: Begin, resume: Callable[[Screen, Path], None]) -> None:
    """Offer games until the person leaves; without a terminal, list them."""
    if not screen.interactive:
        screen.say(
            "Number games for two. Start one with numduel play and its name:",
            "",
            *_games(),
            "",
            "numduel --help lists everything else.",
        )
        return
    try:
        while _once(screen, start, resume):
            pass
    except (EOFError, KeyboardInterrupt):
        screen.say("")


def _once(screen: Screen, start: Begin, resume: Callable[[Screen, Path], None]) -> bool:
    """Offer the games once; return False if the person leaves."""
    unfinished: list[tuple[Path, Record]] = []
    with suppress(BadRecord):
        unfinished = saved_games(finished=False)
    kinds = games()
    last = f"Go on with {label(unfinished[0][1])}" if unfinished else ""
    answer = _choice(
        screen,
        "Which game would you like to play?",
        [f"{kind.title}\n     {kind.summary}" for kind in kinds],
        {"r": last} | LEAVE if unfinished else LEAVE,
        [kind.name for kind in kinds],
    )
    try:
        if answer == "r":
            resume(screen, unfinished[0][0])
        elif answer == "q" or not _play(screen, kinds[int(answer) - 1], start):
            return False
    except NumduelError as error:
        screen.fail(str(error))
    return True


def _play(screen: Screen, kind: type[Game], start: Begin) -> bool:
    """Ask for opponent, first player and house rules, and play; False if the person leaves."""
    texts = [
        f"{text}\n     {describe(kind(), rival)}" if rival in LEVELS else text
        for text, rival in OPPONENTS
    ]
    opponent = _choice(screen, "Who plays?", texts, LEAVE)
    if opponent == "q":
        return False
    rival = OPPONENTS[int(opponent) - 1][1]
    first = forgiving = "1"
    if rival != "human":
        first = _choice(screen, "Who begins?", list(BEGINNERS), LEAVE)
    if first != "q" and kind.strict:
        question = "What does a move that breaks the rules cost?"
        forgiving = _choice(screen, question, list(RULES), LEAVE)
    if "q" in (first, forgiving):
        return False
    screen.say("", "Type help at any time to see what can be typed.", "")
    start(screen, kind, ("human", rival), int(first), forgiving == "2")
    return True


def _choice(
    screen: Screen,
    question: str,
    texts: list[str],
    letters: dict[str, str],
    names: list[str] | None = None,
) -> str:
    """Ask for one of the texts, by its number or its name, or for one of the letters. Returns the
    number as text, or the letter."""
    rows = [*enumerate(texts, 1), *letters.items()]
    screen.say("", question, "", *(f"  {key}  {text}" for key, text in rows), "")
    known = {str(number): str(number) for number in range(1, len(texts) + 1)}
    known |= {name: str(number) for number, name in enumerate(names or [], 1)}
    known |= {letter: letter for letter in letters} | {"quit": "q", "exit": "q"}
    expected = f"a number from 1 to {len(texts)}, or {' or '.join(letters)}"
    while True:
        answer = screen.ask(f"Type {expected}: ").strip().lower()
        if answer in known:
            return known[answer]
        screen.fail(f"That is not on the list: {expected} is expected.")


def _games() -> list[str]:
    return [f"  {kind.name:9} {kind.summary}" for kind in games()]
