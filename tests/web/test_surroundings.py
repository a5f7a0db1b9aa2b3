"""What is around the server: folders, disks, databases, signals, proxies. Whatever of it breaks, it
says so in a sentence, acknowledges nothing that is not kept, and ends when it is asked to."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

import numduel
from numduel import network
from numduel.terminal import serve
from numduel.web import retention
from numduel.web.games import computer
from numduel.web.http.errors import Busy, Unavailable
from numduel.web.http.logs import ShortLines
from numduel.web.settings import Settings
from numduel.web.solving import lanes, solvers
from numduel.web.storage import database as databases
from numduel.web.storage.database import Database
from tests.cli import Terminal, free_port, run
from tests.plugins.limit import remaining
from tests.web.site import (
    Process,
    Site,
    accepted,
    answered,
    asked,
    create,
    friends,
    inherited,
    play,
    refused,
    served,
    true,
    until,
)

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


def serving() -> tuple[str, ...]:
    """The command of a server at a port that is free: somebody may use the usual one."""
    return ("serve", "--no-browser", "--port", str(free_port()))


# -- without a cache ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (("play", "duel", "--p1", "random", "--p2", "random"), " wins the game!"),
        (("learn",), "numduel learn line, for example"),
        (("resume",), "There are no unfinished games."),
        (
            ("serve",),
            "numduel: The folder for your games cannot be created;"
            " choose a file with --database sqlite:////path/to/file.db.",
        ),
    ],
)
def test_a_user_without_a_home_folder_sees_no_traceback(
    tmp_path: Path, words: tuple[str, ...], last: str
) -> None:
    command = serving() if words[0] == "serve" else words
    env = {"PATH": os.environ["PATH"], "HOME": "nowhere", **inherited(), "XDG_CACHE_HOME": ""}
    done = subprocess.run(
        [sys.executable, "-c", NO_HOME, *command], capture_output=True, text=True, check=False,
        env=env, cwd=tmp_path, timeout=remaining(),
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
        assert server.complaints() == []


def test_where_the_perfect_player_fails_no_other_plays_in_its_name(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[str] = []
    ask = site.app.state.solvers.ask

    async def failing(task: str, *arguments: Any, **options: Any) -> Any:
        kinds.append(arguments[0])
        if arguments[0] == "perfect":
            raise Busy("That could not be worked out.")
        return await ask(task, *arguments, **options)

    monkeypatch.setattr(site.app.state.solvers, "ask", failing)
    monkeypatch.setattr(computer, "RETRY_SECONDS", 0.0)
    one = create(site.http, opponent="perfect", first=2)
    game = answered(one, 0)
    assert kinds == ["perfect", "perfect", "perfect", "search"]
    assert game["estimated"], "the game says that this was not perfect"


# -- health ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "games.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[Process]:
    """A server with a file, whose surroundings break and are mended again."""
    arguments = ("--rate", "0", "--database", f"sqlite:///{database}")
    with Process(database.parent, *arguments) as server:
        yield server.ready()
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()


def unwell(server: Process) -> str:
    """What a server says that cannot do its work; it is alive all the same."""
    assert server.http.get("/api/v1/health/live").status_code == 200
    answer = until(
        lambda: (found := server.http.get("/api/v1/health")).status_code != 200 and found,
        "a refusal",
    )
    return refused(answer, 503)


def well(server: Process) -> None:
    until(lambda: server.http.get("/api/v1/health").status_code == 200, "the server to be well")


def test_with_a_full_disk_a_server_is_alive_and_not_ready(server: Process) -> None:
    one, _ = friends(server.http)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    try:
        unwell(server)
        refused(one.move("4", 1), 503)
    finally:
        unlimited = resource.RLIM_INFINITY, resource.RLIM_INFINITY
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
    well(server)
    accepted(one.move("4", 1))


def test_with_a_nearly_full_disk_a_server_is_not_ready(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "MIN_FREE", 1 << 62)
    assert refused(site.http.get("/api/v1/health"), 503) == "The disk is full."


def test_with_a_locked_database_a_server_is_not_ready(server: Process, database: Path) -> None:
    with closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN IMMEDIATE")
        unwell(server)
    well(server)


def test_a_database_that_is_taken_away_is_noticed_before_a_move_is_acknowledged(
    server: Process, database: Path
) -> None:
    one, two = friends(server.http)
    accepted(one.move("4", 1))
    elsewhere = database.with_name("elsewhere.db")
    database.rename(elsewhere)
    refused(two.move("6", 2), 503)
    unwell(server)
    assert not database.exists(), "no other is made in its place"
    elsewhere.rename(database)
    well(server)
    accepted(two.move("6", 2))


def test_a_database_that_is_replaced_is_noticed_before_a_move_is_acknowledged(
    server: Process, database: Path
) -> None:
    one, _ = friends(server.http)
    mine = database.with_name("mine.db")
    mine.hardlink_to(database)
    other = database.with_name("other.db")
    shutil.copy(database, other)
    other.replace(database)
    refused(one.move("4", 1), 503)
    unwell(server)
    mine.replace(database)
    well(server)
    accepted(one.move("4", 1))


def test_with_a_dead_solver_a_server_is_not_ready(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = {"game": "duel", "moves": "4"}
    until(lambda: site.http.get("/api/v1/values", params=query).status_code == 200, "a solver")
    assert site.http.get("/api/v1/health").status_code == 200
    child = site.app.state.solvers.small.solvers[0]._started[0]
    monkeypatch.setattr(solvers, "PING_TIMEOUT", 0.3)
    monkeypatch.setattr(lanes, "GRACE_SECONDS", remaining())  # It is not to be replaced yet.
    os.kill(child.pid, signal.SIGSTOP)
    try:
        assert refused(site.http.get("/api/v1/health"), 503) == "The solver does not answer."
        monkeypatch.setattr(solvers, "PING_TIMEOUT", remaining())
    finally:
        os.kill(child.pid, signal.SIGCONT)
    assert until(lambda: site.http.get("/api/v1/health").status_code == 200, "an answer")
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    monkeypatch.setattr(solvers._Solver, "_start", failing_start)
    refused(site.http.get("/api/v1/health"), 503)
    refused(site.http.get("/api/v1/health"), 503)
    monkeypatch.undo()
    assert until(lambda: site.http.get("/api/v1/health").status_code == 200, "another solver")


def failing_start(_: object) -> Any:
    raise OSError("no memory")


# -- databases ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("sqlite:///file:x?mode=memory&uri=true", "in memory"),
        ("sqlite+aiosqlite:////tmp/x.db", "A database is"),
        ("postgresql+psycopg2://localhost/x", "A database is"),
        ("postgresql://localhost:port/x", "A database is"),
        ("postgresql://127.0.0.1:1/x", "refused"),
        ("postgresql://127.0.0.1:99999/x", "port"),
        ("postgresql://127.0.0.1/x?nonsense=1", "nonsense"),
    ],
)
def test_a_malformed_database_address_is_refused_in_a_sentence(address: str, why: str) -> None:
    with pytest.raises(Unavailable, match=rf"^[^\n]*{why}[^\n]*\.$"):
        Database(address).make_tables()


def test_a_read_that_is_cancelled_as_its_answer_comes_stays_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a server that ends in such a moment waits for a task that sleeps for a day."""

    async def cancelled(database: Database) -> None:
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        monkeypatch.setattr(loop, "run_in_executor", lambda *_: answer)
        reading = loop.create_task(database.read(lambda _: None))
        await asyncio.sleep(0)
        answer.set_result("too late")
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    with closing(Database(f"sqlite:///{tmp_path / 'games.db'}")) as opened:
        opened.make_tables()
        asyncio.run(cancelled(opened))


