"""Ctrl-C stops whatever takes long, at once and with a sentence."""

import time
from pathlib import Path

import pytest

from numduel.terminal import waiting
from numduel.terminal.waiting import abandoned, waited
from tests.cli import Terminal, plain

LONG = {
    "solve": (
        ("solve", "line", "--set", "n=20", "--set", "k=5"),
        "Stopped before the end: nothing is kept of it, and the same command begins anew.",
    ),
    "audit": (
        ("audit", "line", "--set", "n=16"),
        "Stopped before the end; only what was whole is kept.",
    ),
}
AT_ONCE = 3.0
"""Seconds, on a machine that does other things, too; each of these takes minutes."""


@pytest.mark.parametrize(("arguments", "told"), LONG.values(), ids=LONG)
def test_ctrl_c_stops_a_long_command_at_once_and_says_what_is_kept(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    with Terminal(tmp_path, *arguments) as terminal:
        while " so far" not in terminal.said:
            terminal.read(len(terminal.said) + 1)
        pressed = time.monotonic()
        terminal.send("\x03", end="")
        assert terminal.code() == 130
    assert time.monotonic() - pressed < AT_ONCE
    assert plain(terminal.said).endswith(f"\n{told}\n")
    assert "Traceback" not in terminal.said


def test_what_was_interrupted_ends_before_other_work_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    def first() -> None:
        time.sleep(0.05)
        done.append("first")

    def interrupted(_: object) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(waiting, "_join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        waited(first)
    assert waited(lambda: [*done, "second"]) == ["first", "second"]
    assert not abandoned()


def test_an_error_of_the_work_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        waited(lambda: 1 / 0)
