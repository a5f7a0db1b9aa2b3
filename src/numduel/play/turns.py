"""Who begins a game: what people can choose, and who begins the next one if they take turns.

In a game without luck one seat wins, so nobody should always have the same one.
"""

from __future__ import annotations

from contextlib import suppress

from numduel.core.game import Game
from numduel.core.language import N_, Texts
from numduel.core.text import HUMAN
from numduel.files import read_json, write_json
from numduel.play.match import beginner
from numduel.play.players import COMPUTERS
from numduel.play.record import Record

FILE = "turns.json"
"""The seat that begins next, by the game and the kind of opponent."""
FRIEND = "friend"
"""A person at another screen."""

BEGINNERS = Texts(
    {
        "turn": N_("In turn, game by game"),
        "you": N_("You"),
        "them": N_("The other player"),
        "random": N_("Random"),
    }
)
"""What the page and the app offer, in words."""
SEATS = {"you": "1", "them": "2"}


def first_seat(who: str, game: Game, opponent: str) -> int:
    """The seat that begins, by one of `BEGINNERS` or by its number; a person is in seat 1."""
    if who == "turn":
        return in_turn(game, opponent)
    return beginner(SEATS.get(who, who))


def in_turn(game: Game, opponent: str) -> int:
    """The seat that begins the next game of a person in seat 1 against an opponent."""
    found = _known().get(_key(game, opponent))
    return found if found in (1, 2) else 1


def remember_turn(record: Record) -> None:
    """Let the other player begin the next game, if that can be kept here. The person of this
    machine will sit in seat 1 then, wherever they sat in this one."""
    person = record.person or 1
    opponent = record.players[2 - person]
    kind = FRIEND if opponent == HUMAN and record.seat else opponent
    seat = 2 if record.states[0].first == person else 1
    with suppress(OSError):
        write_json(FILE, _known() | {_key(record.game, kind): seat})


def _key(game: Game, opponent: str) -> str:
    return f"{game.id} {'computer' if opponent in COMPUTERS else opponent}"


def _known() -> dict[str, int]:
    found = read_json(FILE)
    return found if isinstance(found, dict) else {}
