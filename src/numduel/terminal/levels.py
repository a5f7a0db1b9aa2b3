"""The command ``numduel levels``: what each level of the computer sees, and how strong it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.text import percentage, read_settings
from numduel.games import game as find
from numduel.games import games
from numduel.play.players import COMPUTERS, describe
from numduel.terminal.options import Json, Settings, complete_game
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

MEASURED = (
    "A choice matters if some moves are worse than others; what it costs is measured against random"
    " moves. The figures are exact: they count every possible game, from both seats."
)


def levels(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="A game. Without one, all games.", autocompletion=complete_game
        ),
    ] = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Show what each level of the computer sees; for one game, also how strong it is."""
    if game is None and settings:
        raise BadVariant("Name the game of these settings: numduel levels GAME --set n=12.")
    chosen = [find(game, **read_settings(settings or []))] if game else [kind() for kind in games()]
    found = [_measured(one) if game else _described(one) for one in chosen]
    if as_json:
        print(json.dumps(found))
        return
    screen = Screen(plain=True)
    for one, rows in zip(chosen, found, strict=True):
        screen.say_page(*_lines(one, rows["levels"]))
        screen.say("")
    screen.say_page(MEASURED if game else "numduel levels GAME also says how strong each is.")


def _lines(game: Game, rows: list[dict[str, Any]]) -> Iterator[str]:
    """What each level of a game sees, and its figures if they are known."""
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
