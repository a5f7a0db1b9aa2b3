"""A game on a server, in the app: hosted, played, watched, and a server that does not answer."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, Select

import numduel
from numduel.tui import online
from numduel.tui.app import NumduelApp
from numduel.tui.home import Home
from numduel.tui.lobby import Lobby
from numduel.tui.remote import Remote
from tests.tui.driving import drawn, running, settled, told, typed, until

SENT: dict[str, object] = {
    "number": 1, "game": "duel", "variant": {}, "first": 1, "pie": False, "text": "5 4",
    "names": ["Ada", "Bo"], "strict": False, "seats": [True, True], "present": [True, True],
    "players": ["human", "human"], "two_people": True, "score": [0, 0], "undo": None,
    "requests": [], "rematch": {"offered": None, "game": None},
}  # fmt: skip
"""A game as a server sends it."""


def test_a_link_is_read_and_nonsense_refused() -> None:
    link = online.read_link("localhost:8000/play/V3b1tq0k9Zfx#q2yVh0C0aJv2v1mB3m1D3g")
    assert link == ("http://localhost:8000", "V3b1tq0k9Zfx", "q2yVh0C0aJv2v1mB3m1D3g")
    assert online.read_link(link.text) == link
    for text in ("", "http://", "ftp://a/play/b", "http://a/play/b#short", "a/b", "//[/play/b"):
        with pytest.raises(numduel.BadVariant):
            online.read_link(text)


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
            ((address, seat),) = online.seats().items()
            link = online.read_link(address)
            bo = online.ask(link.server, f"{link.path}/join", {"invite": seat["invite"]})

            def bo_does(what: str, **body: object) -> None:
                now = online.ask(link.server, link.path)["game"]["number"]
                online.ask(link.server, f"{link.path}/{what}", body | {"after": now}, bo["token"])

            await until(app, lambda: "Your turn." in told(app))
            await pilot.press(*typed("5"))
            await until(app, lambda: "Player 2 to move." in told(app))
            bo_does("moves", move="4")
            await until(app, lambda: "Player 2: 4. Your turn." in told(app))
            bo_does("undo", say="ask")
            await until(app, lambda: "asks to take back" in drawn(app))
            await pilot.press("enter")
            await until(app, lambda: "Player 2 to move." in told(app))
            bo_does("resign")
            await until(app, lambda: "wins the game!" in told(app))
            await pilot.press("n")
            online.ask(link.server, f"{link.path}/rematch", {}, bo["token"])
            await until(app, lambda: "0 : 0" not in drawn(app) and "1 : 0" in drawn(app))

        running(steps)


def test_a_game_whose_answer_is_lost_is_hosted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numduel.tui import lobby
    from tests.web.site import asked, served

    lost: list[Any] = []

    def losing(*words: Any) -> Any:
        answer = online.ask(*words)
        if not lost:
            lost.append(answer)
            raise online.Failure("The server cannot be reached.")
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
            ((address, seat),) = online.seats().items()
            assert (lost[0]["id"], lost[0]["token"]) == (
                online.read_link(address).id, seat["token"],
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
        seat = online.ask(site.url, "/api/games", body)
        link, asked = online.Link(site.url, seat["id"]), online.ask
        asked(link.server, f"{link.path}/join", {"invite": seat["invite"]})
        failures = [0, 503]

        def ask(server: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
            if path.endswith("/moves") and failures:
                raise online.Failure("The server cannot be reached.", failures.pop(0))
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

    def __init__(self, link: online.Link, token: str, heard: Any, lost: Any) -> None:
        self.heard, self.lost = heard, lost

    def stop(self) -> None:
        """Nothing is heard but what the test says."""


def test_news_that_comes_while_a_game_is_left_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.tui.remote.Live", Radio)

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        game = Remote(online.Link("http://localhost", "a"))
        await app.push_screen(game)
        radio: Any = game._live
        game.think(lambda: 1, lambda _: game.tell("Found."), lane="network")
        left = app.pop_screen()
        for _turn in range(60):
            radio.heard(online.Snapshot({"you": 1, "game": SENT}))
            radio.lost("")
            await asyncio.sleep(0)
        await left
        await settled(app)
        assert isinstance(app.screen, Home)

    running(steps)


def test_a_rematch_is_gone_to_once_whatever_lies_over_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("numduel.tui.remote.Live", Radio)
    over = SENT | {"text": "5 resign", "rematch": {"offered": 1, "game": "b"}}

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        game = Remote(online.Link("http://localhost", "a"))
        await app.push_screen(game)
        radio: Any = game._live
        game._asked.add("rematch")
        await pilot.press("question_mark")
        for _ in range(3):
            radio.heard(online.Snapshot({"you": 1, "game": over}))
        await settled(app)
        assert [type(screen) for screen in app.screen_stack[1:]] == [Home, Remote]
        assert isinstance(app.screen, Remote)
        assert app.screen._link.id == "b"

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
        {"first": "1"},
    ],
)
def test_what_is_not_a_game_is_refused_in_one_sentence(change: dict[str, object]) -> None:
    assert online.Snapshot({"you": 1, "game": SENT}).state.moves == (5, 4)
    with pytest.raises(online.Failure):
        online.Snapshot({"you": 1, "game": SENT | change})
