"""Sequence Capture on a line: be the first to claim k numbers in a row.

A position is ``(own, other)``: the numbers of the player to move and of the opponent, as bit sets.
"""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.claims import ClaimGame, mirror
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea, Keep, Score, Theorem, by, highest, size
from numduel.core.observation import claims
from numduel.core.rules import Parameter, Position, Rules
from numduel.core.state import State
from numduel.core.text import in_words, listed
from numduel.core.view import Fact, Layout, View


class Variant(NamedTuple):
    """A line of 1 to n; k in a row win."""

    n: int = 10
    k: int = 4


def start(v: Variant) -> tuple[int, int]:
    """Setup: every number is unclaimed."""
    return 0, 0


def legal(own: int, other: int, v: Variant) -> int:
    """Claiming Numbers: any unclaimed one, until somebody has won."""
    if runs(other, v.k):
        return 0
    return (2 << v.n) - 2 & ~(own | other)


def play(own: int, other: int, move: int, v: Variant) -> tuple[int, int]:
    """Claim a number; the opponent is next."""
    return other, own | 1 << move


def result(own: int, other: int, v: Variant) -> int:
    """Winning the Game and the Tiebreaker: the longer longest run, else the one that starts lower.

    The last to move is the opponent, so only they can have just made k in a row.
    """
    if runs(other, v.k):
        return -1
    mine = longest(own)
    theirs = longest(other)
    if mine != theirs:
        return 1 if mine > theirs else -1
    return 1 if lowest(runs(own, mine)) < lowest(runs(other, theirs)) else -1


def runs(numbers: int, length: int) -> int:
    """Where runs of a length start: bit i if i, i+1, … are all there."""
    for _ in range(1, length):
        numbers &= numbers >> 1
    return numbers


def longest(numbers: int) -> int:
    """The length of the longest run."""
    length = 0
    while numbers:
        numbers &= numbers >> 1
        length += 1
    return length


def lowest(numbers: int) -> int:
    """The lowest member of a set, as a bit set of its own."""
    return numbers & -numbers


# -- ideas ----------------------------------------------------------------------------------


def run_with(own: int, move: int) -> int:
    """How long the run is that a number makes with one's own."""
    held = own | 1 << move
    low = high = move
    while low > 1 and held >> low - 1 & 1:
        low -= 1
    while held >> high + 1 & 1:
        high += 1
    return high - low + 1


def room(blocked: int, v: Variant) -> int:
    """In how many places k numbers in a row are not blocked."""
    return size(runs((2 << v.n) - 2 & ~blocked, v.k))


def _run_made(game: Game, _: Keep) -> Score:
    return lambda own, _other, move, _v: run_with(own, move)


def _room_taken(game: Game, _: Keep) -> Score:
    return lambda own, _other, move, v: -room(own | 1 << move, v)


_LENGTHEN, _CUT = highest(_run_made), highest(_room_taken)


def _why_lengthen(state: State, move: int) -> str:
    return f"{move} makes a run of {in_words(run_with(state.position[0], move))}"


def _why_cut(state: State, move: int) -> str:
    v = state.game.variant
    places = room(state.position[0] | 1 << move, v)
    only = "only " if 0 < places <= 3 else ""
    left = f"{only}{in_words(places, 'place')} left"
    return f"after {move} they have {left} for {in_words(v.k)} in a row"


LENGTHEN = Idea(
    "lengthen",
    "Make the longest run you can.",
    "Which number makes the longest run?",
    "how long its runs are",
    by(_LENGTHEN),
    _why_lengthen,
    made=_LENGTHEN,
    title="Long run",
)
CUT = Idea(
    "cut",
    "Leave them as little room for a row as you can.",
    "Which number leaves them the least room for a row?",
    "where the opponent still has room",
    by(_CUT),
    _why_cut,
    2,
    made=_CUT,
    title="Cut off",
)


