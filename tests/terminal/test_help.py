"""The help of every command, and what a shell completes."""

import signal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from numduel.__main__ import main
from numduel.terminal.app import app
from numduel.terminal.commands import COMMANDS
from tests.cli import run
from tests.games import NAMES


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_and_says_what_an_option_takes(name: str) -> None:
    said = CliRunner().invoke(app, [name, "--help"]).output
    assert f"Examples:\n    numduel {name}" in said
    assert "<" not in said.replace("<=", "")


def test_the_summary_of_every_command_is_whole() -> None:
    said = CliRunner().invoke(app, ["--help"]).output
    assert "..." not in said.partition("Commands:")[2]
    assert all(f"\n  {name} " in said for name in COMMANDS)
    assert "--install-completion" in said


def completed(home: Path, shell: str, line: str) -> str:
    """What a shell offers to complete a command line."""
    env = {
        "_NUMDUEL_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    return run(home, env=env).out


@pytest.mark.parametrize(("word", "silent"), [("complete_bash", True), (None, False)])
def test_ctrl_c_ends_a_completion_silently(
    word: str | None, silent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if word:
        monkeypatch.setenv("_NUMDUEL_COMPLETE", word)
    monkeypatch.setattr("sys.argv", ["numduel", "games"])
    before, during = signal.getsignal(signal.SIGINT), []
    monkeypatch.setattr(
        "numduel.terminal.app.main", lambda: during.append(signal.getsignal(signal.SIGINT))
    )
    try:
        main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert during == [signal.SIG_DFL if silent else before]


def test_ctrl_c_before_a_command_has_begun_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.argv", ["numduel", "games"])
    monkeypatch.setattr("numduel.terminal.app.main", interrupted)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("numduel play ", NAMES),
        ("numduel play duel --p2 pe", ["perfect"]),
        ("numduel rep", ["replay"]),
    ],
)
def test_bash_completes_commands_games_and_players(
    tmp_path: Path, line: str, offered: list[str]
) -> None:
    assert completed(tmp_path, "bash", line).split() == list(offered)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_complete_the_same_with_a_description(tmp_path: Path, shell: str) -> None:
    said = completed(tmp_path, shell, "numduel play li")
    assert "line" in said
    assert "Four in a Row" in said
    assert "duel" not in said
