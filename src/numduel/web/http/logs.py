"""The server's log on standard error: one JSON object a line, or short lines for people."""

from __future__ import annotations

import io
import logging
import sys
import time
from asyncio import CancelledError
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

import orjson

Form = Literal["json", "text"]
_SAID_OTHERWISE = ("Invalid HTTP", "Unsupported up", "connection open", "connection closed")
_ORDINARY = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """A log record as one line of JSON, with its extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        extra = _extra(record)
        if record.exc_info:
            extra["trace"] = self.formatException(record.exc_info)
        return self.line(
            record.created, record.levelname.lower(), record.name, record.getMessage(), extra
        )

    def request(self, now: float, fields: dict[str, Any]) -> str:
        """One line of JSON for a request."""
        return self.line(now, "info", "numduel.web", "request", fields)

    def line(self, at: float, level: str, name: str, event: str, extra: dict[str, Any]) -> str:
        """One line of JSON."""
        when = f"{_second(int(at))}.{int(at % 1 * 1000):03}+00:00"
        told = {"time": when, "level": level, "from": name, "event": event, **extra}
        return orjson.dumps(told, default=str).decode()


class ShortLines(logging.Formatter):
    """A log record as a short line, for a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """One short line; a traceback follows on lines of its own."""
        told = ", ".join(f"{key} {value}" for key, value in _extra(record).items())
        line = self.line(record.created, f"{record.getMessage()}{told and f': {told}'}")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line

    def request(self, now: float, fields: dict[str, Any]) -> str:
        """One short line for a request."""
        said = "{status} {method} {path} ({ms:.0f} ms, {address})".format(**fields)
        return self.line(now, said)

    def line(self, at: float, said: str) -> str:
        """One short line."""
        line = f"{datetime.fromtimestamp(at):%H:%M:%S} {said}"
        return "".join(char if char.isprintable() else "?" for char in line)


@lru_cache(1)
def _second(at: int) -> str:
    """A second as it is written; hundreds of requests are logged in one."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").removesuffix("+00:00")


_FORMS: dict[Form, JsonLines | ShortLines] = {"json": JsonLines(), "text": ShortLines()}
_form: Form = "json"
_handler = logging.StreamHandler()


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in vars(record).items() if key not in _ORDINARY}


class _Printed(io.TextIOBase):
    """Stands in for standard error: what libraries print there is logged, a record a line."""

    def __init__(self) -> None:
        self._line = ""

    def write(self, text: str) -> int:
        """Log the complete lines."""
        *lines, self._line = f"{self._line}{text}".split("\n")
        for line in lines:
            if line.strip():
                logging.getLogger("numduel.stderr").warning("%s", line)
        return len(text)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a record of uvicorn is logged: not its line for each refused connection, which
    `numduel.web.http.protocol` logs, nor for each WebSocket, with the whole URL; and no traceback
    of a task that was cancelled, as those that are still busy are when the server ends."""
    message = str(record.msg)
    if record.exc_info and isinstance(record.exc_info[1], CancelledError):
        return False
    return "WebSocket" not in message and not message.startswith(_SAID_OTHERWISE)


def log_request(fields: dict[str, Any]) -> None:
    """Log a request. There are thousands a second, and a log record for each would take as long
    as the request itself: the line is written directly."""
    line = _FORMS[_form].request(time.time(), fields)
    # If standard error is closed, nobody can read it.
    with _handler.lock or nullcontext(), suppress(OSError, ValueError, AttributeError):
        _handler.stream.write(f"{line}\n")
        _handler.stream.flush()


def set_up_logging(form: Form) -> None:
    """Log everything in this form."""
    global _form
    _form = form
    # Finding out the place in the code and the thread takes longest, and nobody is told them.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    _handler.setStream(sys.__stderr__ or sys.stderr)
    _handler.setFormatter(_FORMS[form])
    root = logging.getLogger()
    root.handlers = [_handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("numduel").setLevel(logging.INFO)
    # People are told otherwise that the server starts and ends.
    logging.getLogger("uvicorn").setLevel(logging.INFO if form == "json" else logging.WARNING)
    logging.getLogger("uvicorn.error").filters = [_is_ours]
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    if form == "json":
        sys.stderr = _Printed()
        logging.raiseExceptions = False  # They could not be logged, either.
