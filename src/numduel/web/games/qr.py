"""Links as QR codes, to be scanned from another screen."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

from typing_extensions import TypedDict

from numduel.web.http.described import about

BORDER = 4
"""Light squares around the code, which scanners need."""


MASK = 3
"""The pattern that breaks up even areas. Scanners read every mask, and to find the best one takes
five times as long."""
MAX_CODES = 64
"""Codes in memory: the wall, the host and every reload show that of an event again."""


class QrCode(TypedDict):
    """A QR code, to be drawn as SVG: dark on light, whatever the colours of the page."""

    size: Annotated[int, about("Its width and height in squares, light border included.")]
    path: Annotated[str, about("The dark squares, as the `d` of an SVG path.")]


def qr_code(link: str) -> QrCode:
    """A link as a QR code. It is kept, unless something stands behind the `#` of the link: that is
    a secret, as in an invitation, a browser's link to its games or on a pupil's slip. Such a code
    is shown once or twice, and secrets do not stay in memory."""
    return _draw(link) if "#" in link else _draw_once(link)


@lru_cache(MAX_CODES)
def _draw_once(link: str) -> QrCode:
    return _draw(link)


def _draw(link: str) -> QrCode:
    import segno

    matrix = segno.make_qr(link, error="m", mask=MASK).matrix
    dark = [
        (run.start() + BORDER, y, len(run[0]))
        for y, row in enumerate(matrix, BORDER)
        for run in re.finditer(b"\1+", row)
    ]
    path = "".join(f"M{x} {y}h{long}v1h-{long}z" for x, y, long in dark)
    return {"size": len(matrix) + 2 * BORDER, "path": path}
