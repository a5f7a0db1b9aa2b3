"""Links as QR codes, to be scanned from another screen."""

from __future__ import annotations

import re
from typing import Annotated

from typing_extensions import TypedDict

from numduel.web.http.described import about

BORDER = 4
"""Light squares around the code, which scanners need."""


class QrCode(TypedDict):
    """A QR code, to be drawn as SVG: dark on light, whatever the colours of the page."""

    size: Annotated[int, about("Its width and height in squares, light border included.")]
    path: Annotated[str, about("The dark squares, as the `d` of an SVG path.")]


def qr_code(link: str) -> QrCode:
    """A link as a QR code."""
    import segno

    matrix = segno.make_qr(link, error="m").matrix
    dark = [
        (run.start() + BORDER, y, len(run[0]))
        for y, row in enumerate(matrix, BORDER)
        for run in re.finditer(b"\1+", row)
    ]
    path = "".join(f"M{x} {y}h{long}v1h-{long}z" for x, y, long in dark)
    return {"size": len(matrix) + 2 * BORDER, "path": path}
