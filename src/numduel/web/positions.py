"""Games and positions as plain data, for the page and for programs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Annotated, cast

from typing_extensions import TypedDict

from numduel import activities
from numduel.activities.base import Mark, Place, Ply, Sentence
from numduel.activities.tables import Table
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.language import N_, _, cached, language
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES, name_told
from numduel.core.view import CellState, LayoutKind, View, view
from numduel.games import game as find
from numduel.play.players import COMPUTERS, describe
from numduel.play.record import parse
from numduel.web.http.described import Described, about

MAX_NUMBERS = 120
"""Numbers, or cards, of the largest board here: the states of larger ones are too long."""
MAX_PLIES = 300
"""Moves of the longest game here: every push has all of them."""
MAX_VARIANTS = 200
"""Variants of games that are kept in memory, because many play them."""

MAX_TOLD = 1_000
"""Moves of a game whose words are kept: more than any board has; a broken rule can name others."""

RECORD = re.compile(r"^\s*game\s*:", re.IGNORECASE | re.MULTILINE)
"""What tells a record from other texts."""

Called = Annotated[str, about("The name that people know the game by.")]
Changes = Annotated[list[str], about("Unusual settings, in words.")]
Brief = Annotated[tuple[str, ...], about("The rules in about three sentences.")]


class Legal(TypedDict):
    """A legal move, and its name for people."""

    move: str
    label: str
    offer: Annotated[str, about("What a button for it says in this position.")]


class Cell(TypedDict):
    """A cell of the board."""

    label: str
    owner: int | None
    state: CellState


class Fact(TypedDict):
    """Something that a player must know, such as a sum or a pile."""

    label: str
    value: str | tuple[str, ...]
    seat: Annotated[int | None, about("The seat it belongs to; null if it is common.")]


class Outcome(TypedDict):
    """How a game ended."""

    winner: int
    reason: str
    reasons: Annotated[list[str], about("The same, told to a spectator, to seat 1 and to seat 2.")]


class Layout(TypedDict):
    """How a board likes to be drawn."""

    kind: LayoutKind
    columns: int | None
    places: Annotated[int | None, about("How many cards each row has room for.")]
    ends: Annotated[
        tuple[str, str] | None,
        about("The labels of the moves that put a card before and after a row."),
    ]


class Constant(TypedDict):
    """What is the same in all positions of a game between two players."""

    game: str
    name: str
    title: str
    called: Called
    variant: dict[str, int | str]
    changes: Changes
    layout: Layout
    deck: bool
    markers: list[str]
    has_hands: Annotated[bool, about("Whether players have cards before them.")]
    strict: Annotated[bool, about("Whether breaking a rule loses the game.")]
    names: list[str]


class Changing(TypedDict):
    """What a move may change in a position."""

    first: int
    moves: list[str]
    spoken: Annotated[list[str], about("The moves as people say them.")]
    movers: Annotated[tuple[int, ...], about("The seat that made each move.")]
    text: Annotated[str, about("The moves in notation, and the card that waits to be played.")]
    to_move: int | None
    legal: list[Legal]
    draws: Annotated[dict[str, float], about("The cards that may come, with their chances.")]
    cells: list[Cell]
    hands: tuple[tuple[int, ...], ...]
    card: int | None
    forced: Annotated[
        str | None, about("The only thing that can be done with the card, if it is one only.")
    ]
    facts: Annotated[list[Fact], about("What else a player must know.")]
    goals: Annotated[
        list[str],
        about("What to do now, as told to a spectator, to seat 1 and to seat 2."),
    ]
    status: str
    said: str
    outcome: Outcome | None


class Position(Constant, Changing):
    """A position as everybody may see it."""


class Parameter(TypedDict):
    """A setting of a game."""

    name: str
    meaning: str
    low: int
    high: int
    words: list[str]
    labels: Annotated[list[str], about("Those words in the language of the request.")]
    value: int | str


class Offered(TypedDict):
    """What people are offered instead of the rulebook's game."""

    variant: Annotated[dict[str, int | str], about("The settings that are not the rulebook's.")]
    changes: Changes
    told: Annotated[str, about("What they change, in a sentence.")]
    rulebook: Annotated[str, about("What to choose for the rulebook's game.")]


