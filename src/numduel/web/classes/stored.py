"""What the entries of a class may hold, by name: anything else is damage."""

from __future__ import annotations

from typing_extensions import TypedDict

from numduel.classes.homework import Task


class Data(TypedDict, total=False):
    """The data of an entry of any kind. The fold notices what is missing."""

    host: str
    ends: str
    nickname: str
    code: str
    renewals: int
    event: str
    nonce: str
    games: list[str]
    pupils: dict[str, list[int]]
    task: Task
    until: float
    homework: int
    item: str
