"""What a host chooses for an event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

from numduel.core.errors import BadEvent
from numduel.core.game import Game
from numduel.core.language import _
from numduel.core.text import either, read_settings
from numduel.games import game as find
from numduel.play.players import COMPUTERS

Format = Literal["arena", "swiss", "round-robin"]
FORMATS: tuple[Format, ...] = get_args(Format)
MAX_GAMES = 10
MAX_MINUTES = 180
MAX_ROUNDS = 15
MIN_MOVE_SECONDS = 10
MAX_MOVE_SECONDS = 600
MAX_GAME_MINUTES = 60
MAX_PLAYERS = 60
"""The most people at once: pairing more takes over half a second."""
MAX_ROUND_ROBIN = 12
"""The most people in a round robin: with more, a lesson is too short for everyone to meet."""


@dataclass(frozen=True)
class Settings:
    """The games of an event and how it is played; `BadEvent` if they make no sense."""

    games: tuple[str, ...]
    """Each with its settings: ``factors n=20 first=any``. Players play them in turn."""
    format: Format = "arena"
    minutes: int = 20
    """How long an arena lasts; other formats have no clock."""
    rounds: int = 5
    """How many rounds a Swiss has."""
    level: str = "medium"
    """The level of the computer that plays an odd player."""
    forgiving: bool = False
    """Whether a broken rule is explained and the player asked again, where it would lose."""
    own_names: bool = True
    """Whether people may type nicknames of their own when the door opens, instead of taking one
    that is offered."""
    teams: bool = False
    """Whether two teams play each other, and their points are added up."""
    move_seconds: int = 0
    """How long a player may think about a move; 0 means as long as they like."""
    game_minutes: int = 0
    """How long a player may think in a whole game; 0 means as long as they like."""

    def __post_init__(self) -> None:
        if not 1 <= len(set(self.games)) == len(self.games) <= MAX_GAMES:
            raise BadEvent(_("An event has 1 to {most} different games.", most=MAX_GAMES))
        if self.format not in FORMATS:
            raise BadEvent(_("The format of an event is {formats}.", formats=either(FORMATS)))
        if not 1 <= self.minutes <= MAX_MINUTES:
            raise BadEvent(_("An arena lasts 1 to {most} minutes.", most=MAX_MINUTES))
        if not 1 <= self.rounds <= MAX_ROUNDS:
            raise BadEvent(_("A Swiss has 1 to {most} rounds.", most=MAX_ROUNDS))
        if self.level not in COMPUTERS:
            raise BadEvent(_("The computer plays {levels}.", levels=either(COMPUTERS)))
        if self.move_seconds and not MIN_MOVE_SECONDS <= self.move_seconds <= MAX_MOVE_SECONDS:
            raise BadEvent(
                _(
                    "A move may take {least} to {most} seconds.",
                    least=MIN_MOVE_SECONDS,
                    most=MAX_MOVE_SECONDS,
                )
            )
        if not 0 <= self.game_minutes <= MAX_GAME_MINUTES:
            raise BadEvent(_("A player has 1 to {most} minutes for a game.", most=MAX_GAME_MINUTES))
        if self.move_seconds and self.game_minutes:
            raise BadEvent(_("The clock counts each move or the whole game, not both."))

    @property
    def room(self) -> int:
        """How many people may take part at once."""
        return MAX_ROUND_ROBIN if self.format == "round-robin" else MAX_PLAYERS

    def plays(self, game: Game) -> bool:
        """Whether a game is played here, on a board of any size."""
        return any(text.split()[0] == game.id for text in self.games)

    def json(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {**asdict(self), "games": list(self.games)}

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Settings:
        """The settings that `json` gave."""
        return cls(**{**data, "games": tuple(data["games"])})


def called(game: Game) -> str:
    """A game as people call it, with what is unusual: ``Juniper Green (up to 30)``."""
    changes = ", ".join(game.changes)
    return f"{game.display_name} ({changes})" if changes else game.display_name


def chosen(games: Iterable[Game], **settings: Any) -> Settings:
    """The settings of an event with some games."""
    return Settings(tuple(f"{game.id} {game.variant_text}".strip() for game in games), **settings)


@lru_cache(maxsize=64)
def read_game(text: str) -> Game:
    """A game of an event, from its text."""
    name, *pairs = text.split()
    return find(name, **read_settings(pairs))
