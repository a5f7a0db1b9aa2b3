"""The standings as tables, as Markdown, and as one page with charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from numduel.core.text import counted, percentage, signed
from numduel.lab import figures
from numduel.lab.figures import NONE, Table, with_interval
from numduel.lab.tournament.jobs import RANDOM
from numduel.lab.tournament.ratings import LEAST, Estimate, Rating, wilson
from numduel.lab.tournament.standings import GameStandings, Seat, Standings

MARK = "Made by numduel tournament"
"""Is in every report: a report may overwrite another report, and nothing else."""
ALL_GAMES = "All games"
MEANING = (
    "Seat 1 begins. Intervals cover 95 %. Over par: how much more often a player won than perfect"
    " play against itself would, in percentage points. Share: how much of its chance a player"
    " kept. Regret: what a decision gave away on average. Faults: games lost by an illegal answer"
    " or by none. Rating: Elo points, mean 0."
)
"""What the columns mean."""
METHOD = (
    " Par is that of the same openings. Intervals of win rates are Wilson's; those of share and"
    " regret are Gaffke's, which also allow for losses that are too rare to have been seen, and"
    " take games as the sample, as decisions of a game depend on each other. Fewer than"
    f" {LEAST} games are too few for them. A fault is judged as the worst legal move."
    " Ratings are by Bradley and Terry's model with an advantage for the better seat;"
    " everyone is counted as having drawn one more game against an average player."
)
"""How the figures are computed, in reports that are kept."""
CHANCE, POINTS = (100, 1, " %"), (1, 2, "")
"""How regret is written: the scale, the digits after the point, and the unit."""
OPENING_MEANING = (
    " Games without cards begin with two or three random moves, which are not judged{}."
)
TWICE = "; each opening is played twice, with seats exchanged"
NOT_AGAIN = "No command plays all of them again: a secret was lost before it was told."
"""What a report says instead of the command."""


def meaning(found: Standings) -> str:
    """What the columns mean and how they are computed, in a paragraph."""
    text = MEANING + METHOD
    if found.tournament.openings == RANDOM:
        text += OPENING_MEANING.format(TWICE if found.repeatable else "")
    return text


def tables(found: Standings) -> list[Table]:
    """Every table: three for each game, one for all games together, and one for faults."""
    made = [part(game) for game in found.tables for part in (_results, _decisions, _cross)]
    if len(found.tables) > 1:
        rows = tuple((name, _rating(rating)) for name, rating in found.overall.items())
        made.append(Table(ALL_GAMES, rows, ("player", "rating")))
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
            _mean(one.share, 100, 1, " %"),
            _mean(one.regret, *CHANCE),
            _mean(one.points, *POINTS),
        )[: len(head)]
        for one in table.standings
    )
    return Table(_decisions_title(table), rows, tuple(head))


def _decisions_title(table: GameStandings) -> str:
    return f"{table.game.display_name}: decisions"


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
    return with_interval(seat.rate, wilson(seat.wins, seat.games))


def _mean(found: Estimate | None, scale: int, digits: int, unit: str) -> str:
    if found is None:
        return NONE
    return with_interval(found.value, (found.low, found.high), scale, digits, unit)


def _percent(share: float | None) -> str:
    return NONE if share is None else percentage(share, 1)


def _rating(rating: Rating) -> str:
    return f"{signed(round(rating.points))} ± {rating.spread:.0f}"


# -- Markdown -----------------------------------------------------------------------------------


def markdown(found: Standings) -> str:
    """All tables as Markdown, with the command that makes them, if there is one."""
    parts = [
        f"# {_heading(found)}",
        f"<!-- {MARK} -->",
        f"{counted(found.played, 'game')}, played by numduel"
        f" {found.tournament.header()['version']}{':' if found.repeatable else '.'}",
        f"```sh\n{found.command}\n```" if found.repeatable else NOT_AGAIN,
        meaning(found),
    ]
    for grid in tables(found):
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
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|~&" else char for char in text)


def _heading(found: Standings) -> str:
    return f"Tournament of {len(found.tournament.entrants)} players"


# -- the page -----------------------------------------------------------------------------------


def page(found: Standings) -> str:
    """The tournament as one page: tables and charts, no script, nothing from elsewhere."""
    charts = {str(table.game): _result_charts(table) for table in found.tables}
    charts |= {_decisions_title(table): [*_regret_charts(table)] for table in found.tables}
    charts[ALL_GAMES] = [_rating_chart("Ratings over all games", found.overall)]
    games = counted(found.played, "game")
    blocks: list[figures.Block] = [figures.Text(f"{games}. {NOT_AGAIN}")]
    if found.repeatable:
        blocks = [figures.Text(f"{games}, played by"), figures.Code(found.command)]
    blocks.append(figures.Text(meaning(found)))
    for grid in tables(found):
        blocks.append(grid)
        blocks += charts.get(grid.title, [])
    return figures.page(_heading(found), blocks, generator=MARK)


def _result_charts(table: GameStandings) -> list[figures.IntervalChart]:
    wins = []
    for one in table.standings:
        for number, seat in enumerate(one.seats, 1):
            low, high = wilson(seat.wins, seat.games)
            name, rate = f"{one.name}, seat {number}", seat.rate
            wins.append(
                figures.Interval(name, low, rate or 0.0, high, _percent(rate), hollow=number == 2)
            )
    return [
        figures.IntervalChart(
            "Win rates with 95 % intervals (seat 1 filled, seat 2 hollow; dashed: par of seat 1)",
            wins,
            (0.0, 1.0),
            table.par and table.par[0],
        ),
        _rating_chart(
            "Ratings with 95 % intervals (dashed: the mean)",
            {one.name: one.rating for one in table.standings},
        ),
    ]


def _regret_charts(table: GameStandings) -> Iterator[figures.IntervalChart]:
    measures = [("chance to win", [(one.name, one.regret) for one in table.standings], CHANCE)]
    if table.game.rules.margin is not None:
        measures.append(("points", [(one.name, one.points) for one in table.standings], POINTS))
    for what, regrets, written in measures:
        rows = [
            figures.Interval(
                who,
                value if low is None else low,
                value,
                value if high is None else high,
                _mean(found, *written),
            )
            for who, found in regrets
            for value, low, high in [found or Estimate(0.0, None, None)]
        ]
        most = max((row.high for row in rows), default=0.0)
        title = f"Regret with 95 % intervals: {what} that a decision lost"
        yield figures.IntervalChart(title, rows, (0.0, most or 1.0))


def _rating_chart(name: str, rated: dict[str, Rating]) -> figures.IntervalChart:
    rows = [
        figures.Interval(who, points - spread, points, points + spread, _rating(rating))
        for who, rating in rated.items()
        for points, spread in [rating]
    ]
    ends = [end for row in rows for end in (row.low, row.high)]
    scale = min(ends, default=-1.0), max(ends, default=1.0)
    return figures.IntervalChart(name, rows, scale, 0.0)
