"""The server as a program: started, watched, stopped, and never busy with one thing alone."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from websockets.sync.client import connect

import numduel
from numduel import system
from numduel.web.games import computer
from numduel.web.solving import solvers
from numduel.web.solving.solvers import NICE
from tests.cli import free_port, run
from tests.plugins.limit import remaining
from tests.web.site import (
    Load,
    Process,
    Site,
    accepted,
    browser,
    create,
    friends,
    inherited,
    play,
    refused,
    served,
    true,
    until,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


# -- watched --------------------------------------------------------------------------------


def test_a_server_that_is_well_says_so(site: Site) -> None:
    told = site.http.get("/api/v1/health")
    assert told.status_code == 200
    assert told.json() == {"status": "ok", "version": numduel.__version__}


def test_a_server_whose_database_is_gone_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def connect(self) -> Any:
            raise OperationalError("SELECT 1", {}, Exception("gone"))

    monkeypatch.setattr(site.app.state.service.registry._database, "_reads", Gone())
    refused(site.http.get("/api/v1/health"), 503)
    refused(site.http.get("/api/v1/games/V3b1tq0k9Zfx"), 503)


def test_the_log_has_no_secrets(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Process(tmp_path, "--rate", "0", "--database", address) as server:
        server.ready()
        one, two = friends(server.http)
        secrets = [one.token, one.invite, two.token]
        cookie = server.http.post(
            "/api/v1/games", json={"game": "duel", "opponent": "friend", "cookie": True}
        ).cookies["numduel-key"]
        link = server.http.post("/api/v1/link").json()["secret"]
        with browser(server.url) as phone:
            own = {"secret": link, "key": "K" * 43}
            assert phone.post("/api/v1/link/use", json=own).status_code == 200
            refused(phone.post("/api/v1/link/use", json=own | {"key": cookie + "!"}), 422)
        secrets += [cookie, link, own["key"]]
        with one.live() as live:
            live.next()
            play((one, two), "4 6")
            refused(one.move(99), 422)
            server.http.get(f"/api/v1/games/{one.id}", headers={"Cookie": f"numduel-key={cookie}"})
            server.http.get(f"/api/v1/games/{one.id}?token={one.token}")
            live_url = f"{server.url.replace('http', 'ws')}/api/v1/games/{one.id}/live"
            with connect(f"{live_url}?{one.token}"):
                pass
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", server.port)) as plain:
                plain.sendall(b"HELLO\r\n\r\n")
                plain.recv(1000)
        assert server.stop() == 0
        text = server.log.read_text()
    for secret in secrets:
        assert secret is not None
        assert secret not in text
    assert text.startswith(f"numduel is at http://localhost:{server.port}/ (Ctrl-C stops it;")
    moves = rf"(\d+) POST /api/v1/games/{one.id}/moves \(\d+ ms, 127\.0\.0\.1\)$"
    assert re.findall(moves, text, re.MULTILINE) == ["200", "200", "422"]
    assert len(server.complaints()) == 1, "of five alike"


# -- started and stopped --------------------------------------------------------------------


def test_a_server_that_is_asked_to_end_loses_nothing(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Process(tmp_path, "--rate", "0", "--database", address) as server:
        server.ready()
        with Load(server.http) as load:
            load.after(40)
            assert server.stop() == 0
            load.wait()
        assert not [line for line in server.complaints() if " ERROR " in line]
    load.check(address)
    with Process(tmp_path, "--rate", "0", "--database", address) as server:
        server.ready()
        for one, _ in load.tables:
            true(one.over(server.http).game)


def test_without_anything_said_the_games_are_beside_the_others_and_for_this_machine_alone(
    tmp_path: Path,
) -> None:
    with Process(tmp_path) as server:
        server.ready()
        one = create(server.http)
        assert len([*tmp_path.glob("numduel/**/web.db")]) == 1
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", server.port), remaining())
        assert server.stop() == 0
    with Process(tmp_path) as server:
        server.ready()
        assert one.over(server.http).look()["you"] == 1


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = run(tmp_path, "serve", "--no-browser", "--port", port, env=inherited())
    assert ran.code == 2
    assert re.fullmatch(r"numduel: The server cannot listen at 127.0.0.1:\d+: .*\.\n", ran.err)
    assert ran.out == ""


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--processes", "2"), "PostgreSQL"),
        (("--processes", "2", "--database", "sqlite:////tmp/x.db"), "PostgreSQL"),
        (("--host", "no.such.host.invalid"), "listen"),
        (("--database", "sqlite:////no/such/folder/games.db"), "database"),
        (("--database", "mysql://localhost/games"), "database"),
        (("--database", "nonsense"), "database"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], word: str
) -> None:
    words = ("serve", "--no-browser", "--port", str(free_port()), *arguments)
    ran = run(tmp_path, *words, env=inherited())
    assert ran.code == 2
    assert re.fullmatch(rf"numduel: [^\n]*{word}[^\n]*\n", ran.err, re.IGNORECASE), ran.err


# -- solving --------------------------------------------------------------------------------


@pytest.fixture
def solving(site: Site) -> Site:
    """The server, with a solving process that is at rest."""
    if values(site).status_code != 200:
        assert values(site).status_code == 200
    return site


def values(site: Site, moves: str = "4") -> Any:
    return site.http.get("/api/v1/values", params={"game": "duel", "moves": moves})


def solver(site: Site) -> int:
    """The id of the solving process."""
    return int(site.app.state.solvers.small.solvers[0]._started[0].pid)


def busy(site: Site) -> bool:
    """Whether the solving process has something to do."""
    return not site.app.state.solvers.small.free


def test_while_something_is_solved_everybody_else_is_served(solving: Site) -> None:
    process = solver(solving)
    os.kill(process, signal.SIGSTOP)  # as good as a task without end
    with ThreadPoolExecutor(3) as threads:
        try:
            waiting = [threads.submit(values, solving) for _ in range(3)]
            people = friends(solving.http)
            for game in (play(people, "4 6"), people[0].game):
                true(game)
            for _ in range(10):
                assert solving.http.get("/api/v1/health").status_code == 200
            assert not any(answer.done() for answer in waiting)
        finally:
            os.kill(process, signal.SIGCONT)
        assert [answer.result(remaining()).status_code for answer in waiting] == [200] * 3


def test_a_task_that_takes_too_long_is_stopped(
    solving: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = solver(solving)
    monkeypatch.setattr(solvers, "TASK_TIMEOUT", 0.2)
    os.kill(before, signal.SIGSTOP)
    assert "too long" in refused(values(solving), 503)
    monkeypatch.undo()
    assert values(solving).status_code == 200
    assert solver(solving) != before
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_a_solving_process_that_is_killed_at_work_is_replaced(solving: Site) -> None:
    before = solver(solving)
    os.kill(before, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(values, solving)
        until(lambda: busy(solving), "the task to be given")
        os.kill(before, signal.SIGKILL)
        if (told := answer.result(remaining())).status_code != 200:  # It died with the task.
            refused(told, 503)
    assert values(solving).status_code == 200
    assert solver(solving) != before


def test_a_solving_process_that_was_killed_at_rest_is_replaced(solving: Site) -> None:
    before = solver(solving)
    os.kill(before, signal.SIGKILL)
    if (answer := values(solving)).status_code != 200:
        refused(answer, 503)
    assert values(solving).status_code == 200
    assert solver(solving) != before


def test_the_computer_answers_although_its_process_was_killed(
    solving: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer, "RETRY_SECONDS", 0.01)
    one = create(solving.http, opponent="perfect")
    with one.live() as live:
        before = solver(solving)
        os.kill(before, signal.SIGSTOP)
        accepted(one.move(5))
        until(lambda: busy(solving), "the computer to think")
        os.kill(before, signal.SIGKILL)
        live.until(lambda game: len(game["moves"]) == 2, "an answer")


def test_too_many_tasks_are_refused(solving: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving.app.state.solvers.small, "_most", 0)
    process = solver(solving)
    os.kill(process, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(1) as threads:
            first = threads.submit(values, solving)
            until(lambda: busy(solving), "the task to be given")
            assert "too much" in refused(values(solving, "5"), 503)
            os.kill(process, signal.SIGCONT)
            assert first.result(remaining()).status_code == 200
    finally:
        os.kill(process, signal.SIGCONT)


def test_a_move_of_the_computer_does_not_wait_for_values(
    solving: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody sits there and waits for it: it is the next task that the solver is given."""
    given: list[str] = []
    gate = threading.Event()
    process = solving.app.state.solvers.small.solvers[0]
    ask = process.ask

    def gated(task: str, arguments: tuple[Any, ...], language: str) -> Any:
        given.append(task)
        assert gate.wait(remaining())
        return ask(task, arguments, language)

    monkeypatch.setattr(process, "ask", gated)
    one = create(solving.http, opponent="perfect")
    lane = solving.app.state.solvers.small

    def asking(move: int) -> int:
        query = {"game": "duel", "moves": str(move)}
        return solving.http.get("/api/v1/values", params=query).status_code

    with ThreadPoolExecutor(8) as threads:
        try:
            waiting = [threads.submit(asking, move) for move in range(1, 9)]
            until(lambda: len(lane.queue) == 7, "the tasks to wait")
            accepted(one.move(4))
            until(lambda: len(lane.urgent) == 1, "the computer to wait")
        finally:
            gate.set()
        assert [answer.result(remaining()) for answer in waiting] == [200] * 8
    assert given == ["values", "choose", *["values"] * 7]


