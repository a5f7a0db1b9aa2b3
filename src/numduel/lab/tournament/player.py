"""The process of a player in Python: ``python -m numduel.lab.tournament.player PLACE [ARGUMENT…]``.

PLACE is ``package.module:attribute``. Each line that is read is answered with one:

- ``new SEED`` creates a player, for one game; the answer is ``ready``;
- ``files`` asks what the player is made of; the answer is JSON, a digest for each file;
- anything else is a question (see `protocol`); the answer is a move.

An answer that begins with ``!`` says what the player did wrong; one with ``?`` says why it cannot
be asked, through no fault of its own. What a player prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import random
import sys
import sysconfig
from contextlib import suppress
from hashlib import file_digest
from importlib import import_module
from inspect import signature
from operator import index
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any, TextIO

from numduel.core.text import BLANKS, MAX_DIGITS, printable
from numduel.lab.tournament.child import Fault, Unavailable
from numduel.lab.tournament.protocol import read_question
from numduel.system import wait_until_closed

MAX_MOVE = 60
"""Characters of an answer that are passed on; no move is as long."""
INSTALLED = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
"""Folders of installed packages."""
EXIT_DELAY = 1.0
"""Seconds that a busy player has to finish once nobody can ask it any more."""


class Server:
    """Creates a player for each game, and passes questions on to it."""

    def __init__(self, place: str, arguments: list[str]) -> None:
        self._module, _, self._attribute = place.rpartition(":")
        self._arguments = arguments
        self._player: Any = None
        self._opened: set[Path] | None = set()
        sys.addaudithook(self._note)

    def answer(self, line: str) -> str:
        """The answer to a line."""
        word, _, rest = line.partition(" ")
        try:
            if word == "new":
                return self._new(int(rest))
            return self._files() if word == "files" else self._move(line)
        except Fault as error:
            return f"!{error}"
        except Unavailable as error:
            return f"?{printable(str(error), 200)}"
        except BaseException as error:
            return f"!It raised {printable(f'{type(error).__name__}: {error}', 200)}."

    def _new(self, seed: int) -> str:
        """Create a player. The shared random generators are seeded, too, as it may use them."""
        found = self._load()
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        self._player = _create(found, (*self._arguments, seed))
        return "ready"

    def _load(self) -> object:
        try:
            found: object = import_module(self._module)
            for part in self._attribute.split("."):
                found = getattr(found, part)
        except Exception as error:
            said = printable(f"{type(error).__name__}: {error}", 200)
            raise Fault(f"It cannot be imported: {said}.") from None
        if not callable(getattr(found, "choose", None)) and not callable(found):
            raise Fault("It has no choose(state), and cannot be called to create a player.")
        return found

    def _move(self, line: str) -> str:
        move = self._player.choose(read_question(line))
        if isinstance(move, str):
            # "!" and "?" have a meaning of their own in an answer, and occur in no move.
            return printable(move.strip(BLANKS).lstrip("!?"), MAX_MOVE)
        # Trained players answer with integers of NumPy.
        if isinstance(move, bool) or abs(number := index(move)) >= 10**MAX_DIGITS:
            raise Fault("It answered with something that is not a move.")
        return str(number)

    # -- its files -------------------------------------------------------------------------------

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep the name of every file that is opened for reading, until ``files`` is asked."""
        if event != "open" or self._opened is None or not isinstance(arguments[0], str | bytes):
            return
        if not arguments[2] & (os.O_WRONLY | os.O_RDWR):
            self._opened.add(Path(os.path.abspath(os.fsdecode(arguments[0]))))

    def _files(self) -> str:
        """The digests of the player's own files: the modules and files it has read so far that are
        in its package, the folder of its module or the current folder, and not installed."""
        opened, self._opened = self._opened or set(), None
        loaded = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
        opened |= {Path(os.path.abspath(name)) for name in loaded if name}
        digests = {}
        for path in sorted(opened):
            folder = self._folder(path)
            if folder is not None and path.suffix != ".pyc" and path.is_file():
                digests[path.relative_to(folder).as_posix()] = digest(path)
        return json.dumps(digests)

    def _folder(self, path: Path) -> Path | None:
        """The folder that a file of the player is in; None for a file that is not its own."""
        top = sys.modules[self._module.partition(".")[0]]
        for place in getattr(top, "__path__", ()):
            if path.is_relative_to(place):
                return Path(place).parent
        if path == Path(top.__file__ or ""):
            return path.parent
        if any(path.is_relative_to(place) for place in INSTALLED):
            return None
        folders = [Path(top.__file__).parent] if top.__file__ else []
        return next((one for one in (*folders, Path.cwd()) if path.is_relative_to(one)), None)


def digest(path: Path) -> str:
    """A short digest of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()[:16]


def _create(found: Any, arguments: tuple[object, ...]) -> object:
    """The player: the object itself, or what a class or function returns for the arguments. The
    last one is the seed, which it need not take."""
    if not callable(found) or (not isinstance(found, type) and hasattr(found, "choose")):
        return found
    try:
        signature(found).bind(*arguments)
    except (TypeError, ValueError):
        return found(*arguments[:-1])
    return found(*arguments)


def _pipes() -> tuple[TextIO, TextIO]:
    """The pipes for questions and answers. The player itself has an empty standard input, and
    prints to standard error."""
    asked, answers = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    os.close(empty)
    return open(asked, encoding="utf-8"), open(answers, "w", encoding="utf-8")


def _exit_when_alone(asked: int) -> None:
    """Exit soon after the other end is closed, even if the player is busy and never ends."""
    wait_until_closed(asked)
    sleep(EXIT_DELAY)
    os._exit(1)


def main() -> None:
    """Answer questions until there are no more."""
    place, *arguments = sys.argv[1:]
    asked, answers = _pipes()
    Thread(target=_exit_when_alone, args=(asked.fileno(),), daemon=True).start()
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    server = Server(place, arguments)
    # The process that asked may have been killed.
    with suppress(BrokenPipeError):
        for line in asked:
            print(server.answer(line.rstrip("\n")), file=answers, flush=True)


if __name__ == "__main__":
    main()
