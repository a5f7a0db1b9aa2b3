"""The command ``numduel``."""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

from numduel.core.errors import NumduelError
from numduel.core.text import printable
from numduel.files import refused
from numduel.terminal.commands import OPTIONS, Commands, examples
from numduel.terminal.options import Plain
from numduel.terminal.screen import complain
from numduel.terminal.waiting import abandoned
from numduel.tui import full_screen, run

app = typer.Typer(
    cls=Commands,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=OPTIONS,
    help=(
        "Number games for two: play a friend or the computer. Without a command it is the"
        " full-screen app; with the name of a game it plays that one."
    ),
    epilog=examples("duel", "play line --p2 hard", "puzzle", "learn duel", "COMMAND --help"),
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    plain: Plain = False,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Without a command: the app, or the help where there is no whole screen."""
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
            typer.echo(context.get_help())


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
            what = error.filename or "the output"
            complain(f"numduel: {refused(what, error)}")
            sys.exit(2)
    sys.exit(0)
