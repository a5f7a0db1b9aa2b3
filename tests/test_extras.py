"""What is missing is named with the command that installs it, for the way numduel was installed."""

import importlib.metadata
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from numduel.extras import install, needing

FOLDER: dict[str, Any] = {"url": "file:///home/ada/my%20games/numduel", "dir_info": {}}
EDITABLE = {**FOLDER, "dir_info": {"editable": True}}
WHEEL = {"url": "file:///home/ada/numduel-1.0.0-py3-none-any.whl", "archive_info": {}}
REPOSITORY = {"url": "https://example.org/numduel.git", "vcs_info": {"vcs": "git"}}


@pytest.mark.parametrize(
    ("left_by_a_tool", "origin", "command"),
    [
        ("uv-receipt.toml", FOLDER, "uv tool install --force '/home/ada/my games/numduel[mcp]'"),
        ("pipx_metadata.json", FOLDER, "pipx install --force '/home/ada/my games/numduel[mcp]'"),
        ("uv-receipt.toml", {}, "uv tool install --force 'numduel[mcp]'"),
        (
            "pipx_metadata.json",
            REPOSITORY,
            "pipx install --force 'numduel[mcp] @ git+https://example.org/numduel.git'",
        ),
        (
            "",
            WHEEL,
            "/usr/bin/python3 -m pip install 'numduel[mcp] @"
            " file:///home/ada/numduel-1.0.0-py3-none-any.whl'",
        ),
        ("", FOLDER, "/usr/bin/python3 -m pip install '/home/ada/my games/numduel[mcp]'"),
        ("", EDITABLE, "/usr/bin/python3 -m pip install -e '/home/ada/my games/numduel[mcp]'"),
        ("", {}, "/usr/bin/python3 -m pip install 'numduel[mcp]'"),
    ],
)
def test_an_extra_is_installed_as_numduel_was(
    left_by_a_tool: str,
    origin: dict[str, Any],
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if left_by_a_tool:
        (tmp_path / left_by_a_tool).touch()
    told = SimpleNamespace(read_text=lambda _: json.dumps(origin) if origin else None)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: told)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    assert install("mcp") == command


@pytest.mark.parametrize(
    ("file", "told", "command"),
    [
        (
            "uv-receipt.toml",
            '[tool]\nrequirements = [{ name = "numduel", extras = ["inspect", "mcp"] }]',
            "uv tool install --force 'numduel[cuda,inspect,mcp]'",
        ),
        (
            "pipx_metadata.json",
            '{"main_package": {"package": "numduel", "package_or_url": "numduel[inspect,mcp]"}}',
            "pipx install --force 'numduel[cuda,inspect,mcp]'",
        ),
    ],
)
def test_what_is_installed_anew_keeps_its_extras(
    file: str, told: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / file).write_text(told, "utf-8")
    origin = SimpleNamespace(read_text=lambda _: None)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: origin)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert install("cuda") == command


def test_who_runs_a_wheel_without_installing_it_is_told_how_to_run_it_with_an_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = SimpleNamespace(read_text=lambda _: json.dumps(WHEEL))
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: told)
    monkeypatch.setattr(sys, "prefix", "/home/ada/.cache/uv/archive-v0/jpOMtCqjYUHUkRFP")
    uvx = f"uvx --from 'numduel[mcp] @ {WHEEL['url']}' numduel"
    monkeypatch.setattr(sys, "argv", ["/home/ada/.cache/uv/bin/numduel", "mcp", "my games"])
    assert install("mcp") == f"{uvx} mcp 'my games'"
    monkeypatch.setattr(sys, "argv", ["/home/ada/train.py", "mcp"])
    assert install("mcp") == uvx


def test_who_imports_what_needs_an_extra_is_told_the_command() -> None:
    told = r"^There is no nosuchmodule here; this installs it: .*pip install .*\[gymnasium\]"
    with pytest.raises(ModuleNotFoundError, match=told), needing("gymnasium"):
        import nosuchmodule  # type: ignore[import-not-found]  # noqa: F401
