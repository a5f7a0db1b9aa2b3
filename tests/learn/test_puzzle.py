"""Puzzles: exactly one right move, the same for everyone, and fair at the prompt."""

import json
import re
import sys
from datetime import date, timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
import typer
from typer.testing import CliRunner

import numduel
from numduel.activities import Scene, Sentence
from numduel.activities.keeping import puzzles
from numduel.activities.puzzle import SQUARES
from numduel.core.errors import BadVariant, NumduelError
from numduel.games import shipped
from numduel.learn.daily import daily
from numduel.learn.ideas import WIN, preferred, vocabulary
from numduel.learn.puzzle import GRADES, MIN_LEAD, Puzzle, posed, puzzle_near
from numduel.learn.puzzle import puzzle as make
from numduel.learn.streaks import Streak, load, save
from numduel.terminal.activity import Prompt
from numduel.terminal.puzzle import puzzle
from numduel.terminal.screen import NO_BREAK, Screen
from tests.games import NAMES

app = typer.Typer()
app.command()(puzzle)
TODAY = date(2026, 11, 15)
SHIPPED = tuple(kind.name for kind in shipped())
SEEDS = 20
"""Puzzles of each game that are looked at."""


def said(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, words, input=typed)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def values(state: numduel.State) -> dict[str, tuple[float, int]]:
    """The chance to win and the points after every legal move, each from the position that it
    leads to."""
    found, margin = {}, state.game.rules.margin
    for move in state.legal_moves:
        after = state.play(move)
        value, points = numduel.evaluate(after), 0
        if margin is not None:
            ended = after.winner is not None
            points = margin(*after.position, state.game.variant) if ended else value.margin or 0
        found[str(move)] = 1 - value.win_probability, -points
    return found


@cache
def several(game: str) -> list[Puzzle]:
    """Puzzles of a game, of all grades that it has."""
    return [make(numduel.game(game), seed) for seed in range(SEEDS)]


@pytest.mark.parametrize("game", NAMES)
def test_exactly_one_move_is_the_answer(game: str) -> None:
    for found in several(game):
        state = found.state
        assert state == state.game.replay(state.text)
        assert state.moves
        worth = values(state)
        answer = worth.pop(str(found.solution))
        if state.game.has_deck:
            assert max(worth.values())[0] <= answer[0] - MIN_LEAD
        elif state.game.rules.margin is not None and not found.answer.best:
            assert "every move but one" in found.task.lower()
            assert len(set(worth.values())) == 1 < len(worth)
            assert answer < max(worth.values())
        elif state.game.rules.margin is not None:
            assert answer > max(worth.values())
        else:
            assert len(worth) >= 2
            assert answer[0] == 1
            assert {chance for chance, _ in worth.values()} == {0}


@pytest.mark.parametrize("game", NAMES)
def test_the_ideas_of_a_puzzle_find_its_answer_and_are_its_grade(game: str) -> None:
    for found in several(game):
        if found.ideas is None:
            assert (found.theme, found.grade) == (None, GRADES[-1])
            continue
        left = set(preferred(found.state, *found.ideas))
        others = set(found.state.legal_moves) - {found.solution}
        assert left == ({found.solution} if found.answer.best else others)
        assert found.theme in found.ideas
        assert found.grade == min(sum(idea.grade for idea in found.ideas), GRADES[-1])
        assert found.nudges[0] == found.theme.nudge
        if len(found.ideas) > 1:
            assert all(set(preferred(found.state, idea)) != left for idea in found.ideas)


def test_a_longer_list_or_a_harder_idea_is_never_of_a_lower_grade() -> None:
    one = make(numduel.game("line"), 0)
    known = vocabulary(one.state.game)
    for ideas in product(known, known):
        both = one._replace(ideas=ideas).grade
        assert both >= max(one._replace(ideas=(idea,)).grade for idea in ideas)
        harder = tuple(idea._replace(grade=idea.grade + 1) for idea in ideas)
        assert both <= one._replace(ideas=harder).grade <= one._replace(ideas=None).grade


