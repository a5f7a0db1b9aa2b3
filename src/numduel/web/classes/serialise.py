"""Classes as plain data: for a pupil, and for the teacher."""

from __future__ import annotations

from typing import Annotated

import orjson
from typing_extensions import TypedDict

from numduel.classes import classroom as classes
from numduel.web.games.qr import QrCode
from numduel.web.http.described import about


class Classroom(TypedDict):
    """A class as its pupils may see it."""

    code: str
    number: Annotated[int, about("Goes up whenever something happens.")]
    ends: Annotated[str, about("Its last day.")]


class OwnPupil(TypedDict):
    """What a pupil sees of themselves."""

    number: int
    nickname: str


class ClassSnapshot(TypedDict):
    """A class and your number in it, as the live channel sends them."""

    you: Annotated[int | None, about("Your number; null if this browser is no pupil's.")]
    own: Annotated[OwnPupil | None, about("What only you are sent.")]
    classroom: Classroom


class Entered(ClassSnapshot):
    """A class that a browser has come into."""

    token: Annotated[str | None, about("Proves who you are: send it as a bearer token.")]


class HostPupil(TypedDict):
    """A pupil, for the teacher."""

    number: int
    nickname: str
    entered: Annotated[float | None, about("When they last typed their code; null if never.")]


class HostClass(TypedDict):
    """A class, for the teacher."""

    classroom: Classroom
    pupils: list[HostPupil]


class CreatedClass(HostClass):
    """A class that you have created."""

    host: Annotated[str, about("Your secret: send it as a bearer token.")]


class PersonalCode(TypedDict):
    """What is on a pupil's slip of paper."""

    number: int
    nickname: str
    code: str
    qr: Annotated[QrCode, about("The link with this code behind the `#`.")]


class NewPersonalCode(HostClass):
    """A new code for a pupil."""

    code: str


def serialise(code: str, classroom: classes.Classroom, *, known: bool = True) -> str:
    """The JSON that all pupils are sent; strangers, who are not `known`, are told less."""
    return orjson.dumps(_classroom(code, classroom, known=known)).decode()


def _classroom(code: str, classroom: classes.Classroom, *, known: bool = True) -> Classroom:
    return {"code": code, "number": classroom.number if known else 0, "ends": classroom.ends}


def own(classroom: classes.Classroom, pupil: int) -> str:
    """The JSON that only one pupil is sent."""
    one = classroom.pupils[pupil]
    sent: OwnPupil = {"number": one.number, "nickname": one.nickname}
    return orjson.dumps(sent).decode()


def host_class(code: str, classroom: classes.Classroom) -> HostClass:
    """All that the teacher sees."""
    return {
        "classroom": _classroom(code, classroom),
        "pupils": [
            {"number": one.number, "nickname": one.nickname, "entered": one.entered}
            for one in classroom.pupils.values()
        ],
    }
