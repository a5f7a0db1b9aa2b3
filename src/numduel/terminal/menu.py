"""The menu of ``numduel`` without a command."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from string import ascii_lowercase
from typing import TypeVar

from numduel.activities import listed
from numduel.activities.keeping import new_game
from numduel.core.errors import BadRecord, NumduelError
from numduel.core.game import Game
from numduel.core.language import N_, _
from numduel.core.text import DEFAULT_NAMES, HUMAN, name_told, player_names, read_settings, titled
from numduel.games import game as find
from numduel.games import games, offered
from numduel.play.match import begin
from numduel.play.players import LEVELS, computer_name, describe, seat_names
from numduel.play.record import Record
from numduel.play.store import saved_games
from numduel.play.turns import BEGINNERS, first_seat, in_turn
from numduel.terminal.activity import begin_activity
from numduel.terminal.choice import BACK, LEAVE, Back, Leave, ask_for_game, choose
from numduel.terminal.forget import forget_games
from numduel.terminal.learn import learn
from numduel.terminal.picker import kept_games, label, pick
from numduel.terminal.profile import show_profile
from numduel.terminal.puzzle import puzzle
from numduel.terminal.replay import step_through
from numduel.terminal.review import review
from numduel.terminal.screen import Screen
from numduel.terminal.sitting import go_on, sit_down

Place = tuple[str, Callable[[Screen], None]]
"""A line of the menu, and what opens it."""
OPPONENTS = (HUMAN, "easy", "medium", "hard", "perfect", "random")
Answer = TypeVar("Answer")
RULES = N_("The player loses at once, as the rulebook says"), N_("The player is asked again")


def menu(screen: Screen) -> None:
    """Offer games until the person leaves; without a terminal, list them."""
    if not screen.interactive:
        screen.say(
            _("Number games for two. Start one with numduel play and its name:"),
            "",
            *(
                line
                for kind in games()
                for line in (f"  {kind.name:9} {kind().display_name}", f"{'':12} {kind.summary}")
            ),
            "",
            _("numduel --help lists everything else."),
        )
        return
    try:
        while True:
            try:
                _once(screen)
            except Back:
                pass
            except NumduelError as error:
                screen.fail(str(error))
    except Leave:
        pass
    except (EOFError, KeyboardInterrupt):
        screen.say("")


def _once(screen: Screen) -> None:
    unfinished: list[tuple[Path, Record]] = []
    with suppress(BadRecord):
        unfinished = [one for one in saved_games(finished=False) if not one[1].online]
    letters = {}
    if unfinished:
        letters["r"] = _("Continue {game}", game=label(unfinished[0][1]))
    elsewhere = {letter: (_(text), go) for letter, (text, go) in ELSEWHERE.items()} | _activities()
    letters |= {letter: place[0] for letter, place in elsewhere.items()} | dict(LEAVE)
    answer = ask_for_game(screen, _("Which game would you like to play?"), letters)
    if answer == "r":
        go_on(screen, unfinished[0][0], leaving="menu")
    elif answer in elsewhere:
        elsewhere[answer][1](screen)
    else:
        _NewGame(screen, type(find(answer))).start()


def _my_games(screen: Screen) -> None:
    screen.say("")
    path = pick(screen, None, "replay")
    game = next((game for game in kept_games() if game.path == path), None)
    if path is None or game is None:
        return
    record = game.record
    over = record.state.winner is not None
    first = N_("See the report, and try the mistakes again") if over else N_("Continue it")
    answer = choose(screen, label(record), [_(first), _("Step through it"), _("Remove it")])
    if answer == "2":
        step_through(record, screen)
    elif answer == "3":
        forget_games(screen, [game])
    elif over:
        review(str(path))
    else:
        go_on(screen, path, leaving="menu")


def _learn(screen: Screen) -> None:
    learn(ask_for_game(screen, _("Which game would you like to learn?"), BACK))


def _profile(screen: Screen) -> None:
    screen.say("")
    show_profile(screen, leaving="menu")


def _activities() -> dict[str, Place]:
    """The listed activities, each by a letter of its name that is free."""
    free = [letter for letter in ascii_lowercase if letter not in (*ELSEWHERE, *LEAVE, "r")]
    found: dict[str, Place] = {}
    for kind in listed():
        letter = next((letter for letter in (*kind.NAME, *free) if letter in free), None)
        if letter is not None:
            free.remove(letter)
            found[letter] = kind.TITLE, partial(begin_activity, kind)
    return found


ELSEWHERE: dict[str, Place] = {
    "p": (N_("Today's puzzle"), lambda _screen: puzzle()),
    "l": (N_("Learn a game step by step"), _learn),
    "g": (N_("My games"), _my_games),
    "s": (N_("My profile"), _profile),
}
"""What the menu offers besides the games."""


@dataclass
class _NewGame:
    """A game that is being set up."""

    screen: Screen
    kind: type[Game]
    game: Game = field(init=False)
    names: tuple[str, str] = DEFAULT_NAMES

    def __post_init__(self) -> None:
        self.game = offered(self.kind.name)

    def start(self) -> None:
        """Ask for everything, and play; going back leads to the question before."""
        while True:
            opponent = self._opponent()
            with suppress(Back):
                first, match = self._first(opponent)
                question = _("What happens after a move that breaks the rules?")
                rules = [_(rule) for rule in RULES]
                forgiving = self.kind.strict and choose(self.screen, question, rules) == "2"
                self._play(opponent, first, forgiving=forgiving, match=match)
                return

    def _opponent(self) -> str:
        """Who plays as Player 2; before that, the variant and the names can be changed."""
        while True:
            letters = {"v": _("Choose another variant"), "n": _("Name the players"), **BACK}
            offer = self.kind.offer if self.game.offer_told else None
            if offer:
                letters = {"o": offer.rulebook} | letters
            texts = [self._told(kind) for kind in OPPONENTS]
            usual = self.game in (self.kind(), offered(self.kind.name))
            about = self.game.display_name if usual else str(self.game)
            if offer:
                self.screen.say("", offer.told)
            question = _("{game}: who is your opponent?", game=about)
            answer = choose(self.screen, question, texts, letters)
            if answer == "o" and offer:
                rulebook = {name: self.kind().settings[name] for name in offer.settings}
                self.game = self.kind(**self.game.settings | rulebook)
            elif answer == "v":
                self._variant()
            elif answer == "n":
                self._names()
            else:
                return OPPONENTS[int(answer) - 1]

    def _told(self, opponent: str) -> str:
        """An opponent in words, a computer with what it does."""
        if opponent == HUMAN:
            return _("A friend beside you")
        name = name_told(computer_name(opponent))
        return f"{name}\n     {describe(self.game, opponent)}" if opponent in LEVELS else name

    def _variant(self) -> None:
        """Ask for settings until they make sense."""
        for name, parameter in self.kind.parameters.items():
            setting = f"{name}={self.game.settings[name]}"
            self.screen.say(f"  {setting:10}  {titled(parameter.meaning, parameter.choices)}")
        question = _("Type settings as above, or press Enter for the usual ones: ")

        def read() -> Game:
            words = self.screen.ask(question).replace(",", " ").split()
            return offered(self.kind.name, **read_settings(words))

        self.game = self._insist(read)

    def _names(self) -> None:
        """Ask for names until they can be told apart."""
        questions = [_("The name of {name}: ", name=name_told(name)) for name in DEFAULT_NAMES]
        self.names = self._insist(lambda: player_names(*map(self.screen.ask, questions)))

    def _insist(self, read: Callable[[], Answer]) -> Answer:
        """Ask again until an answer makes sense."""
        while True:
            try:
                return read()
            except NumduelError as error:
                self.screen.fail(str(error))

    def _first(self, opponent: str) -> tuple[int, bool]:
        """The seat that begins, and whether it is a match."""
        names = [name_told(name) for name in seat_names((HUMAN, opponent), self.names)]
        now = names[in_turn(self.game, opponent) - 1]
        texts = BEGINNERS | {"you": names[0], "them": names[1]}
        texts["turn"] = _("In turn: {name} this time", name=now)
        answer = choose(self.screen, _("Who begins?"), [*texts.values()])
        who = [*texts][int(answer) - 1]
        return first_seat(who, self.game, opponent), who == "match"

    def _play(self, opponent: str, first: int, *, forgiving: bool, match: bool) -> None:
        players = HUMAN, opponent
        names = seat_names(players, self.names)
        begun = begin(
            self.game,
            players=players,
            names=names,
            first=first,
            forgiving=forgiving,
            earlier=() if match else None,
        )
        self.screen.say("")
        sit_down(new_game(begun), self.screen, leaving="menu")
