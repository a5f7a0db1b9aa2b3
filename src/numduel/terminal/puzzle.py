"""Puzzles at the prompt: one move is the answer, and there is always another puzzle."""

from __future__ import annotations

import json
from datetime import date
from functools import partial
from random import SystemRandom
from typing import Annotated
from urllib.parse import urlencode

import typer

from numduel.activities.keeping import puzzles, storm
from numduel.activities.puzzle import SEEDS, daily_of, day_of, named
from numduel.core.errors import BadVariant
from numduel.core.text import MAX_SEED, in_range
from numduel.games import game as find
from numduel.learn.puzzle import GRADES
from numduel.terminal.activity import Prompt
from numduel.terminal.options import Json, Plain, complete_game
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited


def puzzle(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A game. Without one, today's puzzle.",
            autocompletion=complete_game,
        ),
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="NUMBER", help="The puzzle's number.")] = None,
    grade: Annotated[
        str | None,
        typer.Option(
            "--grade",
            "--level",
            metavar="GRADE",
            help="How hard, from 1 to 5.",
        ),
    ] = None,
    day: Annotated[
        str | None,
        typer.Option("--date", metavar="DAY", help="The daily puzzle of a day, as 2026-11-15."),
    ] = None,
    as_storm: Annotated[
        bool, typer.Option("--storm", help="As many puzzles as you can in three minutes.")
    ] = False,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Find the one right move: in today's puzzle, or in puzzles of any game."""
    kind = None if game is None else find(game).name
    if as_storm:
        if as_json or (seed, grade, day) != (None, None, None):
            raise BadVariant("--storm chooses its puzzles itself: only a game can be given.")
        Prompt(storm(), Screen(plain=plain)).run(kind or "")
        return
    in_range("--grade", grade, GRADES[0], GRADES[-1])
    first = in_range("--seed", seed, 0, MAX_SEED)
    today = date.today().isoformat()
    link = urlencode({"date": today if day is None else day_of(day)})
    drawn = int(SystemRandom().random() * SEEDS) if first is None else first
    if (game, seed, grade) != (None, None, None):
        if day is not None:
            raise BadVariant(
                "--date is for the daily puzzle, which has its own game, number and grade."
            )
        wanted = {"seed": drawn, "game": kind, "grade": grade}
        link = urlencode({key: value for key, value in wanted.items() if value is not None})
    if as_json:
        found = partial(named, link) if "seed=" in link else partial(daily_of, day or today, today)
        print(json.dumps(waited(lambda: found().json())))
        return
    Prompt(puzzles(), Screen(plain=plain)).run(link)
