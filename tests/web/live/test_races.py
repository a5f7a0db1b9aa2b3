"""Whatever people do at the same moment, one thing happens after another, and everybody agrees
on what it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import numduel
from tests.web.site import (
    Person,
    Site,
    accepted,
    asked,
    create,
    folded,
    friends,
    kept,
    play,
    refused,
    served,
    together,
    true,
)

REPEATED = settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "games.db") as site:
        yield site


def agreed(site: Site, *people: Person) -> Any:
    """What everybody says a game is, which is what its log says."""
    games = [person.game for person in people]
    assert all(game == games[0] for game in games)
    game = games[0]
    rows = kept(site.database, people[0].id)
    assert game["number"] == len(rows)
    assert game["moves"] == folded(rows, game["first"])
    true(game)
    return game


# -- the same moment ------------------------------------------------------------------------

Doing = Callable[[Person, int], Any]
DOINGS: dict[str, Doing] = {
    "4": lambda person, after: person.move(4, after),
    "5": lambda person, after: person.move(5, after),
    "illegal": lambda person, after: person.move(99, after),
    "resign": lambda person, after: person.resign(after),
    "ask": lambda person, after: person.undo("ask", after),
    "accept": lambda person, after: person.undo("accept", after),
    "refuse": lambda person, after: person.undo("refuse", after),
}


@REPEATED
@given(
    before=st.sampled_from(["", "1", "1 9", "1 9 2", "1 9 2 8"]),
    asking=st.sampled_from([None, 0, 1]),
    doings=st.lists(
        st.tuples(
            st.sampled_from(sorted(DOINGS)), st.integers(0, 2), st.sampled_from([0, 0, 0, 1])
        ),
        min_size=2,
        max_size=6,
    ),
)
def test_of_all_that_is_done_at_one_moment_one_thing_happens(
    site: Site, before: str, asking: int | None, doings: list[tuple[str, int, int]]
) -> None:
    """By two people in many tabs and by somebody who has no seat, some of them late."""
    people = [*friends(site.http)]
    people.append(Person(site.http, people[0].id, "A" * 43))
    play(people, before)
    if asking is not None:
        people[asking].undo()
    number = people[0].game["number"]
    answers = together(
        *(partial(DOINGS[doing], people[who], number - late) for doing, who, late in doings)
    )
    done = 0
    for (doing, who, late), answer in zip(doings, answers, strict=True):
        if answer.status_code == 200:
            done += 1
            assert who != 2, "somebody without a seat did something"
            assert not late, "somebody did something to a game they had not seen"
            assert answer.json()["game"]["number"] == number + 1
        else:
            refused(answer, 403, 409, *([422] if doing == "illegal" else []))
    assert done <= 1
    game = agreed(site, *people)
    assert game["number"] == number + done


@pytest.mark.parametrize("tabs", [2, 8])
def test_one_of_two_moves_in_two_tabs_is_made(site: Site, tabs: int) -> None:
    for _ in range(5):
        one, two = friends(site.http)
        answers = together(*(partial(one.move, move, 1) for move in range(1, tabs + 1)))
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * (tabs - 1)]
        (made,) = (answer.json()["game"] for answer in answers if answer.status_code == 200)
        assert agreed(site, one, two) == made


@pytest.mark.parametrize("rival", ["resign", "undo"])
def test_a_move_against_something_else_of_the_same_moment(site: Site, rival: str) -> None:
    for _ in range(5):
        one, two = people = friends(site.http)
        play(people, "1 9")
        doing = partial(one.resign, 3) if rival == "resign" else partial(two.undo, "ask", 3)
        answers = together(partial(one.move, 5, 3), doing)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        game = agreed(site, one, two)
        assert game["number"] == 4
        if answers[0].status_code == 200:
            assert (game["moves"], game["undo"]) == (["1", "9", "5"], None)
        else:
            assert game["outcome" if rival == "resign" else "undo"]


def test_another_game_that_both_want_at_once_is_one_game(site: Site) -> None:
    for _ in range(5):
        one, two = friends(site.http)
        accepted(one.resign())
        before = asked(site.database, "SELECT count(*) FROM games")[0][0]
        for answer in together(*[one.rematch, two.rematch] * 4):
            accepted(answer)
        assert asked(site.database, "SELECT count(*) FROM games")[0][0] == before + 1
        again = {accepted(person.rematch())["rematch"]["game"] for person in (one, two)}
        assert len(again) == 1
        assert agreed(site, one, two)["number"] == 4
        assert again.pop() == kept(site.database, one.id)[-1].text


def test_a_computer_that_is_asked_for_another_game_many_times_gives_one(site: Site) -> None:
    one = create(site.http, opponent="random")
    accepted(one.resign())
    told = {
        accepted(answer)["rematch"]["game"] for answer in together(*[one.rematch] * 6)
    }  # fmt: skip
    assert len(told) == 1
    assert one.game["number"] == 2


# -- a whole evening ------------------------------------------------------------------------


class Evening(RuleBasedStateMachine):
    """Two people, somebody without a seat, and a model of what must come of what they do."""

    site: Site

    @initialize(first=st.sampled_from([1, 2]), start=st.sampled_from(["", "4", "4 6", "1 9 2 8"]))
    def sit_down(self, first: int, start: str) -> None:
        one = create(self.site.http, first=first, moves=start)
        self.people = [one, Person(one.http, one.id, "B" * 43), Person(one.http, one.id)]
        self.invite = one.invite
        self.first = first
        self.state = numduel.game("duel").replay(start, first=first)
        self.number = len(self.state.moves)
        self.joined = False
        self.asks: int | None = None
        self.offered: int | None = None
        self.again: str | None = None
        self.watching = one.live()
        self.watching.__enter__()

    def teardown(self) -> None:
        if hasattr(self, "watching"):
            self.watching.__exit__(None, None, None)

    def seat(self, who: int) -> int | None:
        return {0: 1, 1: 2 if self.joined else None}.get(who)

    def expect(self, answer: Any, *wrong: tuple[bool, int]) -> bool:
        """Whether a request was granted, which it must be if nothing was wrong with it."""
        statuses = {status for is_wrong, status in wrong if is_wrong}
        if statuses:
            refused(answer, *statuses)
            return False
        game = accepted(answer)
        self.number = game["number"]
        return True

    people_ = st.sampled_from([0, 0, 0, 1, 1, 1, 2])
    late = st.sampled_from([0, 0, 0, 0, 1, -1])

    def bad(self, who: int, after: int) -> list[tuple[bool, int]]:
        return [
            (self.seat(who) is None, 403),
            (after != self.number, 422 if after < 0 else 409),
        ]

    @rule(right=st.sampled_from([True, True, False]))
    def join(self, right: bool) -> None:
        invite = self.invite if right else "C" * 22
        answer = self.people[2].post("join", invite=invite, name="Bob")
        gone = self.joined or self.state.winner is not None
        if self.expect(answer, (not right, 403), (right and gone, 409)):
            self.joined = True
            self.people[1].token = answer.json()["token"]

    @rule(who=people_, move=st.integers(0, 10), late=late)
    def move(self, who: int, move: int, late: int) -> None:
        after = self.number - late
        over = self.state.winner is not None
        legal = move in self.state.legal_moves
        wrong = [
            *self.bad(who, after),
            (over, 409),
            (not over and self.seat(who) != self.state.to_move, 403),
            (not over and not legal, 422),
        ]
        if self.expect(self.people[who].move(move, after), *wrong):
            self.state = self.state.play(move)
            self.asks = None

    @rule(who=people_, late=late)
    def resign(self, who: int, late: int) -> None:
        if len(self.state.moves) < 4:
            return
        after = self.number - late
        over = self.state.winner is not None
        wrong = [*self.bad(who, after), (over, 409)]
        if self.expect(self.people[who].resign(after), *wrong):
            self.state = self.state.resign(self.seat(who))
            self.asks = None

    @rule(who=people_, late=late)
    def ask(self, who: int, late: int) -> None:
        after, seat = self.number - late, self.seat(who)
        movers = [
            self.first if at % 2 == 0 else 3 - self.first for at in range(len(self.state.moves))
        ]
        wrong = [
            *self.bad(who, after),
            (self.state.winner is not None, 403),
            (seat not in movers, 403),
            (self.asks is not None, 409),
        ]
        if self.expect(self.people[who].undo("ask", after), *wrong):
            self.asks = seat

    @rule(who=people_, late=late, say=st.sampled_from(["accept", "refuse"]))
    def answer(self, who: int, late: int, say: str) -> None:
        after, seat = self.number - late, self.seat(who)
        wrong = [
            *self.bad(who, after),
            (self.asks is None or seat is None or self.asks != 3 - seat, 409),
        ]
        if self.expect(self.people[who].undo(say, after), *wrong):
            assert self.asks is not None
            if say == "accept":
                moves = list(self.state.moves)
                while moves:
                    mover = self.first if len(moves) % 2 == 1 else 3 - self.first
                    moves.pop()
                    if mover == self.asks:
                        break
                self.state = numduel.game("duel").replay(moves, first=self.first)
            self.asks = None

    @rule(who=people_)
    def rematch(self, who: int) -> None:
        seat = self.seat(who)
        answer = self.people[who].rematch()
        wrong = ((seat is None, 403), (self.state.winner is None, 403))
        if self.expect(answer, *wrong) and self.again is None:
            if self.offered not in (None, seat):
                self.again = answer.json()["game"]["rematch"]["game"]
                assert self.again is not None
            self.offered = seat if self.offered is None or self.again else self.offered

    @precondition(lambda self: self.again is not None)
    @rule()
    def meet_again(self) -> None:
        for seat, person in enumerate(self.people[:2], 1):
            told = person.at(str(self.again)).look()
            assert (told["you"], told["game"]["first"]) == (seat, 3 - self.first)

    @invariant()
    def everybody_agrees(self) -> None:
        if not hasattr(self, "people"):
            return
        for who, person in enumerate(self.people):
            told = person.look()
            game = told["game"]
            assert told["you"] == self.seat(who)
            assert true(game) == self.state
            assert game["moves"] == [str(move) for move in self.state.moves]
            assert (game["number"], game["undo"]) == (self.number, self.asks)
            assert game["rematch"]["game"] == self.again
            assert game["seats"] == [True, self.joined]
        rows = kept(self.site.database, self.people[0].id)
        assert len(rows) == self.number
        live = self.watching
        if not live.seen or live.seen[-1]["game"]["number"] < self.number:
            live.until(lambda game: game["number"] == self.number, "the newest state")
        assert live.seen[-1]["game"]["moves"] == game["moves"]


@pytest.mark.parametrize("evenings", [8, pytest.param(100, marks=pytest.mark.proof)])
def test_games_of_two_people_follow_the_model(site: Site, evenings: int) -> None:
    machine = type("Here", (Evening,), {"site": site})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=evenings, stateful_step_count=30, deadline=None)
    )
