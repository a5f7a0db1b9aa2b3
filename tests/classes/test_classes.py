"""A class as the fold of its log: who is in it, and what is known of them."""

from __future__ import annotations

from datetime import date

import pytest

from numduel.classes import actions, codes
from numduel.classes.classroom import MAX_BROWSERS, Classroom, Code, Entry, Sums, fold
from numduel.classes.homework import Achievement, Homework, Task
from numduel.core.errors import BadClass
from numduel.core.language import speaking
from numduel.events.names import CODE_LETTERS

TODAY = date(2026, 11, 18)


def class_of(*nicknames: str) -> tuple[Classroom, list[Entry]]:
    """A class of some pupils, and its log."""
    log = [actions.create("host", "2027-02-12", 0.0)]
    made = [Code(f"hash {number}") for number, _ in enumerate(nicknames, 1)]
    log += actions.add_pupils(fold(log), nicknames, made, 0.0)
    return fold(log), log


def test_pupils_are_numbers_with_nicknames() -> None:
    room, _ = class_of("Quick Otter", "Calm Heron")
    assert {number: one.nickname for number, one in room.pupils.items()} == {
        1: "Quick Otter", 2: "Calm Heron",
    }  # fmt: skip


def test_a_browser_is_a_pupils_once_they_have_typed_their_code() -> None:
    room, _ = class_of("Otter", "Heron")
    assert room.pupil_with(["browser"]) is None
    room.apply(actions.enter(room, 2, "browser", 1.0))
    assert room.pupil_with(["another", "browser"]) is room.pupils[2]
    assert room.pupils[2].entered == 1.0


def test_a_browser_belongs_to_the_pupil_who_came_last() -> None:
    room, _ = class_of("Otter", "Heron")
    for pupil in (1, 2):
        room.apply(actions.enter(room, pupil, "browser", 1.0))
    assert room.pupil_with(["browser"]) is room.pupils[2]
    assert room.pupils[1].tokens == []


def test_a_pupil_is_known_in_a_few_browsers_at_once() -> None:
    room, _ = class_of("Otter")
    for number in range(MAX_BROWSERS + 1):
        room.apply(actions.enter(room, 1, f"browser {number}", 1.0))
    assert room.pupil_with(["browser 0"]) is None
    assert room.pupil_with(["browser 1"]) is room.pupils[1]


def test_a_new_code_forgets_the_browsers_that_knew_the_old_one() -> None:
    room, _ = class_of("Otter")
    room.apply(actions.enter(room, 1, "browser", 1.0))
    room.apply(actions.renew_code(room, 1, Code("new hash", 1), 2.0))
    assert room.pupil_with(["browser"]) is None
    assert (room.pupils[1].code, room.pupils[1].renewals) == ("new hash", 1)


def test_one_code_does_not_fill_the_log_of_a_class() -> None:
    room, _ = class_of("Otter", "Heron")
    for number in range(actions.MAX_VISITS):
        room.apply(actions.enter(room, 1, f"browser {number}", 1.0))
    with pytest.raises(BadClass, match="ask your teacher for a new one"):
        actions.enter(room, 1, "another", 2.0)
    room.apply(actions.enter(room, 2, "another", 2.0))
    room.apply(actions.renew_code(room, 1, Code("new hash", 1), 2.0))
    room.apply(actions.enter(room, 1, "another", 3.0))
    assert actions.MAX_VISITS * actions.MAX_PUPILS < actions.MAX_ENTRIES


def test_a_removed_pupil_is_gone_and_no_number_is_used_again() -> None:
    room, _ = class_of("Otter", "Heron")
    room.apply(actions.enter(room, 2, "browser", 1.0))
    room.apply(actions.remove(room, 2, 2.0))
    assert room.pupil_with(["browser"]) is None
    (added,) = actions.add_pupils(room, ["Kiwi"], [Code("hash")], 3.0)
    assert added.pupil == 3
    with pytest.raises(BadClass, match="no such pupil"):
        actions.remove(room, 2, 3.0)


