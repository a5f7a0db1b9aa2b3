"""What the tests of the app share."""

from pathlib import Path

import pytest

from tests.tui.driving import PATIENCE, idle, unseen


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
    # Nothing is played by itself while a test thinks.
    monkeypatch.setattr("numduel.activities.play.FORCED_PAUSE", 2 * PATIENCE)
    return tmp_path
