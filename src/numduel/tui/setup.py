"""The form of a new game: which game, the opponent, who begins, the settings and the names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from numduel.activities.keeping import new_game
from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.text import DEFAULT_NAMES, HUMAN, MAX_NAME, name_told, player_names
from numduel.games import games, offered
from numduel.play.match import begin
from numduel.play.players import COMPUTERS, computer_name, describe
from numduel.play.record import Record
from numduel.play.turns import BEGINNERS, FRIEND, first_seat, in_turn
from numduel.tui.footer import Footer
from numduel.tui.page import Page
from numduel.tui.paragraph import Paragraph

LEVELS = tuple(COMPUTERS)
"""The computer players."""
OPPONENTS = (HUMAN, *LEVELS)
"""The kinds of players that can be chosen here."""
USUAL = "medium"
"""The opponent of a new user."""
BROKEN = {"strict": "loses, as the rulebook says", "forgiving": "lets you try again"}


def opponent_told(kind: str) -> str:
    """An opponent that can be chosen, in words."""
    told = {HUMAN: "A friend beside you", FRIEND: "A friend, by link"}
    return told.get(kind) or name_told(computer_name(kind))


class NewGame(NamedTuple):
    """What was chosen in the form."""

    game: Game
    opponent: str
    first: int
    names: tuple[str, str]
    forgiving: bool


class Setup(Page):
    """The form of a new game."""

    BINDINGS = [Binding("ctrl+s,f5", "start", "Start", tooltip="Start the game", priority=True)]
    AUTO_FOCUS = "#game Select, Select"

    def __init__(
        self,
        title: str = "",
        opponents: Sequence[str] = OPPONENTS,
        then: Callable[[Page, NewGame], None] | None = None,
    ) -> None:
        super().__init__()
        self._title, self._opponents, self._then = title or "New game", opponents, then or play
        self._built: type[Game] | None = None
        """The game whose settings are in the form."""

    def compose(self) -> ComposeResult:
        """A line for each choice."""
        kinds = {kind.name: kind().display_name for kind in games()}
        here = HUMAN in self._opponents
        usual = rival(self) if here else ""
        yield Static(self._title, id="title", markup=False)
        with VerticalScroll(id="form", can_focus=False):
            yield labelled("Game", select("game", kinds, self.recall("game", "")))
            yield Paragraph(id="summary", classes="about")
            if self._opponents:
                told = {kind: opponent_told(kind) for kind in self._opponents}
                yield labelled("Opponent", select("opponent", told, usual))
                yield Paragraph(id="describe", classes="about")
                yield labelled("Who begins", select("first", BEGINNERS))
            else:
                seats = dict(zip("12", map(name_told, DEFAULT_NAMES), strict=True))
                yield labelled("Who begins", select("first", seats))
            yield Vertical(id="settings")
            if self._opponents:
                yield labelled("Your name", field("name1", self.recall("name", "")))
            if here:
                yield labelled("Their name", field("name2", ""))
            yield Paragraph(id="problem")
            yield Button("Start", id="start", variant="primary")
        yield Footer()

    async def on_select_changed(self, event: Select.Changed) -> None:
        """Show the settings of another game, and describe it and the opponent."""
        kind = self._kind()
        if event.select.id == "game":
            settings = self.query_one("#settings", Vertical)
            await settings.remove_children()
            await settings.mount(*_settings(kind))
            self._built = kind
        self.query_one("#summary", Static).update(self._about(kind))
        self._look_again()
        if not self._opponents:
            return
        opponent = self._value("opponent")
        told = describe(kind(), opponent) if opponent in LEVELS else ""
        self.query_one("#describe", Static).update(told)
        for line in self.query("#name2").results(Input):
            line.disabled = opponent in LEVELS

    def _about(self, kind: type[Game]) -> str:
        """The rule in one sentence, and what is offered instead of the rulebook's, if it is."""
        settings = kind.offer.settings.items() if kind.offer else ()
        offered = all(self._value(f"set-{name}") == value for name, value in settings)
        return f"{kind.summary} {kind.offer.told}" if kind.offer and offered else kind.summary

    def on_input_changed(self) -> None:
        """Check again what was wrong."""
        self._look_again()

    def on_input_submitted(self) -> None:
        """Enter begins the game."""
        self.action_start()

    def on_button_pressed(self) -> None:
        """The button begins the game."""
        self.action_start()

    def action_start(self) -> None:
        """Begin the game, once the form is complete and makes sense."""
        if not self.is_current:
            return
        if not self._complete:
            self.call_after_refresh(self.action_start)
            return
        try:
            new = self._new_game()
        except NumduelError as error:
            self.fail(str(error))
            return
        self.fail("")
        self.remember("game", new.game.name)
        if HUMAN in self._opponents:
            self.remember("rival", new.opponent)
        if self._opponents:
            self.remember("name", self.query_one("#name1", Input).value)
        self._then(self, new)

    def fail(self, sentence: str) -> None:
        """Say what went wrong, below the form."""
        problem = self.query_one("#problem", Static)
        problem.update(sentence)
        self.call_after_refresh(problem.scroll_visible, animate=False)

    @property
    def _complete(self) -> bool:
        """Whether all lines are there, with their values."""
        blank = any(choice.is_blank() for choice in self.query(Select))
        return not blank and self._built is self._kind()

    def _look_again(self) -> None:
        """If something was wrong, say what still is."""
        problem = self.query_one("#problem", Static)
        if problem.content and self._complete:
            problem.update("")
            try:
                self._new_game()
            except NumduelError as error:
                problem.update(str(error))

    def _kind(self) -> type[Game]:
        name = self.query_one("#game", Select).value
        return next((kind for kind in games() if kind.name == name), games()[0])

    def _new_game(self) -> NewGame:
        kind = self._kind()
        game = kind(**{name: self._value(f"set-{name}") for name in kind.parameters})
        opponent = self._value("opponent")
        theirs = self._value("name2") if opponent not in LEVELS else ""
        first = self._value("first")
        return NewGame(
            game,
            opponent,
            first_seat(first, game, opponent),
            player_names(self._value("name1"), theirs),
            game.strict and self._value("broken") == "forgiving",
        )

    def _value(self, name: str) -> str:
        fields = self.query(f"#{name}").results()
        return next((str(f.value).strip() for f in fields if isinstance(f, (Input, Select))), "")


