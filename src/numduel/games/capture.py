"""Number Capture: claim the larger sum, never two neighbours.

A position is ``(own, other)``: the numbers of the player to move and of the opponent, as bit sets.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from numduel.core.claims import ClaimGame
from numduel.core.errors import BadVariant
from numduel.core.language import N_, _, class_text
from numduel.core.observation import claims
from numduel.core.rules import POINT, Bounds, Parameter, Position, Rules
from numduel.core.state import State
from numduel.core.text import both, listed
from numduel.core.view import Fact, Layout, View


class Variant(NamedTuple):
    """A line of 1 to n; nothing is missing from it (0), or the square numbers are (1)."""

    n: int = 21
    gaps: int = 0


PASS = 1


def start(v: Variant) -> tuple[int, int]:
    """Setup: every number is unclaimed."""
    return 0, 0


def legal(own: int, other: int, v: Variant) -> int:
    """Claiming and Blocking; No Skipping Turns: pass only if no number can be claimed while
    the opponent can claim one."""
    mine = open_to(own, other, v)
    if mine:
        return mine
    return PASS if open_to(other, own, v) else 0


def play(own: int, other: int, move: int, v: Variant) -> tuple[int, int]:
    """Claim a number, or pass; the opponent is next."""
    if move == 0:
        return other, own
    return other, own | 1 << move


def result(own: int, other: int, v: Variant) -> int:
    """Scoring: the higher sum, and on equal sums the highest single number.

    The sets share no number, so the larger integer holds the highest one.
    """
    ahead = margin(own, other, v)
    if ahead == 0:
        return 1 if own > other else -1
    return 1 if ahead > 0 else -1


def margin(own: int, other: int, v: Variant) -> int:
    """Total Sum: how far the player to move is ahead."""
    ahead = 0
    for number in range(1, v.n + 1):
        ahead += number * ((own >> number & 1) - (other >> number & 1))
    return ahead


def rest(own: int, other: int, v: Variant) -> tuple[int, int]:
    """What both can still claim decides how it goes on."""
    return open_to(own, other, v), open_to(other, own, v)


def ahead(own: int, other: int, v: Variant) -> int:
    """Scoring, so far. The owner of the highest number of all wins a tie; at the end it has one, as
    the players cannot both be next to it."""
    highest = v.n - 1 + (line(v) >> v.n & 1)
    return POINT * margin(own, other, v) + (own >> highest & 1) - (other >> highest & 1)


def open_to(own: int, other: int, v: Variant) -> int:
    """The unclaimed numbers that are not next to one's own."""
    return line(v) & ~(own | other | own << 1 | own >> 1)


def line(v: Variant) -> int:
    """The numbers that can be claimed at all."""
    found = (2 << v.n) - 2
    if v.gaps:
        root = 1
        while root * root <= v.n:
            found &= ~(1 << root * root)
            root += 1
    return found


def apart(v: Variant) -> bool:
    """Whether every number of the line can be claimed."""
    return v.gaps == 0


