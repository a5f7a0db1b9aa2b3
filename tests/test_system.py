"""What is done, or said, on a system that is not POSIX."""

import os
from pathlib import Path

import pytest

from numduel import BadVariant, system
from numduel.play.record import read
from numduel.terminal.serve import serve


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "POSIX", False)


def test_elsewhere_the_server_says_in_a_sentence_where_it_runs() -> None:
    with pytest.raises(BadVariant, match=r"^The server needs Linux or macOS; on Windows, use"):
        serve()


def test_elsewhere_a_player_in_a_process_of_its_own_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadVariant, match=r"^A player in a process of its own needs Linux or macOS"):
        system.wait_for(0, 1.0)


def test_elsewhere_words_are_quoted_as_windows_wants_it() -> None:
    assert system.quoted("numduel[mcp]") == "numduel[mcp]"
    assert system.quoted(r"C:\my games\numduel[mcp]") == r'"C:\my games\numduel[mcp]"'


def test_elsewhere_everything_else_is_done_without(tmp_path: Path) -> None:
    path = tmp_path / "note"
    path.write_bytes(b"one two")
    file = os.open(path, os.O_RDWR)
    system.write_at_start(file, b"1")
    system.write_at_start(file, b"2ne")
    system.without_waiting(file)
    os.close(file)
    assert path.read_bytes() == b"2ne two"
    assert system.is_for_me_alone(path.stat())
    assert system.file_limits() == (system.UNLIMITED, system.UNLIMITED)
    assert system.physical_memory() is None
    system.allow_files(10)
    system.limit_memory(10)
    system.kill_session(0)
    system.hear_again()
    system.forget_typed()
    system.suspend()
    with system.deaf_children():
        pass
    with pytest.raises(Exception, match="cannot be read"):
        read(tmp_path / "nothing.duel")
