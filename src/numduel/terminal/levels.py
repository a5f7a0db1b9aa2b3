"""The strengths of the computer: what each level sees, and how strong that makes it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from numduel.core.game import Game
from numduel.core.text import read_settings
from numduel.games import game as find
from numduel.games import games
from numduel.players import COMPUTERS, describe
from numduel.terminal.options import Json, Settings, complete_game
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited


def levels(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="A game: see numduel games.", autocompletion=complete_game
        ),
    ] = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Say what each level of the computer sees; for one game, also exactly how strong it is."""
    if game is None and not settings:
        chosen = [kind() for kind in games()]
    else:
        chosen = [find(game or "", **read_settings(settings or []))]
    found = [_measured(one) if game else _described(one) for one in chosen]
    if as_json:
        print(json.dumps(found))
        return
    screen = Screen(plain=True)
    for one, rows in zip(chosen, found, strict=True):
        screen.say(f"{one}:")
        for row in rows["levels"]:
            screen.say(f"  {row['level']:8}  {row['sees']}")
            if "lost" in row:
                screen.say(f"  {'':8}  {_told(one, row)}")
        screen.say("")
    if game is None:
        screen.say("numduel levels GAME computes exactly how strong each is.")
    else:
        screen.say(
            "Lost: on average at a decision where some move is worse than another, against random"
            " moves. All figures are exact: every game of the players was counted, both seats"
            " alike."
        )


def _described(game: Game) -> dict[str, Any]:
    rows = [{"level": kind, "sees": describe(game, kind)} for kind in COMPUTERS]
    return {"game": game.id, "variant": game.settings, "levels": rows}


def _measured(game: Game) -> dict[str, Any]:
    from numduel.audit.strength import strengths

    found = _described(game)
    with ProgressBar() as bar:
        bar.title = f"{game.title}: "
        measured = waited(lambda: strengths(game, bar.report), bar=True)
    for row, strength in zip(found["levels"], measured, strict=True):
        row |= {"lost": strength.lost, "wins": strength.wins}
    return found


def _told(game: Game, row: dict[str, Any]) -> str:
    """The figures of a level in words."""
    points = game.rules.margin is not None
    lost = f"{row['lost']:.2f} points" if points else f"{row['lost']:.2%}"
    if row["wins"] is None:
        return f"Lost: {lost}."
    weaker = COMPUTERS[COMPUTERS.index(row["level"]) - 1]
    return f"Lost: {lost}. Wins against {weaker}: {row['wins']:.1%}."
