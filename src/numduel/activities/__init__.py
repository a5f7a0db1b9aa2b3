"""What people do, written once for all doors: an activity is a state machine without input, output,
clock or threads.

``act(action)`` gives the next state. Its `scene` says what is shown and what can be done now; its
`work` which computation it waits for, as data: a door runs that, and feeds the result back. All of
it is plain data, so that it can travel: the server keeps nothing of an activity.

>>> from numduel.activities import Puzzles, performed
>>> puzzles = performed(Puzzles("2026-11-15"), "begin", "game=duel&seed=9&grade=3")
>>> puzzles.scene.goal
'You are Player 1, and only one move wins.'
>>> puzzles = performed(puzzles, "move", "3")
>>> puzzles.scene.said[0].text
'3 is right.'
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar

from numduel.activities.base import Activity, Choice, Scene, Sentence, Work, fault
from numduel.core.plugins import registered

if TYPE_CHECKING:
    from numduel.activities.analysis import Analysis
    from numduel.activities.lesson import Lessons
    from numduel.activities.mistakes import Mistakes
    from numduel.activities.play import Sitting
    from numduel.activities.profile import Profile
    from numduel.activities.puzzle import Puzzles
    from numduel.activities.storm import Storm

__all__ = [
    "Activity",
    "Analysis",
    "Choice",
    "Lessons",
    "Mistakes",
    "Profile",
    "Puzzles",
    "Scene",
    "Sentence",
    "Sitting",
    "Storm",
    "Work",
    "activities",
    "listed",
    "performed",
    "run",
    "tasks",
]

_LATE = {
    "Analysis": "analysis",
    "Lessons": "lesson",
    "Mistakes": "mistakes",
    "Profile": "profile",
    "Puzzles": "puzzle",
    "Sitting": "play",
    "Storm": "storm",
}
"""The module of each activity, imported on first use: nobody who plays waits for the puzzles."""
_LISTED = ("Storm",)
"""Those of them that doors list, because they have an `ABOUT`: home does not wait for the rest."""
Some = TypeVar("Some", bound=Activity)
Task = Callable[..., Any]


def __getattr__(name: str) -> Any:
    """Import an activity."""
    if name in _LATE:
        return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def activities() -> dict[str, type[Activity]]:
    """Every activity by its name: one file each in this folder, or registered by another package
    through the entry-point group ``numduel.activities``."""
    own = [kind for kind in _own() if kind.NAME]
    return {kind.NAME: kind for kind in (*own, *_others())}


@cache
def listed() -> tuple[type[Activity], ...]:
    """The activities that doors list; each of the others has a place of its own."""
    own: list[type[Activity]] = [__getattr__(name) for name in _LISTED]
    return (*own, *(kind for kind in _others() if kind.ABOUT))


@cache
def _others() -> tuple[type[Activity], ...]:
    """The activities of other packages."""
    group = "numduel.activities"
    return tuple(registered(group, Activity, _names, _own_names, fault))  # type: ignore[type-abstract]


def _own_names() -> set[str]:
    return {name for kind in _own() if kind.NAME for name in _names(kind)}


def _names(kind: type[Activity]) -> set[str]:
    return {kind.NAME}


def _own() -> list[type[Activity]]:
    """Every class of a file in this folder that is an activity."""
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Activity)
        and kind.__module__ == module.__name__
    ]


def _tasks_beside(kind: type[Activity]) -> tuple[Task, ...]:
    """What the activities of a file can wait for: plain data in, plain data out. Those of other
    packages begin with the name of the activity, so that they stand for nothing else."""
    found: tuple[Task, ...] = getattr(sys.modules[kind.__module__], "TASKS", ())
    own = kind.__module__.startswith(f"{__name__}.")
    return tuple(task for task in found if own or task.__name__.startswith(f"{kind.NAME}_"))


@cache
def tasks() -> dict[str, Task]:
    """All that activities can wait for, by name."""
    kinds = (*activities().values(), *_own())  # the last of a name stays
    return {task.__name__: task for kind in kinds for task in _tasks_beside(kind)}


def run(work: Work) -> Any:
    """The result of a computation."""
    return tasks()[work.task](*work.arguments)


def performed(activity: Some, action: str, given: str = "") -> Some:
    """An activity after an action, and after all that it waits for has been computed."""
    activity = activity.act(action, given)
    while activity.work is not None:
        activity = activity.fed(run(activity.work))
    return activity
