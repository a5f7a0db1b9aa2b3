"""A game on a server, in the app: hosted, played, watched, and a server that does not answer."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, Select, Static

import numduel
from numduel import client
from numduel.core.language import speaking
from numduel.play.match import begin
from numduel.play.store import saved_games
from numduel.play.turns import in_turn, remember_turn
from numduel.tui.after import After
from numduel.tui.app import NumduelApp
from numduel.tui.board import Board
from numduel.tui.home import Home
from numduel.tui.hosting import OwnServer, PortTaken, answers
from numduel.tui.lobby import Lobby
from numduel.tui.page import Choice
from numduel.tui.paragraph import Paragraph
from numduel.tui.remote import LARGER, Remote, _answer, keep
from numduel.tui.seats import keep_seat, seats, unfinished_games
from tests.cli import free_port
from tests.cli import keep as save
from tests.plugins.limit import remaining
from tests.tui.driving import LOST, drawn, opened, running, settled, shown, told, typed, until
from tests.web.site import together

SENT: dict[str, object] = {
    "number": 1, "game": "duel", "variant": {}, "first": 1, "text": "5 4",
    "names": ["Ada", "Bo"], "strict": False, "seats": [True, True], "present": [True, True],
    "players": ["human", "human"], "two_people": True, "score": [0, 0],
    "undo": None, "undoable": [True, True],
    "requests": [], "rematch": {"offered": None, "game": None},
}  # fmt: skip
"""A game as a server sends it."""


def test_a_link_is_read_and_nonsense_refused() -> None:
    link = client.read_link("localhost:8000/play/V3b1tq0k9Zfx#q2yVh0C0aJv2v1mB3m1D3g")
    assert link == ("http://localhost:8000", "V3b1tq0k9Zfx", "q2yVh0C0aJv2v1mB3m1D3g")
    assert client.read_link(link.text) == link
    for text in ("", "http://", "ftp://a/play/b", "http://a/play/b#short", "a/b", "//[/play/b"):
        with pytest.raises(numduel.BadVariant):
            client.read_link(text)


@pytest.mark.usefixtures("painted")
def test_a_game_is_hosted_lost_and_found_again(tmp_path: Path) -> None:
    from tests.web.site import served

    with served(tmp_path / "web.db") as site:

        async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
            await app.push_screen(Lobby())
            await settled(app)
            app.screen.query_one("#server", Input).value = site.url
            app.screen.query_one("#name", Input).value = "Ada"
            app.screen.query_one("#host", Button).press()
            await until(app, lambda: bool(app.screen.query("#set-n")))
            app.screen.query_one("#game", Select).value = "duel"
            await until(app, lambda: bool(app.screen.query("#set-k")))
            await pilot.press("ctrl+s")
            await until(app, lambda: isinstance(app.screen, Remote) and "Waiting" in told(app))
            ((address, seat),) = seats().items()
            link = client.read_link(address)
            bo = client.ask(link.server, f"{link.path}/join", {"invite": seat["invite"]})

            def bo_does(what: str, **body: object) -> None:
                now = client.ask(link.server, link.path)["game"]["number"]
                client.ask(link.server, f"{link.path}/{what}", body | {"after": now}, bo["token"])

            await until(app, lambda: "Your turn." in told(app))
            await pilot.press(*typed("5"))
            await until(app, lambda: "Player 2 to move." in told(app))
            bo_does("moves", move="4")
            await until(app, lambda: "Player 2 plays 4. Your turn." in told(app))
            bo_does("undo", say="ask")
            await until(app, lambda: "asks to take back" in drawn(app))
            await pilot.press("y")
            await until(app, lambda: "Player 2 to move." in told(app))
            await pilot.press("u")
            await until(app, lambda: "You asked to take back" in told(app))
            bo_does("undo", say="refuse")
            await until(app, lambda: "Player 2 did not let you take back the move." in told(app))
            bo_does("resign")
            await until(app, lambda: "You won!" in drawn(app))
            await pilot.press("n")
            client.ask(link.server, f"{link.path}/rematch", {}, bo["token"])
            await until(app, lambda: "Sequence Duel · Ada 1 : 0 Player 2 · " in drawn(app))

        running(steps)


@pytest.mark.parametrize(
    ("line", "told"), [("link", "A link to a game"), ("server", "is not the address of a server")]
)
def test_enter_joins_and_in_the_line_of_the_server_it_hosts(line: str, told: str) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Lobby())
        await settled(app)
        app.screen.query_one("#server", Input).value = "nonsense://"
        app.screen.query_one(f"#{line}", Input).focus()
        await pilot.press("enter")
        await settled(app)
        assert told in str(app.screen.query_one("#problem", Static).content)

    running(steps)


@pytest.mark.parametrize(
    ("secret", "kept", "asked", "token"),
    [
        ("an-invitation-to-play", "", ["join"], "given"),
        ("an-invitation-to-play", "mine", [], "mine"),
        ("", "mine", [], "mine"),
        ("", "", [], ""),
    ],
    ids=["an invitation", "an invitation to a seat that is kept", "a kept seat", "to watch"],
)
def test_a_link_leads_to_the_seat_that_one_has_or_is_invited_to_or_lets_one_watch(
    secret: str, kept: str, asked: list[str], token: str, server: list[tuple[str, object, str]]
) -> None:
    link = client.Link("http://example.org", "a", secret)
    if kept:
        keep_seat(link._replace(secret=""), token=kept)

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        await app.push_screen(Lobby(link.text))
        await settled(app)
        assert isinstance(app.screen, Remote)
        assert [path for path, _, _ in server] == asked
        assert Heard.all[-1].token == token

    running(steps)


def test_a_game_whose_answer_is_lost_is_hosted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numduel.tui import lobby
    from tests.web.site import asked, served

    lost: list[Any] = []

    def losing(*words: Any) -> Any:
        answer = client.ask(*words)
        if not lost:
            lost.append(answer)
            raise client.Failure("The server cannot be reached.")
        return answer

    monkeypatch.setattr(lobby, "ask", losing)
    with served(tmp_path / "web.db") as site:

        async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
            await app.push_screen(Lobby())
            await settled(app)
            app.screen.query_one("#server", Input).value = site.url
            app.screen.query_one("#host", Button).press()
            await until(app, lambda: bool(app.screen.query("#set-n")))
            await pilot.press("ctrl+s")
            await until(app, lambda: bool(lost))
            await pilot.press("ctrl+s")
            await until(app, lambda: isinstance(app.screen, Remote) and "Waiting" in told(app))
            ((address, seat),) = seats().items()
            assert (lost[0]["id"], lost[0]["token"]) == (
                client.read_link(address).id, seat["token"],
            )  # fmt: skip

        running(steps)
        assert asked(site.database, "SELECT count(*) FROM games") == [(1,)]


def test_a_move_that_does_not_get_through_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.web.site import served

    monkeypatch.setattr("numduel.tui.remote.RETRY", 0.01)
    with served(tmp_path / "web.db") as site:
        body = {"game": "duel", "opponent": "friend"}
        seat = client.ask(site.url, "/api/v1/games", body)
        link, asked = client.Link(site.url, seat["id"]), client.ask
        asked(link.server, f"{link.path}/join", {"invite": seat["invite"]})
        failures = [0, 503]

        def ask(server: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
            if path.endswith("/moves") and failures:
                raise client.Failure("The server cannot be reached.", failures.pop(0))
            return asked(server, path, body, token)

        monkeypatch.setattr("numduel.tui.remote.ask", ask)

        async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
            await app.push_screen(Remote(link, seat["token"]))
            await until(app, lambda: "Your turn." in told(app))
            await pilot.press(*typed("5"))
            await until(app, lambda: "Player 2 to move." in told(app))
            assert not failures

        running(steps)


class Radio:
    """In the place of `Live`: the test itself says what is heard."""

    def __init__(self, link: client.Link, token: str, heard: Any, lost: Any) -> None:
        self.heard, self.lost = heard, lost

    def stop(self) -> None:
        """Nothing is heard but what the test says."""


def test_news_that_comes_while_a_game_is_left_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.tui.remote.Live", Radio)

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        game = Remote(client.Link("http://localhost", "a"))
        await app.push_screen(game)
        radio: Any = game._live
        game.think(lambda: 1, lambda _: game.tell("Found."), lane="network")
        left = app.pop_screen()
        for _turn in range(60):
            radio.heard(client.Snapshot({"you": 1, "game": SENT}))
            radio.lost(None)
            await asyncio.sleep(0)
        await left
        await settled(app)
        assert isinstance(app.screen, Home)

    running(steps)


def test_a_rematch_is_gone_to_at_once_only_by_one_who_waits_for_it_at_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("numduel.tui.remote.Live", Radio)
    over = SENT | {"text": "5 resign", "rematch": {"offered": 1, "game": "b"}}

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        for offered, reading, gone in (
            (True, False, True), (True, True, False), (False, False, False),
        ):  # fmt: skip
            game = Remote(client.Link("http://localhost", "a"))
            await app.push_screen(game)
            radio: Any = game._live
            if offered:
                game._requested.add("rematch")
            if reading:
                await pilot.press("question_mark")
                await settled(app)
            for _ in range(3):
                radio.heard(client.Snapshot({"you": 1, "game": over}))
            await settled(app)
            if reading:
                await pilot.press("escape")
            if not gone:
                assert app.screen is game
                assert told(app).startswith("The rematch has begun: n goes there.")
                await pilot.press("n")
                await settled(app)
            assert [type(screen) for screen in app.screen_stack[1:]] == [Home, Remote]
            assert app.screen._link.id == "b"  # type: ignore[attr-defined]
            await pilot.press("escape")
            await settled(app)

    running(steps)


@pytest.mark.parametrize(
    "change",
    [
        {"text": "5 5"},
        {"text": "5 " * 2000},
        {"game": "chess"},
        {"variant": {"n": 10**9}},
        {"variant": 3},
        {"names": ["Ada"]},
        {"rematch": {"offered": None, "game": "../../x"}},
        {"first": "x"},
        {"players": ["human"]},
    ],
)
def test_what_is_not_a_game_is_refused_in_one_sentence(change: dict[str, object]) -> None:
    assert client.Snapshot({"you": 1, "game": SENT}).state.moves == (5, 4)
    with pytest.raises(client.Failure):
        client.Snapshot({"you": 1, "game": SENT | change})


@pytest.mark.parametrize("nobody", [7, 0, "1", [1], None])
def test_only_a_seat_can_ask_or_offer(nobody: object) -> None:
    change = {"undo": nobody, "rematch": {"offered": nobody, "game": None}}
    now = client.Snapshot({"you": 1, "game": SENT | change})
    assert (now.undo, now.offered) == (None, None)


def test_names_that_nobody_gave_are_kept_in_english() -> None:
    with speaking("de"):
        now = client.Snapshot({"you": 1, "game": SENT | {"names": ["Spieler 1", "Kurt"]}})
    assert now.names == now.record.names == ("Player 1", "Kurt")


class Heard(Radio):
    """A `Radio` of which every instance is known."""

    all: ClassVar[list[Heard]] = []

    def __init__(self, link: client.Link, token: str, heard: Any, lost: Any) -> None:
        super().__init__(link, token, heard, lost)
        self.token, self.stopped = token, False
        self.all.append(self)

    def stop(self) -> None:
        self.stopped = True

    def hear(self, you: int | None, **more: object) -> None:
        """Send the game to the app."""
        self.heard(client.Snapshot({"you": you, "game": SENT | more}))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object, str]]:
    """What a server is asked: path, body and token. It answers with the game as it was."""
    asked: list[tuple[str, object, str]] = []

    def ask(_: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
        asked.append((path.removeprefix("/api/v1/games/a/"), body, token))
        return {"you": 1, "game": SENT, "token": "given"}

    for asking in ("lobby", "remote"):
        monkeypatch.setattr(f"numduel.tui.{asking}.ask", ask)
    monkeypatch.setattr("numduel.tui.remote.Live", Heard)
    monkeypatch.setattr(Heard, "all", [])
    return asked


@pytest.mark.parametrize(
    ("you", "change", "said"),
    [
        (1, {}, "Bo plays 4. Your turn."),
        (1, {"text": ""}, "Your turn."),
        (2, {}, "Bo plays 4. Ada to move."),
        (None, {}, "Bo plays 4. Ada to move. You are watching."),
        (1, {"present": [False, True]}, "Bo plays 4. Your turn."),
        (1, {"present": [True, False]}, "Bo plays 4. Your turn. Bo is away."),
        (None, {"present": [False, False]},
         "Bo plays 4. Ada to move. You are watching. Ada is away. Bo is away."),
        (1, {"undo": 1}, "Bo plays 4. Your turn. You asked to take back a move."),
        (1, {"undo": 2}, "Bo asks to take back the last move. y:\xa0accept · n:\xa0decline"),
        (2, {"undo": 1}, "Ada asks to take back the last move. y:\xa0accept · n:\xa0decline"),
        (None, {"undo": 1}, "Bo plays 4. Ada to move. You are watching."),
        (1, {"seats": [True, False]}, "Waiting for the other player."),
        (None, {"seats": [True, False]},
         "Waiting for the other player. s: ask to play"),
    ],
)  # fmt: skip
def test_what_should_be_known_of_a_game_is_told(
    you: int | None, change: dict[str, object], said: str
) -> None:
    game = Remote(client.Link("http://localhost", "a"))
    assert " ".join(game._told(client.Snapshot({"you": you, "game": SENT | change}))) == said


def test_a_waiting_player_sees_the_link_and_the_end_offers_a_rematch() -> None:
    game = Remote(client.Link("http://localhost", "a"), invite="secret")
    alone = client.Snapshot({"you": 1, "game": SENT | {"seats": [True, False]}})
    link = "http://localhost/play/a#secret"
    assert game._told(alone)[0].endswith(f":\n{link}\nIt works on this computer only.")
    game._others = "http://192.0.2.7"
    assert game._told(alone)[0].endswith(":\nhttp://192.0.2.7/play/a#secret")
    for rematch, said in (
        ({"offered": None, "game": None}, ""),
        ({"offered": 1, "game": None}, "You offered a rematch. Waiting for an answer.\n"),
        ({"offered": 2, "game": None}, "Bo would like a rematch: n accepts.\n"),
        ({"offered": 2, "game": "b"}, "The rematch has begun: n goes there.\n"),
    ):
        over = SENT | {"text": "5 resign", "rematch": rematch}
        (told_last,) = game._told(client.Snapshot({"you": 1, "game": over}))
        assert told_last == f"{said}Bo resigned."


@pytest.mark.parametrize(
    ("status", "again", "looks"),
    [(0, True, False), (409, True, True), (429, True, False), (503, True, False),
     (400, False, False), (403, False, False), (500, False, False)],
)  # fmt: skip
def test_a_move_is_sent_again_where_that_can_help(
    status: int, again: bool, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, done = Remote(client.Link("http://localhost", "a")), []
    game._now = client.Snapshot({"you": 1, "game": SENT})
    game._pending = "6", "5 4"
    monkeypatch.setattr(game, "fail", lambda _: done.append("said"))
    monkeypatch.setattr(game, "_look", lambda: done.append("looked"))
    monkeypatch.setattr(game, "set_timer", lambda *_: done.append("again"))
    game._not_sent(client.Failure("No.", status))
    assert done == ["looked"] * looks + ["said"] + ["again"] * again
    assert (game._pending is None) != again


@pytest.mark.usefixtures("painted")
def test_what_the_other_one_asks_is_answered_by_a_key(
    server: list[tuple[str, object, str]],
) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://localhost", "a"), "secret"))
        (radio,) = Heard.all
        for change, question, answer in (
            ({"undo": 2}, "Bo asks to take back the last move.", "y"),
            ({"undo": 2, "number": 2}, "Bo asks to take back the last move.", "n"),
            ({"requests": [{"number": 7, "name": "Cy"}], "number": 3}, "Cy asks to play.", "y"),
        ):  # fmt: skip
            for _ in range(2):
                radio.hear(1, **change)
            await settled(app)
            assert question in drawn(app)
            await pilot.press(answer)
            await settled(app)
        radio.hear(1, undo=1, number=4)
        await settled(app)
        await pilot.press("y")
        assert server == [
            ("undo", {"after": 1, "say": "accept"}, "secret"),
            ("undo", {"after": 2, "say": "refuse"}, "secret"),
            ("requests/7", {"say": "accept"}, "secret"),
        ]

    running(steps)


def test_a_watcher_may_ask_for_the_free_seat_and_listens_again_with_it(
    server: list[tuple[str, object, str]],
) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://localhost", "a"), name="Cy"))
        Heard.all[-1].hear(None, seats=[True, False])
        await settled(app)
        await pilot.press("5", "enter")
        assert told(app) == "! You are only watching this game."
        await pilot.press("s")
        await settled(app)
        assert server == [("requests", {"name": "Cy"}, "")]
        assert [(each.token, each.stopped) for each in Heard.all] == [("", True), ("given", False)]
        assert [seat["token"] for seat in seats().values()] == ["given"]
        for _ in range(2):
            Heard.all[-1].hear(None)  # the seat is taken: by whom, only a new look can tell
            await settled(app)
        assert [each.stopped for each in Heard.all] == [True, True, False]

    running(steps)


def test_a_seat_that_cannot_be_kept_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    told: list[str] = []
    game = Remote(client.Link("http://localhost", "a"))
    monkeypatch.setattr(game, "notify", lambda sentence, **_: told.append(sentence))
    keep(game, client.Link("http://localhost", "a"), token="secret")
    assert len(told) == 1
    assert str(tmp_path / "file" / "numduel" / "online.json") in told[0]
    assert told[0].endswith("Your seat is lost when you leave.")


def test_giving_up_a_game_on_a_server_is_asked_first(server: list[tuple[str, object, str]]) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://localhost", "a"), "secret"))
        Heard.all[-1].hear(1)
        await settled(app)
        await pilot.press("g", "enter")
        assert server == []
        await pilot.press("g", "down", "enter", "u")
        await settled(app)
        assert server == [
            ("resign", {"after": 1}, "secret"),
            ("undo", {"say": "ask", "after": 1}, "secret"),
        ]
        Heard.all[-1].lost(None)
        await settled(app)
        assert told(app) == "! The connection is lost; trying again…"

    running(steps)


# -- among the saved games ------------------------------------------------------------------


@pytest.mark.usefixtures("server")
def test_a_game_online_stands_among_the_saved_ones_and_goes_on_in_its_seat(tmp_path: Path) -> None:
    link = client.Link("http://example.org", "a")

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        game = Remote(link, "secret")
        keep(game, link, token="secret")
        await app.push_screen(game)
        Heard.all[-1].hear(1)
        await settled(app)
        ((path, record),) = saved_games(finished=False)
        assert (record.state.moves, record.names, record.person) == ((5, 4), ("Ada", "Bo"), 1)
        assert record.online == link.address
        for secret in (path, tmp_path / "numduel" / "online.json"):
            assert secret.stat().st_mode & 0o777 == 0o600
        Heard.all[-1].hear(1, number=2, text="5 4 6")
        await settled(app)
        again = await opened(Remote, app, pilot, "escape", "c")
        assert Heard.all[-1].token == "secret"
        assert shown(again) == "5 4 6", "until the server answers, the game is as it was"
        await pilot.press("7", "enter")
        assert told(app) == "! Not connected yet."
        Heard.all[-1].lost(None)
        await settled(app)
        assert told(app) == "! The server cannot be reached; trying again… Nothing is lost."
        Heard.all[-1].lost(client.Failure("The server sent something that is not a game.", 500))
        await settled(app)
        assert told(app) == "! The server sent something that is not a game."
        Heard.all[-1].lost(client.Failure("There is no such game.", 404))
        await settled(app)
        assert told(app).endswith("what you saw of it stays in My games.")
        assert [saved[1].date for saved in saved_games(finished=False)] == [record.date]

    running(steps)


@pytest.mark.usefixtures("server")
def test_a_rematch_that_was_left_before_a_move_is_listed_until_another_game_is_played(
    home: Path,
) -> None:
    rematch, hosted = (client.Link("http://example.org", name) for name in "ab")

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        for link in (rematch, hosted):
            game = Remote(link, "secret")
            keep(game, link, token="secret", **({"invite": "abc"} if link == hosted else {}))
            await app.push_screen(game)
            Heard.all[-1].hear(1, text="")
            await settled(app)
        saved = saved_games(finished=False)
        assert len(saved) == 2
        for path, record in saved:
            old = replace(record, date=datetime(2026, 1, 1 + (record.online == rematch.address)))
            path.write_text(old.text(), "utf-8")
        assert [one.online for _, one in unfinished_games()] == [rematch.address, hosted.address]
        save(home, "later.duel", LOST)
        assert [one.online for _, one in unfinished_games()] == [hosted.address]

    running(steps)


@pytest.mark.usefixtures("server")
def test_the_friend_begins_the_next_game_once_the_person_has_moved() -> None:
    duel = numduel.game("duel")

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://example.org", "a"), "secret"))
        for number, (text, then) in enumerate((("", 1), ("5", 2), ("5 4", 2)), 1):
            Heard.all[-1].hear(1, number=number, text=text)
            await settled(app)
            assert in_turn(duel, "friend") == then
        remember_turn(replace(begin(duel, first=2).record, seat=1))  # in another game
        Heard.all[-1].hear(1, number=4, text="5 4 6")
        await settled(app)
        assert in_turn(duel, "friend") == 1

    running(steps)


def test_help_is_asked_of_the_server_once_and_stays_told(
    server: list[tuple[str, object, str]],
) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://localhost", "a"), "secret"))
        Heard.all[-1].hear(1, two_people=False)
        await settled(app)
        await pilot.press("h")
        await settled(app)
        said = told(app)
        assert said.endswith("(Another hint names a move.)")
        Heard.all[-1].hear(1, two_people=False, number=2, help=["hint"])
        await settled(app)
        assert told(app) == said
        assert [record.help for _, record in saved_games(finished=False)] == [{"hint"}]
        await pilot.press("h")
        await settled(app)
        assert told(app) != said
        assert server == [("hint", None, "secret")]

    running(steps)


@pytest.mark.usefixtures("server")
def test_help_that_the_server_refuses_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise client.Failure("Not now.", 403)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://localhost", "a"), "secret"))
        Heard.all[-1].hear(1, two_people=False)
        await settled(app)
        monkeypatch.setattr("numduel.tui.remote.ask", refuse)
        for key in "hv":
            await pilot.press(key)
            await settled(app)
            assert told(app) == "! Not now."
        assert not app.screen.query_one(Board).values

    running(steps)


@pytest.mark.usefixtures("server")
def test_a_game_that_is_only_watched_is_not_saved() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://example.org", "a")))
        Heard.all[-1].hear(None)
        await settled(app)
        assert saved_games(finished=False) == []

    running(steps)


@pytest.mark.usefixtures("painted")
def test_after_a_game_online_there_is_its_report(server: list[tuple[str, object, str]]) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://example.org", "a"), "secret"))
        await pilot.press("3")
        Heard.all[-1].hear(1, text="1 5 9 4 8 6")
        await settled(app)
        Heard.all[-1].lost(None)
        await settled(app)
        assert "You lost this one." in drawn(app)
        assert "!" not in told(app), "there is nothing that could be lost"
        assert "> 3" not in drawn(app), "what was typed is no move any more"
        await opened(After, app, pilot, "enter")
        await opened(Remote, app, pilot, "n")
        assert server == [("rematch", {}, "secret")]

    running(steps)


@pytest.mark.usefixtures("server", "painted")
def test_one_who_resigns_while_the_other_thinks_is_named() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://example.org", "a"), "secret"))
        Heard.all[-1].hear(1, text="5 4 resign2")
        await settled(app)
        assert "Bo resigned." in told(app)
        assert "3 ○ resigns" in drawn(app)

    running(steps)


@pytest.mark.parametrize(
    ("asked", "after", "said"),
    [
        (1, {"text": "5 4"}, "Bo did not let you take back the move."),
        (1, {"text": "5 4 6"}, "Bo did not let you take back the move."),
        (1, {"text": "5"}, "The last move is taken back."),
        (2, {"text": "5"}, "The last move is taken back."),
        (2, {"text": "5 4"}, ""),
        (1, {"undo": 1}, ""),
        (None, {}, ""),
    ],
)
def test_the_answer_to_a_wish_to_take_back_a_move_is_told(
    asked: int | None, after: dict[str, object], said: str
) -> None:
    before = client.Snapshot({"you": 1, "game": SENT | {"undo": asked}})
    assert _answer(before, client.Snapshot({"you": 1, "game": SENT | after})) == said


@pytest.mark.usefixtures("server", "painted")
def test_after_a_take_back_an_old_move_is_not_told_as_news() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://example.org", "a"), "secret"))
        Heard.all[-1].hear(2, number=1, text="5 4 6", undo=1)
        Heard.all[-1].hear(2, number=2, text="5 4", undo=None)
        await settled(app)
        assert told(app) == "The last move is taken back. Ada to move."

    running(steps)


@pytest.mark.usefixtures("server", "painted")
def test_while_an_answer_is_awaited_no_rematch_is_offered() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://example.org", "a"), "secret"))
        for number, (offered, begun, may) in enumerate(
            [(None, None, True), (1, None, False), (2, None, True), (1, "b", True)], 1
        ):
            rematch = {"offered": offered, "game": begun}
            Heard.all[-1].hear(1, number=number, text="5 resign", rematch=rematch)
            await settled(app)
            assert ("n Rematch" in drawn(app)) == ("n: rematch" in drawn(app)) == may

    running(steps)


@pytest.mark.usefixtures("server", "painted")
def test_the_link_for_a_friend_stays_when_nonsense_is_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noticed: list[str] = []
    game = Remote(client.Link("http://example.org", "a"), "secret", "invite")
    monkeypatch.setattr(game, "notify", lambda sentence, **_: noticed.append(sentence))

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(game)
        Heard.all[-1].hear(1, text="", seats=[True, False])
        await settled(app)
        await pilot.press(*typed("99"))
        await settled(app)
        assert "http://example.org/play/a#invite" in told(app)
        assert noticed == ["99 is out of range: the numbers are 1 to 9."]

    running(steps)


@pytest.mark.usefixtures("server", "painted")
def test_a_link_to_no_game_is_doubted_and_no_empty_board_is_drawn() -> None:
    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link("http://example.org", "a")))
        Heard.all[-1].lost(client.Failure("There is no such game.", 404))
        await settled(app)
        assert told(app) == "! The server has no such game. Is the link complete?"
        assert "Game online · example.org" in drawn(app)
        assert "Moves" not in drawn(app)

    running(steps)


def test_apps_that_keep_seats_at_the_same_moment_keep_them_all() -> None:
    links = [client.Link("http://example.org", str(number)) for number in range(8)]
    together(*(partial(keep_seat, link, token=link.id) for link in links))
    assert {seat["token"] for seat in seats().values()} == {link.id for link in links}


# -- a server of one's own ------------------------------------------------------------------


def test_a_server_of_the_apps_own_is_started_once_and_ends_with_the_app() -> None:
    own, there = OwnServer(), f"http://localhost:{free_port()}"
    own.start(there)
    assert own.running
    assert answers(there)
    process = own._process
    assert process is not None
    own.start(there)
    assert own._process is process
    assert process.stdin is not None
    process.stdin.close()  # as when the process of the app is killed
    assert process.wait(remaining()) == 0
    assert not own.running


@pytest.mark.usefixtures("server", "painted")
@pytest.mark.parametrize(
    ("host", "size", "codes"),
    [
        ("http://192.0.2.7", (80, 24), 3),  # the corners that scanners look for are all there
        ("http://192.0.2.7", (40, 12), 0),
        ("http://localhost:8000", (80, 24), 0),
    ],
)
def test_the_link_for_a_friend_is_shown_with_a_whole_code_where_there_is_room(
    host: str, size: tuple[int, int], codes: int
) -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Remote(client.Link(host, "abcdefghijkl"), "secret", "i" * 22))
        Heard.all[-1].hear(1, seats=[True, False])
        await settled(app)
        await pilot.press("i")
        await settled(app)
        await pilot.press("pagedown")
        await settled(app)
        link = f"{host}/play/abcdefghijkl#{'i' * 22}"
        assert app.clipboard == link
        words = " ".join(str(part.visual) for part in app.screen.query(Paragraph))
        assert f"numduel join '{link}'" in words
        assert drawn(app).count("█ ███ █") == codes
        assert (LARGER in words) == (size == (40, 12))

    running(steps, size)


def test_a_server_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "The server needs Linux or macOS; on Windows, use it in WSL."
    program = f"import sys; sys.exit({f'numduel: {said}'!r})"
    monkeypatch.setattr(
        "numduel.tui.hosting._serve",
        lambda _, log: subprocess.Popen([sys.executable, "-c", program], stderr=log),
    )
    with pytest.raises(numduel.BadVariant, match=re.escape(said)):
        OwnServer().start(f"http://localhost:{free_port()}")


def test_a_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.tui.hosting.LONGEST", 0.0)
    program = "import sys; sys.stdin.read()"
    monkeypatch.setattr(
        "numduel.tui.hosting._serve",
        lambda _, log: subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stderr=log
        ),
    )
    own = OwnServer()
    with pytest.raises(numduel.BadVariant, match=r"start\. It did not answer for 0 "):
        own.start(f"http://localhost:{free_port()}")
    assert own._process is not None
    assert own._process.wait(remaining()) != 0


def test_a_port_that_another_program_has_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def start(_: OwnServer, server: str) -> None:
        asked.append(int(server.rpartition(":")[2]))
        if len(asked) < 3:
            raise PortTaken("Another program has it.")

    monkeypatch.setattr(OwnServer, "start", start)
    assert OwnServer().host() == "http://localhost:8002"
    assert asked == [8000, 8001, 8002]
    monkeypatch.setattr("numduel.tui.hosting.PORTS", 2)
    asked.clear()
    with pytest.raises(numduel.BadVariant, match="all ports from 8000 to 8001"):
        OwnServer().host()


def test_leaving_is_asked_while_a_server_of_ones_own_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnServer, "running", True)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await opened(Choice, app, pilot, "ctrl+q")
        await opened(Home, app, pilot, "n")
        await pilot.press("ctrl+q", "ctrl+q")
        assert app._exit

    running(steps)


def test_a_link_given_to_the_app_is_followed_at_once(tmp_path: Path) -> None:
    from tests.web.site import served

    with served(tmp_path / "web.db") as site:
        seat = client.ask(site.url, "/api/v1/games", {"game": "duel", "opponent": "friend"})
        link = client.Link(site.url, seat["id"], seat["invite"])

        async def steps(app: NumduelApp, _: Pilot[None]) -> None:
            await app.push_screen(Lobby(link.text))
            await until(app, lambda: isinstance(app.screen, Remote) and "to move." in told(app))
            assert [*seats()] == [link.address]

        running(steps)
