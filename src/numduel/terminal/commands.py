"""All commands: where each is, its examples, and what Ctrl-C says."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from numduel.core.text import printable, similar
from numduel.games import games
from numduel.terminal.screen import complain

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""
IN_A_GAME = ("hint", "values", "board", "undo", "resign")
"""Words to type during a game, which are not commands."""
ELSEWHERE = {"storm": "puzzle --storm", "mistakes": "review", "report": "review", "host": "serve"}
"""Words for what other commands do."""
STOPPED = "Stopped."
COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "play": ("playing", ("play line --p2 hard", "play duel --set n=12 --name1 Ada --name2 Kurt",
           "play build --forgiving --seed 7")),
    "tui": ("playing", ("tui",)),
    "join": ("join", ("join http://localhost:8000/play/V3b1tq0k9Zfx",
           "join 'http://localhost:8000/play/V3b1tq0k9Zfx#q2yVh0C0aJv2v1mB3m1D3g' --name Ada")),
    "resume": ("playing", ("resume", "resume 2")),
    "replay": ("replay", ("replay", "replay 3 --at 5")),
    "rules": ("rules", ("rules capture", "rules duel | head")),
    "games": ("rules", ("games", "games --json")),
    "analyse": ("analyse", ('analyse capture --moves "21 18"', "analyse game.duel")),
    "review": ("review", ("review", "review 2 --all")),
    "puzzle": ("puzzle", ("puzzle", "puzzle duel --grade 3", "puzzle --storm")),
    "learn": ("learn", ("learn", "learn factors --step 3")),
    "strategy": ("strategy", ("strategy line", "strategy factors --set first=even")),
    "solve": ("solve", ("solve capture", "solve line --set n=14 --memory 2G")),
    "tournament": ("tournament", ("tournament easy medium hard",
                                  "tournament perfect search:500 --game capture")),
    "dataset": ("dataset", ("dataset --count 1000 --out positions",
              "dataset duel duel:n=11,k=4 --split train=9,test=1 --out duels")),
    "serve": ("serve", ("serve", "serve --host 0.0.0.0 --port 9000")),
    "mcp": ("mcp", ("mcp",)),
}  # fmt: skip
"""Every command, in the order of the help: the module that has it, which is imported when it is
used, and examples."""
OPTIONS = {"help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """The group of all commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, or None."""
        return command(cmd_name) if cmd_name in COMMANDS else None

    def invoke(self, ctx: Any) -> Any:
        """Run the command; one that Ctrl-C ends says so in a sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise stopped(STOPPED) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of a name; the name of a game is a command that plays it."""
        word = args[0].lower()
        if word == "help":
            typer.echo(ctx.get_help())
            ctx.exit()
        if args[0] not in COMMANDS:
            named = {name for kind in games() for name in (kind.id, kind.name)}
            if word in named:
                return super().resolve_command(ctx, ["play", *args])
            ctx.fail(no_command(args[0], named))
        return super().resolve_command(ctx, args)


def no_command(given: str, named: Iterable[str]) -> str:
    """What to say of a word that is no command, nor one of the names of games."""
    word = given.lower()
    if word in IN_A_GAME:
        return (
            f"{word} is a word to type during a game. To see what moves are worth, use numduel"
            ' analyse GAME --moves "5 6".'
        )
    told = f"There is no command {printable(given, 40)!r}."
    meant = ELSEWHERE.get(word) or similar(word, [*COMMANDS, *named])
    return f"{told} Did you mean numduel {meant}?" if meant else told


def stopped(sentence: str) -> typer.Exit:
    """Say what is kept after Ctrl-C; the exit to raise."""
    complain("")
    complain(sentence)
    return typer.Exit(INTERRUPTED)


@cache
def command(name: str) -> Any:
    """The command of a name, described by its whole first paragraph and by examples."""
    module, usage = COMMANDS[name]
    function = getattr(import_module(f"numduel.terminal.{module}"), name)
    summary, *more = (" ".join(part.split()) for part in cleandoc(function.__doc__).split("\n\n"))
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    alone.command(
        name,
        help="\n\n".join([summary, *more]),
        short_help=summary,
        epilog=examples(*usage),
        context_settings=OPTIONS,
    )(function)
    return get_command(alone)


def examples(*usage: str) -> str:
    """Command lines below the help, which keep their line breaks."""
    return "\n".join(("\b", "Examples:", *(f"  numduel {line}" for line in usage)))
