"""A game on the server, as the fold of its log.

Everything that happens to a game is an entry of its log, which is written first (a write-ahead
log). Only `Room.apply` changes a room, whether the entry was just written here, was written by
another process, or is read again from the database. Entries are numbered without gaps and never
changed or removed, so the number says which state of the game somebody has seen.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from hmac import compare_digest
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.game import Game
from numduel.core.language import _
from numduel.core.state import State
from numduel.core.text import HUMAN, read_settings
from numduel.games import game as find
from numduel.play.match import Match, begin
from numduel.play.record import Record
from numduel.web.people.keys import Proof, digest, matching
from numduel.web.positions import MAX_VARIANTS

GAME_ID = re.compile("[A-Za-z0-9_-]{6,32}")
MAX_ENTRIES = 4_000
"""Entries after which no move can be taken back; no game needs a quarter of them."""


class Entry(NamedTuple):
    """One entry of a game's log."""

    number: int
    seat: int
    kind: str
    """``move``, ``request`` (for the free seat), ``decline`` (a request), ``join``, ``offer`` (the
    seat is free again, with a new invitation), ``key`` (another key, and another name if there is
    one, for a seat, or for both if it is 0), ``ask`` (to take a move back), ``undo``, ``refuse``
    (to take it back), ``rematch``, ``estimate`` (from now on the computer plays by estimates),
    ``help`` (a player had help for the first time), or ``score``, the first entry of a
    rematch."""
    text: str
    """The move in notation; the name of a player who joins, asks or is renamed, or of a free seat;
    the number of a declined request; the id of the rematch; which help it was; or how many games
    each seat has won before. In an ``undo`` it is the seed
    by which the undrawn cards are shuffled again, so that every process gets the same deck; no
    client may ever learn it. Older versions left it empty, and the deck in its order."""
    at: float
    token: str | None = None
    """A hash: in a ``join`` or ``key`` of the token that proves the seat from now on, in a
    ``request`` of the token that will if it is accepted, in an ``offer`` of the invitation."""


class SeatRequest(NamedTuple):
    """Somebody who asks for the free seat, and the hash of their token."""

    name: str
    token: str


@dataclass
class Seat:
    """The player on one side, and the hashes of the secrets that belong to the seat."""

    player: str
    name: str
    token: str | None
    invite: str | None

    @property
    def taken(self) -> bool:
        """Whether a computer or a person has this seat."""
        return self.player != HUMAN or self.token is not None


