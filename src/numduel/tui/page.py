"""What all screens share: leaving, the keys, and waiting for answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from numduel.core.errors import NumduelError
from numduel.tui.footer import Footer
from numduel.tui.listing import Listing
from numduel.tui.paragraph import Paragraph
from numduel.tui.thinking import compute

Found = TypeVar("Found")
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
NOTICE_DELAY = 0.4
"""Seconds before the app shows that an answer takes a while."""


class Page(Screen[Any]):
    """A screen that Escape leaves, and that can wait for answers."""

    BINDINGS = [
        Binding("escape,q", "back", "Back"),
        Binding(
            "question_mark",
            "keys",
            "Keys",
            tooltip="What the keys do here",
            key_display="?",
        ),
    ]

    def action_keys(self) -> None:
        """Show what the keys of this screen do."""
        from numduel.tui.keys import keys

        self.app.push_screen(keys(self.app))

    def action_back(self) -> None:
        """Go back to the screen before."""
        self.dismiss()

    def commands(self) -> Iterator[SystemCommand]:
        """The command palette of this screen: the keys that are shown and work."""
        shown = [active for active in self.active_bindings.values() if active.enabled]
        for binding in {a.binding.action: a.binding for a in shown if a.binding.show}.values():
            if binding.description:
                told = binding.tooltip or binding.description
                key = self.app.get_key_display(binding)
                press = partial(self.app.simulate_key, binding.key)
                yield SystemCommand(binding.description, f"{told} ({key})", press)

    def recall(self, key: str, otherwise: str) -> str:
        """What the app remembers under a key."""
        found = getattr(self.app, "remembered", {}).get(key)
        return found if isinstance(found, str) else otherwise

    def remember(self, key: str, value: str) -> None:
        """Keep something for the next start of the app."""
        if hasattr(self.app, "remember"):
            self.app.remember(key, value)

    def fail(self, sentence: str) -> None:
        """Say what went wrong."""
        self.notify(sentence, severity="warning", markup=False)

    def confirm(self, question: str, no: str, yes: str, then: Callable[[], object]) -> None:
        """Do something if the person confirms it."""

        def answered(answer: str | None) -> None:
            if answer == "yes":
                then()

        self.app.push_screen(Choice(question, {"no": no, "yes": yes}), answered)

    def attempt(self, action: Callable[[], object]) -> None:
        """Do something, or say why not."""
        try:
            action()
        except NumduelError as error:
            self.fail(str(error))

    def think(
        self,
        work: Callable[[], Found],
        then: Callable[[Found], object],
        what: str | None = None,
        group: str = "think",
        lane: str = "solver",
        failed: Callable[[NumduelError], object] | None = None,
    ) -> None:
        """Compute something, and go on with it on this screen. Another question of the same group
        takes the place of this one. What takes a moment is said, unless nobody waits for it."""

        async def ask() -> None:
            waiting = Waiting("Thinking" if what is None else what)
            timer = self.set_timer(NOTICE_DELAY, lambda: self._wait(waiting))
            try:
                found = await compute(work, lane)
            except NumduelError as error:
                self.later(failed or (lambda error: self.fail(str(error))), error)
            except MemoryError:
                self.later(self.fail, "There is not enough memory for that.")
            else:
                self.later(then, found)
            finally:
                timer.stop()
                waiting.end()

        self.run_worker(ask(), group=group, exclusive=True)

    def later(self, function: Callable[[Found], object], argument: Found) -> None:
        """Call a function from any thread, once this screen is ready, and never once it is gone."""
        with suppress(RuntimeError):  # the app has been left meanwhile
            self.call_later(function, argument)

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Call a function once the screen is drawn, and never once it has been left: by then its
        parts may be gone."""

        def call() -> Any:
            return callback(*args, **kwargs) if self in self.app.screen_stack else None

        return super().call_after_refresh(call)

    async def give_way(self, screen: Screen[Any]) -> None:
        """Replace this screen, and whatever lies over it, by another."""
        if self in self.app.screen_stack:
            while self.app.screen is not self:
                await self.app.pop_screen()
            self.app.switch_screen(screen)

    def _wait(self, waiting: Waiting) -> None:
        if waiting.what and not waiting.over:
            footer = self.query_one(Footer)
            for earlier in footer.query(Waiting):
                earlier.display = False
            footer.mount(waiting)


