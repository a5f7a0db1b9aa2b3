"""One game after another at the prompt: the players begin in turn, and the score is kept.

The score is that of one sitting. Every game is a record of its own; one that was left in the middle
of a match is resumed as a single game.
"""

from __future__ import annotations

from random import Random

from numduel.core.text import MAX_DIGITS
from numduel.match import Match
from numduel.players import seats
from numduel.record import Record
from numduel.score import Score
from numduel.store import SaveFile, new_save
from numduel.terminal.play import PromptGame
from numduel.terminal.screen import Screen


def sit_down(
    match: Match, screen: Screen, save_file: SaveFile, seed: int | None, games: int = 1
) -> None:
    """Play so many games, and on a terminal as many more as the players want."""
    score = Score()
    while True:
        PromptGame(match, seats(match.record.players, seed), screen, save_file).play()
        names = match.record.names
        if match.state.outcome is None:
            if len(score.games) % 2:
                screen.say("The match is not finished; its score is not kept.")
            return
        score = score.add(match.state)
        if max(games, len(score.games)) > 1:
            screen.say(*score.told(names))
        if len(score.games) >= games and not _another(screen, match.record):
            return
        seed = None if seed is None else Random(seed).randrange(10**MAX_DIGITS)
        match = match.rematch(seed)
        save_file = new_save(match.record)
        screen.say("", f"Game {len(score.games) + 1}: {match.view.player} begins.", "")


def _another(screen: Screen, record: Record) -> bool:
    """Offer another game, and before it the report of the last one; without a terminal there is
    nobody to ask."""
    if not screen.interactive:
        return False
    beginner = record.names[2 - record.states[0].first]
    question = f"Enter: another game ({beginner} begins), r: report, q: leave > "
    try:
        while True:
            answer = screen.ask(question).strip().lower()
            if answer in ("", "y", "yes"):
                return True
            if answer in ("q", "quit", "exit", "n", "no"):
                return False
            if answer in ("r", "report"):
                from numduel.terminal.review import make_report, show

                show(screen, make_report(record))
            else:
                screen.fail("Please press Enter, or type r or q.")
    except (EOFError, KeyboardInterrupt):
        screen.say("")
        return False
