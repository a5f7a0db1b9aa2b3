"""A game on the server: what the database holds about it, told from the beginning.

A room is the fold of its log. Every entry has a number; nothing is ever changed or removed, so that
who has seen fewer entries than there are knows that the game has moved on.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from numduel.core.text import HUMAN
from numduel.games import game as find
from numduel.match import Match, begin
from numduel.record import Record
from numduel.web.serialise import position


class Entry(NamedTuple):
    """One thing that happened: a move, a friend sitting down, an undo, an offer."""

    number: int
    seat: int
    kind: str
    """``move``, ``join``, ``ask`` (to take a move back), ``undo``, ``refuse`` or ``rematch``."""
    text: str
    """The move in notation, the name of the friend, the game of the rematch."""
    at: float


@dataclass
class Seat:
    """Who sits on one side, and the hashes of what they prove it with."""

    player: str
    name: str
    token: str | None
    invite: str | None

    @property
    def taken(self) -> bool:
        """Whether somebody sits here."""
        return self.player != HUMAN or self.token is not None


class Room:
    """A game being played by people who are elsewhere."""

    def __init__(self, header: Mapping[str, Any], seats: Iterable[Mapping[str, Any]]) -> None:
        self.header = header
        self.id: str = header["id"]
        self.seats: dict[int, Seat] = {
            row["seat"]: Seat(row["player"], row["name"], row["token"], row["invite"])
            for row in seats
        }
        settings = dict(part.split("=") for part in header["variant"].split())
        deck = tuple(map(int, header["deck"].split())) or None
        self.match: Match = begin(
            find(header["game"], **settings),
            first=header["first"],
            players=(self.seats[1].player, self.seats[2].player),
            forgiving=header["forgiving"],
            pie=header["pie"],
            deck=deck,
        )
        self.number = 0
        self.asks: int | None = None
        """The seat that asks to take a move back."""
        self.offers: int | None = None
        """The seat that offers another game."""
        self.rematch: str | None = None

    # -- what happened ----------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """Let the next entry of the log happen."""
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} does not follow {self.number}")
        if entry.kind == "move":
            self.match.follow(entry.text)
            self.asks = None
        elif entry.kind == "join":
            self.seats[entry.seat].name = entry.text
        elif entry.kind == "ask":
            self.asks = entry.seat
        elif entry.kind == "undo":
            self.match.undo(entry.seat)
            self.asks = None
        elif entry.kind == "refuse":
            self.asks = None
        elif entry.kind == "rematch":
            self.offers, self.rematch = entry.seat, entry.text or None
        self.number = entry.number

    # -- who may do what --------------------------------------------------------------------

    def seat_of(self, token: str | None) -> int | None:
        """The seat that a token proves; None for everybody else."""
        if token is None:
            return None
        hashed = digest(token)
        for number, seat in self.seats.items():
            if seat.token is not None and hmac.compare_digest(seat.token, hashed):
                return number
        return None

    def invited_to(self, invite: str) -> int | None:
        """The seat that an invitation is for."""
        hashed = digest(invite)
        for number, seat in self.seats.items():
            if seat.invite is not None and hmac.compare_digest(seat.invite, hashed):
                return number
        return None

    @property
    def two_people(self) -> bool:
        """Whether nobody here is a computer."""
        return all(seat.player == HUMAN for seat in self.seats.values())

    @property
    def full(self) -> bool:
        """Whether both seats are taken."""
        return all(seat.taken for seat in self.seats.values())

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.match.state.winner is not None

    @property
    def computer(self) -> str | None:
        """The kind of player that is to move, if it is not a person."""
        player = self.seats[self.match.state.to_move].player
        return None if self.over or player == HUMAN else player

    # -- what everybody may know ------------------------------------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """The names on the board."""
        return self.seats[1].name, self.seats[2].name

    @property
    def record(self) -> Record:
        """The game in the notation, without its deck."""
        date = datetime.fromtimestamp(self.header["created"]).replace(microsecond=0)
        return replace(self.match.record, names=self.names, date=date)

    def shown(self, present: Iterable[int]) -> str:
        """Everything that a player or a spectator is told, as JSON."""
        here = set(present)
        return json.dumps(
            {
                "id": self.id,
                "number": self.number,
                **position(
                    self.match.state,
                    self.names,
                    pie=self.header["pie"],
                    forgiving=self.header["forgiving"],
                ),
                "players": [seat.player for _, seat in sorted(self.seats.items())],
                "seats": [seat.taken for _, seat in sorted(self.seats.items())],
                "present": [
                    seat.player != HUMAN or number in here
                    for number, seat in sorted(self.seats.items())
                ],
                "two_people": self.two_people,
                "undo": self.asks,
                "rematch": {"offered": self.offers, "game": self.rematch},
            },
            separators=(",", ":"),
        )


def attempted(match: Match, move: str) -> list[str]:
    """Make a move, with the forced passes that follow it; the tokens for the log.

    Raises `IllegalMove` if the player must choose again.
    """
    made = len(match.state.moves)
    match.play(move)
    while match.state.forced_pass:
        match.play("pass")
    return [str(token) for token in match.state.moves[made:]]


def digest(secret: str) -> str:
    """What is kept of a secret. It has 128 random bits or more, so that one round is enough."""
    return sha256(secret.encode()).hexdigest()
