"""What is done, or said, on a system that is not POSIX."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from numduel import BadVariant, system, tui
from numduel.play.record import read
from numduel.terminal.serve import serve
from tests.everywhere import DATA_HOMES

POSIX_PATHS = pytest.mark.skipif(os.name != "posix", reason="Paths are others on Windows.")


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "POSIX", False)


def test_elsewhere_the_server_says_in_a_sentence_where_it_runs() -> None:
    with pytest.raises(BadVariant, match=r"^The server needs Linux or macOS; on Windows, use"):
        serve()


def test_elsewhere_words_are_quoted_as_windows_wants_it() -> None:
    assert system.quoted("numduel[mcp]") == "numduel[mcp]"
    assert system.quoted(r"C:\my games\numduel[mcp]") == r'"C:\my games\numduel[mcp]"'


def test_elsewhere_everything_else_is_done_without(tmp_path: Path) -> None:
    path = tmp_path / "note"
    path.touch()
    assert system.is_for_me_alone(path.stat())
    assert system.file_limits() == (system.UNLIMITED, system.UNLIMITED)
    assert system.physical_memory() is None
    system.allow_files(10)
    system.limit_memory(10)
    system.forget_typed()
    system.suspend()
    with pytest.raises(Exception, match="cannot be read"):
        read(tmp_path / "nothing.duel")


@pytest.mark.parametrize(
    ("posix", "term", "drawn"),
    [
        (False, None, True),
        (False, "dumb", False),
        (False, "xterm", True),
        (True, None, False),
        (True, "dumb", False),
        (True, "xterm", True),
    ],
)
def test_a_console_that_does_not_say_what_it_is_shows_the_app_on_windows_alone(
    posix: bool, term: str | None, drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(tui, "sys", SimpleNamespace(stdin=console, stdout=console, stderr=console))
    monkeypatch.setattr(system, "POSIX", posix)
    monkeypatch.delenv("TERM", raising=False)
    if term is not None:
        monkeypatch.setenv("TERM", term)
    assert tui.full_screen() == drawn


@pytest.mark.parametrize(
    ("kind", "system"),
    [
        pytest.param(Unix, "posix", marks=POSIX_PATHS),
        pytest.param(MacOS, "posix", marks=POSIX_PATHS),
        (Windows, "nt"),
    ],
)
def test_the_tests_can_name_the_folder_of_their_games_on_every_system(
    kind: type[Unix | MacOS | Windows], system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = r"C:\tests" if system == "nt" else "/tests"
    monkeypatch.setenv(DATA_HOMES[system], folder)
    assert kind("numduel", appauthor=False).user_data_dir == os.path.join(folder, "numduel")
