"""A client of a numduel server, for programs.

`ask` sends one request to the API, `Live` listens to the game of a `Link`. Nothing that a server
sends is trusted: its moves are checked by the rules here.

>>> from numduel.client import read_link
>>> read_link("localhost:8000/play/V3b1tq0k9Zfx").path
'/api/v1/games/V3b1tq0k9Zfx'
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from random import random
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from numduel.core.errors import BadVariant, NumduelError
from numduel.core.state import State
from numduel.core.text import DEFAULT_NAMES, name_told, printable, whole_number
from numduel.play.players import COMPUTERS
from numduel.play.record import HELP, Record, addressed

REQUEST_TIMEOUT = 10.0
STREAM_TIMEOUT = 40.0
"""Seconds after which a silent stream is lost: the server sends a heartbeat."""
SLOWEST = 8.0
"""Seconds between two attempts to connect, at most."""
MAX_BYTES = 1 << 20
GAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
SECRET = re.compile(r"[A-Za-z0-9_-]{16,64}")
NO_ANSWER = "The server sent something that is not an answer."
UNNAMED = (*DEFAULT_NAMES, *(f"Computer ({kind})" for kind in COMPUTERS))
"""Names that nobody gave."""


class Failure(NumduelError):
    """Why a server did not do what was asked, in one sentence."""

    def __init__(self, sentence: str, status: int = 0, wait: int = 0) -> None:
        super().__init__(sentence)
        self.status = status
        """The status of the answer; 0 if the server was not reached."""
        self.wait = wait
        """Seconds after which to ask again, if the server has too much to do."""


class Link(NamedTuple):
    """The address of a game, with the secret of an invitation if there is one."""

    server: str
    id: str
    secret: str = ""

    @property
    def text(self) -> str:
        """The address as a person passes it on."""
        return self.address + (f"#{self.secret}" if self.secret else "")

    @property
    def address(self) -> str:
        """The address without the secret."""
        return f"{self.server}/play/{self.id}"

    @property
    def path(self) -> str:
        """Where the API has the game."""
        return f"/api/v1/games/{self.id}"


def read_server(text: str) -> str:
    """The address of a server, as typed: ``http://host:port``."""
    with suppress(ValueError):
        parts = urlsplit(text.strip() if "//" in text else f"http://{text.strip()}")
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    raise BadVariant(f"{printable(text, 40)!r} is not the address of a server.")


def read_link(text: str) -> Link:
    """The link to a game, as typed or pasted."""
    server, play, rest = text.strip().partition("/play/")
    address, _hash, secret = rest.partition("#")
    game = address.partition("?")[0]
    if not play or not GAME.fullmatch(game) or (secret and not SECRET.fullmatch(secret)):
        raise BadVariant("A link to a game looks like http://localhost:8000/play/V3b1tq0k9Zfx#….")
    return Link(read_server(server), game, secret)


# -- asking ---------------------------------------------------------------------------------


