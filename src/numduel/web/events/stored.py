"""What the entries of an event may hold, by name: anything else is damage."""

from __future__ import annotations

from typing_extensions import TypedDict

from numduel.events.event import Slip
from numduel.events.settings import Settings


class Data(TypedDict, total=False):
    """The data of an entry of any kind. The fold notices what is missing."""

    settings: Settings
    host: str
    nickname: str
    player: str
    token: str | None
    code: str | None
    asked: int
    why: str
    calendar: float
    approval: bool
    own_names: bool
    locked: bool
    minutes: int
    text: str
    top_only: bool
    id: str
    ply: int
    answer: bool
    players: list[int]
    round: int
    game: str
    pairing: int
    winner: int
    milliseconds: list[int]
    moves: list[int]
    kept: list[list[int]]
    slips: list[Slip]
