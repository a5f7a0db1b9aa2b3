"""The command ``numduel audit``: what is true of a whole game, as a table, data or a page."""

from __future__ import annotations

import json
import sys
import time
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.games import game as find
from numduel.paper import paper
from numduel.terminal.options import GameName, Json, Settings, read_settings
from numduel.terminal.screen import Screen

if TYPE_CHECKING:
    from rich.progress import Progress

    from numduel.audit import Audit, Opening

PATIENCE = 1.0
"""Seconds before a progress bar appears."""
WIDTH, HEIGHT, BASE = 640, 220, 180
"""Of a plot, and where its bars stand, in pixels."""

Html = Annotated[
    str | None,
    typer.Option("--html", metavar="FILE", help="Write one page with plots to this file, too."),
]


class Row(NamedTuple):
    """A line of the table: the part it belongs to, what is said, and of what."""

    part: str
    name: str
    value: str


def audit(
    game: GameName, settings: Settings = None, html: Html = None, as_json: Json = False
) -> None:
    """Prove what is true of a game: over every position, exactly."""
    kind = find(game, **read_settings(settings))
    if html is not None and Path(html).exists():
        raise BadVariant(f"{html[:200]} exists already; choose another name.")
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
        "value": _kept(value._asdict()),
        "openings": [_kept({"card": card, **option.json()}) for card, option in found.openings],
        "positions": found.positions,
        "finished": found.finished,
        "games": sum(found.games.values()),
        "games_by_length": {str(length): count for length, count in found.games.items()},
        "shortest": min(found.games),
        "longest": max(found.games),
        "random_lengths": {str(length): p for length, p in found.random_lengths.items()},
        "decisions": _kept(choices._asdict()),
        "perfect_beats_random": {"first": found.perfect_first, "second": found.perfect_second},
        "first_player_wins": found.levels,
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
            Row("Endings", text, f"{_whole(count)} positions" if count else "never")
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
    return f"{said} in {value.plies} moves"


def _openings(openings: tuple[Opening, ...]) -> list[tuple[str, str]]:
    """The openings, those of equal value together."""
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
        Row(part, "shortest and longest game", f"{min(games)} and {max(games)} moves"),
        Row(part, "mean length of a random game", f"{mean:.2f} moves"),
        *(
            Row("Games by length", f"{length} moves",
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
            Row("First player wins", f"between equals: {level}", _percent(chance))
            for level, chance in found.levels.items()
        ),
    ]


def page(found: Audit) -> str:
    """The audit as one page that needs nothing else."""
    plots = [
        plot("Games by length in a random game",
             [(str(length), chance) for length, chance in found.random_lengths.items()]),
        plot("Perfect beats random",
             [("moving first", found.perfect_first), ("moving second", found.perfect_second)]),
        plot("The first player wins between equals", list(found.levels.items())),
        plot("A choice matters", _shares(found)),
    ]  # fmt: skip
    title = f"{found.game.title}: audit"
    settings = escape(_settings(found.game))
    body = [
        f"<p>{settings}. Every number here was computed over all positions; none is an"
        " estimate.</p>",
        *plots,
        "<table>",
        *_html_rows(rows(found)),
        "</table>",
    ]
    return paper(title, "\n".join(body), style=STYLE, maker="numduel audit")


def _shares(found: Audit) -> list[tuple[str, float]]:
    choices = found.decisions
    every = max(choices.positions, 1)
    bars = [("of positions", choices.result / every), ("in random play", choices.random_result)]
    if choices.points is not None and choices.random_points is not None:
        bars += [("points, of positions", choices.points / every),
                 ("points, in random play", choices.random_points)]  # fmt: skip
    return bars


def plot(title: str, bars: list[tuple[str, float]]) -> str:
    """A bar chart of shares; each bar carries its name and its number, so colour says nothing."""
    wide = WIDTH / max(len(bars), 1)
    top = max([share for _, share in bars], default=1) or 1
    drawn = []
    for i, (name, share) in enumerate(bars):
        tall = (BASE - 30) * share / top
        x, middle = i * wide + wide * 0.1, i * wide + wide / 2
        drawn.append(
            f'<rect x="{x:.1f}" y="{BASE - tall:.1f}" width="{wide * 0.8:.1f}"'
            f' height="{tall:.1f}"/>'
            f'<text x="{middle:.1f}" y="{BASE - tall - 6:.1f}">{_short(share)}</text>'
            f'<text x="{middle:.1f}" y="{BASE + 20}">{escape(name)}</text>'
        )
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"{''.join(drawn)}"
        f'<line x1="0" y1="{BASE}" x2="{WIDTH}" y2="{BASE}"/></svg></figure>'
    )


def _html_rows(lines: list[Row]) -> list[str]:
    made, before = [], ""
    for part, name, value in lines:
        if part != before:
            made.append(f'<tr><th colspan="2" scope="colgroup">{escape(part)}</th></tr>')
            before = part
        made.append(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>")
    return made


STYLE = """rect { fill: var(--mark); stroke: var(--ink); }
line { stroke: var(--ink); }
text { text-anchor: middle; }
table { width: 100%; }
th { text-align: left; padding-top: 1.2rem; }
td { border-top: 1px solid var(--rule); padding: .2rem .5rem .2rem 0; vertical-align: top; }
"""


def _show(found: Audit, screen: Screen) -> None:
    """Print the table: laid out on a terminal, plain lines through a pipe."""
    title, lines = f"{found.game.title} ({_settings(found.game)})", rows(found)
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


class _Bar:
    """A progress bar on standard error, for what takes longer than a moment."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._progress: Progress | None = None

    def report(self, what: str, done: int, total: int | None) -> None:
        """Show how far it is, if it has taken long enough and somebody watches."""
        if self._progress is None:
            if time.monotonic() - self._began < PATIENCE or not _watched():
                return
            self._progress = _progress()
            self._progress.start()
        tasks = self._progress.tasks
        if not tasks or tasks[-1].description != what:
            self._progress.add_task(what, total=total)
        self._progress.update(self._progress.tasks[-1].id, completed=done, total=total)

    def close(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()


def _watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)


def _audited(game: Game) -> Audit:
    from numduel.audit import audit as prove

    bar = _Bar()
    try:
        return prove(game, bar.report)
    finally:
        bar.close()


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise BadVariant(f"{str(path)[:200]} cannot be written: {error.strerror}.") from None


def _settings(game: Game) -> str:
    return ", ".join(f"{name}={value}" for name, value in game.settings.items())


def _kept(fields: dict[str, object]) -> dict[str, object]:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value is not None}


def _whole(count: int) -> str:
    return f"{count:,}"


def _percent(share: float) -> str:
    return f"{100 * share:.4f} %"


def _short(share: float) -> str:
    return f"{100 * share:.1f}%"


def _share(part: int, whole: int) -> str:
    return f"{_whole(part)} ({_percent(part / whole if whole else 0.0)})"
