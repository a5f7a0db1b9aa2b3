"""How the commands are presented: whole summaries, examples, and what Ctrl-C says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperGroup

from numduel.terminal.screen import complain

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""
IN_A_GAME = ("hint", "values", "board", "undo", "resign")
"""Words that are typed in a game, and are no commands."""
STOPPED = "Stopped early; only what was finished is kept."


class Commands(TyperGroup):
    """The group of all commands. One that Ctrl-C ends says so in a sentence."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise stopped(STOPPED) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of a name; a word that belongs into a game is told from a mistake."""
        if args[0] in IN_A_GAME:
            ctx.fail(
                f"{args[0]} is typed in a game. What moves are worth: numduel analyse GAME,"
                ' with --moves "5 6" after some.'
            )
        return super().resolve_command(ctx, args)


def stopped(sentence: str) -> typer.Exit:
    """Say what a command that Ctrl-C ended has kept; how to leave then."""
    complain("")
    complain(sentence)
    return typer.Exit(INTERRUPTED)


def described(command: Callable[..., None], usage: Iterable[str]) -> dict[str, Any]:
    """How a command is described: with the whole of its first sentence, and with examples."""
    summary = cleandoc(command.__doc__ or "").split("\n\n")[0]
    return {"short_help": " ".join(summary.split()), "epilog": examples(*usage)}


def examples(*usage: str) -> str:
    """Command lines as they are shown below the help; they are not laid out anew."""
    return "\n".join(("\b", "Examples:", *(f"  numduel {line}" for line in usage)))
