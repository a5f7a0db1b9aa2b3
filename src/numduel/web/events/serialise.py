"""Events as plain data: for everybody, for one player, and for the host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import orjson
from typing_extensions import TypedDict

from numduel.core.language import _, cached
from numduel.core.text import name_told
from numduel.core.view import view
from numduel.events import clock, director, review, standings
from numduel.events import event as events
from numduel.events.review import Missed, missed
from numduel.events.settings import Format, read_game
from numduel.learn.ideas import idea_named
from numduel.web.games.serialise import GameClock
from numduel.web.http.described import about
from numduel.web.positions import Brief, Called, Changes, Position, position

MAX_REMOVED = 20
"""How many of those who were removed the host is shown."""


class EventGame(TypedDict):
    """A game that is played in an event."""

    text: Annotated[str, about("The game and its settings, as pairings name them.")]
    game: str
    name: str
    called: Called
    variant: dict[str, int | str]
    changes: Changes
    brief: Brief


class Clock(TypedDict):
    """The time of an arena."""

    ends: Annotated[float | None, about("When time is up, while the clock runs.")]
    remaining: Annotated[float | None, about("Seconds left, while the clock is stopped.")]


class Standing(TypedDict):
    """A row of the table. Where places are hidden, all but who it is about is null."""

    number: int
    nickname: str
    kind: Annotated[str, about("`human`, or a level of the computer.")]
    team: Annotated[int | None, about("1 or 2, where teams play.")]
    away: bool
    place: int | None
    wins: int | None
    games: Annotated[int | None, about("Games won or lost.")]
    with_computer: int | None
    forfeits: Annotated[
        int | None, about("Wins because the opponent went away or ran out of time.")
    ]
    forfeited: Annotated[int | None, about("Games lost by going away or running out of time.")]
    kept: Annotated[int | None, about("Choices that mattered and gave nothing away.")]
    choices: Annotated[int | None, about("Choices that mattered: something could go wrong.")]
    moves: Annotated[
        int | None, about("All moves that were judged; 0 where they were not counted.")
    ]
    accuracy: Annotated[float | None, about("`kept` as a share of `choices`.")]
    seconds_per_move: float | None


class Team(TypedDict):
    """One of two teams."""

    number: int
    name: str
    mark: Annotated[str, about("Tells it apart without colour.")]
    points: Annotated[int, about("Games that its members have won.")]
    members: int


class PlayerNow(Standing):
    """A row of the table, and what its player does now."""

    pairing: int | None
    game: Annotated[str | None, about("The id of the game to play now.")]
    seat: int | None
    opponent: Annotated[int | None, about("The opponent's number; 0 is the computer.")]
    reason: Annotated[str | None, about("Why they are not playing, as a sentence to them.")]
    idle_since: Annotated[
        float | None, about("Since when it has been their turn, without pauses, if that is long.")
    ]
    forfeits_at: Annotated[
        float | None, about("When their opponent wins, if they do not come back to the board.")
    ]
    nudged: Annotated[float | None, about("When the host last reminded them to move.")]


class Pairing(TypedDict):
    """Two players and their game."""

    number: int
    id: Annotated[str, about("The id of the game.")]
    round: int
    game: str
    players: Annotated[tuple[int, ...], about("The first of them begins.")]


class ShownOnWall(TypedDict):
    """A position from a game of the class, to be discussed; it names nobody."""

    game: Annotated[str, about("The id of the game.")]
    ply: Annotated[int, about("Which move it was.")]
    position: Position
    answer: Annotated[
        list[str] | None,
        about("What was played, what would have been better, and the idea; null until asked for."),
    ]


class Event(TypedDict):
    """An event as everybody may see it."""

    code: str
    number: Annotated[int, about("Goes up whenever something happens.")]
    created: Annotated[float, about("When, by the clock of events.")]
    phase: events.Phase
    locked: bool
    approval: Annotated[bool, about("Whether the host lets everybody in by hand.")]
    own_names: Annotated[bool, about("Whether nicknames may be typed, or only chosen.")]
    waiting: Annotated[list[int], about("The requests of those who wait to be let in.")]
    door: Annotated[int, about("Goes up when the host has news at the door.")]
    message: str
    message_at: Annotated[float, about("When the message was sent.")]
    shown: Annotated[ShownOnWall | None, about("What is to be discussed on the wall.")]
    format: Format
    minutes: Annotated[int, about("How long an arena lasts, with the minutes that were added.")]
    rounds: int
    level: str
    forgiving: bool
    move_seconds: Annotated[int, about("The time for each move; 0 if there is no such clock.")]
    game_minutes: Annotated[int, about("Each player's time for a game; 0 if there is none.")]
    games: list[EventGame]
    room: Annotated[int, about("How many players there can be.")]
    clock: Clock
    round: int
    waits_for: Annotated[str | None, about("What everybody who is free waits for, in a sentence.")]
    players: Annotated[
        list[PlayerNow],
        about("In the order of the table; those whose places are hidden in that of joining."),
    ]
    pairings: Annotated[list[Pairing], about("The pairings that are being played.")]
    top_only: Annotated[bool, about("Whether only the host is sent places after the fifth.")]
    table: Annotated[list[int], about("The players whose places everybody is shown.")]
    podium: list[int]
    teams: Annotated[list[Team], about("Two, or none where everybody plays for themselves.")]


class EventSnapshot(TypedDict):
    """An event and your number in it, as the live channel sends them."""

    you: Annotated[int | None, about("Your number; null if you do not take part.")]
    now: Annotated[
        float,
        about("The clock of events, in seconds: it stands still while there is no server."),
    ]
    own: Annotated[Standing | None, about("Your row of the table, if only you are sent it.")]
    event: Event


class CreatedEvent(EventSnapshot):
    """An event that you have created."""

    code: str
    host: Annotated[str, about("Your secret: send it as a bearer token.")]


class Joined(EventSnapshot):
    """An event in which you take part, or have asked to."""

    player: Annotated[int | None, about("Null if the host has to let you in: look again.")]
    asked: Annotated[int | None, about("Your request, in `waiting` until the host answers.")]
    nickname: str
    token: Annotated[str | None, about("Proves who you are: send it as a bearer token.")]
    code: Annotated[str | None, about("Four digits, to continue in another browser.")]


class NewCode(EventSnapshot):
    """New four digits for a player."""

    code: str


class OfferedNames(TypedDict):
    """Nicknames to choose from."""

    names: list[str]


class Waiting(TypedDict):
    """Somebody who waits to be let in."""

    asked: Annotated[int, about("The number of the request.")]
    nickname: str
    why: Annotated[
        events.Why,
        about(
            "`browser`: it plays already; `many`: very many have just come from one address;"
            " `approval`: you let everybody in by hand."
        ),
    ]
    plays: Annotated[str | None, about("Who plays in the same browser now.")]


class Removed(TypedDict):
    """Somebody whom you have removed."""

    number: int
    nickname: str


class Helped(TypedDict):
    """A player who asked the server for help with a game of the event."""

    number: int
    times: Annotated[int, about("Counted once a minute at most.")]
    last: Annotated[float, about("When, in seconds since 1970.")]


class DoorPage(TypedDict):
    """What only the host sees of the people."""

    waiting: list[Waiting]
    removed: Annotated[list[Removed], about("The last one first.")]
    helped: list[Helped]
    table: Annotated[list[Standing], about("The whole table, whatever everybody else sees.")]


class OwnGame(TypedDict):
    """A game that you played in an event."""

    id: str
    round: int
    game: str
    called: str
    seat: int
    opponent: str
    computer: bool
    end: str | None
    won: bool | None
    judged: bool


class OwnSlip(TypedDict):
    """A move of yours that was a mistake or an inaccuracy."""

    id: Annotated[str, about("The id of the game.")]
    called: str
    opponent: str
    ply: int
    kind: events.SlipKind
    idea: str
    instruction: str


class OwnPage(TypedDict):
    """Your games in an event, and what to learn from them."""

    player: int
    nickname: str
    phase: str
    standing: Standing
    reason: str | None
    games: list[OwnGame]
    slips: Annotated[list[OwnSlip], about("Game by game, move by move.")]
    missed: Annotated[list[Missed], about("Most often missed first.")]


class ClassPlayer(Standing):
    """A row of the table, what only the host sees of it, and the idea missed most often."""

    helped: Annotated[Helped | None, about("Null if they never asked for help.")]
    missed: Missed | None


class Example(TypedDict):
    """A position of a game of the class in which an idea was missed; it names nobody."""

    game: Annotated[str, about("The id of the game.")]
    ply: Annotated[int, about("Which move it was.")]
    board: Annotated[list[str], about("The board before it, in text.")]
    told: Annotated[str, about("What the move gave away, and what would have been better.")]


class ClassPage(TypedDict):
    """What a class missed."""

    phase: str
    players: list[ClassPlayer]
    missed: list[Missed]
    examples: Annotated[list[Example | None], about("A position for each of `missed`.")]


def serialise(code: str, event: events.Event, now: float, idle: Mapping[int, float]) -> str:
    """The JSON that everybody is sent; it has no secrets. `idle` says who has not moved for long,
    and since when it has been their turn."""
    settings = event.settings
    table = standings.public(event)
    first = standings.podium(event) if event.phase == "ended" else []
    sent: Event = {
        "code": code,
        "number": event.number,
        "created": event.created,
        "phase": event.phase,
        "locked": event.locked,
        "approval": event.approval,
        "own_names": event.own_names,
        "waiting": list(event.asking),
        "door": event.door,
        "message": event.message,
        "message_at": event.message_at,
        "shown": _shown(event),
        "format": settings.format,
        "minutes": event.minutes,
        "rounds": settings.rounds,
        "level": settings.level,
        "forgiving": settings.forgiving,
        "move_seconds": settings.move_seconds,
        "game_minutes": settings.game_minutes,
        "games": [_game(text) for text in settings.games],
        "room": settings.room,
        "clock": _clock(event, now),
        "round": event.round,
        "waits_for": director.waiting_for(event, now) if event.phase == "running" else None,
        "players": [
            *(_player(event, one, now, idle) for one in table),
            *(_player(event, one, now, idle, hidden=True) for one in standings.hidden(event)),
        ],
        "pairings": [_pairing(one) for one in event.open_pairings],
        "top_only": event.top_only,
        "table": [one.participant.number for one in table],
        "podium": [one.participant.number for one in first],
        "teams": [_team(one) for one in standings.teams(event)],
    }
    return orjson.dumps(sent).decode()


def own_rows(event: events.Event) -> dict[int, str]:
    """The JSON of each row of the table that only its player is sent, by their numbers."""
    hidden = standings.hidden(event)
    return {one.participant.number: orjson.dumps(_standing(one)).decode() for one in hidden}


def own_page(event: events.Event, player: int, now: float) -> OwnPage:
    """A player's own games: how they ended, and what was missed."""
    (standing,) = (one for one in standings.standings(event) if one.participant.number == player)
    return {
        "player": player,
        "nickname": standing.participant.nickname,
        "phase": event.phase,
        "standing": _standing(standing),
        "reason": director.reason(event, player, now),
        "games": [_own_game(event, pairing, player) for pairing in event.pairings_of(player)],
        "slips": [_slip(event, own, player) for own in review.own_slips(event, player)],
        "missed": missed(event, [player]),
    }