def test_a_class_has_room_for_sixty() -> None:
    room, _ = class_of(*map(str, range(actions.MAX_PUPILS)))
    with pytest.raises(BadClass, match="60 pupils at most"):
        actions.add_pupils(room, ["Kiwi"], [Code("hash")], 3.0)


def test_the_log_tells_the_same_again() -> None:
    room, log = class_of("Otter", "Heron")
    for entry in (
        actions.enter(room, 1, "browser", 1.0),
        actions.remove(room, 2, 2.0)._replace(number=room.number + 2),
    ):
        room.apply(entry)
        log.append(entry)
    assert vars(fold(log)) == vars(room)


def test_an_event_of_a_class_is_called_what_its_reader_calls_it() -> None:
    room, _ = class_of("Otter")
    older = "Juniper Green (up to 30)"
    games = ["sequence-duel n=9 k=3", "number-capture n=15", older]
    room.apply(actions.event(room, "K7M4QX", "nonce", games, 1.0))
    event = room.events["K7M4QX"]
    assert event.called == ["Sequence Duel", "Number Capture (the length of the line: 15)", older]
    with speaking("de"):
        assert event.called == [
            "Folgenduell",
            "Zahlenfang (die Länge des Zahlenstrahls: 15)",
            older,
        ]


def test_a_class_knows_what_became_of_its_events() -> None:
    room, _ = class_of("Otter", "Heron")
    room.apply(actions.event(room, "K7M4QX", "nonce", ["sequence-duel n=9 k=3"], 1.0))
    assert not room.events["K7M4QX"].over
    assert room.event_made_with("nonce") is room.events["K7M4QX"]
    assert room.event_made_with("another") is None
    assert room.results_of(1) == []
    sums = Sums(4, 3, 10, 12)
    room.apply(actions.result(room, "K7M4QX", {1: sums}, 2.0))
    assert room.events["K7M4QX"].over
    assert room.results_of(1) == [(room.events["K7M4QX"], sums)]
    assert room.results_of(2) == []
    with pytest.raises(BadClass, match="known already"):
        actions.result(room, "K7M4QX", {1: sums}, 3.0)
    with pytest.raises(BadClass, match="not an event of this class"):
        actions.result(room, "XXXXXX", {1: sums}, 3.0)


# -- homework -------------------------------------------------------------------------------

TWICE = Task("beat", "duel", 2, level="medium")


def win(item: str, level: str = "medium", game: str = "duel") -> Achievement:
    return Achievement("beat", game, item, level=level)


def with_homework(task: Task) -> tuple[Classroom, Homework]:
    """A class with homework that is due at 100."""
    room, _ = class_of("Otter", "Heron")
    room.apply(actions.set_homework(room, task, 100.0, 1.0))
    (homework,) = room.homework.values()
    return room, homework


def achieve(room: Classroom, pupil: int, done: Achievement, now: float = 2.0) -> int:
    """Let a pupil do something; for how much homework it counts."""
    entries = actions.achieve(room, pupil, done, now)
    for entry in entries:
        room.apply(entry)
    return len(entries)


def test_homework_is_done_when_its_goal_is_reached() -> None:
    room, homework = with_homework(TWICE)
    assert achieve(room, 1, win("game 1")) == 1
    assert (homework.count(1), homework.finished(1)) == (1, None)
    assert achieve(room, 1, win("game 2", "perfect"), 3.0) == 1
    assert (homework.count(1), homework.finished(1), homework.late(1)) == (2, 3.0, False)
    assert (homework.count(2), homework.finished(2)) == (0, None)
    assert achieve(room, 1, win("game 3")) == 0


def test_a_game_counts_once_and_only_against_that_level_or_a_stronger_one() -> None:
    room, homework = with_homework(TWICE)
    achieve(room, 1, win("game 1"))
    for done in (win("game 1"), win("game 2", "easy"), win("game 3", game="line")):
        assert achieve(room, 1, done) == 0
    assert homework.count(1) == 1
    assert achieve(room, 1, win("game 4", "hard")) == 1


