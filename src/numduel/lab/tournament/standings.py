"""What the results of a tournament say about each player.

*Par* is the chance of a seat to win after the opening, if both play their best; the *better seat*
is the one that it favours. *Over par* is how much more often than that a player won. *Share* is how
much of its chance to win a player kept at its decisions: 1 for perfect play, in either seat and
with any luck. *Regret* is what a decision lost on average: chance to win, and in a counted game
points, too. *Faults* are games lost by an illegal answer or by none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from numduel.core.game import Game
from numduel.lab.tournament import ratings
from numduel.lab.tournament.jobs import Result, Tally, Tournament
from numduel.lab.tournament.ratings import Estimate, Part, Rating, mean, wilson


@dataclass(frozen=True)
class Seat:
    """A player over many games, in one seat."""

    par: float | None
    """The mean of its games; None if there are none."""
    wins: int
    faults: int
    tallies: tuple[Tally, ...]
    """Its decisions, game by game."""

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.tallies)

    @property
    def rate(self) -> float | None:
        """The share of games won."""
        return self.wins / self.games if self.games else None

    @property
    def share(self) -> Estimate | None:
        """The share of the chance to win that was kept; None if there never was any."""
        return mean(Part(tally.kept, tally.best, 0.0, tally.best) for tally in self.tallies)

    def json(self) -> dict[str, object]:
        """The seat as plain data."""
        return {
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.rate,
            "interval": wilson(self.wins, self.games),
            "par": self.par,
            **_json("share", self.share),
            "faults": self.faults,
            **_sum(self.tallies)._asdict(),
        }


@dataclass(frozen=True)
class Standing(Seat):
    """A player in one game of a tournament, over both seats."""

    name: str
    seats: tuple[Seat, Seat]
    rating: Rating
    against: dict[str, tuple[int, int]]
    """Games won and played, by opponent."""
    most_points: int
    """The most that a game can lose, if it is counted."""

    @property
    def over_par(self) -> float | None:
        """How much more often it won than a perfect player in its seats would have."""
        expected = sum(seat.games * (seat.par or 0.0) for seat in self.seats)
        return (self.wins - expected) / self.games if self.games else None

    @property
    def decisions(self) -> int:
        """How many decisions it made."""
        return _sum(self.tallies).decisions

    @property
    def regret(self) -> Estimate | None:
        """The chance to win that a decision lost."""
        return self._lost([tally.regret for tally in self.tallies], 1)

    @property
    def points(self) -> Estimate | None:
        """The points that a decision lost, in a game that is counted."""
        lost = [tally.points for tally in self.tallies if tally.points is not None]
        return self._lost(lost, self.most_points) if lost else None

    def _lost(self, lost: list[float], once: float) -> Estimate | None:
        """The mean loss of a decision, given that of each game, and the most that can be lost once.
        More is lost in a game only if the opponent or a card gives it back: the most is then what
        the worst game lost."""
        made, most = [tally.decisions for tally in self.tallies], max([once, *lost])
        return mean(Part(one, count, 0.0, most) for one, count in zip(lost, made, strict=True))

    def json(self) -> dict[str, object]:
        """The standing as plain data."""
        return {
            "name": self.name,
            "games": self.games,
            "wins": self.wins,
            "faults": self.faults,
            "fault_rate": self.faults / self.games if self.games else None,
            "over_par": self.over_par,
            **_json("share", self.share),
            "decisions": self.decisions,
            **_json("regret_per_decision", self.regret),
            **_json("points_per_decision", self.points),
            "rating": self.rating._asdict(),
            "seats": [seat.json() for seat in self.seats],
            "against": {
                name: {"wins": wins, "games": games} for name, (wins, games) in self.against.items()
            },
        }


@dataclass(frozen=True)
class GameStandings:
    """The standings of one game."""

    game: Game
    played: int
    distinct: int
    """How many games differed in their players, their seats or their moves."""
    par: tuple[float, float] | None
    """Of seats 1 and 2: the mean over all games; None if there are none."""
    standings: tuple[Standing, ...]
    """Best rating first."""
    better_seat: Rating
    """What sitting in the seat that par favours is worth."""

    def json(self) -> dict[str, object]:
        """The table as plain data."""
        return {
            "game": self.game.id,
            "variant": self.game.settings,
            "played": self.played,
            "distinct": self.distinct,
            "par": self.par and list(self.par),
            "better_seat": self.better_seat._asdict(),
            "players": [standing.json() for standing in self.standings],
        }


@dataclass(frozen=True)
class Standings:
    """A tournament with its results."""

    tournament: Tournament
    tables: tuple[GameStandings, ...]
    overall: dict[str, Rating]
    """Ratings over all games, best first."""
    played: int
    faults: tuple[tuple[str, str, int], ...]
    """Every kind of fault: who made it, what happened, and in how many games."""

    def json(self) -> dict[str, object]:
        """The standings as plain data."""
        return {
            **self.tournament.header(),
            "rounds": self.tournament.rounds,
            "played": self.played,
            "tables": [table.json() for table in self.tables],
            "overall": {name: rating._asdict() for name, rating in self.overall.items()},
            "faults": [
                {"name": name, "why": why, "games": games} for name, why, games in self.faults
            ],
        }


def standings(tournament: Tournament, results: Iterable[Result]) -> Standings:
    """The standings. The order of the results makes no difference."""
    # In another order, sums would differ in the last digit.
    found = sorted(results, key=lambda result: result.key)
    overall, _ = ratings.rate(map(_met, found))
    faults: dict[tuple[str, str], int] = {}
    for result in found:
        if result.fault is not None:
            what = result.players[result.fault.seat - 1], result.fault.why
            faults[what] = faults.get(what, 0) + 1
    return Standings(
        tournament,
        tuple(_table(tournament, game, found) for game in tournament.games),
        dict(sorted(overall.items(), key=lambda pair: -pair[1].points)),
        len(found),
        tuple((*what, games) for what, games in sorted(faults.items())),
    )


def _json(name: str, found: Estimate | None) -> dict[str, float | None]:
    value, low, high = found or (None, None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def _met(result: Result) -> ratings.Game:
    better = 1 if result.par >= 0.5 else 2
    one, two = result.players if better == 1 else result.players[::-1]
    return ratings.Game(one, two, result.game, result.winner == better)


def _table(tournament: Tournament, game: Game, results: list[Result]) -> GameStandings:
    mine = [result for result in results if result.game == game.id]
    rated, seats = ratings.rate(map(_met, mine))
    nobody = Rating(0.0, 0.0)
    names, rows = [entrant.name for entrant in tournament.entrants], []
    for name in names:
        one, two = _seat(name, 1, mine), _seat(name, 2, mine)
        rows.append(
            Standing(
                None, one.wins + two.wins, one.faults + two.faults, one.tallies + two.tallies,
                name, (one, two), rated.get(name, nobody),
                {other: _against(name, other, mine) for other in names if other != name},
                game.bounds.points,
            )
        )  # fmt: skip
    rows.sort(key=lambda standing: -standing.rating.points)
    par = _par(mine, 1)
    return GameStandings(
        game,
        len(mine),
        len({(result.players, result.moves) for result in mine}),
        None if par is None else (par, 1 - par),
        tuple(rows),
        seats.get(game.id, nobody),
    )


def _par(results: list[Result], seat: int) -> float | None:
    if not results:
        return None
    first = sum(result.par for result in results) / len(results)
    return first if seat == 1 else 1 - first


def _seat(name: str, seat: int, results: list[Result]) -> Seat:
    mine = [result for result in results if result.players[seat - 1] == name]
    return Seat(
        _par(mine, seat),
        sum(result.winner == seat for result in mine),
        sum(result.fault is not None and result.fault.seat == seat for result in mine),
        tuple(result.seats[seat - 1] for result in mine),
    )


def _against(name: str, other: str, results: list[Result]) -> tuple[int, int]:
    met = [result for result in results if set(result.players) == {name, other}]
    return sum(result.players[result.winner - 1] == name for result in met), len(met)


def _sum(tallies: Iterable[Tally]) -> Tally:
    columns: Iterable[Any] = zip(*tallies, strict=True)
    summed: Iterable[Any] = (None if None in column else sum(column) for column in columns)
    return Tally(*summed)
