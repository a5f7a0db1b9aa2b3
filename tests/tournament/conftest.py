"""What tests of tournaments share."""

import pytest

from numduel.tournament import hosts
from tests.plugins.limit import remaining


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a player may take long to be started."""
    monkeypatch.setattr(hosts, "START_TIMEOUT", remaining())
