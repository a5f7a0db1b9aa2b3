"""How an optional part of numduel is installed where it is missing."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from numduel.system import quoted

TOOLS = {
    "uv-receipt.toml": ("uv tool install --force", r'name = "numduel", extras = \[(.*?)\]'),
    "pipx_metadata.json": ("pipx install --force", r'"package_or_url": "[^"[]*\[(.*?)\]'),
}
"""What uv and pipx leave beside the programs they install: how they install them anew, and where it
has their extras."""
RUN_ONCE = "archive-v"
"""How the folder in the cache of uv begins that has what uvx runs without installing it."""


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Import what an extra installs; who lacks it is told the command."""
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = f"There is no {error.name} here; this installs it: {install(extra)}"
        raise ModuleNotFoundError(sentence, name=error.name) from None


def install(extra: str) -> str:
    """The command that adds an extra of `pyproject.toml` to this installation. What is installed
    anew keeps its extras; what runs without being installed does what it was told."""
    package, editable = _origin()
    name, _, place = package.partition(" @ ")

    def with_extras(*extras: str) -> str:
        return quoted(f"{name}[{','.join(extras)}]{f' @ {place}' if place else ''}")

    for file, (command, known) in TOOLS.items():
        receipt = Path(sys.prefix) / file
        if receipt.exists():
            kept = re.findall(r"\w+", "".join(re.findall(known, receipt.read_text("utf-8"))))
            return f"{command} {with_extras(*sorted({extra, *kept}))}"
    if Path(sys.prefix).parent.name.startswith(RUN_ONCE):
        words = sys.argv[1:] if Path(sys.argv[0]).stem == "numduel" else ()
        return " ".join([f"uvx --from {with_extras(extra)} numduel", *map(quoted, words)])
    how = "-e " if editable else ""
    return f"{quoted(sys.executable)} -m pip install {how}{with_extras(extra)}"


def _origin() -> tuple[str, bool]:
    """What numduel was installed from, as pip names it: a folder, a wheel, a repository, or its
    index; and whether the folder itself is used."""
    from importlib.metadata import PackageNotFoundError, distribution  # these take a while
    from urllib.request import url2pathname

    try:
        told = json.loads(distribution("numduel").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        told = {}
    url = urlsplit(told.get("url", ""))
    if url.scheme == "file" and "dir_info" in told:
        return url2pathname(url.path), told["dir_info"].get("editable", False)
    if "archive_info" in told:
        return f"numduel @ {told['url']}", False
    if "vcs_info" in told:
        return f"numduel @ {told['vcs_info']['vcs']}+{told['url']}", False
    return "numduel", False
