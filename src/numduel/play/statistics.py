"""What games add up to: wins by game, level and seat, with help counted apart, as plain data.

It comes from the records on this machine, or from somebody's games on a server; nothing is sent
anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from numduel.core.language import N_, _, plural
from numduel.core.text import HUMAN, percentage
from numduel.games import game as find
from numduel.games import games
from numduel.play.record import Record

LATEST = 20
"""The latest games against the computer, which are listed one by one."""


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
        """``7 of 12 games won (58 %)``."""
        return plural(
            "{won} of {n:,} game won ({share})",
            "{won} of {n:,} games won ({share})",
            self.games, won=self.won, share=percentage(self.share),
        )  # fmt: skip

    def add(self, won: int, games: int = 1) -> Tally:
        """The tally after more games."""
        return Tally(self.won + won, self.games + games)


class Played(NamedTuple):
    """A game in which somebody has made a move, as far as it counts."""

    id: str
    """The name of its file, or its id on the server."""
    game: str
    """The short name of the game: ``duel``."""
    players: tuple[str, str]
    names: tuple[str, str]
    first: int
    winner: int | None
    helped: bool
    """Whether a player had help."""
    record: str
    """The moves as a record, by which the game can be judged."""

    @classmethod
    def of(cls, name: str, record: Record) -> Self:
        """What counts of a record, and the name or id by which it is known."""
        moves = Record(record.states, forgiving=record.forgiving, date=None)
        return cls(
            name, record.game.name, record.players, record.names, record.states[0].first,
            record.state.winner, bool(record.help), moves.text(),
        )  # fmt: skip

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat in (1, 2) if self.players[seat - 1] == HUMAN]

    @property
    def seat(self) -> int:
        """Where the only person sat."""
        return self.people[0]

    @property
    def won(self) -> bool:
        """Whether that person won."""
        return self.winner == self.seat

    @property
    def level(self) -> str:
        """The kind of computer player: ``hard``."""
        return self.players[2 - self.seat]

    @property
    def began(self) -> bool:
        """Whether the person moved first."""
        return self.first == self.seat


class Count(NamedTuple):
    """Games of one person against the computer that are alike."""

    game: str
    level: str
    began: bool
    helped: bool
    tally: Tally


@dataclass(frozen=True)
class Statistics:
    """What games add up to."""

    counts: tuple[Count, ...] = ()
    """Games of one person against the computer, the latest played first."""
    latest: tuple[Played, ...] = ()
    """The latest of those, the latest first."""
    streak: int = 0
    """How many of the latest ones were won in a row without help, up to the last."""
    longest: int = 0
    """The most that were won in a row without help."""
    names: tuple[tuple[str, Tally], ...] = ()
    """Wins between two people by their names, the latest played first."""
    people: int = 0
    """Games between two people."""
    computers: int = 0
    """Games between two computers."""
    unfinished: int = 0
    """Games that are not over, which count for nobody."""

    def known(self) -> Self:
        """Without games against the computer that are not installed here."""
        names = {kind.name for kind in games()}
        counts = tuple(count for count in self.counts if count.game in names)
        latest = tuple(one for one in self.latest if one.game in names)
        return replace(self, counts=counts, latest=latest)

    @property
    def against(self) -> int:
        """How many games were against the computer."""
        return sum(count.tally.games for count in self.counts)

    @property
    def games(self) -> int:
        """How many games are over."""
        return self.against + self.people + self.computers

    @property
    def text(self) -> str:
        """``4 games: 2 against the computer, 1 between two people, 1 not over``."""
        kinds = {
            N_("{count} against the computer"): self.against,
            N_("{count} between two people"): self.people,
            N_("{count} between two computers"): self.computers,
            N_("{count} not over"): self.unfinished,
        }
        parts = ", ".join(_(kind, count=count) for kind, count in kinds.items() if count)
        if not parts:
            return _("No games yet")
        return plural(
            "{n:,} game: {parts}", "{n:,} games: {parts}", self.games + self.unfinished, parts=parts
        )

    def by(self, key: Callable[[Count], str], *, helped: bool = False) -> dict[str, Tally]:
        """Wins against the computer without help, or with it, by a key, the latest played first."""
        found: dict[str, Tally] = {}
        for count in self.counts:
            if count.helped == helped:
                name = key(count)
                found[name] = found.get(name, Tally()).add(*count.tally)
        return found

    def total(self, *, helped: bool = False) -> Tally:
        """Wins against the computer without help, or with it."""
        return self.by(lambda _: "", helped=helped).get("", Tally())

    def by_game(self, *, helped: bool = False) -> dict[str, Tally]:
        """Wins by the name of the game."""
        return self.by(lambda count: find(count.game).display_name, helped=helped)

    def by_level(self) -> dict[str, Tally]:
        """Wins by the kind of computer player."""
        return self.by(lambda count: count.level)

    def by_seat(self) -> dict[str, Tally]:
        """Wins by who began."""
        return self.by(lambda count: _("moving first") if count.began else _("moving second"))


def statistics(played: Iterable[Played]) -> Statistics:
    """What games add up to, the latest first. Those in which no person has moved are not among
    them; see `numduel.play.record.Record.unplayed`."""
    against: list[Played] = []
    names: dict[str, Tally] = {}
    people = computers = unfinished = 0
    for one in played:
        if one.winner is None:
            unfinished += 1
        elif len(one.people) == 1:
            against.append(one)
        elif one.people:
            people += 1
            for seat, name in enumerate(one.names, 1):
                names[name] = names.get(name, Tally()).add(one.winner == seat)
        else:
            computers += 1
    alike: dict[tuple[str, str, bool, bool], Tally] = {}
    for one in against:
        key = one.game, one.level, one.began, one.helped
        alike[key] = alike.get(key, Tally()).add(one.won)
    rows = _rows([one.won for one in against if not one.helped])
    return Statistics(
        tuple(Count(*key, tally) for key, tally in alike.items()),
        tuple(against[:LATEST]),
        rows[0],
        max(rows),
        tuple(names.items())[:LATEST],
        people,
        computers,
        unfinished,
    )


def _rows(won: Iterable[bool]) -> list[int]:
    """How many were won in a row, each time: ``True, True, False, True`` are 2 and 1."""
    rows = [0]
    for one in won:
        if one:
            rows[-1] += 1
        else:
            rows.append(0)
    return rows
