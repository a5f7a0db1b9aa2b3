"""The mistakes of a game, tried again one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

from numduel.activities.base import Activity, Choice, Scene, Sentence, record_of, refused
from numduel.core.errors import BadVariant
from numduel.core.language import N_, _
from numduel.core.text import HUMAN, name_told, whole_number
from numduel.learn.coach import Ply, Report, hint, report
from numduel.play.record import parse

MAX_TRIES = 2
"""Tries at a better move before it is shown."""
HINT = Choice("hint", N_("Hint"), "h", N_("What to look at; ask again for a better move"))
SHOW = Choice("show", N_("Show answer"), "s", N_("Give up, and see a better move"))
EVERYTHING = Choice(
    "everything", N_("Show everything"), "e", N_("Read what went wrong, without trying")
)
NEXT = Choice("next", N_("Next mistake"), "n", N_("The next mistake"))
PREVIOUS = Choice("previous", N_("Previous mistake"), "N", N_("The previous mistake"))


@dataclass(frozen=True)
class Wrong:
    """A mistake, without the better move."""

    number: int
    at: str
    """The position before it, as a record."""
    played: str
    """What was done: ``At move 7, Ada played 8.``"""


@dataclass(frozen=True)
class Mistakes(Activity):
    """Somebody tries the mistakes of a game again."""

    NAME: ClassVar = "mistakes"
    CHOICES: ClassVar = (HINT, SHOW, NEXT, PREVIOUS, EVERYTHING)

    record: str = ""
    seat: int | None = None
    """Whose mistakes they are; those of all people if it is None."""
    everyone: bool = False
    """Whether the computer's mistakes are tried, too."""
    wrong: tuple[Wrong, ...] = ()
    rest: tuple[str, ...] = ()
    """What else went wrong, told at the end."""
    told: tuple[int, ...] = ()
    """The numbers of the mistakes whose better moves were found or shown."""
    place: int = 0
    tries: int = 0
    hinted: bool = False
    over: bool = False
    """Whether a better move was found, or is to be shown."""
    at: str = ""
    better: str = ""
    """The better move, once it is shown."""

    # -- acting -----------------------------------------------------------------------------

    def act(self, action: str, given: str = "") -> Self:
        """Begin with a mistake by its number, try a move, have a hint, or go to another."""
        if action == "begin":
            begun = replace(self, place=max(0, (whole_number(given) or 1) - 1))
            task = ("find_mistakes", self.record, self.seat, self.everyone)
            return begun._wait(*task, told=_("Looking at every move"))
        if action == "leave":
            return replace(self, work=None, said=())
        if not self.wrong or self.work is not None:
            return self
        if action in ("next", "previous"):
            by = -1 if action == "previous" else 1
            place = self.place + by
            return self._open(place) if 0 <= place < len(self.wrong) else self
        if action == "everything":
            told = _("Looking at every move")
            return self._wait("tell_mistakes", self.record, self.seat, told=told)
        if self.over:
            return self
        if action == "move":
            return self._try(given)
        if action in ("hint", "show"):
            asked = replace(self, over=action == "show" or self.hinted)
            return asked._wait("hint_mistake", self.record, self._number, told=_("Thinking"))
        return self

    def fed(self, result: Any) -> Self:
        """The mistakes that were found, the verdict on a move, or a hint."""
        waited, done = self.work, replace(self, work=None, said=())
        if waited is None:
            return self
        if waited.task == "find_mistakes":
            wrong = tuple(Wrong(**one) for one in result["wrong"])
            found = replace(done, wrong=wrong, rest=tuple(result["rest"]))
            if wrong:
                return found._open(min(self.place, len(wrong) - 1))
            return replace(found, said=(Sentence("note", result["spotless"]),))
        if waited.task == "tell_mistakes":
            said = tuple(Sentence("note", line) for line in result)
            numbers = tuple(wrong.number for wrong in self.wrong)
            return replace(done, wrong=(), told=numbers, said=said)
        if waited.task == "hint_mistake":
            if self.over:
                shown = replace(done, better=result["better"])
                return shown._end([Sentence("answer", result["answer"])])
            return replace(done, said=(Sentence("hint", result["nudge"]),), hinted=True)
        return done._judged(result)

    @property
    def _number(self) -> int:
        return self.wrong[self.place].number

    @property
    def _last(self) -> bool:
        return self.place + 1 == len(self.wrong)

    def _open(self, place: int) -> Self:
        return replace(
            self, place=place, at=self.wrong[place].at, tries=0, hinted=False, over=False, said=(),
            better="",
        )  # fmt: skip

    def _try(self, move: str) -> Self:
        if refusal := refused(self.at, move):
            return replace(self, said=(refusal,))
        return self._wait("try_mistake", self.record, self._number, move, told=_("Thinking"))

    def _judged(self, result: Mapping[str, Any]) -> Self:
        tried = replace(self, tries=self.tries + 1)
        if result["right"]:
            said = [Sentence("right", _("Right.")), Sentence("why", result["why"])]
            return replace(tried, at=result["at"])._end(said)
        wrong = Sentence("wrong", _("No."))
        if tried.tries < MAX_TRIES:
            why = Sentence("why", result["why"])
            return replace(tried, said=(wrong, why, Sentence("note", _("Try again."))))
        shown = replace(tried, better=result["better"])
        return shown._end([wrong, Sentence("why", result["answer"])])

    def _end(self, said: list[Sentence]) -> Self:
        rest = [Sentence("note", sentence) for sentence in self.rest] if self._last else []
        told = tuple(sorted({*self.told, self._number}))
        return replace(self, over=True, told=told, said=(*said, *rest))

    # -- showing ----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The position before a mistake, and what was said of a better move."""
        if not self.wrong:
            return Scene(
                _("Mistakes"), goal=_("What went wrong:") if self.told else "", said=self.said
            )
        wrong = self.wrong[self.place]
        helping, onward = () if self.over else (HINT, SHOW), () if self._last else (NEXT,)
        earlier = (PREVIOUS,) if self.place and not (self.over and self._last) else ()
        more = () if self.over and self._last else (EVERYTHING,)
        return Scene(
            _("Mistake {at} of {of}", at=self.place + 1, of=len(self.wrong)),
            goal=f"{wrong.played} {self._asked(wrong)}".rstrip(),
            at=self.at,
            moves=not self.over,
            said=self.said,
            choices=(*helping, *onward, *earlier, *more),
            link=str(self.place + 1),
            advised=(self.better,) if self.better else (),
        )

    def _asked(self, wrong: Wrong) -> str:
        if not self.over:
            return _("Find a better move.")
        if self.at == wrong.at:
            return ""
        state = parse(self.at).state
        return _("Better: {move}.", move=state.game.subject(state.game.worded_moves(state)[-1]))


