"""Fifty decisions as an activity: one try each, no verdict, and answers that can be submitted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from numduel.activities import Fifty, activities, fifty, listed, performed
from numduel.activities.fifty import POSITIONS
from numduel.activities.keeping import unkept
from numduel.agents.submission import from_answers
from numduel.lab.dataset import answers
from numduel.lab.dataset.answers import EACH, SEED, WANTED, Asked, benchmark_games
from numduel.lab.dataset.splits import CANARY
from numduel.play.record import parse
from numduel.terminal.activity import Prompt
from numduel.terminal.screen import Screen

BOARD = Path(__file__).parents[2] / "docs" / "leaderboard" / "positions.json"


@pytest.fixture(scope="module", autouse=True)
def _drawn() -> None:
    """Nothing is drawn anew, which would take minutes."""
    answers.remember(json.loads(BOARD.read_text("utf-8")))


def asked() -> Fifty:
    """At the first position."""
    return performed(performed(performed(Fifty("2026-11-18"), "begin"), "start"), "go")


def finished() -> Fifty:
    """All is answered, always by the first legal move."""
    fifty = asked()
    while fifty.stage != "over":
        if fifty.stage == "rules":
            fifty = performed(fifty, "go")
        state = parse(fifty.scene.at).state
        fifty = performed(fifty, "move", str(state.legal_moves[0]))
    return fifty


def test_it_asks_what_models_are_asked_and_trivial_rules_score_as_little() -> None:
    for game in benchmark_games():
        drawn = [one.state.text for one in Asked(game, WANTED, SEED, EACH).decisions]
        assert drawn == [*POSITIONS[game.name]]
        whole = {one.state.text for one in Asked(game, WANTED, SEED).decisions}
        assert {*drawn} < whole


def test_its_positions_and_answers_carry_the_mark_of_what_is_not_for_training() -> None:
    assert CANARY in Path(fifty.__file__).read_text("utf-8")
    [told] = finished().scene.said
    assert json.loads(told.text)["canary"] == CANARY


def test_nothing_is_said_about_an_answer_and_there_is_one_try() -> None:
    fifty = asked()
    state = parse(fifty.scene.at).state
    for move in map(str, state.legal_moves):
        after = performed(fifty, "move", move)
        assert (after.scene.said, after.scene.notes) == ((), ("Decision 2 of 50",))
    assert fifty.scene.choices == ()
    assert fifty.act("hint") is fifty.act("show") is fifty.act("next") is fifty


@pytest.mark.parametrize("nonsense", ["", "x", "99", "4.5"])
def test_what_is_no_move_is_no_answer(nonsense: str) -> None:
    refused = performed(asked(), "move", nonsense)
    assert [one.kind for one in refused.scene.said] == ["error"]
    assert refused.answers == ()


def test_rules_come_before_each_game_and_say_what_models_are_told() -> None:
    fifty, told = performed(Fifty(), "start"), []
    while fifty.stage != "over":
        if fifty.stage == "rules":
            assert fifty.act("move", "1") is fifty
            told.append(fifty.scene.text)
            fifty = performed(fifty, "go")
        state = parse(fifty.scene.at).state
        fifty = performed(fifty, "move", str(state.legal_moves[-1]))
    assert told == [(*game.brief, *game.details) for game in benchmark_games()]


def test_it_goes_on_where_it_was_left_and_travels_as_json() -> None:
    kind = TypeAdapter(Fifty)
    fifty = performed(asked(), "move", "1")
    again = performed(kind.validate_json(kind.dump_json(fifty)), "begin")
    assert again.scene == fifty.scene
    assert again.scene.notes == ("Decision 2 of 50",)


def test_answers_to_positions_of_another_version_are_not_gone_on_with() -> None:
    left = replace(performed(asked(), "move", "1"), stamp=7)
    assert performed(left, "begin") == Fifty("2026-11-18")


def test_the_answers_are_what_submit_reads_and_have_no_name(tmp_path: Path) -> None:
    fifty = finished()
    assert fifty.scene.choices == ()
    [said] = fifty.scene.said
    assert said.kind == "share"
    path = tmp_path / "fifty.json"
    path.write_text(said.text, "utf-8")
    row = from_answers([str(path)]).row()
    assert (row["player"], row["kind"], row["date"]) == ("a person", "people", "2026-11-18")
    assert [one["decisions"] for one in row["scores"]["games"]] == [EACH] * 5
    assert row["scores"]["overall"]["value"] < 0.5
    two = from_answers([str(path), str(path)], name="two people").row()
    assert [len(part["answers"]) for part in two["parts"]] == [2] * 5
    assert two["scores"] == row["scores"], "a position is one observation, whoever answers"


def test_it_is_done_at_the_prompt_and_ends_with_the_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = [
        move
        for game in benchmark_games()
        for move in ("", *(str(game.replay(at).legal_moves[0]) for at in POSITIONS[game.name]))
    ]
    typed = iter(["", *moves])
    monkeypatch.setattr(Screen, "ask", lambda _, question: print(question) or next(typed))
    Prompt(unkept(Fifty("2026-11-18")), Screen(plain=True)).run("")
    told = capsys.readouterr().out
    assert "Fifty decisions: What it is\n" in told
    assert "Decision 50 of 50" in told
    [data] = [line for line in told.replace("\xa0", " ").splitlines() if line.startswith("{")]
    assert len(json.loads(data)["parts"]) == 5


def test_it_is_not_offered_to_players() -> None:
    assert activities()["fifty"] is Fifty
    assert Fifty not in listed()
