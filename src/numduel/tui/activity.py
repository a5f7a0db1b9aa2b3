"""An activity on a screen: its board, what it says, and a key for everything that can be done."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from numduel.activities import Activity, Scene, run
from numduel.activities.base import Choice, plain, time_left, until_next
from numduel.activities.keeping import Kept
from numduel.activities.tables import INDENT, Table, blocks
from numduel.core.errors import NumduelError
from numduel.core.state import State
from numduel.core.text import titled
from numduel.core.view import View
from numduel.play.record import parse
from numduel.tui.board_screen import NARROW, BoardScreen
from numduel.tui.page import Drawer
from numduel.tui.paragraph import Paragraph

Some = TypeVar("Some", bound=Activity)
MARKS = {"right": "✓ ", "wrong": "✗ "}
BAR, LEAST_BAR = 20, 8
"""Columns of a bar at most; with less room than at least, there is none."""
MARGIN = 8
"""Columns beside a table."""
TICK = 0.25
"""Seconds between two looks at a clock."""


def binding(choice: Choice) -> Binding:
    """The key of a choice."""
    action, shown = f"do('{choice.action}')", choice.key != choice.label
    return Binding(choice.key, action, choice.label, tooltip=choice.told, show=shown)


class Activities(BoardScreen, Generic[Some]):
    """Something that somebody does."""

    BINDINGS = [
        Binding("t", "text", "Text", tooltip="Read the text again"),
        Binding("space", "more", "More", tooltip="Read the whole text", show=False),
        Binding("space", "read_on", "More", tooltip="Read on"),
    ]

    @classmethod
    def of(cls, kept: Kept[Some], link: str) -> Activities[Some]:
        """A screen that begins with what an address names, with a key for each choice."""
        keys = [binding(choice) for choice in kept.activity.CHOICES]
        kind: type[Activities[Some]] = type(cls.__name__, (cls,), {"BINDINGS": keys})
        return kind(kept, link)

    def __init__(self, kept: Kept[Some], link: str) -> None:
        super().__init__()
        self.activity = kept.activity
        self._kept, self._link = kept, link
        kept.complain = lambda sentence: self.notify(sentence, severity="warning", markup=False)
        self._shown = Scene()
        self._since = monotonic()
        """When the activity was as it is."""

    def beside(self) -> ComposeResult:
        """What is to be read first, or else the moves."""
        yield from super().beside()
        with VerticalScroll(id="reading"):
            yield Paragraph(id="text")

    def on_mount(self) -> None:
        """Begin; until it is known what is shown, only its name is."""
        self.query_one("#reading").display = False
        self.query_one("#title", Static).update(self.called)
        self.add_class("unknown")
        self.tell("One moment…")
        self.action_do("begin", self._link)
        self.set_interval(TICK, self.tick)

    def on_screen_resume(self) -> None:
        """What was asked last is in view when the text has been read that lay over it."""
        if self.has_class("boardless") and not self.activity.scene.tables:
            self.query_one("#reading").scroll_end(animate=False)

    # -- doing ------------------------------------------------------------------------------

    def action_do(self, action: str, given: str = "") -> None:
        """Do something, and go on when all is computed that it waits for."""
        now = self._now
        after = now.act(action, given)
        if after is not self.activity:
            self._go_on(now, after)

    @property
    def _now(self) -> Some:
        """The activity as time has passed."""
        return self.activity.after(monotonic() - self._since)

    def tick(self) -> None:
        """Show the time that is left, if a clock runs."""
        if self.activity.scene.clock is None:
            if self._shown.next_day:
                self._show_title()
            return
        if self._now.scene.clock is None:
            self.action_do("tick")
        else:
            self._show_title()

    def _go_on(self, before: Some, activity: Some) -> None:
        """Show what is new, and compute what is waited for. What cannot be computed leaves
        everything as it was; what is waited for no longer is not told."""
        running, work, scene = before.work, activity.work, activity.scene
        self.activity, before = activity, replace(before, work=None)
        self._since = monotonic()
        if work is None or activity.said or scene.at not in ("", self._shown.at):
            before = replace(activity, work=None)
            self._show(scene)
            self._kept.keep(activity)
        if work is not None and work is running:
            return
        self.workers.cancel_group(self, "activity")
        if work is None:
            self._follow(scene)
            return

        def fed(result: Any) -> None:
            now = self._now
            if now.work is work:
                self._go_on(before, now.fed(result))

        def failed(error: NumduelError) -> None:
            self.activity = before
            self.fail(str(error))

        self.think(partial(run, work), fed, work.told, "activity", failed=failed)

    def _follow(self, scene: Scene) -> None:
        """Do what is to be done once a scene is shown, unless something else was done meanwhile."""
        shown = self.activity

        def follow() -> None:
            if self.activity is shown:
                self.action_do(scene.then)

        if scene.pause:
            self.set_timer(scene.pause, follow)
        elif scene.then:
            follow()

    def chosen(self, move: str) -> None:
        """Make a move, or do the main thing; when there is nothing left to do, leave."""
        scene = self.activity.scene
        if scene.moves:
            self.action_do("move", move)
        elif scene.choices:
            self.action_do(scene.choices[0].action)
        elif scene.at:
            self.action_back()

    def action_back(self) -> None:
        """Leave it."""
        self._kept.keep(self.activity.act("leave"))
        super().action_back()

    def action_text(self) -> None:
        """Show the text over the board."""
        scene = self.activity.scene
        self.app.push_screen(Drawer(scene.title, Paragraph(_read(scene, self.app.size.width))))

    @property
    def _unread(self) -> bool:
        """Whether there is a text without a board, and more of it than can be seen."""
        return self.has_class("boardless") and self.query_one("#reading").max_scroll_y > 0

    def action_read_on(self) -> None:
        """Show more of the text; after its end, its beginning."""
        text = self.query_one("#reading")
        if text.scroll_y >= text.max_scroll_y:
            text.scroll_home(animate=False)
        else:
            text.scroll_page_down(animate=False)

    # -- showing ----------------------------------------------------------------------------

    def _show(self, scene: Scene) -> None:
        before, self._shown = self._shown, scene
        self.set_class(not scene.link, "unknown")
        moved = bool(scene.at) and _board(scene) != _board(before)
        if moved:
            record = parse(scene.at)
            state, self.names = record.state, record.names
            if scene.link != before.link:
                self.values_on = False
            self.show(state)
        boardless = bool(scene.link) and not scene.at
        self.set_class(boardless, "boardless")
        if boardless:
            self.clear()
        if not scene.at:
            self.query_one("#goal", Static).update(plain(scene.goal))
        self.on_board_typed()
        self.refresh_bindings()
        self.tell(_told(scene))
        self.set_class(bool(scene.at) and not scene.moves, "settled")
        self.on_resize()
        for sentence in scene.said:
            if sentence.kind == "error":
                self.fail(sentence.text)
        if moved and self.activity.work is None:
            self.refresh_values()
        if (scene.link, scene.tables) != (before.link, before.tables):
            self.query_one("#text", Static).update(_read(scene, self.app.size.width))
        if scene.link != before.link:
            reading = bool(scene.text) or boardless
            self.set_class(reading, "reading")
            for part in self.query_one("#side").children:
                part.display = (part.id == "reading") == reading
            if self._narrow and _read_first(scene):
                self.action_text()

    def on_resize(self) -> None:
        """Where there is more room, the title and the footer say more, and less is left to scroll
        to."""
        super().on_resize()
        self._show_title()
        if self._shown.link and not _told(self._shown):
            self.tell(" · ".join(self._offered))
        self.call_after_refresh(self.refresh_bindings)

    @property
    def _narrow(self) -> bool:
        return self.app.size.width < NARROW

    @property
    def _offered(self) -> list[str]:
        """The answers to choose from; on a narrow terminal all keys, which the footer has no room
        for."""
        scene = self._shown
        text = [titled("t", "text")] if self._narrow and _read_first(scene) else []
        return text + [
            choice.key if choice.key == choice.label else titled(choice.key, choice.label.lower())
            for choice in scene.choices
            if not scene.leads and (self._narrow or choice.key == choice.label)
        ]

    def _show_title(self) -> None:
        if self._shown.link:
            self.query_one("#title", Static).update(self._title)

    def heading(self, state: State, seen: View) -> str:
        """The same as without a board."""
        return self._title

    @property
    def called(self) -> str:
        """What is done, in the first words of the title."""
        return self.activity.heading

    @property
    def _title(self) -> str:
        """What it is, and as many notes as there is room for; where there is little, the time comes
        first."""
        title, scene = self.called, self._now.scene
        time = brief = time_left(scene)
        if scene.next_day:
            left = until_next(scene.next_day, datetime.now())
            time, brief = f"Next puzzle in {left}", f"Next in {left}"
        ways = (title, time, *scene.notes), (title, time, *scene.notes[:1]), (time, title)
        for way in ways:
            whole = " · ".join(filter(None, way))
            if len(whole) < self.app.size.width - 1:
                return whole
        return " · ".join(filter(None, (brief, title)))

    @property
    def underway(self) -> bool:
        """Whether it asks for a move."""
        return self.activity.scene.moves

    def goal(self, state: State, seen: View) -> str:
        """What is asked."""
        return plain(self.activity.scene.goal)

    def action_enabled(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What the activity offers; values would be the answer as long as one is asked for."""
        scene = self.activity.scene
        if action == "do":
            return parameters[0] in {choice.action for choice in scene.choices}
        told = bool(scene.at and scene.said and not scene.moves)
        means = {
            "values": told, "hint": False, "text": _read_first(scene),
            "rules": bool(scene.at), "read_on": self._unread, "more": not self._unread,
        }  # fmt: skip
        return means.get(action, True)

    @property
    def asked(self) -> str:
        """Nothing, when no move can be made."""
        return super().asked if self.activity.scene.moves else ""

    @property
    def offer(self) -> str:
        """When no move can be made, what Enter does."""
        return f"Enter: {self.enter.lower()}" if self.activity.scene.link else ""

    @property
    def enter(self) -> str:
        """When no move can be made, the main thing."""
        scene = self.activity.scene
        if scene.moves:
            return super().enter
        return scene.choices[0].label if scene.choices else "Back"


