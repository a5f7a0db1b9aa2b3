"""Long work is announced, and Ctrl-C stops it at once, with a sentence."""

import re
import sys
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from numduel.terminal import waiting
from numduel.terminal.progress import ProgressBar
from numduel.terminal.screen import complain
from numduel.terminal.waiting import abandoned, waited
from tests.cli import Terminal, plain
from tests.plugins.limit import remaining

LONG = {
    "solve": (
        ("solve", "line", "--set", "n=20", "--set", "k=5"),
        "Stopped before the end; nothing is saved. The same command starts again.",
    ),
}
OVER = """
from numduel.terminal import waiting
from numduel.terminal.screen import complain
do = waiting._do
waiting._do = lambda work, future: do(lambda: (work(), complain("OVER"))[0], future)
"""
"""Makes a command say when its work is done; each of these would take minutes."""


@pytest.mark.parametrize(("arguments", "told"), LONG.values(), ids=LONG)
def test_ctrl_c_stops_a_long_command_before_its_end_and_says_what_is_kept(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    with Terminal(tmp_path, *arguments, before=(OVER,)) as terminal:
        while " so far" not in terminal.said:
            terminal.read(len(terminal.said) + 1)
        before = len(terminal.said)
        terminal.send("\x03", end="")
        assert terminal.code() == 130
    assert "OVER" not in terminal.said[before:]
    assert plain(terminal.said).endswith(f"\n{told}\n")
    assert "Traceback" not in terminal.said


def test_what_was_interrupted_ends_before_other_work_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    join, may_go = waiting._join, Event()

    def first() -> None:
        may_go.wait(remaining())
        done.append("first")

    def interrupted(_: object) -> None:
        monkeypatch.setattr(waiting, "_join", let_go)
        raise KeyboardInterrupt

    def let_go(work: Any) -> None:
        may_go.set()
        join(work)

    monkeypatch.setattr(waiting, "_join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        waited(first)
    assert waited(lambda: [*done, "second"]) == ["first", "second"]
    assert not abandoned()


def test_an_error_of_the_work_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        waited(lambda: 1 / 0)


COMPILED = "The first time takes a moment; after that it is quick.\n"
SOLVED = "Solving Sequence Build; the result is saved, so that it is quicker next time.\n"


def test_what_takes_long_is_announced_once_and_what_is_ready_is_silent(tmp_path: Path) -> None:
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    small = ("analyse", "build", "--set", "n=4", "--set", "copies=1", "--set", "k=3")
    with Terminal(tmp_path, *small, env=caches) as terminal:
        said = plain(terminal.rest())
    table = re.escape(str(tmp_path / "caches" / "numduel" / "tables"))
    assert said.startswith(SOLVED + COMPILED)
    assert re.search(
        rf"^The table of [A-Z][a-z ]+[A-Za-z ]* takes \S+ \w+ in {table}; it can be deleted",
        said,
        re.M,
    )
    with Terminal(tmp_path, *small, env=caches) as terminal:
        assert plain(terminal.rest()) == said.partition("at any time.\n")[2]


def test_work_that_lasts_longer_than_expected_says_that_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Event()

    def complaining(sentence: str) -> None:
        complain(sentence)
        said.set()

    def until_it_is_said() -> None:
        assert said.wait(remaining())
        said.clear()

    monkeypatch.setattr(waiting, "complain", complaining)
    monkeypatch.setattr(waiting, "NOTICE_DELAY", 0.01)
    waited(lambda: time.sleep(0.05))
    assert capsys.readouterr().err == ""  # nobody reads a pipe
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    waited(until_it_is_said)
    assert capsys.readouterr().err == "Still working; Ctrl-C stops it.\n"
    with ProgressBar(delay=60.0) as bar:  # nothing is drawn of it yet
        waited(until_it_is_said, bar=bar)
    assert capsys.readouterr().err == "Still working; Ctrl-C stops it.\n"
    with ProgressBar() as bar:
        bar.begin("Counting", None)
        waited(lambda: time.sleep(0.05), bar=bar)
    assert "Still working" not in capsys.readouterr().err
