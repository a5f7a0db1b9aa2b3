"""Sequence Duel: be the first to hold k numbers in arithmetic progression.

A position is ``(own, other)``: the numbers of the player to move and of the opponent, as bit sets.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import ceil, sqrt
from typing import NamedTuple

from numduel.core.claims import ClaimGame, Symmetry, mirror
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea, Score, by, highest, size
from numduel.core.language import N_, _, class_text, plural
from numduel.core.observation import claims
from numduel.core.rules import Parameter, Position, Rules
from numduel.core.state import Move, State
from numduel.core.text import BLANKS, in_words, listed
from numduel.core.view import FEW, Layout, View


class Variant(NamedTuple):
    """A pool of 1 to n; a progression of k wins."""

    n: int = 9
    k: int = 3


SMALL = 6
"""Pools up to this size have more symmetries than the mirror."""


def start(v: Variant) -> tuple[int, int]:
    """Setup: the pool is full and both hands are empty."""
    return 0, 0


def legal(own: int, other: int, v: Variant) -> int:
    """Number Selection: any number left in the pool, until somebody has won."""
    if progression(other, v)[0]:
        return 0
    return (2 << v.n) - 2 & ~(own | other)


def play(own: int, other: int, move: int, v: Variant) -> tuple[int, int]:
    """Pick a number; the opponent is next."""
    return other, own | 1 << move


def result(own: int, other: int, v: Variant) -> int:
    """Winning the Game, and the Endgame Condition: with no progression the last to pick loses.

    The last to pick is the opponent of the player to move.
    """
    return -1 if progression(other, v)[0] else 1


def progression(numbers: int, v: Variant) -> tuple[int, int]:
    """The progression of k numbers with the smallest first term, then the smallest difference:
    the bit of its first term, and the difference; zeros if there is none."""
    first = 0
    difference = 0
    steps = v.k - 1
    widest = (v.n - 1) // steps if steps else 1
    for d in range(1, widest + 1):
        starts = numbers
        more = steps
        while starts and more:
            starts &= starts >> d
            more -= 1
        if starts:
            start = starts & -starts
            if first == 0 or start < first:
                first = start
                difference = d
    return first, difference


@cache
def symmetries(v: Variant) -> tuple[Symmetry, ...]:
    """Every way to exchange the numbers that leaves the progressions as they are. Where one can
    win at all, only the smallest pools have more of them than the mirror."""
    if v.n > SMALL:
        return mirror(v.n)
    steps = max(v.k - 1, 1)
    rows = {
        frozenset(range(first, first + v.k * d, d))
        for d in range(1, (v.n - 1) // steps + 1)
        for first in range(1, v.n - (v.k - 1) * d + 1)
    }
    orders = ((0, *order) for order in permutations(range(1, v.n + 1)))
    return tuple(
        order for order in orders if rows == {frozenset(order[one] for one in row) for row in rows}
    )


# -- ideas ----------------------------------------------------------------------------------


def open_progressions(blocked: int, v: Variant) -> int:
    """How many progressions of k numbers are not blocked."""
    steps = v.k - 1
    found = 0
    for d in range(1, (v.n - 1) // steps + 1 if steps else 2):
        starts = (2 << v.n) - 2 & ~blocked
        for _step in range(steps):
            starts &= starts >> d
        found += size(starts)
    return found


def can_win(blocked: int, v: Variant) -> bool:
    """Whether any progression of k numbers is not blocked."""
    steps = v.k - 1
    for d in range(1, (v.n - 1) // steps + 1 if steps else 2):
        starts = (2 << v.n) - 2 & ~blocked
        for _step in range(steps):
            starts &= starts >> d
        if starts:
            return True
    return False


def through(move: int, blocked: int, v: Variant) -> int:
    """How many progressions of k numbers with a certain one are not blocked."""
    return open_progressions(blocked, v) - open_progressions(blocked | 1 << move, v)


def _open_to(game: Game) -> Score:
    return lambda _own, other, move, v: through(move, other, v)


def _spoiled(game: Game) -> Score:
    return lambda own, _other, move, v: -open_progressions(own | 1 << move, v)


_CHANCES, _SPOIL = highest(_open_to), highest(_spoiled)


def _why_chances(state: State, move: int) -> str:
    count = through(move, state.position[1], state.game.variant)
    if not count:
        return _("{move} is in no sequences that you could still complete", move=move)
    return plural(
        "{move} is in one sequence that you could still complete",
        "{move} is in {count} sequences that you could still complete",
        count, move=move, count=in_words(count),
    )  # fmt: skip


def _why_spoil(state: State, move: int) -> str:
    count = open_progressions(state.position[0] | 1 << move, state.game.variant)
    if not count:
        return _("after {move} they could still complete no sequences", move=move)
    return plural(
        "after {move} they could still complete one sequence",
        "after {move} they could still complete {count} sequences",
        count, move=move, count=in_words(count),
    )  # fmt: skip


CHANCES = Idea(
    "chances",
    N_("Take the number that is in the most sequences you could still complete."),
    N_("How many sequences is each number in?"),
    N_("how many sequences a number is in"),
    by(_CHANCES),
    _why_chances,
    2,
)
SPOIL = Idea(
    "spoil",
    N_("Leave them as few sequences as you can."),
    N_("Which number spoils the most of their sequences?"),
    N_("which number spoils the opponent's sequences"),
    by(_SPOIL),
    _why_spoil,
    2,
)


class Duel(ClaimGame):
    """Sequence Duel, three in progression from 1 to 9."""

    id = "sequence-duel"
    name = "duel"
    title = class_text("Sequence Duel")
    summary = class_text(
        "Take turns picking numbers; the first with three evenly spaced ones wins."
    )
    rules = Rules(start, legal, play, result)
    observation = claims(lambda v: v.n)
    ideas = (CHANCES, SPOIL)
    benchmark = {"n": 13, "k": 4}  # on 1 to 9 it is enough not to let the opponent win at once
    order = 5
    taken = class_text("{number} has already been picked.")
    Variant = Variant
    parameters = {
        "n": Parameter(N_("the size of the pool"), 1, 999),
        "k": Parameter(N_("the length of the sequence that wins"), 1, 999),
    }

    def check(self) -> None:
        if self.variant.k > self.variant.n:
            raise BadVariant(
                _(
                    "A sequence of {k} does not fit in a pool of {n}: choose a length from 1 to"
                    " {n}, or a larger pool.",
                    k=self.variant.k,
                    n=self.variant.n,
                )
            )

    def read(self, move: Move, state: State) -> Move:
        if isinstance(move, str):
            words = [word for word in move.strip(BLANKS).split(" ") if word]
            if len(words) == 2 and words[0].lower() == "pick":
                move = words[1]
        return super().read(move, state)

    def winning(self, state: State) -> tuple[int, ...]:
        for hand in state.position:
            first, d = progression(hand, self.variant)
            if first:
                term = first.bit_length() - 1
                return tuple(term + i * d for i in range(self.variant.k))
        return ()

    def exercise(self, position: Position) -> tuple[object, ...]:
        return self.alike(position, symmetries(self.variant))

    @property
    def brief(self) -> tuple[str, ...]:
        return (
            _("Take turns picking numbers from 1 to {n}, each only once.", n=self.variant.n),
            _(
                "The first with {wanted} wins: {example}, for example, in any order.",
                wanted=self._wanted,
                example=self._example,
            ),
            _("If nobody manages it, whoever picks the last number loses."),
        )

    @property
    def details(self) -> tuple[str, ...]:
        k = self.variant.k
        spaced = _(
            "{count} numbers are evenly spaced if, in order of size, each is larger than the one"
            " before it by the same step, whatever that is.",
            count=in_words(k).capitalize(),
        )
        return (
            *((spaced,) if k > 2 else ()),
            _("Other numbers that a player holds do not matter."),
            _("Nobody may skip a turn."),
        )

    @property
    def _wanted(self) -> str:
        k = self.variant.k
        return plural("one number", "{count} evenly spaced numbers", k, count=in_words(k))

    @property
    def _example(self) -> str:
        n, k = self.variant
        step = 2 if 2 * k <= n else 1
        return listed(range(step, step * k + 1, step))

    @property
    def layout(self) -> Layout:
        return Layout("grid", columns=min(ceil(sqrt(self.variant.n)), 10))

    def goal(self, view: View, you: int | None = None) -> str:
        k, what = self.variant.k, self._wanted
        able = [seat for seat in (1, 2) if can_win(view.mask(3 - seat), self.variant)]
        if not able:
            return _(
                "Nobody can get {wanted} any more: whoever picks the last number loses.",
                wanted=what,
            )
        if you and you not in able:
            return _(
                "You can't get {wanted} any more: stop {name}, then whoever picks the last number"
                " loses.",
                wanted=what,
                name=view.name(3 - you),
            )
        held = view.holding(you)
        if 1 < k <= FEW and not held:
            return _("Get {wanted}, such as {example}.", wanted=what, example=self._example)
        return _("Get {wanted}.", wanted=what) + held

    def board(self, view: View) -> list[str]:
        if not view.moves:
            return [_("Number Pool: {numbers}", numbers=self._pool(view))]
        return [
            _("Available Numbers: {numbers}", numbers=self._pool(view)),
            *(_hand_told(view, seat) for seat in (1, 2)),
        ]

    def prompt(self, view: View) -> list[str]:
        return [_("{name}'s Turn.", name=view.player), "> "]

    def move_lines(self, view: View) -> list[str]:
        name = view.name(view.mover)
        return [
            _("{name} picked {number}.", name=name, number=view.last),
            _("Available Numbers: {numbers}", numbers=self._pool(view)),
            _hand_told(view, view.mover),
        ]

    def end_lines(self, view: View, winner: int) -> list[str]:
        if view.winning:
            row = listed(view.winning)
            return [
                _(
                    "{name} has formed an arithmetic sequence with numbers {numbers}.",
                    name=view.name(winner),
                    numbers=row,
                )
            ]
        loser = view.name(3 - winner)
        return [
            _("All numbers have been selected."),
            _("{name} was the last to pick.", name=loser),
            _("{name} loses the game.", name=loser),
        ]

    @staticmethod
    def _pool(view: View) -> str:
        return listed(int(cell.label) for cell in view.cells if cell.owner is None)


def _hand_told(view: View, seat: int) -> str:
    return _("{name}'s Numbers: {numbers}", name=view.name(seat), numbers=listed(view.hand(seat)))
