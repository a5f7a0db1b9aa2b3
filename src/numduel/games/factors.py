"""Sequence Capture with factors: always pick a factor or a multiple of the last number.

A position is ``(used, current)``: the numbers picked so far as a bit set, and the last of them
(0 before the first).
"""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.claims import ClaimGame
from numduel.core.errors import BadVariant
from numduel.core.game import Offer, numbers
from numduel.core.ideas import Idea, Situation
from numduel.core.language import N_, _, class_text, pgettext
from numduel.core.observation import Observation
from numduel.core.rules import Parameter, Position, Rules
from numduel.core.state import State
from numduel.core.view import Fact, Layout, View


class Variant(NamedTuple):
    """A pool of 1 to n; the first number is any (0) or must be even (1)."""

    n: int = 20
    first: int = 0


def start(v: Variant) -> tuple[int, int]:
    """Setup: nothing is selected and there is no current number."""
    return 0, 0


def legal(used: int, current: int, v: Variant) -> int:
    """First Turn Rule and Number Selection Rule; no valid number is the Loss Condition."""
    if current == 0:
        choices = 0
        for number in range(1 + v.first, v.n + 1, 1 + v.first):
            choices |= 1 << number
        return choices
    return related(current, v) & ~used


def play(used: int, current: int, move: int, v: Variant) -> tuple[int, int]:
    """Take a number out of the pool; it is the current number now."""
    return used | 1 << move, move


def result(used: int, current: int, v: Variant) -> int:
    """Loss Condition: the player to move has no valid number and loses."""
    return -1


def related(current: int, v: Variant) -> int:
    """The factors and the multiples of a number within the pool."""
    found = 0
    factor = 1
    while factor * factor <= current:
        if current % factor == 0:
            found |= 1 << factor | 1 << current // factor
        factor += 1
    for number in range(current, v.n + 1, current):
        found |= 1 << number
    return found


def reachable(used: int, current: int, v: Variant) -> int:
    """The numbers that can still come up."""
    found = 0
    ahead = legal(used, current, v)
    while ahead:
        next_one = ahead & -ahead
        found |= next_one
        ahead = (ahead | related(next_one.bit_length() - 1, v)) & ~(used | found)
    return found


def observation_size(v: Variant) -> int:
    """Every number, and the current one; nobody owns any, so both players see the same."""
    return v.n + 1


def observe(used: int, current: int, at: int, v: Variant) -> int:
    """1 for each used number; last, the current number (0 before the first)."""
    return current if at == v.n else used >> at + 1 & 1


def largest(v: Variant) -> int:
    """The highest number in an observation."""
    return v.n


def _one(seen: Situation, moves: int) -> int:
    """Every number but 1, if after 1 they could pick one that has no answer."""
    if not moves & 2:
        return moves
    used, _ = seen.after(1).position
    v = seen.game.variant
    hopeless = any(
        legal(*play(used, 1, number, v), v) == 0
        for number in range(2, v.n + 1)
        if not used >> number & 1
    )
    return moves & ~2 or moves if hopeless else moves


ONE = Idea(
    "one",
    N_("Don't pick 1 while a number is left that would then have no answer."),
    N_("Which number would let them pick whatever they like?"),
    N_("that 1 lets the opponent pick any number"),
    _one,
    lambda *_given: _("1 would let them win at once"),
    ahead=2,
)