def test_homework_after_the_deadline_counts_and_is_late() -> None:
    room, homework = with_homework(Task("lesson", "duel", 1))
    assert achieve(room, 1, Achievement("lesson", "duel", "1"), 100.5) == 1
    assert homework.late(1)


def test_puzzles_count_from_a_grade_on() -> None:
    room, _ = with_homework(Task("puzzles", "duel", 3, grade=2))
    assert achieve(room, 1, Achievement("puzzles", "duel", "seed=1", 1)) == 0
    assert achieve(room, 1, Achievement("puzzles", "duel", "seed=2", 2)) == 1


def test_homework_can_be_withdrawn() -> None:
    room, homework = with_homework(TWICE)
    room.apply(actions.withdraw(room, homework.number, 3.0))
    assert room.homework == {}
    assert achieve(room, 1, win("game 1")) == 0
    with pytest.raises(BadClass, match="no such homework"):
        actions.withdraw(room, homework.number, 4.0)


def test_homework_that_makes_no_sense_is_one_sentence() -> None:
    room, _ = class_of("Otter")
    for until in (0.5, 1.0, 1e12):
        with pytest.raises(BadClass, match="on a day to come"):
            actions.set_homework(room, TWICE, until, 1.0)
    for goal in (0, 51):
        with pytest.raises(BadClass, match="1 to 50"):
            actions.set_homework(room, Task("puzzles", "duel", goal), 100.0, 1.0)
    for kind, level in (("beat", ""), ("lesson", "easy")):
        with pytest.raises(BadClass, match="A level is chosen"):
            actions.set_homework(room, Task(kind, "duel", 1, level=level), 100.0, 1.0)  # type: ignore[arg-type]
    with pytest.raises(BadClass, match="A grade is chosen"):
        actions.set_homework(room, Task("beat", "duel", 1, grade=3, level="easy"), 100.0, 1.0)


def test_homework_that_was_set_once_can_always_be_read_again() -> None:
    """What may be set can change; a class does not break of it."""
    room, log = class_of("Otter")
    set_ = actions.set_homework(room, TWICE, 100.0, 1.0)
    old = {**set_.data["task"], "goal": 500, "level": "genius"}
    (homework,) = fold([*log, set_._replace(data={**set_.data, "task": old})]).homework.values()
    assert homework.task.goal == 500


def test_a_class_has_room_for_fifty_pieces_of_homework() -> None:
    room, _ = class_of("Otter")
    for _ in range(actions.MAX_HOMEWORK):
        room.apply(actions.set_homework(room, TWICE, 100.0, 1.0))
    with pytest.raises(BadClass, match="50 pieces"):
        actions.set_homework(room, TWICE, 100.0, 1.0)


@pytest.mark.parametrize("day", ["2026-11-18", "2027-12-23"])
def test_a_class_lasts_a_school_year_at_most(day: str) -> None:
    assert actions.last_day(day, TODAY) == day


@pytest.mark.parametrize("day", ["2026-11-17", "2027-12-24", "soon", "2026-02-30", ""])
def test_a_last_day_that_makes_no_sense_is_one_sentence(day: str) -> None:
    with pytest.raises(BadClass, match="The last day is"):
        actions.last_day(day, TODAY)


def test_codes_can_be_typed_in_any_way() -> None:
    assert codes.read_code(" k7-m4 q ") == "K7M4Q"
    for wrong in ("K7M4", "K7M4QX", "K7M4O", "k7m4ß"):
        with pytest.raises(BadClass, match="five letters and digits"):
            codes.read_code(wrong)


def test_every_personal_code_can_be_typed() -> None:
    found = {codes.personal_code(7**power) for power in range(20)}
    assert len(found) > 10
    first = {codes.personal_code(number)[0] for number in range(len(CODE_LETTERS))}
    assert first == set(CODE_LETTERS), "all letters are used: few codes could be guessed"
    assert {codes.read_code(code.lower(), codes.PERSONAL_LENGTH) for code in found} == found