def door_page(event: events.Event) -> DoorPage:
    """Who waits at the door, who was removed, and who asked for help."""
    removed = [one for one in reversed(event.participants.values()) if one.removed]
    return {
        "waiting": [_waiting(event, one) for one in event.asking.values()],
        "removed": [
            {"number": one.number, "nickname": one.nickname} for one in removed[:MAX_REMOVED]
        ],
        "helped": [found for one in event.members if (found := _helped(one)) is not None],
        "table": [_standing(one) for one in standings.standings(event)],
    }


def _helped(one: events.Participant) -> Helped | None:
    if one.helped_on is None:
        return None
    return {"number": one.number, "times": one.helped, "last": one.helped_on}


def _waiting(event: events.Event, one: events.Asking) -> Waiting:
    plays = event.with_token(one.token)
    return {
        "asked": one.number,
        "nickname": one.nickname,
        "why": one.why,
        "plays": None if plays is None else plays.nickname,
    }


def class_page(event: events.Event) -> ClassPage:
    """What the host sees: the table, and the ideas that were missed."""
    return {
        "phase": event.phase,
        "players": [
            {
                **_standing(one),
                "helped": _helped(one.participant),
                "missed": next(iter(missed(event, [one.participant.number])), None),
            }
            for one in standings.standings(event)
        ],
        "missed": (found := missed(event)),
        "examples": [_example(review.example(event, one)) for one in found],
    }


