"""What can happen in a class.

Each function returns the entries that would come next, or raises `BadClass` if that is not possible
now. Nothing happens before they are written and applied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from numduel.classes.classroom import Classroom, Code, Entry, Pupil, Sums
from numduel.classes.homework import Achievement, Task
from numduel.core.errors import BadClass
from numduel.core.language import _

MAX_PUPILS = 60
MAX_ADDED = 200
"""How many pupils there may ever be in a class, including those who were removed."""
MAX_DAYS = 400
"""Days that a class lasts at most: a school year."""
MAX_EVENTS = 200
MAX_HOMEWORK = 50
MAX_VISITS = 300
"""How often a personal code may be typed in browsers where its pupil is not known: a program with
one code would fill the log."""
MAX_ENTRIES = 20_000
"""Entries after which nothing is added to a log; no class needs a half."""


def create(host: str, ends: str, now: float) -> Entry:
    """A new class; `host` is the hash of the secret of the teacher's link."""
    return Entry(1, "create", 0, {"host": host, "ends": ends}, now)


def last_day(text: str, today: date) -> str:
    """The last day of a class, if it makes sense."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadClass(_("The last day is a date, such as 2027-02-12.")) from None
    if not today <= day <= today + timedelta(MAX_DAYS):
        raise BadClass(_("The last day is within the next {days} days.", days=MAX_DAYS))
    return day.isoformat()


# -- pupils ---------------------------------------------------------------------------------


def add_pupils(
    classroom: Classroom, nicknames: Sequence[str], codes: Sequence[Code], now: float
) -> list[Entry]:
    """Add some pupils, each with a personal code."""
    if len(classroom.pupils) + len(nicknames) > MAX_PUPILS:
        raise BadClass(_("A class has {most} pupils at most.", most=MAX_PUPILS))
    if classroom.added + len(nicknames) > MAX_ADDED:
        raise BadClass(_("Too many pupils have come and gone; make a new class."))
    data = [
        {"nickname": name, "code": code.hashed, "renewals": code.renewals}
        for name, code in zip(nicknames, codes, strict=True)
    ]
    first = _entry(classroom, "pupil", now, classroom.added + 1)
    return [
        first._replace(number=first.number + ahead, pupil=first.pupil + ahead, data=one)
        for ahead, one in enumerate(data)
    ]


def enter(classroom: Classroom, pupil: int, token: str, now: float) -> Entry:
    """A pupil has typed their code in a browser."""
    if _pupil(classroom, pupil).visits >= MAX_VISITS:
        raise BadClass(_("This code was used very often; ask your teacher for a new one."))
    return _entry(classroom, "enter", now, pupil)._replace(token=token)


def renew_code(classroom: Classroom, pupil: int, code: Code, now: float) -> Entry:
    """Give a pupil another personal code."""
    _pupil(classroom, pupil)
    return _entry(classroom, "code", now, pupil, {"code": code.hashed, "renewals": code.renewals})


def remove(classroom: Classroom, pupil: int, now: float) -> Entry:
    """Remove a pupil."""
    _pupil(classroom, pupil)
    return _entry(classroom, "remove", now, pupil)


# -- events ---------------------------------------------------------------------------------


def event(classroom: Classroom, code: str, nonce: str, games: Sequence[str], now: float) -> Entry:
    """Note an event that is made for the class, with its games as its settings have them."""
    if len(classroom.events) >= MAX_EVENTS:
        raise BadClass(_("A class has {most} events at most.", most=MAX_EVENTS))
    return _entry(classroom, "event", now, data={"event": code, "nonce": nonce, "games": [*games]})


def result(classroom: Classroom, code: str, pupils: Mapping[int, Sums], now: float) -> Entry:
    """Note what the pupils did in an event that is over; nobody, if it was deleted before that."""
    found = classroom.events.get(code)
    if found is None:
        raise BadClass(_("That is not an event of this class."))
    if found.results == pupils or (found.over and not pupils):
        raise BadClass(_("That is known already."))
    told = {str(number): [*sums] for number, sums in pupils.items()}
    return _entry(classroom, "result", now, data={"event": code, "pupils": told})


# -- homework -------------------------------------------------------------------------------


def set_homework(classroom: Classroom, task: Task, until: float, now: float) -> Entry:
    """Set homework, which is due at a time."""
    task.check()
    if len(classroom.homework) >= MAX_HOMEWORK:
        raise BadClass(
            _("A class has {most} pieces of homework at most; withdraw some.", most=MAX_HOMEWORK)
        )
    if not now < until <= now + MAX_DAYS * 24 * 3600:
        raise BadClass(_("Homework is due on a day to come."))
    return _entry(classroom, "homework", now, data={"task": task.json(), "until": until})


def withdraw(classroom: Classroom, homework: int, now: float) -> Entry:
    """Withdraw homework."""
    if homework not in classroom.homework:
        raise BadClass(_("There is no such homework."))
    return _entry(classroom, "withdraw", now, data={"homework": homework})


def achieve(classroom: Classroom, pupil: int, done: Achievement, now: float) -> list[Entry]:
    """Note what a pupil has done, in all homework for which it counts; perhaps in none."""
    wanted = [one.number for one in classroom.homework.values() if one.wants(pupil, done)]
    entries = [
        _entry(classroom, "done", now, pupil, {"homework": number, "item": done.item})
        for number in wanted
        if pupil in classroom.pupils
    ]
    return [entry._replace(number=entry.number + ahead) for ahead, entry in enumerate(entries)]


# -- preconditions --------------------------------------------------------------------------


def _entry(
    classroom: Classroom, kind: str, now: float, pupil: int = 0, data: dict[str, Any] | None = None
) -> Entry:
    if classroom.number >= MAX_ENTRIES:
        raise BadClass(_("Too much has happened in this class; make a new one."))
    return Entry(classroom.number + 1, kind, pupil, data or {}, now)


def _pupil(classroom: Classroom, pupil: int) -> Pupil:
    if pupil not in classroom.pupils:
        raise BadClass(_("There is no such pupil in this class."))
    return classroom.pupils[pupil]
