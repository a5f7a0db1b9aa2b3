"""One game after another at the prompt: the players begin in turn, and the score is kept.

Every game is a record of its own; the score is that of one sitting.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from numduel.activities import Sitting
from numduel.activities.keeping import KeptGame, resumed
from numduel.core.text import either, name_told
from numduel.terminal.picker import label
from numduel.terminal.play import PromptGame
from numduel.terminal.screen import NO_BREAK, Screen

ANSWERS = {
    "": "rematch", "rematch": "rematch",
    "a": "again", "again": "again",
    "r": "report", "report": "report",
    "m": "mistakes", "mistakes": "mistakes",
    **dict.fromkeys(("q", "quit", "exit", "n", "no"), "leave"),
}  # fmt: skip
"""What can be typed after a game, and what it does."""


QUESTIONS = {
    True: "Enter: rematch ({other} begins), a: again ({beginner} begins), r: report, q: leave > ",
    False: (
        "Enter: rematch ({other} begins), a: again ({beginner} begins), r: report, m: mistakes,"
        " q: leave > "
    ),
}
"""What is asked after a game, by whether it had no mistakes."""


def sit_down(kept: KeptGame, screen: Screen) -> None:
    """Play a game, and on a terminal as many more as the players want."""
    while True:
        PromptGame(kept, screen).play()
        sitting = kept.activity
        if not sitting.over:
            return
        screen.say(*sitting.standing)
        wanted = _after_game(screen, sitting)
        if wanted == "leave":
            return
        another = sitting.act(wanted)
        kept.keep(another)
        number = another.score.games + 1
        told = f"Game {number}: {another.view.player} begins."
        screen.say("", told, "")


def go_on(screen: Screen, path: Path) -> None:
    """Go on with a game that was left."""
    with closing(resumed(path)) as kept:
        screen.say(label(kept.activity.match.record), "")
        sit_down(kept, screen)


def _after_game(screen: Screen, sitting: Sitting) -> str:
    """What the players want next; before that, they can read the report and try mistakes again.
    Without a terminal there is nobody to ask."""
    if not screen.interactive:
        return "leave"
    from numduel.terminal.review import Review

    record, first = sitting.match.record, sitting.match.state.first
    review = Review(screen, record)
    told = QUESTIONS[sitting.flawless]
    others, beginner = name_told(sitting.names[2 - first]), name_told(sitting.names[first - 1])
    question = told.format(other=others, beginner=beginner).replace(": ", f":{NO_BREAK}")
    try:
        while True:
            wanted = ANSWERS.get(screen.ask(question).strip().lower(), "")
            if wanted == "report":
                review.show()
            elif wanted == "mistakes":
                review.try_again()
            elif wanted:
                return wanted
            else:
                words = either(["a", "r", "q"] if sitting.flawless else ["a", "r", "m", "q"])
                screen.fail(f"Please press Enter, or type {words}.")
    except (EOFError, KeyboardInterrupt):
        screen.say("")
        return "leave"
