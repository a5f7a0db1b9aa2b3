"""Reads and writes lines: in colour on a terminal, as plain text through a pipe."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

import typer

MAX_LINE = 1000
"""Characters that are used of a line; no move is longer than a few."""
NO_BREAK = "\N{NO-BREAK SPACE}"
FIRST_COLUMN = re.compile(r"^ *(?:\S+ {2,}|\d+\. )?")
"""What stands before the text of a line in a table or a list; of a sentence, nothing."""
SEAT_COLOURS = ("cyan", "yellow")
VALUES = re.compile(
    r"(?P<best>^best(?=  ))"
    r"|(?P<win>\bwins(?: at once| in \d+| the tie|(?=  |$))|\+\d+ points?)"
    r"|(?P<loss>\bloses(?: at once| in \d+| the tie|(?=  |$))|-\d+ points?)"
)
"""The words that tell wins, losses and best moves apart; colours say the same."""
VALUE_STYLES: dict[str, dict[str, Any]] = {
    "best": {"bold": True},
    "win": {"fg": "green"},
    "loss": {"fg": "red"},
}


class Screen:
    """The terminal, or the pipes, that a person plays through."""

    def __init__(self, *, plain: bool = False) -> None:
        self.interactive = sys.stdin is not None and sys.stdin.isatty()
        self.colour = (
            not plain
            and sys.stdout.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )
        self._seats: tuple[re.Pattern[str], tuple[tuple[str, ...], ...]] | None = None
        for stream in (sys.stdin, sys.stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        if self.interactive:
            _edit_lines()

    def tell_apart(self, *players: tuple[str, ...]) -> None:
        """Print each seat's words, its names and markers, in the colour of the seat from now on."""
        words = sorted((word for texts in players for word in texts), key=len, reverse=True)
        pattern = "|".join(
            rf"(?<!\w){re.escape(w)}(?!\w)" if w[0] != "[" else re.escape(w) for w in words
        )
        self._seats = re.compile(pattern), players

    def say(self, *lines: str) -> None:
        """Print lines; on a terminal, those that are too long are broken between words."""
        for line in self._fitted(*lines):
            print(self._coloured(line))

    def say_values(self, *lines: str) -> None:
        """Print lines about what moves are worth, wins and losses in colours of their own."""
        for line in self._fitted(*lines):
            print(VALUES.sub(_paint_value, line) if self.colour else line)

    @property
    def width(self) -> int:
        """The columns of the terminal."""
        return get_terminal_size().columns

    def fail(self, sentence: str) -> None:
        """Print a sentence that says what went wrong and what was expected."""
        for line in self._fitted(sentence):
            print(typer.style(line, fg="red") if self.colour else line)

    def page(self, markdown: str) -> None:
        """Print a page, laid out for the terminal if there is one."""
        if not self.colour:
            print(markdown.rstrip())
            return
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(markdown))

    def ask(self, prompt: str) -> str:
        """The line typed behind a prompt; EOFError at the end of input."""
        *lines, last = self._fitted(prompt)
        self.say(*lines)
        prompt = self._coloured(f"{last} " if lines and prompt.endswith(" ") else last)
        sys.stdout.flush()
        if self.interactive:
            return input(_readline_safe(prompt))
        print(prompt, end="", flush=True)
        try:
            line = _read_line()
        except KeyboardInterrupt:
            print()
            raise
        if line is None:
            print()
            raise EOFError
        print("".join(char if char.isprintable() else "?" for char in line))
        return line

    def _fitted(self, *texts: str) -> Iterator[str]:
        """The lines of texts, none longer than the terminal is wide, if it can be helped."""
        for line in "\n".join(texts).split("\n") if texts else ():
            if not sys.stdout.isatty() or len(line) <= self.width:
                yield line.replace(NO_BREAK, " ")
                continue
            whole = line.replace(" %", f"{NO_BREAK}%")
            if self._seats is not None:
                whole = self._seats[0].sub(lambda name: name[0].replace(" ", NO_BREAK), whole)
            indent = " " * (len(whole) - len(FIRST_COLUMN.sub("", whole)))
            for part in wrap(
                whole,
                self.width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            ):
                yield part.replace(NO_BREAK, " ")

    def _coloured(self, text: str) -> str:
        if not self.colour or self._seats is None:
            return text
        pattern, players = self._seats

        def paint(found: re.Match[str]) -> str:
            seat = 0 if found[0] in players[0] else 1
            return typer.style(found[0], fg=SEAT_COLOURS[seat], bold=True)

        return pattern.sub(paint, text)


def _paint_value(found: re.Match[str]) -> str:
    return typer.style(found[0], **VALUE_STYLES[found.lastgroup or ""])


def _read_line() -> str | None:
    """One line of standard input without its line end; None at the end of input."""
    if sys.stdin is None:
        return None
    line = sys.stdin.readline(MAX_LINE)
    if not line:
        return None
    rest = line
    while len(rest) == MAX_LINE and not rest.endswith("\n"):
        rest = sys.stdin.readline(MAX_LINE)
    # The beginning of a line that is too long must not be taken for a move.
    return line.rstrip("\r\n") if rest is line else f"{line}…"


def _edit_lines() -> None:
    with suppress(ImportError):
        import readline  # noqa: F401  (importing it gives input() its line editing)


def _readline_safe(prompt: str) -> str:
    """Tell readline which characters of the prompt take no room on the line."""
    return re.sub(r"(\x1b\[[0-9;]*m)", "\x01\\1\x02", prompt)
