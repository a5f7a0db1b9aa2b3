"""Reads and writes lines: in colour on a terminal, as plain text through a pipe."""

from __future__ import annotations

import codecs
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

import typer

from numduel.core.text import name_told
from numduel.core.view import Cell
from numduel.system import forget_typed

MAX_LINE = 1000
"""Characters that are read of a line; no move is longer than a few."""
ANSWER_WIDTH = 8
"""Columns that are left to type in after a question."""
PAGE_WIDTH = 80
"""Columns of a page on a terminal that is wider, or in a pipe."""
PAGER_PROMPT = "Space turns the page, q leaves"
"""What less says below a page; in its notation, colons and full stops are special."""
NO_BREAK = "\N{NO-BREAK SPACE}"
COLUMNS = (re.compile(r"^ *(?:\S+ {2,}){2}"), re.compile(r"^ *(?:\S+ {2,}|\d+\. )?"))
"""What comes before the text in a line of a table or a list: two columns, or one. In a sentence,
nothing."""
WORD = re.compile(r"\S+")
SEAT_COLOURS = ("cyan", "yellow")
VALUES = re.compile(
    r"(?P<best>^(?:best(?=  )|\*(?= )))"
    r"|(?P<win>\bwins(?: at once| in \d+(?: moves)?| the tie|(?=  |$))|\+\d+ points?)"
    r"|(?P<loss>\bloses(?: at once| in \d+(?: moves)?| the tie|(?=  |$))|−\d+ points?)"
)
"""The words for wins, losses and best moves, which are coloured."""
WRITTEN = "numduel-written"
"""How a stream writes what it has no letter for: see `_written`."""
VALUE_STYLES: dict[str, dict[str, Any]] = {
    "best": {"bold": True},
    "win": {"fg": "green"},
    "loss": {"fg": "red"},
}