def _read_first(scene: Scene) -> bool:
    """Whether there is a text to read before doing something; a profile is only read."""
    return bool(scene.text) and not scene.tables and scene.leads is None


def _board(scene: Scene) -> tuple[str, str, str]:
    """What the board and the lines above it show."""
    return scene.link, scene.at, scene.goal


def _told(scene: Scene) -> str:
    """All that is said; what is to be shared stands beside the verdict, on a line of its own."""
    said = [one for one in scene.said if one.kind != "error"]
    shared = [one for one in said if one.kind == "share"]
    first = [one for one in said if one.kind == "right"] + shared if shared else []
    rest = [one for one in said if one not in first]
    return "\n".join(
        " ".join(MARKS.get(one.kind, "") + plain(one.text) for one in line)
        for line in (first, rest)
        if line
    )


def _read(scene: Scene, width: int) -> Content:
    """Paragraphs and numbered lists, and tables that fit."""
    parts = [Content(_paragraph(block)) for block in scene.text]
    return Content("\n\n").join([*parts, *(_table(table, width) for table in scene.tables)])


def _paragraph(block: str | tuple[str, ...]) -> str:
    if isinstance(block, str):
        return plain(block)
    return "\n".join(f"{number}. {plain(item)}" for number, item in enumerate(block, 1))


def _table(table: Table, width: int) -> Content:
    """A table with its title, a chart, and bars where there is room."""
    rows = table.lines(width - MARGIN)
    wide = max((len(row.label) for row in rows), default=0)
    room = min(BAR, width - MARGIN - wide - 2)
    parts: list[tuple[str, str] | str] = [(table.title, "bold")]
    if table.levels:
        parts += ["\n", (INDENT + blocks(table.levels), "$text-accent")]
    for row in rows:
        parts.append(f"\n{row.label:{wide}}" if row.share is not None else f"\n{row.label}")
        if row.share is not None and room >= LEAST_BAR:
            filled = round(row.share * room)
            parts += ["  ", ("█" * filled, "$success"), ("░" * (room - filled), "dim")]
    return Content.assemble(*parts)
