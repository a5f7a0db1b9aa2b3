"""The command ``numduel``."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.game import Game
from numduel.core.text import player_names, printable, read_settings, whole_number
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.match import begin
from numduel.match import resume as take_up
from numduel.players import KINDS
from numduel.record import read
from numduel.store import new_save, open_save
from numduel.terminal.analyse import analyse
from numduel.terminal.audit import audit
from numduel.terminal.learn import learn
from numduel.terminal.levels import levels
from numduel.terminal.mcp import mcp
from numduel.terminal.menu import menu
from numduel.terminal.options import GameName, Json, Plain, Settings, Which
from numduel.terminal.picker import label, pick
from numduel.terminal.puzzle import puzzle
from numduel.terminal.replay import step_through
from numduel.terminal.review import review
from numduel.terminal.screen import Screen
from numduel.terminal.serve import serve
from numduel.terminal.sitting import sit_down
from numduel.terminal.solve import solve
from numduel.terminal.strategy import strategy
from numduel.terminal.tournament import tournament

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Number games for two: play them here, against a friend or the computer.",
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    plain: Plain = False,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Without a command: choose a game and an opponent from a menu."""
    if version:
        from importlib.metadata import version as installed

        print(f"numduel {installed('numduel')}")
        raise typer.Exit
    if plain:
        os.environ["NO_COLOR"] = "1"
    if context.invoked_subcommand is None:
        menu(Screen(), start=_begin, resume=_resume)


@app.command()
def play(
    game: GameName,
    settings: Settings = None,
    p1: Annotated[str, typer.Option(help=f"Who plays seat 1: {', '.join(KINDS)}.")] = "human",
    p2: Annotated[str, typer.Option(help="Who plays seat 2.")] = "human",
    first: Annotated[str, typer.Option(help="Who moves first: 1, 2 or random.")] = "1",
    seed: Annotated[
        str | None,
        typer.Option(help="Make shuffles, random players and a random start repeatable."),
    ] = None,
    deck: Annotated[
        str | None, typer.Option(help='The top cards of the deck, in order, such as "7 5 6".')
    ] = None,
    name1: Annotated[str, typer.Option(help="The name of Player 1.")] = "",
    name2: Annotated[str, typer.Option(help="The name of Player 2.")] = "",
    forgiving: Annotated[
        bool,
        typer.Option(
            "--forgiving", help="A broken rule is asked again instead of losing the game."
        ),
    ] = False,
    swap: Annotated[
        bool,
        typer.Option("--swap", help="The pie rule: the first move may be answered by swap."),
    ] = False,
    match: Annotated[
        bool,
        typer.Option("--match", help="Play two games; who moved second moves first in the other."),
    ] = False,
    plain: Plain = False,
) -> None:
    """Play a game at the prompt."""
    chance = _seed(seed)
    begun = begin(
        find(game, **read_settings(settings or ())),
        first=_first(first, chance),
        players=(p1, p2),
        names=player_names(name1, name2),
        forgiving=forgiving,
        pie=swap,
        seed=chance,
        deck=_cards(deck),
    )
    save_file = new_save(begun.record)
    sit_down(begun, Screen(plain=plain), save_file, chance, games=2 if match else 1)


@app.command()
def resume(
    which: Which = None,
    plain: Plain = False,
) -> None:
    """Go on with a game that was left."""
    screen = Screen(plain=plain)
    path = pick(screen, which, "resume", finished=False)
    if path is not None:
        _resume(screen, path)


@app.command()
def replay(
    which: Which = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Step through a recorded game."""
    screen = Screen(plain=plain)
    path = pick(screen, which, "replay", finished=True)
    if path is None:
        return
    record = read(path)
    if as_json:
        print(json.dumps(record.json()))
    else:
        step_through(record, screen)


@app.command()
def rules(game: GameName, as_json: Json = False, plain: Plain = False) -> None:
    """Print the rules of a game."""
    kind = find(game)
    if as_json:
        print(json.dumps({"game": kind.id, "page": kind.page}))
    else:
        Screen(plain=plain).page(kind.page)


@app.command()
def games(as_json: Json = False) -> None:
    """List the games and their variants."""
    if as_json:
        print(json.dumps([kind().described() for kind in every_game()]))
        return
    for kind in every_game():
        print(f"{kind.name:9} {kind.title}\n{'':9} {kind.summary}")
        settings = kind().settings
        for name, parameter in kind.parameters.items():
            values = " or ".join(parameter.words) or f"{parameter.low} to {parameter.high}"
            setting = f"{name}={settings[name]}"
            print(f"{'':9} --set {setting:10} {parameter.meaning}: {values}")
        print()
    print("Play one with: numduel play NAME")


COMMANDS = (
    analyse, review, puzzle, learn, strategy, solve, levels, audit, tournament, serve, mcp,
)  # fmt: skip
for _command in COMMANDS:
    app.command()(_command)


def main() -> None:
    """Run the command; an error is printed as one line, with exit code 2."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except NumduelError as error:
        print(f"numduel: {printable(str(error), 2000)}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        # The output is closed or the disk is full: Python must not try again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            why = error.strerror or str(error)
            print(f"numduel: Something cannot be read or written: {why}.", file=sys.stderr)
            sys.exit(2)


def _begin(
    screen: Screen, kind: type[Game], players: tuple[str, str], first: int, forgiving: bool
) -> None:
    match = begin(kind(), players=players, first=first, forgiving=forgiving)
    sit_down(match, screen, new_save(match.record), None)


def _resume(screen: Screen, path: Path) -> None:
    with closing(open_save(path)) as save_file:
        record = read(path)
        if record.state.winner:
            raise BadVariant(f"{printable(path.name)} is finished: numduel replay shows it.")
        screen.say(label(record), "")
        sit_down(take_up(record), screen, save_file, record.seed)


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    seed = whole_number(text)
    if seed is None or seed < 0:
        raise BadVariant("The seed must be a whole number from 0 to 999999999.")
    return seed


def _first(text: str, seed: int | None) -> int:
    if text not in ("1", "2", "random"):
        raise BadVariant(f"--first must be 1, 2 or random, not {text[:40]!r}.")
    if text != "random":
        return int(text)
    import random

    return random.Random(seed).choice((1, 2))


def _cards(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    cards = [whole_number(part) for part in text.replace(",", " ").split()]
    known = tuple(card for card in cards if card is not None)
    if len(known) < len(cards):
        raise BadVariant('The deck must be whole numbers, such as "7 5 6".')
    return known
