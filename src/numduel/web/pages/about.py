"""What a page says about itself: its title, and what messengers show with its link."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from numduel.core.game import Game
from numduel.core.state import middle
from numduel.core.text import DEFAULT_NAMES, both
from numduel.games import games as every_game
from numduel.web.positions import playable, position

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


@cache
def about_everything(title: str, description: str) -> About:
    """A page that is not about one game."""
    return About(title, description, *_picture_of(position(middle(every_game()[0]()))))


def about_rules(game: Game) -> About:
    """The rules of a game."""
    return _about_kind(f"{game.display_name}: rules", " ".join(game.brief), game)


def about_lesson(game: Game) -> About:
    """The lesson of a game."""
    steps = "In a few short steps: from the goal to beating the computer."
    return _about_kind(f"Learn {game.display_name}", f"{game.summary} {steps}", game)


def about_strategy(game: Game) -> About:
    """How to win a game."""
    return _about_kind(f"How to win {game.display_name}", "A few sentences to remember.", game)


def about_puzzle(title: str, description: str, query: Mapping[str, str]) -> About:
    """A puzzle. Its picture is made when somebody asks for it."""
    image = f"/preview/puzzle.png{'?' if query else ''}{urlencode(query)}"
    return About(title, description, image, "The position of a puzzle.")


def about_position(told: Mapping[str, Any]) -> About:
    """A position on the analysis board."""
    return _about_play(f"{told['called']}: analysis", told)


def about_game(told: Mapping[str, Any]) -> About:
    """A game on the server, or an invitation to it while a seat is free."""
    if told["outcome"] or all(told["seats"]):
        return _about_play(f"{both(told['names'])} play {told['called']}", told)
    host = told["names"][1 - told["seats"].index(False)]
    who = "You are invited" if host in DEFAULT_NAMES else f"{host} invites you"
    rules = " ".join(playable(told["name"], told["variant"]).brief)
    return About(f"{who} to play {told['called']}", rules, *_picture_of(told))


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
    query |= {"pie": "true"} if told["pie"] else {}
    path = f"/preview/position.png?{urlencode({**query, 'moves': told['text']})}"
    return path, f"A position in {told['called']}."
