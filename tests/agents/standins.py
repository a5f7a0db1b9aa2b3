"""A stand-in for verifiers, which trains models: just what our environment uses of it.

Importing verifiers takes as long as all other tests of environments together, so `make test` does
without it. The stand-in behaves as it does, as far as the environment can tell; `make proof` runs
the same tests on verifiers itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

One = TypeVar("One")
Two = TypeVar("Two")
Three = TypeVar("Three")


@contextmanager
def environment() -> Iterator[Any]:
    """Our package for verifiers, on verifiers if that is installed, else on the stand-in."""
    if find_spec("verifiers") is not None:
        yield import_module("numduel_v1")
        return
    # What else is imported meanwhile stays: parts of Numba cannot be imported twice.
    sys.modules.pop("numduel_v1", None)
    sys.modules.update(STANDINS)
    try:
        yield import_module("numduel_v1")
    finally:
        for module in ("numduel_v1", *STANDINS):
            sys.modules.pop(module, None)


class Task(Generic[One, Two, Three]):
    """Something to be done."""

    def __init__(self, data: Any) -> None:
        self.data = data


class TaskData(BaseModel):
    """What there is to be done."""

    name: str = ""
    prompt: str = ""


class Taskset(Generic[One, Two]):
    """Many tasks."""

    def __init__(self, config: Any) -> None:
        self.config = config

    def __iter__(self) -> Iterator[Any]:
        return iter(self.load())  # type: ignore[attr-defined]


class Configured(Generic[One]):
    """A harness, or an environment."""


class Config(BaseModel):
    """What can be set."""

    runtime: Any = None


def unchanged(method: One) -> One:
    return method


verifiers, v1 = ModuleType("verifiers"), ModuleType("verifiers.v1")
vars(verifiers)["v1"] = v1
vars(v1).update({
    "Task": Task, "TaskData": TaskData, "TaskConfig": Config, "State": Config, "Taskset": Taskset,
    "TasksetConfig": Config, "Harness": Configured, "HarnessConfig": Config, "Env": Configured,
    "EnvConfig": Config, "AgentConfig": Config, "SubprocessConfig": Config,
    "ProgramResult": tuple, "reward": unchanged, "metric": unchanged,
})  # fmt: skip
STANDINS = {module.__name__: module for module in (verifiers, v1)}
