"""Events as plain data: what everybody sees, what each player learns, and what the class does."""

from __future__ import annotations

from typing import Any

import orjson

from numduel.events import director
from numduel.events.event import COMPUTER, Event, Leg, Pairing
from numduel.events.review import Missed, OwnSlip, missed, own_slips
from numduel.events.settings import read_game
from numduel.events.standings import Standing, podium, standings
from numduel.games import game as find
from numduel.learn.ideas import vocabulary


def serialise(code: str, event: Event, now: float) -> str:
    """The JSON that everybody is sent: it has nothing that proves who somebody is."""
    settings = event.settings
    return orjson.dumps(
        {
            "code": code,
            "number": event.number,
            "created": event.created,
            "phase": event.phase,
            "locked": event.locked,
            "message": event.message,
            **settings.json(),
            "games": [_game(text) for text in settings.games],
            "room": settings.room,
            "clock": _clock(event, now),
            "round": event.round,
            "players": [_player(event, one, now) for one in standings(event)],
            "pairings": [_pairing(one) for one in event.open_pairings],
            "podium": (
                [one.participant.number for one in podium(event)] if event.phase == "ended" else []
            ),
        }
    ).decode()


def own_page(event: Event, player: int, now: float) -> dict[str, Any]:
    """What somebody sees of their own games: how they ended, and what was missed."""
    (standing,) = (one for one in standings(event) if one.participant.number == player)
    return {
        "player": player,
        "nickname": standing.participant.nickname,
        "phase": event.phase,
        "standing": standing.json(),
        "reason": director.reason(event, player, now),
        "games": [_own_game(event, pairing, leg, player) for pairing, leg in event.legs_of(player)],
        "slips": [_slip(event, own, player) for own in own_slips(event, player)],
        "missed": [_missed(one) for one in missed(event, [player])],
    }


def class_page(event: Event) -> dict[str, Any]:
    """What the host sees of the class: the table, and which ideas were missed."""
    return {
        "phase": event.phase,
        "players": [
            one.json() | {"missed": _missed_most(event, one.participant.number)}
            for one in standings(event)
        ],
        "missed": [_missed(one) for one in missed(event)],
    }


def _game(text: str) -> dict[str, Any]:
    game = read_game(text)
    return {
        "text": text,
        "game": game.id,
        "name": game.name,
        "called": game.display_name,
        "variant": game.settings,
        "changes": game.changes,
    }


def _clock(event: Event, now: float) -> dict[str, float | None]:
    """When the time of an arena is up, or how much is left while its clock stands still."""
    if event.settings.format != "arena" or event.phase == "ended":
        return {"ends": None, "remaining": None}
    left = event.remaining(now)
    running = event.phase == "running"
    return {"ends": now + left if running else None, "remaining": None if running else left}


def _player(event: Event, standing: Standing, now: float) -> dict[str, Any]:
    """A row of the table, and what its player does now."""
    number = standing.participant.number
    pairing = event.pairing_of(number)
    leg = pairing.current if pairing is not None else None
    return {
        **standing.json(),
        "pairing": None if pairing is None else pairing.number,
        "game": None if leg is None else leg.id,
        "seat": None if leg is None else leg.seat_of(number),
        "opponent": None if pairing is None else pairing.opponent(number),
        "reason": director.reason(event, number, now),
    }


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return {
        "number": pairing.number,
        "round": pairing.round,
        "game": pairing.game,
        "players": pairing.players,
        "legs": [
            {"id": leg.id, "seats": leg.seats, "end": leg.end, "winner": leg.winner}
            for leg in pairing.legs
        ],
    }


def _nickname(event: Event, player: int) -> str:
    if player == COMPUTER:
        return f"Computer ({event.settings.level})"
    return event.participants[player].nickname


def _own_game(event: Event, pairing: Pairing, leg: Leg, player: int) -> dict[str, Any]:
    return {
        "id": leg.id,
        "pairing": pairing.number,
        "round": pairing.round,
        "game": pairing.game,
        "called": read_game(pairing.game).display_name,
        "seat": leg.seat_of(player),
        "opponent": _nickname(event, pairing.opponent(player)),
        "computer": pairing.with_computer,
        "end": leg.end,
        "won": None if leg.winner is None else leg.winner == player,
        "judged": leg.judgement is not None,
    }


def _slip(event: Event, own: OwnSlip, player: int) -> dict[str, Any]:
    game = read_game(own.pairing.game)
    words = {one.name: one.instruction for one in vocabulary(game)}
    return {
        "id": own.leg.id,
        "called": game.display_name,
        "opponent": _nickname(event, own.pairing.opponent(player)),
        "ply": own.slip.ply,
        "kind": own.slip.kind,
        "idea": own.slip.idea,
        "instruction": words.get(own.slip.idea, ""),
    }


def _missed_most(event: Event, player: int) -> dict[str, Any] | None:
    found = missed(event, [player])
    return _missed(found[0]) if found else None


def _missed(one: Missed) -> dict[str, Any]:
    return {**one._asdict(), "name": find(one.lesson).name}