class Room:
    """The state of a game, with its seats."""

    def __init__(self, header: Mapping[str, Any], seats: Iterable[Mapping[str, Any]]) -> None:
        self.header = header
        self.id: str = header["id"]
        self.event: str | None = header["event"]
        """The code of its event."""
        self.seats: dict[int, Seat] = {row["seat"]: _initial_seat(row) for row in seats}
        self.match: Match = begin(
            _game(header["game"], header["variant"]),
            first=header["first"],
            players=(self.seats[1].player, self.seats[2].player),
            forgiving=header["forgiving"],
            order=tuple(map(int, header["deck"].split())) or None,
        )
        self.over = self.match.state.winner is not None
        """Whether somebody has won."""
        self.number = 0
        """The number of the last entry."""
        self.essential = 0
        """The number of the last one that a player must have seen before acting: not of help."""
        self.undo_asked_by: int | None = None
        """The seat that asks to take a move back."""
        self.estimated = False
        """Whether the computer plays by estimates, because the board is too large."""
        self.rematch_offered_by: int | None = None
        self.rematch: str | None = None
        """The id of the next game between the same players."""
        self._won_before = 0, 0
        self._requests: dict[int, SeatRequest] = {}
        """Requests for the free seat, by the numbers of their entries."""
        self.requests_made = 0
        self.newcomer: int | None = None
        """The seat of a player who has joined but not moved yet: it can be offered again."""
        self.offers = 0
        """How often the seat has been offered again."""
        self.constant: dict[str, str] = {}
        """The part of the JSON that no move changes, by its language, while it is as it was."""
        self.moved: list[tuple[int, float]] = []
        """In an event, the seat and the time of every move."""

    # -- the fold ---------------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """Apply the next entry of the log."""
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} does not follow {self.number}")
        if entry.kind != "move":
            self.constant.clear()
        if entry.kind == "move":
            self.match.follow(entry.text)
            self.undo_asked_by = None
            if self.event is not None:
                self.moved.append((entry.seat, entry.at))
            self.newcomer = None if entry.seat == self.newcomer else self.newcomer
        elif entry.kind == "join":
            seat = self.seats[entry.seat]
            seat.name, seat.token = entry.text, entry.token
            self.newcomer = entry.seat
            self._requests.clear()
        elif entry.kind == "offer":
            self.seats[entry.seat] = Seat(HUMAN, entry.text, None, entry.token)
            self.newcomer = self.undo_asked_by = None
            self.offers += 1
        elif entry.kind == "key":
            for number in (entry.seat,) if entry.seat else (1, 2):
                self.seats[number].token = entry.token
                self.seats[number].name = entry.text or self.seats[number].name
        elif entry.kind == "request" and entry.token is not None:
            self._requests[entry.number] = SeatRequest(entry.text, entry.token)
            self.requests_made += 1
        elif entry.kind == "decline":
            del self._requests[int(entry.text)]
        elif entry.kind == "ask":
            self.undo_asked_by = entry.seat
        elif entry.kind == "undo":
            # Logs of version 0.1 have no seed here: the deck stayed in its order.
            luck = Random(entry.text) if entry.text else None
            self.match.undo(entry.seat or None, luck)
            self.undo_asked_by = None
        elif entry.kind == "refuse":
            self.undo_asked_by = None
        elif entry.kind == "rematch":
            self.rematch_offered_by, self.rematch = entry.seat, entry.text or None
        elif entry.kind == "estimate":
            self.estimated = True
        elif entry.kind == "help":
            self.match.note_help(entry.text)
        elif entry.kind == "score":
            one, two = entry.text.split()
            self._won_before = int(one), int(two)
        self.number = entry.number
        if entry.kind in ("move", "undo"):
            self.over = self.match.state.winner is not None
        if entry.kind != "help":
            self.essential = entry.number

    # -- the next entries: nothing happens until they are applied ----------------------------

    def entry(self, seat: int, kind: str, text: str = "", token: str | None = None) -> Entry:
        """The next entry."""
        return Entry(self.number + 1, seat, kind, text, time.time(), token)

    def entries_for_move(self, move: str, *, estimated: bool = False) -> list[Entry]:
        """The entries of a move and of the forced passes after it; before them, once a game, the
        entry that says that the computer plays by estimates.

        Raises `IllegalMove` if the player must choose again.
        """
        state = self.match.state
        after = state.attempt(move, forgiving=self.header["forgiving"])
        if after is state:
            state.play(move)  # raises the sentence that says why nothing changed
        made = [(state.to_move, str(after.moves[-1])), *_forced_passes(after)]
        news = [self.entry(state.to_move, "estimate")] if estimated and not self.estimated else []
        return [*news, *_move_entries(made, self.number + 1 + len(news))]

    def entry_for_resign(self, seat: int) -> Entry:
        """The entry of a seat that resigns, whoever's turn it is."""
        return self.entry(seat, "move", str(self.match.state.resign(seat).moves[-1]))

    def entry_for_undo(self, seat: int) -> Entry:
        """The entry of a move that a seat takes back; on one screen, whoever moved last."""
        shuffled = self.match.state.game.has_deck
        whose = 0 if self.one_screen else seat
        return self.entry(whose, "undo", secrets.token_hex(16) if shuffled else "")

    # -- who may do what --------------------------------------------------------------------

    def seat_of(self, proof: Proof) -> int | None:
        """The seat that a proof is for, on one screen the first; None if it is for none."""
        hashes = [*map(digest, proof)]
        for number in (1, 2):
            token = self.seats[number].token
            if token is not None and any(compare_digest(token, one) for one in hashes):
                return number
        return None

    def invited_to(self, invite: str) -> int | None:
        """The seat that an invitation is for."""
        for number, seat in self.seats.items():
            if matching((invite,), seat.invite):
                return number
        return None

    @property
    def requests(self) -> Mapping[int, SeatRequest]:
        """The requests for the free seat, while the game goes on."""
        return {} if self.over else self._requests

    def request_of(self, proof: Proof) -> int | None:
        """The number of the request that was made with this proof."""
        for number, request in self.requests.items():
            if matching(proof, request.token):
                return number
        return None

    @property
    def free_seat(self) -> int | None:
        """The seat that nobody has taken."""
        return next((number for number, seat in self.seats.items() if not seat.taken), None)

    @property
    def two_people(self) -> bool:
        """Whether both seats are for people."""
        return self.seats[1].player == self.seats[2].player == HUMAN

    @property
    def one_screen(self) -> bool:
        """Whether one token proves both seats: two people play on the same screen."""
        return self.seats[1].token is not None and self.seats[1].token == self.seats[2].token

    @property
    def remote(self) -> bool:
        """Whether two people play, each on a screen of their own."""
        return self.two_people and not self.one_screen

    def acting_seat(self, seat: int) -> int:
        """The seat that a player acts for: on one screen, the one whose turn it is."""
        return self.match.state.to_move if self.one_screen else seat

    def undo_refusal(self, seat: int) -> str | None:
        """Why a seat cannot take a move back or ask to; None if it can."""
        if self.over:
            return _("The game is over; no move can be taken back.")
        if self.event is not None:
            return _("In an event, moves cannot be taken back.")
        if self.number >= MAX_ENTRIES:
            return _("This game has gone on too long to take moves back.")
        if not self.match.decided(None if self.one_screen else seat):
            return _("You have no move to take back.")
        return None

    @property
    def score(self) -> tuple[int, int]:
        """How many games each seat has won, in this one and those before it."""
        (one, two), winner = self._won_before, self.match.state.winner
        return one + (winner == 1), two + (winner == 2)

    @property
    def computer(self) -> str | None:
        """The level of the computer to move; None if it is a person's turn, or the game is over."""
        player = self.seats[self.match.state.to_move].player
        return None if self.over or player == HUMAN else player

    @property
    def without_people(self) -> bool:
        """Whether two levels of the computer play each other."""
        return all(seat.player != HUMAN for seat in self.seats.values())

    # -- what everybody may know ------------------------------------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players."""
        return self.seats[1].name, self.seats[2].name

    @property
    def record(self) -> Record:
        """The game in the notation, without its deck."""
        date = datetime.fromtimestamp(self.header["created"]).replace(microsecond=0)
        return replace(self.match.record, names=self.names, date=date)