class Rules(TypedDict):
    """A game that can be played."""

    id: str
    name: str
    title: str
    summary: str
    called: Called
    brief: Brief
    variant: dict[str, int | str]
    strict: bool
    deck: bool
    markers: list[str]
    parameters: list[Parameter]
    offered: Annotated[Offered | None, about("What the page offers, if not the default variant.")]
    levels: Annotated[dict[str, str], about("Each level of the computer, and what it sees.")]


class Option(TypedDict):
    """A legal move, and what it is worth to the player to move."""

    move: str
    label: str
    worth: Annotated[str, Described(examples=["wins in 5", "+11 points", "58.0 %"])]
    short: Annotated[str, Described(examples=["win 5", "+11", "58.0 %"])]
    win_probability: float
    plies: int | None
    margin: int | None
    best: bool
    loss: float
    exact: bool


class Evaluation(TypedDict):
    """Who wins a position if both play their best."""

    chances: Annotated[list[float], about("Each seat's chance to win; 0 or 1 without luck.")]
    words: Annotated[
        list[str],
        Described(description="What each seat can expect.", examples=[["wins in 5 moves", ""]]),
    ]
    exact: bool


class Values(TypedDict):
    """What every legal move is worth, best first, and who wins."""

    options: list[Option]
    legend: str
    evaluation: Annotated[Evaluation | None, about("Who wins; null when the game is over.")]


class Choice(TypedDict):
    """An action other than a move."""

    action: str
    label: str
    key: str
    told: str


class Scene(TypedDict):
    """What an activity shows, and what can be done now."""

    title: str
    grade: str
    goal: str
    state: Position | None
    moves: Annotated[bool, about("Whether a move can be made.")]
    said: list[Sentence]
    notes: list[str]
    choices: list[Choice]
    line: Annotated[list[Position], about("The positions of a line that is played out.")]
    link: str
    text: list[str | list[str]]
    advised: list[str]
    steps: list[Mark]
    tree: Annotated[list[Ply], about("Lines of moves.")]
    lines: Annotated[str, about("Those lines as `lines` in an address; often empty.")]
    values: Values | None
    tables: list[Table]
    leads: Annotated[Place | None, about("What the choice `next` opens.")]
    then: Annotated[str, about("The action to send once this is shown.")]
    pause: Annotated[float, about("Seconds to show this before sending it.")]
    clock: Annotated[
        float | None,
        about("Seconds left, if there is a clock; it stands still during a pause."),
    ]
    next_day: Annotated[str, about("The day that brings the next daily puzzle, if one is done.")]


def playable(name: str, settings: Mapping[str, object]) -> Game:
    """A game with these settings, if the server allows them."""
    game = find(name, **settings)
    if game.bounds.actions > MAX_NUMBERS or len(game.cards) > MAX_NUMBERS:
        if game.has_deck:
            told = N_("On this server a game has at most {most} cards in the deck.")
        else:
            told = N_("On this server a game has at most {most} numbers.")
        raise BadVariant(_(told, most=MAX_NUMBERS))
    if game.bounds.plies > MAX_PLIES:
        raise BadVariant(_("On this server a game has at most {most} moves.", most=MAX_PLIES))
    return game


@cache
def largest(game: Game, setting: str) -> int:
    """The largest value of a setting that the server allows: for the size with the other settings
    as usual, for any other setting on the usual or the largest board."""
    size = next(iter(game.parameters))
    boards = [{}] if setting == size else [{}, {size: largest(game, size)}]

    def refused(value: int) -> bool:
        for board in boards:
            with suppress(BadVariant):
                playable(game.name, {**board, setting: value})
                return False
        return True

    usual: int = game.variant[list(game.parameters).index(setting)]
    values = range(usual, game.parameters[setting].high + 1)
    return max(usual, usual + bisect_left(values, True, key=refused) - 1)


def catalogue(game: Game) -> Rules:
    """A game, its settings and the levels of the computer, for the lobby."""
    return {
        "id": game.id,
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "called": game.display_name,
        "variant": game.settings,
        "strict": game.strict,
        "deck": game.has_deck,
        "brief": game.brief,
        "markers": list(game.markers),
        "parameters": [
            {
                "name": name,
                "meaning": parameter.meaning,
                "low": parameter.low,
                "high": parameter.high if parameter.words else largest(game, name),
                "words": list(parameter.words),
                "labels": list(parameter.labels),
                "value": game.settings[name],
            }
            for name, parameter in game.parameters.items()
        ],
        "offered": _offered(game),
        "levels": {kind: describe(game, kind) for kind in COMPUTERS},
    }


