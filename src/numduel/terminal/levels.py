"""The strengths of the computer, stated and measured."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from numduel.core.text import counted
from numduel.games import games
from numduel.players import LEVELS, Mistakes, mistakes
from numduel.terminal.options import Json
from numduel.terminal.progress import ProgressBar


def levels(
    count: Annotated[
        int, typer.Option("--games", min=1, max=100_000, help="How many games to measure with.")
    ] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Makes the measurement repeatable.")] = 0,
    as_json: Json = False,
) -> None:
    """Say how often each level loses value, as stated and as measured over many games."""
    kinds = (*LEVELS, "random")
    found: dict[str, dict[str, Mistakes]] = {}
    with ProgressBar() as bar:
        bar.begin("Measuring", len(kinds) * len(games()) * count)
        for level in kinds:
            found[level] = {
                kind.name: mistakes(kind(), level, count, seed, bar.advance) for kind in games()
            }
    if as_json:
        print(json.dumps({
            level: {"stated": LEVELS.get(level)}
            | {name: part._asdict() | {"rate": part.rate} for name, part in row.items()}
            for level, row in found.items()
        }))  # fmt: skip
        return
    names = [kind.name for kind in games()]
    print("How often a decision that can lose value does, against a random opponent:")
    print(f"{'':8} {'stated':>7}" + "".join(f"{name:>9}" for name in names))
    for level, row in found.items():
        stated = f"{LEVELS[level]:7.1%}" if level in LEVELS else f"{'':7}"
        measured = "".join(f"{row[name].rate:9.1%}" for name in names)
        print(f"{level:8} {stated}{measured}")
    total = sum(part.decisions for row in found.values() for part in row.values())
    print(f"Measured over {counted(count, 'game')} each, {counted(total, 'such decision')} in all.")
