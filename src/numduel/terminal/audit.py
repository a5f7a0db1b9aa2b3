"""The command ``numduel audit``: facts about a whole game, as a table, as data or as a page."""

from __future__ import annotations

import json
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.text import counted, file_name, read_settings
from numduel.files import export
from numduel.games import game as find
from numduel.terminal.choice import choose_game
from numduel.terminal.options import AnyGame, Json, Settings
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

if TYPE_CHECKING:
    from numduel.audit import Audit, Opening

BAR_DELAY = 1.0
"""Seconds before a progress bar appears."""

Html = Annotated[
    str | None,
    typer.Option("--html", metavar="FILE", help="Write one page with plots to this file, too."),
]


class Row(NamedTuple):
    """A line of the table: its section, what it is about, and what is true of that."""

    part: str
    name: str
    value: str


def audit(
    game: AnyGame = None, settings: Settings = None, html: Html = None, as_json: Json = False
) -> None:
    """Work out what is true of a game, exactly and over every position."""
    chosen = choose_game(Screen(), game, "audit")
    if chosen is None:
        return
    kind = find(chosen, **read_settings(settings or ()))
    if html is not None and Path(html).exists():
        raise BadVariant(f"{file_name(html)} exists already; choose another name.")
    found = _audited(kind)
    if html is not None:
        _write(Path(html), page(found))
    if as_json:
        print(json.dumps(data(found)))
    else:
        _show(found, Screen())


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
    draws = f"{_whole(found.draws)} of {_whole(found.finished)} finished positions"
    return [
        Row("Draws", "possible", f"{'yes' if found.draws else 'no'}: {draws}"),
        Row(part, "the first player", _outcome(found)),
        *(Row(part, f"opening {name}", worth) for name, worth in _openings(found.openings)),
    ]


def _outcome(found: Audit) -> str:
    value = found.value
    if found.game.has_deck:
        return f"wins {_percent(value.win_probability)}"
    said = "wins" if value.win_probability else "loses"
    if value.margin is not None:
        return f"{said} by {abs(value.margin)}"
    return f"{said} in {counted(value.plies or 0, 'move')}"


def _openings(openings: tuple[Opening, ...]) -> list[tuple[str, str]]:
    """The openings; those of equal value are on one line."""
    groups: dict[tuple[int | None, str], list[str]] = {}
    for card, option in openings:
        if option.margin is not None:
            worth = f"{'wins' if option.win_probability else 'loses'} by {abs(option.margin)}"
        elif option.plies is not None:
            worth = f"{'wins' if option.win_probability else 'loses'} in {option.plies}"
        else:
            worth = f"wins {_percent(option.win_probability)}"
        groups.setdefault((card, worth + (", best" if option.best else "")), []).append(
            str(option.move)
        )
    return [(", ".join(moves), worth) for (_, worth), moves in groups.items()]


def _count_rows(found: Audit) -> list[Row]:
    part, games = "Size", found.games
    total = sum(games.values())
    mean = sum(length * p for length, p in found.random_lengths.items())
    return [
        Row(part, "reachable positions", _whole(found.positions)),
        Row(part, "finished among them", _whole(found.finished)),
        Row(part, "different games", _whole(total)),
        Row(part, "shortest and longest game", f"{min(games)} and {counted(max(games), 'move')}"),
        Row(part, "mean length of a random game", f"{mean:.2f} moves"),
        *(
            Row("Games by length", counted(length, "move"),
                f"{_whole(count)} ({_percent(found.random_lengths[length])} of random play)")
            for length, count in games.items()
        ),
    ]  # fmt: skip


def _decision_rows(found: Audit) -> list[Row]:
    part, choices = "Decisions", found.decisions
    made = [
        Row(part, "positions with a choice", _whole(choices.positions)),
        Row(part, "the result hangs on it", _share(choices.result, choices.positions)),
        Row(part, "… in random play", _percent(choices.random_result)),
    ]
    if choices.points is not None and choices.random_points is not None:
        made += [
            Row(part, "points hang on it", _share(choices.points, choices.positions)),
            Row(part, "… in random play", _percent(choices.random_points)),
        ]
    return made


def _skill_rows(found: Audit) -> list[Row]:
    return [
        Row("Perfect beats random", "moving first", _percent(found.perfect_first)),
        Row("Perfect beats random", "moving second", _percent(found.perfect_second)),
        *(
            Row("First player wins", f"between equals: {kind}", _percent(chance))
            for kind, chance in found.equals.items()
        ),
    ]


def page(found: Audit) -> str:
    """The audit as one page that needs nothing else."""
    from numduel import figures

    by_length = [(str(length), chance) for length, chance in found.random_lengths.items()]
    skill = [("moving first", found.perfect_first), ("moving second", found.perfect_second)]
    charts = {
        "Games by length in a random game": by_length,
        "Perfect beats random": skill,
        "The first player wins between equals": [*found.equals.items()],
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


def _show(found: Audit, screen: Screen) -> None:
    """Print the table: laid out on a terminal, plain lines through a pipe."""
    title, lines = str(found.game), rows(found)
    if not screen.colour:
        screen.say(title)
        wide = max(len(row.name) for row in lines if row.part != "Endings")
        for i, (part, name, value) in enumerate(lines):
            if not i or lines[i - 1].part != part:
                screen.say("", part)
            screen.say(f"  {name:{wide}}  {value}")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_column()
    for i, (part, name, value) in enumerate(lines):
        first = not i or lines[i - 1].part != part
        if first and i:
            table.add_section()
        table.add_row(part if first else "", name.replace("[", r"\["), value)
    Console().print(table)


def _audited(game: Game) -> Audit:
    from numduel.audit import audit as prove

    with ProgressBar(delay=BAR_DELAY) as bar:
        return waited(lambda: prove(game, bar.report), bar=bar)


def _write(path: Path, text: str) -> None:
    try:
        export(text, path)
    except OSError as error:
        raise BadVariant(f"{file_name(path)} cannot be written: {error.strerror}.") from None


def _without_none(fields: dict[str, object]) -> dict[str, object]:
    """The fields that are known."""
    return {name: value for name, value in fields.items() if value is not None}


def _whole(count: int) -> str:
    return f"{count:,}"


def _percent(share: float) -> str:
    return f"{100 * share:.4f} %"


def _share(part: int, whole: int) -> str:
    return f"{_whole(part)} ({_percent(part / whole if whole else 0.0)})"
