"""Links as QR codes, to be scanned from another screen."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated

from typing_extensions import TypedDict

from numduel.web.http.described import about

BORDER = 4
"""Light squares around the code, which scanners need."""


class QrCode(TypedDict):
    """A QR code, to be drawn as SVG: dark on light, whatever the colours of the page."""

    size: Annotated[int, about("Squares from side to side, with the light border.")]
    path: Annotated[str, about("The dark squares, as the `d` of an SVG path.")]


def qr_code(link: str) -> QrCode:
    """A link as a QR code."""
    import segno

    matrix = segno.make_qr(link, error="m").matrix
    rows = [f"M{x} {y + BORDER}h{long}v1h-{long}z"
            for y, row in enumerate(matrix) for x, long in _dark_runs(row)]  # fmt: skip
    return {"size": len(matrix) + 2 * BORDER, "path": "".join(rows)}


def _dark_runs(row: bytearray) -> list[tuple[int, int]]:
    """Where dark squares begin in a row, and how many there are in line."""
    found, x = [], BORDER
    for dark, run in groupby(row):
        long = len(list(run))
        if dark:
            found.append((x, long))
        x += long
    return found