def _written(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters that cannot be written: a hyphen for a minus, ``?`` for others."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join("-" if letter == "−" else "?" for letter in missing), error.end


codecs.register_error(WRITTEN, _written)


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
                stream.reconfigure(errors=WRITTEN if stream is sys.stdout else "replace")
        if self.interactive:
            with suppress(ImportError):
                import readline  # noqa: F401  (gives input() its line editing)

    def tell_apart(self, names: Sequence[str], markers: Sequence[str]) -> None:
        """Print each seat's name and marker in the colour of the seat from now on."""
        told = map(name_told, names)
        players = tuple((name, f"[{mark}]") for name, mark in zip(told, markers, strict=True))
        words = sorted((word for texts in players for word in texts), key=len, reverse=True)
        pattern = "|".join(
            rf"(?<!\w){re.escape(w)}(?!\w)" if w[0] != "[" else re.escape(w) for w in words
        )
        self._seats = re.compile(pattern), players

    def say(self, *lines: str) -> None:
        """Print lines; on a terminal, long ones are broken between words."""
        for line in self._fitted(*lines):
            print(self._coloured(line))

    def say_page(self, *lines: str) -> None:
        """Print lines that are broken at the width of a page, even through a pipe."""
        for line in lines:
            self.say(*fitted(line, min(self.width, PAGE_WIDTH)))

    def say_board(self, lines: Iterable[str], cells: Sequence[Cell]) -> None:
        """Print lines with a board; in a line with a word for each cell, blocked cells are dim."""
        for line in lines:
            words = iter(cells) if len(line.split()) == len(cells) else None
            for part in self._fitted(line):
                if words is not None and self.colour:
                    part = WORD.sub(partial(_paint_cell, words), part)
                print(self._coloured(part))

    def say_values(self, *lines: str) -> None:
        """Print lines about what moves are worth, wins and losses in colours of their own."""
        for line in self._fitted(*lines):
            print(VALUES.sub(_paint_value, line) if self.colour else line)

    @property
    def width(self) -> int:
        """The columns of the terminal."""
        return get_terminal_size().columns

    @property
    def limit(self) -> int | None:
        """The columns that a line may have; None through a pipe."""
        return self.width if sys.stdout.isatty() else None

    def fail(self, sentence: str) -> None:
        """Print a sentence that says what went wrong and what was expected."""
        for line in self._fitted(sentence):
            print(typer.style(line, fg="red") if self.colour else line)

    def page(self, markdown: str) -> None:
        """Print a page of Markdown, in a pager if the terminal is too small for it."""
        from rich.console import Console
        from rich.markdown import Markdown

        width = min(self.width, PAGE_WIDTH)
        console = Console(width=width, force_terminal=self.colour, no_color=not self.colour)
        with console.capture() as captured:
            console.print(Markdown(markdown))
        lines = [line.rstrip() for line in captured.get().splitlines()]
        person = self.interactive and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        if not (person and len(lines) >= get_terminal_size().lines and _paged(lines)):
            print("\n".join(lines))

    def ask(self, prompt: str) -> str:
        """The line that is typed after a prompt; EOFError at the end of input."""
        *lines, last = self._fitted(prompt)
        if self.interactive and len(last) > self.width - ANSWER_WIDTH:
            *lines, last = self._fitted(prompt, room=ANSWER_WIDTH)
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

    def _fitted(self, *texts: str, room: int = 0) -> Iterator[str]:
        """Texts in lines that fit the terminal, where possible with some room after each."""
        width = self.width - room
        for line in "\n".join(texts).split("\n") if texts else ():
            if not sys.stdout.isatty() or len(line) <= width:
                yield line.replace(NO_BREAK, " ")
                continue
            whole = line.replace(" %", f"{NO_BREAK}%")
            if self._seats is not None:
                whole = self._seats[0].sub(lambda name: name[0].replace(" ", NO_BREAK), whole)
            yield from fitted(whole, width)

    def _coloured(self, text: str) -> str:
        if not self.colour or self._seats is None:
            return text
        pattern, players = self._seats

        def paint(found: re.Match[str]) -> str:
            seat = 0 if found[0] in players[0] else 1
            return typer.style(found[0], fg=SEAT_COLOURS[seat], bold=True)

        return pattern.sub(paint, text)


def fitted(line: str, width: int) -> list[str]:
    """A line broken between words, or after commas in a long word. In a table or a list, the next
    lines stay in the column of the text."""
    before = (len(found[0]) for columns in COLUMNS if (found := columns.match(line)))
    indent = next((size for size in before if size <= width // 2), 0)
    pieces = (
        " ".join(_pieces(word, width - indent)) if len(word) > width - indent else word
        for word in line.split(" ")
    )
    broken = wrap(
        " ".join(pieces),
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [part.replace(NO_BREAK, " ") for part in broken]


def complain(sentence: str) -> None:
    """Print an error on standard error, as wide as the terminal if it is one."""
    if sys.stderr is not None and sys.stderr.isatty():
        sentence = "\n".join(fitted(sentence, get_terminal_size().columns))
    print(sentence, file=sys.stderr)


def _pieces(word: str, width: int) -> list[str]:
    """A long word in pieces that end with commas and fit, where possible."""
    pieces = [""]
    for part in re.findall(r"[^,]*,|[^,]+$", word):
        if pieces[-1] and len(pieces[-1] + part) > width:
            pieces.append("")
        pieces[-1] += part
    return pieces


def _paint_cell(cells: Iterator[Cell], found: re.Match[str]) -> str:
    return typer.style(found[0], dim=True) if next(cells).state == "blocked" else found[0]


def _paged(lines: Iterable[str]) -> bool:
    """Show lines in the person's own pager, or else in less; False if there is none."""
    import subprocess

    command = shlex.split(os.environ.get("PAGER", "")) or ["less"]
    # As git does: keep colours, and leave no empty screen.
    less = f"{os.environ.get('LESS', 'FRX')} -P{PAGER_PROMPT}$"
    forget_typed()
    try:
        pager = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, env=os.environ | {"LESS": less}
        )
    except OSError:
        return False
    with suppress(BrokenPipeError, KeyboardInterrupt):  # the person left before the end
        pager.communicate("\n".join((*lines, "")).encode())
    while True:
        try:
            pager.wait()
        except KeyboardInterrupt:  # meant for the pager
            continue
        return True


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


def _readline_safe(prompt: str) -> str:
    """Tell readline which characters of the prompt take no room on the line."""
    return re.sub(r"(\x1b\[[0-9;]*m)", "\x01\\1\x02", prompt)