def play(page: Page, new: NewGame) -> None:
    """Begin a game at this keyboard, in place of the form."""
    page.app.switch_screen(_started(new))


def rival(page: Page) -> str:
    """The opponent that was chosen last."""
    last = page.recall("rival", USUAL)
    return last if last in OPPONENTS else USUAL


def at_once(page: Page, game: Game) -> Screen[Any]:
    """The screen of a game with the last opponent, as the form would begin it."""
    names = player_names(page.recall("name", ""), "")
    opponent = rival(page)
    first = in_turn(game, opponent)
    return _started(NewGame(game, opponent, first, names, forgiving=False))


def _started(new: NewGame) -> Screen[Any]:
    from numduel.tui.play import Play

    match = begin(
        new.game,
        first=new.first,
        players=(HUMAN, new.opponent),
        names=new.names,
        forgiving=new.forgiving,
    )
    return Play(new_game(match))


def analysis() -> Setup:
    """The form of an analysis board."""
    return Setup("Analysis board", (), then=_analyse)


def _analyse(page: Page, new: NewGame) -> None:
    from numduel.tui.study import Study

    record = Record((new.game.start(first=new.first),), names=new.names)
    page.app.switch_screen(Study(record, values=True))


def _settings(kind: type[Game]) -> Iterator[Widget]:
    """A line for each setting of a game."""
    values = offered(kind.name).settings
    for name, parameter in kind.parameters.items():
        if parameter.words:
            choices = dict(zip(parameter.words, parameter.labels, strict=True))
            yield labelled(parameter.meaning, select(f"set-{name}", choices, str(values[name])))
        else:
            line = field(f"set-{name}", str(values[name]), parameter.choices)
            yield labelled(parameter.meaning, line)
    if kind.strict:
        yield labelled("A broken rule", select("broken", BROKEN))


def labelled(label: str, field: Widget) -> Horizontal:
    """A field and its label."""
    text = label[:1].upper() + label[1:]
    return Horizontal(Label(text, markup=False), field, classes="row")


def select(name: str, choices: Mapping[str, str], value: str = "") -> Select[str]:
    """A choice between texts, by their keys."""
    options = [(text, key) for key, text in choices.items()]
    chosen = value if value in choices else next(iter(choices))
    return Select(options, id=name, value=chosen, allow_blank=False, compact=True)


def field(name: str, value: str, placeholder: str = "", longest: int = MAX_NAME) -> Input:
    """A line to type in."""
    return Input(value, placeholder, id=name, max_length=longest, compact=True)