@pytest.mark.parametrize("damage", ["all", "a page", "other"])
def test_a_database_of_no_use_is_refused_in_a_sentence(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "games.db"
    with closing(Database(f"sqlite:///{file}")) as database:
        database.make_tables()
    whole = file.read_bytes()
    if damage == "other":
        asked(f"sqlite:///{file}", "ALTER TABLE games ADD COLUMN colour TEXT")
    elif damage == "a page":
        file.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    else:
        file.write_bytes(b"numduel" * 1000)
    done = run(tmp_path, *serving(), "--database", f"sqlite:///{file}")
    assert (done.code, done.out) == (2, "")
    why = "another version" if damage == "other" else "cannot be opened"
    assert re.fullmatch(rf"numduel: The database [^\n]*{why}[^\n]*\.\n", done.err), done.err


def test_a_file_has_one_server_and_only_its_user_can_read_it(
    server: Process, database: Path
) -> None:
    link = database.with_name("link.db")
    link.symlink_to(database)
    done = run(database.parent, *serving(), "--database", f"sqlite:///{link}")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"numduel: Another server is using {link}; stop it, or choose another --database.\n"
    )
    for file in database.parent.glob("games.db*"):
        assert file.stat().st_mode & 0o777 == 0o600
    well(server)


def test_solving_processes_end_when_their_server_is_killed(tmp_path: Path) -> None:
    with Process(tmp_path, "--rate", "0") as server:
        server.ready()
        assert server.http.get("/api/v1/values", params={"game": "duel"}).status_code == 200
        (solver,) = solving_processes(server)
        os.kill(solver, signal.SIGSTOP)  # It cannot notice anything by itself.
        try:
            server.kill()
            until(lambda: state(solver) in ("", "Z"), "it to end")
        finally:
            with suppress(ProcessLookupError):
                os.kill(solver, signal.SIGKILL)