class Capture(ClaimGame):
    """Number Capture on 1 to 21."""

    id = "number-capture"
    name = "capture"
    title = class_text("Number Capture")
    summary = class_text("Claim numbers, never two neighbours of your own; the larger sum wins.")
    rules = Rules(start, legal, play, result, margin, apart=apart, rest=rest, ahead=ahead)
    observation = claims(lambda v: v.n)
    levels = {
        "easy": ("rough-points",),
        "medium": ("near-points", "starve"),
        "hard": ("mobility", "points"),
    }
    benchmark = {"gaps": "square"}  # in a line without gaps the highest number is always best
    order = 3
    taken = class_text("{number} is already claimed.")
    Variant = Variant
    parameters = {
        "n": Parameter(N_("the length of the line"), 1, 999),
        "gaps": Parameter(
            N_("the gaps"),
            words=(N_("none"), N_("square")),
            phrases=(N_("no gaps"), N_("square gaps")),
        ),
    }

    def check(self) -> None:
        if not line(self.variant):
            raise BadVariant(_("Without the squares nothing is left of a line of 1: choose n=2."))

    @cached_property
    def bounds(self) -> Bounds:
        n = self.variant.n
        # After every pass the opponent claims a number; every other number is the most one holds.
        most = (n + 1) // 2 * ((n + 2) // 2)
        return Bounds(actions=n, plies=2 * n, bits=n + 1, points=most)

    def exercise(self, position: Position) -> tuple[object, ...]:
        """What both can still claim, on a line of whatever length."""
        return rest(*position, self.variant)

    def facts(self, state: State) -> tuple[Fact, ...]:
        sums = map(sum, self.hands(state))
        return tuple(
            Fact(N_("Total score"), str(total), seat) for seat, total in enumerate(sums, 1)
        )

    @property
    def brief(self) -> tuple[str, ...]:
        n = self.variant.n
        claim = (
            _(
                "Take turns claiming numbers from 1 to {n}, but not {gaps}; each is worth its own"
                " value.",
                n=n,
                gaps=both(self.missing),
            )
            if self.missing
            else _("Take turns claiming numbers from 1 to {n}; each is worth its own value.", n=n)
        )
        return (
            claim,
            _("You may never own two neighbours; being next to your opponent's numbers is fine."),
            _("When nobody can claim any more, the larger sum wins."),
        )

    @property
    def details(self) -> tuple[str, ...]:
        return (
            _(
                "The numbers stand in a line in their order: two are neighbours if they differ by"
                " one."
            ),
            *(
                (_("Nobody can claim a square number: it is a gap in the line."),)
                if self.missing
                else ()
            ),
            _(
                "A number that is claimed stays with its owner. Its neighbours are blocked for that"
                " player, and only for that player."
            ),
            _(
                "Nobody may skip a turn while there is a number to claim. A player who has none"
                " passes, and the other goes on."
            ),
            _("If the sums are equal, the player who owns the highest number wins."),
        )

    @property
    def layout(self) -> Layout:
        return Layout("path")

    def deciding(self, state: State) -> tuple[int, ...]:
        """All numbers of the winner."""
        if state.winner is None or state.resigned:
            return ()
        return self.hands(state)[state.winner - 1]

    def goal(self, view: View, you: int | None = None) -> str:
        mine = you or 1
        sums = [view.fact("Total score", seat).text for seat in (mine, 3 - mine)]
        goal = (
            N_(
                "Collect the most points, but never two neighbours. You have {mine}, {opponent} has"
                " {theirs}."
            )
            if you
            else N_(
                "Collect the most points, but never two neighbours. {name} has {mine}, {opponent}"
                " has {theirs}."
            )
        )
        return _(
            goal, mine=sums[0], theirs=sums[1], name=view.name(mine), opponent=view.name(3 - mine)
        )

    @cached_property
    def missing(self) -> tuple[int, ...]:
        """The gaps in the line."""
        there = line(self.variant)
        return tuple(one for one in range(1, self.variant.n + 1) if not there >> one & 1)

    def marked(self, view: View) -> list[str]:
        cells = super().marked(view)
        return ["-" if at in self.missing else cell for at, cell in enumerate(cells, 1)]

    def board(self, view: View) -> list[str]:
        return [
            _("Number Line:"),
            " ".join(self.marked(view)),
            "",
            *(
                _(
                    "{name}'s Claimed Numbers: {numbers}",
                    name=view.name(seat), numbers=listed(view.hand(seat)),
                )
                for seat in (1, 2)
            ),
            *(_score(view, seat, view.fact("Total score", seat).text) for seat in (1, 2)),
        ]  # fmt: skip

    def prompt(self, view: View) -> list[str]:
        return [_("{name}, select an unclaimed number:", name=view.player) + " "]

    def move_lines(self, view: View) -> list[str]:
        name, last = view.name(view.mover), view.last
        if not isinstance(last, int):
            return ["", _("{name} has no valid number and passes.", name=name)]
        there = {*range(1, len(view.cells) + 1)} - {*self.missing}
        blocked = (number for number in (last - 1, last + 1) if number in there)
        return [
            _("{name} has claimed number {number}.", name=name, number=last),
            _("Blocked for {name}: {numbers}", name=name, numbers=listed(blocked)),
            "",
            *self.board(view),
        ]

    def end_lines(self, view: View, winner: int) -> list[str]:
        return self.end_told(view, winner, None)

    def end_told(self, view: View, winner: int, you: int | None) -> list[str]:
        mine, theirs = sum(view.hand(winner)), sum(view.hand(3 - winner))
        if mine > theirs:
            told = (
                N_("You have the higher total, {mine} to {theirs}.")
                if winner == you
                else N_("{name} has the higher total, {mine} to {theirs}.")
            )
        else:
            told = (
                N_("Both totals are {mine}: you hold the highest number, {highest}.")
                if winner == you
                else N_("Both totals are {mine}: {name} holds the highest number, {highest}.")
            )
        highest = max(view.hand(winner), default=0)
        return [_(told, name=view.name(winner), mine=mine, theirs=theirs, highest=highest)]

    def score_lines(self, view: View) -> list[str]:
        return [_score(view, seat, _sum(view.hand(seat))) for seat in (1, 2)]

    def broken_rule(self, number: int, view: View) -> str:
        if number in self.missing:
            return _("{number} is missing from this line: it is a square.", number=number)
        mine = [held for held in view.hand(view.to_move) if abs(held - number) == 1]
        return _(
            "{number} is blocked: it is next to your {numbers}.", number=number, numbers=both(mine)
        )


def _score(view: View, seat: int, score: str) -> str:
    return _("{name}'s Total Score: {score}", name=view.name(seat), score=score)


def _sum(hand: tuple[int, ...]) -> str:
    if len(hand) < 2:
        return str(sum(hand))
    return f"{' + '.join(map(str, hand))} = {sum(hand)}"