# -- what is computed -----------------------------------------------------------------------


def find_mistakes(record: str, seat: int | None, everyone: bool) -> dict[str, Any]:
    """The mistakes of a game, without the better moves."""
    found = _report(record, seat)
    wrong = to_try(found, everyone=everyone)
    names = found.record.names
    none = " ".join([_("There is no mistake to try again."), *found.summary()[1:]])
    return {
        "wrong": [
            asdict(Wrong(ply.number, record_of(ply.state, names), _played(ply, found)))
            for ply in wrong
        ],
        "rest": found.sentences(ply for ply in found.slips if ply not in wrong),
        "spotless": found.spotless() or none,
    }


def try_mistake(record: str, number: int, move: str) -> dict[str, Any]:
    """Whether a move is better than a mistake, and why; the answer if it is not."""
    ply, names = _ply(record, number), parse(record).names
    after = ply.state.play(move)
    option = next(option for option in ply.options if option.move == after.moves[-1])
    right = ply.better(option)
    return {
        "right": right,
        "why": ply.verdict(option, names[2 - ply.seat]),
        "answer": "" if right else _answer(ply, names),
        "better": "" if right else str(ply.instead.move),
        "at": record_of(after, names),
    }


def hint_mistake(record: str, number: int) -> dict[str, Any]:
    """What to look at before a mistake, and a better move and why."""
    ply, names = _ply(record, number), parse(record).names
    nudge = ply.cause.idea.nudge if ply.cause else hint(ply.state, names).nudge
    return {"nudge": nudge, "answer": _answer(ply, names), "better": str(ply.instead.move)}


def tell_mistakes(record: str, seat: int | None) -> list[str]:
    """All that went wrong in a game."""
    found = _report(record, seat)
    return found.sentences(found.slips)


TASKS = (find_mistakes, try_mistake, hint_mistake, tell_mistakes)


def _answer(ply: Ply, names: tuple[str, str]) -> str:
    return ply.reason(names[2 - ply.seat], named=True)


def to_try(found: Report, *, everyone: bool = False) -> list[Ply]:
    """The mistakes to try again: the reader's, those of all people if the reader is not known, or
    everyone's."""
    players, reader = found.record.players, found.reader
    return [
        ply
        for ply in found.mistakes
        if ply.options
        and (everyone or ply.seat == reader or (not reader and players[ply.seat - 1] == HUMAN))
    ]


def _played(ply: Ply, found: Report) -> str:
    game = found.record.game
    did = game.does(game.worded(ply.move, ply.state), past=True)
    if ply.seat == found.reader:
        return _("At move {number}, you {did}.", number=ply.number, did=did)
    name = name_told(found.record.names[ply.seat - 1])
    return _("At move {number}, {name} {did}.", number=ply.number, name=name, did=did)


def _ply(record: str, number: int) -> Ply:
    plies = _report(record, None).plies
    if not 1 <= number <= len(plies) or not plies[number - 1].options:
        raise BadVariant(_("There is no such mistake in this game."))
    return plies[number - 1]


@lru_cache(maxsize=4)
def _report(record: str, seat: int | None) -> Report:
    return report(parse(record), seat)
