"""The first screen: a small board of every game, a game to go on with, and everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any

from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding
from textual.containers import Grid, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from numduel.activities import activities, listed
from numduel.activities.base import until_next
from numduel.core.errors import BadRecord, BadVariant
from numduel.core.game import Game
from numduel.core.language import plural
from numduel.core.state import middle
from numduel.games import games, offered
from numduel.learn import streaks
from numduel.play.record import Record
from numduel.tui.board import SmallBoard
from numduel.tui.footer import Footer
from numduel.tui.listing import Listing
from numduel.tui.page import Page, refill
from numduel.tui.seats import continued, unfinished_games
from numduel.tui.words import summary

MOTTO = "numduel · number games for two, solved exactly"
START = Binding.Group("Start")
MAX_KEYS = 9
"""Games that a digit starts."""
TAKEN = "jkq"
"""Letters that mean something else here."""
MARK = "bold underline"
"""How the key of a row is written."""
COLUMNS = 2
"""Boards side by side."""
LOWEST = 7
"""Lines of a board with its frame, at least."""
BESIDE_TITLE, LEAST_TITLE = 4, 8
"""Columns of a frame beside its title, and of a title at least."""
AROUND = 3
"""Lines above and below the boards."""


class Card(Vertical):
    """A game as a small board, which a click starts."""

    def __init__(self, game: Game, key: str) -> None:
        super().__init__(classes="card")
        self.game = game
        self._title = f"{key} {game.display_name}".strip()

    def compose(self) -> ComposeResult:
        """The board."""
        yield SmallBoard()

    def on_mount(self) -> None:
        """Show what the game looks like when it is played."""
        self.query_one(SmallBoard).show(middle(self.game))

    def on_resize(self) -> None:
        """Write the name into the frame; what does not fit above stands below."""
        above, *below = wrap(self._title, max(LEAST_TITLE, self.size.width - BESIDE_TITLE))
        self.border_title, self.border_subtitle = above, " ".join(below)

    def on_click(self) -> None:
        """Start the game."""
        self.screen.call_later(self.screen.run_action, f"start('{self.game.name}')")


class Home(Page):
    """The first screen."""

    BINDINGS = [
        Binding("escape", "app.pop_nothing", show=False),
        Binding("q", "app.quit", "Leave"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._last: Path | None = None
        self._prompts: dict[str, Callable[[str], Content]] = {}
        """How each row of the list is written, given what stands beside its name."""
        self._games = {kind.name: offered(kind.name) for kind in games()}
        for digit, game in zip(range(1, MAX_KEYS + 1), self._games.values(), strict=False):
            self._bind(str(digit), f"start('{game.name}')", self._starts(game), START)
        names = self._names()
        self._letters = _letters(names)
        for key, letter in self._letters.items():
            self._bind(letter, f"go('{key}')", names[key])

    @staticmethod
    def _starts(game: Game) -> str:
        return f"Start {game.display_name}"

    def _names(self) -> dict[str, str]:
        """What each place is called; a game may be there to go on with later."""
        return {"continue": "Continue"} | {key: row[0] for key, row in self._places().items()}

    def _bind(self, key: str, action: str, told: str, group: Binding.Group | None = None) -> None:
        """Add a key; the letters of the places stand in the list, not below it."""
        binding = Binding(key, action, told, tooltip=told, show=group is not None, group=group)
        self._bindings.key_to_bindings.setdefault(key, []).append(binding)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Continuing needs an unfinished game."""
        return parameters != ("continue",) or self._last is not None

    def compose(self) -> ComposeResult:
        """The list, the small boards, and the keys."""
        yield Static(MOTTO, id="title")
        with Horizontal(id="home"):
            yield Listing(id="menu")
            with VerticalScroll(id="cards", can_focus=False):
                yield Static(id="at-once", markup=False)
                with Grid(id="boards"):
                    for at, game in enumerate(self._games.values(), 1):
                        yield Card(game, str(at) if at <= MAX_KEYS else "")
        yield Footer()

    def on_mount(self) -> None:
        """The time until the next puzzle runs down."""
        self.set_interval(1, self._tick)

    def _tick(self) -> None:
        if self.is_current and "daily" in self._prompts:
            told = self._prompts["daily"](_daily(self._streak))
            self.query_one(Listing).replace_option_prompt("daily", told)

    def on_screen_resume(self) -> None:
        """Games may have been played meanwhile."""
        self._fill()
        listing = self.query_one(Listing)
        listing.highlighted = 0
        listing.focus()
        self.refresh_bindings()

    def on_resize(self) -> None:
        """Where there is no room for boards, the games are in the list."""
        self.call_after_refresh(self._fill)
        rows = -(-len(self._games) // COLUMNS)
        height = max(LOWEST, (self.size.height - AROUND) // rows)
        self.query_one("#boards").styles.height = rows * height

    def _fill(self) -> None:
        from numduel.tui.setup import opponent_told, rival

        whom = opponent_told(rival(self))
        self.query_one("#at-once", Static).update(f"A number starts a game · {whom}")
        refill(self.query_one(Listing), self._rows())

    def _rows(self) -> list[Option]:
        """A row for each place; before Play one for each game, where their boards are not shown."""
        places = self._places()
        width = max(14, *(len(name) for name, _ in places.values()))
        rows = [
            (key, self._letters.get(key, " "), f"{name:{width}}", text)
            for key, (name, text) in places.items()
        ]
        if not self.query_one("#cards").display:
            at = [key for key, *_ in rows].index("play")
            rows[at:at] = [
                (f"start {game.name}", str(digit), game.display_name, "")
                for digit, game in enumerate(self._games.values(), 1)
            ]
        tall = 2 * len(rows) <= self.size.height - AROUND - 1
        between = "\n   " if tall else " "
        room = self.query_one(Listing).scrollable_content_region.width
        self._prompts = {key: _prompt(mark, name, between, room) for key, mark, name, _ in rows}
        return [Option(self._prompts[key](text), id=key) for key, _, _, text in rows]

    def commands(self) -> Iterator[SystemCommand]:
        """Every game and every place of the list, and what the keys do."""
        yield SystemCommand("Keys", "What the keys do here (?)", self.action_keys)
        for name, game in self._games.items():
            yield SystemCommand(game.display_name, game.summary, partial(self.action_start, name))
        for key, (name, text) in self._places().items():
            yield SystemCommand(name, text, partial(self.action_go, key))

    def _places(self) -> dict[str, tuple[str, str]]:
        """The name of each place, and what is there."""
        self._streak = streaks.load()
        unfinished, problem = _unfinished()
        self._last = unfinished[0][0] if unfinished else None
        rows = {
            "continue": (
                "Continue",
                summary(unfinished[0][1], short=True) if unfinished else problem,
            ),
            "play": ("Play", "choose game, opponent"),
            "daily": ("Today's puzzle", _daily(self._streak)),
            "learn": ("Learn", "a game step by step"),
            "puzzles": ("Puzzles", "by game and grade"),
            "analysis": ("Analysis board", "what moves are worth"),
            "games": ("My games", "go on, replay, review"),
            "profile": ("Profile", "wins, what to do next"),
            "online": ("Online", "join or host a game"),
        }
        rows |= {f"do {kind.NAME}": (kind.TITLE, kind.ABOUT) for kind in listed()}
        return {key: row for key, row in rows.items() if row[1]}

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open what was chosen."""
        where, _, game = (event.option_id or "").partition(" ")
        if where == "start":
            self.action_start(game)
        else:
            self.action_go(event.option_id or "")

    def action_start(self, name: str) -> None:
        """Start a game at once, with the last opponent."""
        from numduel.tui.setup import at_once

        self.attempt(lambda: self.app.push_screen(at_once(self, self._games[name])))

    def action_go(self, where: str) -> None:
        """Open a screen."""
        self.attempt(lambda: self.app.push_screen(self._screen(where)))

    def _screen(self, where: str) -> Screen[Any]:
        if where == "continue":
            if self._last is None:
                raise BadVariant("There is no game to go on with; p starts one.")
            return continued(self._last)
        if where not in SCREENS:
            return _activity(where.removeprefix("do "))
        module, screen = SCREENS[where]
        made: Screen[Any] = getattr(import_module(f"numduel.tui.{module}"), screen)()
        return made


def _prompt(mark: str, name: str, between: str, room: int) -> Callable[[str], Content]:
    """A row, which says as much as there is room for."""
    left = f" {mark} {name}{between}".rpartition("\n")[2]
    return lambda text: Content.assemble(
        " ", (mark, MARK), (f" {name}", "bold"), between + fitted(text, room - len(left))
    )


def fitted(text: str, room: int) -> str:
    """A text without the last of its parts that there is no room for."""
    while len(text) > room and " · " in text:
        text = text.rpartition(" · ")[0]
    return text


def _daily(found: streaks.Streak) -> str:
    """How far today's puzzle is, and for how many days in a row it was finished."""
    today = date.today()
    told = "find every move"
    if found.day == today:
        tomorrow = (today + timedelta(1)).isoformat()
        told = f"next in {until_next(tomorrow, datetime.now())}"
    elif made := found.made(today):
        told = plural("{n} move made", "{n} moves made", len(made))
    days = found.on(today)
    row = plural("{n} day in a row", "{n} days in a row", days)
    return f"{row} · {told}" if days else told


def _letters(names: dict[str, str]) -> dict[str, str]:
    """A key for each place: its first letter, or the first of its name that no place before has."""
    found: dict[str, str] = {}
    for key, name in names.items():
        wanted = f"{key.removeprefix('do ')[0]}{name.lower()}"
        free = (c for c in wanted if c.isalpha() and c not in (*TAKEN, *found.values()))
        if letter := next(free, ""):
            found[key] = letter
    return found


def _activity(name: str) -> Screen[Any]:
    from numduel.activities.keeping import opened
    from numduel.tui.activity import Activities

    return Activities.of(opened(activities()[name]), "")


SCREENS = {
    "daily": ("puzzles", "solve"),
    "play": ("setup", "Setup"),
    "learn": ("lessons", "ChooseLesson"),
    "puzzles": ("puzzles", "ChoosePuzzles"),
    "analysis": ("setup", "analysis"),
    "games": ("games", "Games"),
    "profile": ("profile", "show_profile"),
    "online": ("lobby", "Lobby"),
}
"""The module of each screen, imported when it is first opened, and what makes the screen there."""


def _unfinished() -> tuple[list[tuple[Path, Record]], str]:
    """The unfinished games, or why they cannot be read."""
    try:
        return unfinished_games(), ""
    except BadRecord as error:
        return [], str(error)
