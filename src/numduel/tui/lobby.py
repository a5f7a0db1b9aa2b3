"""Join a game on a server by its link, or host one there."""

from __future__ import annotations

import json
from contextlib import suppress
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option as Row

from numduel.client import Failure, Link, ask, read_link, read_server
from numduel.core.errors import NumduelError
from numduel.core.text import DEFAULT_NAMES
from numduel.play.turns import FRIEND
from numduel.tui.footer import Footer
from numduel.tui.hosting import OWN, PREPARING, local
from numduel.tui.listing import Listing
from numduel.tui.page import Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.seats import copy_of, seats
from numduel.tui.setup import LEVELS, NewGame, Setup, field, labelled
from numduel.tui.words import summary

if TYPE_CHECKING:
    from numduel.tui.remote import Remote

BY_LINK = (FRIEND, *LEVELS)
"""The kinds of players that can be chosen on a server."""


class Lobby(Page):
    """A link to follow, a server to host on, and earlier games."""

    BINDINGS = [
        Binding("ctrl+s", "go('join')", "Join", tooltip="Join the game of the link"),
        Binding("ctrl+o", "go('host')", "Host", tooltip="Host a game on the server"),
    ]
    AUTO_FOCUS = "#link"

    def __init__(self, link: str = "") -> None:
        """Follow a link at once, if one is given."""
        super().__init__()
        self._link = link
        self._keys: dict[str, str] = {}
        """The key that was sent with each request: if the answer is lost, the same request with the
        same key gets the same seat."""

    def compose(self) -> ComposeResult:
        """The fields, the buttons, and the games."""
        yield Static("Play online", id="title")
        with VerticalScroll(id="form", can_focus=False):
            yield labelled("Link", field("link", self._link, "http://…/play/…", 200))
            yield labelled("Your name", field("name", self.recall("name", "")))
            here = "this computer"
            yield labelled("Server", field("server", self.recall("server", ""), here, 200))
            with Horizontal(id="buttons"):
                yield Button("Join", id="join", variant="primary")
                yield Button("Host a game", id="host")
            yield Paragraph(id="problem")
            yield Listing(id="list", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Follow the link that is given."""
        if self._link:
            self.action_go("join")

    def on_screen_resume(self) -> None:
        """List the games that this user has a seat in."""
        listing = self.query_one(OptionList)
        listing.clear_options()
        listing.add_options(Row(_listed(address), id=address) for address in reversed(seats()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter joins; in the server's field it hosts."""
        self.action_go("host" if event.input.id == "server" else "join")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Join or host."""
        self.action_go(event.button.id or "")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go back to a game."""
        self.attempt(lambda: self._open(read_link(event.option_id or "")))

    def action_go(self, what: str) -> None:
        """Join the game of the link, or host one."""
        self.remember("name", self._text("name"))
        self.attempt(self._join if what == "join" else self._host)

    def fail(self, sentence: str) -> None:
        """Say what went wrong, below the fields."""
        self.query_one("#problem", Static).update(sentence)

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()

    def _join(self) -> None:
        link, name = read_link(self._text("link")), self._text("name")
        if not link.secret or link.address in seats():
            self._open(link)
            return
        body = {"invite": link.secret, "key": self._key(link.text)}
        body |= {"name": name} if name else {}
        self.think(
            lambda: ask(link.server, f"{link.path}/join", body),
            lambda found: self.app.push_screen(self._seat(link, found)),
            "Joining",
            lane="network",
            failed=lambda error: self._refused(link, error),
        )

    def _key(self, request: str) -> str:
        return self._keys.setdefault(request, token_urlsafe(32))

    def _refused(self, link: Link, error: NumduelError) -> None:
        """If the invitation is used up, the game can still be watched."""
        self.fail(str(error))
        if isinstance(error, Failure) and error.status in (403, 409):
            self._open(link)

    def _open(self, link: Link) -> None:
        from numduel.tui.remote import seated

        self.app.push_screen(seated(link, self._text("name")))

    def _host(self) -> None:
        typed = self._text("server")
        server = read_server(typed) if typed else ""
        self.remember("server", server)

        def opened(body: dict[str, object]) -> tuple[Link, dict[str, Any]]:
            there = _there(server)
            found = ask(there, "/api/v1/games", body)
            return read_link(Link(there, str(found.get("id", ""))).text), found

        def create(page: Page, new: NewGame) -> None:
            name = self._text("name") or new.names[0]
            body: dict[str, object] = {
                "game": new.game.id,
                "variant": new.game.settings,
                "opponent": new.opponent,
                "first": new.first,
                "forgiving": new.forgiving,
                "name": "" if name == DEFAULT_NAMES[0] else name,
            }
            body |= {"key": self._key(json.dumps(body)), "nonce": "1"}
            page.think(
                lambda: opened(body),
                lambda made: page.give_way(self._seat(*made)),
                PREPARING if _here(server) else "Asking the server",
                lane="server",
            )

        title = "Host a game on this computer"
        if server:
            title = f"Host a game on {server}"
        self.app.push_screen(Setup(title, BY_LINK, create))

    def _seat(self, link: Link, found: dict[str, Any]) -> Remote:
        """Keep a seat, and return the screen of its game."""
        from numduel.tui.remote import Remote, keep

        self._keys.clear()
        token, invite = (str(found.get(key) or "") for key in ("token", "invite"))
        own = local(link.server) and OWN.running
        link = link._replace(secret="")
        keep(self, link, token=token, invite=invite, own="yes" if own else "")
        return Remote(link, token, invite, self._text("name"), own=own)


def _here(server: str) -> bool:
    """Whether a game is hosted on this computer."""
    return not server or local(server)


def _there(server: str) -> str:
    """The server to host on; on this computer it is started if there is none."""
    if not server:
        return OWN.host()
    if _here(server):
        OWN.start(server)
    return server


def _listed(address: str) -> str:
    """A game that this user has a seat in, in one line."""
    with suppress(NumduelError):
        if record := copy_of(read_link(address)):
            return f"↺ {summary(record)}"
    return f"↺ {address}"