def ask(server: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
    """The answer to a request: a POST if there is a body, else a GET."""
    connection = _connection(server, REQUEST_TIMEOUT)
    try:
        with _send(connection, path, body, token) as response:
            found = json.loads(response.read(MAX_BYTES))
    except (OSError, HTTPException):
        raise Failure("The server cannot be reached. Nothing is lost.") from None
    except ValueError:
        raise Failure(NO_ANSWER, 500) from None
    finally:
        connection.close()
    if not isinstance(found, dict):
        raise Failure(NO_ANSWER, 500)
    if response.status >= 400:
        told = found.get("error")
        sentence = printable(told, 200) if isinstance(told, str) else ""
        wait = whole_number(response.headers.get("Retry-After", "")) or 0
        sentence = sentence or f"The server answered {response.status}."
        raise Failure(sentence, response.status, wait)
    return found


def _connection(server: str, timeout: float) -> HTTPConnection:
    parts = urlsplit(server)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    return kind(parts.netloc, timeout=timeout)


def _send(connection: HTTPConnection, path: str, body: object, token: str) -> HTTPResponse:
    headers = {"Accept": "application/json, text/event-stream"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if body is None:
        connection.request("GET", path, headers=headers)
    else:
        headers["Content-Type"] = "application/json"
        connection.request("POST", path, json.dumps(body), headers)
    return connection.getresponse()


# -- games ----------------------------------------------------------------------------------


class Snapshot:
    """The state of a game on a server."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Raise `Failure` if the data is not a game that can be played here."""
        try:
            game = data["game"]
            self.you = _seat(data["you"])
            self.number = int(game["number"])
            one, two = (_kept(printable(str(name), 40)) for name in game["names"])
            self.names = one, two
            self.strict = bool(game["strict"])
            self.record = self._record(game)
            self.taken = [bool(seat) for seat in game["seats"]]
            self.present = [bool(seat) for seat in game["present"]]
            self.alone = not game["two_people"]
            self.score = [int(won) for won in game["score"]]
            self.undo = _seat(game["undo"])
            self.undoable = self.you is not None and bool(game["undoable"][self.you - 1])
            self.requests = [(int(r["number"]), printable(r["name"], 40)) for r in game["requests"]]
            self.offered = _seat(game["rematch"]["offered"])
            self.next: str | None = game["rematch"]["game"]
            if self.next is not None and not GAME.fullmatch(self.next):
                raise ValueError
        except NumduelError as error:
            told = f"This game cannot be played here: {error}"
            raise Failure(told, 500) from None
        except (LookupError, TypeError, ValueError, AttributeError):
            raise Failure("The server sent something that is not a game.", 500) from None

    @property
    def state(self) -> State:
        """The position."""
        return self.record.state

    def _record(self, game: dict[str, Any]) -> Record:
        """The game so far, by the rules on this machine."""
        record = addressed({
            "game": str(game["game"]),
            "variant": " ".join(f"{key}={value}" for key, value in game["variant"].items()),
            "first": str(game["first"]),
            "moves": str(game["text"]),
        })  # fmt: skip
        one, two = map(str, game["players"])
        return replace(
            record,
            players=(one, two),
            names=self.names,
            forgiving=record.game.strict and not self.strict,
            help=frozenset(word for word in HELP if word in game.get("help", ())),
            seat=self.you,
        )


def _kept(name: str) -> str:
    """A name as records have it: one that nobody gave is English there."""
    return next((one for one in UNNAMED if name_told(one) == name), name)


def _seat(value: object) -> int | None:
    """A seat that a server names; None for anything else."""
    return next((seat for seat in (1, 2) if seat == value), None)


class Live:
    """A thread that listens to a game, and reconnects whenever the connection is lost."""

    def __init__(
        self,
        link: Link,
        token: str,
        heard: Callable[[Snapshot], None],
        lost: Callable[[Failure | None], None],
    ) -> None:
        """`lost` is told why it stops listening, or None if it tries again."""
        self._link, self._token = link, token
        self._heard, self._lost = heard, lost
        self._stopped = Event()
        self._connection: HTTPConnection | None = None
        Thread(target=self._run, name="live", daemon=True).start()

    def stop(self) -> None:
        """Stop listening."""
        self._stopped.set()
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(2)

    def _run(self) -> None:
        misses = 0
        while not self._stopped.is_set():
            try:
                for snapshot in self._listen():
                    misses = 0
                    if not self._stopped.is_set():
                        self._heard(snapshot)
            except Failure as failure:
                if failure.status in (404, 500):
                    self._lost(failure)
                    return
            except (OSError, HTTPException, ValueError):
                pass
            misses += 1
            if not self._stopped.is_set():
                self._lost(None)
            # Half of the delay is random, so that not all clients reconnect at the same moment.
            self._stopped.wait(min(SLOWEST, 0.25 * 2**misses) * (0.5 + random() / 2))

    def _listen(self) -> Any:
        """Every snapshot that the server sends, until the connection ends."""
        connection = self._connection = _connection(self._link.server, STREAM_TIMEOUT)
        try:
            with _send(connection, f"{self._link.path}/events", None, self._token) as response:
                if response.status == 404:
                    raise Failure("There is no such game.", 404)
                if response.status != 200:
                    raise OSError
                while line := response.readline(MAX_BYTES):
                    if line.startswith(b"data: "):
                        yield Snapshot(json.loads(line[6:]))
        finally:
            connection.close()
