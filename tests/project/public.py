"""What is public, as text: names with their signatures, commands with their options, and the shape
of what they print as JSON. `docs/stable.md` says which names these are."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numduel
from numduel.lab.dataset import COLUMNS, answers
from numduel.lab.tournament import jobs
from numduel.play import record
from numduel.terminal.commands import COMMANDS, command
from numduel.web.storage import schema
from tests.cli import keep, run

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "stable.md"
OWN_EXTRAS = ("bench", "dev", "docs", "setup")
"""For those who work on numduel itself."""
RECORD = "Format: 1\nGame: sequence-duel\nVariant: n=9 k=3\nFirst: 1\nPlayer 1: human\n" + (
    "Player 2: random\nDate: 2026-01-31 12:00:00\nResult: 1\n\n4 6 5 7 3\n"
)
SAMPLES = {
    "analyse": "duel --moves 4",
    "audit": "duel --set n=4",
    "dataset": "duel --count 3 --out positions",
    "games": "",
    "learn": "duel",
    "levels": "duel --set n=4",
    "puzzle": "duel --seed 1",
    "replay": "1",
    "report": "game.tournament",
    "review": "1",
    "rules": "duel",
    "solve": "duel --set n=4",
    "stats": "",
    "strategy": "duel --set n=4",
    "submit": "--player rule:greedy --decisions 1",
    "tournament": "easy random --game duel --set n=5 --rounds 2 --jobs 1 --file game.tournament"
    f" --secret {'0' * 32}",
}
"""What each command that prints JSON is asked."""


def modules() -> dict[str, list[str]]:
    """The public names of each module, as the page lists them."""
    rows = re.findall(r"^\| `(numduel[\w.]*)` \| (.*?) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    named = {module: re.findall(r"`(\w+)`", names) for module, names in rows}
    return {"numduel": numduel.__all__, **named}


def names() -> Iterator[str]:
    """Every public name of the library, and the members of its classes."""
    known: dict[Any, str] = {}
    for module, listed in modules().items():
        yield f"\n# {module}\n"
        for name in sorted(listed):
            thing = getattr(import_module(module), name)
            place = known.setdefault(thing, module)
            yield from described(name, thing) if place == module else [f"{name}: as in {place}"]


def described(name: str, thing: Any) -> Iterator[str]:
    """A function or class as it is declared."""
    if not inspect.isclass(thing):
        yield name + signature(thing)
        return
    bases = ", ".join(base.__name__ for base in thing.__bases__ if base is not object)
    made = "" if issubclass(thing, Exception) else signature(thing)
    yield f"class {name}({bases})" + (f" {made}" if made else "")
    if issubclass(thing, Exception) and name != "NumduelError":
        return
    for member, value in sorted(members(thing).items()):
        yield f"    {member}{value}"


def members(thing: type) -> dict[str, str]:
    """What a class and its bases here declare, besides the fields that make it."""
    found: dict[str, str] = {}
    for owner in reversed(thing.__mro__):
        if not owner.__module__.startswith("numduel"):
            continue
        for name, kind in inspect.get_annotations(owner).items():
            found[name] = f": {kind}"
        for name, value in vars(owner).items():
            if isinstance(value, property | cached_property):
                getter = value.fget if isinstance(value, property) else value.func
                found[name] = signature(getter).replace("(self)", "")
            elif isinstance(value, staticmethod | classmethod):
                found[name] = signature(value.__func__)
            elif inspect.isfunction(value):
                found[name] = signature(value)
            else:
                found.setdefault(name, "")
    made = inspect.signature(thing).parameters if not issubclass(thing, Exception) else {}
    return {name: text for name, text in found.items() if name[0] != "_" and name not in made}


def signature(thing: Any) -> str:
    """The parameters of a function and what it returns, without the quotes of annotations."""
    told = re.sub(r"ForwardRef\(('[^']*')[^)]*\)", r"\1", str(inspect.signature(thing)))
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", re.sub(" at 0x[0-9a-f]+", "", told))


def games() -> Iterator[str]:
    """The games, and the settings of each with the default and the range."""
    for kind in numduel.games():
        settings = (
            f"{name}={default} ({kind.parameters[name].choices})"
            for name, default in kind().settings.items()
        )
        yield f"{kind.id} {kind.name}: {', '.join(settings)}"


def commands() -> Iterator[str]:
    """Every command with its arguments and options."""
    for name in COMMANDS:
        words = []
        for one in command(name).params:
            is_option = one.param_type_name == "option"
            words.append("/".join((*one.opts, *one.secondary_opts)) if is_option else one.name)
        yield " ".join([f"numduel {name}", *words])


def printed(home: Path) -> Iterator[str]:
    """The shape of what each command prints as JSON."""
    keep(home, "20260131-120000.duel", RECORD)
    for name in sorted(SAMPLES, key=lambda name: (name == "report", name)):
        done = run(home, name, *SAMPLES[name].split(), "--json")
        assert done.code == 0, f"numduel {name} {SAMPLES[name]} --json: {done.err}"
        yield f"numduel {name} --json: {shape(json.loads(done.out))}"


def shape(value: Any) -> str:
    """The kinds of values in JSON: `{name: string, moves: [number]}`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shape(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + " | ".join(sorted({shape(one) for one in value})) + "]"
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    return "string" if isinstance(value, str) else "number"


def formats() -> Iterator[str]:
    """The formats of files, with their versions."""
    yield f"record: format {record.FORMAT}: {', '.join(record.KEYS)}"
    yield f"file of a tournament: format {jobs.FORMAT}"
    yield f"answers to decisions: {answers.MARK}"
    yield f"a dataset: {', '.join(f'{one.name} ({one.kind})' for one in COLUMNS)}"
    yield f"database: {schema.VERSION}"


def entry_points() -> Iterator[str]:
    """What numduel itself is found by."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for group, found in {"scripts": project["scripts"], **project["entry-points"]}.items():
        yield from (f"{group}: {name} = {where}" for name, where in found.items())
    extras = [one for one in project["optional-dependencies"] if one not in OWN_EXTRAS]
    yield "extras: " + ", ".join(extras)


def public(home: Path) -> str:
    """All of it."""
    parts = {
        "Games": games(), "Entry points": entry_points(), "Formats": formats(),
        "Commands": commands(), "JSON": printed(home), "Names": names(),
    }  # fmt: skip
    return "\n".join(f"## {title}\n\n" + "\n".join(lines) + "\n" for title, lines in parts.items())
