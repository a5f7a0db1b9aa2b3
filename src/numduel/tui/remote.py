"""A game on a server, live. A move that does not get through is sent again until it does."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from rich.style import Style
from rich.text import Text
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from numduel.activities.play import GIVE_UP, look_back, news
from numduel.client import Failure, Link, Live, Snapshot, ask
from numduel.core.errors import NumduelError
from numduel.core.state import State
from numduel.core.text import name_told
from numduel.core.view import View, view
from numduel.files import data_folder, refused
from numduel.play.score import between
from numduel.play.turns import remember_turn
from numduel.tui.board import Board
from numduel.tui.board_screen import BoardScreen
from numduel.tui.hosting import OWN, PREPARING, for_others, local
from numduel.tui.page import Drawer, Page
from numduel.tui.paragraph import Paragraph
from numduel.tui.seats import FILE, copy_of, keep_seat, save_copy, seats
from numduel.tui.words import REPORT

RETRY = 1.0
"""Seconds before a move that did not get through is sent again."""
REMATCH = "Offer a rematch, or accept one"
SENDING = "Sending your move…"
UNREACHED = "The server cannot be reached; trying again… Nothing is lost."
LOST = "The connection is lost; trying again…"
UNKNOWN = "The server has no such game. Is the link complete?"
GONE = "The server does not have this game any more; what you saw of it stays in My games."
TAKEN_BACK = "The last move is taken back."
INVITATION = "The link for a friend"
HERE_ONLY = "It works on this computer only."
LARGER = "In a larger window there is a QR code for a phone here."
BESIDE_CODE = 30
"""Columns for the text beside a QR code, at least."""
OTHERS = "For other devices, start the server with: numduel serve --host 0.0.0.0"


class Request(NamedTuple):
    """Something that somebody asks of this player: what to say, and how to answer."""

    told: str
    action: str
    body: dict[str, Any]


class Remote(BoardScreen):
    """A game on a server, played or watched."""

    BINDINGS = [
        Binding("y", "answer('accept')", "Accept", tooltip="Say yes to what you are asked"),
        Binding("n", "answer('refuse')", "Decline", tooltip="Say no to what you are asked"),
        Binding("a", "report", "Report", tooltip=REPORT),
        Binding("u", "undo", "Undo", tooltip="Ask to take back your last move"),
        Binding("g", "resign", "Resign", tooltip="Give up: the other player wins"),
        Binding("n", "rematch", "Rematch", tooltip=REMATCH),
        Binding("i", "invite", "Link", tooltip="The link for a friend, to copy"),
        Binding("s", "seat", "Ask to play", tooltip="Ask for the free seat"),
    ]

    def __init__(
        self, link: Link, token: str = "", invite: str = "", name: str = "", *, own: bool = False
    ) -> None:
        super().__init__()
        self._link, self._token, self._called = link, token, name
        self._invite, self._own = invite, own
        self._others = link.server
        """The address of the server for a friend."""
        self._reaching = False
        """Whether that is being found out."""
        self._now: Snapshot | None = None
        self._pending: tuple[str, str] | None = None
        """A move that is on its way, and the text of the game in which it was made."""
        self._requested: set[object] = set()
        """What the person has requested already."""
        self._afterwards: list[str] = []
        """What is to be said of the game when it is over, once that is known."""
        self._note = 0, ""
        """What became of something that was asked, and the number of the game it is said in."""

    def on_mount(self) -> None:
        """Begin to listen; until something is heard, show the game as it was."""
        before = copy_of(self._link)
        self.set_class(before is None, "unknown")
        if before is not None:
            self.names, self.you = before.names, before.seat
            self.show(before.state)
        else:
            self.query_one("#title", Static).update(f"Game online · {self._place}")
        self.tell("Connecting…")
        self._listen()
        if self._own or (self._invite and local(self._link.server)):
            self._reach()

    def _reach(self) -> None:
        """Find the address for a friend; if the game is on a server of this app's own, start it
        again if need be."""
        if self._reaching:
            return
        self._reaching = True

        def reach() -> str:
            if self._own:
                OWN.start(self._link.server)
            return for_others(self._link.server)

        self.think(reach, self._reached, PREPARING, "server", "server", self._unreached)

    def _reached(self, others: str) -> None:
        self._reaching, self._others = False, others
        if self._now is not None:
            self.tell(*self._told(self._now))

    def _unreached(self, error: NumduelError) -> None:
        self._reaching = False
        self.fail(str(error))

    def _listen(self) -> None:
        heard, lost = partial(self.later, self._receive), partial(self.later, self._lose)
        self._live = Live(self._link, self._token, heard, lost)

    def on_unmount(self) -> None:
        """Listen no longer."""
        self._live.stop()

    # -- what comes in ----------------------------------------------------------------------

    async def _receive(self, now: Snapshot) -> None:
        """Show the game as it stands now; older news is dropped."""
        before = self._now
        if before and now.number < before.number:
            return
        self._now = now
        self.remove_class("unknown")
        self.names, self.you = now.names, now.you
        if self._pending and self._pending[1] != now.state.text:
            self._pending = None
        if before and (note := _answer(before, now)):
            self._note = now.number, note
        if now.you and (before is None or before.record != now.record):
            self._save(now)
        if before and before.state == now.state and before.record.help != now.record.help:
            return  # only help was noted: what was said stays said
        self.show(now.state)
        self.finish(view(now.state, now.names))
        if now.state.winner:
            self.query_one(Board).type("")
        self.refresh_bindings()
        self.tell(*self._told(now))
        self.refresh_values()
        if now.you and now.state.winner and not (before and before.state.winner):
            self.think(partial(look_back, now.record.text()), self._looked_back, "")
        self._notice(before, now)
        if now.next and now.you and "rematch" in self._requested and self.app.screen is self:
            await self.action_rematch()

    def _looked_back(self, found: dict[str, Any]) -> None:
        self._afterwards = found["lines"]
        if self._now is not None:
            self.tell(*self._told(self._now))

    def _save(self, now: Snapshot) -> None:
        try:
            known = copy_of(self._link)
            if now.record.begun and not (known and known.begun):
                remember_turn(now.record)
            save_copy(self._link, now.record)
        except OSError as error:
            if "save" not in self._requested:
                self.notify(refused("This game", error), severity="warning", markup=False)
            self._requested.add("save")

    def _notice(self, before: Snapshot | None, now: Snapshot) -> None:
        """Say what the person would miss while something else lies over the board; and find out
        whose the free seat has become."""
        if now.you is None:
            if self._token and False not in now.taken and "seat" not in self._requested:
                self._requested.add("seat")  # it may be ours now: only a new look can tell
                self._live.stop()
                self._listen()
            return
        told, known = _pressing(now), _pressing(before) if before else ""
        if told and told != known and self.app.screen is not self:
            self.notify(told, markup=False)

    def _lose(self, why: Failure | None) -> None:
        if self.over:
            return
        if why is None:
            self.fail(LOST if self._now else UNREACHED)
            if self._own:
                self._reach()
        elif why.status == 404:
            self.fail(UNKNOWN if copy_of(self._link) is None else GONE)
        else:
            self.fail(str(why))

    def fail(self, sentence: str) -> None:
        """Say what went wrong; the link for a friend stays where it is."""
        if self._now and self._invites(self._now):
            self.notify(sentence, severity="warning", markup=False)
        else:
            super().fail(sentence)

    def _told(self, now: Snapshot) -> list[str]:
        state, seen = now.state, view(now.state, now.names)
        if seen.winner:
            closing = state.game.closing(seen, now.you)[:-1]  # who has won stands above the board
            told = [_pressing(now), *closing, *self._afterwards]
            return ["\n".join(filter(None, told))]
        if self._pending:
            return [SENDING]
        request = asked_of(now)
        if request:
            return [request.told, "y:\N{NO-BREAK SPACE}accept · n:\N{NO-BREAK SPACE}decline"]
        if False in now.taken:
            if self._invites(now):
                wait = "Waiting for the other player. The link for a friend (i copies it):"
                here = [HERE_ONLY] if local(self._others) else []
                return ["\n".join([wait, self._invitation, *here])]
            asks = [] if now.you else ["s: ask to play"]
            return ["Waiting for the other player.", *asks]
        away = [
            f"{seen.name(seat)} is away."
            for seat in (1, 2)
            if not now.present[seat - 1] and seat != now.you
        ]
        turn = "Your turn." if state.to_move == now.you else seen.status
        watching = [] if now.you else ["You are watching."]
        mine = bool(now.undo) and now.undo == now.you
        asked = ["You asked to take back a move."] if mine else []
        note = [self._note[1]] if self._note[0] == now.number else []
        last = [] if note == [TAKEN_BACK] else news(state, now.names)
        return [*note, *last, turn, *watching, *away, *asked]

    def _invites(self, now: Snapshot) -> bool:
        """Whether there is a link for a friend, who has not come yet."""
        return bool(self._invite) and False in now.taken

    def heading(self, state: State, seen: View) -> str:
        """The game, the score, and the server."""
        score = self._now.score if self._now else [0, 0]
        games = [between(seen.names, score)] if any(score) else []
        return " · ".join([super().heading(state, seen), *games, self._place])

    @property
    def _place(self) -> str:
        """The server, as a title shows it."""
        return self._link.server.partition("//")[2]

    # -- what the person does ---------------------------------------------------------------

    def chosen(self, move: str) -> None:
        """Send a move."""
        now = self._now
        if now is not None and now.state.winner:
            self.action_report()
        elif now is None or now.you is None:
            told = "You are only watching this game." if now else "Not connected yet."
            self.fail(told)
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
            self.fail(" ".join([str(error), "Sending the move again…"]))
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
    def over(self) -> bool:
        """Whether somebody has won."""
        return self._now is not None and self._now.state.winner is not None

    @property
    def kept(self) -> bool:
        """Whether there is a game to go on with later."""
        return self._now is not None and self._now.you is not None and not self.over

    @property
    def asked(self) -> str:
        """What can be typed, if it is this player's turn."""
        now = self._now
        mine = now is not None and now.you == now.state.to_move and not self._pending
        return super().asked if mine else ""

    @property
    def offer(self) -> str:
        """After the game, the report or a rematch."""
        if not self.over:
            return ""
        if not (self._now and self._may_ask):
            return "Enter: report · Esc: back"
        return "Enter: report · n: rematch · Esc: back"

    @property
    def enter(self) -> str:
        """After the game, the report."""
        return "The report of the game" if self.over else super().enter

    @property
    def _may_rematch(self) -> bool:
        now = self._now
        return now is not None and self.over and bool(now.you or now.next)

    @property
    def _may_ask(self) -> bool:
        """Whether a rematch can be offered or gone to: not while an answer is awaited."""
        now = self._now
        return self._may_rematch and bool(now and (now.next or now.offered != now.you))

    def action_enabled(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something now."""
        now = self._now
        if now is None:
            return action in ("back", "keys", "rules", "more")
        mine = now.you is not None and not self.over
        means = {
            "answer": asked_of(now) is not None,
            "report": self.over,
            "undo": mine and now.undo is None and now.undoable,
            "resign": mine,
            "rematch": self._may_ask,
            "invite": self._invites(now),
            "seat": now.you is None and False in now.taken and not self._token,
            "hint": mine and now.alone,
            "values": mine and now.alone,
        }
        return means.get(action, True)

    def action_report(self) -> None:
        """Show the report."""
        from numduel.tui.after import After

        if self._now is not None:
            again = self._again if self._may_rematch else None
            self.app.push_screen(After(self._now.record, again=again))

    def _again(self) -> None:
        self.call_later(self.action_rematch)

    def action_answer(self, say: str) -> None:
        """Accept or decline what the other player asks."""
        request = asked_of(self._now) if self._now else None
        if request:
            self._post(request.action, request.body | {"say": say})

    def action_undo(self) -> None:
        """Ask to take back the last move."""
        if self._now:
            self._post("undo", {"say": "ask", "after": self._now.number})

    def action_resign(self) -> None:
        """Give up, after asking."""
        question, no, yes = GIVE_UP
        self.confirm(question, no, yes, self._resign)

    def _resign(self) -> None:
        if self._now:
            self._post("resign", {"after": self._now.number})

    def note_help(self, word: str) -> None:
        """Ask the server for it, which remembers that or refuses; what it answers is found here."""
        if self._now and word not in self._now.record.help:
            ask(self._link.server, f"{self._link.path}/{word}", None, self._token)

    async def action_rematch(self) -> None:
        """Offer a rematch, accept one, or go to it."""
        now = self._now
        if now is None:
            return
        if now.next:
            await self._follow(Link(self._link.server, now.next))
        elif now.you is not None:
            self._requested.add("rematch")
            self._post("rematch", {})

    async def _follow(self, link: Link) -> None:
        """Go to the next game, once."""
        if link not in self._requested:
            self._requested.add(link)
            if self._token:
                keep(self, link, token=self._token, own=_flag(self._own))
            await self.give_way(Remote(link, self._token, name=self._called, own=self._own))

    @property
    def _invitation(self) -> str:
        """The link for a friend."""
        return self._link._replace(server=self._others, secret=self._invite).text

    def action_invite(self) -> None:
        """Copy the link for a friend, and show it with what to do with it."""
        self.app.copy_to_clipboard(self._invitation)
        told = ["It is copied, if your terminal allows that."]
        told += [f"{HERE_ONLY} {OTHERS}"] if local(self._others) else []
        told += [
            "A friend opens it in a browser, or types:",
            f"numduel join '{self._invitation}'",
        ]
        self.app.push_screen(Invitation(self._invitation, told))

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


class Invitation(Drawer):
    """The link for a friend, and beside it a QR code, where there is room for one and a phone can
    follow it."""

    def __init__(self, link: str, told: list[str]) -> None:
        super().__init__(INVITATION)
        self._link, self._told = link, told

    def on_mount(self) -> None:
        """Look how much room there is."""
        code, told = Text() if local(self._link) else _qr_code(self._link), self._told
        wide, high = self.app.size
        rows = code.plain.count("\n") + 1
        fits = rows < high and code.cell_len // rows + BESIDE_CODE <= wide
        told = told if fits or not code else [*told, LARGER]
        parts = [
            Paragraph("\n\n".join([self._link, *told])),
            *([Static(code, classes="code")] if fits else []),
        ]
        self.query_one(VerticalScroll).mount(Horizontal(*parts))


def _qr_code(link: str) -> Text:
    """A link for a phone, two rows of squares a line; nothing without the packages of a server."""
    try:
        import segno
    except ImportError:
        return Text()
    rows = [[*row] for row in segno.make(link, error="l", micro=False).matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    lines = [
        "".join(" ▄▀█"[2 * above + below] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    return Text("\n".join(lines), Style(color="black", bgcolor="white"))


def asked_of(now: Snapshot) -> Request | None:
    """What somebody asks of this player now, if anything."""
    if now.you is None or now.state.winner:
        return None
    for number, name in now.requests:
        return Request(f"{name} asks to play.", f"requests/{number}", {})
    if now.undo not in (None, now.you):
        name = name_told(now.names[now.undo - 1])
        told = f"{name} asks to take back the last move."
        return Request(told, "undo", {"after": now.number})
    return None


def _pressing(now: Snapshot) -> str:
    """What waits for this player: a request, or how a rematch stands; if nothing does, that it is
    their turn."""
    if now.state.winner is None:
        request = asked_of(now)
        if request:
            return request.told
        mine = now.state.to_move == now.you and now.state.moves
        return "It is your turn." if mine else ""
    if now.next:
        return "The rematch has begun: n goes there."
    if now.offered is None or now.you is None:
        return ""
    if now.offered == now.you:
        return "You offered a rematch. Waiting for an answer."
    name = name_told(now.names[now.offered - 1])
    return f"{name} would like a rematch: n accepts."


def _answer(before: Snapshot, now: Snapshot) -> str:
    """What became of the wish to take a move back, if it was answered just now."""
    if before.undo is None or now.undo is not None or now.state.winner:
        return ""
    if len(now.state.moves) < len(before.state.moves):
        return TAKEN_BACK
    if before.undo != now.you:
        return ""
    name = name_told(now.names[2 - before.undo])
    return f"{name} did not let you take back the move."


def seated(link: Link, name: str = "") -> Remote:
    """The screen of a game, in the seat that is kept for it."""
    link = link._replace(secret="")
    known = seats().get(link.address, {})
    seat = known.get("token", ""), known.get("invite", "")
    return Remote(link, *seat, name, own=bool(known.get("own")))


def _flag(true: bool) -> str:
    return "yes" if true else ""


def keep(page: Page, link: Link, **what: str) -> None:
    """Keep a seat, or say that it cannot be kept."""
    try:
        keep_seat(link, **what)
    except OSError as error:
        lost = "Your seat is lost when you leave."
        why = f"{refused(data_folder() / FILE, error)} {lost}"
        page.notify(why, severity="warning", markup=False)
