"""What a page says about itself: its title, and what messengers show with its link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.core.language import _
from numduel.core.text import DEFAULT_NAMES, both, name_told
from numduel.web.positions import playable


class About(NamedTuple):
    """What a page says about itself, to search engines and with its link."""

    title: str
    description: str


def about_rules(game: Game) -> About:
    """The rules of a game."""
    return About(_("{game}: rules", game=game.display_name), " ".join(game.brief))


def about_lesson(game: Game) -> About:
    """The lesson of a game."""
    steps = _("In a few short steps: from the goal to beating the computer.")
    return About(_("Learn {game}", game=game.display_name), f"{game.summary} {steps}")


def about_strategy(game: Game) -> About:
    """How to win a game."""
    title = _("How to win {game}", game=game.display_name)
    return About(title, _("A few sentences to remember."))


def about_game(told: Mapping[str, Any]) -> About:
    """A game on the server, or an invitation to it while a seat is free."""
    if told["outcome"] or all(told["seats"]):
        title = _("{names} play {game}", names=both(told["names"]), game=told["called"])
        # What to do, or why it ended.
        now = told["outcome"]["reason"] if told["outcome"] else told["goals"][0]
        return About(title, f"{told['status']} {now}")
    host = told["names"][1 - told["seats"].index(False)]
    if host in map(name_told, DEFAULT_NAMES):
        title = _("You are invited to play {game}", game=told["called"])
    else:
        title = _("{host} invites you to play {game}", host=host, game=told["called"])
    return About(title, " ".join(playable(told["name"], told["variant"]).brief))
