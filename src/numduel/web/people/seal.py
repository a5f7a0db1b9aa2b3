"""The server's signature on the state of an activity.

A state travels to a browser and back, so it may say anything. What homework depends on is signed
for whoever did it: a state that somebody has changed, or got from somebody else, can be gone on
with, but does not count. (An earlier state of one's own still fits: moves can be taken back.)
"""

from __future__ import annotations

import hmac
import json
from typing import Any

from numduel.activities import Activity
from numduel.activities.lesson import Lessons
from numduel.activities.puzzle import Puzzles
from numduel.web.people.keys import Proof, derive, digest

FIELD = "signed"
"""Where the signature is in a state."""
OPENING = frozenset({"open_step", "find_puzzle"})
"""Tasks whose results are all that is signed: after them nothing is left of what was invented."""


class Seal:
    """Signs states with the secret of the server."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def fits(self, state: dict[str, Any], activity: Activity, proof: Proof) -> bool:
        """Whether this state was signed for somebody, as the activity that was read from it."""
        signed = str(state.get(FIELD, "")).encode()
        return any(
            hmac.compare_digest(expected.encode(), signed)
            for key in proof
            if (expected := self._signature(activity, key))
        )

    def sign(self, state: dict[str, Any], activity: Activity, proof: Proof) -> dict[str, Any]:
        """The state of an activity, signed for somebody if any homework may depend on it."""
        signed = self._signature(activity, proof[0]) if proof else ""
        return {**state, FIELD: signed} if signed else state

    def _signature(self, activity: Activity, key: str) -> str:
        told = _told(activity)
        return derive(self._secret, activity.NAME, digest(key), json.dumps(told)) if told else ""


def _told(activity: Activity) -> tuple[Any, ...]:
    """What homework depends on: which step of a lesson and how far its game is, or which puzzle."""
    if isinstance(activity, Lessons):
        return activity.game, activity.number, activity.at
    if isinstance(activity, Puzzles) and (posed := activity.posed):
        return posed.at, posed.link, posed.grade, posed.day
    return ()
