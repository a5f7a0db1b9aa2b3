"""An activity that is one file, of another package: it is in every door, and no door knows it."""

from collections.abc import Iterator

import pytest
from numduel_examples.guess import Guess
from pydantic import TypeAdapter
from textual.pilot import Pilot
from textual.widgets import OptionList

import numduel
from numduel import activities
from numduel.activities import Activity, Choice, performed
from numduel.activities.base import fault
from numduel.play.record import parse
from numduel.tui.app import NumduelApp
from tests.tui.conftest import home, painted  # noqa: F401
from tests.tui.driving import drawn, running, settled


@pytest.fixture
def guess(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The activity is registered."""
    found = (activities.activities, activities.listed, activities.tasks, activities._others)
    monkeypatch.setattr(activities, "registered", lambda *_: [Guess])
    for one in found:
        one.cache_clear()
    yield
    for one in found:
        one.cache_clear()


def test_activities_are_found_in_their_files_and_only_others_are_listed() -> None:
    own = {"lesson", "mistakes", "puzzle"}
    assert own <= activities.activities().keys()
    assert not own & {kind.NAME for kind in activities.listed()}


def test_every_activity_that_says_what_it_is_about_is_listed() -> None:
    about = [kind for kind in activities.activities().values() if kind.ABOUT]
    assert about == [*activities.listed()]


@pytest.mark.parametrize("kind", activities.activities().values(), ids=lambda kind: kind.NAME)
def test_every_activity_is_declared_as_doors_need_it(kind: type[Activity]) -> None:
    assert fault(kind) == ""


FAULTS = {
    "the choice 'values' of Other has the key r, which is for rules everywhere.": ("values", "r"),
    "the choice 'look' of Other has the key h, which is for hint everywhere.": ("look", "h"),
    "the choice 'look' of Other has the key '': use one letter or digit, or an arrow.": (
        "look",
        "",
    ),
    "the choice 'move' of Other needs another word: a word of a-z or a number, and not begin,"
    " move, tick, leave, help, quit or exit.": ("move", "m"),
    "the choice 'Look!' of Other needs another word: a word of a-z or a number, and not begin,"
    " move, tick, leave, help, quit or exit.": ("Look!", "m"),
}


@pytest.mark.parametrize(("told", "choice"), FAULTS.items())
def test_a_key_or_a_word_that_doors_have_is_named(told: str, choice: tuple[str, str]) -> None:
    action, key = choice
    other = type("Other", (Guess,), {"CHOICES": (Choice(action, "Look", key, "Look"),)})
    assert fault(other) == told


def test_a_hint_has_the_key_of_hints_and_what_is_listed_has_a_title() -> None:
    hint = (Choice("hint", "Hint", "h", "What to look at"),)
    assert fault(type("Other", (Guess,), {"CHOICES": hint})) == ""
    untitled = type("Other", (Guess,), {"TITLE": ""})
    assert fault(untitled) == "Other is listed, but has no TITLE."


@pytest.mark.usefixtures("guess")
def test_it_is_played_alone_and_travels_as_json() -> None:
    kind = TypeAdapter(Guess)
    taken = Guess()
    for number in range(1, 6):
        taken = performed(taken, "next" if taken.number else "begin")
        assert kind.validate_json(kind.dump_json(taken)) == taken
        state = parse(taken.scene.at).state
        winner = state.to_move if numduel.evaluate(state).win_probability else 3 - state.to_move
        taken = performed(taken, "one")
        assert (taken.number, taken.scene.said[0].kind == "right") == (number, winner == 1)
        assert taken.act("two") is taken
    assert taken.scene.notes == (f"{taken.right} right so far",)


@pytest.mark.usefixtures("guess", "home", "painted")
def test_it_is_in_the_list_of_the_app_and_has_its_keys() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await settled(app)
        listing = app.screen.query_one(OptionList)
        listing.highlighted = listing.option_count - 1
        await pilot.press("enter")
        await settled(app)
        assert "Guess the winner: Position 1" in drawn(app)
        await pilot.press("v", "h")  # would tell
        await settled(app)
        assert "2 Player 2 wins" in drawn(app)
        assert "0 right so far" in drawn(app)
        await pilot.press("1")
        await settled(app)
        assert "Player 1 wins." in drawn(app) or "Player 2 wins." in drawn(app)
        await pilot.press("n")
        await settled(app)
        assert "Position 2" in drawn(app)

    running(steps)
