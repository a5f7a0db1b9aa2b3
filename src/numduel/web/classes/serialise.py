"""Classes as plain data: for a pupil, and for the teacher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import orjson
from typing_extensions import TypedDict

from numduel.classes import classroom as classes
from numduel.classes import homework
from numduel.classes.homework import Kind
from numduel.core.language import N_, _, plural
from numduel.games import game as find
from numduel.web.games.qr import QrCode
from numduel.web.http.described import about


class Homework(TypedDict):
    """Something to do at home."""

    number: int
    kind: Kind
    told: Annotated[str, about("What is to be done, as a sentence.")]
    goal: Annotated[int, about("Steps, puzzles or games.")]
    until: Annotated[float, about("When it is due, in seconds since 1970.")]
    link: Annotated[str, about("The page where it is done.")]


class Classroom(TypedDict):
    """A class as its pupils may see it."""

    code: str
    number: Annotated[int, about("Goes up whenever something happens.")]
    ends: Annotated[str, about("Its last day.")]
    events: Annotated[list[str], about("The codes of the events that go on.")]
    homework: Annotated[list[Homework], about("The latest first.")]


class Result(TypedDict):
    """What a pupil did in an event."""

    at: Annotated[float, about("When the event was made, in seconds since 1970.")]
    called: Annotated[list[str], about("What was played.")]
    games: int
    wins: int
    kept: Annotated[int, about("Choices that mattered and gave nothing away.")]
    choices: int


class Done(TypedDict):
    """What a pupil has done of some homework."""

    homework: int
    count: int
    finished: Annotated[float | None, about("When all of it was done.")]
    late: bool


class OwnPupil(TypedDict):
    """What a pupil sees of themselves."""

    number: int
    nickname: str
    results: list[Result]
    homework: list[Done]


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
    results: list[Result]
    homework: list[Done]


class HostEvent(TypedDict):
    """An event of a class, for the teacher."""

    code: str
    at: float
    called: Annotated[list[str], about("Its games, with what is unusual about them.")]
    over: bool
    pupils: Annotated[int, about("How many took part; 0 while it goes on.")]
    host: Annotated[str, about("The secret that runs the event.")]


class HostClass(TypedDict):
    """A class, for the teacher."""

    classroom: Classroom
    pupils: list[HostPupil]
    events: Annotated[list[HostEvent], about("The latest first.")]


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
    going_on = [one.code for one in classroom.events.values() if not one.over]
    return {
        "code": code,
        "number": classroom.number if known else 0,
        "ends": classroom.ends,
        "events": going_on[::-1] if known else [],
        "homework": list(map(_homework, reversed(classroom.homework.values()))) if known else [],
    }


def _homework(one: homework.Homework) -> Homework:
    task, game = one.task, find(one.task.game)
    link = {
        "lesson": f"/learn/{game.name}",
        "puzzles": f"/puzzles?game={game.name}" + (f"&grade={task.grade}" if task.grade else ""),
        "beat": f"/?level={task.level}#game-{game.name}",
    }[task.kind]
    return {
        "number": one.number,
        "kind": task.kind,
        "told": _told(task),
        "goal": task.goal,
        "until": one.until,
        "link": link,
    }


def _told(task: homework.Task) -> str:
    """What is to be done, as a sentence."""
    game = find(task.game).display_name
    if task.kind == "lesson":
        return _("Do the lesson: {game}.", game=game)
    if task.kind == "beat" and task.goal == 2:
        told = N_("Beat the computer ({level}) twice, without help: {game}.")
        return _(told, level=_(task.level), game=game)
    if task.kind == "beat":
        return plural(
            "Beat the computer ({level}) once, without help: {game}.",
            "Beat the computer ({level}) {n} times, without help: {game}.",
            task.goal,
            level=_(task.level),
            game=game,
        )
    if task.grade:
        return plural(
            "Solve a puzzle of grade {grade} or higher: {game}.",
            "Solve {n} puzzles of grade {grade} or higher: {game}.",
            task.goal,
            grade=task.grade,
            game=game,
        )
    return plural("Solve a puzzle: {game}.", "Solve {n} puzzles: {game}.", task.goal, game=game)


def _done(classroom: classes.Classroom, pupil: int) -> list[Done]:
    return [
        {
            "homework": one.number,
            "count": one.count(pupil),
            "finished": one.finished(pupil),
            "late": one.late(pupil),
        }
        for one in reversed(classroom.homework.values())
    ]


def _results(classroom: classes.Classroom, pupil: int) -> list[Result]:
    found = classroom.results_of(pupil)
    return [
        {
            "at": event.at,
            "called": event.called,
            "games": sums.games,
            "wins": sums.wins,
            "kept": sums.kept,
            "choices": sums.choices,
        }
        for event, sums in found
    ]


def own(classroom: classes.Classroom, pupil: int) -> str:
    """The JSON that only one pupil is sent."""
    one = classroom.pupils[pupil]
    sent: OwnPupil = {
        "number": one.number,
        "nickname": one.nickname,
        "results": _results(classroom, pupil),
        "homework": _done(classroom, pupil),
    }
    return orjson.dumps(sent).decode()


def host_class(
    code: str, classroom: classes.Classroom, secret_of: Callable[[str], str]
) -> HostClass:
    """All that the teacher sees; `secret_of` gives the host's secret of an event by its nonce."""
    return {
        "classroom": _classroom(code, classroom),
        "pupils": [
            {
                "number": one.number,
                "nickname": one.nickname,
                "entered": one.entered,
                "results": _results(classroom, one.number),
                "homework": _done(classroom, one.number),
            }
            for one in classroom.pupils.values()
        ],
        "events": [
            {
                "code": one.code,
                "at": one.at,
                "called": one.called,
                "over": one.over,
                "pupils": len(one.results or ()),
                "host": secret_of(one.nonce),
            }
            for one in reversed(classroom.events.values())
        ],
    }
