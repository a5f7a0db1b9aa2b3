"""A storm of puzzles as an activity: the clock, the grades, the result, at whatever door."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter
from textual.pilot import Pilot

import numduel
from numduel.activities import Storm, keeping, performed
from numduel.activities.base import record_of, time_left
from numduel.activities.storm import AHEAD, LENGTH, PENALTY, Posed, storm_puzzle
from numduel.core.errors import NumduelError
from numduel.learn import streaks
from numduel.learn.puzzle import puzzle
from numduel.play.record import parse
from numduel.terminal import activity as terminal
from numduel.terminal.screen import Screen
from numduel.tui import activity as tui
from numduel.tui.activity import Activities
from numduel.tui.app import NumduelApp
from tests.tui.conftest import home, painted  # noqa: F401
from tests.tui.driving import PHONE, USUAL, drawn, running, settled, until


def started(**fields: object) -> Storm:
    """The clock runs, and there is a puzzle of Sequence Duel."""
    return performed(Storm(**fields), "start", "duel")  # type: ignore[arg-type]


def answered(storm: Storm, *, right: bool = True) -> Storm:
    """After a move in the puzzle on the board."""
    assert storm.posed is not None
    moves = map(str, parse(storm.posed.at).state.legal_moves)
    wrong = next(move for move in moves if move != storm.posed.answer)
    return performed(storm, "move", storm.posed.answer if right else wrong)


def told(storm: Storm, kind: str) -> list[str]:
    return [said.text for said in storm.scene.said if said.kind == kind]


def test_it_says_what_it_is_and_waits_for_the_start() -> None:
    storm = performed(Storm(best={"all": 7}), "begin")
    scene = storm.scene
    assert storm.heading == "Puzzle storm: All games"
    assert "A wrong answer costs ten seconds" in scene.goal
    assert scene.notes == ("Best: 7",)
    assert [choice.action for choice in scene.choices] == ["start", "game"]
    assert (scene.clock, storm.after(500)) == (None, storm)


def test_it_can_be_of_any_game_or_of_all() -> None:
    storm = performed(Storm(), "begin")
    names = [storm.scene.title]
    while (storm := performed(storm, "game")).game != "all":
        names.append(storm.scene.title)
    assert names == ["All games", *(kind().display_name for kind in numduel.games())]
    assert performed(Storm(), "begin", "sequence-duel").game == "duel"
    with pytest.raises(NumduelError):
        Storm().act("start", "chess")


def test_the_clock_runs_while_there_is_a_puzzle_to_solve() -> None:
    storm = started()
    assert (storm.scene.clock, time_left(storm.scene)) == (180, "3:00 left")
    assert storm.heading == "Puzzle storm: Sequence Duel, grade 1 of 5"
    assert time_left(storm.after(20.5).scene) == "2:40 left"
    assert storm.after(-5).seconds == LENGTH, "a clock that was set back gives no time"
    looking = storm.act("move", storm.posed.answer if storm.posed else "")
    assert looking.work is not None
    assert looking.after(60) is looking, "nobody can solve anything now"


def test_a_right_answer_counts_and_the_next_puzzle_comes() -> None:
    storm = started()
    after = answered(storm)
    assert told(after, "right") == ["Right."]
    assert after.scene.notes == ("Solved: 1", "In a row: 1", "Grade: 1", "Best: 0")
    assert after.scene.link != storm.scene.link
    assert (after.scene.moves, after.scene.clock) == (True, 180)


def test_a_wrong_answer_costs_ten_seconds_and_the_right_move_is_shown_for_a_moment() -> None:
    storm = started()
    assert storm.posed is not None
    wrong = answered(storm, right=False)
    sentence = f"Wrong: it was {storm.posed.answer}. That costs {PENALTY} seconds."
    assert told(wrong, "wrong") == [sentence]
    scene = wrong.scene
    assert (scene.at, scene.moves, scene.advised) == (storm.posed.at, False, (storm.posed.answer,))
    assert (scene.clock, scene.pause > 0, scene.then) == (170, True, "next")
    assert wrong.after(60) is wrong, "the clock stands still"
    assert wrong.act("move", storm.posed.answer) is wrong
    after = performed(wrong, "next")
    assert after.scene.notes == ("Solved: 0", "In a row: 0", "Grade: 1", "Best: 0")
    assert (after.scene.moves, after.scene.clock, after.scene.said) == (True, 170, ())


def test_the_first_card_of_a_row_is_put_at_no_end() -> None:
    at = record_of(numduel.game("build", n=5, k=3).replay("5x 4"))
    storm = replace(started(), posed=Posed(at, "Sequence Build", "", "", 1, "4e"))
    assert told(answered(storm, right=False), "wrong")[0].startswith(
        "Wrong: it was starting with 4."
    )


def test_what_is_no_move_costs_nothing_but_time() -> None:
    storm = started().after(3)
    for nonsense in ("", "x", "99", "storm"):
        refused = performed(storm, "move", nonsense)
        assert [said.kind for said in refused.scene.said] == ["error"]
        assert (refused.posed, refused.seconds, refused.had) == (storm.posed, 177, ())
    assert storm.act("dance") is storm


def test_five_right_answers_in_a_row_earn_time_and_a_wrong_one_ends_the_row() -> None:
    storm = started()
    for _ in range(5):
        storm = answered(storm)
    assert told(storm, "right") == ["Right, 5 in a row: 5 seconds more."]
    assert storm.scene.clock == 185
    wrong = performed(answered(storm, right=False), "next")
    assert wrong.scene.notes[:2] == ("Solved: 5", "In a row: 0")


def test_a_wrong_answer_makes_nothing_harder() -> None:
    storm = started()
    for _ in range(4):
        storm = performed(answered(replace(storm, ready=()), right=False), "next")
    assert storm.posed
    assert storm.posed.grade == 1


def test_puzzles_get_harder_by_a_grade_after_every_three_right_answers() -> None:
    storm = started()
    asked: list[int] = []
    for number in range(24):
        looking = replace(storm, ready=()).act("move", storm.posed.answer if storm.posed else "")
        assert looking.work is not None
        asked.append(looking.work.arguments[2])
        storm = looking.fed(storm_puzzle("duel", number, 1, 1))
    assert asked == [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, *13 * [5]]


def test_some_puzzles_are_found_ahead_and_nobody_waits_for_them() -> None:
    storm = started()
    for number in range(AHEAD):
        assert (storm.scene.then, len(storm.ready)) == ("more", number)
        looking = answered(storm).act("more")
        assert told(looking, "right") == ["Right."], "what was said stays"
        assert storm.act("more").after(10).seconds == 170
        storm = performed(storm, "more")
    assert storm.scene.then == ""
    for _ in range(AHEAD):
        assert storm.posed is not None
        storm = storm.act("move", storm.posed.answer)
        assert storm.work is None
    assert len({one.link for one in storm.had}) == AHEAD


def test_an_answer_does_not_wait_for_what_is_found_ahead() -> None:
    storm = performed(started(), "more")
    assert storm.posed is not None
    after = storm.act("more").act("move", storm.posed.answer)
    assert (after.work, after.scene.notes[0]) == (None, "Solved: 1")


def test_when_the_time_is_up_there_is_a_result_to_look_at_and_to_share() -> None:
    storm = performed(answered(answered(started()), right=False), "next")
    for over in (storm.after(170), storm.after(1e6).act("move", "1"), storm.act("more").after(170)):
        scene = over.scene
        assert scene.goal == "The storm is over: 1 solved, your best."
        assert over.best == {"duel": 1}
        assert (scene.clock, scene.moves, scene.at, over.work) == (None, False, "", None)
        assert scene.text == (("Right: Sequence Duel, grade 1", "Wrong: Sequence Duel, grade 1"),)
        assert told(over, "share") == ["numduel storm · Sequence Duel · 1 solved"]
        assert [choice.action for choice in scene.choices] == ["again", "game"]
    again = performed(storm.after(170), "again")
    assert (again.game, again.had, again.scene.clock) == ("duel", (), 180)
    assert again.scene.notes == ("Solved: 0", "In a row: 0", "Grade: 1", "Best: 1")


def test_a_penalty_may_be_the_end() -> None:
    wrong = answered(started().after(175), right=False)
    assert wrong.scene.clock == 0
    assert performed(wrong, "next").scene.goal == "The storm is over: 0 solved."


@pytest.mark.parametrize("wrong", [False, True])
def test_a_storm_that_is_stopped_or_left_counts_as_well(wrong: bool) -> None:
    storm = answered(started(best={"all": 5}))
    storm = answered(storm, right=False) if wrong else storm
    stopped, left = storm.act("stop"), storm.act("leave")
    sentence = "You have stopped the storm: 1 solved, your best."
    assert (stopped.scene.goal, told(left, "note")) == (sentence, [sentence])
    assert stopped.best == left.best == {"all": 5, "duel": 1}
    assert left.scene.choices == ()
    assert answered(started(best={"duel": 1})).act("stop").best == {"duel": 1}
    assert told(started().act("stop"), "share") == []
    assert Storm().act("leave").scene.said == ()


def test_every_state_travels_as_json() -> None:
    kind = TypeAdapter(Storm)
    storm = started()
    for one in (Storm(), storm, answered(storm), answered(storm, right=False), storm.act("stop")):
        assert kind.validate_json(kind.dump_json(one), strict=True) == one


def test_its_puzzles_are_those_of_their_links() -> None:
    for seed, grade in ((1, 1), (2, 5)):
        found = storm_puzzle("all", seed, grade, 1)
        game, number, level = (part.split("=")[1] for part in found["link"].split("&"))
        same = puzzle(numduel.game(game), number, int(level))
        assert str(same.solution) == found["answer"]
        assert parse(found["at"]).state.public == same.state.public


@pytest.mark.usefixtures("home")
def test_the_best_result_is_kept() -> None:
    kept = keeping.opened(Storm)
    assert kept.activity.best == {}
    kept.keep(answered(performed(kept.activity, "start", "duel")).act("stop"))
    assert keeping.opened(Storm).activity.best == streaks.load_best() == {"duel": 1}


# -- at the doors ---------------------------------------------------------------------------


class Clock:
    """The time at a door, which passes when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for door in (terminal, tui):
        monkeypatch.setattr(door, "monotonic", clock)
    return clock


