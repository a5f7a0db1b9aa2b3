"""The results of players as a page, from the file of a tournament; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import numduel
from numduel.agents.report import data, page
from numduel.agents.results import read
from numduel.terminal.app import app

TOURNAMENT = [
    "tournament", "easy", "hard", "--rounds", "6", "--jobs", "1", "--json", "--set", "n=7",
]  # fmt: skip


def played(folder: Path, game: str) -> str:
    """The file of a small tournament."""
    path = str(folder / f"{game}.jsonl")
    app([*TOURNAMENT, "--game", game, "--file", path], standalone_mode=False)
    return path


def lines(path: str) -> list[dict[str, Any]]:
    return [*map(json.loads, Path(path).read_text("utf-8").splitlines())]


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> str:
    return played(tmp_path_factory.mktemp("tournament"), "duel")


def test_players_of_a_tournament_lose_what_its_file_says(tournament: str) -> None:
    found = {row["player"]: row for row in data(read([tournament]))["players"]}
    for name, row in found.items():
        tallies = [
            game["seats"][game["players"].index(name)]["regret"] for game in lines(tournament)[1:]
        ]
        assert row["regret"]["value"] * row["decisions"] == pytest.approx(sum(tallies))
        assert row["samples"] == len(tallies) == 6
    assert found["easy"]["missed"]["missed"] > found["hard"]["missed"]["missed"]


def test_the_command_writes_a_page_and_never_over_anything_else(
    tournament: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.html"
    for _ in range(2):
        app(["report", tournament, "--html", str(target)], standalone_mode=False)
    assert f"All of it is in {target}" in capsys.readouterr().out
    assert "wins in seat 2" in target.read_text("utf-8")
    mine = tmp_path / "mine.html"
    mine.write_text("<p>mine</p>")
    with pytest.raises(numduel.BadVariant, match=r"exists already; choose another name\.$"):
        app(["report", tournament, "--html", str(mine)], standalone_mode=False)
    app(["report", tournament, "--html", str(mine), "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["players"]
    assert mine.read_text() == "<p>mine</p>"


def test_a_tournament_that_goes_on_is_read_as_far_as_it_came(
    tournament: str, tmp_path: Path
) -> None:
    half = tmp_path / "half.jsonl"
    half.write_bytes(Path(tournament).read_bytes()[:-20])
    assert len(read([str(half)]).samples) == len(read([tournament]).samples) - 2


def test_long_names_that_differ_in_the_end_are_two_players(tournament: str, tmp_path: Path) -> None:
    text, long = Path(tournament).read_text("utf-8"), "vllm//models/" + "run/" * 20
    for number, name in enumerate(("easy", "hard")):
        text = text.replace(f'"{name}"', f'"{long}checkpoint-{number}"')
    (tmp_path / "long.jsonl").write_text(text)
    one, two = sorted(read([str(tmp_path / "long.jsonl")]).players)
    assert (one[0], one[-12:], two[-12:]) == ("…", "checkpoint-0", "checkpoint-1")


def test_names_cannot_put_anything_on_the_page(tournament: str, tmp_path: Path) -> None:
    text = Path(tournament).read_text("utf-8").replace('"easy"', '"<script>alert(1)</script>"')
    (tmp_path / "evil.jsonl").write_text(text)
    assert "<script" not in page(read([str(tmp_path / "evil.jsonl")]), "<script>")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be opened: No such file"),
        ("", "a log of Inspect or the file of a tournament was expected"),
        ("{}", "a log of Inspect or the file of a tournament was expected"),
        ("[" * 100_000, "a log of Inspect or the file of a tournament was expected"),
        ('{"tournament": "numduel"}\n', "no decision in these files"),
        ('{"tournament": "numduel"}\n{}\n', "was expected"),
        ('{"tournament": "numduel"}\n\xff\n', "was expected"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(
    text: str | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "some.json"
    if text is not None:
        path.write_bytes(text.encode("latin-1"))
    with pytest.raises(numduel.BadRecord, match=told) as refused:
        read([str(path)])
    assert "\n" not in str(refused.value)


def test_without_logs_it_is_said_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(numduel.BadVariant, match="Say which logs"):
        app(["report"], standalone_mode=False)
    with pytest.raises(numduel.BadRecord, match="There is no log of Inspect in"):
        read([str(tmp_path)])