def test_a_win_at_once_is_easy() -> None:
    state = numduel.game("duel").replay("1 3 8 2 9")
    found = posed(state)
    assert found is not None
    assert (found.solution, found.grade) == (4, 1)
    assert found.theme == WIN


@pytest.mark.parametrize("game", NAMES)
def test_no_number_is_the_answer_of_all_puzzles(game: str) -> None:
    assert len({found.solution for found in several(game)}) > 1


def test_where_points_count_the_margin_is_asked_for_ahead_and_behind() -> None:
    found = several("capture")
    assert any(one.options[0].margin > 0 for one in found)  # type: ignore[operator]
    assert any(one.options[0].margin < 0 for one in found)  # type: ignore[operator]
    assert len({one.solution for one in found}) > len(found) // 3
    assert any(one.solution != max(one.state.legal_moves) for one in found)
    for one in found:
        assert f"{abs(one.options[0].margin or 0)} points" in one.task
        assert "keeps you" in one.task


@pytest.mark.parametrize("game", NAMES)
def test_a_grade_gives_a_puzzle_of_that_grade(game: str) -> None:
    for found in several(game)[:5]:
        assert make(numduel.game(game), found.seed, found.grade) == found


def test_where_a_game_has_no_puzzle_of_a_grade_one_near_it_will_do() -> None:
    """In Number Capture every puzzle is of grade 1 or 5."""
    assert [make(numduel.game("capture"), 1, grade).grade for grade in GRADES] == [1, 1, 1, 5, 5]


def test_a_game_without_puzzles_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.learn.puzzle.MOST_GAMES", 20)
    with pytest.raises(BadVariant, match=r"^No puzzle was found in Sequence Duel .*; try another"):
        make(numduel.game("duel", n=3), 1)


@pytest.mark.proof
def test_a_grade_without_a_game_is_looked_for_where_there_is_one() -> None:
    assert {make(None, seed, 4).grade for seed in range(8)} == {4}
    assert {make(None, seed, 1).state.game.name for seed in range(40)} == set(SHIPPED)


@pytest.mark.parametrize(("seed", "grade"), [(13, 1), (38, 1), (29, 2), (52, 2)])
def test_near_a_grade_nothing_is_more_than_a_grade_harder(seed: int, grade: int) -> None:
    assert puzzle_near(None, seed, grade, grade).grade in (grade, grade + 1)


def test_a_seed_always_gives_the_same_puzzle_and_others_differ() -> None:
    game = numduel.game("line")
    found = [make(game, seed) for seed in range(20)]
    assert [make(game, seed) for seed in range(20)] == found
    assert len({puzzle.state for puzzle in found}) > 10
    assert {puzzle.grade for puzzle in found} == set(GRADES)


def test_without_a_game_the_seed_draws_one() -> None:
    assert {make(None, seed).state.game.name for seed in range(40)} == set(SHIPPED)


def test_a_game_of_another_package_changes_no_puzzle_but_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Other(type(numduel.game("duel"))):  # type: ignore[misc]
        id = name = "other"
        order = 0

    class Entry:
        name, value = "other", "other:Other"
        load = staticmethod(lambda: Other)

    before = daily(TODAY).json(), make(None, 3).json()
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [Entry])
    numduel.games.cache_clear()
    try:
        assert Other in numduel.games()
        assert (daily(TODAY).json(), make(None, 3).json()) == before
        assert make(numduel.game("other"), 3).state.game == Other()
    finally:
        monkeypatch.undo()
        numduel.games.cache_clear()


def test_a_link_leads_to_the_same_puzzle() -> None:
    found = make(None, 12)
    given = dict(parse_qsl(found.link))
    assert make(numduel.game(given["game"]), given["seed"], int(given["grade"])).json() == (
        found.json() | {"seed": "12"}
    )
    assert daily(TODAY).puzzles[0].link == "date=2026-11-15"