class Line(ClaimGame):
    """Sequence Capture, four in a row on 1 to 10."""

    id = "sequence-capture-line"
    name = "line"
    title = "Sequence Capture (four in a row)"
    summary = "Take turns claiming numbers; the first with four in a row wins."
    rules = Rules(start, legal, play, result)
    observation = claims(lambda v: v.n)
    ideas = (LENGTHEN, CUT)
    levels = {
        "easy": ("win", "lengthen"),
        "medium": ("win", "deny", "resist", "lengthen"),
        "hard": ("win", "deny", "resist", "fork", "deny-fork", "central"),
    }
    order = 1
    taken = "is already claimed"
    Variant = Variant
    parameters = {
        "n": Parameter("the length of the line", 1, 999),
        "k": Parameter("how many in a row", 1, 999),
    }
    markers = ("X", "O")

    def check(self) -> None:
        if self.variant.k > self.variant.n:
            raise BadVariant(
                f"{self.variant.k} in a row do not fit on a line of {self.variant.n}: choose 1 to"
                f" {self.variant.n} in a row, or a longer line."
            )

    @property
    def theorem(self) -> Theorem | None:
        if self.variant.k < 3:
            return None
        pairs = tuple((low, low + 1) for low in range(2, self.variant.n, 2))
        reason = "They never get three in a row; if they get two, your two start lower."
        return Theorem(reason, opening=1, pairs=pairs)

    def winning(self, state: State) -> tuple[int, ...]:
        own, other = state.position
        starts = runs(other, self.variant.k) or runs(own, self.variant.k)
        return _run(starts, self.variant.k) if starts else ()

    def facts(self, state: State) -> tuple[Fact, ...]:
        """The longest runs, which decide a full line without k in a row."""
        if state.mask or state.fault or state.resigned or self.winning(state):
            return ()
        held = dict(zip((state.to_move, 3 - state.to_move), state.position, strict=True))
        return tuple(
            Fact("Longest run", tuple(map(str, _run(runs(held[seat], long), long))), seat)
            for seat in (1, 2)
            for long in (longest(held[seat]),)
        )

    def deciding(self, state: State) -> tuple[int, ...]:
        """k in a row; on a full line without, the winner's longest run."""
        run = (fact.value for fact in self.facts(state) if fact.seat == state.winner)
        return self.winning(state) or tuple(map(int, next(run, ())))

    @property
    def display_name(self) -> str:
        return f"{in_words(self.variant.k).title()} in a Row"

    def exercise(self, position: Position) -> tuple[object, ...]:
        """Seen in a mirror, too: only which of two equal runs wins is not the same there."""
        return self.alike(position, mirror(self.variant.n))

    @property
    def brief(self) -> tuple[str, ...]:
        n, k = self.variant
        return (
            f"The numbers 1 to {n} stand in a line, and you take turns claiming one.",
            f"The first to own {in_words(k)} in a row wins; you may claim them in any order.",
            "If the line fills up first, the longest run wins; of equal runs, the lower one.",
        )

    @property
    def details(self) -> tuple[str, ...]:
        return (
            "A number that is claimed stays with its owner, and nobody may skip a turn.",
            "A run is numbers of one player that follow one another without a gap.",
            "On a full line each player's longest run is compared. A player who has several uses"
            " the one that begins at the smallest number; of two equally long ones the one that"
            " begins at the smaller number wins.",
        )

    @property
    def layout(self) -> Layout:
        return Layout("path")

    def goal(self, view: View, you: int | None = None) -> str:
        k = in_words(self.variant.k)
        able = [seat for seat in (1, 2) if room(view.mask(3 - seat), self.variant)]
        if not able:
            return f"Nobody can get {k} in a row any more: the longest run wins."
        if you and you not in able:
            stop = f"stop {view.name(3 - you)}, then the longest run wins"
            return f"You can't get {k} in a row any more: {stop}."
        late = 2 * sum(not cell.owner for cell in view.cells) <= self.variant.n
        full = " If the line fills up first, the longest run wins." if late else ""
        return f"Get {k} in a row.{full}{view.holding(you)}"

    def board(self, view: View) -> list[str]:
        cells = (
            f"[{self.markers[cell.owner - 1]}]" if cell.owner else cell.label for cell in view.cells
        )
        return ["Number Line:", " ".join(cells)]

    def prompt(self, view: View) -> list[str]:
        marker = self.markers[view.to_move - 1]
        return [f"{view.player} ({marker}), select a number to claim:", "> "]

    def move_lines(self, view: View) -> list[str]:
        return ["", *self.board(view)]

    def end_lines(self, view: View, winner: int) -> list[str]:
        row = view.winning
        if row:
            numbers = "number" if len(row) == 1 else "numbers"
            name = view.name(winner)
            return [f"{name} has claimed {len(row)} {numbers} in a row: {listed(row)}."]
        return [
            "All numbers are claimed and nobody has"
            f" {self.variant.k} in a row: the longest runs decide.",
            _compared(view, winner, None),
        ]

    def end_told(self, view: View, winner: int, you: int) -> list[str]:
        if view.winning:
            return super().end_told(view, winner, you)
        return [f"The line is full: {_compared(view, winner, you)}"]


def _compared(view: View, winner: int, you: int | None) -> str:
    """Which of the longest runs wins, and why."""
    (mine, own), (theirs, other) = (
        (view.fact("Longest run", seat), view.whose(seat, you)) for seat in (winner, 3 - winner)
    )
    why = "is longer than" if len(mine.value) > len(theirs.value) else "starts lower than"
    return f"{own} run {mine.text} {why} {other} run {theirs.text}."


def _run(starts: int, length: int) -> tuple[int, ...]:
    first = lowest(starts).bit_length() - 1
    return tuple(range(first, first + length))