def _example(own: review.OwnSlip | None) -> Example | None:
    if own is None:
        return None
    state = read_game(own.pairing.game).replay(own.slip.at or "")
    shown = view(state)
    card = [] if state.card is None else [_("The drawn card is {card}.", card=state.card)]
    return {
        "game": own.pairing.id,
        "ply": own.slip.ply,
        "board": [*filter(None, state.game.board(shown)), *card],
        "told": own.slip.sentence,
    }


def _shown(event: events.Event) -> ShownOnWall | None:
    """What is to be discussed on the wall."""
    wanted = event.shown
    slip = wanted and event.slip(wanted.id, wanted.ply)
    if wanted is None or slip is None:
        return None
    pairing = event.by_game[wanted.id]
    idea = idea_named(read_game(pairing.game), slip.idea)
    answer = [slip.sentence, *([idea.instruction] if idea else [])]
    return {
        "game": wanted.id,
        "ply": wanted.ply,
        "position": _position(pairing.game, slip.at or ""),
        "answer": answer if wanted.answer else None,
    }


@cached(64)
def _position(game: str, moves: str) -> Position:
    return position(read_game(game).replay(moves).public)


def _game(text: str) -> EventGame:
    game = read_game(text)
    return {
        "text": text,
        "game": game.id,
        "name": game.name,
        "called": game.display_name,
        "variant": game.settings,
        "changes": game.changes,
        "brief": game.brief,
    }


