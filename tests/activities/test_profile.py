"""A profile, by the state machine alone, and what is kept of it in files."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from numduel.activities import Profile, performed
from numduel.activities.keeping import ACCURACY_FILE, accuracies, profile
from numduel.activities.tables import Row, Table
from numduel.games import games
from numduel.learn.streaks import Streak
from numduel.play.accuracy import Accuracy
from numduel.play.record import parse
from numduel.play.statistics import Played, statistics
from tests.cli import keep

TODAY = "2026-11-15"
DUEL = "Game: sequence-duel\nPlayer 2: {}\n{}\n4 6 5 7 3\n"
LOST = "Game: sequence-duel\nPlayer 1: {}\n\n4 6 5 7 3\n"


def begun(*texts: str, **more: object) -> Profile:
    played = [Played.of(str(number), parse(text)) for number, text in enumerate(texts)]
    shown = Profile(TODAY, statistics=statistics(played), **more)  # type: ignore[arg-type]
    return performed(shown, "begin")


def judged(shown: Profile) -> Profile:
    while shown.scene.then:
        shown = performed(shown, shown.scene.then)
    return shown


def tables(shown: Profile) -> dict[str, Table]:
    return {table.title: table for table in shown.scene.tables}


def place(shown: Profile) -> tuple[str, str, str]:
    leads = shown.scene.leads
    assert leads is not None
    return leads.activity, leads.game, leads.level


def test_somebody_without_games_is_told_what_to_do_first() -> None:
    shown = begun()
    assert shown.scene.text == ("No games yet.",)
    assert shown.scene.tables == ()
    assert shown.scene.goal == "Next: beat the computer (easy) at Four in a Row."
    assert place(shown) == ("play", "line", "easy")


def test_wins_stand_in_rows_of_games_and_columns_of_levels() -> None:
    line = "Game: line\nPlayer 2: easy\n\n5 1 6 2 7 3 8\n"
    shown = begun(DUEL.format("hard", ""), LOST.format("easy"), line)
    assert tables(shown)["Won, of games played"] == Table(
        "Won, of games played",
        ("easy", "hard"),
        (
            Row("Sequence Duel", ("0/1", "1/1"), 0.5),
            Row("Four in a Row", ("1/1", ""), 1.0),
            Row("All games", ("1/2", "1/1"), 2 / 3),
        ),
    )


@pytest.mark.parametrize(
    ("games", "goal"),
    [
        ([DUEL.format("easy", "")], "beat the computer (medium) at Sequence Duel"),
        ([DUEL.format("hard", "")], "beat the computer (perfect) at Sequence Duel"),
        ([DUEL.format("easy", "Help: hint\n")], "beat the computer (easy) at Sequence Duel"),
        ([DUEL.format("random", "")], "beat the computer (easy) at Sequence Duel"),
        ([DUEL.format("perfect", "")], "beat the computer (easy) at Four in a Row"),
        ([LOST.format("easy")] * 2, "beat the computer (easy) at Sequence Duel"),
        ([LOST.format("easy")] * 3, "learn how Sequence Duel is won, step by step"),
    ],
)
def test_the_next_goal_follows_from_what_was_done_without_help(games: list[str], goal: str) -> None:
    shown = begun(*games)
    assert shown.scene.goal == f"Next: {goal}."
    assert shown.scene.choices[0].action == "next"


def test_after_three_losses_a_lesson_that_is_done_is_not_proposed() -> None:
    lost = [LOST.format("easy")] * 3
    shown = begun(*lost)
    assert place(shown) == ("lesson", "duel", "")
    learnt = begun(*lost, done={"duel": tuple(range(1, shown.steps["duel"] + 1))})
    assert place(learnt) == ("play", "duel", "easy")


def test_somebody_who_has_beaten_everything_has_puzzles() -> None:
    won = Played.of("", parse(DUEL.format("perfect", "")))
    every = statistics(won._replace(game=kind.name) for kind in games())
    shown = performed(Profile(TODAY, statistics=every), "begin")
    assert shown.scene.goal == "Next: solve today's puzzle."
    assert place(shown) == ("puzzle", "", "")
    done = replace(shown, streak=Streak(day=date.fromisoformat(TODAY), days=1))
    assert place(done) == ("storm", "", "")


def test_streaks_and_lessons_are_told_if_there_are_any() -> None:
    streak = Streak(day=date(2026, 11, 14), days=3)
    shown = begun(streak=streak, best={"all": 7, "duel": 9}, done={"line": (1, 2, 99), "x": (1,)})
    assert tables(shown)["Streaks"].rows == (
        Row("Daily puzzle", ("3 days in a row",)),
        Row("Best puzzle storm", ("9 solved",)),
    )
    (row,) = tables(shown)["Lessons"].rows
    assert (row.label, row.cells) == ("Four in a Row", (f"2 of {shown.steps['line']} steps",))
    missed = begun(streak=replace(streak, day=date(2026, 11, 13)))
    assert "Streaks" not in tables(missed)


def test_the_latest_games_are_judged_a_few_at_a_time() -> None:
    shown = begun(*[DUEL.format("easy", "")] * 6, accuracy={"0": Accuracy(1, 4, 9)})
    assert tables(shown)["Accuracy"].levels == (0.25,)
    some = performed(shown, shown.scene.then)
    assert len(some.accuracy) == 5
    all_known = judged(some)
    assert len(tables(all_known)["Accuracy"].levels) == 6
    assert tables(all_known)["Accuracy"].levels[-1] == 0.25, "the newest comes last"
    assert "latest 6 games" in tables(all_known)["Accuracy"].rows[0].label
    assert performed(all_known, "judge") is all_known


def test_a_game_that_cannot_be_judged_is_left_out() -> None:
    shown = begun(DUEL.format("easy", ""))
    broken = shown.statistics.latest[0]._replace(record="nonsense")
    other = replace(shown, statistics=replace(shown.statistics, latest=(broken,)))
    assert judged(other).accuracy == {"0": None}
    assert "Accuracy" not in tables(judged(other))


def test_a_game_that_is_no_longer_installed_is_left_out() -> None:
    here = begun(DUEL.format("easy", ""))
    latest = here.statistics.latest[0]._replace(game="gone", id="gone")
    count = here.statistics.counts[0]._replace(game="gone")
    found = replace(
        here.statistics,
        counts=(count, *here.statistics.counts),
        latest=(latest, *here.statistics.latest),
    )
    shown = performed(Profile(TODAY, statistics=found), "begin")
    assert shown.scene == here.scene


def test_an_accuracy_is_found_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    keep(tmp_path, "won.duel", DUEL.format("hard", ""))
    kept = profile()
    kept.keep(judged(performed(kept.activity, "begin")))
    file = tmp_path / "numduel" / ACCURACY_FILE
    counts = json.loads(file.read_text())["won.duel"]
    assert profile().activity.accuracy == {"won.duel": Accuracy(*counts)}
    for value in ([0, 0, 3], [1, 2, 3], None):
        file.write_text(json.dumps({"won.duel": value}))
        known = {"won.duel": None if value is None else Accuracy(*value)}
        assert accuracies() == profile().activity.accuracy == known
    # A share is from a time when every move counted: the game is judged again.
    for wrong in (0.5, 1, "nonsense", [3, 2, 3], [1, 2], [0.5, 2, 3], [-1, 2, 3]):
        file.write_text(json.dumps({"won.duel": wrong}))
        assert accuracies() == profile().activity.accuracy == {}
    file.write_text("[")
    assert profile().activity.accuracy == {}


def test_a_table_that_is_too_wide_has_its_cells_below() -> None:
    table = Table("", ("easy", "hard"), (Row("Sequence Duel", ("1 of 2", ""), 0.5),))
    assert [row.label for row in table.lines(80)] == [
        "                 easy    hard",
        "  Sequence Duel  1 of 2",
    ]
    assert [row.label for row in table.lines(20)] == ["  Sequence Duel", "    easy 1 of 2"]
