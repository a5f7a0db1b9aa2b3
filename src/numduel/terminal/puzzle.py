"""A puzzle at the prompt: one move is right."""

from __future__ import annotations

import json
from datetime import date
from random import SystemRandom
from typing import Annotated

import typer

from numduel.coach import why
from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.state import Move
from numduel.core.text import printable, whole_number
from numduel.core.view import view
from numduel.games import game as find
from numduel.puzzle import GRADES, Puzzle, daily
from numduel.puzzle import puzzle as make
from numduel.solver import line
from numduel.terminal.options import Json, Plain
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waiting

TRIES = 2
SEEDS = 1_000_000
"""A puzzle that nobody chose the seed of has one below this, short enough to be passed on."""


def puzzle(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; without, the daily puzzle.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Which puzzle: a number.")] = None,
    level: Annotated[str | None, typer.Option(help="How hard, from 1 to 5.")] = None,
    day: Annotated[
        str | None, typer.Option("--date", help="The daily puzzle of a day, such as 2026-11-15.")
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Find the one right move: in the puzzle of the day, or in one of a game."""
    kind = None if game is None else find(game)
    grade = _number("--level", level, GRADES[0], GRADES[-1])
    number = _number("--seed", seed, 0, 999_999_999)
    today = _day(day)
    own = (game, seed, level) != (None, None, None)
    if own and day is not None:
        raise BadVariant("--date is for the daily puzzle, which has its own game, seed and level.")
    if own and number is None:
        number = int(SystemRandom().random() * SEEDS)
    with waiting(quiet=as_json):
        found = make(kind, number, grade) if own else daily(today)
    if as_json:
        key = {"seed": number} if own else {"date": today.isoformat()}
        print(json.dumps(found.json() | key))
    else:
        title = f"Puzzle {number}" if own else f"Puzzle of {today.isoformat()}"
        Sitting(found, Screen(plain=plain)).run(title)


class Sitting:
    """A person in front of a puzzle."""

    def __init__(self, puzzle: Puzzle, screen: Screen) -> None:
        self.puzzle = puzzle
        self.game = puzzle.state.game
        self.screen = screen
        self.view = view(puzzle.state)
        self._open = [option.move for option in puzzle.options]
        """The moves that no hint has ruled out."""
        screen.tell_apart(
            *((name, f"[{marker}]") for name, marker in zip(
                self.view.names, self.game.markers, strict=True
            ))
        )  # fmt: skip

    def run(self, title: str) -> None:
        """Show the puzzle and ask, until it is solved, given up or tried often enough."""
        task = "one move is clearly the best" if self.game.has_deck else "only one move wins"
        self.screen.say(
            f"{title}: {self.game.title}, level {self.puzzle.grade} of {GRADES[-1]}",
            f"{self.view.player} is to move, and {task}. Type it, or hint or quit.",
            "",
            *self.game.board(self.view),
        )
        wrong = 0
        try:
            while wrong < TRIES:
                move = self._asked()
                if move is None:
                    return
                if move == self.puzzle.solution:
                    self.screen.say(f"Right. {self._why(move)}", *self._follow(move))
                    return
                wrong += 1
                self.screen.say(f"Wrong. {self._why(move)}", *self._follow(move))
        except (EOFError, KeyboardInterrupt):
            self.screen.say("" if self.screen.interactive else "The puzzle is left unsolved.")
            return
        right = self.puzzle.solution
        said = self.game.spoken(right)
        self.screen.say(f"The right move was {said}. {self._why(right)}", *self._follow(right))

    def _asked(self) -> Move | None:
        """The legal move that the person answers with, or None to leave. What is no move, or breaks
        a rule, is no try."""
        *lines, question = self.game.prompt(self.view)
        self.screen.say("", *lines)
        while True:
            answer = self.screen.ask(question).strip()
            if answer.lower() in ("quit", "exit", "q"):
                return None
            if answer.lower() == "hint":
                self.screen.say(self._hint())
                continue
            try:
                return self.puzzle.state.play(answer).moves[-1]
            except IllegalMove as refused:
                self.screen.fail(str(refused))

    def _hint(self) -> str:
        """Rule out half of the wrong moves that are left, but never the last one."""
        wrong = [move for move in self._open if move != self.puzzle.solution]
        kept = wrong[: max(1, len(wrong) // 2)]
        self._open = [
            move for move in self.puzzle.state.legal_moves
            if move in kept or move == self.puzzle.solution
        ]  # fmt: skip
        *others, last = map(self.game.spoken, self._open)
        return f"It is {', '.join(others)} or {last}."

    def _why(self, move: Move) -> str:
        """What a move is worth, and why."""
        option = next(option for option in self.puzzle.options if option.move == move)
        return why(self.puzzle.state, option, self.view.names)

    def _follow(self, move: Move) -> list[str]:
        """How the game goes on after a move with best play."""
        after = line(self.puzzle.state.play(move))
        return [f"The line: {' '.join(map(str, (move, *after)))}"] if after else []


def _number(option: str, text: str | None, low: int, high: int) -> int | None:
    """A whole number in a range, if one is given."""
    if text is None:
        return None
    number = whole_number(text)
    if number is None or not low <= number <= high:
        raise BadVariant(
            f"{option} must be a whole number from {low} to {high}, not {printable(text, 20)!r}."
        )
    return number


def _day(text: str | None) -> date:
    """A day that is given, or today."""
    if text is None:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadVariant(f"A date is written 2026-11-15, not {printable(text, 20)!r}.") from None
