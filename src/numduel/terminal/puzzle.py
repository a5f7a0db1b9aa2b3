"""Puzzles at the prompt: one move is the answer, and there is always another puzzle."""

from __future__ import annotations

import json
from datetime import date
from functools import partial
from random import SystemRandom
from typing import Annotated, NamedTuple

import typer

from numduel import streaks
from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.state import Move
from numduel.core.text import either, printable, whole_number
from numduel.core.view import view
from numduel.games import game as find
from numduel.puzzle import GRADES, Puzzle, daily
from numduel.puzzle import puzzle as make
from numduel.terminal.options import Json, Plain, complete_game
from numduel.terminal.screen import NO_BREAK, Screen
from numduel.terminal.waiting import waited

SEEDS = 1_000_000
"""A seed that is drawn at random is below this, so that it is short enough to be passed on."""
MAX_SEED = 999_999_999
QUIT = ("quit", "exit", "q")
WORDS = "Type it, or hint, show or quit."


def puzzle(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A game; without, the daily puzzle.",
            autocompletion=complete_game,
        ),
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="NUMBER", help="Which puzzle.")] = None,
    grade: Annotated[
        str | None,
        typer.Option("--grade", "--level", metavar="GRADE", help="How hard, from 1 to 5."),
    ] = None,
    day: Annotated[
        str | None,
        typer.Option("--date", metavar="DAY", help="The daily puzzle of a day: 2026-11-15."),
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Find the one right move: in the puzzle of the day, or in one of a game."""
    kind = None if game is None else find(game)
    wanted = _number("--grade", grade, GRADES[0], GRADES[-1])
    number = _number("--seed", seed, 0, MAX_SEED)
    today = _day(day)
    own = (game, seed, grade) != (None, None, None)
    if own and day is not None:
        raise BadVariant("--date is for the daily puzzle, which has its own game, seed and grade.")
    if number is None:
        number = int(SystemRandom().random() * SEEDS)
    chosen = partial(make, kind, number, wanted) if own else partial(daily, today)
    found = waited(chosen)
    if as_json:
        print(json.dumps(found.json()))
        return
    session = PuzzleSession(Screen(plain=plain))
    while session.run(found):
        number = (number + 1) % (MAX_SEED + 1)
        found = waited(partial(make, kind, number, wanted))


class Attempt(NamedTuple):
    """What became of a puzzle."""

    tries: int = 0
    hints: int = 0
    solved: bool = False
    left: bool = False
    """Whether the person wants no more puzzles."""

    @property
    def first_try(self) -> bool:
        """Whether it was solved at once, and without a hint."""
        return self.solved and self.tries == 1 and self.hints == 0


class PuzzleSession:
    """Puzzles that a person solves, one after the other."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.today = date.today()
        self.attempts: list[Attempt] = []

    def run(self, puzzle: Puzzle) -> bool:
        """Ask one puzzle, and whether another one is wanted."""
        screen = self.screen
        try:
            attempt = PuzzlePrompt(puzzle, screen).run()
            self.attempts.append(attempt)
            self._keep(puzzle, attempt)
            answer = "q" if attempt.left else screen.ask("Enter for another puzzle, or quit: ")
            if answer.strip().lower() not in QUIT:
                screen.say("")
                return True
        except (EOFError, KeyboardInterrupt):
            if screen.interactive:
                screen.say("")
        self._sum_up()
        return False

    def _keep(self, puzzle: Puzzle, attempt: Attempt) -> None:
        """Keep the streaks, and print the line to share."""
        before = streaks.load()
        if attempt.solved:
            day = puzzle.day if puzzle.day == self.today else None
            after = before.solved(puzzle.link, first_try=attempt.first_try, day=day)
            days = 0 if day is None else after.on(day)
            line = shared(puzzle, attempt, days, after.first_tries)
            self.screen.say(line.replace(" ", NO_BREAK))  # in one piece, to be copied
        elif attempt.tries or attempt.hints or not attempt.left:
            after = before.missed(puzzle.link)
        else:
            return
        if after == before:
            return
        try:
            streaks.save(after)
        except OSError as error:
            self.screen.fail(f"The streak could not be kept: {error.strerror}.")

    def _sum_up(self) -> None:
        tried = [attempt for attempt in self.attempts if attempt.tries]
        if len(tried) > 1:
            solved = sum(attempt.solved for attempt in tried)
            first = sum(attempt.first_try for attempt in tried)
            self.screen.say(f"{solved} of {len(tried)} puzzles solved, {first} at the first try.")


def shared(puzzle: Puzzle, attempt: Attempt, days: int, first_tries: int) -> str:
    """A solved puzzle as one line that can be passed on: it gives nothing away."""
    parts = [puzzle.label, f"solved on try {attempt.tries}"]
    if attempt.hints:
        parts[-1] += " with a hint" if attempt.hints == 1 else f" with {attempt.hints} hints"
    if days:
        parts.append(f"streak {days}")
    elif puzzle.day is None and first_tries > 1:
        parts.append(f"{first_tries} first tries in a row")
    return " · ".join(parts)


class PuzzlePrompt:
    """A puzzle that a person solves at the prompt."""

    def __init__(self, puzzle: Puzzle, screen: Screen) -> None:
        self.puzzle = puzzle
        self.game = puzzle.state.game
        self.screen = screen
        self.view = view(puzzle.state)
        self._nudges = list(puzzle.nudges)
        """Those that have not been given yet."""
        self._candidates = [option.move for option in puzzle.options]
        """The moves that no hint has ruled out."""
        screen.tell_apart(
            *((name, f"[{marker}]") for name, marker in zip(
                self.view.names, self.game.markers, strict=True
            ))
        )  # fmt: skip

    def run(self) -> Attempt:
        """Show the puzzle and ask, until it is solved or given up."""
        puzzle = self.puzzle
        self.screen.say(
            f"{puzzle.title}: {self.game.title}, grade {puzzle.grade} of {GRADES[-1]}",
            f"{puzzle.task} {WORDS}",
        )
        self.screen.say("", *self.game.board(self.view))
        attempt = Attempt()
        try:
            while not attempt.solved:
                said = self._ask()
                if said in QUIT:
                    return attempt._replace(left=True)
                if said == "show":
                    self._tell(f"It is {self.game.spoken(puzzle.solution)}.")
                    return attempt
                if said == "hint":
                    attempt = attempt._replace(hints=attempt.hints + 1)
                    self.screen.say(self._hint())
                    continue
                attempt = attempt._replace(tries=attempt.tries + 1, solved=said == puzzle.solution)
                if not attempt.solved:
                    self.screen.say(f"{self.game.spoken(said)} is not it. {self._nudge()}")
        except (EOFError, KeyboardInterrupt):
            self.screen.say("" if self.screen.interactive else "The puzzle is left unsolved.")
            return attempt._replace(left=True)
        self._tell("Right.")
        return attempt

    def _ask(self) -> Move:
        """Ask for a legal move, or one of the words that can be typed. What is neither does not
        count."""
        *lines, question = self.game.prompt(self.view)
        self.screen.say("", *lines)
        while True:
            answer = self.screen.ask(question).strip()
            if answer.lower() in ("hint", "show", *QUIT):
                return answer.lower()
            if answer.lower() in ("help", "?"):
                self.screen.say(f"{self.puzzle.task} {WORDS}")
                continue
            try:
                return self.puzzle.state.play(answer).moves[-1]
            except IllegalMove as refused:
                self.screen.fail(str(refused))

    def _tell(self, verdict: str) -> None:
        first, *rest = self.puzzle.explained()
        self.screen.say(f"{verdict} {first}", *rest)

    def _nudge(self) -> str:
        """What to look at, as long as there is something to say."""
        return self._nudges.pop(0) if self._nudges else "Try again, or type hint."

    def _hint(self) -> str:
        """What to look at; then rule out half of the wrong moves that are left, but keep one."""
        if self._nudges:
            return self._nudges.pop(0)
        self._candidates = self.puzzle.narrowed(self._candidates)
        return f"It is {either(map(self.game.spoken, self._candidates))}."


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
