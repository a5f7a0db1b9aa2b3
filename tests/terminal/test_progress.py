"""The progress bar, which is drawn on a terminal only."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable

import pytest

from numduel.terminal import progress
from numduel.terminal.progress import ProgressBar
from tests.cli import plain


class Screen(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


Watch = Callable[[], Screen]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Makes standard error a terminal. Tests call it themselves, because pytest replaces standard
    error just before a test."""

    def begin() -> Screen:
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "100")
        return screen

    return begin


def test_without_a_terminal_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    with ProgressBar() as bar:
        assert list(bar.track([1, 2, 3], "Counting")) == [1, 2, 3]
    assert pipe.getvalue() == ""


@pytest.mark.parametrize("threaded", [True, False])
def test_a_bar_says_what_is_done_and_how_far_it_is(watch: Watch, threaded: bool) -> None:
    screen = watch()
    with ProgressBar(threaded=threaded) as bar:
        bar.title = "Here: "
        bar.begin("Counting", 12_000, done=1_500)
    assert "Here: Counting" in plain(screen.getvalue())
    assert "1,500 of 12,000" in plain(screen.getvalue())


def test_a_bar_that_is_gone_before_its_delay_is_never_drawn(watch: Watch) -> None:
    screen = watch()
    with ProgressBar(delay=60) as bar:
        bar.report("Counting", 1, 2)
    assert screen.getvalue() == ""


def test_another_task_takes_the_place_of_the_one_before(watch: Watch) -> None:
    screen = watch()
    with ProgressBar(threaded=False) as bar:
        bar.report("Counting", 1, 2)
        screen.truncate(0)
        bar.report("Adding up", 1, None)
        assert "Adding up" in screen.getvalue()
        assert "Counting" not in screen.getvalue()


def test_a_bar_fits_a_terminal_that_was_made_narrower(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET_INTERVAL", 0.0)
    screen = watch()
    with ProgressBar(threaded=False) as bar:
        bar.begin("Counting", 12_000, done=1_500)
        assert "1,500 of 12,000" in plain(screen.getvalue())
        screen.truncate(0)
        assert bar._rich is not None
        bar._rich.console.width = 40
        bar.reach(3_000)
        assert "25 %" in plain(screen.getvalue())
        assert " of 12,000" not in plain(screen.getvalue())


def test_between_two_measurements_no_thread_draws(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET_INTERVAL", 3600.0)
    screen = watch()
    before = threading.active_count()
    with ProgressBar(threaded=False) as bar:
        bar.begin("Measuring", 2)
        assert threading.active_count() == before
        drawn = screen.getvalue()
        for _ in range(1000):
            bar.advance()
        assert screen.getvalue() == drawn
