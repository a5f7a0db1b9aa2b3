"""What a game file provides: its rules, as functions on integers, and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from sys import modules
from typing import Any, ClassVar, NamedTuple

from numduel.core.errors import BadVariant, NotAMove
from numduel.core.observation import BYTES, Observation
from numduel.core.state import Move, Position, State, start
from numduel.core.view import Cell, View, view

BLANKS = " \t\r\n"
"""What does not matter around a move; any other control character is no part of one."""
WORD = 1 << 64
"""Larger bit sets are not remembered: each would take kilobytes."""
MAX_DIGITS = 9
"""A longer run of digits is no number: nobody means it, and it must not cost anything."""


class Rules(NamedTuple):
    """The rules of a game: pure functions on integers that Numba compiles unchanged.

    A position is two integers seen from the player to move, and `v` is the variant. The game is
    over when `legal` gives no move (and no card is due); only then is `result` asked.
    """

    start: Callable[[Any], Position]
    """``start(v)``: the first position."""
    legal: Callable[[int, int, Any], int]
    """``legal(a, b, v)``: the legal moves as a bit set; bit 0 is a forced pass."""
    play: Callable[[int, int, int, Any], Position]
    """``play(a, b, move, v)``: the position after a move, seen from the next player."""
    result: Callable[[int, int, Any], int]
    """``result(a, b, v)``: in a finished position, 1 if the player to move won, else -1."""
    margin: Callable[[int, int, Any], int] | None = None
    """``margin(a, b, v)``: in a game that is counted, how far the player to move is ahead; it
    decides the result, unless it is 0."""
    edges: Callable[[int, Any], int] | None = None
    """``edges(number, v)``: where a token moves from number to number and never returns, the
    numbers next to one. A fact about the rules that a solver may use."""
    apart: bool = False
    """Whether nobody ever holds two neighbouring numbers. Likewise."""


class Chance(NamedTuple):
    """The rules of a deck, in the same form."""

    due: Callable[[int, int, Any], int]
    """``due(a, b, v)``: 1 if a card must be drawn before the next move, else 0."""
    left: Callable[[int, int, int, Any], int]
    """``left(a, b, card, v)``: how many of a card, 1 to n, are undrawn."""
    draw: Callable[[int, int, int, Any], Position]
    """``draw(a, b, card, v)``: the position after the draw; the same player is to move."""
    hand: Callable[[int, int, Any], int]
    """``hand(a, whose, v)``: what the player to move (0) or the opponent (1) has built."""
    join: Callable[[int, int, Any], int]
    """``join(own, other, v)``: the first integer of a position, from both hands."""


class Parameter(NamedTuple):
    """One setting of a variant: a whole number in a range, or one of a few words."""

    meaning: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    """If given, the setting is one of these words, and its value the word's place."""

    def read(self, name: str, value: object) -> int:
        """The integer for a value given as a number or as text."""
        if isinstance(value, int) and (isinstance(value, bool) or abs(value) >= 10**MAX_DIGITS):
            value = "an absurd number" if value > 1 else "no number"
        text = str(value) if isinstance(value, int | str) else ""
        if self.words:
            if text.lower() not in self.words:
                raise BadVariant(f"{name} must be {' or '.join(self.words)}, not {_short(value)}.")
            return self.words.index(text.lower())
        number = whole_number(text)
        if number is None or not self.low <= number <= self.high:
            raise BadVariant(
                f"{name} ({self.meaning}) must be a whole number from {self.low} to {self.high},"
                f" not {_short(value)}."
            )
        return number

    def show(self, value: int) -> int | str:
        """The value as people write it."""
        return self.words[value] if self.words else value


