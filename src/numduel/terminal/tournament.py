"""The command ``numduel tournament``: a round robin, as tables or data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zlib import crc32

import typer

from numduel.core.errors import BadVariant
from numduel.core.text import either, printable, read_settings
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.system import ending_is_ctrl_c
from numduel.terminal.commands import stopped
from numduel.terminal.options import Json, Settings, complete_game, complete_player
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

if TYPE_CHECKING:
    from numduel.lab.tournament.entrants import Entrant
    from numduel.lab.tournament.file import ResultFile
    from numduel.lab.tournament.jobs import Tournament
    from numduel.lab.tournament.report import Table
    from numduel.lab.tournament.standings import Standings

NO_WORD = re.compile(r"[^A-Za-z0-9]+")
MAX_FILE_NAME = 60
"""Characters of players and games in the name of a file."""


def tournament(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER…",
            help="random, easy, medium, hard, perfect, search or"
            " python:package.module:attribute; name=PLAYER gives it another name.",
            autocompletion=complete_player,
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME",
            help="A game; may be repeated. Without it, all games.",
            autocompletion=complete_game,
        ),
    ] = None,
    settings: Settings = None,
    rounds: Annotated[
        int,
        typer.Option(
            min=1,
            max=1_000_000,
            metavar="COUNT",
            help="How often each pair meets, in alternating seats; with more rounds, a tournament"
            " in the file goes on.",
        ),
    ] = 20,
    openings: Annotated[
        str,
        typer.Option(
            metavar="random|none",
            help="random: games begin with a few random moves, each opening twice, from both"
            " seats; none: with an empty board.",
        ),
    ] = "random",
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", help="Another seed is another tournament.")
    ] = 0,
    jobs: Annotated[
        int, typer.Option(min=1, max=1024, metavar="COUNT", help="Games at a time, one per core.")
    ] = 2,
    file: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="The file of results; a tournament that is in it goes on. Without it, the file is"
            " named after the players and games: tournament-easy-hard.jsonl.",
        ),
    ] = "",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Delete the results in the file, and start again.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play a round robin between players, and rate them."""
    from numduel.lab.tournament.entrants import entrants
    from numduel.lab.tournament.file import ResultFile
    from numduel.lab.tournament.jobs import OPENINGS, Tournament
    from numduel.lab.tournament.runner import make_ready

    if not players:
        raise BadVariant("Name the players: numduel tournament easy medium hard.")
    if openings not in OPENINGS:
        raise BadVariant(f"--openings must be {either(OPENINGS)}, not {printable(openings, 40)!r}.")
    names = game or [kind.name for kind in every_game()]
    games = tuple(dict.fromkeys(find(name, **read_settings(settings or ())) for name in names))
    competing = entrants(players)
    file = file or file_name(competing, game or [])
    chosen = Tournament(competing, games, rounds, openings, seed)
    waited(partial(make_ready, chosen))
    with ending_is_ctrl_c(), ResultFile(Path(file), chosen, fresh=fresh) as results:
        try:
            found = _play(chosen, results, jobs)
        except KeyboardInterrupt:
            changed = " without --fresh" if fresh else ""
            raise stopped(
                f"Stopped: {len(results.results):,} of {sum(1 for _ in chosen.jobs()):,} games are"
                f" in {printable(file)}; the same command{changed} goes on."
            ) from None
    if as_json:
        print(json.dumps(found.json()))
    else:
        screen = Screen()
        _show(found, screen)
        screen.say(f"Every game is in {printable(file)}.")


def file_name(players: Iterable[Entrant], games: Iterable[str]) -> str:
    """The file of a tournament, named after its players and the games that were chosen."""
    words = [*(one.name for one in players), *games]
    name = "-".join(filter(None, (NO_WORD.sub("-", word).strip("-") for word in words))).lower()
    if len(name) > MAX_FILE_NAME:
        name = f"{name[:MAX_FILE_NAME]}-{crc32(' '.join(words).encode()):08x}"
    return f"tournament-{name}.jsonl"


def _play(chosen: Tournament, results: ResultFile, jobs: int) -> Standings:
    """Play the games that are left; the standings at the end."""
    from numduel.lab.tournament.runner import run
    from numduel.lab.tournament.standings import standings

    with ProgressBar() as bar:
        bar.begin("Playing", sum(1 for _ in chosen.jobs()), len(results.results))
        run(chosen, results, jobs=jobs, advance=bar.advance)
    return standings(chosen, results.results.values())


def _show(found: Standings, screen: Screen) -> None:
    from numduel.lab.tournament.report import MEANING, tables

    for grid in (part for whole in tables(found) for part in fitting(whole, screen.limit)):
        wide = [max(map(len, column)) for column in zip(grid.head, *grid.rows, strict=True)]
        screen.say(grid.title, *([grid.note] if grid.note else []))
        for row in (grid.head, *grid.rows):
            cells = [f"{row[0]:{wide[0]}}"]
            cells += [f"{cell:>{size}}" for cell, size in zip(row[1:], wide[1:], strict=True)]
            screen.say("  " + "  ".join(cells).rstrip())
        screen.say("")
    screen.say_page(MEANING)


def fitting(grid: Table, width: int | None) -> list[Table]:
    """A table in parts that fit a terminal, each with the first column and some others."""
    if width is None:
        return [grid]
    wide = [max(map(len, column)) + 2 for column in zip(grid.head, *grid.rows, strict=True)]
    groups: list[list[int]] = []
    for column in range(1, len(wide)):
        if not groups or wide[0] + sum(wide[c] for c in groups[-1]) + wide[column] > width:
            groups.append([])
        groups[-1].append(column)
    return [
        replace(
            grid,
            note=grid.note if place == 0 else "",
            head=tuple(grid.head[c] for c in (0, *group)),
            rows=tuple(tuple(row[c] for c in (0, *group)) for row in grid.rows),
        )
        for place, group in enumerate(groups)
    ]
