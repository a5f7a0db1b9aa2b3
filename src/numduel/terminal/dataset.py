"""The command ``numduel dataset``: positions with exact answers, as a folder of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.text import file_name
from numduel.games import games as every_game
from numduel.games import variant
from numduel.terminal.options import Json, Settings, complete_game
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

if TYPE_CHECKING:
    from numduel.lab.dataset import Part

MOST = 1_000_000
"""Positions of one game."""


def dataset(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]…",
            help="A game, or a variant such as line:n=12,k=5. Without one, all games.",
            autocompletion=complete_game,
        ),
    ] = None,
    settings: Settings = None,
    count: Annotated[
        int, typer.Option(min=1, max=MOST, metavar="COUNT", help="Positions per game.")
    ] = 1000,
    seed: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", help="Another number gives other positions.")
    ] = 0,
    split: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="The splits and their weights, such as train=9,test=1. A position is always in the"
            " same: train, validation or test, or transfer on a board that is held out.",
        ),
    ] = "train,test",
    out: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="The folder to write; it must be new.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write positions with exact answers, as JSON lines, to train on or to test with."""
    from numduel.lab.dataset import Part, draw, files, read_weights
    from numduel.lab.dataset.decisions import check_exact
    from numduel.lab.dataset.drawing import sizes

    words = games or [kind.name for kind in every_game()]
    chosen = [*dict.fromkeys(variant(word, settings or ()) for word in words)]
    if out is None:
        raise BadVariant("Name the folder: numduel dataset --out FOLDER.")
    weights, folder = read_weights(split), Path(out)
    files.check(folder)
    with ProgressBar() as bar:

        def made() -> list[Part]:
            for one in chosen:
                check_exact(one)
            return [Part(one, draw(one, count, seed, weights, bar.report)) for one in chosen]

        parts = waited(made, bar=bar)
    files.write(folder, parts, command(chosen, count, seed, weights))
    _tell(parts, [sizes(one, count, weights) for one in chosen], out, as_json)


def command(chosen: list[Game], count: int, seed: int, weights: dict[str, int]) -> str:
    """The command that makes the dataset again, in any folder."""
    splits = ",".join(f"{name}={weight}" for name, weight in weights.items())
    words = [*map(_word, chosen), f"--count {count} --seed {seed} --split {splits} --out FOLDER"]
    return " ".join(["numduel dataset", *words])


def _word(game: Game) -> str:
    """A game as it is written on the command line."""
    return f"{game.name}:{game.variant_text.replace(' ', ',')}" if game.changed else game.name


def _tell(parts: list[Part], wanted: list[dict[str, int]], out: str, as_json: bool) -> None:
    from numduel.lab.dataset.files import phases

    found = [(game, {name: len(rows) for name, rows in splits.items()}) for game, splits in parts]
    if as_json:
        told = [
            {"game": game.id, "variant": game.settings, "splits": sizes, "wanted": asked}
            for (game, sizes), asked in zip(found, wanted, strict=True)
        ]
        print(json.dumps(told))
        return
    screen = Screen(plain=True)
    screen.say("In brackets: early, middle and late positions, in the same shares in every split.")
    for part, asked in zip(parts, wanted, strict=True):
        listed = ", ".join(f"{name} {phases(rows)}" for name, rows in part.splits.items())
        screen.say(f"{part.game}: {listed}")
        for name, rows in part.splits.items():
            if len(rows) < asked[name]:
                more = "with these shares no more were found"
                screen.say(f"{asked[name]:,} were asked for in {name}; {more}.")
    screen.say(f"They are in {file_name(out)}.")
