"""The leaderboard: a folder with a row in each file, and the page that is made of them.

README.md          what stands between the two marks is made anew
positions.json     the decisions that rows answer, so that checking them takes seconds
seconds.svg        skill against time; dollars.svg, against cost, where rows have one
rows/NAME.json     see `submission`
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import quote

from numduel.agents.results import named
from numduel.agents.submission import Row, check
from numduel.core.errors import BadRecord, NumduelError
from numduel.core.game import Game
from numduel.core.text import file_name, printable
from numduel.lab.dataset import answers, short
from numduel.lab.dataset.answers import EACH, SEED, WANTED, Answers, Asked, benchmark_games
from numduel.lab.dataset.splits import CANARY
from numduel.lab.dataset.trivial import best_trivial
from numduel.lab.figures import NONE, Point, ScatterChart, with_interval

PAGE, POSITIONS = "README.md", "positions.json"
MARKUP = re.compile(r"[]!#$&*<>@[\\^_`{|}~]")
"""What may be more than a character in Markdown."""
BEGIN, END = "<!-- made by numduel submit --page -->", "<!-- until here -->"
"""Around what is made on the page."""
USUAL = f"{WANTED} decisions of each game with seed {SEED}, in the usual variant"
UNUSUAL = f"It does not answer {USUAL}."
FEW = f"It answers {EACH} decisions of each game, as only people do: others answer {USUAL}."
WANTED_KINDS = {"model": "a language model", "people": "people"}
LABEL = 36
"""Characters of a name in a plot."""
UNITS = {
    "dollars": "dollars for a decision",
    "seconds": "seconds for a decision",
}
"""What is plotted against, and its words."""


def files(folder: Path) -> dict[Path, str]:
    """What the files of a leaderboard should hold, by its rows; `BadRecord` if one is not right."""
    found = read(folder)
    charts = {f"{unit}.svg": chart for unit in UNITS if (chart := plot(found, unit))}
    page = (folder / PAGE).read_text("utf-8")
    before, begins, rest = page.partition(BEGIN)
    _, ends, after = rest.partition(END)
    if not begins or not ends:
        raise BadRecord(
            f"{file_name(folder / PAGE)} has no place for the table: {BEGIN} and {END}."
        )
    plots = [f"![Skill against {UNITS[name[:-4]]}]({name})" for name in charts]
    made = "\n\n".join([table(found), *plots, *_lacking(found), *short_heuristics()])
    return {
        folder / PAGE: f"{before}{BEGIN}\n\n{made}\n\n{END}{after}",
        folder / POSITIONS: positions(found),
        **{folder / name: chart.svg() for name, chart in charts.items()},
    }


def _lacking(rows: Sequence[Row]) -> list[str]:
    """A sentence on whose rows there are none, if there are none of somebody."""
    kinds = {row["kind"] for row in rows}
    words = [words for kind, words in WANTED_KINDS.items() if kind not in kinds]
    told = f"**There is no row of {' or of '.join(words)} yet.**"
    return [f"{told} Nobody has sent one, and we invent none."] if words else []


def read(folder: Path) -> list[Row]:
    """The rows of a leaderboard, each checked, the best first; those that lack a game come last."""
    if (folder / POSITIONS).exists():
        try:
            answers.remember(json.loads((folder / POSITIONS).read_text("utf-8")))
        except (ValueError, LookupError, TypeError, NumduelError):
            raise BadRecord(
                f"{file_name(folder / POSITIONS)} is broken: delete it, and it is made anew."
            ) from None
    rows = []
    for path in sorted((folder / "rows").glob("*.json")):
        row = answers.load(str(path))  # whose refusals name the file
        try:
            if not _usual(row):
                raise BadRecord(FEW if _usual({**row, "kind": "people"}) else UNUSUAL)
            check(row)
        except BadRecord as error:
            raise BadRecord(f"{file_name(path)}: {error}") from None
        rows.append({**row, "file": path.name})
    return sorted(rows, key=_place)


def _place(row: Row) -> tuple[bool, float, str]:
    found = row["scores"]["overall"] if whole(row) else None
    return found is None, -(found["value"] if found else 0.0), row["player"]


def whole(row: Row) -> bool:
    """Whether a row answers the usual decisions of all games."""
    return _usual(row) and len(row["parts"]) == len(benchmark_games())


def _usual(row: Row) -> bool:
    """Whether a row answers nothing but the usual decisions, and those of a game once: nobody may
    look for a seed or a board that suits them. People may answer a few of them."""
    if not all(isinstance(part, dict) for part in row["parts"]):
        return False
    besides = ("digest", "answers")
    told = [{name: part[name] for name in part if name not in besides} for part in row["parts"]]
    return any(
        all(told.count(part) == 1 and part in usual for part in told)
        for few in ((0, EACH) if row.get("kind") == "people" else (0,))
        for usual in [[Asked(game, WANTED, SEED, few).json() for game in benchmark_games()]]
    )


def table(rows: Sequence[Row]) -> str:
    """The rows as a table in Markdown."""
    games = benchmark_games()
    head = [
        "", "kind", "above trivial", *(game.name for game in games), "decisions", "faults",
        "seconds", "dollars", "tokens", "date",
    ]  # fmt: skip
    rule = ["---", "---", *["---:"] * (len(head) - 2)]
    lines = [head, rule, *(_cells(row, games) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(row: Row, games: Sequence[Game]) -> list[str]:
    scores = row["scores"]
    by_game = {one["game"]: one for one in scores["games"]}
    tokens = [row["cost"][name] for name in ("input_tokens", "output_tokens")]
    return [
        f"[{_escaped(named(row['player'], row['settings']))}](rows/{quote(row['file'])})",
        row["kind"],
        f"**{figure(scores['overall'])}**" if whole(row) else NONE,
        *(_value(by_game.get(game.id)) for game in games),
        str(sum(one["decisions"] for one in by_game.values())),
        str(sum(one["faults"] for one in by_game.values())),
        *(_each(row, unit) for unit in ("seconds", "dollars")),
        NONE if None in tokens else f"{sum(tokens):,}",
        row["date"],
    ]


def _escaped(text: str) -> str:
    """A text that is only text in Markdown."""
    return MARKUP.sub(r"\\\g<0>", text)


def short_heuristics() -> tuple[str, str, str]:
    """What rules of two or three lines score in the decisions of the leaderboard, as a table in
    Markdown between two sentences."""
    lines = ["| game | rule | skill | above trivial | |", "| --- | --- | ---: | ---: | --- |"]
    best = []
    for game in benchmark_games():
        decisions = Asked(game, WANTED, SEED).decisions
        trivial = best_trivial(decisions)
        told = {rule.name: rule.told for rule in short.heuristics(game)}
        scored = [
            (name, skill, 1 - (1 - skill) / (1 - (trivial.skill if trivial else 0.0)))
            for name, skill in short.skills(decisions)
        ]
        best.append(max((above, game.display_name) for *_, above in scored))
        lines += [
            f"| {game.name} | {name} | {skill:.2f} | {above:.2f} | {told[name]} |"
            for name, skill, above in scored
        ]
    most, where = max(best)
    mean = fmean(above for above, _ in best)
    return (
        "**Short heuristics, not one-line rules:** *above trivial* compares with rules that fit in"
        " a line, and positions are not chosen against longer ones. Some that we tried score in"
        " the same positions, by which their numbers were chosen:",
        "\n".join(lines),
        f"So a rule of two lines reaches {most:.2f} above trivial in {where}, and the best of these"
        f" for each game reach {mean:.2f} over all games. A score up to that may be such a rule.",
    )


def _value(one: Mapping[str, Any] | None) -> str:
    above = one and one["above_trivial"]
    return NONE if not above else f"{above['value']:z.2f}"


def figure(found: Mapping[str, Any] | None) -> str:
    """A score with its interval."""
    if found is None:
        return NONE
    return with_interval(found["value"], (found["low"], found["high"]), 1, 2, "")


def _each(row: Row, unit: str) -> str:
    cost = cost_of(row, unit)
    return NONE if cost is None else f"{cost:.2g}"


def cost_of(row: Row, unit: str) -> float | None:
    """What one decision took of something; None if that is not known."""
    made = sum(len(text.split()) for part in row["parts"] for text in part["answers"])
    total = row["cost"][unit]
    return total / made if total else None


def plot(rows: Iterable[Row], unit: str) -> ScatterChart | None:
    """Skill against what a decision takes; None if no row says so."""
    points = [
        Point(cost, row["scores"]["overall"]["value"], printable(row["player"], LABEL), row["kind"])
        for row in rows
        if whole(row) and row["scores"]["overall"] and (cost := cost_of(row, unit))
    ]
    if not points:
        return None
    told = "; ".join(f"{one.name}: {one.y:.2f} at {one.x:.2g}" for one in points)
    return ScatterChart("Above trivial", UNITS[unit], f"{told}.", points)


def positions(rows: Iterable[Row]) -> str:
    """The decisions of some rows, as the file that `read` takes them from."""
    parts = [Answers.read(part) for row in rows for part in row["parts"]]
    told = [
        {
            "canary": CANARY,
            **asked.json(),
            "positions": [one.state.text for one in asked.decisions],
        }
        for asked in {part.asked._replace(few=0) for part in parts}
    ]
    told.sort(key=lambda one: json.dumps(one))
    return f"{json.dumps(told, indent=1)}\n"
