"""The last line of a screen: the keys that work there now, as many as there is room for."""

from __future__ import annotations

from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

LATER = ("r", "v")
"""Keys that stand behind those that matter more."""
LAST = ("escape", "q", "question_mark")
"""The keys that stand last: how to leave, and what the keys do."""


OURS = dict.fromkeys(("Dismiss menu", "Exit the command palette"), "Close")
"""Words of the toolkit, and ours for the same."""


class Key(NamedTuple):
    """A key, or several that do alike, and what they do."""

    key: str
    """What is pressed by a click."""
    shown: str
    told: str
    enabled: bool

    @property
    def width(self) -> int:
        """Columns, with the blanks around it."""
        return len(self.shown) + len(self.told) + 3


class Footer(Horizontal):
    """The last line: the keys, and beside them what is being computed."""

    def compose(self) -> ComposeResult:
        """The keys."""
        yield Keys()


class Keys(Widget, can_focus=False):
    """The keys of a screen. Where there is little room, some are left out."""

    def on_mount(self) -> None:
        """Show the keys anew whenever they change, or those of what lies over the screen do."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        self.app.screen_change_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> Content:
        """The keys side by side."""
        parts: list[tuple[str, str]] = []
        for key in self.keys:
            dim = "" if key.enabled else "dim "
            parts += [(f" {key.shown}", f"{dim}bold $text-accent"), (f" {key.told} ", dim.strip())]
        return Content.assemble(*parts).rstrip()

    @property
    def _over(self) -> Screen[object]:
        """The screen whose keys work: a dialog that lies over this one, or this one."""
        top = self.app.screen
        return top if isinstance(top, ModalScreen) else self.screen

    @property
    def keys(self) -> list[Key]:
        """The keys that there is room for; how to leave and what lists them all come last, and
        are always there."""
        found = self._working()
        last = [key for key in found if key.key in LAST]
        last.sort(key=lambda key: LAST.index(key.key))
        room = self.size.width + 1 - sum(key.width for key in last)  # no blank stands last
        shown = []
        for key in found:
            room -= 0 if key in last else key.width
            if key not in last and room >= 0:
                shown.append(key)
        return shown + last

    def _working(self) -> list[Key]:
        """Everything that can be done now; keys of one group are one."""
        found: dict[object, Key] = {}
        for active in self._over.active_bindings.values():
            binding = active.binding
            if not (binding.show and binding.description):
                continue
            shown, group = self.app.get_key_display(binding), binding.group
            what = group or binding.action
            if what not in found:
                told = group.description if group else binding.description
                told = OURS.get(told, told)
                found[what] = Key(binding.key, shown, told, active.enabled)
            elif group:
                found[what] = found[what]._replace(shown=_joined(found[what].shown, shown))
        return [*sorted(found.values(), key=lambda key: key.key in LATER), *self._palette()]

    def _palette(self) -> list[Key]:
        binding = self.app.COMMAND_PALETTE_BINDING
        known = binding in self._over.active_bindings
        return [Key(binding, self.app.COMMAND_PALETTE_DISPLAY or "", "Commands", True)] * known

    def on_click(self, event: events.Click) -> None:
        """A click on a key presses it."""
        left = 0
        for key in self.keys:
            if left <= event.x < left + key.width and key.enabled:
                self.app.simulate_key(key.key)
            left += key.width


def _joined(one: str, other: str) -> str:
    """Digits become a range, such as 1–5; other keys stand side by side."""
    return f"{one[0]}–{other}" if one[-1].isdigit() and other.isdigit() else one + other
