"""The command ``numduel mcp``: the games for assistants."""

from __future__ import annotations

from typing import Annotated

import typer

from numduel.core.errors import BadVariant
from numduel.extras import install


def mcp(
    values: Annotated[
        bool, typer.Option("--values", help="Let the assistant ask what its moves are worth.")
    ] = False,
    no_undo: Annotated[
        bool, typer.Option("--no-undo", help="Don't let the assistant take moves back.")
    ] = False,
) -> None:
    """Serve the games to an assistant, over standard input and output (MCP)."""
    try:
        from numduel.agents.mcp import serve
    except ImportError:
        raise BadVariant(f"The MCP server needs one more package: {install('mcp')}") from None
    serve(with_values=values, with_undo=not no_undo)
