"""A tournament as tables, as Markdown, and as one page with plots that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from numduel.core.game import Game
from numduel.paper import paper
from numduel.tournament.ratings import Rating, wilson
from numduel.tournament.standings import GameStandings, Seat, Standing, Standings

MARK = "Made by numduel tournament"
"""What a report says about itself: one may take the place of another, and of nothing else."""
NONE = "–"
WIDTH, ROW, LEFT, RIGHT, LETTER = 640, 26, 150, 510, 7
"""Of a plot: its width, the height of a line, where its scale begins and ends, and what a letter
takes."""
MEANING = (
    "Seat 1 begins. Win rates have 95 % intervals (Wilson). Over par: how much more often a player"
    " won than perfect play against itself does, in percentage points. Share: how much of the"
    " chance to win that there was at its decisions a player kept. Regret, points lost: what a"
    " decision gave away on average, exactly. Faults: games lost by an illegal answer or by none."
    " Rating: Elo points by Bradley and Terry's model with an advantage for seat 1, mean 0, with"
    " 95 % intervals; everybody is taken to have drawn one more game with an average player."
)


class Grid(NamedTuple):
    """A table in no particular medium."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def grids(found: Standings) -> list[Grid]:
    """Every table of a tournament: each game, who beat whom in it, and all games together."""
    made = [grid for table in found.tables for grid in (_standing(table), _cross(table))]
    if len(found.tables) > 1:
        rows = tuple((name, _rating(rating)) for name, rating in found.overall.items())
        made.append(Grid("All games", "", ("player", "rating"), rows))
    if found.faults:
        told = tuple((name, str(games), why) for name, why, games in found.faults)
        made.append(Grid("Faults", "", ("player", "games", "what happened"), told))
    return made


def title(game: Game) -> str:
    """A game and its variant."""
    settings = ", ".join(f"{key}={value}" for key, value in game.settings.items())
    return f"{game.title}, {settings}"


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
        title(table.game),
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
            _marked(grid.head),
            "|" + " --- |" + " ---: |" * (len(grid.head) - 1),
            *map(_marked, grid.rows),
        ]
        parts += [f"## {_plain(grid.title)}", *([grid.note] if grid.note else []), "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _marked(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """A text that means nothing to Markdown or HTML."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|~&" else char for char in text)


def _heading(found: Standings) -> str:
    return f"Tournament of {len(found.tournament.entrants)} players"


# -- the page -----------------------------------------------------------------------------------


def page(found: Standings) -> str:
    """The tournament as one page: tables and plots, no script, nothing from elsewhere."""
    made = {grid.title: _html(grid) for grid in grids(found)}
    plots = {title(table.game): _plots(table) for table in found.tables}
    body = [part + plots.get(name, "") for name, part in made.items()]
    if len(found.tables) > 1:
        body.append(_rated("Ratings over all games", found.overall))
    head = [
        f"<p>{found.played:,} games, played by</p>",
        f"<pre>{escape(found.tournament.command())}</pre>",
        f"<p>{escape(MEANING)}</p>",
    ]
    return paper(_heading(found), "\n".join([*head, *body]), style=STYLE, maker=MARK)


def _html(grid: Grid) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in grid.head)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>\n"
        for row in grid.rows
    )
    return (
        f"<h2>{escape(grid.title)}</h2>\n<p>{escape(grid.note)}</p>\n"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>'
        "</div>"
    )


class Whisker(NamedTuple):
    """A line of a plot: a value with its interval."""

    name: str
    low: float
    value: float
    high: float
    text: str
    hollow: bool = False


def _plots(table: GameStandings) -> str:
    wins = []
    for one in table.standings:
        for number, seat in enumerate(one.seats, 1):
            low, high = wilson(seat.wins, seat.games)
            wins.append(
                Whisker(f"{one.name}, seat {number}", low, seat.rate or 0.0, high,
                        _percent(seat.rate), number == 2)
            )  # fmt: skip
    regrets = [
        Whisker(
            one.name, 0.0, one.regret or 0.0, one.regret or 0.0, f"{100 * (one.regret or 0):.2f} %"
        )
        for one in table.standings
    ]
    most = max((one.value for one in regrets), default=0.0) or 1.0
    rated = {one.name: one.rating for one in table.standings}
    return (
        plot("Win rates with 95 % intervals (seat 1 filled, seat 2 hollow; dashed: par of seat 1)",
             wins, (0.0, 1.0), table.par[0])
        + _rated("Ratings with 95 % intervals (dashed: the mean)", rated)
        + plot("Chance to win that a decision lost", regrets, (0.0, most))
    )  # fmt: skip


def _rated(name: str, rated: dict[str, Rating]) -> str:
    rows = [
        Whisker(who, points - spread, points, points + spread, _rating(Rating(points, spread)))
        for who, (points, spread) in rated.items()
    ]
    ends = [end for row in rows for end in (row.low, row.high)]
    return plot(name, rows, (min(ends, default=-1.0), max(ends, default=1.0)), 0.0)


def plot(
    name: str, rows: Sequence[Whisker], scale: tuple[float, float], dashed: float | None = None
) -> str:
    """A line for each value, with its name and its number, so that colour says nothing."""
    low, high = scale
    tall = ROW * len(rows) + 10
    # Long names make the picture wider, to the left.
    more = max(0, LETTER * max((len(row.name) for row in rows), default=0) - LEFT + 12)

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - low) / ((high - low) or 1)

    drawn = []
    if dashed is not None:
        at = f"{x(dashed):.1f}"
        drawn.append(f'<line class="par" x1="{at}" y1="0" x2="{at}" y2="{tall}"/>')
    for number, row in enumerate(rows):
        y = ROW * number + ROW / 2 + 5
        drawn.append(
            f'<text class="name" x="{LEFT - 12}" y="{y + 4:.1f}">{escape(row.name)}</text>'
            f'<line x1="{x(row.low):.1f}" y1="{y:.1f}" x2="{x(row.high):.1f}" y2="{y:.1f}"/>'
            f'<circle class="{"hollow" if row.hollow else "filled"}" cx="{x(row.value):.1f}"'
            f' cy="{y:.1f}" r="5"/>'
            f'<text x="{RIGHT + 12}" y="{y + 4:.1f}">{escape(row.text)}</text>'
        )
    return (
        f"<figure><figcaption>{escape(name)}</figcaption>"
        f'<svg viewBox="{-more} 0 {WIDTH + more} {tall}" role="img" aria-label="{escape(name)}">'
        f"{''.join(drawn)}</svg></figure>\n"
    )


STYLE = """pre, .wide { overflow-x: auto; }
line { stroke: var(--ink); stroke-width: 2; }
line.par { stroke-width: 1; stroke-dasharray: 4 4; }
circle { fill: var(--mark); stroke: var(--ink); stroke-width: 2; }
circle.hollow { fill: var(--paper); }
text.name { text-anchor: end; }
th, td { border-top: 1px solid var(--rule); padding: .2rem 1rem .2rem 0; text-align: right;
  white-space: nowrap; }
th:first-child { text-align: left; }
"""