class Factors(ClaimGame):
    """Sequence Capture with factors and multiples on 1 to 20, known as Juniper Green."""

    id = "sequence-capture-factors"
    name = "factors"
    title = class_text("Sequence Capture (factors and multiples)")
    summary = class_text(
        "Pick a factor or a multiple of the last number; if you have none left, you lose."
    )
    rules = Rules(start, legal, play, result, edges=related)
    observation = Observation(observation_size, observe, 0, largest)
    Variant = Variant
    parameters = {
        "n": Parameter(N_("the size of the pool"), 1, 999),
        "first": Parameter(
            N_("the first number"),
            words=(N_("any"), N_("even")),
            phrases=(N_("any first number"), N_("even first number")),
        ),
    }
    offer = Offer(
        {"first": "even"},
        N_("The first number must be even."),
        N_("Begin with any number (the rulebook's start)"),
    )
    opening = ("first",)
    benchmark = {"n": 28}  # on 1 to 20 it is nearly enough to keep many moves for oneself
    dangers = (ONE,)
    strict = True
    order = 2
    classroom_default = True
    taken = class_text("{number} has already been used.")

    def check(self) -> None:
        if self.variant.first and self.variant.n < 2:
            raise BadVariant(
                _(
                    "An even first number needs an even number in the pool: choose a size of 2 or"
                    " more."
                )
            )

    def facts(self, state: State) -> tuple[Fact, ...]:
        log = tuple(map(str, self.owners(state)))
        current = log[-1] if log else pgettext("no number yet", "None")
        return Fact(N_("Current number"), current), Fact(N_("Selected numbers"), log)

    display_name = "Juniper Green"

    def progress(self, state: State) -> float:
        """The share of the numbers that cannot come up any more."""
        left = reachable(*state.position, self.variant).bit_count()
        return 1 - left / float(self.variant.n)

    def exercise(self, position: Position) -> tuple[object, ...]:
        """The numbers that can still come up, known by nothing but which of them lead to which, and
        which can be picked now: it does not matter what was used before, nor how large the pool
        is, and 11 can stand for 13. They are told apart by their neighbours, the neighbours of
        these, and so on (colour refinement)."""
        v = self.variant
        left, now = reachable(*position, v), legal(*position, v)
        near = {one: numbers(related(one, v) & left & ~(1 << one)) for one in numbers(left)}
        kinds = {one: now >> one & 1 for one in near}
        while True:
            seen = {one: (kinds[one], *sorted(kinds[other] for other in near[one])) for one in near}
            known = sorted(set(seen.values()))
            if len(known) == len(set(kinds.values())):
                return tuple(sorted((now >> one & 1, *seen[one]) for one in near))
            kinds = {one: known.index(seen[one]) for one in near}

    @property
    def brief(self) -> tuple[str, ...]:
        return (
            _("Take turns picking numbers from 1 to {n}, each only once.", n=self.variant.n),
            _("Every number must be a factor or a multiple of the one before it."),
            _("Whoever has nothing left to pick loses."),
        )

    @property
    def details(self) -> tuple[str, ...]:
        first = (
            N_("The first number of the game must be an even number from 1 to {n}.")
            if self.variant.first
            else N_("The first number of the game may be any number from 1 to {n}.")
        )
        return (
            _(first, n=self.variant.n),
            _(
                "A factor divides the number before it exactly; a multiple is divided by it"
                " exactly."
            ),
            _("Nobody may skip a turn."),
        )

    @property
    def layout(self) -> Layout:
        return Layout("spokes")

    def deciding(self, state: State) -> tuple[int, ...]:
        """The number that nothing can follow."""
        stuck = state.winner and not (state.mask or state.fault or state.resigned)
        return tuple(self.owners(state))[-1:] if stuck else ()

    def goal(self, view: View, you: int | None = None) -> str:
        mine, name, even = view.to_move == you, view.player, self.variant.first
        if view.moves and mine:
            return _("Pick a factor or a multiple of {number}.", number=_current(view))
        if view.moves:
            return _(
                "{name} picks a factor or a multiple of {number}.",
                name=name, number=_current(view),
            )  # fmt: skip
        if mine:
            return _("Pick an even number to begin.") if even else _("Pick any number to begin.")
        begins = (
            N_("{name} picks an even number to begin.")
            if even
            else N_("{name} picks any number to begin.")
        )
        return _(begins, name=name)

    def welcome(self) -> list[str]:
        return [_("Welcome to Sequence Capture!"), ""]

    def board(self, view: View) -> list[str]:
        pool = _ranges([int(cell.label) for cell in view.cells if cell.owner is None])
        lines = [_("Available Numbers: {numbers}", numbers=f"[{pool}]")]
        if view.moves:
            log = f"[{view.fact('Selected numbers').text}]"
            lines += [_("Selected Numbers Log: {numbers}", numbers=log), _told_current(view)]
        return lines

    def prompt(self, view: View) -> list[str]:
        if view.moves:
            ask = _(
                "Valid options: Factors or multiples of {number} within available numbers.",
                number=_current(view),
            )
        elif self.variant.first:
            ask = _("Please select an even number from the available numbers.")
        else:
            ask = _("Please select a number from the available numbers.")
        return [
            _("{name}'s turn.", name=view.player),
            _told_current(view),
            ask,
            _("{name} selects:", name=view.player) + " ",
        ]

    def move_lines(self, view: View) -> list[str]:
        return ["", *self.board(view)]

    def end_lines(self, view: View, winner: int) -> list[str]:
        return [
            _(
                "{name} has no valid number left: no factor or multiple of {number} is available.",
                name=view.name(3 - winner), number=_current(view),
            )
        ]  # fmt: skip

    def end_told(self, view: View, winner: int, you: int) -> list[str]:
        told = (
            N_("{name} has no number left: no factor or multiple of {number} is free.")
            if winner == you
            else N_("You have no number left: no factor or multiple of {number} is free.")
        )
        return [_(told, name=view.name(3 - winner), number=_current(view))]

    def broken_rule(self, number: int, view: View) -> str:
        if not view.moves:
            return _("{number} is odd, and the first number must be even.", number=number)
        return _(
            "{number} is neither a factor nor a multiple of {current}.",
            number=number, current=_current(view),
        )  # fmt: skip


def _current(view: View) -> str:
    return view.fact("Current number").text


def _told_current(view: View) -> str:
    return _("Current Number: {number}", number=_current(view))


def _ranges(values: list[int]) -> str:
    """``1-5,7-20``: neighbours merged."""
    parts: list[list[int]] = []
    for value in values:
        if parts and parts[-1][-1] == value - 1:
            parts[-1][1:] = [value]
        else:
            parts.append([value])
    return ",".join("-".join(map(str, part)) for part in parts)