@pytest.mark.parametrize(
    "words", [(), ("--date", "2020-02-02"), ("duel",), ("--grade", "2"), ("build", "--seed", "3")]
)
def test_a_puzzle_as_data(words: tuple[str, ...]) -> None:
    found: dict[str, Any] = json.loads(said(*words, "--json"))
    game = numduel.game(found["game"], **found["variant"])
    state = game.replay(found["moves"])
    assert state.to_move == found["to_move"]
    assert found["solution"] in map(str, state.legal_moves)
    assert found["grade"] in GRADES
    assert ("date" in found) != ("seed" in found)


# -- at the prompt --------------------------------------------------------------------------

RIGHT = "3"
"""The answer of the puzzle that is asked for: a seed always gives the same."""
ASKED = ("duel", "--seed", "9", "--grade", "3")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own for every test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "numduel"


def test_the_right_move_is_played_out_and_explained_by_its_idea() -> None:
    out = said(*ASKED, typed=f"{RIGHT}\n")
    assert out.startswith("Puzzle 9: Sequence Duel, grade 3 of 5\n")
    assert "You are Player 1, and only one move wins." in out
    assert f"{RIGHT} is right. After {RIGHT} you win next turn, whatever they answer.\n" in out
    assert "The idea: win if you can; if not, set up a win they can't stop.\n" in out
    assert f"Played out: you {RIGHT}, they 1, you 4.\n" in out
    assert "Player 1 has formed an arithmetic sequence with numbers 2, 3, 4.\n" in out
    assert "numduel puzzle 9 · Sequence Duel · grade 3 · solved on try 1\n" in out


