"""Values, hints, warnings and moves that are computed or sent: each is for one position only."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

import numduel
from numduel import client
from numduel.activities import Mistakes, Work, performed, run
from numduel.activities.analysis import values
from numduel.activities.keeping import new_game, unkept
from numduel.core.state import State
from numduel.learn import puzzle
from numduel.learn.coach import Hint, hint
from numduel.play.match import begin
from numduel.play.record import parse
from numduel.tui.after import Retry
from numduel.tui.app import NumduelApp
from numduel.tui.board import Board
from numduel.tui.board_screen import BoardScreen, listed_values, option_values, percent_values
from numduel.tui.play import Play
from numduel.tui.puzzles import solve
from numduel.tui.remote import Remote
from numduel.tui.study import Study
from tests.plugins.limit import remaining
from tests.tui.driving import (
    LOST,
    Slow,
    drawn,
    opened,
    running,
    settled,
    shown,
    told,
    two_people,
    typed,
)
from tests.tui.test_online import SENT, Radio

DUEL = numduel.game("duel")


# -- a rule that costs the game ----------------------------------------------------------------


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> tuple[BoardScreen, list[str]]:
    """A screen that nobody looks at, and what it says."""
    said: list[str] = []
    monkeypatch.setattr(BoardScreen, "fail", lambda _, sentence: said.append(sentence))
    return BoardScreen(), said


def test_every_move_that_would_lose_by_a_rule_is_warned_of(
    quiet: tuple[BoardScreen, list[str]],
) -> None:
    screen, said = quiet
    state = numduel.game("factors").replay("8")
    assert not screen.may(state, "9", loses=True)
    assert not screen.may(state, "7", loses=True)
    assert screen.may(state, "7", loses=True)
    assert len(said) == 2
    assert all(sentence.endswith("play it again if you mean it.") for sentence in said)


def test_the_same_slip_in_another_position_is_warned_of_again(
    quiet: tuple[BoardScreen, list[str]],
) -> None:
    screen, said = quiet
    game = numduel.game("factors")
    assert not screen.may(game.replay("8"), "9", loses=True)
    assert not screen.may(game.replay("8 4 2"), "9", loses=True)
    assert len(said) == 2


def test_what_is_no_move_or_costs_nothing_is_refused_however_often(
    quiet: tuple[BoardScreen, list[str]],
) -> None:
    screen, said = quiet
    state = numduel.game("factors").replay("8")
    assert not any(screen.may(state, "eight", loses=True) for _ in range(3))
    assert not any(screen.may(state, "9", loses=False) for _ in range(3))
    assert not any("loses the game" in sentence for sentence in said)
    assert said[0].startswith("eight is not a move. ")
    assert screen.may(state, "4", loses=True)


# -- hints -------------------------------------------------------------------------------------


def test_the_second_hint_names_a_move_and_the_next_position_starts_over() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people("duel")
        await app.push_screen(play)
        for move in ("5", "4"):
            found = hint(play.match.state.public, play.names)
            await pilot.press("h")
            await settled(app)
            assert told(app) == f"{found.nudge} (Another hint names a move.)"
            for _ in range(2):
                await pilot.press("h")
                await settled(app)
                assert told(app) == " ".join(found.lines)
            await pilot.press(*typed(move))

    running(steps)


@pytest.mark.parametrize(
    ("make", "keys", "news"),
    [
        (lambda: two_people("duel"), typed("5"), "Player 1 plays 5. Player 2 to move."),
        (lambda: Study(parse(LOST)), ["right"], "Move 1 of 6. Computer (hard) to move."),
    ],
)
def test_a_hint_that_comes_after_the_move_is_not_told(
    make: Callable[[], BoardScreen], keys: list[str], news: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go = Event()

    def slow(state: State, names: tuple[str, str]) -> Hint:
        may_go.wait(remaining())
        return hint(state, names)

    monkeypatch.setattr("numduel.learn.coach.hint", slow)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(make())
        await pilot.press("h", *keys)
        may_go.set()
        await settled(app)
        assert told(app) == news

    running(steps)


# -- values ------------------------------------------------------------------------------------


def test_values_are_of_the_position_that_is_shown_until_they_are_turned_off() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = two_people("duel")
        await app.push_screen(play)
        board = play.query_one(Board)
        for keys in (["v"], typed("5"), typed("4")):
            await pilot.press(*keys)
            await settled(app)
            state = play.match.state.public
            assert board.values == option_values(values(state)["options"])
            best = any(value.best for value in board.values.values())
            assert ("A star marks the best." in told(app)) == best
        play.write(DUEL.start().public, values(DUEL.start()))
        assert {*board.values} == {"1", "2", "3", "6", "7", "8", "9"}
        await pilot.press("v")
        await settled(app)
        assert board.values == {}
        play.write(state, values(state))
        assert board.values == {}

    running(steps)


def test_where_all_moves_are_worth_the_same_none_is_marked_as_the_best() -> None:
    for text in ("", "4", "4 6", "4 6 5", "4 6 5 1", "4 6 5 7 1 8"):
        state = DUEL.replay(text)
        options = numduel.analyse(state)
        marked = option_values(values(state)["options"])
        best = {str(option.move) for option in options if option.best}
        alike = len(best) == len(options)
        assert {move for move, value in marked.items() if value.best} == (set() if alike else best)
        for option in options:
            wins = option.win_probability == 1
            assert marked[str(option.move)].told.lstrip("*").startswith("wins" if wins else "loses")
            assert marked[str(option.move)].sign == ("+" if wins else "-")


def test_the_chance_of_a_card_is_how_many_of_it_are_left() -> None:
    state = numduel.game("build", n=4, k=3).replay("1e 1e").public
    values = percent_values(state)
    assert {card: value.text for card, value in values.items()} == dict.fromkeys("234", "33 %")
    assert listed_values(state, values) == "33 %: 2, 3, 4"


# -- the computer ------------------------------------------------------------------------------


def test_an_answer_to_a_move_that_was_taken_back_is_not_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = Slow()
    monkeypatch.setattr("numduel.activities.play.player", lambda *_: slow)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        play = Play(new_game(begin(DUEL, players=("human", "easy"))))
        await app.push_screen(play)
        await pilot.press(*typed("5"))
        assert slow.asked.wait(remaining())
        await pilot.press("u")
        slow.may_go.set()
        await settled(app)
        assert play.match.state.moves == ()
        assert told(app) == "The last move is taken back. Your turn."
        await pilot.press(*typed("4"))
        await settled(app)
        assert play.match.state.text == "4 1"

    running(steps)


# -- puzzles -----------------------------------------------------------------------------------


def test_hints_of_a_puzzle_leave_fewer_moves_and_never_rule_out_the_answer() -> None:
    found = puzzle.puzzle(DUEL, 9, 3)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(solve(found.link))
        await settled(app)
        for nudge in found.nudges:
            await pilot.press("h")
            assert told(app) == nudge
        left = [option.move for option in found.options]
        while len(left) > 2:
            await pilot.press("h")
            await settled(app)
            left = found.narrowed(left)
            assert told(app).startswith("The answer is ")
            assert f"{found.solution}" in told(app)
            assert told(app).count(",") + told(app).count(" or ") == len(left) - 1
        await pilot.press("s")
        await settled(app)
        assert told(app).startswith(f"The answer is {found.solution}.")

    running(steps)


def test_a_key_pressed_while_something_is_computed_does_not_begin_it_again() -> None:
    begun: list[object] = []
    screen = solve("game=duel&seed=9&grade=3")
    screen.activity = screen.activity.act("begin", "game=duel&seed=9&grade=3")
    screen.think = lambda *given, **_: begun.append(given)  # type: ignore[method-assign]
    for action in ("hint", "show", "move"):
        screen.action_do(action, "3")
    assert begun == []


def test_a_mistake_is_played_on_from_when_it_is_found() -> None:
    retry = Retry.of(unkept(Mistakes(record="Game: duel\n\n1 5\n")), "1")
    assert not retry.action_enabled("play", ())
    retry.activity = performed(retry.activity, "begin", "1")
    assert retry.action_enabled("play", ())


def test_what_is_played_on_from_a_game_online_is_played_here() -> None:
    online = "Game: duel\nSeat: 1\nOnline: http://localhost/play/a\n\n1 5\n"

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Retry.of(unkept(Mistakes(record=online)), "1"))
        await settled(app)
        record = (await opened(Play, app, pilot, "p")).match.record
        assert (record.seat, record.online) == (None, "")

    running(steps)


# -- branches ----------------------------------------------------------------------------------


def test_the_branches_from_a_position_are_gone_through_in_a_circle() -> None:
    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        study = Study(parse(LOST))
        await app.push_screen(study)
        for move in "234":
            await pilot.press("home", *typed(move))
        seen = {"down": "", "up": ""}
        for key in seen:
            for _ in range(4):
                await pilot.press(key)
                seen[key] += shown(study)
        assert seen == {"down": "3214", "up": "1234"}
        await pilot.press("down", "left", "right")
        assert shown(study) == "3"  # what was looked at last

    running(steps)


@pytest.mark.usefixtures("painted")
def test_values_of_a_position_that_was_left_are_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_go = Event()

    def slow(work: Work) -> Any:
        may_go.wait(remaining())
        return run(work)

    monkeypatch.setattr("numduel.tui.activity.run", slow)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        await app.push_screen(Study(parse(LOST), values=True))
        await pilot.press("right")
        may_go.set()
        await settled(app)
        assert "Computer (hard): wins in" in drawn(app)
        await pilot.press("left")
        await settled(app)
        assert "Ada: wins in 5" in drawn(app)
        await pilot.press("v")
        await settled(app)
        assert "wins in" not in drawn(app)

    running(steps)


# -- a game on a server ------------------------------------------------------------------------


def sent(number: int, text: str, **more: object) -> client.Snapshot:
    """A game as it is heard of by Ada."""
    return client.Snapshot({"you": 1, "game": SENT | {"number": number, "text": text} | more})


def test_of_what_is_heard_the_newest_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.tui.remote.Live", Radio)

    async def steps(app: NumduelApp, _: Pilot[None]) -> None:
        game = Remote(client.Link("http://localhost", "a"))
        await app.push_screen(game)
        radio: Any = game._live
        for now, text, news in (
            (sent(3, "5 4"), "5 4", "Bo plays 4. Your turn."),
            (sent(2, "5"), "5 4", "Bo plays 4. Your turn."),
            (sent(3, "5 4", present=[True, False]), "5 4", "Bo plays 4. Your turn. Bo is away."),
            (sent(4, "5", undo=None), "5", "Ada plays 5. Bo to move."),
        ):
            radio.heard(now)
            await settled(app)
            assert game.state is not None
            assert (game.state.text, told(app)) == (text, news)

    running(steps)


def test_a_move_is_sent_once_until_an_answer_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.tui.remote.Live", Radio)
    asked, may_go = [], Event()

    def ask(_: str, path: str, body: dict[str, Any], token: str) -> dict[str, Any]:
        asked.append((path, body, token))
        may_go.wait(remaining())
        return {"you": 1, "game": SENT | {"number": 4, "text": "5 4 6"}}

    monkeypatch.setattr("numduel.tui.remote.ask", ask)

    async def steps(app: NumduelApp, pilot: Pilot[None]) -> None:
        game = Remote(client.Link("http://localhost", "a"), "secret")
        await app.push_screen(game)
        radio: Any = game._live
        await pilot.press(*typed("6"))
        assert told(app) == "! Not connected yet."
        radio.heard(sent(3, "5 4"))
        await pilot.press("6", "enter")
        assert told(app) == "Sending your move…"
        await pilot.press("7", "enter")
        assert told(app) == "! Your last move is still on its way."
        radio.heard(sent(3, "5 4"))
        await pilot.press("space")
        assert told(app) == "Sending your move…"
        may_go.set()
        await settled(app)
        assert told(app) == "Ada plays 6. Bo to move."
        await pilot.press("7", "enter")
        assert told(app).startswith("! Bo")
        assert asked == [("/api/v1/games/a/moves", {"move": "6", "after": 3}, "secret")]

    running(steps)


def test_hints_and_values_are_only_for_games_against_the_computer() -> None:
    keys = ("hint", "values", "undo", "resign", "rematch", "seat", "rules")

    def meant(you: int | None, **more: object) -> set[str]:
        game = Remote(client.Link("http://localhost", "a"))
        game._now = client.Snapshot({"you": you, "game": SENT | more})
        return {key for key in keys if game.action_enabled(key, ())}

    assert meant(1) == {"undo", "resign", "rules"}
    assert meant(1, undoable=[False, True]) == {"resign", "rules"}
    assert meant(1, undo=1) == {"resign", "rules"}
    assert meant(1, two_people=False) == {"undo", "resign", "rules", "hint", "values"}
    assert meant(1, two_people=False, text="5 4 resign") == {"rematch", "rules"}
    assert meant(None, two_people=False) == {"rules"}
    assert meant(None, seats=[True, False]) == {"seat", "rules"}
    waiting = Remote(client.Link("http://localhost", "a"))
    assert {key for key in keys if waiting.action_enabled(key, ())} == {"rules"}
