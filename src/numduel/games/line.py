"""Sequence Capture on a line: be the first to claim k numbers in a row.

A position is ``(own, other)``: the numbers of the player to move and of the opponent, as bit sets.
"""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.claims import ClaimGame, mirror
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea, Score, by, highest, size
from numduel.core.language import N_, _, class_text, plural
from numduel.core.observation import claims
from numduel.core.rules import Parameter, Position, Rules
from numduel.core.state import State
from numduel.core.text import in_words, listed
from numduel.core.view import Fact, Layout, View, told_to


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
    for _step in range(1, length):
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


def _run_made(game: Game) -> Score:
    return lambda own, _other, move, _v: run_with(own, move)


def _room_taken(game: Game) -> Score:
    return lambda own, _other, move, v: -room(own | 1 << move, v)


_LENGTHEN, _CUT = highest(_run_made), highest(_room_taken)


def _why_lengthen(state: State, move: int) -> str:
    length = in_words(run_with(state.position[0], move))
    return _("{move} makes a run of {length}", move=move, length=length)


def _why_cut(state: State, move: int) -> str:
    v = state.game.variant
    places = room(state.position[0] | 1 << move, v)
    told = {"move": move, "k": in_words(v.k)}
    if not places:
        return _("after {move} they have no places left for {k} in a row", **told)
    if places <= 3:
        return plural(
            "after {move} they have only one place left for {k} in a row",
            "after {move} they have only {count} places left for {k} in a row",
            places, count=in_words(places), **told,
        )  # fmt: skip
    return _(
        "after {move} they have {count} places left for {k} in a row",
        count=in_words(places), **told,
    )  # fmt: skip


LENGTHEN = Idea(
    "lengthen",
    N_("Make the longest run you can."),
    N_("Which number makes the longest run?"),
    N_("how long its runs are"),
    by(_LENGTHEN),
    _why_lengthen,
)
CUT = Idea(
    "cut",
    N_("Leave them as little room for a row as you can."),
    N_("Which number leaves them the least room for a row?"),
    N_("where the opponent still has room"),
    by(_CUT),
    _why_cut,
    2,
)


