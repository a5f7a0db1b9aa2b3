"""The profile of this user, and what comes next."""

from __future__ import annotations

from typing import Any

from textual.binding import Binding
from textual.screen import Screen

from numduel.activities import Profile
from numduel.activities.base import Place
from numduel.activities.keeping import against, lessons, profile, storm
from numduel.tui.activity import Activities


class ProfileScreen(Activities[Profile]):
    """What this user has done; one key does what comes next."""

    BINDINGS = [Binding("enter", "do('next')", show=False)]
    AUTO_FOCUS = "#reading"

    def action_do(self, action: str, given: str = "") -> None:
        """Act; what comes next is another screen, which takes the place of this one."""
        place = self.activity.scene.leads
        if action == "next" and place is not None:
            self.attempt(lambda: self.app.switch_screen(_screen(place)))
        else:
            super().action_do(action, given)


def show_profile() -> Screen[Any]:
    """The screen of the profile."""
    return ProfileScreen.of(profile(), "")


def _screen(place: Place) -> Screen[Any]:
    """The screen of another activity."""
    if place.activity == "play":
        from numduel.tui.play import Play

        return Play(against(place))
    if place.activity == "lesson":
        return Activities.of(lessons(place.game), f"{place.game} 0")
    if place.activity == "storm":
        return Activities.of(storm(), "")
    from numduel.tui.puzzles import solve

    return solve()
