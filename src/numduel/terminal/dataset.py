"""The command ``numduel dataset``: positions with exact answers, as a folder of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.text import counted, file_name
from numduel.extras import install
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
    check: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            exists=True,
            help="Instead: count the positions of each split in a file or folder.",
        ),
    ] = None,
    trivial: Annotated[
        bool,
        typer.Option(
            "--trivial",
            help="Instead: say what trivial rules would score in so many decisions to test with.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write positions with exact answers, as JSON lines and, with pyarrow, as Parquet; or check
    that a training set holds nothing that is tested with; or say what trivial rules would score."""
    from numduel.lab.dataset import Part, draw, files, read_weights
    from numduel.lab.dataset.decisions import check_exact
    from numduel.lab.dataset.drawing import sizes

    if check is not None:
        _check(check, as_json)
        return
    words = games or [kind.name for kind in every_game()]
    chosen = [*dict.fromkeys(variant(word, settings or ()) for word in words)]
    if trivial:
        _trivial(chosen, count, seed, as_json)
        return
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


def _check(path: Path, as_json: bool) -> None:
    """Say which splits the positions of a training set are in. Exit with 1 if it holds any that is
    tested with, and with 2 if that cannot be said."""
    from numduel.agents.overlap import read

    with ProgressBar() as bar:
        found = waited(lambda: read(path, bar.report), bar=bar)
    if as_json:
        told = {"positions": found.positions, "canary": found.canary}
        unread = [file_name(name) for name in found.unread]
        print(json.dumps(told | {"unread": unread, "clean": found.clean}))
    else:
        screen = Screen(plain=True)
        sizes = ", ".join(f"{split} {count:,}" for split, count in found.positions.items())
        if found.recognised:
            screen.say(f"Different positions in {file_name(path)}: {sizes}.")
        else:
            screen.say(f"No position was recognised in {file_name(path)}.")
        if found.canary:
            screen.say("It holds the mark of rows that are not for training.")
        for name in found.unread:
            screen.say(f"{file_name(name)} could not be read.")
        if found.tested:
            screen.say(f"{counted(found.tested, 'position')} to test with: do not train on this.")
        elif found.clean:
            screen.say("None of them is tested with.")
    if not found.clean:
        raise typer.Exit(1 if found.tested else 2)


def _trivial(chosen: list[Game], count: int, seed: int, as_json: bool) -> None:
    """Say what trivial rules would score: in the positions as they come, and in those that are
    tested with."""
    from numduel.lab.dataset import short
    from numduel.lab.dataset.decisions import balanced, decisions, pools, tested_split
    from numduel.lab.dataset.trivial import best_look, regrets, rules, skills

    def made() -> list[dict[str, Any]]:
        found = []
        for game in chosen:
            split = tested_split(game)
            pool = balanced(pools(game, {split: count}, seed, bar.report)[split])
            tested = decisions(game, count, seed)
            before, after = (
                skills(regrets(one.state, one.options) for one in some)
                for some in (pool[:count], tested)
            )
            rows: list[dict[str, Any]] = [
                {
                    "rule": rule.name,
                    "told": rule.told,
                    "skill_as_they_come": before[rule.name],
                    "skill": after[rule.name],
                }
                for rule in rules(game)
            ]
            rows.sort(key=lambda row: -row["skill"])
            about = {"game": game.id, "variant": game.settings, "decisions": len(tested)}
            look, came = best_look(tested), best_look(pool[:count])
            looks = {
                "rule": look and look.rule,
                "skill": look and look.skill,
                "rule_as_they_come": came and came.rule,
                "skill_as_they_come": came and came.skill,
            }
            told = {rule.name: rule.told for rule in short.heuristics(game)}
            before = dict(short.skills(pool[:count]))
            shorts = [
                {
                    "rule": name,
                    "told": told[name],
                    "skill_as_they_come": before[name],
                    "skill": skill,
                }
                for name, skill in short.skills(tested)
            ]
            found.append({**about, "rules": rows, "looks": looks, "short": shorts})
        return found

    with ProgressBar() as bar:
        found = waited(made, bar=bar)
    if as_json:
        print(json.dumps(found))
        return
    screen = Screen(plain=True)
    for game, told in zip(chosen, found, strict=True):
        screen.say(f"{game}: {counted(told['decisions'], 'decision')}")
        screen.say(f"  {'rule':14}  skill  as they come")
        for row in told["rules"]:
            skill, came = row["skill"], row["skill_as_they_come"]
            screen.say(f"  {row['rule']:14}  {skill:5.2f}  {came:12.2f}  {row['told']}")
        looks = told["looks"]
        screen.say(
            f"  {'looks':14}  {looks['skill']:5.2f}  {looks['skill_as_they_come']:12.2f}"
            f"  The best rule that goes by the look of a move: {looks['rule']};"
            f" as they come: {looks['rule_as_they_come']}."
        )
        if told["short"]:
            screen.say("  short heuristics, not one-line rules, which may score:")
        for row in told["short"]:
            skill, came = row["skill"], row["skill_as_they_come"]
            screen.say(f"  {row['rule']:14}  {skill:5.2f}  {came:12.2f}  {row['told']}")
        screen.say("")


def command(chosen: list[Game], count: int, seed: int, weights: dict[str, int]) -> str:
    """The command that makes the dataset again, in any folder."""
    splits = ",".join(f"{name}={weight}" for name, weight in weights.items())
    words = [*map(_word, chosen), f"--count {count} --seed {seed} --split {splits} --out FOLDER"]
    return " ".join(["numduel dataset", *words])


def _word(game: Game) -> str:
    """A game as it is written on the command line."""
    return f"{game.name}:{game.variant_text.replace(' ', ',')}" if game.changed else game.name


def _tell(parts: list[Part], wanted: list[dict[str, int]], out: str, as_json: bool) -> None:
    from numduel.lab.dataset.files import has_parquet, phases

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
    name = file_name(out)
    screen.say(f"They are in {name}; datasets.load_dataset({name!r}) loads them.")
    if not has_parquet():
        screen.say(f"There are JSON lines only. For Parquet, too: {install('dataset')}")