def _clock(event: events.Event, now: float) -> Clock:
    if event.settings.format != "arena" or event.phase == "ended":
        return {"ends": None, "remaining": None}
    left = event.remaining(now)
    running = event.phase == "running"
    return {"ends": now + left if running else None, "remaining": None if running else left}


def _team(team: standings.Team) -> Team:
    return {
        "number": team.number,
        "name": team.name,
        "mark": team.mark,
        "points": team.points,
        "members": team.members,
    }


def _standing(standing: standings.Standing) -> Standing:
    kept, time, tally = standing.accuracy, standing.seconds_per_move, standing.tally
    return {
        "place": standing.place,
        "number": standing.participant.number,
        "nickname": standing.participant.nickname,
        "kind": standing.participant.player,
        "team": standing.participant.team,
        "away": not standing.participant.present,
        "wins": tally.wins,
        "games": tally.games,
        "with_computer": tally.with_computer,
        "forfeits": tally.forfeits,
        "forfeited": tally.forfeited,
        "kept": tally.accuracy.kept,
        "choices": tally.accuracy.choices,
        "moves": tally.accuracy.moves,
        "accuracy": None if kept is None else float(kept),
        "seconds_per_move": None if time is None else float(time),
    }


def game_clock(event: events.Event, turn: clock.Turn, now: float) -> GameClock | None:
    """The clock of a game whose turn it is; None where there is none."""
    had = clock.budgets(event, turn)
    if had is None:
        return None
    left, until = [*had], clock.remaining(event, turn, now)
    running = event.phase == "running" and until is not None
    if not running and until is not None:
        left[turn.seat - 1] = max(0.0, min(left[turn.seat - 1], until))
    one, two = (round(seconds, 1) for seconds in left)
    return {"left": (one, two), "ends": round(now + (until or 0.0), 1) if running else None}


def _hide(row: Standing) -> None:
    """Say nothing in a row but who it is about."""
    row["place"] = row["wins"] = row["games"] = row["with_computer"] = None
    row["forfeits"] = row["forfeited"] = row["kept"] = row["choices"] = row["moves"] = None
    row["accuracy"] = row["seconds_per_move"] = None


def _player(
    event: events.Event,
    standing: standings.Standing,
    now: float,
    idle: Mapping[int, float],
    *,
    hidden: bool = False,
) -> PlayerNow:
    row = _standing(standing)
    if hidden:
        _hide(row)
    number = standing.participant.number
    pairing = event.pairing_of(number)
    return {
        **row,
        "pairing": None if pairing is None else pairing.number,
        "game": None if pairing is None else pairing.id,
        "seat": None if pairing is None else pairing.seat_of(number),
        "opponent": None if pairing is None else pairing.opponent(number),
        "reason": director.reason(event, number, now),
        "idle_since": now - event.playing_time(idle[number], now) if number in idle else None,
        "forfeits_at": director.forfeits_at(event, number),
        "nudged": standing.participant.nudged,
    }


def _pairing(pairing: events.Pairing) -> Pairing:
    return {
        "number": pairing.number,
        "id": pairing.id,
        "round": pairing.round,
        "game": pairing.game,
        "players": pairing.players,
    }


def _nickname(event: events.Event, player: int) -> str:
    if player == events.COMPUTER:
        return name_told(f"Computer ({event.settings.level})")
    return event.participants[player].nickname


def _own_game(event: events.Event, pairing: events.Pairing, player: int) -> OwnGame:
    return {
        "id": pairing.id,
        "round": pairing.round,
        "game": pairing.game,
        "called": read_game(pairing.game).display_name,
        "seat": pairing.seat_of(player),
        "opponent": _nickname(event, pairing.opponent(player)),
        "computer": pairing.with_computer,
        "end": pairing.end,
        "won": None if pairing.winner is None else pairing.winner == player,
        "judged": pairing.judgement is not None,
    }


def _slip(event: events.Event, own: review.OwnSlip, player: int) -> OwnSlip:
    game = read_game(own.pairing.game)
    idea = idea_named(game, own.slip.idea)
    return {
        "id": own.pairing.id,
        "called": game.display_name,
        "opponent": _nickname(event, own.pairing.opponent(player)),
        "ply": own.slip.ply,
        "kind": own.slip.kind,
        "idea": own.slip.idea,
        "instruction": idea.instruction if idea else "",
    }
