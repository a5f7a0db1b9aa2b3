"""What a game file provides: its rules, its bounds, its variant, and its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from sys import modules
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from numduel.core.errors import BadVariant, NotAMove
from numduel.core.ideas import Idea
from numduel.core.language import ENGLISH, N_, _, language, speaking, translated
from numduel.core.observation import BYTES, Observation
from numduel.core.rules import Bounds, Chance, Parameter, Position, Rules, short
from numduel.core.state import RESIGNATIONS, Move, State, start
from numduel.core.text import BLANKS, MAX_DIGITS, either, listed, titled, whole_number
from numduel.core.view import Cell, Fact, Layout, View, view

WORD = 1 << 64
"""Larger bit sets are not cached: each would take kilobytes."""

BROKEN = N_("Whoever makes a move against these rules loses the game at once.")
"""The penalty in strict games."""
FORGIVEN = N_("Whoever makes a move against these rules is asked again.")
"""What happens instead where broken rules are forgiven."""
CODE = re.compile(r"^```.*?^```$\n?", re.MULTILINE | re.DOTALL)
"""A block of code in Markdown."""
PROMPT, NOTATION, RULINGS, VARIANTS = (
    *(N_("At the prompt"), N_("Notation"), N_("Rulings, and why"), N_("Variants")),
)
"""Headings of a rules page that doors look for, in English or translated."""


@translated("told", "rulebook")
class Offer(NamedTuple):
    """What people are offered where the rulebook's own game is a dull one."""

    settings: dict[str, int | str]
    """The settings that are not the rulebook's."""
    told: str
    """What they change, in a sentence: ``The first number must be even.``"""
    rulebook: str
    """What to choose for the rulebook's game: ``Begin with any number (the rulebook's start)``."""


