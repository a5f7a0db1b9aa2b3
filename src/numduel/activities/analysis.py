"""The analysis board: try lines in a game, and see what every move is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl

from numduel.activities.base import Activity, Choice, Ply, Scene, Sentence
from numduel.activities.play import not_made
from numduel.core.errors import IllegalMove, NotAMove, NumduelError
from numduel.core.game import Game
from numduel.core.language import N_, _, cached
from numduel.core.state import RESIGNATIONS, State
from numduel.core.text import either, whole_number
from numduel.core.view import View, view
from numduel.games import games, offered
from numduel.learn import coach
from numduel.learn.coach.words import starred_legend
from numduel.play.record import Record, addressed, parse
from numduel.solver import Option, analyse, evaluate

BACK = Choice("back", N_("One move back"), "left", N_("One move back"))
ON = Choice("on", N_("One move on"), "right", N_("One move on"))
START = Choice("start", N_("To the start"), "home", N_("To the start"))
END = Choice("end", N_("To the end"), "end", N_("To the end"))
OTHER = Choice("other", N_("Another branch"), "down", N_("Another branch from here"))
GAME = Choice("game", N_("Back to the game"), "g", N_("Back from a branch to the game"))
VALUES = Choice("values", N_("Values"), "v", N_("What every move is worth"))
HEADERS = ("Game", "Variant", "First", "Name 1", "Name 2", "Rules")
"""The headers of a record that are needed to try moves in it."""
MAX_LINES, MAX_LETTERS = 100, 8_000
"""How many lines are remembered, and how long they are together. The line that was not looked at
for longest is forgotten first."""
BETWEEN, MAX_SHARED = ".", 1_000
"""What stands between two lines in an address, and how long they are together there."""


@dataclass(frozen=True)
class Line:
    """Steps from the start: moves, and before each the card that is drawn for it."""

    number: int
    """Lines are numbered as they were tried; 0 is the game itself."""
    text: str

    @property
    def steps(self) -> list[str]:
        """The steps, in order."""
        return self.text.split()


@dataclass(frozen=True)
class Analysis(Activity):
    """A tree of lines, and where somebody stands in it."""

    NAME: ClassVar = "analysis"
    CHOICES: ClassVar = (BACK, ON, START, END, OTHER, GAME, VALUES)

    head: str = ""
    """What a record of the game says before its moves."""
    lines: tuple[Line, ...] = ()
    """The line that is followed, then the others, the latest first."""
    place: int = 0
    """How many steps of the line have been made."""
    values: bool = True
    """Whether values are wanted."""
    worth: dict[str, Any] | None = None
    """What the position and its moves are worth, once that is known."""

    # -- acting -----------------------------------------------------------------------------

    def act(self, action: str, given: str = "") -> Self:
        """Begin with what an address names, or go on. Make a move or draw a card; step back or on,
        once or several times; go to the position after some moves, to another branch, or back to
        the game; turn values on or off, and have them worked out."""
        if action == "begin" and (given or not self.lines):
            wanted = {"game": games()[0].name} | dict(parse_qsl(given))
            if not wanted.keys() & {"variant", "moves"}:
                wanted["variant"] = offered(wanted["game"]).variant_text
            return self.opened(addressed(wanted), end=True)._joined(wanted.get("lines", ""))
        if action in ("begin", "leave"):
            return replace(self, work=None, said=())
        if not self.lines:
            return self
        if action == "move":
            return self._try(given)
        if action == "other":
            return self._turned(1 if given else -1)
        if action == "game":
            return self._returned()
        if action == "values":
            return replace(self, values=not self.values, worth=None, work=None, said=())
        if action == "value" and self._unvalued:
            return self._wait("value_position", self._at, told=_("Working out the values"))
        if action == "go":
            return self._go(_steps(self.head, given))
        line, number = self.lines[0].steps, whole_number(given)
        by = 1 if number is None else number
        ends = {"start": 0, "back": self.place - by, "on": self.place + by, "end": len(line)}
        return self._go(line[: max(0, ends[action])]) if action in ends else self

    def fed(self, result: Any) -> Self:
        """What the position and its moves are worth."""
        return self if self.work is None else replace(self, work=None, worth=result, said=())

    def opened(self, record: Record, *, end: bool) -> Self:
        """A game to look at, from its end or its start."""
        head = "".join(f"{key}: {value}\n" for key, value in record.headers() if key in HEADERS)
        steps = _steps(head, record.state.text)
        begun = replace(self, head=head, lines=(Line(0, " ".join(steps)),))
        return begun._go(steps if end else [])

    def _joined(self, shared: str) -> Self:
        """With the lines of an address; one that was cut off and makes no sense is left out."""
        lines = []
        for number, text in enumerate(shared[:MAX_SHARED].split(BETWEEN) if shared else ()):
            with suppress(NumduelError):
                lines.append(Line(number, " ".join(_steps(self.head, text))))
        return replace(self, lines=tuple(lines[::-1]))._go(self._made) if lines else self

    def _go(self, steps: list[str]) -> Self:
        """Go to the position after some steps. Of the lines that lead on from there, the latest is
        followed; steps that are new make a new line, or a line longer."""
        through = [line for line in self.lines if _begins(line.steps, steps)]
        further = [line for line in through if len(line.steps) > len(steps)]
        followed = next(iter((*further, *through)), None) or self._new(steps)
        others = (line for line in self.lines if line.number != followed.number)
        lines = tuple(_remembered((followed, *others)))
        return replace(self, lines=lines, place=len(steps), worth=None, work=None, said=())

    def _new(self, steps: list[str]) -> Line:
        shorter = (line.number for line in self.lines if _begins(steps, line.steps))
        number = max(shorter, default=0) or 1 + max(line.number for line in self.lines)
        return Line(number, " ".join(steps))

    def _try(self, move: str) -> Self:
        state = self._record.state
        try:
            after = state.apply_token(move) if state.draws else state.play(move)
        except IllegalMove as refused:
            if state.draws and isinstance(refused, NotAMove):
                refused = NotAMove(_("Please choose a card: {draws}.", draws=either(state.draws)))
            return replace(self, said=(Sentence("error", not_made(move, refused)),))
        return self._go(_steps(self.head, after.text))

    def _turned(self, by: int) -> Self:
        """Replace the last step by the next one that was tried in its place, in a circle."""
        if not self.place:
            return self
        *before, here = self._made
        tried = self._tried(before)
        return self._go([*before, tried[(tried.index(here) + by) % len(tried)]])

    def _returned(self) -> Self:
        """Go back to where the branch left the game, and follow the game again."""
        game, *branches = sorted(self.lines, key=lambda line: line.number != 0)
        pairs = zip(game.steps, self._made, strict=False)
        common = [step for step, _same in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        return replace(self, lines=(game, *branches))._go(common)

    # -- where one stands -------------------------------------------------------------------

    @property
    def _made(self) -> list[str]:
        """The steps up to here."""
        return self.lines[0].steps[: self.place]

    @property
    def _at(self) -> str:
        return f"{self.head}\n{' '.join(self._made)}\n"

    @property
    def _record(self) -> Record:
        return _parsed(self._at)

    @property
    def _branch(self) -> bool:
        """Whether this is a branch of a game, and not the game."""
        game = next((line.steps for line in self.lines if not line.number), [])
        return bool(game) and not _begins(game, self._made)

    @property
    def _unvalued(self) -> bool:
        return self.values and self.worth is None and not self._record.state.is_over

    @property
    def _shared(self) -> str:
        """The lines for an address: those that were looked at last, in the order in which they were
        tried. Where there is only the way to the position, the position tells."""
        if {line.text for line in self.lines} <= {"", " ".join(self._made)}:
            return ""
        letters, kept = 0, []
        for line in sorted(self.lines, key=lambda line: line.number != 0):
            letters += len(line.text) + len(BETWEEN)
            if letters <= MAX_SHARED:
                kept.append(line)
        return BETWEEN.join(line.text for line in sorted(kept, key=lambda line: line.number))

    def _by_number(self) -> list[Line]:
        return sorted(self.lines, key=lambda line: line.number)

    def _tried(self, before: list[str]) -> list[str]:
        """The steps that were tried after some steps, the first one first."""
        there = len(before)
        lines = (line.steps for line in self._by_number())
        steps = (line[there] for line in lines if line[there:] and _begins(line, before))
        return list(dict.fromkeys(steps))

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The position, all lines, and what can be done."""
        if not self.lines:
            return Scene(_("Analysis"), said=self.said)
        state, made = self._record.state, self._made
        seen = view(state, self._record.names)
        onward = len(self.lines[0].steps) > self.place
        return Scene(
            " · ".join([state.game.display_name, *state.game.changes]),
            goal=seen.status if seen.winner else state.game.goal(seen, None),
            at=self._at,
            moves=not seen.winner,
            said=(*self.said, *(Sentence("note", text) for text in self._told(state, seen))),
            choices=(
                *((BACK, START) if made else ()),
                *((ON, END) if onward else ()),
                *((OTHER,) if made and len(self._tried(made[:-1])) > 1 else ()),
                *((GAME,) if self._branch else ()),
                VALUES,
            ),
            link=state.game.name,
            tree=tuple(self._tree(state.game, _parsed(f"{self.head}\n\n").state.first)),
            lines=self._shared,
            values=self.worth,
            then="value" if self._unvalued else "",
        )

    def _told(self, state: State, seen: View) -> list[str]:
        """Which move it is, and whose turn; or how the game ended, and at which move."""
        cards = _cards(state.game)
        moves = [step for step in self.lines[0].steps if step not in cards]
        at, of = len(state.moves), len(moves)
        if not moves:
            count = _("No move yet.")
        elif self._branch:
            count = _("Move {at} of {of}, on a branch.", at=at, of=of)
        else:
            count = _("Move {at} of {of}.", at=at, of=of)
        if state.draws:
            return [count, _("{player} draws: choose the card.", player=seen.player)]
        if seen.winner:
            return ["\n".join(state.game.closing(seen)), count]
        return [count, seen.status]

    def _shown(self, cards: frozenset[str], line: Line) -> list[tuple[int, str]]:
        """The moves of a line, each with the number of its step. A drawn card is one of them until
        it is played."""
        *before, last = line.steps or [""]
        others = (other.steps for other in self.lines if other is not line)
        played = last in cards and any(_begins(steps, line.steps) for steps in others)
        moves = [(place, step) for place, step in enumerate(before, 1) if step not in cards]
        return moves if played or not last else [*moves, (len(before) + 1, last)]

    def _tree(self, game: Game, first: int) -> Iterator[Ply]:
        """The moves of all lines, in the order in which they were tried."""
        cards = _cards(game)
        known: dict[tuple[int, str], int] = {}
        seats: list[int] = []
        told: list[str] = []
        for line in self._by_number():
            at, labels = -1, _labels(f"{self.head}\n{line.text}\n")
            for number, (_at, step) in enumerate(self._shown(cards, line)):
                if (at, step) not in known:
                    known[at, step] = len(known)
                    told.append(step if step in cards else labels[number])
                    turn = first if number % 2 == 0 else 3 - first
                    seats.append(0 if step in cards else RESIGNATIONS.get(step) or turn)
                at = known[at, step]
        at, here, followed = -1, -1, set()
        for place, step in self._shown(cards, self.lines[0]):
            at = known[at, step]
            followed.add(at)
            here = at if place <= self.place else here
        for (before, step), ply in known.items():
            yield Ply(step, told[ply], seats[ply], before, ply in followed, ply == here)