def solving_processes(server: Process) -> list[int]:
    """The ids of the solving processes of a server."""
    tasks = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return [
        child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def state(process: int) -> str:
    """What a process does: Z is over; nothing if there is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


# -- ending, and what is told meanwhile -----------------------------------------------------


def test_a_server_ends_cleanly_whatever_goes_on(tmp_path: Path) -> None:
    with Process(tmp_path, "--rate", "0") as server:
        server.ready()
        one, two = friends(server.http)
        play((one, two), "4 6 5")
        one.resign()
        stream = server.http.stream("GET", f"/api/v1/games/{one.id}/events")
        with stream as events, one.live() as live, ThreadPoolExecutor(3) as threads:
            lines = events.iter_lines()
            assert next(lines).startswith("data: ")
            live.next()
            reports = [
                threads.submit(server.http.get, "/api/v1/values", params=what)
                for what in (
                    {"game": "capture", "variant": "n=40"}, {"game": "line", "variant": "n=60"},
                )
            ]  # fmt: skip
            assert server.stop() == 0
            assert all(line == "" or line.startswith("data: ") for line in lines), "it ends"
            assert live.closed() == 1012
            for report in reports:
                with suppress(httpx.TransportError):
                    refused(report.result(remaining()), 503)
        assert server.complaints() == []


def test_lines_for_people_are_short() -> None:
    record = logging.makeLogRecord({"msg": "200 GET /a\x1b[31m", "levelno": logging.INFO})
    line = ShortLines().format(record)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d 200 GET /a\?\[31m", line)
    told = {"msg": "cannot write", "why": "locked", "levelno": 30, "levelname": "WARNING"}
    assert (
        ShortLines()
        .format(logging.makeLogRecord(told))
        .endswith(" WARNING cannot write: why locked")
    )


# -- addresses ------------------------------------------------------------------------------


def test_a_server_answers_only_to_its_names(tmp_path: Path) -> None:
    with Process(tmp_path, "--allow", "games.example") as server:
        server.ready()
        for host, status in (
            ("games.example", 200), ("localhost:1", 200), ("[::1]:8000", 200), ("10.0.0.7", 421),
            ("evil.example", 421), ("games.example.evil", 421), ("", 421),
        ):  # fmt: skip
            answer = server.http.get("/api/v1/rules", headers={"Host": host})
            assert answer.status_code == status, host
        upgrade = {
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Host": "evil.example",
        }  # fmt: skip
        live = f"/api/v1/games/{create(server.http).id}/live"
        assert server.http.get(live, headers=upgrade).status_code == 403


def test_https_answers_have_strict_transport_security(tmp_path: Path) -> None:
    with served(tmp_path / "games.db", proxy=True) as site:
        plain, secure = (
            site.http.get("/", headers={"X-Forwarded-Proto": scheme}).headers
            for scheme in ("http", "https")
        )
        assert "strict-transport-security" not in plain
        assert secure["strict-transport-security"] == "max-age=31536000"


def test_on_a_terminal_a_server_greets_with_its_address(tmp_path: Path) -> None:
    port = free_port()
    words = ("serve", "--cold", "--no-browser", "--port", str(port))
    with Terminal(tmp_path, *words) as terminal:
        terminal.until(
            f"numduel is at http://localhost:{port}/ (Ctrl-C stops it; games are saved).\n"
        )

        def answers() -> bool:
            with suppress(httpx.TransportError):
                return httpx.get(
                    f"http://127.0.0.1:{port}/api/v1/rules", trust_env=False
                ).is_success
            return False

        until(answers, "an answer")
        terminal.until(", 127.0.0.1)\n")
        assert " 200 GET /api/v1/rules (" in terminal.said


def test_bound_to_the_network_a_server_greets_with_a_code_for_phones(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    near = network.near("0.0.0.0", 8000)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    serve._greet(Settings(near=near), "0.0.0.0", 8000, browser=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("numduel is at http://localhost:8000/ (")
    assert re.fullmatch(r"For a phone or a friend on the same network: http://\S+:8000/", lines[2])
    assert not near.startswith("http://localhost")
    assert sum("█" in line or "▀" in line for line in lines) >= 10
    assert network.near("192.0.2.7", 8000) == "http://192.0.2.7:8000"
    assert network.near("::1", 8000) == ""
    serve._greet(Settings(), "::1", 8000, browser=False)
    assert len(capsys.readouterr().out.splitlines()) == 1


# -- old games ------------------------------------------------------------------------------


def make_old(site: Site, game: str) -> None:
    """Let everything in a game have happened long ago."""
    asked(site.database, "UPDATE games SET created = created - 4e7 WHERE id = {}", game)
    asked(site.database, "UPDATE log SET at = at - 4e7 WHERE game = {}", game)


def rows(site: Site, table: str, column: str, game: str) -> Any:
    """How many rows a table has of a game."""
    question = f"SELECT count(*) FROM {table} WHERE {column} = {{}}"
    return asked(site.database, question, game)[0][0]


def test_old_finished_games_are_deleted_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(retention, "PAUSE", 0.0)
    monkeypatch.setattr(retention, "BATCH", 1)
    file = tmp_path / "games.db"
    with served(file) as site:
        games = {}
        for what in ("old and over", "old and open", "new and over"):
            one, two = friends(site.http)
            play((one, two), "4 6")
            if "over" in what:
                accepted(one.resign())
            games[what] = one
        make_old(site, games["old and over"].id)
        make_old(site, games["old and open"].id)
    with served(file) as site:
        gone = games["old and over"].over(site.http)
        # The server is not asked for it: it keeps what somebody is just asking for.
        until(lambda: rows(site, "games", "id", gone.id) == 0, "an old game to be deleted")
        refused(gone.get(), 404)
        assert (rows(site, "log", "game", gone.id), rows(site, "seats", "game", gone.id)) == (0, 0)
        for what in ("old and open", "new and over"):
            true(games[what].over(site.http).game)


def test_a_game_that_somebody_opens_while_it_is_deleted_is_gone_for_them_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete, found, opened = retention._delete, threading.Event(), threading.Event()

    def late(connection: Connection, games: list[retention.Old]) -> list[str]:
        found.set()
        assert opened.wait(remaining())
        return delete(connection, games)

    monkeypatch.setattr(retention, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(retention, "_delete", late)
    file = tmp_path / "games.db"
    with served(file) as site:
        one, _ = friends(site.http)
        accepted(one.resign())
        make_old(site, one.id)
    with served(file) as site:
        assert found.wait(remaining())
        with one.over(site.http).live() as live:
            live.next()
            opened.set()
            assert live.closed() == 4404
        refused(one.over(site.http).get(), 404)