class Waiting(Static):
    """A line that says what is being computed, and for how long; of several, the last is shown."""

    def __init__(self, what: str) -> None:
        super().__init__(classes="waiting")
        self.what = what
        self._since = monotonic()
        self.over = False
        """Whether the answer has come, perhaps before this was shown."""

    def on_mount(self) -> None:
        """Start the spinner."""
        self._turn()
        self.set_interval(0.1, self._turn)

    def end(self) -> None:
        """Disappear."""
        self.over = True
        if self.is_attached:
            for earlier in [one for one in self.screen.query(Waiting) if one is not self][-1:]:
                earlier.display = True
            self.remove()

    def _turn(self) -> None:
        seconds = monotonic() - self._since
        mark = SPINNER[int(seconds * 10) % len(SPINNER)]
        self.update(
            f"{mark} {self.what}… {seconds:.0f} s" if seconds > 1 else f"{mark} {self.what}…"
        )


class Drawer(ModalScreen[None]):
    """A page of text at the side of the screen."""

    BINDINGS = [
        Binding("escape,q,r,enter,question_mark", "dismiss", "Close"),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup", "scroll(-9)", show=False),
        Binding("pagedown,space", "scroll(9)", show=False),
    ]

    def __init__(self, title: str, *content: Widget) -> None:
        super().__init__()
        self._title, self._content = title, content

    def compose(self) -> ComposeResult:
        """The title and the text."""
        with Vertical(classes="drawer"):
            title = "  ".join([self._title, "(Esc closes)"])
            yield Static(title, classes="heading", markup=False)
            yield VerticalScroll(*self._content)

    def action_scroll(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class Answers(Listing):
    """The answers to a question."""

    BINDINGS = [Binding("enter", "select", "Choose", tooltip="Choose it", key_display="enter")]


class Choice(ModalScreen[str | None]):
    """A question with a few answers: what each returns, and its text. Those to a question of yes
    or no have a key each."""

    BINDINGS = [
        Binding("escape,q", "dismiss", "Close"),
        Binding("y", "answer('yes')", "Yes", show=False),
        Binding("n", "answer('no')", "No", show=False),
    ]

    def __init__(self, question: str, answers: dict[str, str], chosen: str = "") -> None:
        super().__init__()
        self._question, self._answers, self._chosen = question, answers, chosen

    def compose(self) -> ComposeResult:
        """The question and the answers."""
        with Vertical(classes="dialog"):
            yield Paragraph(self._question, classes="heading")
            yield Answers(
                *(Option(self._shown(key), id=key) for key in self._answers), markup=False
            )

    def _shown(self, answer: str) -> str:
        key = f"{answer[0]}  " if "yes" in self._answers else ""
        return f" {key}{self._answers[answer]}"

    def on_mount(self) -> None:
        """Begin at the likely answer."""
        keys = list(self._answers)
        if self._chosen in keys:
            self.query_one(OptionList).highlighted = keys.index(self._chosen)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer."""
        self.dismiss(event.option_id)

    def action_answer(self, answer: str) -> None:
        """Answer by a key, where there is such an answer."""
        if answer in self._answers:
            self.dismiss(answer)


def refill(listing: OptionList, rows: Iterable[Option | str]) -> None:
    """Replace the rows of a list, and keep the place in it."""
    at = listing.highlighted or 0
    listing.clear_options()
    listing.add_options(rows)
    listing.highlighted = min(at, max(0, listing.option_count - 1))
    listing.refresh_bindings()
