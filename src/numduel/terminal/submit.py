"""The command ``numduel submit``: a row of the leaderboard, checked by replaying every decision."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numduel.core.errors import BadVariant
from numduel.core.text import MAX_SEED, counted, file_name
from numduel.terminal.options import Json
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited
from numduel.terminal.writing import Force, refuse_to_overwrite, write

if TYPE_CHECKING:
    from numduel.agents.submission import Submission

UNCHECKED = {
    "model": "the name of the model, the date, tokens and cost, and that it wrote the answers"
    " without help",
    "program": "the date, the time it took, and how it was made",
    "people": "who answered, when, and that nobody and nothing helped",
}
"""What a row says that no replay can check."""


def submit(
    logs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LOG…",
            help="Inspect's logs of one model, a folder of them, or files of answers.",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Instead of logs: have a player decide, such as hard, search:300, rule:greedy or"
            " python:package.module:Class.",
        ),
    ] = None,
    decisions: Annotated[
        int, typer.Option(min=1, max=2000, metavar="COUNT", help="Decisions per game of a player.")
    ] = 100,
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=MAX_SEED, metavar="NUMBER", help="Another number asks a player others."
        ),
    ] = 0,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the row is called.")] = "",
    cost: Annotated[
        float | None,
        typer.Option(min=0, metavar="DOLLARS", help="What all the answers cost."),
    ] = None,
    made: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT", help="How it was made, such as the command that trained it; several."
        ),
    ] = None,
    out: Annotated[str, typer.Option(metavar="FILE", help="The row to write.")] = "row.json",
    force: Force = False,
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Instead: check all rows of a leaderboard, and write its page anew.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a row of the leaderboard from the decisions of a model, a program or a person, and check
    it by replaying every one of them."""
    if page is not None:
        _write_page(page)
        return
    if bool(logs) == bool(player):
        raise BadVariant("Name the logs, or a player: numduel submit logs/*.eval.")
    if not as_json:
        refuse_to_overwrite(out, force=force)
    with ProgressBar() as bar:

        def found() -> dict[str, Any]:
            one = _submission(logs or [], player, decisions, seed, name, bar.report)
            dollars = {} if cost is None else {"dollars": cost}
            return replace(one, made=[*(made or ()), *one.made], cost={**one.cost, **dollars}).row()

        row = waited(found, bar=bar)
    if as_json:
        print(json.dumps(row))
        return
    write(out, f"{json.dumps(row, indent=1, ensure_ascii=False)}\n")
    _tell(row, out)


def _submission(
    logs: list[str], player: str | None, decisions: int, seed: int, name: str, report: Any
) -> Submission:
    from numduel.agents import results, submission
    from numduel.lab.dataset import answers

    if player:
        return submission.from_player(player, count=decisions, seed=seed, name=name, report=report)
    found = [*results.logs(logs)]
    answered = [path for path in found if answers.recognised(path)]
    if not answered:
        return submission.from_logs(found, name, report)
    if len(answered) < len(found):
        raise BadVariant("Some of these files are answers and some are not: name those of one row.")
    return submission.from_answers(found, name)


def _tell(row: dict[str, Any], out: str) -> None:
    from numduel.agents.leaderboard import USUAL, figure, whole
    from numduel.games import game as find

    screen = Screen(plain=True)
    scores = row["scores"]
    games = scores["games"]
    where = f"over {counted(len(games), 'game')}"
    screen.say(f"{row['player']}: above trivial {figure(scores['overall'])} {where}.")
    for one in games:
        best = one["best_trivial"]
        screen.say(
            f"  {find(one['game'], **one['variant'])}: {figure(one['above_trivial'])} in"
            f" {counted(one['decisions'], 'decision')}, {counted(one['faults'], 'fault')}; best"
            f" trivial rule: {best['rule']} {best['skill']:.2f}."
        )
    asked = sum(len(text.split()) for part in row["parts"] for text in part["answers"])
    screen.say("")
    screen.say(f"Checked: {counted(asked, 'answer')}, replayed and judged by exact values.")
    screen.say(f"Not checked, because nobody can: {UNCHECKED[row['kind']]}.")
    told = (
        "docs/leaderboard says how to enter it" if whole(row) else f"the leaderboard needs {USUAL}"
    )
    screen.say(f"The row is in {file_name(out)}; {told}.")


def _write_page(folder: Path) -> None:
    from numduel.agents import leaderboard

    with ProgressBar() as bar:
        files = waited(lambda: leaderboard.files(folder), bar=bar)
    for path, text in files.items():
        write(path, text)
    Screen(plain=True).say(f"The page is in {file_name(folder / leaderboard.PAGE)}.")
