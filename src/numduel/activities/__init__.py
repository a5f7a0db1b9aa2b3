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

from collections.abc import Callable
from typing import Any, TypeVar

from numduel.activities.base import Activity, Choice, Scene, Sentence, Work
from numduel.activities.lesson import TASKS as LESSON_TASKS
from numduel.activities.lesson import Lessons
from numduel.activities.mistakes import TASKS as MISTAKE_TASKS
from numduel.activities.mistakes import Mistakes
from numduel.activities.play import TASKS as PLAY_TASKS
from numduel.activities.play import Sitting
from numduel.activities.puzzle import TASKS as PUZZLE_TASKS
from numduel.activities.puzzle import Puzzles

__all__ = [
    "Activity",
    "Choice",
    "Lessons",
    "Mistakes",
    "Puzzles",
    "Scene",
    "Sentence",
    "Sitting",
    "Work",
    "performed",
    "run",
]

Some = TypeVar("Some", bound=Activity)
ACTIVITIES: dict[str, type[Activity]] = {"puzzle": Puzzles, "lesson": Lessons, "mistakes": Mistakes}
"""Every activity by its name."""
TASKS: dict[str, Callable[..., Any]] = {
    task.__name__: task for task in (*PUZZLE_TASKS, *LESSON_TASKS, *MISTAKE_TASKS, *PLAY_TASKS)
}
"""What activities can wait for, by name: plain data in, plain data out."""


def run(work: Work) -> Any:
    """The result of a computation."""
    return TASKS[work.task](*work.arguments)


def performed(activity: Some, action: str, given: str = "") -> Some:
    """An activity after an action, and after all that it waits for has been computed."""
    activity = activity.act(action, given)
    while activity.work is not None:
        activity = activity.fed(run(activity.work))
    return activity
