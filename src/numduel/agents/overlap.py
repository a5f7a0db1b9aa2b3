"""What a training set holds of the positions that are tested with.

Positions are recognised by their names (``sequence-duel n=9 k=3: 4 8``), in prompts, also in those
in disguise, and as data with a game, its variant and the moves so far, of one position or of many:
in JSON lines, JSON, CSV, Parquet and any other text, also compressed with gzip. What is none of
these is not read, and that is said.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from numduel.agents.asking import asked_in
from numduel.core.errors import NumduelError
from numduel.core.state import State
from numduel.core.text import read_settings
from numduel.games import game as find
from numduel.lab.dataset.splits import CANARY, SPLITS, TRANSFER, name, split_of
from numduel.solver.values import Report, unreported

NOT_FOR_TRAINING = ("test", TRANSFER)
NAMED = re.compile(r"\b([a-z]+(?:-[a-z]+)+)((?: [a-z]+=\w+)+):((?: \w+!?)*)")
"""The name of a position, as rows have it."""
ESCAPED = re.compile(r"\\{1,8}n")
"""The end of a line in a string of JSON or Python, which may be in three others and in a text."""
GZIP = b"\x1f\x8b"
"""How a compressed file begins."""
MOST_TEXT = 1 << 34
"""Characters of one file, compressed or not: a small file could unpack to more than a disk."""
MOST_AT_ONCE = 1 << 26
"""Characters of one line, and of a JSON file."""
LINES = 1000
"""Lines of a text that are looked through together."""
PROMPT_LINES = 60
"""More lines than a prompt has."""


class Overlap(NamedTuple):
    """What was found in some files."""

    positions: dict[str, int]
    """How many different positions of each split."""
    canary: bool
    """Whether the mark of our datasets is among them."""
    unread: tuple[Path, ...]
    """Files that could not be read."""

    @property
    def recognised(self) -> int:
        """How many different positions there are."""
        return sum(self.positions.values())

    @property
    def tested(self) -> int:
        """How many of them are tested with."""
        return sum(self.positions[split] for split in NOT_FOR_TRAINING)

    @property
    def clean(self) -> bool:
        """Whether everything was read, positions were recognised, and none is tested with."""
        return bool(self.recognised) and not self.tested and not self.unread


def read(path: Path, report: Report = unreported) -> Overlap:
    """Look through a file, or all files of a folder."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    found: dict[str, str] = {}
    canary, unread = False, list[Path]()
    for number, file in enumerate(files, 1):
        try:
            for text in _contents(file):
                canary = canary or CANARY in str(text)
                for state in _positions(text):
                    found.setdefault(name(state), split_of(state))
        except (OSError, EOFError, ValueError, ImportError, RecursionError, csv.Error):
            unread.append(file)
        report("Reading", number, len(files))
    counts = {split: sum(other == split for other in found.values()) for split in SPLITS}
    return Overlap(counts, canary, tuple(unread))


# -- recognising ----------------------------------------------------------------------------


def _positions(found: Any) -> Iterator[State]:
    """The positions in a text, or in plain data with texts in it."""
    if isinstance(found, str):
        text = ESCAPED.sub("\n", found)
        yield from _named_in(text)
        yield from asked_in(text)
    elif isinstance(found, dict):
        yield from _described(found)
        for value in found.values():
            yield from _positions(_parsed(value) if isinstance(value, str) else value)
    elif isinstance(found, list | tuple):
        for value in found:
            yield from _positions(value)


def _named_in(text: str) -> Iterator[State]:
    for game, settings, moves in NAMED.findall(text):
        yield from _reached(game, settings, moves)


def _described(data: dict[str, Any]) -> Iterator[State]:
    """The positions that data with a game, a variant and the moves so far describes: those of one
    position, or under `positions` of several."""
    moves = data.get("history", data.get("moves"))
    if isinstance(moves, list):
        moves = " ".join(map(str, moves))
    several = data.get("positions")
    if isinstance(data.get("game"), str):
        for one in (moves, *(several if isinstance(several, list) else ())):
            if isinstance(one, str):
                yield from _reached(data["game"], data.get("variant") or {}, one)


def _reached(game: str, settings: object, moves: str) -> Iterator[State]:
    """The state after some moves, unless the game is over; nothing if these make no sense."""
    if isinstance(settings, str):
        settings = _parsed(settings)
    try:
        if isinstance(settings, str):
            settings = read_settings(settings.replace(",", " ").split())
        state = find(game, **settings if isinstance(settings, dict) else {}).replay(moves)
    except NumduelError:  # no position: it only looks like one
        return
    if state.winner is None:
        yield state


# -- reading --------------------------------------------------------------------------------


def _contents(file: Path) -> Iterator[Any]:
    """What is in a file: rows and other data, or pieces of its text."""
    kind = Path(file.name.lower().removesuffix(".gz")).suffix
    if kind == ".parquet":
        from pyarrow import parquet

        for batch in parquet.ParquetFile(file).iter_batches():
            yield from batch.to_pylist()
    elif kind == ".json":
        yield _parsed("".join(_lines(file, MOST_AT_ONCE)))
    elif kind in (".csv", ".tsv"):
        yield from csv.DictReader(_lines(file), delimiter="\t" if kind == ".tsv" else ",")
    else:
        yield from _pieces(_lines(file))


def _pieces(lines: Iterator[str]) -> Iterator[Any]:
    """The data of lines that are JSON, and the others as text, many at once."""
    text: list[str] = []
    for line in lines:
        data = _parsed(line)
        if data is not line:
            yield data
            continue
        text.append(line)
        if len(text) == LINES:
            yield "".join(text)
            text = text[-PROMPT_LINES:]  # a prompt may begin there
    yield "".join(text)


def _parsed(text: str) -> Any:
    """The data in a text that is JSON; any other text as it is."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _lines(file: Path, most: int = MOST_TEXT) -> Iterator[str]:
    """The lines of a text. ValueError if it is none, or too long."""
    with file.open("rb") as raw:
        packed = raw.read(len(GZIP)) == GZIP
    with gzip.open(file, "rb") if packed else file.open("rb") as data:
        while line := data.readline(MOST_AT_ONCE):
            most -= len(line)
            if most < 0 or b"\0" in line or len(line) == MOST_AT_ONCE:
                raise ValueError(file)
            yield line.decode("utf-8", "replace")