def _offered(game: Game) -> Offered | None:
    if game.offer is None:
        return None
    return {
        "variant": game.offer.settings,
        "changes": type(game)(**game.offer.settings).changes,
        "told": game.offer.told,
        "rulebook": game.offer.rulebook,
    }


def position(
    state: State,
    names: tuple[str, str] = DEFAULT_NAMES,
    *,
    forgiving: bool = False,
) -> Position:
    """A position as everybody may see it, in a game or in analysis."""
    return {
        **constant(state.game, names, forgiving=forgiving),
        **changing(state, names),
    }  # fmt: skip


@cached(MAX_VARIANTS)
def constant(game: Game, names: tuple[str, str], *, forgiving: bool) -> Constant:
    """What is the same in all positions of a game between two players."""
    return {
        "game": game.id,
        "name": game.name,
        "title": game.title,
        "called": game.display_name,
        "variant": game.settings,
        "changes": game.changes,
        "layout": cast("Layout", game.layout._asdict()),
        "deck": game.has_deck,
        "markers": list(game.markers),
        "has_hands": game.has_hands,
        "strict": game.strict and not forgiving,
        "names": [*map(name_told, names)],
    }


def changing(state: State, names: tuple[str, str]) -> Changing:
    """What a move may change in a position."""
    seen = view(state, names)
    state, game, outcome = state.public, state.game, state.outcome
    legal = state.legal_moves
    return {
        "first": state.first,
        "moves": list(map(str, state.moves)),
        "spoken": _spoken(state),
        "movers": state.movers,
        "text": state.text,
        "to_move": None if outcome else state.to_move,
        "legal": [
            {
                "move": str(move),
                "label": game.label(move),
                "offer": _button(move, state),
            }
            for move in legal
        ],
        "draws": {str(card): chance for card, chance in state.draws.items()},
        "cells": [
            {"label": label, "owner": owner, "state": how} for label, owner, how in seen.cells
        ],
        "hands": seen.hands,
        "card": seen.card,
        "forced": None if state.forced_card is None else str(state.forced_card),
        "facts": [
            {"label": fact.label, "value": fact.value, "seat": fact.seat} for fact in seen.facts
        ],
        "goals": [game.goal(seen, you) for you in (None, 1, 2)],
        "status": seen.status,
        "said": _said(state, seen),
        "outcome": outcome and {
            "winner": outcome.winner,
            "reason": " ".join(game.end_reason(seen, outcome.winner)),
            "reasons": [
                " ".join(game.end_reason(seen, outcome.winner, you)) for you in (None, 1, 2)
            ],
        },
    }  # fmt: skip


def _spoken(state: State) -> list[str]:
    """The moves as people say them. How each is said is kept: it is said again in all later
    positions."""
    game = state.game
    told, moves = _told(game, language()), game.worded_moves(state)
    if len(told) > MAX_TOLD:
        told.clear()
    for move in moves:
        if move not in told:
            told[move] = game.label_played(move)
    return [told[move] for move in moves]


@lru_cache(MAX_VARIANTS)
def _told(_game: Game, _code: str) -> dict[Move, str]:
    """How the moves of a game are said in a language."""
    return {}


def _said(state: State, seen: View) -> str:
    """The last move in a sentence; empty before the first."""
    if not state.moves:
        return ""
    game, name = state.game, seen.name(seen.mover)
    return f"{name} {game.does(game.worded_moves(state)[-1])}"


def _button(move: Move, state: State) -> str:
    """What a button for a move says."""
    return state.game.label(state.game.worded(move, state))


def scene_data(scene: activities.Scene) -> Scene:
    """A scene whose records are positions, as the page draws them."""
    shown = asdict(scene)
    at = shown.pop("at")
    shown |= {"state": _position(at) if at else None, "line": [*map(_position, scene.line)]}
    return cast("Scene", shown)


def games_in(arguments: Iterable[object]) -> Iterator[Game]:
    """The games of the records among some arguments. Raises `BadVariant` if one is on a board that
    is too large."""
    for argument in arguments:
        if isinstance(argument, str) and RECORD.search(argument):
            game = parse(argument).game
            yield playable(game.name, game.settings)
        elif isinstance(argument, (list, tuple)):
            yield from games_in(argument)


def _position(record: str) -> Position:
    read = parse(record)
    playable(read.game.name, read.game.settings)
    return position(read.state, read.names, forgiving=read.forgiving)
