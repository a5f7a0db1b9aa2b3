"""Lessons at the prompt: a few sentences, a position, and one thing to do."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from numduel.activities.keeping import lessons as kept_lessons
from numduel.core.text import in_range
from numduel.games import game as find
from numduel.learn.lesson import Lesson, lesson, lessons, progress
from numduel.terminal.activity import Prompt
from numduel.terminal.options import Json, Plain, complete_game
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited


def learn(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A game. Without one, the lessons are listed.",
            autocompletion=complete_game,
        ),
    ] = None,
    step: Annotated[
        str | None, typer.Option(metavar="STEP", help="The step to start with.")
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Learn a game step by step, from its goal to beating the computer."""
    if game is None:
        _list(as_json=as_json)
        return
    kind = find(game)
    found = waited(lambda: lesson(kind))
    first = in_range("--step", step, 1, len(found.steps)) or 0
    if as_json:
        print(json.dumps(found.json() | {"done": _done(found)}))
        return
    screen, kept = Screen(plain=plain), kept_lessons(kind.name)
    screen.say(found.title, "")
    Prompt(kept, screen).run(f"{kind.name} {first}")
    taken = kept.activity
    over = taken.solved and taken.number == len(found.steps)
    told = f"Now play it: numduel play {kind.name}"
    if not over:
        told = f"Continue whenever you like: numduel learn {kind.name}"
    screen.say(told)


def _list(*, as_json: bool) -> None:
    found = waited(lessons)
    if as_json:
        print(json.dumps([
            {"game": one.game.id, "name": one.game.name, "title": one.title,
             "steps": len(one.steps), "done": _done(one)}
            for one in found
        ]))  # fmt: skip
        return
    screen = Screen(plain=True)
    screen.say("Learn a game step by step:", "")
    wide = max(15, *(len(one.game.display_name) for one in found))
    for one in found:
        done = f"{len(_done(one))} of {len(one.steps)} steps done"
        screen.say(f"  {one.game.name:9} {one.game.display_name:{wide}} {done}")
    example = found[0].game.name
    told = f"Start or continue one: numduel learn {example}, for example"
    screen.say("", told)


def _done(found: Lesson) -> list[int]:
    """The steps of a lesson that are done."""
    known = progress.read().get(found.game.name, frozenset())
    return [number for number in range(1, len(found.steps) + 1) if number in known]
