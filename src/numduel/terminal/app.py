"""The command ``numduel``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer

from numduel.activities.keeping import new_game
from numduel.activities.puzzle import MAX_SEED, number
from numduel.core.errors import BadVariant, NumduelError
from numduel.core.text import player_names, printable, read_settings, whole_number
from numduel.files import refused
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.play.match import begin, beginner
from numduel.play.players import KINDS, seat_names
from numduel.play.record import read
from numduel.terminal.analyse import analyse
from numduel.terminal.audit import audit
from numduel.terminal.choice import choose_game
from numduel.terminal.commands import Commands, described, examples
from numduel.terminal.completion import words_joined
from numduel.terminal.dataset import dataset
from numduel.terminal.forget import forget
from numduel.terminal.learn import learn
from numduel.terminal.levels import levels
from numduel.terminal.mcp import mcp
from numduel.terminal.menu import menu
from numduel.terminal.options import AnyGame, Json, Plain, Settings, Swap, Which, complete_player
from numduel.terminal.picker import pick
from numduel.terminal.puzzle import puzzle
from numduel.terminal.replay import step_through
from numduel.terminal.report import report
from numduel.terminal.review import review
from numduel.terminal.screen import Screen, complain
from numduel.terminal.serve import serve
from numduel.terminal.sitting import go_on, sit_down
from numduel.terminal.solve import solve
from numduel.terminal.statistics import stats
from numduel.terminal.strategy import strategy
from numduel.terminal.tournament import tournament
from numduel.terminal.waiting import abandoned
from numduel.tui import full_screen, run

app = typer.Typer(
    cls=Commands,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Number games for two: play a friend or the computer.",
    epilog=examples(
        "play line --p2 hard", "puzzle", "learn duel", "COMMAND --help", "--install-completion"
    ),
)

MATCH_HELP = (
    "Play two games; each player begins one. If each wins one, the win by more points or in"
    " fewer moves decides; resigning counts as the largest loss."
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    plain: Plain = False,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Without a command: the app, or a menu where there is no whole screen."""
    if version:
        from importlib.metadata import version as installed

        print(f"numduel {installed('numduel')}")
        raise typer.Exit
    if plain:
        os.environ["NO_COLOR"] = "1"
    if context.invoked_subcommand is None:
        if full_screen():
            run()
        else:
            menu(Screen())


def play(
    game: AnyGame = None,
    settings: Settings = None,
    p1: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help=f"Who plays as Player 1: {', '.join(KINDS)} or search (which tries out games).",
            autocompletion=complete_player,
        ),
    ] = "human",
    p2: Annotated[
        str,
        typer.Option(metavar="WHO", help="Who plays as Player 2.", autocompletion=complete_player),
    ] = "human",
    first: Annotated[str, typer.Option(metavar="SEAT", help="Who begins: 1, 2 or random.")] = "1",
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER", help="Make shuffles, random moves and a random start repeatable."
        ),
    ] = None,
    deck: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help='The top cards of the deck, in order, such as "7 5 6".'),
    ] = None,
    name1: Annotated[str, typer.Option(metavar="NAME", help="The name of Player 1.")] = "",
    name2: Annotated[str, typer.Option(metavar="NAME", help="The name of Player 2.")] = "",
    forgiving: Annotated[
        bool,
        typer.Option(
            "--forgiving", help="After a broken rule, ask again instead of ending the game."
        ),
    ] = False,
    swap: Swap = False,
    match: Annotated[bool, typer.Option("--match", help=MATCH_HELP)] = False,
    plain: Plain = False,
) -> None:
    """Play a game at the prompt."""
    screen = Screen(plain=plain)
    chosen = choose_game(screen, game)
    if chosen is None:
        return
    chance = number("--seed", seed, 0, MAX_SEED)
    players = p1.strip().lower(), p2.strip().lower()
    begun = begin(
        find(chosen, **read_settings(settings or ())),
        first=beginner(first, chance),
        players=players,
        names=seat_names(players, player_names(name1, name2)),
        forgiving=forgiving,
        pie=swap,
        seed=chance,
        deck=_cards(deck),
        earlier=() if match else None,
    )
    sit_down(new_game(begun, chance), screen)


def resume(which: Which = None, plain: Plain = False) -> None:
    """Go on with an unfinished game."""
    screen = Screen(plain=plain)
    path = pick(screen, which, "resume", over=False)
    if path is not None:
        go_on(screen, path)


