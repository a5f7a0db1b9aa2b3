"""The findings of an audit as plain data, as lines of a table, and as a page."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from numduel.core.text import counted, percentage
from numduel.lab import figures
from numduel.lab.audit.findings import Audit, Opening
from numduel.solver.values import Option, Value


class Row(NamedTuple):
    """A line of the table: its section, its name and its value."""

    part: str
    name: str
    value: str


def data(found: Audit) -> dict[str, object]:
    """The audit as plain data."""
    value, choices = found.value, found.decisions
    return {
        "game": found.game.id,
        "variant": found.game.settings,
        "draws": found.draws,
        "value": _without_none(value._asdict()),
        "openings": [
            _without_none({"card": card, **option.json()}) for card, option in found.openings
        ],
        "positions": found.positions,
        "finished": found.finished,
        "games": sum(found.games.values()),
        "games_by_length": {str(length): count for length, count in found.games.items()},
        "shortest": min(found.games),
        "longest": max(found.games),
        "random_lengths": {str(length): p for length, p in found.random_lengths.items()},
        "decisions": _without_none(choices._asdict()),
        "perfect_beats_random": {"first": found.perfect_first, "second": found.perfect_second},
        "first_player_wins": found.equals,
        "endings": [ending._asdict() for ending in found.endings],
        "missing": list(found.missing),
    }


def rows(found: Audit) -> list[Row]:
    """The audit as lines of a table."""
    return [
        *_result_rows(found),
        *_count_rows(found),
        *_decision_rows(found),
        *_skill_rows(found),
        *(
            Row("Endings", text, counted(count, "position") if count else "never")
            for text, count in found.endings
        ),
        *(Row("Not computed", *note.split(": ", 1)) for note in found.missing),
    ]


def _result_rows(found: Audit) -> list[Row]:
    part = "With best play"
    moves = {None: "", 1: " move"}.get(found.value.plies, " moves")
    draws = f"{found.draws:,} of {found.finished:,} finished positions"
    return [
        Row("Draws", "possible", f"{'yes' if found.draws else 'no'}: {draws}"),
        Row(part, "the first player", _worth(found.value) + moves),
        *(Row(part, f"opening {name}", worth) for name, worth in _openings(found.openings)),
    ]


def _worth(value: Value | Option) -> str:
    """``wins by 3``, ``loses in 5``, or a chance to win."""
    verdict = "wins" if value.win_probability else "loses"
    if value.margin is not None:
        return f"{verdict} by {abs(value.margin)}"
    if value.plies is not None:
        return f"{verdict} in {value.plies}"
    return f"wins {_exact(value.win_probability)}"


def _openings(openings: tuple[Opening, ...]) -> list[tuple[str, str]]:
    groups: dict[tuple[int | None, str], list[str]] = {}
    for card, option in openings:
        worth = _worth(option) + (", best" if option.best else "")
        groups.setdefault((card, worth), []).append(str(option.move))
    return [(", ".join(moves), worth) for (_, worth), moves in groups.items()]


def _count_rows(found: Audit) -> list[Row]:
    part, games = "Size", found.games
    total = sum(games.values())
    mean = sum(length * p for length, p in found.random_lengths.items())
    return [
        Row(part, "reachable positions", f"{found.positions:,}"),
        Row(part, "finished among them", f"{found.finished:,}"),
        Row(part, "different games", f"{total:,}"),
        Row(part, "shortest and longest game", f"{min(games)} and {counted(max(games), 'move')}"),
        Row(part, "mean length of a random game", f"{mean:.2f} moves"),
        *(
            Row("Games by length", counted(length, "move"),
                f"{count:,} ({_exact(found.random_lengths[length])} of random play)")
            for length, count in games.items()
        ),
    ]  # fmt: skip


def _decision_rows(found: Audit) -> list[Row]:
    part, choices = "Decisions", found.decisions
    made = [
        Row(part, "positions with a choice", f"{choices.positions:,}"),
        Row(part, "the result depends on it", _share(choices.result, choices.positions)),
        Row(part, "… in random play", _exact(choices.random_result)),
    ]
    if choices.points is not None and choices.random_points is not None:
        made += [
            Row(part, "points depend on it", _share(choices.points, choices.positions)),
            Row(part, "… in random play", _exact(choices.random_points)),
        ]
    return made


def _skill_rows(found: Audit) -> list[Row]:
    return [
        Row("Perfect beats random", "moving first", _exact(found.perfect_first)),
        Row("Perfect beats random", "moving second", _exact(found.perfect_second)),
        *(
            Row("First player wins", f"between equals: {kind}", _exact(chance))
            for kind, chance in found.equals.items()
        ),
    ]


def page(found: Audit) -> str:
    """The audit as one page that needs nothing else."""
    by_length = [(str(length), chance) for length, chance in found.random_lengths.items()]
    skill = [("moving first", found.perfect_first), ("moving second", found.perfect_second)]
    charts = {
        "Length of a random game": by_length,
        "Perfect beats random": skill,
        "The first player wins, between equals": [*found.equals.items()],
        "A choice matters": _shares(found),
    }
    blocks: list[figures.Block] = [
        figures.Text("Every number here was computed over all positions; none is an estimate."),
        *(
            figures.BarChart(title, [figures.Bar(*bar) for bar in bars])
            for title, bars in charts.items()
        ),
        *(
            figures.Table(part, [(row.name, row.value) for row in lines])
            for part, lines in groupby(rows(found), key=attrgetter("part"))
        ),
    ]
    return figures.page(f"{found.game}: audit", blocks, generator="numduel audit")


def _shares(found: Audit) -> list[tuple[str, float]]:
    choices = found.decisions
    every = max(choices.positions, 1)
    bars = [("of positions", choices.result / every), ("in random play", choices.random_result)]
    if choices.points is not None and choices.random_points is not None:
        bars += [("points, of positions", choices.points / every),
                 ("points, in random play", choices.random_points)]  # fmt: skip
    return bars


def _without_none(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _exact(share: float) -> str:
    return percentage(share, 4)


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({_exact(part / whole if whole else 0.0)})"
