"""What all commands share: whole summaries, examples, and what Ctrl-C says."""

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
"""Words to type during a game, which are not commands."""
STOPPED = "Stopped early; only what was finished is saved."


class Commands(TyperGroup):
    """The group of all commands."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; one that Ctrl-C ends says so in a sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise stopped(STOPPED) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of a name, or what to do with a word that belongs in a game."""
        if args[0] in IN_A_GAME:
            ctx.fail(
                f"{args[0]} is a word to type during a game. To see what moves are worth, use"
                ' numduel analyse GAME --moves "5 6".'
            )
        return super().resolve_command(ctx, args)


def stopped(sentence: str) -> typer.Exit:
    """Say what is kept after Ctrl-C; the exit to raise."""
    complain("")
    complain(sentence)
    return typer.Exit(INTERRUPTED)


def described(command: Callable[..., None], usage: Iterable[str]) -> dict[str, Any]:
    """How a command is described: by its whole first paragraph, and by examples."""
    summary = cleandoc(command.__doc__ or "").split("\n\n")[0]
    return {"short_help": " ".join(summary.split()), "epilog": examples(*usage)}


def examples(*usage: str) -> str:
    """Command lines below the help, which keep their line breaks."""
    return "\n".join(("\b", "Examples:", *(f"  numduel {line}" for line in usage)))