def replay(
    which: Which = None,
    at: Annotated[
        str | None, typer.Option(metavar="MOVE", help="Start at the position after this move.")
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Step through a game, move by move."""
    screen = Screen(plain=plain)
    path = pick(screen, which, "replay")
    if path is None:
        return
    record = read(path)
    if as_json:
        print(json.dumps(record.json()))
    else:
        step_through(record, screen, at)


def rules(game: AnyGame = None, as_json: Json = False, plain: Plain = False) -> None:
    """Show the rules of a game."""
    screen = Screen(plain=plain)
    chosen = choose_game(screen, game)
    if chosen is None:
        return
    kind = find(chosen)
    if as_json:
        print(json.dumps({"game": kind.id, "page": kind.page}))
    else:
        screen.page(kind.page)


def games(as_json: Json = False) -> None:
    """List the games and their variants."""
    if as_json:
        print(json.dumps([kind().to_dict() for kind in every_game()]))
        return
    screen = Screen(plain=True)
    for kind in every_game():
        screen.say(f"{kind.name:9}  {kind().display_name}", f"{'':9}  {kind.summary}")
        settings = kind().settings
        for name, parameter in kind.parameters.items():
            setting = f"{name}={settings[name]}"
            told = f"{parameter.meaning}: {parameter.choices}"
            screen.say(f"{'':9}  --set {setting:10} {told}")
        screen.say("")
    screen.say("Play one with: numduel play NAME")


def tui() -> None:
    """Open the full-screen app: play, learn and look back."""
    if not full_screen():
        raise BadVariant("The app needs a terminal; without one, use numduel play.")
    run()


EXAMPLES: dict[Callable[..., None], tuple[str, ...]] = {
    play: ("play line --p2 hard", "play duel --set n=12 --name1 Ada --name2 Kurt",
           "play build --forgiving --seed 7"),
    tui: ("tui",),
    resume: ("resume", "resume 2"),
    replay: ("replay", "replay 3 --at 5"),
    rules: ("rules capture", "rules duel | head"),
    games: ("games", "games --json"),
    stats: ("stats", "stats --json"),
    forget: ("forget", "forget duel", "forget --older 30d", "forget --tables"),
    analyse: ('analyse capture --moves "21 18"', "analyse game.duel"),
    review: ("review", "review 2 --all"),
    puzzle: ("puzzle", "puzzle duel --grade 4", "puzzle --storm"),
    learn: ("learn", "learn factors --step 3"),
    strategy: ("strategy line", "strategy factors --set n=30 --card card.svg"),
    solve: ("solve capture", "solve line --set n=14 --memory 2G"),
    levels: ("levels", "levels duel"),
    audit: ("audit duel", "audit line --html line.html"),
    tournament: ("tournament easy medium hard", "tournament perfect search:500 --game capture"),
    report: ("report logs", "report logs/*.eval --html models.html"),
    dataset: ("dataset --count 1000 --out positions",
              "dataset duel duel:n=11,k=4 --split train=9,test=1 --out duels"),
    serve: ("serve", "serve --host 0.0.0.0 --port 9000"),
    mcp: ("mcp",),
}  # fmt: skip
"""Every command, in the order of the help, with examples."""
for _command, _examples in EXAMPLES.items():
    app.command(**described(_command, _examples))(_command)


def main() -> None:
    """Run the command; an error is printed as one line, with exit code 2."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        _run()
    except SystemExit as left:
        if abandoned():
            sys.stderr.flush()
            os._exit(left.code if isinstance(left.code, int) else 1)
        raise


def _run() -> NoReturn:
    try:
        try:
            with words_joined():
                app(prog_name="numduel")
        finally:
            sys.stdout.flush()
    except NumduelError as error:
        complain(f"numduel: {printable(str(error), 2000)}")
        sys.exit(2)
    except OSError as error:
        # The output is closed or the disk is full: Python must not write again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            complain(f"numduel: {refused(error.filename or 'the output', error)}")
            sys.exit(2)
    sys.exit(0)


def _cards(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    words = text.replace(",", " ").split()
    cards = tuple(card for card in map(whole_number, words) if card is not None)
    if len(cards) < len(words):
        raise BadVariant('--deck must be whole numbers, such as "7 5 6".')
    return cards