def _begins(steps: list[str], beginning: list[str]) -> bool:
    return steps[: len(beginning)] == beginning


def _remembered(lines: Iterable[Line]) -> Iterator[Line]:
    letters = 0
    for count, line in enumerate(lines):
        letters += len(line.text)
        if not count or not line.number or (count < MAX_LINES and letters <= MAX_LETTERS):
            yield line


def _steps(head: str, moves: str) -> list[str]:
    """The steps of a game in notation, where a move is written with its card."""
    record, steps = _parsed(f"{head}\n\n"), list[str]()
    state = record.state
    for token in moves.split():
        drawn = state.revealed(token)
        after = drawn.apply_token(token, forgiving=record.forgiving)
        steps += [str(drawn.card)] if drawn.card != state.card else []
        steps += [token] if len(after.moves) > len(state.moves) else []
        state = after
    return steps


@lru_cache(maxsize=8)
def _cards(game: Game) -> frozenset[str]:
    return frozenset(map(str, game.cards))


@lru_cache(maxsize=8)
def _parsed(record: str) -> Record:
    return parse(record)


@cached(2 * MAX_LINES)
def _labels(record: str) -> tuple[str, ...]:
    """What each move of a record is called in a list of moves."""
    state = _parsed(record).state
    return tuple(map(state.game.label_played, state.game.worded_moves(state)))


# -- what is computed -----------------------------------------------------------------------


def value_position(at: str) -> dict[str, Any]:
    """What every move in a position is worth, and the position itself."""
    return values(parse(at).state)


TASKS = (value_position,)


def values(state: State) -> dict[str, Any]:
    """What every legal move is worth, best first, and how the position stands for both players,
    unless the game is over."""
    game, options = state.game, analyse(state) if state.mask else ()
    valued = [
        option.json()
        | {
            "label": game.label(game.worded(option.move, state)),
            "worth": coach.worth(game, option),
            "short": coach.short(game, option),
        }
        for option in options
    ]
    legend = starred_legend(game, options) if options else ""
    return {"options": valued, "legend": legend, "evaluation": _evaluation(state, options)}


def _evaluation(state: State, options: tuple[Option, ...]) -> dict[str, Any] | None:
    if state.winner is not None:
        return None
    value, seat = options[0].value if options else evaluate(state), state.to_move
    chance = value.win_probability
    return {
        "chances": [chance, 1 - chance] if seat == 1 else [1 - chance, chance],
        "words": list(coach.outlook(state.game, value, seat)),
        "exact": value.exact,
    }