@pytest.mark.usefixtures("home")
def test_at_the_prompt_time_counts_when_an_answer_comes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    prompt = terminal.Prompt(keeping.storm(), Screen(plain=True))

    def typed(_: Screen, question: str) -> str:
        posed, number = prompt.activity.posed, len(prompt.activity.had)
        print(question)
        clock.now += 50
        if clock.now > 500:
            raise EOFError
        if posed is None:
            return "" if prompt.activity.stage == "ready" else "quit"
        moves = map(str, parse(posed.at).state.legal_moves)
        return posed.answer if number != 1 else next(one for one in moves if one != posed.answer)

    monkeypatch.setattr(Screen, "ask", typed)
    prompt.run("duel")
    said = capsys.readouterr().out
    heads = [line for line in said.splitlines() if " left · " in line]
    assert [head.partition(" left")[0] for head in heads] == ["3:00", "2:10", "1:10", "0:20"]
    assert "\nRight.\n\nPuzzle storm: Sequence Duel, grade 1 of 5\n2:10 left · Solved: 1" in said
    assert (
        ". That costs 10 seconds.\n\nPuzzle storm: Sequence Duel, grade 1 of 5\n1:10 left" in said
    )
    assert said.endswith(
        "\nPuzzle storm: 2 solved\n\n1. Right: Sequence Duel, grade 1\n"
        "2. Wrong: Sequence Duel, grade 1\n3. Right: Sequence Duel, grade 1\n"
        "numduel storm · Sequence Duel · 2 solved\nBest: 2\n\n"
        "The storm is over: 2 solved, your best.\n\n"
        "Enter: again, or type game or quit > \n"
    )
    assert streaks.load_best() == {"duel": 2}


