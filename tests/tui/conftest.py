"""What the tests of the app share."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from textual.app import ComposeResult
from textual.widgets import Footer

from numduel import tui
from tests.tui.driving import idle, unseen


class Bottom(Footer):
    """An empty footer. Textual makes a widget for every key after every move, which is most of what
    an app costs, and few tests look at it."""

    def compose(self) -> ComposeResult:
        yield from ()


@pytest.fixture
def footer() -> None:
    """For tests that look at the footer."""


@pytest.fixture
def painted() -> None:
    """For tests that look at the screen: changes are drawn at once."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A folder of its own for everything that is kept, and an app that can be waited for."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name in ("textual.pilot", "textual.app"):
        monkeypatch.setattr(f"{name}.wait_for_idle", idle)
    if "painted" not in request.fixturenames:
        monkeypatch.setattr("textual._compositor.Compositor.render_update", unseen)
    if "footer" not in request.fixturenames:
        for found in iter_modules(tui.__path__):
            module = import_module(f"{tui.__name__}.{found.name}")
            if hasattr(module, "Footer"):
                monkeypatch.setattr(module, "Footer", Bottom)
    return tmp_path
