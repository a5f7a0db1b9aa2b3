"""Lessons: a game learnt in a few steps, each with a position and one thing to do."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.core.errors import IllegalMove
from numduel.core.state import State
from numduel.core.text import HUMAN, counted
from numduel.core.view import View
from numduel.games import games
from numduel.lesson import Lesson, Step, lesson, progress
from numduel.match import begin
from numduel.store import new_save
from numduel.terminal.learn import MOVES, listed_moves
from numduel.tui.page import Drawer, Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.table import NARROW, Table


class Lessons(Page):
    """The lessons, and how far each has come."""

    AUTO_FOCUS = "OptionList"

    def compose(self) -> ComposeResult:
        """A line for each game."""
        yield Static("Learn a game step by step", id="title")
        yield OptionList(id="list", markup=False)
        yield Footer()

    def on_screen_resume(self) -> None:
        """Steps may have been done meanwhile."""
        done = progress.read()
        listing = self.query_one(OptionList)
        at = listing.highlighted
        listing.clear_options()
        for kind in games():
            steps = len(done.get(kind.name, ()))
            told = f"{counted(steps, 'step')} done" if steps else kind.summary
            listing.add_option(Row(f" {kind().called:18} {told}", id=kind.name))
        listing.highlighted = at or 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin, or go on with, a lesson."""
        kind = next(kind for kind in games() if kind.name == event.option_id)
        self.think(lambda: lesson(kind()), lambda found: self._begin(found), "Opening the lesson")

    def _begin(self, found: Lesson) -> None:
        done = progress.read().get(found.game.name, frozenset())
        numbers = range(len(found.steps))
        self.app.push_screen(Learn(found, next((n for n in numbers if n + 1 not in done), 0)))


class Learn(Table):
    """A step of a lesson."""

    BINDINGS = [
        Binding("n", "go(1)", "Next", tooltip="The next step"),
        Binding("N", "go(-1)", "Previous", tooltip="The step before"),
        Binding("p", "play", "Play", tooltip="Play the game of this step"),
        Binding("t", "text", "Text", tooltip="Read the text again"),
    ]

    def __init__(self, found: Lesson, at: int) -> None:
        super().__init__()
        self._lesson, self._at = found, at
        self._hints = 0
        self._done = False

    @property
    def _step(self) -> Step:
        return self._lesson.steps[self._at]

    def beside(self) -> ComposeResult:
        """The text of the step."""
        with VerticalScroll(id="reading"):
            yield Paragraph(id="text")

    def on_mount(self) -> None:
        """Show the step."""
        self.query_one("#side").add_class("reading")
        self.query_one("#text", Static).update(_told(self._lesson, self._at))
        self._hints, self._done, self.values_on = 0, False, False
        self.you = self._step.seat
        self.show(self._step.state)
        self.refresh_bindings()
        narrow = self.app.size.width < NARROW
        keys = "p: play · n: skip" if self._whole else "h: hint · n: skip"
        self.tell(self._step.you, f"{'t: text · ' if narrow else ''}{keys}")
        if narrow:
            self.action_text()

    @property
    def _whole(self) -> bool:
        return self._step.kind == "beat"

    def means(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something in this step; the values would be the answer."""
        means = {
            "hint": not self._whole and not self._done,
            "play": self._whole,
            "values": self._done and not self._whole,
        }
        first = action == "go" and parameters == (-1,) and self._at == 0
        return means.get(action, not first)

    @property
    def enter(self) -> str:
        """Go on, when the step is done; or play the game of it."""
        if self._done:
            return "Go on"
        return "Play the game of this step" if self._whole else super().enter

    @property
    def offer(self) -> str:
        """When the step is done, the next one; or its game."""
        if self._done:
            return "Enter: back" if self._at + 1 == len(self._lesson.steps) else "Enter: go on"
        return "Enter: play the game of this step" if self._whole else ""

    @property
    def asked(self) -> str:
        """Nothing, when the step is done or is a whole game."""
        return "" if self._done or self._whole else super().asked

    def list_moves(self, state: State, seen: View) -> None:
        """There is no list of moves here."""

    def heading(self, state: State, seen: View) -> str:
        """Which step it is."""
        return f"{self._at + 1} of {len(self._lesson.steps)}: {self._step.title}"

    def goal(self, state: State, seen: View) -> str:
        """What to do."""
        return _plain(self._step.task)

    def chosen(self, move: str) -> None:
        """Try a move, or begin the game; when the step is done, go on."""
        if self._done:
            self.action_go(1)
        elif self._whole:
            self.action_play()
        else:
            self._try(move)

    def _try(self, move: str) -> None:
        try:
            answer = self._step.answer(move)
        except IllegalMove as refused:
            self.refuse(move, refused)
            return
        if not answer.right:
            self._hints = max(self._hints, 1)
            self.tell(f"✗ {_plain(answer.said)}")
            return
        self.show(answer.state)
        self._finish(f"✓ {_plain(answer.said)}")

    def action_play(self) -> None:
        """A whole game against the computer, in which a broken rule is asked again."""
        from numduel.tui.play import Play

        step = self._step
        match = begin(
            step.state.game, first=step.state.to_move, players=(HUMAN, step.level), forgiving=True
        )
        self.app.push_screen(Play(match, new_save(match.record), ended=self._ended))

    def _ended(self, state: State) -> None:
        step = self._step
        if state.winner == step.seat:
            self._finish(f"✓ You have beaten {step.level}. {step.right}".rstrip())
        else:
            self.tell("Not this time: try again.")

    def _finish(self, said: str) -> None:
        self._done = True
        self.on_board_typed()
        self.refresh_bindings()
        try:
            progress.add(self._lesson.game.name, self._at + 1)
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            self.notify(f"Your progress cannot be kept: {why}.", severity="warning")
        last = self._at + 1 == len(self._lesson.steps)
        self.tell(said, *(["The lesson is over."] if last else []))

    def action_hint(self) -> None:
        """What to look at; asked again, the answer."""
        self._hints += 1
        self.tell(_plain(self._step.hint(self._hints)))

    def action_go(self, by: int) -> None:
        """Go to another step; after the last one, leave."""
        if not 0 <= self._at + by < len(self._lesson.steps):
            self.dismiss()
            return
        self._at += by
        self.on_mount()

    def action_text(self) -> None:
        """Show the text over the board."""
        text = Paragraph(_told(self._lesson, self._at))
        self.app.push_screen(Drawer(self._step.title, text))


def _told(found: Lesson, at: int) -> str:
    """The text of a step, and before the first one that of the lesson."""
    step = found.steps[at]
    blocks = [*(found.text if at == 0 else ()), *step.text]
    return "\n\n".join(
        _plain(block)
        if isinstance(block, str)
        else "\n".join(f"{number}. {_plain(item)}" for number, item in enumerate(block, 1))
        for block in blocks
    )


def _plain(text: str) -> str:
    """A text of a lesson without the marks around its moves."""
    return MOVES.sub(listed_moves, text)
