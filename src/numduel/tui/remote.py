"""A game on a server, live. A move that does not get through is sent again until it does."""

from __future__ import annotations

from functools import partial
from typing import Any

from textual.binding import Binding

from numduel.activities.play import GIVE_UP, news
from numduel.client import Failure, Link, Live, Snapshot, ask
from numduel.core.errors import NumduelError
from numduel.core.state import State
from numduel.core.view import View, view
from numduel.files import data_folder, refused
from numduel.tui.board_screen import BoardScreen
from numduel.tui.page import Choice, Page
from numduel.tui.seats import FILE, keep_seat

RETRY = 1.0
"""Seconds before a move that did not get through is sent again."""
REMATCH = "Offer a rematch, or accept one"
SENDING = "Sending your move…"


class Remote(BoardScreen):
    """A game on a server, played or watched."""

    BINDINGS = [
        Binding("u", "undo", "Undo", tooltip="Ask to take back your last move"),
        Binding("g", "resign", "Resign", tooltip="Give up: the other player wins"),
        Binding("n", "rematch", "Rematch", tooltip=REMATCH),
        Binding("i", "invite", "Link", tooltip="Copy the link for a friend"),
        Binding("s", "seat", "Ask to play", tooltip="Ask for the free seat"),
    ]

    def __init__(self, link: Link, token: str = "", invite: str = "", name: str = "") -> None:
        super().__init__()
        self._link, self._token, self._called = link, token, name
        self._invite = invite
        self._now: Snapshot | None = None
        self._pending: tuple[str, str] | None = None
        """A move that is on its way, and the text of the game in which it was made."""
        self._asked: set[object] = set()
        """Questions that the person was asked already."""

    def on_mount(self) -> None:
        """Begin to listen."""
        self.tell("Connecting…")
        self._listen()

    def _listen(self) -> None:
        heard, lost = partial(self.later, self._receive), partial(self.later, self._lose)
        self._live = Live(self._link, self._token, heard, lost)

    def on_unmount(self) -> None:
        """Listen no longer."""
        self._live.stop()

    # -- what comes in ----------------------------------------------------------------------

    async def _receive(self, now: Snapshot) -> None:
        """Show the game as it stands now; older news is dropped."""
        if self._now and now.number < self._now.number:
            return
        self._now = now
        self.names, self.you = now.names, now.you
        if self._pending and self._pending[1] != now.state.text:
            self._pending = None
        self.show(now.state)
        self.refresh_bindings()
        self.tell(*self._told(now))
        self.refresh_values()
        self._put_questions(now)
        if now.next and self.you and "rematch" in self._asked:
            await self.action_rematch()

    def _lose(self, why: str) -> None:
        self.fail(why or "The connection is lost; trying again…")

    def _told(self, now: Snapshot) -> list[str]:
        state, seen = now.state, view(now.state, now.names)
        if seen.winner:
            offered = now.offered not in (None, now.you)
            offer = ["The other player would like a rematch."] if offered else []
            return ["\n".join([*state.game.closing(seen), *offer, "n: rematch"])]
        if self._pending:
            return [SENDING]
        if False in now.taken:
            if self._invite:
                link = self._link._replace(secret=self._invite).text
                return ["Waiting for the other player. The link for a friend (i copies it):", link]
            return ["Waiting for the other player.", *([] if now.you else ["s: ask to play"])]
        away = [
            f"{now.names[s]} is away." for s in (0, 1) if not now.present[s] and s + 1 != now.you
        ]
        turn = "Your turn." if state.to_move == now.you else seen.status
        watching = [] if now.you else ["You are watching."]
        asked = ["You asked to take back a move."] if now.undo and now.undo == now.you else []
        return [*news(state, now.names), turn, *watching, *away, *asked]

    def heading(self, state: State, seen: View) -> str:
        """The game, the score, and the server."""
        score = self._now.score if self._now else [0, 0]
        games = f" · {score[0]} : {score[1]}" if any(score) else ""
        return f"{super().heading(state, seen)}{games} · {self._link.server.partition('//')[2]}"

    # -- what the person does ---------------------------------------------------------------

    def chosen(self, move: str) -> None:
        """Send a move."""
        now = self._now
        if now is None or now.you is None:
            self.fail("You are only watching this game." if now else "Not connected yet.")
        elif now.state.winner:
            self.call_later(self.action_rematch)
        elif self._pending:
            self.fail("Your last move is still on its way.")
        elif now.state.to_move != now.you:
            self.fail(view(now.state, now.names).status)
        elif self.may(now.state, move, loses=now.strict):
            self._pending = move, now.state.text
            self.tell(SENDING)
            self._send_move()

    def _send_move(self) -> None:
        """Send the pending move, until it gets through or is refused."""
        if self._pending is None or self._now is None:
            return
        body = {"move": self._pending[0], "after": self._now.number}
        self._post("moves", body, failed=self._not_sent, group="move")

    def _not_sent(self, error: NumduelError) -> None:
        status = error.status if isinstance(error, Failure) else 500
        if status == 409 and self._pending and self._now:
            self._look()
        if status in (0, 409, 429, 503):
            self.fail(f"{error} Sending the move again…")
            self.set_timer(RETRY, self._send_move)
        else:
            self._pending = None
            self.fail(str(error))

    def _look(self) -> None:
        self._ask("", None, "Looking", "look")

    def _post(self, action: str, body: dict[str, Any], failed: Any = None, group: str = "") -> None:
        self._ask(f"/{action}", body, "Sending", group or action, failed)

    def _ask(self, path: str, body: Any, what: str, group: str, failed: Any = None) -> None:
        """Do something on the server, if there is a body, and show how the game stands then."""
        link, token = self._link, self._token
        self.think(
            lambda: Snapshot(ask(link.server, f"{link.path}{path}", body, token)),
            self._receive, what, group, "network", failed,
        )  # fmt: skip

    @property
    def enter(self) -> str:
        """After the game, a rematch."""
        over = self._now is not None and self._now.state.winner is not None
        return REMATCH if over else super().enter

    def action_enabled(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something now."""
        now = self._now
        over = now is not None and now.state.winner is not None
        if now is None:
            return action not in ("undo", "resign", "rematch", "invite", "seat", "hint", "values")
        if action in ("undo", "resign"):
            return now.you is not None and not over
        if action == "rematch":
            return over
        if action == "invite":
            return bool(self._invite) and False in now.taken
        if action == "seat":
            return now.you is None and False in now.taken and not self._token
        if action in ("hint", "values"):
            return now.alone and now.you is not None and not over
        return True

    def action_undo(self) -> None:
        """Ask to take back the last move."""
        if self._now:
            self._post("undo", {"say": "ask", "after": self._now.number})

    def action_resign(self) -> None:
        """Give up, after asking."""
        self.confirm(*GIVE_UP, self._resign)

    def _resign(self) -> None:
        if self._now:
            self._post("resign", {"after": self._now.number})

    async def action_rematch(self) -> None:
        """Offer a rematch, accept one, or go to it."""
        now = self._now
        if now is None:
            return
        if now.next:
            await self._follow(Link(self._link.server, now.next))
        elif now.you is not None:
            self._asked.add("rematch")
            self._post("rematch", {})

    async def _follow(self, link: Link) -> None:
        """Go to the next game, once."""
        if link not in self._asked:
            self._asked.add(link)
            if self._token:
                keep(self, link, token=self._token)
            await self.give_way(Remote(link, self._token, name=self._called))

    def action_invite(self) -> None:
        """Copy the link for a friend."""
        self.app.copy_to_clipboard(self._link._replace(secret=self._invite).text)
        self.notify("Link copied, if your terminal allows it.")

    def action_seat(self) -> None:
        """Ask for the free seat by name."""
        link, body = self._link, {"name": self._called or "Someone"}

        def asked(found: dict[str, Any]) -> None:
            self._token = str(found.get("token", ""))
            keep(self, link, token=self._token)
            self._live.stop()
            self._listen()
            self.tell("You have asked to play.")

        self.think(lambda: ask(link.server, f"{link.path}/requests", body), asked, lane="network")

    def _put_questions(self, now: Snapshot) -> None:
        """Pass on what the other player asks."""
        if now.you is None:
            if self._token and False not in now.taken and "seat" not in self._asked:
                self._asked.add("seat")  # it may have been given to us: only a new look can tell
                self._live.stop()
                self._listen()
            return
        for number, name in now.requests:
            self._question(number, f"{name} asks to play.", f"requests/{number}", {})
        if now.undo is not None and now.undo != now.you:
            told = f"{now.names[now.undo - 1]} asks to take back the last move."
            self._question((now.number, "undo"), told, "undo", {"after": now.number})

    def _question(self, key: object, told: str, action: str, body: dict[str, Any]) -> None:
        if key in self._asked:
            return
        self._asked.add(key)

        def answered(answer: str | None) -> None:
            self._post(action, body | {"say": "accept" if answer == "yes" else "refuse"})

        self.app.push_screen(Choice(told, {"yes": "Accept", "no": "Decline"}), answered)


def keep(page: Page, link: Link, **what: str) -> None:
    """Keep a seat, or say that it cannot be kept."""
    try:
        keep_seat(link, **what)
    except OSError as error:
        why = f"{refused(data_folder() / FILE, error)} Your seat is lost when you leave."
        page.notify(why, severity="warning", markup=False)
