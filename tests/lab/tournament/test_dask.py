"""A tournament on a real Dask cluster, one of whose workers is killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

import numduel
from numduel import BadVariant
from numduel.lab.tournament import runner
from numduel.lab.tournament.entrants import entrants
from numduel.lab.tournament.jobs import Tournament, play
from numduel.lab.tournament.journal import Journal
from numduel.terminal.app import app
from tests.cli import environment, free_port
from tests.lab.tournament.small import strike
from tests.plugins.limit import remaining

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")


class Cluster:
    """A scheduler and two workers, each a process of its own that nobody starts again."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        port = free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder, self._stack = folder, stack
        self._started("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        self.workers = [
            self._started(
                "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                "--local-directory", str(folder / f"space-{number}"),
            )
            for number in (1, 2)
        ]  # fmt: skip

    def _started(self, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=self._folder,
            env=environment(self._folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(process.wait, remaining())
        self._stack.callback(process.kill)
        return process


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    from distributed import Client

    with ExitStack() as stack:
        made = Cluster(tmp_path, stack)
        with Client(made.address, timeout=remaining(), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=remaining())
        yield made


def test_a_tournament_is_played_on_a_cluster(tmp_path: Path) -> None:
    """One of threads: what is sent and comes back is the same."""
    from distributed import LocalCluster

    tournament = Tournament(entrants(["random", "easy"]), (numduel.game("duel", n=4, k=3),), 4)
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as found,
        Journal(tmp_path / "file", tournament) as journal,
    ):
        runner.run(tournament, journal, backend="dask", address=found.scheduler_address)
        expected = {job.key: play(job) for job in tournament.jobs()}
        assert journal.results == expected


@pytest.mark.proof
def test_a_worker_killed_in_the_middle_costs_no_game_and_none_counts_twice(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(tmp_path, "os.kill(os.getppid(), signal.SIGKILL)")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [
        "tournament", "random", "bot=python:striking:Player", "easy",
        "--game", "duel", "--game", "build", "--set", "n=4", "--set", "k=3", "--rounds", "10",
        "--backend", "dask", "--address", cluster.address, "--json",
        "--file", "tournament.jsonl",
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    dead = [worker for worker in cluster.workers if worker.poll() is not None]
    assert [worker.returncode for worker in dead] == [-9]
    players = entrants(["random", "bot=python:tests.lab.tournament.bots:First", "easy"])
    games = (numduel.game("duel", n=4, k=3), numduel.game("build", n=4, k=3))
    expected = [json.dumps(play(job).json()) for job in Tournament(players, games, 10).jobs()]
    written = (tmp_path / "tournament.jsonl").read_text("utf-8").splitlines()
    assert sorted(written[1:]) == sorted(expected)
    assert json.loads(done.stdout)["played"] == len(expected) == 60


def test_where_no_scheduler_listens_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "CONNECT_TIMEOUT", 0.5)
    tournament = Tournament(entrants(["random", "easy"]), (numduel.game("duel", n=4),))
    with (
        Journal(tmp_path / "file", tournament) as journal,
        pytest.raises(BadVariant, match=r"There is no scheduler at tcp://127\.0\.0\.1:1: "),
    ):
        runner.run(tournament, journal, backend="dask", address="tcp://127.0.0.1:1")
