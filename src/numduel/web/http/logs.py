"""The server's log: short lines on standard error."""

from __future__ import annotations

import logging
import sys
from asyncio import CancelledError
from datetime import datetime

_SAID_OTHERWISE = ("Invalid HTTP", "Unsupported up", "connection open", "connection closed")
_ORDINARY = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class ShortLines(logging.Formatter):
    """A log record as a short line, with its extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """One short line; a traceback follows on lines of its own."""
        extra = {key: value for key, value in vars(record).items() if key not in _ORDINARY}
        told = ", ".join(f"{key} {value}" for key, value in extra.items())
        level = f"{record.levelname} " if record.levelno > logging.INFO else ""
        line = f"{level}{record.getMessage()}{told and f': {told}'}"
        line = "".join(char if char.isprintable() else "?" for char in line)
        line = f"{datetime.fromtimestamp(record.created):%Y-%m-%d %H:%M:%S} {line}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a record of uvicorn is logged: not its line for each refused connection, which
    `numduel.web.http.protocol` logs, nor for each WebSocket, with the whole URL; and no traceback
    of a task that was cancelled, as those that are still busy are when the server ends."""
    message = str(record.msg)
    if record.exc_info and isinstance(record.exc_info[1], CancelledError):
        return False
    return "WebSocket" not in message and not message.startswith(_SAID_OTHERWISE)


def set_up_logging() -> None:
    """Log everything in short lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(ShortLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("numduel").setLevel(logging.INFO)
    # People are told otherwise that the server starts and ends.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").filters = [_is_ours]
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
