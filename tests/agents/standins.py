"""Stand-ins for the frameworks that train models: just what our adapters use of each.

Importing the frameworks takes as long as all other tests of adapters together, so `make test` does
without them. The stand-ins behave as the frameworks do, as far as an adapter can tell; `make proof`
runs the same tests on the frameworks themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

One = TypeVar("One")
Two = TypeVar("Two")
Three = TypeVar("Three")


@contextmanager
def adapter(name: str, framework: str) -> Iterator[Any]:
    """An adapter, on its framework if that is installed, else on the stand-in."""
    if find_spec(framework) is not None:
        yield import_module(name)
        return
    # What else is imported meanwhile stays: parts of Numba cannot be imported twice.
    sys.modules.pop(name, None)
    sys.modules.update(STANDINS[framework])
    try:
        yield import_module(name)
    finally:
        for module in (name, *STANDINS[framework]):
            sys.modules.pop(module, None)


def modules(contents: dict[str, dict[str, object]]) -> dict[str, ModuleType]:
    """Modules with these names in them, and the packages that they are in."""
    found: dict[str, ModuleType] = {}
    for path, names in contents.items():
        for end in [*(at for at, sign in enumerate(path) if sign == "."), len(path)]:
            name = path[:end]
            above, _, last = name.rpartition(".")
            found.setdefault(name, ModuleType(name))
            if above:
                setattr(found[above], last, found[name])
        vars(found[path]).update(names)
    return found


# -- OpenEnv --------------------------------------------------------------------------------


class Action(BaseModel):
    """What an agent does."""


class Observation(BaseModel):
    """What it sees then."""

    done: bool = False
    reward: float | None = None
    metadata: dict[str, Any] = {}


class Episode(BaseModel):
    """How far an episode is."""

    episode_id: str | None = None
    step_count: int = 0


class Environment(Generic[One, Two, Three]):
    """What is acted in."""


# -- TextArena ------------------------------------------------------------------------------


class ObservationType(Enum):
    """What a message is."""

    PROMPT = auto()
    PLAYER_ACTION = auto()
    GAME_ADMIN = auto()


class TwoPlayerState:
    """Whose turn it is, what each was told, how often the player was wrong, and who won."""

    def __init__(self, num_players: int, error_allowance: int) -> None:
        assert num_players == 2
        self._allowed, self._errors, self._wrong = error_allowance, 0, False
        self.current_player_id = 0

    def reset(self, **_: object) -> None:
        self.done, self.rewards = False, dict[int, float]()
        self.step_info: dict[str, Any] = {}
        self.observations: dict[int, list[tuple[int, str, ObservationType]]] = {0: [], 1: []}

    def add_observation(
        self, message: str, observation_type: ObservationType, to_id: int, from_id: int = -1
    ) -> None:
        self.observations[to_id].append((from_id, message, observation_type))

    def set_invalid_move(self, reason: str) -> None:
        if self._allowed > self._errors:
            self._errors, self._wrong = self._errors + 1, True
            self.add_observation(reason, ObservationType.GAME_ADMIN, self.current_player_id)
        else:
            self.set_winner(1 - self.current_player_id, reason)

    def set_winner(self, player_id: int, reason: str) -> None:
        assert reason
        self.done, self.rewards = True, {player_id: 1, 1 - player_id: -1}

    def step(self, rotate_player: bool) -> tuple[bool, dict[str, Any]]:
        assert not rotate_player
        if not self._wrong:
            self._errors = 0
        self._wrong = False
        told, self.step_info = self.step_info, {}
        return self.done, told


class SinglePlayerState(TwoPlayerState):
    """The same for one player, who gets a reward."""

    def __init__(self, num_players: int, error_allowance: int) -> None:
        assert num_players == 1
        super().__init__(2, error_allowance)

    def set_invalid_move(self, reason: str, reward: float = -1.0) -> None:
        if self._allowed > self._errors:
            super().set_invalid_move(reason)
        else:
            self.set_outcome(reward, reason)

    def set_outcome(self, reward: float, reason: str) -> None:
        assert reason
        self.done, self.rewards = True, {0: reward}

    def step(self, rotate_player: bool = False) -> tuple[bool, dict[str, Any]]:
        return super().step(rotate_player)


class Arena:
    """A game for two, or decisions for one."""

    state: TwoPlayerState

    def get_observation(self) -> tuple[int, list[tuple[int, str, ObservationType]]]:
        told = self.state.observations[self.state.current_player_id]
        self.state.observations[self.state.current_player_id] = []
        return self.state.current_player_id, told

    def close(self) -> tuple[dict[int, float], dict[str, Any]]:
        return self.state.rewards, {}


REGISTRY: dict[str, Any] = {}


def register(name: str, kind: Any, **settings: object) -> None:
    REGISTRY[name] = kind, settings


def make(name: str, **more: object) -> Any:
    kind, settings = REGISTRY[name]
    return kind(**settings, **more)


# -- verifiers ------------------------------------------------------------------------------


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


STANDINS = {
    "openenv": modules({
        "openenv.core.env_server": {"create_app": None},
        "openenv.core.env_server.interfaces": {"Environment": Environment},
        "openenv.core.env_server.types": {
            "Action": Action, "Observation": Observation, "State": Episode,
        },
    }),
    "textarena": modules({
        "textarena": {
            "Env": Arena, "TwoPlayerState": TwoPlayerState,
            "SinglePlayerState": SinglePlayerState, "ObservationType": ObservationType,
            "make": make,
        },
        "textarena.envs.registration": {"ENV_REGISTRY": REGISTRY, "register": register},
    }),
    "verifiers": modules({
        "verifiers.v1": {
            "Task": Task, "TaskData": TaskData, "TaskConfig": Config, "State": Config,
            "Taskset": Taskset, "TasksetConfig": Config, "Harness": Configured,
            "HarnessConfig": Config, "Env": Configured, "EnvConfig": Config,
            "AgentConfig": Config, "SubprocessConfig": Config, "ProgramResult": tuple,
            "reward": unchanged, "metric": unchanged,
        },
    }),
}  # fmt: skip
