"""The strengths of the computer: what each level sees, and how strong that makes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from numduel.core.game import Game
from numduel.core.text import percentage, read_settings
from numduel.games import game as find
from numduel.games import games
from numduel.play.players import COMPUTERS, describe
from numduel.terminal.options import Json, Settings, complete_game
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import PAGE_WIDTH, Screen, fitted
from numduel.terminal.waiting import waited

MEASURED = (
    "A choice matters where some move is worse than another; what it costs is counted against"
    " random moves. The figures are exact: every possible game was counted, from both seats."
)


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
    width = min(screen.width, PAGE_WIDTH)
    for one, rows in zip(chosen, found, strict=True):
        for line in _lines(one, rows["levels"]):
            screen.say(*fitted(line, width))
        screen.say("")
    screen.say(
        *fitted(MEASURED if game else "numduel levels GAME computes how strong each is.", width)
    )


def _lines(game: Game, rows: list[dict[str, Any]]) -> Iterator[str]:
    """The levels of a game in lines: what each sees, and its figures if they are known."""
    yield f"{game}:"
    for row in rows:
        yield f"  {row['level']:8}  {row['sees']}"
        if "lost" in row:
            yield f"  {'':8}  {_told(game, row)}"


def _described(game: Game) -> dict[str, Any]:
    rows = [{"level": kind, "sees": describe(game, kind)} for kind in COMPUTERS]
    return {"game": game.id, "variant": game.settings, "levels": rows}


def _measured(game: Game) -> dict[str, Any]:
    from numduel.lab.audit.strength import strengths

    found = _described(game)
    with ProgressBar() as bar:
        bar.title = f"{game.display_name}: "
        measured = waited(lambda: strengths(game, bar.report), bar=bar)
    for row, strength in zip(found["levels"], measured, strict=True):
        row |= {"lost": strength.lost, "wins": strength.wins}
    return found


def _told(game: Game, row: dict[str, Any]) -> str:
    """The figures of a level in words."""
    points = game.rules.margin is not None
    lost = f"{row['lost']:.2f} points" if points else f"{percentage(row['lost'], 2)} of a win"
    choices = f"When a choice matters, it gives away {lost} on average."
    if row["wins"] is None:
        return choices
    weaker = COMPUTERS[COMPUTERS.index(row["level"]) - 1]
    return f"{choices} It wins {percentage(row['wins'], 1)} of its games against {weaker}."
