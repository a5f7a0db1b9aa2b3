"""The addresses of this computer, for those who serve games on it."""

from __future__ import annotations

import socket
from contextlib import suppress

from numduel.core.errors import BadVariant

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Hosts that only this computer can reach."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104


def near(host: str, port: int) -> str:
    """The address for other devices on the network; empty if the server is for this one alone."""
    if host in LOOPBACK:
        return ""
    return f"http://{bracketed(_own_address(host) if host in EVERYWHERE else host)}:{port}"


def bracketed(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def _own_address(host: str) -> str:
    """The address of this machine on its network, or else its name; nothing is sent to find it."""
    family, far = (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        return str(probe.getsockname()[0])
    return socket.gethostname()


def check_port(host: str, port: int) -> None:
    """Refuse an address that cannot be listened at."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            why = error.strerror or error
            raise BadVariant(
                f"The server cannot listen at {host}:{port}: {why}; choose another --port."
            ) from None
