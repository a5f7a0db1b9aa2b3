"""Players in Python in processes that need not import anything (see `tests.zygote`)."""

import os
import sys
from collections.abc import Mapping, Sequence
from io import FileIO
from pathlib import Path
from typing import Any, Self

from numduel.lab.tournament.child import Child
from tests import zygote

PROGRAM = "from numduel.lab.tournament.player import main; main()"


class Forked(Child):
    """The process of `numduel.lab.tournament.hosts`, as a fork. The order of its sets is another,
    and what these tests have imported is there already."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self._received = b""
        place = words[words.index("numduel.lab.tournament.player") + 1 :]
        self._process: Any = Process(place, environment["PYTHONPATH"].split(os.pathsep))


class Process:
    """What is needed of `subprocess.Popen`."""

    def __init__(self, place: Sequence[str], path: Sequence[str]) -> None:
        (asked, questions), (answers, answered) = os.pipe(), os.pipe()
        self._fork = zygote.start(
            [sys.executable, "-c", PROGRAM, *place],
            stdin=asked, stdout=answered, stderr=2, env=os.environ, cwd=Path.cwd(),
            before=[f"import sys; sys.path[:] = {[*path]!r}"],
        )  # fmt: skip
        for file in (asked, answered):
            os.close(file)
        for file in (questions, answers):
            os.set_blocking(file, False)
        self.stdin, self.stdout = FileIO(questions, "w"), FileIO(answers)
        self.pid, self.poll, self.wait = self._fork.pid, self._fork.poll, self._fork.wait

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self.stdout.close()
        self.wait()