@lru_cache(MAX_VARIANTS)
def _game(name: str, variant: str) -> Game:
    """A game and its settings as stored; all rooms share it."""
    return find(name, **read_settings(variant.split()))


def opening_entries(game: Game, first: int, moves: str) -> tuple[State, list[Entry]]:
    """The position after some moves, and the log of a game that begins there.

    Raises `IllegalMove` with the number of the move that is wrong.
    """
    state = game.start(first=first)
    made: list[tuple[int, str]] = []
    for number, token in enumerate(moves.split(), 1):
        try:
            after = state.apply_token(token)
        except IllegalMove as error:
            told = _("Move {number} ({move}): {why}", number=number, move=token[:20], why=error)
            raise IllegalMove(told) from None
        if len(after.moves) > len(state.moves):  # A card that was only drawn is not a move.
            made.append((state.to_move, str(after.moves[-1])))
        state = after
    if state.winner is not None:
        raise BadVariant(_("The game is over in that position; start from an earlier one."))
    return state, _move_entries([*made, *_forced_passes(state)], 1)


def _forced_passes(state: State) -> list[tuple[int, str]]:
    """The passes that are forced from here, each with its seat, up to the next card that must be
    drawn."""
    passes = []
    while state.forced_pass:
        passes.append((state.to_move, "pass"))
        state = state.play("pass")
    return passes


def _move_entries(made: Iterable[tuple[int, str]], first_number: int) -> list[Entry]:
    now = time.time()
    return [
        Entry(number, seat, "move", text, now)
        for number, (seat, text) in enumerate(made, first_number)
    ]


def _initial_seat(row: Mapping[str, Any]) -> Seat:
    """A seat before the first entry: an invited player gets their token by joining."""
    token = row["token"] if row["invite"] is None else None
    return Seat(row["player"], row["name"], token, row["invite"])
