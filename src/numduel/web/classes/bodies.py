"""The bodies of requests to the API of classes; every field has a limit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from numduel.classes.actions import MAX_ADDED, MAX_PUPILS
from numduel.classes.homework import MAX_GOAL, Kind
from numduel.web.events.bodies import NewEvent
from numduel.web.games.bodies import Level
from numduel.web.http.described import about
from numduel.web.http.routes import Body, examples
from numduel.web.people.proof import Key, Newcomer

Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Many = Annotated[int, Field(ge=1, le=MAX_PUPILS)]


class NewClass(Body):
    """A new class."""

    model_config = examples({"pupils": 24, "ends": "2027-02-12"})
    pupils: Many
    ends: Annotated[Day, about("The last day. Two weeks later the class is deleted.")]
    key: Annotated[
        Key | None,
        about("The teacher's secret, if you choose it; the same one again gives the same class."),
    ] = None


class Enter(Newcomer):
    """A pupil's personal code."""

    model_config = examples({"code": "XHRT9"})
    code: Annotated[str, StringConstraints(min_length=1, max_length=40)]


class Slips(Body):
    """What the QR codes of the slips lead to."""

    model_config = examples({"link": "https://example.org/c/K7M4Q"})
    link: Annotated[str, StringConstraints(max_length=300), about("The page of the class.")]


class ClassEvent(NewEvent):
    """An event for the class. The `key` only makes the request repeatable."""

    model_config = examples({"games": [{"game": "factors", "variant": {"n": 20}}]})


class JoinClassEvent(Body):
    """An event of the class."""

    model_config = examples({"event": "K7M4QX"})
    event: Annotated[str, StringConstraints(min_length=6, max_length=6)]


class NewHomework(Body):
    """Homework for the class."""

    model_config = examples(
        {"kind": "beat", "game": "duel", "level": "medium", "goal": 2, "until": 1795000000},
        {"kind": "lesson", "game": "factors", "until": 1795000000},
    )
    kind: Kind
    game: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    goal: Annotated[
        int, Field(ge=1, le=MAX_GOAL, description="Puzzles or games; a lesson is done as a whole.")
    ] = 1
    grade: Annotated[int, Field(ge=0, le=5, description="The least grade of puzzles; 0: any.")] = 0
    level: Annotated[Level | None, about("The level of the computer to beat.")] = None
    until: Annotated[float, Field(ge=0, description="When it is due, in seconds since 1970.")]


class HomeworkNumber(Body):
    """A piece of homework."""

    model_config = examples({"homework": 27})
    homework: Annotated[int, Field(ge=1, le=1_000_000)]


class MorePupils(Body):
    """More pupils."""

    model_config = examples({"pupils": 2})
    pupils: Many


class OnePupil(Body):
    """A pupil."""

    model_config = examples({"pupil": 3})
    pupil: Annotated[int, Field(ge=1, le=MAX_ADDED)]
