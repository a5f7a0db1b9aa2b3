"""What is around the server: folders, disks, databases, signals, proxies. Whatever of it breaks, the
server says so in a sentence, acknowledges nothing that is not kept, and ends when it is asked to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import numduel
from numduel.web import service
from numduel.web.errors import Busy
from tests.web import TIMEOUT, Process, Site, answered, create, inherited, served

NO_CACHE = {"XDG_CACHE_HOME": f"{__file__}/cache"}
NO_HOME = """
import sys
sys.modules["pwd"] = None
from numduel.terminal.app import main
main()
"""
"""`numduel` for a service user: HOME is no folder, and nobody knows another."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


# -- without a cache ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (("play", "duel", "--p1", "random", "--p2", "random"), " wins the game!"),
        (("learn",), "numduel learn line, for example"),
        (("resume",), "There is no unfinished game."),
        (
            ("serve", "--no-browser"),
            "numduel: There is no folder for the games of this user;"
            " choose one with --database sqlite:////path/to/file.db.",
        ),
    ],
)
def test_who_has_no_home_is_told_no_traceback(
    tmp_path: Path, words: tuple[str, ...], last: str
) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": "nowhere", **inherited(), "XDG_CACHE_HOME": ""}
    done = subprocess.run(
        [sys.executable, "-c", NO_HOME, *words], capture_output=True, text=True, check=False,
        env=env, cwd=tmp_path, timeout=TIMEOUT,
    )  # fmt: skip
    assert done.returncode == (2 if words[0] == "serve" else 0)
    assert f"{done.stdout}{done.stderr}".endswith(f"{last}\n")
    assert "Traceback" not in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_a_server_without_a_cache_plays_perfectly(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with Process(tmp_path, "--rate", "0", "--database", database, env=NO_CACHE) as server:
        server.ready()
        one = create(server.http, opponent="perfect")
        one.move("1", 0)
        game = answered(one, 1)
        after = numduel.game("duel").replay("1")
        best = {str(option.move) for option in numduel.analyse(after) if option.best}
        assert game["moves"][1] in best
        assert not game["estimated"]
        assert not [line for line in server.lines() if line["level"] != "info"]


def test_where_the_perfect_player_fails_no_other_plays_in_its_name(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, solvers = [], site.app.state.solvers
    ask = solvers.ask

    async def failing(task: str, *arguments: Any, **options: Any) -> Any:
        asked.append(arguments[0])
        if arguments[0] == "perfect":
            raise Busy("That could not be worked out.")
        return await ask(task, *arguments, **options)

    monkeypatch.setattr(solvers, "ask", failing)
    monkeypatch.setattr(service, "RETRY_SECONDS", 0.0)
    one = create(site.http, opponent="perfect", first=2)
    game = answered(one, 0)
    assert asked == ["perfect", "perfect", "perfect", "search"]
    assert game["estimated"], "the game says that this was not perfect"
