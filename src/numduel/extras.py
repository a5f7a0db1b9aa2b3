"""How an optional part of numduel is installed where it is missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from numduel.system import quoted

TOOLS = {"uv-receipt.toml": "uv tool install --force", "pipx_metadata.json": "pipx install --force"}
"""What uv and pipx leave beside the programs they install, and how they install them anew."""
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
    """The command that adds an extra of `pyproject.toml` to this installation."""
    package, editable = _origin()
    name, _, place = package.partition(" @ ")
    wanted = quoted(f"{name}[{extra}]{f' @ {place}' if place else ''}")
    for file, command in TOOLS.items():
        if (Path(sys.prefix) / file).exists():
            return f"{command} {wanted}"
    if Path(sys.prefix).parent.name.startswith(RUN_ONCE):
        return f"uvx --from {wanted} numduel"
    return f"{quoted(sys.executable)} -m pip install {'-e ' if editable else ''}{wanted}"


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
