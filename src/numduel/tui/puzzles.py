"""Puzzles: today's, or as many as one likes of a game, a grade and a theme."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import SystemRandom

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Button, Footer, Select, Static

from numduel import streaks
from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import counted, either
from numduel.core.view import View
from numduel.games import games
from numduel.puzzle import GRADES, Puzzle, daily
from numduel.puzzle import puzzle as make
from numduel.terminal.puzzle import SEEDS, Attempt, shared
from numduel.tui.page import Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.setup import labelled, select
from numduel.tui.table import Table

THEME_TRIES = 25
"""Puzzles that are looked at for one of a theme."""


class Puzzles(Page):
    """Which puzzles one would like."""

    AUTO_FOCUS = "Select"
    BINDINGS = [Binding("ctrl+s,f5", "start", "Start", priority=True)]

    def compose(self) -> ComposeResult:
        """A line for each choice, and the streaks."""
        yield Static("Puzzles", id="title")
        with VerticalScroll(id="form", can_focus=False):
            yield Paragraph(id="streaks")
            kinds = {"": "Any"} | {kind.name: kind().called for kind in games()}
            yield labelled("Game", select("game", kinds))
            yield labelled("Grade", select("grade", {"": "Any"} | {str(g): str(g) for g in GRADES}))
            yield labelled("Theme", select("theme", {"": "Any"}))
            yield Button("Start", id="start", variant="primary")
        yield Footer()

    def on_screen_resume(self) -> None:
        """Tell the streaks."""
        found = streaks.load()
        days = counted(found.on(date.today()), "day")
        told = f"{days} in a row · {found.first_tries} at the first try in a row"
        self.query_one("#streaks", Static).update(told)

    def on_select_changed(self, event: Select.Changed) -> None:
        """The themes of a game are its ideas."""
        kind = self._kind()
        if event.select.id != "game":
            return
        from numduel.ideas import vocabulary

        ideas = vocabulary(kind()) if kind else ()
        themes = self.query_one("#theme", Select)
        themes.set_options([("Any", ""), *((idea.instruction, idea.name) for idea in ideas)])
        themes.value = ""

    def on_button_pressed(self) -> None:
        """Begin."""
        self.action_start()

    def action_start(self) -> None:
        """Begin with a puzzle of this choice."""
        grade, theme = (
            str(self.query_one(f"#{name}", Select).value) for name in ("grade", "theme")
        )
        kind, wanted = self._kind(), int(grade) if grade else None

        def another() -> Puzzle:
            return _of_theme(kind() if kind else None, wanted, theme)

        self.app.push_screen(Solve(another))

    def _kind(self) -> type[Game] | None:
        name = self.query_one("#game", Select).value
        return next((kind for kind in games() if kind.name == name), None)


def _of_theme(game: Game | None, grade: int | None, theme: str) -> Puzzle:
    """A puzzle at random, of a theme if one is wanted."""
    for _ in range(THEME_TRIES if theme else 1):
        found = make(game, int(SystemRandom().random() * SEEDS), grade)
        if not theme or (found.theme is not None and found.theme.name == theme):
            return found
    raise BadVariant("No puzzle of that theme was found; try another grade, or any.")


def today() -> Solve:
    """The screen of today's puzzle; others follow."""
    day, first = date.today(), [True]

    def another() -> Puzzle:
        if first:
            first.clear()
            return daily(day)
        return _of_theme(None, None, "")

    return Solve(another)


