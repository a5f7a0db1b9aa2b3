"""The standings as tables, as Markdown, and as one page with charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from numduel import figures
from numduel.tournament.ratings import Rating, wilson
from numduel.tournament.standings import GameStandings, Seat, Standing, Standings

MARK = "Made by numduel tournament"
"""Stands in every report: a report may be written over another report, and over nothing else."""
NONE = "–"
MEANING = (
    "Seat 1 begins. Win rates have 95 % intervals (Wilson). Over par: how much more often a player"
    " won than perfect play against itself does, in percentage points. Share: how much of the"
    " chance to win that there was at its decisions a player kept. Regret, points lost: what a"
    " decision gave away on average, exactly. Faults: games lost by an illegal answer or by none."
    " Rating: Elo points by Bradley and Terry's model with an advantage for seat 1, mean 0, with"
    " 95 % intervals; everybody is taken to have drawn one more game with an average player."
)


class Grid(NamedTuple):
    """A table, before it is printed in one form or another."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def grids(found: Standings) -> list[Grid]:
    """Every table: two for each game, one for all games together, and one for faults."""
    made = [grid for table in found.tables for grid in (_standing(table), _cross(table))]
    if len(found.tables) > 1:
        rows = tuple((name, _rating(rating)) for name, rating in found.overall.items())
        made.append(Grid("All games", "", ("player", "rating"), rows))
    if found.faults:
        told = tuple((name, str(games), why) for name, why, games in found.faults)
        made.append(Grid("Faults", "", ("player", "games", "what happened"), told))
    return made


def _standing(table: GameStandings) -> Grid:
    counted = table.game.rules.margin is not None
    head = [
        "player",
        "seat 1 wins",
        "seat 2 wins",
        "over par",
        "share",
        "regret",
        "faults",
        "rating",
    ]
    if counted:
        head.insert(6, "points lost")
    par = " and ".join(
        f"{_percent(share)} in seat {seat}" for seat, share in enumerate(table.par, 1)
    )
    return Grid(
        str(table.game),
        f"Par is {par}. Sitting in seat 1 was worth {_rating(table.seat)} points.",
        tuple(head),
        tuple(_row(standing, counted) for standing in table.standings),
    )


def _row(one: Standing, counted: bool) -> tuple[str, ...]:
    over = NONE if one.over_par is None else f"{100 * one.over_par:+.1f}"
    regret = NONE if one.regret is None else f"{100 * one.regret:.2f} %"
    points = NONE if one.points is None else f"{one.points:.2f}"
    return (
        one.name,
        *map(_won, one.seats),
        over,
        _percent(one.share),
        regret,
        *([points] if counted else []),
        str(one.faults),
        _rating(one.rating),
    )


def _cross(table: GameStandings) -> Grid:
    names = [standing.name for standing in table.standings]
    rows = tuple(
        (one.name, *(_score(one.against.get(other)) for other in names)) for one in table.standings
    )
    return Grid(f"{table.game.title}: wins of games against each other", "", ("", *names), rows)


def _score(met: tuple[int, int] | None) -> str:
    return "" if met is None else f"{met[0]}/{met[1]}"


def _won(seat: Seat) -> str:
    if seat.rate is None:
        return NONE
    low, high = wilson(seat.wins, seat.games)
    return f"{100 * seat.rate:.1f} % [{100 * low:.0f}–{100 * high:.0f}]"


def _percent(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.1f} %"


def _rating(rating: Rating) -> str:
    return f"{round(rating.points):+d} ± {rating.spread:.0f}"


# -- Markdown -----------------------------------------------------------------------------------


def markdown(found: Standings) -> str:
    """All tables as Markdown, with the command that makes them."""
    parts = [
        f"# {_heading(found)}",
        f"<!-- {MARK} -->",
        f"{found.played:,} games, played by numduel {found.tournament.header()['version']}:",
        f"```sh\n{found.tournament.command()}\n```",
        MEANING,
    ]
    for grid in grids(found):
        lines = [
            _markdown_row(grid.head),
            "|" + " --- |" + " ---: |" * (len(grid.head) - 1),
            *map(_markdown_row, grid.rows),
        ]
        parts += [
            f"## {_escaped(grid.title)}",
            *([grid.note] if grid.note else []),
            "\n".join(lines),
        ]
    return "\n\n".join(parts) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    """A text with everything escaped that Markdown or HTML would interpret."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|~&" else char for char in text)


def _heading(found: Standings) -> str:
    return f"Tournament of {len(found.tournament.entrants)} players"


# -- the page -----------------------------------------------------------------------------------


def page(found: Standings) -> str:
    """The tournament as one page: tables and charts, no script, nothing from elsewhere."""
    charts = {str(table.game): _charts(table) for table in found.tables}
    blocks: list[figures.Block] = [
        figures.Text(f"{found.played:,} games, played by"),
        figures.Code(found.tournament.command()),
        figures.Text(MEANING),
    ]
    for grid in grids(found):
        blocks.append(figures.Table(grid.title, grid.rows, grid.head, grid.note))
        blocks += charts.get(grid.title, [])
    if len(found.tables) > 1:
        blocks.append(_rating_chart("Ratings over all games", found.overall))
    return figures.page(_heading(found), blocks, generator=MARK)


def _charts(table: GameStandings) -> list[figures.IntervalChart]:
    """The charts of one game: win rates, ratings and regret."""
    wins = []
    for one in table.standings:
        for number, seat in enumerate(one.seats, 1):
            low, high = wilson(seat.wins, seat.games)
            name, rate = f"{one.name}, seat {number}", seat.rate
            wins.append(
                figures.Interval(name, low, rate or 0.0, high, _percent(rate), hollow=number == 2)
            )
    regrets = [
        figures.Interval(one.name, 0.0, regret, regret, f"{100 * regret:.2f} %")
        for one in table.standings
        for regret in [one.regret or 0.0]
    ]
    most = max((row.value for row in regrets), default=0.0) or 1.0
    rated = {one.name: one.rating for one in table.standings}
    return [
        figures.IntervalChart(
            "Win rates with 95 % intervals (seat 1 filled, seat 2 hollow; dashed: par of seat 1)",
            wins,
            (0.0, 1.0),
            table.par[0],
        ),
        _rating_chart("Ratings with 95 % intervals (dashed: the mean)", rated),
        figures.IntervalChart("Chance to win that a decision lost", regrets, (0.0, most)),
    ]


def _rating_chart(name: str, rated: dict[str, Rating]) -> figures.IntervalChart:
    rows = [
        figures.Interval(who, points - spread, points, points + spread, _rating(rating))
        for who, rating in rated.items()
        for points, spread in [rating]
    ]
    ends = [end for row in rows for end in (row.low, row.high)]
    scale = min(ends, default=-1.0), max(ends, default=1.0)
    return figures.IntervalChart(name, rows, scale, 0.0)
