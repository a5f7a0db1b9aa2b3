"""What tests of tournaments share."""

from collections.abc import Iterator

import pytest

from numduel.lab.tournament import child, hosts
from tests.lab.tournament.forked import Forked
from tests.plugins.limit import remaining


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a player may take long to be started."""
    monkeypatch.setattr(hosts, "START_TIMEOUT", remaining())


@pytest.fixture(autouse=True)
def _forked(monkeypatch: pytest.MonkeyPatch, _put_away: None) -> None:
    """Players in Python are forks: most tests are about what becomes of them."""
    monkeypatch.setattr(hosts, "Child", Forked)


@pytest.fixture
def interpreters(_forked: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players in Python have interpreters of their own, as those of people do."""
    monkeypatch.setattr(hosts, "Child", child.Child)


@pytest.fixture(scope="session")
def _put_away() -> Iterator[None]:
    """Whoever waits for another game ends before the process that it was forked from."""
    yield
    hosts._close_all()
