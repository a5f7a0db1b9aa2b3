"""Statistics of saved games: wins by game, level and seat, and accuracy over time.

They come from the records on this machine; nothing is sent anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from numduel.core.text import HUMAN, counted, percentage
from numduel.files import read_json, write_json
from numduel.play.record import Record

FILE = "accuracy.json"
"""Where accuracies are kept by file name, as judging a game takes a moment."""


class Tally(NamedTuple):
    """Games won, and games played."""

    won: int = 0
    games: int = 0

    @property
    def share(self) -> float:
        """The share of games won."""
        return self.won / self.games if self.games else 0.0

    @property
    def text(self) -> str:
        """``7 of 12 (58 %)``."""
        return f"{self.won} of {self.games} ({percentage(self.share)})"

    def add(self, won: bool) -> Tally:
        """The tally after one more game."""
        return Tally(self.won + won, self.games + 1)


class Played(NamedTuple):
    """A finished game of one person against the computer."""

    name: str
    """The name of its file."""
    record: Record
    seat: int
    """Where the person sat."""

    @property
    def won(self) -> bool:
        """Whether the person won."""
        return self.record.state.winner == self.seat

    @property
    def level(self) -> str:
        """The kind of computer player: ``hard``."""
        return self.record.players[2 - self.seat]

    @property
    def began(self) -> bool:
        """Whether the person moved first."""
        return self.record.states[0].first == self.seat


class Statistics(NamedTuple):
    """What finished games add up to."""

    played: tuple[Played, ...] = ()
    """Games of one person against the computer, the latest first."""
    between: tuple[Record, ...] = ()
    """Games between two people, the latest first."""
    computers: int = 0
    """Games between two computers."""
    unfinished: int = 0
    """Games that are not over, which count for nobody."""

    @property
    def people(self) -> int:
        """How many games were between two people."""
        return len(self.between)

    @property
    def games(self) -> int:
        """How many games are over."""
        return len(self.played) + self.people + self.computers

    @property
    def text(self) -> str:
        """``4 games: 2 against the computer, 1 between two people, 1 not over``."""
        kinds = {
            "against the computer": len(self.played),
            "between two people": self.people,
            "between two computers": self.computers,
            "not over": self.unfinished,
        }
        parts = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
        total = counted(self.games + self.unfinished, "game")
        return f"{total}: {parts}" if parts else total

    @property
    def total(self) -> Tally:
        """Wins against the computer."""
        return self.by(lambda _: "").get("", Tally())

    def by(self, key: Callable[[Played], str]) -> dict[str, Tally]:
        """Wins against the computer by a key, the latest played first."""
        found: dict[str, Tally] = {}
        for one in self.played:
            name = key(one)
            found[name] = found.get(name, Tally()).add(one.won)
        return found

    def by_game(self) -> dict[str, Tally]:
        """Wins by the name of the game."""
        return self.by(lambda one: one.record.game.display_name)

    def by_level(self) -> dict[str, Tally]:
        """Wins by the kind of computer player."""
        return self.by(lambda one: one.level)

    def by_seat(self) -> dict[str, Tally]:
        """Wins by who began."""
        return self.by(lambda one: "moving first" if one.began else "moving second")

    def by_name(self) -> dict[str, Tally]:
        """Wins between two people by their names, the latest played first."""
        found: dict[str, Tally] = {}
        for record in self.between:
            for seat, name in enumerate(record.names, 1):
                found[name] = found.get(name, Tally()).add(record.state.winner == seat)
        return found

    @property
    def streak(self) -> int:
        """How many of the latest games were won in a row, up to the last."""
        for count, one in enumerate(self.played):
            if not one.won:
                return count
        return len(self.played)

    @property
    def longest(self) -> int:
        """The most games that were won in a row."""
        longest = count = 0
        for one in self.played:
            count = count + 1 if one.won else 0
            longest = max(longest, count)
        return longest


def statistics(games: Iterable[tuple[Path, Record]]) -> Statistics:
    """The statistics of saved games, as `numduel.play.store.all_games` lists them."""
    played, between, computers, unfinished = [], [], 0, 0
    for path, record in games:
        seats = [seat for seat in (1, 2) if record.players[seat - 1] == HUMAN]
        if record.state.winner is None:
            unfinished += 1
        elif len(seats) == 1:
            played.append(Played(path.name, record, seats[0]))
        elif seats:
            between.append(record)
        else:
            computers += 1
    return Statistics(tuple(played), tuple(between), computers, unfinished)


def accuracies(played: Iterable[Played]) -> Iterator[tuple[Played, float | None]]:
    """The share of the person's decisions that kept the value in each game, from 0 to 1, or None if
    there was nothing to decide. It is saved, so that it is computed once."""
    from numduel.learn.coach import report

    known = read_json(FILE)
    known = known if isinstance(known, dict) else {}
    for one in played:
        if one.name not in known:
            known[one.name] = report(one.record, one.seat).accuracy(one.seat)
            with suppress(OSError, RuntimeError):
                write_json(FILE, known)
        yield one, _share(known[one.name])


def _share(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and 0 <= value <= 1 else None