class Game:
    """A game in one of its variants. Subclasses are the game files.

    A game file must give `id`, `name`, `title`, `summary`, `rules`, `Variant`, `parameters`,
    `bounds` and `end_lines`; everything else has a default that serves a game whose moves are
    numbers. `ClaimGame` serves games in which numbers are taken, `CardGame` games with a deck.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """The rule in one sentence, for menus and lobbies."""
    rules: ClassVar[Rules]
    chance: ClassVar[Chance]
    """The rules of the deck, in a game that has one."""
    Variant: ClassVar[Any]
    """A NamedTuple of integers with the default of every parameter."""
    parameters: ClassVar[Mapping[str, Parameter]]
    """The settings, in the order of `Variant`. The first one is the size of the game: the smaller
    it is, the fewer positions there are."""
    observation: ClassVar[Observation] = BYTES
    """What a learner observes."""
    ideas: ClassVar[tuple[Idea, ...]] = ()
    """Rules of thumb that only this game has; see `numduel.learn.ideas` for those of all games."""
    dangers: ClassVar[tuple[Idea, ...]] = ()
    """What players of this game are warned of: told first where a move goes against it, and never
    spoken against. One that is not among its `ideas` is only told, and no level knows it."""
    levels: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    """By the name of a level of the computer, the names of the ideas that it knows, if these are
    not the usual ones: see `numduel.play.players`."""
    offer: ClassVar[Offer | None] = None
    """What people are offered, if not the default variant: see `numduel.games.offered`."""
    benchmark: ClassVar[Mapping[str, int | str]] = MappingProxyType({})
    """The settings with which language models are tested, where a trivial rule solves the usual
    game, or an idea that fits in a line nearly does."""
    opening: ClassVar[tuple[str, ...]] = ()
    """The settings that only the first move depends on: the board is the same without them."""
    order: ClassVar[int] = 100
    """Menus are sorted by this, smallest first."""
    classroom_default: ClassVar[bool] = False
    """Whether a class plays it unless the teacher chooses another game."""
    strict: ClassVar[bool] = False
    """Whether breaking a rule loses the game."""
    markers: ClassVar[tuple[str, str]] = ("P1", "P2")
    numeric: ClassVar[bool] = True
    """Whether moves are numbers, each its own bit."""
    has_deck: ClassVar[bool] = False
    """Whether cards are drawn: true of a class that has a `chance`."""
    variant: Any
    """The settings of this game, an instance of `Variant`."""

    has_hands: ClassVar[bool] = False
    """Whether players have hands: true of a class that overrides `hands`."""

    def __init_subclass__(cls) -> None:
        cls.has_deck = hasattr(cls, "chance")
        cls.has_hands = cls.hands is not Game.hands

    def __init__(self, /, **settings: object) -> None:
        unknown = [name for name in settings if name not in self.parameters]
        if unknown:
            known = ", ".join(self.parameters)
            name = type(self)().display_name
            raise BadVariant(
                _(
                    "{game} has no setting {given}; it has {known}.",
                    game=name, given=short(unknown[0]), known=known,
                )
            )  # fmt: skip
        values = {name: self.parameters[name].read(name, value) for name, value in settings.items()}
        self.__dict__["variant"] = self.Variant(**values)
        self.check()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A game never changes: numduel.game({self.name!r}, …) makes another.")

    def check(self) -> None:
        """Raise `BadVariant` if the settings make no sense together."""

    @property
    def settings(self) -> dict[str, int | str]:
        """The variant as people write it: every setting and its value."""
        pairs = zip(self.parameters.items(), self.variant, strict=True)
        return {name: parameter.show(value) for (name, parameter), value in pairs}

    @cached_property
    def bounds(self) -> Bounds:
        """Upper bounds of this variant."""
        raise NotImplementedError

    @property
    def display_name(self) -> str:
        """What the game is called wherever people look; its title is the rulebook's."""
        return self.title

    @property
    def brief(self) -> tuple[str, ...]:
        """The rules in about three sentences."""
        return (self.summary,)

    @property
    def details(self) -> tuple[str, ...]:
        """What `brief` leaves open, in sentences: together they are all that an agent is told.
        Without them, it is told the rules page instead, which is about the usual variant."""
        return ()

    @property
    def changed(self) -> dict[str, int | str]:
        """The settings that are not the usual ones."""
        usual = type(self)().settings
        return {name: value for name, value in self.settings.items() if value != usual[name]}

    @property
    def changes(self) -> list[str]:
        """The unusual settings in words: ``the length of the line: 24``, ``even first number``."""
        return [self.parameters[name].told(value) for name, value in self.changed.items()]

    @property
    def apart(self) -> bool:
        """Whether it is a game of claims in which only neighbours of one's own are closed: see
        `Rules.apart`."""
        return self.rules.apart is not None and self.rules.apart(self.variant)

    @property
    def layout(self) -> Layout:
        """How the board likes to be drawn."""
        return Layout()

    @property
    def variant_text(self) -> str:
        """The settings as the notation writes them: ``n=9 k=3``."""
        return " ".join(f"{name}={value}" for name, value in self.settings.items())

    @property
    def slug(self) -> str:
        """The game in its variant as part of a file's name: ``sequence-duel-n9-k3``."""
        return "-".join([self.id, *(f"{key}{value}" for key, value in self.settings.items())])

    def start(
        self,
        *,
        first: int = 1,
        seed: int | None = None,
        deck: Iterable[int] | None = None,
    ) -> State:
        """The first state. `first` is the seat that begins.

        Where there is a deck, `seed` shuffles it reproducibly and `deck` names its top cards
        (what it leaves out is shuffled below them); cards are then drawn automatically. With
        neither, every draw is explicit: `State.draws` and `State.draw`.
        """
        return start(self, first, seed, deck)

    def replay(self, text: str | Iterable[Move], *, first: int = 1) -> State:
        """The state after a game in notation, such as ``"4 5 6"``; every move is checked."""
        state = self.start(first=first)
        for token in text.split() if isinstance(text, str) else text:
            state = state.apply_token(str(token))
        return state

    def exercise(self, position: Position) -> tuple[object, ...]:
        """What a position asks of the player to move. It is equal wherever the rest of the game is
        the same, also by a symmetry or in another variant: nobody may train on one such position
        and be tested with another."""
        rest = self.rules.rest
        return (*self.variant, *(rest(*position, self.variant) if rest else position))

    def progress(self, state: State) -> float:
        """How much of a game is used up in a state, from 0 to 1."""
        return min(1.0, len(state.moves) / self.bounds.plies)

    @property
    def page(self) -> str:
        """The rules page of the game, as Markdown."""
        return self._beside("rules", "md") or f"# {self.display_name}\n\n{self.summary}\n"

    @property
    def picture(self) -> str | None:
        """A picture of the game for menus, as SVG, if it has one."""
        return self._beside("rules", "svg")

    @property
    def lesson(self) -> str | None:
        """The lesson of the game, as Markdown, if it has one; `numduel.learn.lesson` reads it."""
        return self._beside("lessons", "md")

    @property
    def plan(self) -> str | None:
        """A teacher's plan for a lesson with the game, as Markdown, if it has one."""
        return self._beside("plans", "md")

    def _beside(self, folder: str, suffix: str) -> str | None:
        """The text of the game's file in a folder beside its module, or None. In another language
        it is in a folder of its own, such as ``rules/de``; where there is none, it is English."""
        file = getattr(modules.get(type(self).__module__), "__file__", None) or ""
        home, name = Path(file).parent / folder, f"{self.name}.{suffix}"
        own: tuple[Path, ...] = () if language() == ENGLISH else (home / language() / name,)
        for path in (*own, home / name):
            with suppress(OSError):
                return path.read_text("utf-8")
        return None

    def page_without(self, *headings: str) -> str:
        """The rules page without the sections of these headings, given in English."""
        sections, out = self.page.strip().split("\n## "), {*headings, *map(_, headings)}
        return "\n## ".join(part for part in sections if part.split("\n")[0] not in out)

    def page_at(self, where: str, highest: Callable[[str], int] | None = None) -> str:
        """The rules page for a door where nothing is typed: without the prompt and the notation,
        with its settings in words, a sentence that says `where` they can be chosen, and the
        `highest` values there."""
        page = self.page_without(PROMPT, NOTATION).replace(f" (`{self.name}`)", "", 1)
        told = "".join(f"- {self._setting(name, highest)}\n" for name in self.parameters)
        sections, heads = page.split("\n## "), (f"{VARIANTS}\n", f"{_(VARIANTS)}\n")
        return "\n## ".join(
            f"{_(VARIANTS)}\n\n{where}\n\n{told}" if part.startswith(heads) else part
            for part in sections
        )

    def _setting(self, name: str, highest: Callable[[str], int] | None) -> str:
        """A setting in words: ``The length of the line: from 1 to 120; usually 10.``"""
        parameter, offered = self.parameters[name], self.offer.settings if self.offer else {}
        usual = offered.get(name, self.settings[name])
        high = highest(name) if highest else parameter.high
        meaning = f"{parameter.meaning[:1].upper()}{parameter.meaning[1:]}"
        if parameter.words:
            values = either(parameter.labels)
            return _(
                "{setting}: {values}; usually {usual}.",
                setting=meaning, values=values, usual=_(str(usual)),
            )  # fmt: skip
        return _(
            "{setting}: from {low} to {high}; usually {usual}.",
            setting=meaning, low=parameter.low, high=high, usual=usual,
        )  # fmt: skip

    @property
    def rulebook(self) -> str:
        """The rules of this very variant for an agent, who needs all of them and nothing else."""
        return self.rulebook_for()

    def rulebook_for(self, *, forgiving: bool = False) -> str:
        """The rulebook of a game in which broken rules may be forgiven, in English. A game
        without `details` is explained by its page, and by the settings that are not the usual
        ones."""
        with speaking(ENGLISH):
            return self._rulebook(forgiving)

    def _rulebook(self, forgiving: bool) -> str:
        told = [*self.brief, *self.details] if self.details else [f"{one}." for one in self.changes]
        if self.strict:
            told.append(_(FORGIVEN if forgiving else BROKEN))
        head = f"# {self.display_name}" if self.details else self._page_for_agents
        return "\n".join([head, *([""] if told else []), *(f"- {sentence}" for sentence in told)])

    @property
    def _page_for_agents(self) -> str:
        page = self.page_without(PROMPT, NOTATION, RULINGS)
        return CODE.sub("", page).replace(f" (`{self.name}`)", "", 1).strip()

    def to_dict(self) -> dict[str, object]:
        """A summary of the game, as plain data for programs: in English."""
        with speaking(ENGLISH):
            return {
                "id": self.id,
                "name": self.name,
                "title": self.title,
                "summary": self.summary,
                "variant": self.settings,
                "strict": self.strict,
                "deck": self.has_deck,
            }

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.variant == other.variant

    def __hash__(self) -> int:
        return hash((self.id, self.variant))

    def __str__(self) -> str:
        """``Four in a Row (n=10, k=4)``."""
        return f"{self.display_name} ({self.variant_text.replace(' ', ', ')})"

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.variant_text}>"

    # -- notation ---------------------------------------------------------------------------

    def moves(self, mask: int, state: State) -> tuple[Move, ...]:
        """The moves that a bit set stands for."""
        return ("pass",) if mask == 1 else numbers(mask)

    def read(self, move: Move, state: State) -> Move:
        """A move in its canonical form; `NotAMove` says what was expected instead."""
        if isinstance(move, int) and not isinstance(move, bool) and abs(move) < 10**MAX_DIGITS:
            return move
        text = move.strip(BLANKS).lower() if isinstance(move, str) else ""
        if text in ("pass", _("pass")) and state.forced_pass:
            return "pass"
        number = whole_number(text)
        if number is None:
            raise NotAMove(self.input_error())
        return number

    def code(self, move: Move) -> int:
        """The bit that stands for a canonical move, or -1."""
        if move == "pass":
            return 0
        return move if isinstance(move, int) and move > 0 else -1

    def reveal(self, state: State, token: str) -> tuple[State, str]:
        """The state in which a token's move is made, and that move. With a deck, the token's card
        is drawn first, and the move is empty if the token is only a card."""
        return state, token

    # -- the deck, for games that have one --------------------------------------------------

    def undrawn(self, position: Position) -> dict[int, int]:
        """How many of each card have not been drawn; cards that are all drawn do not appear."""
        if not self.has_deck:
            return {}
        left, v = self.chance.left, self.variant
        counts = {card: left(*position, card, v) for card in range(1, self.bounds.cards + 1)}
        return {card: count for card, count in counts.items() if count}

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Every card of the full deck, in order."""
        counts = self.undrawn(self.rules.start(self.variant))
        return tuple(card for card, count in counts.items() for _ in range(count))

    def drawn(self, state: State) -> tuple[int, ...]:
        """Every card drawn so far, in order, the waiting one included."""
        return ()

    # -- what a view is made of -------------------------------------------------------------

    def cells(self, state: State) -> tuple[Cell, ...]:
        """The cells of the board. A legal move that equals a label is made at that cell."""
        return ()

    def hands(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What Player 1 and Player 2 hold."""
        return (), ()

    def winning(self, state: State) -> tuple[int, ...]:
        """The numbers that won the game, if it was won by numbers."""
        return ()

    def facts(self, state: State) -> tuple[Fact, ...]:
        """Whatever else a player must know."""
        return ()

    # -- words, written against the view alone ----------------------------------------------

    def welcome(self) -> list[str]:
        """Lines before the first board."""
        return []

    def board(self, view: View) -> list[str]:
        """The board, as lines: cells, hands and facts."""
        cells = self.marked(view)
        hands = [titled(view.name(seat), listed(view.hand(seat))) for seat in (1, 2)]
        facts = [
            _(
                "{name}'s {fact}: {value}",
                name=view.name(fact.seat),
                fact=fact.label,
                value=fact.text,
            )
            if fact.seat
            else titled(fact.label, fact.text)
            for fact in view.facts
        ]
        layout = self.layout
        wide = max(map(len, cells), default=0) if layout.columns else 0
        rows = [" ".join(cell.ljust(wide) for cell in row) for row in layout.in_rows(cells)]
        return [*map(str.rstrip, rows), *(hands if any(view.hands) else []), *facts]

    def marked(self, view: View) -> list[str]:
        """The cells, each with the marker of its owner: ``9[P2]``."""
        return [
            cell.label + (f"[{self.markers[cell.owner - 1]}]" if cell.owner else "")
            for cell in view.cells
        ]

    def goal(self, view: View, you: int | None = None) -> str:
        """What to do in this position, in a sentence or two with its numbers, told to the player in
        seat `you`, or to a bystander."""
        return self.summary

    def prompt(self, view: View) -> list[str]:
        """The lines that ask for a move; the cursor stays at the end of the last one."""
        return [_("{name}, choose {what}:", name=view.player, what=self.input_hint()) + " "]

    def move_lines(self, view: View) -> list[str]:
        """What is said after the last move."""
        said = self.label(view.last) if view.last is not None else ""
        return [f"{view.name(view.mover)}: {said}", "", *self.board(view)]

    def end_lines(self, view: View, winner: int) -> list[str]:
        """Why the game ended as it did: the lines before ``Player N wins the game!``."""
        raise NotImplementedError

    def score_lines(self, view: View) -> list[str]:
        """The final count, shown before the ending where a game has one."""
        return []

    def refusal(self, move: Move, view: View) -> str:
        """Why a move breaks the rules."""
        return _("{move} is not possible here.", move=self.label(move))

    def input_error(self) -> str:
        """What to type, for someone who typed something else."""
        return _("Please type a whole number from 1 to {highest}.", highest=self.bounds.actions)

    def input_hint(self) -> str:
        """What a move looks like at the prompt, for `help`."""
        return _("a number from 1 to {highest}", highest=self.bounds.actions)

    def worded(self, move: Move, state: State) -> Move:
        """The move to give to `label`, `subject`, `does` and `advice` in a position. It is another
        one where the same move is called something else: the first card of a row in
        Sequence Build is put at no end."""
        return move

    def worded_moves(self, state: State) -> tuple[Move, ...]:
        """The moves that led to a position, each as `worded` in the position where it was made."""
        return state.moves

    def label(self, move: Move) -> str:
        """A move as a player would type it."""
        return _("pass") if move == "pass" else str(move)

    def advice(self, move: Move) -> str:
        """A move as it is recommended: ``choose 5``, ``discard it``."""
        return self.label(move) if move == "pass" else _("choose {move}", move=self.label(move))

    def subject(self, move: Move) -> str:
        """A move as the subject of a sentence: ``5``, ``discarding 4``, ``passing``."""
        return _("passing") if move == "pass" else self.label(move)

    def after(self, move: Move) -> str:
        """A move as the beginning of a sentence: ``after 5``, ``after discarding 4``."""
        if move == "pass":
            return _("after passing")
        return _("after {move}", move=self.subject(move))

    def does(self, move: Move, *, past: bool = False) -> str:
        """What a player does, or did: ``plays 5``, ``discards 4``, ``broke a rule with 3``,
        ``resigned``; it stands behind a name. What was done is a participle in languages that have
        another verb before it, which then is said with the name."""
        word = str(move)
        if word.endswith("!"):
            return self._broke(word[:-1], past)
        if move in RESIGNATIONS:
            return _("resigned") if past else _("resigns")
        if word == "pass":
            return _("passed") if past else _("passes")
        made = self._made(move)
        return _("played {move}", move=made) if past else _("plays {move}", move=made)

    def _made(self, move: Move) -> str:
        """A move as it stands behind ``plays``."""
        return self.label(move)

    def _broke(self, move: str, past: bool) -> str:
        how = self.subject(move)
        if how == self.label(move):
            with_it = N_("broke a rule with {move}") if past else N_("breaks a rule with {move}")
            return _(with_it, move=how)
        by_it = N_("broke a rule by {doing}") if past else N_("breaks a rule by {doing}")
        return _(by_it, doing=how)

    def label_played(self, move: Move) -> str:
        """A move in a list of moves that were made: ``5``, ``discards 4``, ``resigns``."""
        made, does = self._made(move), self.does(move)
        return made if does == _("plays {move}", move=made) else does

    def end_reason(self, view: View, winner: int, you: int | None = None) -> list[str]:
        """Why a finished game ended, also by resignation or a broken rule; in few words to the
        player in a seat."""
        loser = view.name(3 - winner)
        if view.resigned and you:
            return [_("You resigned.") if winner != you else _("{name} resigned.", name=loser)]
        if view.resigned:
            return [_("{name} resigns.", name=loser)]
        if view.fault is not None:
            lost = (
                _("You have broken a rule and lose the game.")
                if you == 3 - winner
                else _("{name} has broken a rule and loses the game.", name=loser)
            )
            return [view.fault, lost]
        return self.end_told(view, winner, you) if you else self.end_lines(view, winner)

    def end_told(self, view: View, winner: int, you: int) -> list[str]:
        """`end_lines` in few words, told to the player in seat `you`."""
        if view.winning:
            return [view.holds(winner, you, listed(view.winning))]
        return self.end_lines(view, winner)

    def closing(self, view: View, you: int | None = None) -> list[str]:
        """The last lines of a finished game: the count, why it ended, and who won."""
        if view.winner is None:
            return []
        return [*self.score_lines(view), *self.end_reason(view, view.winner, you), view.status]

    def reason_text(self, state: State, winner: int) -> str:
        """Why a finished game ended, in the sentences of `end_reason`."""
        return " ".join(self.end_reason(view(state), winner))


def numbers(mask: int) -> tuple[int, ...]:
    """The members of a bit set, smallest first."""
    return _members(mask) if mask < WORD else _members.__wrapped__(mask)


@lru_cache(maxsize=1 << 15)
def _members(mask: int) -> tuple[int, ...]:
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return tuple(members)