class Line(ClaimGame):
    """Sequence Capture, four in a row on 1 to 10."""

    id = "sequence-capture-line"
    name = "line"
    title = class_text("Sequence Capture (four in a row)")
    summary = class_text("Take turns claiming numbers; the first with four in a row wins.")
    rules = Rules(start, legal, play, result)
    observation = claims(lambda v: v.n)
    ideas = (LENGTHEN, CUT)
    levels = {
        "easy": ("win", "lengthen"),
        "medium": ("win", "deny", "resist", "lengthen"),
        "hard": ("win", "deny", "resist", "fork", "deny-fork", "central"),
    }
    order = 1
    taken = class_text("{number} is already claimed.")
    Variant = Variant
    parameters = {
        "n": Parameter(N_("the length of the line"), 1, 999),
        "k": Parameter(N_("how many in a row"), 1, 999),
    }
    markers = ("X", "O")

    def check(self) -> None:
        if self.variant.k > self.variant.n:
            raise BadVariant(
                _(
                    "{k} in a row do not fit on a line of {n}: choose 1 to {n} in a row, or a"
                    " longer line.",
                    k=self.variant.k,
                    n=self.variant.n,
                )
            )

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
            Fact(N_("Longest run"), tuple(map(str, _run(runs(held[seat], long), long))), seat)
            for seat in (1, 2)
            for long in (longest(held[seat]),)
        )

    def deciding(self, state: State) -> tuple[int, ...]:
        """k in a row; on a full line without, the winner's longest run."""
        run = (fact.value for fact in self.facts(state) if fact.seat == state.winner)
        return self.winning(state) or tuple(map(int, next(run, ())))

    @property
    def display_name(self) -> str:
        return _("{count} in a Row", count=in_words(self.variant.k).title())

    def exercise(self, position: Position) -> tuple[object, ...]:
        """Seen in a mirror, too: only which of two equal runs wins is not the same there."""
        return self.alike(position, mirror(self.variant.n))

    @property
    def brief(self) -> tuple[str, ...]:
        n, k = self.variant
        return (
            _("The numbers 1 to {n} stand in a line, and you take turns claiming one.", n=n),
            _(
                "The first to own {count} in a row wins; you may claim them in any order.",
                count=in_words(k),
            ),
            _("If the line fills up first, the longest run wins; of equal runs, the lower one."),
        )

    @property
    def details(self) -> tuple[str, ...]:
        return (
            _("A number that is claimed stays with its owner, and nobody may skip a turn."),
            _("A run is numbers of one player that follow one another without a gap."),
            _(
                "On a full line each player's longest run is compared. A player who has several"
                " uses the one that begins at the smallest number; of two equally long ones the"
                " one that begins at the smaller number wins."
            ),
        )

    @property
    def layout(self) -> Layout:
        return Layout("path")

    def goal(self, view: View, you: int | None = None) -> str:
        k = in_words(self.variant.k)
        able = [seat for seat in (1, 2) if room(view.mask(3 - seat), self.variant)]
        if not able:
            return _("Nobody can get {k} in a row any more: the longest run wins.", k=k)
        if you and you not in able:
            return _(
                "You can't get {k} in a row any more: stop {name}, then the longest run wins.",
                k=k, name=view.name(3 - you),
            )  # fmt: skip
        late = 2 * sum(map(len, view.hands)) >= self.variant.n
        goal = (
            _("Get {k} in a row. If the line fills up first, the longest run wins.", k=k)
            if late
            else _("Get {k} in a row.", k=k)
        )
        return f"{goal}{view.holding(you)}"

    def board(self, view: View) -> list[str]:
        cells = (
            f"[{self.markers[cell.owner - 1]}]" if cell.owner else cell.label for cell in view.cells
        )
        return [_("Number Line:"), " ".join(cells)]

    def prompt(self, view: View) -> list[str]:
        marker = self.markers[view.to_move - 1]
        ask = _("{name} ({marker}), select a number to claim:", name=view.player, marker=marker)
        return [ask, "> "]

    def move_lines(self, view: View) -> list[str]:
        return ["", *self.board(view)]

    def end_lines(self, view: View, winner: int) -> list[str]:
        row = view.winning
        if row:
            return [
                plural(
                    "{name} has claimed {n} number in a row: {row}.",
                    "{name} has claimed {n} numbers in a row: {row}.",
                    len(row), name=view.name(winner), row=listed(row),
                )
            ]  # fmt: skip
        return [
            _(
                "All numbers are claimed and nobody has {k} in a row: the longest runs decide.",
                k=self.variant.k,
            ),
            _compared(view, winner),
        ]

    def end_told(self, view: View, winner: int, you: int) -> list[str]:
        if view.winning:
            return super().end_told(view, winner, you)
        return [_compared(view, winner, you)]


LONGER, LOWER = (
    {
        "they": N_("{winner}'s run {mine} is longer than {loser}'s run {theirs}."),
        "won": N_("The line is full: your run {mine} is longer than {loser}'s run {theirs}."),
        "lost": N_("The line is full: {winner}'s run {mine} is longer than your run {theirs}."),
    },
    {
        "they": N_("{winner}'s run {mine} starts lower than {loser}'s run {theirs}."),
        "won": N_("The line is full: your run {mine} starts lower than {loser}'s run {theirs}."),
        "lost": N_("The line is full: {winner}'s run {mine} starts lower than your run {theirs}."),
    },
)


def _compared(view: View, winner: int, you: int | None = None) -> str:
    """Which of the longest runs wins, and why, told to the player in seat `you`, or to nobody."""
    mine, theirs = (view.fact("Longest run", seat) for seat in (winner, 3 - winner))
    why = LONGER if len(mine.value) > len(theirs.value) else LOWER
    return _(
        why[told_to(winner, you)],
        winner=view.name(winner), loser=view.name(3 - winner), mine=mine.text, theirs=theirs.text,
    )  # fmt: skip


def _run(starts: int, length: int) -> tuple[int, ...]:
    first = lowest(starts).bit_length() - 1
    return tuple(range(first, first + length))