def test_an_error_of_the_library_is_not_a_failure_of_the_solver(solving: Site) -> None:
    before = solver(solving)
    refused(solving.http.get("/api/v1/puzzle/answer", params={"game": "duel", "move": "77"}), 422)
    assert solver(solving) == before


def test_a_solving_process_that_has_grown_too_large_is_replaced(
    solving: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = solver(solving)
    monkeypatch.setattr(solvers, "MAX_RESIDENT", 1)
    assert values(solving).status_code == 200
    monkeypatch.undo()
    assert values(solving).status_code == 200
    assert solver(solving) != before


@pytest.mark.skipif(
    not Path(system.AUTOGROUP).exists(), reason="sessions do not share the processor here"
)
def test_a_solving_process_gives_way_to_other_sessions(solving: Site) -> None:
    """Niceness counts within a session only, where sessions share the processor. A process of the
    first session of all, as in a container, is in no group: the kernel names none."""
    its, ours = (Path(f"/proc/{one}/autogroup").read_text() for one in (solver(solving), "self"))
    assert its.split()[:1] != ours.split()[:1]
    assert its.endswith(f" nice {NICE}\n")


def test_no_solving_process_outlives_its_server(tmp_path: Path) -> None:
    with served(tmp_path / "games.db") as site:
        assert values(site).status_code == 200
        process = solver(site)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