async def start(app: NumduelApp, pilot: Pilot[None], screen: Activities[Storm]) -> None:
    """Open a storm, and start its clock."""
    await app.push_screen(screen)
    await settled(app)
    await pilot.press("enter")
    await settled(app)


async def answer(app: NumduelApp, pilot: Pilot[None], *, right: bool) -> None:
    """Type a move in the puzzle on the screen."""
    assert isinstance(app.screen, Activities)
    posed = app.screen.activity.posed
    moves = map(str, parse(posed.at).state.legal_moves)
    await pilot.press(posed.answer if right else next(one for one in moves if one != posed.answer))
    await pilot.press("enter")


@pytest.mark.usefixtures("home", "painted")
@pytest.mark.parametrize("size", [USUAL, PHONE])
def test_in_the_app_the_time_that_is_left_is_always_on_the_screen(
    size: tuple[int, int], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.activities.storm.SHOWN", 1e6)
    screen = Activities.of(keeping.storm(), "duel")

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await start(app, pilot, screen)
        assert "3:00 left" in drawn(app)
        clock.now += 20
        screen.tick()
        await settled(app)
        assert "2:40 left" in drawn(app)
        await answer(app, pilot, right=True)
        await settled(app)
        assert "✓ Right." in drawn(app)
        await answer(app, pilot, right=False)
        await settled(app)
        assert "✗ Wrong: it was" in drawn(app)
        clock.now += 60
        screen.tick()
        await pilot.press("n")
        await settled(app)
        assert "2:30 left" in drawn(app), "nobody loses time over what was right"
        clock.now += 150
        screen.tick()
        await settled(app)
        assert "1. Right: Sequence Duel, grade 1" in drawn(app)
        assert streaks.load_best() == {"duel": 1}

    running(steps, size)


@pytest.mark.usefixtures("home", "clock")
def test_in_the_app_the_next_puzzle_comes_by_itself_after_a_wrong_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("numduel.activities.storm.SHOWN", 0.001)
    screen = Activities.of(keeping.storm(), "duel")

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await start(app, pilot, screen)
        await answer(app, pilot, right=False)
        await until(app, lambda: screen.activity.had != () and screen.activity.scene.moves)
        assert screen.activity.seconds == LENGTH - PENALTY

    running(steps)


def test_no_puzzle_is_easier_than_the_one_before_it() -> None:
    storm, grades = started(), [1]
    for _ in range(9):
        storm = performed(answered(storm), "more")
        assert storm.posed
        grades.append(storm.posed.grade)
    assert grades == sorted(grades)
    fast = replace(storm, ready=(), had=(), grade=3)
    assert fast.posed
    assert answered(fast).scene.grade in ("grade 3 of 5", "grade 4 of 5", "grade 5 of 5")
