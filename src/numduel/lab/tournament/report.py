"""The standings as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numduel.core.text import counted, percentage, signed
from numduel.lab.tournament.ratings import Estimate, Rating, wilson
from numduel.lab.tournament.standings import GameStandings, Seat, Standings

NONE = "–"
"""Stands for a missing value."""
MEANING = (
    "Seat 1 begins. Intervals cover 95 %. Over par: how much more often a player won than perfect"
    " play against itself would, in percentage points. Share: how much of its chance a player"
    " kept. Regret: what a decision gave away on average. Faults: games lost by an illegal answer"
    " or by none. Rating: Elo points, mean 0."
)
"""What the columns mean."""


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row is its name."""

    title: str
    rows: Sequence[Sequence[str]]
    head: Sequence[str]
    note: str = ""
    """A sentence between the title and the table."""


def tables(found: Standings) -> list[Table]:
    """Every table: three for each game, one for all games together, and one for faults."""
    made = [part(game) for game in found.tables for part in (_results, _decisions, _cross)]
    if len(found.tables) > 1:
        rows = tuple((name, _rating(rating)) for name, rating in found.overall.items())
        made.append(Table("All games", rows, ("player", "rating")))
    if found.faults:
        told = tuple((why, name, str(games)) for name, why, games in found.faults)
        made.append(Table("Faults", told, ("what happened", "player", "games")))
    return made


def _results(table: GameStandings) -> Table:
    head = ("player", "rating", "seat 1 wins", "seat 2 wins", "over par", "faults")
    rows = tuple(
        (
            one.name,
            _rating(one.rating),
            *map(_won, one.seats),
            NONE if one.over_par is None else signed(100 * one.over_par, ".1f"),
            str(one.faults),
        )
        for one in table.standings
    )
    return Table(str(table.game), rows, head, _note(table))


def _note(table: GameStandings) -> str:
    if table.par is None:
        return "No games."
    different = "all" if table.distinct == table.played else f"{table.distinct:,}"
    one, two = map(_percent, table.par)
    return (
        f"{counted(table.played, 'game')}, {different} different."
        f" Par is {one} in seat 1 and {two} in seat 2."
        f" {_seats_worth(table.better_seat)}"
    )


def _seats_worth(advantage: Rating) -> str:
    if abs(advantage.points) <= advantage.spread:
        return "No difference between the seats could be measured."
    return f"The better seat was worth {_rating(advantage)} Elo points."


def _decisions(table: GameStandings) -> Table:
    head = ["player", "decisions", "share kept", "regret (chance)"]
    if table.game.rules.margin is not None:
        head.append("regret (points)")
    rows = tuple(
        (
            one.name,
            f"{one.decisions:,}",
            _interval(one.share),
            _interval(one.regret),
            _interval(one.points, 1, 2, ""),
        )[: len(head)]
        for one in table.standings
    )
    return Table(f"{table.game.display_name}: decisions", rows, tuple(head))


def _cross(table: GameStandings) -> Table:
    names = [standing.name for standing in table.standings]
    rows = tuple(
        (one.name, *("/".join(map(str, one.against.get(other, ()))) for other in names))
        for one in table.standings
    )
    return Table(f"{table.game.display_name}: games won against each other", rows, ("", *names))


def _won(seat: Seat) -> str:
    if seat.rate is None:
        return NONE
    return _interval(Estimate(seat.rate, *wilson(seat.wins, seat.games)), digits=0)


def _interval(found: Estimate | None, scale: int = 100, digits: int = 1, unit: str = " %") -> str:
    """``60 % [41–77]``, or ``60 % (too few)`` where there is no interval."""
    if found is None:
        return NONE
    value, low, high = (None if one is None else f"{scale * one:z.{digits}f}" for one in found)
    if low is None or high is None:
        return f"{value}{unit} (too few)"
    between = " to " if low.startswith("-") else "–"
    return f"{value}{unit} [{low}{between}{high}]"


def _percent(share: float | None) -> str:
    return NONE if share is None else percentage(share, 1)


def _rating(rating: Rating) -> str:
    return f"{signed(round(rating.points))} ± {rating.spread:.0f}"