class Solve(Table):
    """A puzzle, and when it is solved, another one."""

    BINDINGS = [
        Binding("n", "next", "Next", tooltip="Another puzzle"),
        Binding("s", "show", "Show", tooltip="Give up, and see the answer"),
    ]

    def __init__(self, another: Callable[[], Puzzle]) -> None:
        super().__init__()
        self._another = another
        self._puzzle: Puzzle | None = None
        self._attempt = Attempt()
        self._over = False
        self._candidates: list[Move] = []
        self._nudges: list[str] = []

    def on_mount(self) -> None:
        """Ask for the first puzzle."""
        self.tell("One moment…")
        self.think(self._another, self._begin, "Looking for a puzzle", "puzzle")

    def _begin(self, puzzle: Puzzle) -> None:
        self._puzzle, self._attempt, self._over = puzzle, Attempt(), False
        self._candidates = [option.move for option in puzzle.options]
        self._nudges = list(puzzle.nudges)
        self.you, self.values_on = puzzle.state.to_move, False
        self.show(puzzle.state)
        self.refresh_bindings()
        self.tell("h: hint · s: show the answer · n: another puzzle")

    def heading(self, state: State, seen: View) -> str:
        """Which puzzle it is."""
        if self._puzzle is None:
            return "Puzzle"
        return f"{self._puzzle.title} · grade {self._puzzle.grade} · {super().heading(state, seen)}"

    def goal(self, state: State, seen: View) -> str:
        """What is asked."""
        return self._puzzle.task if self._puzzle else ""

    def means(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The values would be the answer, and after it nothing is left to hint at."""
        if action in ("hint", "show"):
            return self._puzzle is not None and not self._over
        return action != "values" or self._over

    @property
    def asked(self) -> str:
        """Nothing, when it is solved."""
        return "" if self._over else super().asked

    @property
    def offer(self) -> str:
        """When it is solved, another one."""
        return "Enter: another puzzle" if self._over else ""

    @property
    def enter(self) -> str:
        """When it is solved, another one."""
        return "Another puzzle" if self._over else super().enter

    def chosen(self, move: str) -> None:
        """Try a move."""
        puzzle = self._puzzle
        if puzzle is None or self._over:
            self.action_next()
            return
        try:
            made = puzzle.state.play(move).moves[-1]
        except IllegalMove as refused:
            self.refuse(move, refused)
            return
        right = made == puzzle.solution
        self._attempt = self._attempt._replace(tries=self._attempt.tries + 1, solved=right)
        if right:
            self._end(puzzle, "✓ Right.")
        else:
            self._explain_wrong(puzzle, made)

    def _explain_wrong(self, puzzle: Puzzle, made: Move) -> None:
        """Say that a move is not the answer, and why."""
        from numduel.coach import why

        nudge = self._nudges.pop(0) if self._nudges else "Try again, or ask for a hint."
        wrong = f"✗ {puzzle.state.game.spoken(made)} is not it."
        option = next(option for option in puzzle.options if option.move == made)
        self.tell(wrong, nudge)
        self.think(
            lambda: why(puzzle.state, option, self.names),
            lambda sentence: self.tell(wrong, sentence, nudge),
        )

    def action_hint(self) -> None:
        """What to look at; then rule out half of the wrong moves that are left."""
        puzzle = self._puzzle
        if puzzle is None or self._over:
            return
        self._attempt = self._attempt._replace(hints=self._attempt.hints + 1)
        if self._nudges:
            self.tell(self._nudges.pop(0))
            return
        self._candidates = puzzle.narrowed(self._candidates)
        self.tell(f"It is {either(map(puzzle.state.game.spoken, self._candidates))}.")

    def action_show(self) -> None:
        """Give up, and see the answer."""
        puzzle = self._puzzle
        if puzzle is not None and not self._over:
            self._end(puzzle, f"It is {puzzle.state.game.spoken(puzzle.solution)}.")

    def action_next(self) -> None:
        """Another puzzle; one that was begun and left counts as missed."""
        if self._puzzle is not None and not self._over and self._attempt != Attempt():
            self._keep(self._puzzle)
        self.on_mount()

    def _end(self, puzzle: Puzzle, verdict: str) -> None:
        self._over = True
        self.show(puzzle.state.play(puzzle.solution))
        self.refresh_bindings()
        line = self._keep(puzzle)
        self.think(
            puzzle.explained,
            lambda words: self.tell(f"{verdict} {line}".rstrip() + "\n" + " ".join(words)),
        )

    def _keep(self, puzzle: Puzzle) -> str:
        """Keep the streaks; the line to share."""
        before = streaks.load()
        if self._attempt.solved:
            day = puzzle.day if puzzle.day == date.today() else None
            after = before.solved(puzzle.link, first_try=self._attempt.first_try, day=day)
            line = shared(puzzle, self._attempt, after.on(day) if day else 0, after.first_tries)
        else:
            after, line = before.missed(puzzle.link), ""
        try:
            if after != before:
                streaks.save(after)
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or "there is no place for it"
            self.notify(f"The streak could not be kept: {why}.", severity="warning")
        return line
