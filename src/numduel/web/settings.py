"""The settings of the server."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from importlib.metadata import version

from numduel.core.language import N_
from numduel.play.store import folder
from numduel.web.http.errors import Unavailable

VERSION = version("numduel")

VARIABLE = "NUMDUEL_SERVER"
"""The environment variable that passes the settings on to worker processes."""


@dataclass(frozen=True)
class Settings:
    """Everything that can be set when the server is started."""

    database: str = ""
    """A SQLAlchemy URL; if empty, a SQLite file beside the user's other games."""
    processes: int = 1
    solvers: int = 1
    rate: float = 100.0
    """Requests a second that one address may keep up, over all processes; one seat may make a
    fifth of them. 0 means no limit."""
    warm: bool = True
    """Whether to compile the games at the start, not when somebody first asks for a value."""
    hosts: tuple[str, ...] = ()
    """The names, addresses and networks that the server answers to, besides the address that a
    connection was made to; none means any."""
    keep: int = 365
    """Days after which finished games are deleted; 0 means never."""
    keep_events: int = 30
    """Days after which events and their games are deleted; 0 means never."""
    shared: str = ""
    """The folder in which several processes count together for their limits."""
    near: str = ""
    """The server's address for other devices in the network; empty if it does not listen there."""

    @property
    def address(self) -> str:
        """The address of the database."""
        if self.database:
            return self.database
        try:
            folder().mkdir(parents=True, exist_ok=True)
        except OSError:
            raise Unavailable(
                N_(
                    "The folder for your games cannot be created;"
                    " choose a file with --database sqlite:////path/to/file.db."
                )
            ) from None
        return f"sqlite:///{folder() / 'web.db'}"

    def pass_on(self) -> None:
        """Pass the settings on to child processes."""
        os.environ[VARIABLE] = json.dumps(asdict(self))


def inherited() -> Settings:
    """The settings that the parent process passed on."""
    return Settings(**json.loads(os.environ.get(VARIABLE, "{}")))