class Game:
    """A game in one of its variants. Subclasses are the game files; nothing else is.

    The defaults here serve every game in which a move is a number from 1 to n.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """The rule in one sentence, for menus and lobbies."""
    rules: ClassVar[Rules]
    observation: ClassVar[Observation] = BYTES
    """What learners are shown."""
    chance: ClassVar[Chance]
    Variant: ClassVar[Any]
    """A NamedTuple of integers with the default of every parameter."""
    parameters: ClassVar[Mapping[str, Parameter]]
    strict: ClassVar[bool] = False
    """Whether breaking a rule loses the game."""
    markers: ClassVar[tuple[str, str]] = ("P1", "P2")
    numeric: ClassVar[bool] = True
    """Whether a move is its number."""
    has_deck: ClassVar[bool] = False
    variant: Any
    """The settings of this game, an instance of `Variant`."""

    def __init__(self, /, **settings: object) -> None:
        unknown = [name for name in settings if name not in self.parameters]
        if unknown:
            known = ", ".join(self.parameters)
            raise BadVariant(f"{self.title} has no setting {_short(unknown[0])}; it has {known}.")
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

    @property
    def actions(self) -> int:
        """How many different moves there can be, passes apart: their bits are 1 to this."""
        return int(self.variant.n)

    def start(
        self,
        *,
        first: int = 1,
        seed: int | None = None,
        deck: Iterable[int] | None = None,
        pie: bool = False,
    ) -> State:
        """The first state. `first` is the seat that begins; with `pie` the other may answer the
        first move by taking it over.

        Where there is a deck, `seed` shuffles it reproducibly and `deck` names its top cards
        (what it leaves out is shuffled below them); play then draws by itself. With neither,
        every draw is explicit: `State.draws` and `State.draw`.
        """
        return start(self, first, seed, deck, pie)

    def replay(self, text: str | Iterable[Move], *, first: int = 1, pie: bool = False) -> State:
        """The state after a game in notation, such as ``"4 5 6"``; every move is checked."""
        state = self.start(first=first, pie=pie)
        for token in text.split() if isinstance(text, str) else text:
            state = state.follow(str(token))
        return state

    @property
    def page(self) -> str:
        """The rules page of the game, as Markdown."""
        beside = Path(str(modules[type(self).__module__].__file__)).parent / "rules"
        try:
            return (beside / f"{self.name}.md").read_text("utf-8")
        except OSError:
            return f"# {self.title}\n\n{self.summary}\n"

    @property
    def rulebook(self) -> str:
        """The rules page without what it says about typing at the prompt."""
        parts = self.page.strip().split("\n## ")
        return "\n## ".join(part for part in parts if not part.startswith("At the prompt"))

    def described(self) -> dict[str, object]:
        """What the game is, as plain data for lists of games."""
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

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value}" for name, value in self.settings.items())
        return f"<Game {self.id}: {settings}>"

    # -- notation ---------------------------------------------------------------------------

    def moves(self, mask: int, state: State) -> tuple[Move, ...]:
        """The moves that a bit set stands for."""
        return ("pass",) if mask == 1 else numbers(mask)

    def read(self, move: Move, state: State) -> Move:
        """A move in its canonical form; `NotAMove` says what was expected instead."""
        if isinstance(move, int) and not isinstance(move, bool) and abs(move) < 10**MAX_DIGITS:
            return move
        text = move.strip(BLANKS).lower() if isinstance(move, str) else ""
        if text == "pass" and state.forced_pass:
            return text
        number = whole_number(text)
        if number is None:
            raise NotAMove(self.expected(state))
        return number

    def code(self, move: Move) -> int:
        """The bit that stands for a canonical move, or -1."""
        if move == "pass":
            return 0
        return move if isinstance(move, int) and move > 0 else -1

    def reveal(self, state: State, token: str) -> tuple[State, str]:
        """The state in which a token's move is to be made, and that move: where there is a
        deck, the card that the token names is drawn first, and may be all there is."""
        return state, token

    # -- the deck, for games that have one --------------------------------------------------

    def undrawn(self, position: Position) -> dict[int, int]:
        """How many of each card have not been drawn; cards that are all drawn do not appear."""
        if not self.has_deck:
            return {}
        counts = {
            card: self.chance.left(*position, card, self.variant)
            for card in range(1, self.variant.n + 1)
        }
        return {card: count for card, count in counts.items() if count}

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Every card of the full deck, in order."""
        counts = self.undrawn(self.rules.start(self.variant))
        return tuple(card for card, count in counts.items() for _ in range(count))

    def card(self, state: State) -> int | None:
        """The drawn card that waits to be played."""
        return None

    def drawn(self, state: State) -> tuple[int, ...]:
        """Every card drawn so far, in order, the waiting one included."""
        return ()

    def discards(self, state: State) -> tuple[int, ...]:
        """The cards thrown away so far."""
        return ()

    # -- what a board shows -----------------------------------------------------------------

    def cells(self, state: State) -> tuple[Cell, ...]:
        """The numbers of the board, each with its owner and how it stands."""
        owners = self.owners(state)
        winning = self.winning(state)
        last = state.moves[-1] if state.moves else None
        cells = []
        for number in range(1, self.variant.n + 1):
            owner = owners.get(number)
            if owner is None:
                how = "free" if state.mask >> number & 1 else "blocked"
            elif number in winning:
                how = "winning"
            else:
                how = "last" if number == last else "taken"
            cells.append(Cell(str(number), owner, how))
        return tuple(cells)

    def owners(self, state: State) -> dict[int, int]:
        """The seat that took each taken number, in the order of play."""
        owners: dict[int, int] = {}
        seat = state.first
        for move in state.moves:
            if move == "swap":
                continue
            if isinstance(move, int):
                owners[move] = seat
            seat = 3 - seat
        return owners

    def hands(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers that each seat took, smallest first."""
        owners = sorted(self.owners(state).items())
        return (
            tuple(number for number, seat in owners if seat == 1),
            tuple(number for number, seat in owners if seat == 2),
        )

    def winning(self, state: State) -> tuple[int, ...]:
        """The numbers that won the game, if it was won by numbers."""
        return ()

    # -- words ------------------------------------------------------------------------------

    def welcome(self) -> list[str]:
        """Lines before the first board."""
        return []

    def board(self, view: View) -> list[str]:
        """The board, as lines."""
        raise NotImplementedError

    def prompt(self, view: View) -> list[str]:
        """What the player to move is asked; the last entry is what the cursor stands behind."""
        raise NotImplementedError

    def moved(self, view: View) -> list[str]:
        """What is said after the last move."""
        raise NotImplementedError

    def told(self, view: View) -> list[str]:
        """What is said after the last move, a swap included."""
        if view.last != "swap":
            return self.moved(view)
        name = view.name(view.mover)
        return [f"{name} swaps: the first move is {name}'s now.", "", *self.board(view)]

    def ending(self, view: View, winner: int) -> list[str]:
        """Why the game ended as it did: the lines before ``Player N wins the game!``."""
        raise NotImplementedError

    def tally(self, view: View) -> list[str]:
        """The final count, shown before the ending where a game has one."""
        return []

    def refusal(self, move: Move, state: State) -> str:
        """Why a move breaks the rules."""
        raise NotImplementedError

    def expected(self, state: State) -> str:
        """What to type, for someone who typed something else."""
        return f"Please type a whole number from 1 to {self.variant.n}."

    def usage(self) -> str:
        """What a move looks like at the prompt, for `help`."""
        return f"a number from 1 to {self.variant.n}"

    def spoken(self, move: Move) -> str:
        """A move as a player would type it."""
        return str(move)

    def explain(self, view: View, winner: int) -> list[str]:
        """The lines that say why a finished game ended, however it ended."""
        loser = view.name(3 - winner)
        if view.state.resigned:
            return [f"{loser} resigns."]
        if view.state.fault is not None:
            return [view.state.fault, f"{loser} has broken a rule and loses the game."]
        return self.ending(view, winner)

    def conclusion(self, view: View) -> list[str]:
        """The last lines of a finished game: the count, why it ended, and who won."""
        outcome = view.state.outcome
        if outcome is None:
            return []
        return [*self.tally(view), *self.explain(view, outcome.winner), view.status]

    def reason(self, state: State, winner: int) -> str:
        """Why a finished game ended, in the sentences of `explain`."""
        return " ".join(self.explain(view(state), winner))


def whole_number(text: str) -> int | None:
    """The whole number that a text is: ASCII digits with an optional sign, and not absurdly
    many of them."""
    text = text.strip(BLANKS)
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        return None
    return int(text)


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


def listed(values: Iterable[int]) -> str:
    """``1, 2, 3``, or ``None``."""
    return ", ".join(map(str, values)) or "None"


def illegal_number(move: Move, state: State, taken: str) -> str | None:
    """The sentence for a number outside the board or already taken, if it is one."""
    n = state.game.variant.n
    if not isinstance(move, int) or not 1 <= move <= n:
        return f"{move} is out of range: the numbers are 1 to {n}."
    if move in state.game.owners(state):
        return f"{move} {taken}."
    return None


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return repr(text if len(text) <= 20 else text[:20] + "…")
