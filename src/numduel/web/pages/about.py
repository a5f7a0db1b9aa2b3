"""What a page says about itself: its title, and what messengers show with its link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from numduel.core.game import Game
from numduel.core.language import _, cached
from numduel.core.state import middle
from numduel.core.text import DEFAULT_NAMES, both, name_told
from numduel.games import games as every_game
from numduel.web.positions import playable, position

MAX_ABOUTS = 300
"""What pages say about themselves, in memory."""
PREVIEW_SIZE = 1200, 630
"""Width and height of the pictures that other sites show with a link."""


class About(NamedTuple):
    """What a page says about itself, to search engines and with its link."""

    title: str
    description: str
    image: str
    """The path of a picture."""
    image_text: str
    """What the picture shows, for people who cannot see it."""


@cached(MAX_ABOUTS)
def about_everything(title: str, description: str) -> About:
    """A page that is not about one game."""
    return About(title, description, *_picture_of(position(middle(every_game()[0]()))))


def about_rules(game: Game) -> About:
    """The rules of a game."""
    return _about_kind(_("{game}: rules", game=game.display_name), " ".join(game.brief), game)


def about_lesson(game: Game) -> About:
    """The lesson of a game."""
    steps = _("In a few short steps: from the goal to beating the computer.")
    return _about_kind(_("Learn {game}", game=game.display_name), f"{game.summary} {steps}", game)


def about_strategy(game: Game) -> About:
    """How to win a game."""
    title = _("How to win {game}", game=game.display_name)
    return _about_kind(title, _("A few sentences to remember."), game)


def about_puzzle(title: str, description: str, query: Mapping[str, str]) -> About:
    """A puzzle. Its picture is made when somebody asks for it."""
    image = f"/preview/puzzle.png{'?' if query else ''}{urlencode(query)}"
    return About(title, description, image, _("The position of a puzzle."))


def about_position(told: Mapping[str, Any]) -> About:
    """A position on the analysis board."""
    return _about_play(_("{game}: analysis", game=told["called"]), told)


def about_game(told: Mapping[str, Any]) -> About:
    """A game on the server, or an invitation to it while a seat is free."""
    if told["outcome"] or all(told["seats"]):
        names = both(told["names"])
        return _about_play(_("{names} play {game}", names=names, game=told["called"]), told)
    host = told["names"][1 - told["seats"].index(False)]
    if host in map(name_told, DEFAULT_NAMES):
        title = _("You are invited to play {game}", game=told["called"])
    else:
        title = _("{host} invites you to play {game}", host=host, game=told["called"])
    rules = " ".join(playable(told["name"], told["variant"]).brief)
    return About(title, rules, *_picture_of(told))


def _about_kind(title: str, description: str, game: Game) -> About:
    return About(title, description, *_picture_of(position(middle(game))))


def _about_play(title: str, told: Mapping[str, Any]) -> About:
    """The status of a game, and what to do or why it ended."""
    now = told["outcome"]["reason"] if told["outcome"] else told["goals"][0]
    return About(title, f"{told['status']} {now}", *_picture_of(told))


def _picture_of(told: Mapping[str, Any]) -> tuple[str, str]:
    """The path of a picture of a position, and what it shows."""
    variant = " ".join(f"{name}={value}" for name, value in told["variant"].items())
    query = {"game": told["name"], "variant": variant, "first": told["first"]}
    path = f"/preview/position.png?{urlencode({**query, 'moves': told['text']})}"
    return path, _("A position in {game}.", game=told["called"])