@pytest.mark.parametrize("columns", [40, 80])
def test_on_a_terminal_lines_break_between_words(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    found = make(numduel.game("capture"), 5, 5)
    Screen(plain=True).say(found.task, *found.explained())
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(lines) == " ".join([found.task, *found.explained()])


def test_the_line_to_share_stays_in_one_piece(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    line = "numduel puzzle 20261115 · Four in a Row · grade 3 · solved on try 2 with a hint"
    Prompt(puzzles(), Screen(plain=True)).tell(
        Scene(said=(Sentence("right", "4 is right."), Sentence("share", line)))
    )
    assert f"4 is right.\n{line}\n" in capsys.readouterr().out


def test_help_says_what_can_be_typed_and_is_no_hint() -> None:
    out = said(*ASKED, typed=f"help\n{RIGHT}\n")
    assert out.count("Or type hint, show, next or quit.") == 2
    assert "solved on try 1\n" in out


def test_the_daily_puzzle_of_today_is_a_line_with_one_try_for_each_move(home: Path) -> None:
    today = date.today()
    first, *rest = [str(one.solution) for one in daily(today).puzzles]
    wrong = next(str(o.move) for o in daily(today).puzzles[0].options if str(o.move) != first)
    assert "Today's puzzle waits at move 2 of" in said(typed=f"{wrong}\n")
    count = len(rest) + 1
    line = f"🟥{'🟩' * len(rest)} {len(rest)} of {count} · 1 day in a row\n"
    out = said(typed="\n".join([*rest, ""]))
    assert out.count(line) == 1
    assert re.search(r"\nNext puzzle in \d+:\d\d:\d\d\.\n", out)
    again = said(typed="")
    assert "You have finished today's puzzle." in again
    assert line in again
    kept = json.loads((home / "puzzles.json").read_text("utf-8"))
    assert (kept["days"], kept["marks"]) == (1, f"w{'r' * len(rest)}")


def test_where_no_emoji_can_be_written_the_marks_are_letters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(type(sys.stdout), "encoding", "latin-1", raising=False)
    shared = f"{''.join(SQUARES.values())} 2 of 3"
    Prompt(puzzles(), Screen(plain=True)).tell(Scene(said=(Sentence("share", shared),)))
    assert "RHW 2 of 3\n" in capsys.readouterr().out.replace(NO_BREAK, " ")


def test_a_folder_that_takes_no_file_is_one_sentence(home: Path) -> None:
    home.write_text("not a folder")
    out = said(typed=f"{daily(date.today()).puzzles[0].solution}\n")
    assert " is right." in out
    assert "Your days in a row cannot be saved: " in out


def test_a_storm_of_puzzles_is_an_option() -> None:
    told = said("duel", "--storm", typed="start\nstop\nquit\n")
    assert told.startswith("Puzzle storm: Sequence Duel\nBest: 0\n")
    assert "You have stopped the storm: 0 solved." in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "There is no game 'chess'"),
        (("--grade", "6"), "--grade must be a whole number from 1 to 5, not '6'"),
        (("--seed", "x"), "--seed must be a whole number"),
        (("--date", "tomorrow"), "A date is written 2026-11-15"),
        (("duel", "--date", "2026-11-15"), "--date is for the daily puzzle"),
        (("--date", "2999-01-01"), "The puzzle of 1 January 2999 is not there yet."),
        (("duel", "--storm", "--seed", "3"), "--storm chooses its puzzles itself"),
    ],
)
def test_wrong_input_is_one_sentence(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(NumduelError) as caught:
        said(*words)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_reason_is_given_once() -> None:
    found = posed(numduel.game("build", n=5, k=3).replay("5x 4"))
    assert found is not None
    assert found.explained() == [
        "The idea: add every card that you can.",
        "Starting with 4 keeps your chance to win at 61.3 %; discarding 4 lowers it to 42.8 %.",
    ]


def test_with_a_deck_a_reason_without_ideas_compares_chances() -> None:
    found = posed(numduel.game("build", n=5, k=3).replay("5x 4"))
    assert found is not None
    compared = "Starting with 4 wins in 61 % of cases, discarding 4 in 43 %."
    assert found.reason == found._replace(ideas=None).reason == compared
    assert found.task == "You are Player 2, and one of the two moves is clearly better."


# -- days in a row --------------------------------------------------------------------------


def finished(*days: date) -> Streak:
    """The days in a row after the puzzles of some days were finished on them."""
    streak = Streak()
    for day in days:
        streak = streak.after_daily(day)
    return streak


def test_days_in_a_row_are_counted_once_each() -> None:
    days = [TODAY + timedelta(number) for number in range(3)]
    assert finished(*days).on(days[-1]) == 3
    assert finished(days[0], days[0], days[1]).on(days[1]) == 2
    assert finished(days[0], days[2]).on(days[2]) == 1
    assert Streak().on(TODAY) == 0


def test_a_streak_lasts_until_a_whole_day_is_missed() -> None:
    kept = finished(TODAY)
    assert [kept.on(TODAY + timedelta(after)) for after in (0, 1, 2)] == [1, 1, 0]


def test_a_clock_that_goes_back_costs_nothing() -> None:
    kept = finished(TODAY, TODAY + timedelta(1))
    assert kept.after_daily(TODAY - timedelta(5)) == kept


def test_days_in_a_row_are_kept(home: Path) -> None:
    assert load() == Streak()
    kept = finished(TODAY).after_moves(TODAY + timedelta(1), "rhw", hinted=True)
    save(kept)
    assert load() == kept
    assert [path.name for path in home.iterdir()] == ["puzzles.json"]


@pytest.mark.parametrize(
    "damage",
    [
        b"", b"{", b"[]", b"null", b"7", b"\xff\xfe", b"{}",
        b'{"day": "soon", "days": 1, "begun": null}',
        b'{"day": null, "days": -1, "begun": null}',
        b'{"day": null, "days": "1", "begun": null}',
        b'{"day": null, "days": true}',
        b'{"day": null, "days": 1, "begun": 3}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_damaged_file_is_a_fresh_start(home: Path, damage: bytes) -> None:
    home.mkdir()
    (home / "puzzles.json").write_bytes(damage)
    assert load() == Streak()
    save(finished(TODAY))
    assert load() == finished(TODAY)


def test_a_folder_in_the_place_of_the_file_is_a_fresh_start(home: Path) -> None:
    (home / "puzzles.json").mkdir(parents=True)
    assert load() == Streak()
