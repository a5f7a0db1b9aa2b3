"""Events: nobody is paired twice, everybody is paired or told why, and nothing is lost."""

from __future__ import annotations

import csv
import doctest
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

import numduel
import numduel.events
from numduel.core.errors import BadEvent
from numduel.core.language import speaking
from numduel.events import actions, clock, director, names, review
from numduel.events.clock import FREE_SECONDS, Turn
from numduel.events.director import DESERTED_SECONDS, FORFEIT_SECONDS, WAIT_SECONDS
from numduel.events.event import COMPUTER, Entry, Event, Judgement, Result, Slip, fold
from numduel.events.pairing import Candidate, Cost, cost, pairs
from numduel.events.settings import (
    FORMATS,
    MAX_MINUTES,
    MAX_PLAYERS,
    MAX_ROUND_ROBIN,
    Settings,
    chosen,
)
from numduel.events.standings import podium, public, standings
from numduel.learn.coach import report
from numduel.learn.ideas import vocabulary
from numduel.play.accuracy import Accuracy
from numduel.play.record import parse


class Played:
    """An event with its log and a clock, in which games end as they are told to."""

    def __init__(self, players: int = 0, start: bool = True, **settings: Any) -> None:
        games = settings.pop("games", [numduel.game("duel")])
        host = settings.pop("host", "")
        self.now = 1000.0
        self.log = [actions.create(chosen(games, **settings), host, self.now)]
        self.event = fold(self.log)
        self._ids = count(1)
        for number in range(1, players + 1):
            self.do(actions.join, f"P{number}")
        if players and start:
            self.do(actions.start)
            self.settle()

    def do(self, action: Callable[..., Entry], *arguments: Any, **named: Any) -> None:
        self.write([action(self.event, *arguments, self.now, **named)])

    def write(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.event.apply(entry)
            self.log.append(entry)

    def due(self, **options: Any) -> list[Entry]:
        return director.due(self.event, self.now, lambda: f"game-{next(self._ids)}", **options)

    def settle(self, **options: Any) -> None:
        while entries := self.due(**options):
            free = {one.number for one in self.event.members if one.present} | {COMPUTER}
            free -= {player for pair in self.paired() for player in pair if player != COMPUTER}
            for entry in entries:
                assert entry.kind != "pair" or free >= set(entry.data["players"])
            self.write(entries)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.settle()

    def win(self, winner: int, milliseconds: int = 4000, moves: int = 4) -> None:
        """The current game of somebody ends, and they have won it."""
        pairing = next(one for one in self.event.open_pairings if winner in one.players)
        ended = Result(pairing.seat_of(winner), (milliseconds, 8000), (moves, moves))
        if pairing.seat_of(winner) == 2:
            ended = ended._replace(milliseconds=(8000, milliseconds))
        self.do(actions.result, pairing.id, ended)

    def finish_round(self) -> None:
        for pairing in self.event.open_pairings:
            self.win(min(pairing.players, key=lambda player: (player == 0, player)))
        self.settle()

    def paired(self) -> list[tuple[int, int]]:
        return [pairing.players for pairing in self.event.open_pairings]


def matchings(people: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair some of these people."""
    if not people:
        yield []
        return
    first, *others = people
    yield from matchings(others)
    for other in others:
        for rest in matchings([one for one in others if one != other]):
            yield [(first, other), *rest]


def state(event: Event) -> dict[str, Any]:
    return vars(event)


def test_the_example_of_the_package_runs() -> None:
    assert doctest.testmod(numduel.events).failed == 0


# -- pairing --------------------------------------------------------------------------------


@st.composite
def rooms(draw: st.DrawFn) -> tuple[list[Candidate], dict[frozenset[int], int], set[Any]]:
    """Candidates, how often they met, and who may not be paired."""
    numbers = draw(st.lists(st.integers(0, 9), unique=True, max_size=7))
    small = st.integers(0, 3)
    people = [Candidate(n, draw(small), draw(st.integers(-2, 2))) for n in numbers]
    couples = [frozenset((a, b)) for a in numbers for b in numbers if a < b]
    met = {couple: draw(small) for couple in couples}
    forbidden = draw(st.sets(st.sampled_from(couples))) if couples else set()
    return people, met, forbidden if draw(st.booleans()) else set()


@given(rooms())
def test_a_pairing_costs_no_more_than_any_other_there_is(room: Any) -> None:
    people, met, forbidden = room
    known = {one.number: one for one in people}

    def total(found: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        costs = [cost(known[a], known[b], met[frozenset((a, b))]) for a, b in found]
        return (-len(found), *map(sum, zip(*costs or [Cost(0, 0, 0)], strict=True)))

    found = pairs(
        people,
        lambda a, b: met[frozenset((a, b))],
        lambda a, b: frozenset((a, b)) not in forbidden,
    )
    every = [
        some for some in matchings(list(known)) if not forbidden & {frozenset(two) for two in some}
    ]
    assert total(found) == min(map(total, every))
    assert len({player for pair in found for player in pair}) == 2 * len(found)
    assert all(known[first].balance <= known[second].balance for first, second in found)


@pytest.mark.parametrize(
    ("first", "second", "seats"),
    [(0, 0, 0), (-1, 1, 0), (0, 1, 0), (1, 1, 1), (-1, -1, 1), (-2, 2, 0), (-3, 3, 2), (2, 2, 2),
     (-3, 0, 1), (0, 3, 1)],
)  # fmt: skip
def test_a_pairing_costs_by_how_many_games_seats_are_further_from_even_than_one(
    first: int, second: int, seats: int
) -> None:
    one, two = Candidate(1, 0, first), Candidate(2, 3, second)
    assert cost(one, two, 4) == cost(two, one, 4) == Cost(4, seats, 9)


def test_the_computer_does_not_mind_which_seat_it_has() -> None:
    for balance in (-9, 9):
        computer = Candidate(COMPUTER, 0, balance)
        assert cost(computer, Candidate(1, 0, 0), 0).seats == 0
        assert cost(computer, Candidate(1, 0, 2 if balance > 0 else -2), 0).seats > 0


def test_how_often_two_have_met_counts_before_seats_and_seats_before_scores() -> None:
    """Each time the other pairing would be better in all that comes after."""
    level = [Candidate(number, 0, 0) for number in (1, 2, 3, 4)]
    assert pairs(level, lambda a, b: int({a, b} == {1, 2}), lambda *_: True) != [(1, 2), (3, 4)]
    met = {frozenset((1, 2)): 1, frozenset((3, 4)): 1}
    wins = [Candidate(1, 9, -1), Candidate(2, 9, 1), Candidate(3, 0, -1), Candidate(4, 0, 1)]
    found = pairs(wins, lambda a, b: met.get(frozenset((a, b)), 0), lambda *_: True)
    assert {frozenset(pair) for pair in found}.isdisjoint(met)
    seats = [Candidate(1, 9, 1), Candidate(2, 9, 1), Candidate(3, 0, -1), Candidate(4, 0, -1)]
    assert pairs(seats, lambda *_: 0, lambda *_: True) in ([(3, 1), (4, 2)], [(3, 2), (4, 1)])


def test_who_begins_has_begun_less_often_and_a_person_begins_before_the_computer() -> None:
    def seated(*balances: tuple[int, int]) -> list[tuple[int, int]]:
        players = [Candidate(number, 0, balance) for number, balance in balances]
        return pairs(players, lambda *_: 0, lambda *_: True)

    assert seated((1, 1), (2, 0)) == [(2, 1)]
    assert seated((2, 0), (1, 0)) == [(1, 2)]
    assert seated((COMPUTER, 0), (1, 0)) == [(1, COMPUTER)]
    assert seated((COMPUTER, -1), (1, 0)) == [(COMPUTER, 1)]


def test_after_some_rounds_thirty_are_all_paired_again() -> None:
    class_room = Played(30, format="swiss", rounds=9)
    for _ in range(4):
        class_room.finish_round()
    for pairing in class_room.event.open_pairings:
        class_room.win(max(pairing.players))
    assert len(class_room.due()) == 15


# -- events, whatever happens ---------------------------------------------------------------

STEPS = ("win", "win", "win", "win", "away", "back", "remove", "join", "pause", "resume", "moment",
         "while", "long", "cancel", "forfeit", "force", "judge")  # fmt: skip


def step(one: Played, what: str, pick: int) -> None:
    """Something happens, if it can."""
    event = one.event
    people = [member.number for member in event.members]
    open_pairings = event.open_pairings
    who = people[pick % len(people)] if people else 1
    pairing = open_pairings[pick % len(open_pairings)] if open_pairings else None
    if what == "win" and pairing is not None:
        one.win(pairing.players[pick % 2])
    elif what == "cancel" and pairing is not None:
        one.do(actions.cancel, pairing)
    elif what == "join":
        one.do(actions.join, f"Late{one.event.number}")
    elif what in ("away", "back", "remove", "forfeit"):
        one.do(getattr(actions, what), who)
    elif what in ("pause", "resume"):
        one.do(getattr(actions, what))
    elif what == "judge":
        done = [one.id for one in event.pairings.values() if one.end == "played"]
        kept = Accuracy(pick, 9), Accuracy(9 - pick % 9, 9)
        one.do(
            actions.judge,
            done[pick % len(done)] if done else "",
            Judgement(kept, (Slip(1, pick, "mistake", "win"),)),
        )
    elif what == "force":
        one.settle(force=True)
    else:
        one.now += {"moment": 5.0, "while": WAIT_SECONDS, "long": FORFEIT_SECONDS}.get(what, 0.0)


def check(one: Played) -> None:
    """What is always true of an event."""
    event = one.event
    playing = [player for pairing in event.open_pairings for player in pairing.players]
    people = [player for player in playing if player != COMPUTER]
    assert len(people) == len(set(people)), "somebody plays twice at once"
    assert {*people} <= {member.number for member in event.members}, "a removed one plays"
    for member in event.members:
        told = director.reason(event, member.number, one.now)
        assert (told is None) == (member.number in people), "neither paired nor told why"
    if event.phase != "running" or director.waiting_for(event, one.now) is not None:
        return
    if event.settings.format == "arena":
        waits = [one.now - member.free_since for member in event.free]
        assert all(wait < WAIT_SECONDS for wait in waits), "waits for too long"
    if event.settings.format == "round-robin":
        met = {frozenset(pairing.players) for pairing in event.pairings.values()}
        free = {member.number for member in event.free}
        couples = {frozenset((a, b)) for a in free for b in free - {a}}
        assert couples <= met, "could be paired and are not"
    elif event.settings.format == "swiss" or not event.open_pairings:
        assert not event.free, "could be paired and is not"


@given(
    st.sampled_from(FORMATS),
    st.integers(2, 7),
    st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 50)), min_size=10, max_size=60),
)
def test_whatever_happens_everybody_is_paired_once_or_told_why(
    kind: Any, players: int, steps: list[tuple[str, int]]
) -> None:
    one = Played(players, format=kind, minutes=60, rounds=9)
    for what, pick in steps:
        try:
            step(one, what, pick)
        except BadEvent:
            continue
        one.settle()
        check(one)
    written = orjson.loads(orjson.dumps([[*entry] for entry in one.log]))
    again = fold(Entry(*entry) for entry in written)
    assert state(again) == state(one.event), "a restart loses something"


@hypothesis(max_examples=40)
@given(
    st.sampled_from(("arena", "swiss")),
    st.integers(2, 7),
    st.lists(st.integers(0, 50), min_size=10, max_size=60),
)
def test_nobody_meets_again_and_no_seat_is_favoured_while_that_can_be_avoided(
    kind: Any, players: int, picks: list[int]
) -> None:
    one = Played(players, format=kind, rounds=9)
    for pick in picks:
        if not one.event.open_pairings:
            break
        playing = one.event.open_pairings
        one.win(playing[pick % len(playing)].players[pick % 2])
        earlier = Counter(frozenset(pair.players) for pair in one.event.pairings.values())
        free = [member.number for member in one.event.free]
        alone = not one.event.open_pairings
        made = one.due()
        one.write(made)
        repeats = [e for e in made if e.kind == "pair" and earlier[frozenset(e.data["players"])]]
        if repeats:
            vertices = [*free, COMPUTER] if len(free) % 2 else free
            assert alone, "they could have waited for others"
            assert all(
                any(earlier[frozenset(two)] for two in some)
                for some in matchings(vertices)
                if 2 * len(some) == len(vertices)
            )
        assert all(abs(one.event.balance(n)) <= 2 for n in one.event.participants)


# -- the clock ------------------------------------------------------------------------------


def turn(one: Played, player: int, *moves: tuple[int, float]) -> Turn:
    """The turn of somebody in their game, after moves of these seats at these times."""
    pairing = one.event.pairing_of(player)
    assert pairing is not None
    return clock.turn(one.event, pairing, pairing.seat_of(player), moves)


def test_whoever_runs_out_of_time_for_a_move_loses_the_game() -> None:
    one = Played(2, move_seconds=20)
    (pairing,) = one.event.open_pairings
    slow, other = pairing.players
    one.now += 20 + FREE_SECONDS - 1
    assert one.due(turns=[turn(one, slow)]) == []
    one.now += 1
    one.write(one.due(turns=[turn(one, slow)]))
    assert (pairing.end, pairing.winner) == ("time", other)
    assert (one.event.tallies[slow].forfeited, one.event.tallies[other].forfeits) == (1, 1)


def test_the_first_seconds_of_the_first_move_are_free_and_those_of_a_pause() -> None:
    one = Played(2, game_minutes=1)
    (pairing,) = one.event.open_pairings
    first, second = pairing.players
    began = one.now
    early, late = began + FREE_SECONDS - 5, began + FREE_SECONDS + 40
    assert turn(one, second, (1, early)).spent == (0, 0)
    assert turn(one, first, (1, early), (2, late)).spent == (0, 15)
    moves = (1, early), (2, late), (1, late + 10), (2, late + 11)
    now = turn(one, first, *moves)
    assert (now.spent, now.free, now.since) == ((10, 16), 0, late + 11)
    assert clock.budgets(one.event, now) == (50, 44)
    assert clock.remaining(one.event, now, late + 20) == 41
    one.now = late + 20
    one.do(actions.pause)
    assert clock.remaining(one.event, now, late + 500) == 41
    one.now = late + 600
    one.do(actions.resume)
    assert clock.remaining(one.event, now, late + 601) == 40
    assert one.due(turns=[now]) == []
    one.now += 41
    assert [entry.kind for entry in one.due(turns=[now])] == ["timeout"]


def test_the_computer_has_no_clock_and_without_a_clock_everybody_thinks_as_long_as_they_like() -> (
    None
):
    timed, free = Played(1, start=False, move_seconds=10), Played(2)
    timed.do(actions.join, "Robo", player="easy")
    timed.do(actions.start)
    timed.settle()
    assert clock.remaining(timed.event, turn(timed, 2), timed.now) is None
    assert clock.remaining(timed.event, turn(timed, 1), timed.now) == 10 + FREE_SECONDS
    assert clock.remaining(free.event, turn(free, 1), free.now) is None


@pytest.mark.parametrize(
    "wrong", [{"move_seconds": 9}, {"move_seconds": 601}, {"game_minutes": 61},
              {"move_seconds": 30, "game_minutes": 5}]
)  # fmt: skip
def test_a_clock_counts_moves_or_games_within_reason(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadEvent):
        Played(2, **wrong)


def test_a_host_reminds_whoever_plays_but_not_all_the_time() -> None:
    one = Played(2)
    one.do(actions.nudge, 1)
    assert one.event.participants[1].nudged == one.now
    with pytest.raises(BadEvent):
        one.do(actions.nudge, 1)
    one.now += actions.NUDGE_SECONDS
    one.do(actions.nudge, 1)
    one.finish_round()
    one.do(actions.end)
    with pytest.raises(BadEvent):
        one.do(actions.nudge, 1)


def test_a_round_of_a_swiss_says_whom_it_waits_for() -> None:
    one = Played(8, format="swiss", rounds=2)
    told = director.waiting_for(one.event, one.now)
    assert told == "The next round begins when this one is over: 4 pairs are still playing."
    for _ in range(3):
        pairing = one.event.open_pairings[0]
        one.win(pairing.players[0])
    (last,) = one.paired()
    told = director.waiting_for(one.event, one.now)
    names = " and ".join(f"P{number}" for number in last)
    assert told == f"The next round begins when this one is over: {names} are still playing."


def test_whoever_is_away_is_told_when_the_games_are_lost() -> None:
    one = Played(2)
    assert director.forfeits_at(one.event, 1) is None
    one.do(actions.away, 1)
    assert director.forfeits_at(one.event, 1) == one.now + FORFEIT_SECONDS
    one.do(actions.pause)
    assert director.forfeits_at(one.event, 1) is None


# -- formats --------------------------------------------------------------------------------


def test_in_a_swiss_the_computer_plays_another_odd_player_each_round() -> None:
    one = Played(7, format="swiss", rounds=4)
    while one.event.phase == "running":
        assert len(one.paired()) == 4
        one.finish_round()
    odd = [sum(pair.players) for pair in one.event.pairings.values() if pair.with_computer]
    assert len(set(odd)) == len(odd) == 4
    assert one.event.round == 4


def test_in_a_swiss_those_with_equal_scores_meet() -> None:
    one = Played(8, format="swiss", rounds=3)
    for number, pairing in enumerate(one.event.open_pairings):
        one.win(pairing.players[number % 2])  # as many of those who begin as of the others
    one.settle()
    assert all(
        one.event.wins(first) == one.event.wins(second) for first, second in one.paired()
    )  # fmt: skip


@pytest.mark.parametrize("players", [2, 5, 6])
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    one = Played(players, format="round-robin")
    while one.event.phase == "running":
        first = one.event.open_pairings[0]
        one.win(next(filter(None, first.players)))
        one.settle()
    met = Counter(frozenset(pair.players) for pair in one.event.pairings.values())
    everybody = range(players % 2 ^ 1, players + 1)
    assert met == Counter(frozenset((a, b)) for a in everybody for b in everybody if a < b)


def test_in_an_arena_two_who_have_met_wait_for_others_but_not_for_long() -> None:
    one = Played(4)
    met = one.paired()[0]
    one.win(met[0])
    one.settle()
    assert {member.number for member in one.event.free} == set(met)
    assert director.reason(one.event, met[0], one.now) == (
        "The others are playing. Whoever is free next can be your opponent."
    )
    one.wait(WAIT_SECONDS)
    assert set(one.paired()[1]) == set(met)


def test_in_an_arena_nobody_waits_longer_because_others_came_later() -> None:
    one = Played(4)
    met = one.paired()[0]
    one.win(met[0])
    one.do(actions.away, met[1])
    one.wait(WAIT_SECONDS - 5)
    one.do(actions.back, met[1])
    one.wait(5)
    assert set(one.paired()[1]) == set(met)


def test_an_arena_pairs_nobody_when_its_time_is_up_and_ends_after_the_last_game() -> None:
    one = Played(2, minutes=1)
    one.wait(30)
    one.do(actions.pause)
    one.wait(1000)
    one.do(actions.resume)
    assert one.event.remaining(one.now) == 30
    one.wait(10)
    one.do(actions.extend, 1)
    assert one.event.remaining(one.now) == 80
    one.wait(81)
    assert one.paired()
    one.finish_round()
    assert one.event.phase == "ended"
    with pytest.raises(BadEvent, match="over"):
        one.do(actions.end)


def test_players_take_turns_with_the_games_of_an_event() -> None:
    games = [numduel.game("duel"), numduel.game("factors", n=30)]
    one = Played(4, games=games, format="swiss", rounds=4)
    played = []
    while one.event.phase == "running":
        played.append({pairing.game for pairing in one.event.open_pairings})
        one.finish_round()
    assert list(map(len, played)) == [1, 1, 1, 1]
    assert played[0] == played[2] != played[1] == played[3]


# -- coming and going -----------------------------------------------------------------------


def test_who_is_away_for_long_gives_the_pairing_to_the_opponent() -> None:
    one = Played(2)
    one.do(actions.away, 1)
    one.wait(FORFEIT_SECONDS - 1)
    assert one.event.pairing_of(1) is not None
    one.wait(1)
    assert (one.event.wins(1), one.event.wins(2)) == (0, 1)
    assert one.paired() == [(2, COMPUTER)]
    one.do(actions.come_back, 1, "another token")
    assert one.event.participants[1].token == "another token"
    assert one.event.participants[1].present


def test_a_connection_that_comes_and_goes_does_not_fill_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = Played(2)
    for _ in range(actions.MAX_ABSENCES - 1):
        one.do(actions.away, 1)
        one.do(actions.back, 1)
    one.do(actions.away, 1)
    for action, more in ((actions.back, ()), (actions.come_back, ("token",))):
        with pytest.raises(BadEvent, match="too often"):
            one.do(action, 1, *more)
    monkeypatch.setattr(actions, "MAX_ENTRIES", one.event.number)
    with pytest.raises(BadEvent, match="can only be ended"):
        one.do(actions.broadcast, "More")
    one.settle()
    assert one.event.phase == "ended"


def test_two_who_are_both_away_win_nothing() -> None:
    one = Played(2)
    one.do(actions.away, 1)
    one.do(actions.away, 2)
    one.wait(FORFEIT_SECONDS)
    assert [pairing.end for pairing in one.event.pairings.values()] == ["cancelled"]
    assert [standing.tally.games for standing in standings(one.event)] == [0, 0]


def test_who_is_removed_is_in_no_table_and_may_not_come_back() -> None:
    one = Played(3)
    one.do(actions.remove, 3)
    assert {standing.participant.number for standing in standings(one.event)} == {1, 2}
    with pytest.raises(BadEvent, match="do not take part"):
        one.do(actions.come_back, 3, "token")
    one.do(actions.join, "P3")
    assert list(one.event.participants) == [1, 2, 3, 4]


def test_a_host_locks_the_door_renames_and_tells_everybody() -> None:
    one = Played(2, start=False)
    one.do(actions.lock)
    with pytest.raises(BadEvent, match="locked the door"):
        one.do(actions.join, "Cy")
    one.do(actions.lock, locked=False)
    one.do(actions.join, "Cy")
    with pytest.raises(BadEvent, match="has that nickname"):
        one.do(actions.rename, 3, "p 1")
    one.do(actions.rename, 3, "CY")
    one.do(actions.broadcast, "Five  minutes\nleft")
    assert (one.event.participants[3].nickname, one.event.message) == ("CY", "Five minutes left")
    with pytest.raises(BadEvent, match="one line"):
        one.do(actions.broadcast, "x" * 121)


def test_an_event_is_full_at_some_time() -> None:
    for kind, room in (("arena", MAX_PLAYERS), ("round-robin", MAX_ROUND_ROBIN)):
        one = Played(room, start=False, format=kind)
        with pytest.raises(BadEvent, match=f"room for {room}"):
            one.do(actions.join, "Late")


def test_so_many_levels_of_the_computer_take_part_and_people_besides() -> None:
    one = Played(start=False)
    for number in range(actions.MAX_LEVELS):
        one.do(actions.join, f"Robo {number}", player="easy")
    with pytest.raises(BadEvent, match=f"At most {actions.MAX_LEVELS} levels"):
        one.do(actions.join, "Robo 8", player="hard")
    one.do(actions.join, "Ada")
    one.do(actions.remove, 1)
    one.do(actions.join, "Robo 8", player="hard")
    assert len(one.event.members) == actions.MAX_LEVELS + 1


def test_an_arena_is_given_minutes_up_to_its_most() -> None:
    one = Played(2, minutes=MAX_MINUTES - 1)
    for minutes in (0, 2):
        with pytest.raises(BadEvent, match=f"at most {MAX_MINUTES} minutes"):
            one.do(actions.extend, minutes)
    one.do(actions.extend, 1)
    assert one.event.remaining(one.now) == 60 * MAX_MINUTES
    swiss = Played(2, format="swiss", rounds=1)
    with pytest.raises(BadEvent, match="Only an arena has a clock"):
        swiss.do(actions.extend, 1)


def test_an_event_begins_once_with_two_players_or_more() -> None:
    one = Played(1, start=False)
    with pytest.raises(BadEvent, match="needs two players"):
        one.do(actions.start)
    one.do(actions.join, "P2")
    with pytest.raises(BadEvent, match="not running"):
        one.do(actions.pause)
    with pytest.raises(BadEvent, match="not paused"):
        one.do(actions.resume)
    one.do(actions.start)
    with pytest.raises(BadEvent, match="begun already"):
        one.do(actions.start)


def test_who_does_not_take_part_can_do_nothing_and_have_nothing_done() -> None:
    one = Played(3)
    one.do(actions.remove, 3)
    for player in (3, 9):
        for action, more in (
            (actions.renew_code, ("hash",)),
            (actions.rename, ("Cy",)),
            (actions.remove, ()),
            (actions.away, ()),
            (actions.back, ()),
            (actions.come_back, ("token",)),
            (actions.forfeit, ()),
        ):
            with pytest.raises(BadEvent, match="do not take part"):
                one.do(action, player, *more)


def test_when_an_event_is_over_nothing_more_can_be_done() -> None:
    one = Played(2)
    one.do(actions.end)
    for action, more in (
        (actions.join, ("Late",)), (actions.lock, ()), (actions.extend, (1,)), (actions.end, ()),
    ):  # fmt: skip
        with pytest.raises(BadEvent, match="The event is over"):
            one.do(action, *more)


def test_who_is_here_cannot_come_back_and_who_is_away_cannot_leave() -> None:
    one = Played(2)
    with pytest.raises(BadEvent, match="not away"):
        one.do(actions.back, 1)
    one.do(actions.away, 1)
    with pytest.raises(BadEvent, match="away already"):
        one.do(actions.away, 1)


def test_only_who_plays_can_forfeit_and_only_what_goes_on_can_be_cancelled() -> None:
    one = Played(3)
    (pairing, *_) = one.event.open_pairings
    one.do(actions.cancel, pairing)
    with pytest.raises(BadEvent, match="pairing is over"):
        one.do(actions.cancel, pairing)
    with pytest.raises(BadEvent, match="not playing just now"):
        one.do(actions.forfeit, next(filter(None, pairing.players)))


def test_after_too_much_has_happened_games_still_end_and_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = Played(2)
    monkeypatch.setattr(actions, "MAX_ENTRIES", one.event.number + 1)
    one.do(actions.broadcast, "The last line")
    with pytest.raises(BadEvent, match="can only be ended"):
        one.do(actions.broadcast, "One more")
    one.do(actions.result, "game-1", Result(1, (10, 10), (3, 2)))
    judged(one, "game-1", ((1, 1), (1, 1)))
    one.do(actions.end)
    assert one.event.phase == "ended"


def test_a_level_of_the_computer_takes_part_like_anybody() -> None:
    one = Played(1, start=False)
    one.do(actions.lock)
    one.do(actions.join, "Deep Nine", player="perfect")  # The host adds it behind a locked door.
    with pytest.raises(BadEvent, match="Only people"):
        one.do(actions.join, "Deep Ten", player="friend")
    one.do(actions.start)
    one.settle()
    assert [set(pair) for pair in one.paired()] == [{1, 2}]


def league(levels: int = 2, people: int = 0, **settings: Any) -> Played:
    """An event in which levels of the computer take part, and people who are away."""
    one = Played(people, start=False, **settings)
    for number in range(levels):
        one.do(actions.join, f"Robo {number}", player="easy")
    for number in range(1, people + 1):
        one.do(actions.away, number)
    one.do(actions.start)
    return one


@pytest.mark.parametrize("people", [0, 1])
def test_levels_play_each_other_only_while_somebody_watches(people: int) -> None:
    one = league(people=people)
    assert one.due(watched=False) == []
    assert {entry.kind for entry in one.due(watched=True)} == {"pair"}
    if people:
        one.do(actions.back, 1)
        assert one.due(watched=False), "who takes part and is here watches"


@pytest.mark.parametrize("pause", [False, True])
@pytest.mark.parametrize("people", [0, 2])
def test_an_event_that_everybody_left_ends_after_an_hour(people: int, pause: bool) -> None:
    one = league(people=people, minutes=180)
    if pause:
        one.do(actions.pause)
    one.now += DESERTED_SECONDS - 1
    assert one.due(watched=False) == []
    one.now += 1
    assert [entry.kind for entry in one.due(watched=False)] == ["end"]


def test_a_round_of_a_swiss_waits_for_somebody_who_takes_part() -> None:
    one = league(people=1, format="swiss", rounds=3)
    assert one.due() == one.due(force=True) == []
    told = director.reason(one.event, 2, one.now)
    assert told == "The next round begins when somebody is back."
    one.do(actions.back, 1)
    one.settle()
    assert len(one.paired()) == 2
    one.do(actions.away, 1)
    one.finish_round()
    assert (one.event.round, one.event.phase) == (1, "running"), "levels do not end it alone"


def test_after_a_pause_who_was_away_has_as_long_as_before_to_return() -> None:
    one = Played(2)
    one.do(actions.away, 1)
    one.do(actions.pause)
    one.wait(FORFEIT_SECONDS)
    one.do(actions.resume)
    one.settle()
    assert one.event.pairing_of(1) is not None


def test_nobody_is_slow_because_of_a_pause() -> None:
    one = Played(2)
    start = one.now
    one.wait(10)
    one.do(actions.pause)
    one.wait(100)
    one.do(actions.resume)
    one.wait(5)
    assert one.event.playing_time(start, one.now) == 15
    assert one.event.playing_time(start + 20, start + 90) == 0


def test_a_host_pairs_by_hand_those_who_are_free() -> None:
    one = Played(4)
    first, second = one.event.open_pairings
    (a, b), (c, d) = one.paired()
    game = one.event.settings.games[0]
    with pytest.raises(BadEvent, match="present and free"):
        one.do(actions.pair, a, c, game, "x")
    one.do(actions.cancel, first)
    one.do(actions.cancel, second)
    one.do(actions.away, d)
    for wrong in ((a, a), (a, d), (a, 9)):
        with pytest.raises(BadEvent, match="present and free"):
            one.do(actions.pair, *wrong, game, "x")
    with pytest.raises(BadEvent, match="an id of its own"):
        one.do(actions.pair, a, c, game, "game-1")
    one.do(actions.pair, a, c, game, "x")
    one.settle()
    assert one.paired() == [(a, c)]
    one.settle(force=True)
    assert one.paired() == [(a, c), (b, COMPUTER)]


def test_who_joined_together_is_not_paired_for_that() -> None:
    rounds = set()
    for host in "abcdef":
        one = Played(6, start=False, host=host)
        one.do(actions.start)
        one.settle()
        rounds.add(tuple(one.paired()))
    assert len(rounds) > 3


# -- the log --------------------------------------------------------------------------------


def test_of_two_processes_that_pair_the_same_players_one_is_refused() -> None:
    one = Played(4, start=False)
    one.do(actions.start)
    mine, theirs = one.due(), one.due()
    assert [entry.data["players"] for entry in mine] == [e.data["players"] for e in theirs]
    one.write(mine)
    with pytest.raises(ValueError, match="does not follow"):
        one.event.apply(theirs[0])


def test_every_beginning_of_a_log_is_an_event_and_entries_out_of_order_are_refused() -> None:
    one = Played(5, format="swiss", rounds=2)
    while one.event.phase == "running":
        one.finish_round()
    for length in range(1, len(one.log)):
        event = fold(one.log[:length])
        assert event.number == length
        for wrong in (one.log[length - 1], *one.log[length + 1 : length + 2]):
            with pytest.raises(ValueError, match="does not follow"):
                event.apply(wrong)
    with pytest.raises(ValueError, match="creates it"):
        fold(one.log[1:])


def test_a_game_ends_once_and_is_judged_once() -> None:
    one = Played(2)
    ended = Result(1, (10, 10), (3, 2))
    with pytest.raises(BadEvent, match="does not belong"):
        one.do(actions.result, "game-9", ended)
    with pytest.raises(BadEvent, match="played to its end"):
        one.do(actions.judge, "game-1", Judgement((Accuracy(1, 1), Accuracy(1, 1)), ()))
    one.do(actions.result, "game-1", ended)
    with pytest.raises(BadEvent, match="ended already"):
        one.do(actions.result, "game-1", ended)
    one.do(actions.end)
    one.do(actions.judge, "game-1", Judgement((Accuracy(1, 1), Accuracy(1, 1)), ()))
    with pytest.raises(BadEvent, match="judged already"):
        one.do(actions.judge, "game-1", Judgement((Accuracy(1, 1), Accuracy(1, 1)), ()))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"games": ()}, "1 to 10 different games"),
        ({"format": "knockout"}, "arena, swiss or round-robin"),
        ({"minutes": 0}, "1 to 180 minutes"),
        ({"rounds": 99}, "1 to 15 rounds"),
        ({"level": "human"}, "easy, medium, hard or perfect"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(BadEvent, match=why):
        Settings(**{"games": ("duel",), **wrong})


# -- the table ------------------------------------------------------------------------------


def judged(one: Played, game: str, kept: tuple[tuple[int, int], tuple[int, int]]) -> None:
    one.do(actions.judge, game, Judgement((Accuracy(*kept[0]), Accuracy(*kept[1])), ()))


def test_wins_come_first_then_the_value_kept_then_speed() -> None:
    one = Played(4)
    (a, b), (c, d) = one.paired()
    one.win(a, milliseconds=4000)
    one.win(c, milliseconds=3999)
    places = [standing.participant.number for standing in standings(one.event)]
    assert places == [c, a, *sorted((b, d))]
    judged(one, "game-1", ((1, 3), (2, 2)))
    judged(one, "game-2", ((333, 1000), (1, 1)))
    table = standings(one.event)
    assert [standing.participant.number for standing in table] == [a, c, *sorted((b, d))]
    assert [standing.accuracy for standing in table][:2] == [Fraction(1, 3), Fraction(333, 1000)]
    assert [standing.place for standing in table] == [1, 2, 3, 3]
    assert [standing.participant.number for standing in podium(one.event)] == [a, c]


def table(one: Played) -> list[tuple[int, int]]:
    """Places, and who has them."""
    return [(standing.place, standing.participant.number) for standing in standings(one.event)]


def test_of_equal_wins_and_value_the_faster_comes_first_and_equals_share_a_place() -> None:
    one = Played(6)
    (a, b), (c, d), (e, f) = one.paired()
    one.win(a, milliseconds=3000)
    one.win(c, milliseconds=2000)
    one.win(e, milliseconds=2000, moves=2)
    for number in (1, 2, 3):
        judged(one, f"game-{number}", ((2, 2), (1, 2)))
    assert table(one) == [(1, c), (2, a), (3, e), (4, b), (4, d), (6, f)]
    rows = standings(one.event)
    assert [row.seconds_per_move for row in rows] == [0.5, 0.75, 1.0, 2.0, 2.0, 4.0]
    assert [row.accuracy for row in rows] == [1.0, 1.0, 1.0, 0.5, 0.5, 0.5]


def test_who_has_not_decided_anything_comes_after_those_who_kept_nothing() -> None:
    one = Played(4)
    (a, b), (c, d) = one.paired()
    one.win(a)
    one.win(c)
    judged(one, "game-1", ((0, 3), (0, 0)))
    judged(one, "game-2", ((0, 0), (0, 1)))
    assert table(one) == [(1, a), (2, c), (3, d), (4, b)]
    late = Played(3)
    (playing,) = (pair for pair in late.paired() if COMPUTER not in pair)
    late.win(min(playing))
    assert table(late)[2] == (3, 6 - sum(playing)), "without a move after those with one"


def test_a_podium_has_three_places_and_nobody_without_a_win() -> None:
    one = Played(8)
    firsts = [pair[0] for pair in one.paired()]
    for speed, winner in enumerate(firsts, 1):
        one.win(winner, milliseconds=1000 * speed)
    assert [standing.participant.number for standing in podium(one.event)] == firsts[:3]


def test_where_places_are_hidden_everybody_sees_the_first_five_who_have_won() -> None:
    one = Played(14)
    firsts = [pair[0] for pair in one.paired()]
    one.win(firsts[0], milliseconds=1000)
    one.do(actions.places, top_only=True)
    assert [row.participant.number for row in public(one.event)] == firsts[:1]
    for speed, winner in enumerate(firsts[1:], 2):
        one.win(winner, milliseconds=1000 * speed)
    assert [row.place for row in public(fold(one.log))] == [1, 2, 3, 4, 5]
    assert len(review.table_csv(one.event).splitlines()) == 1 + 14, "the host has the whole table"
    one.do(actions.places, top_only=False)
    assert public(fold(one.log)) == standings(one.event)


def test_what_was_judged_when_every_move_counted_can_still_be_read() -> None:
    old = {"kept": [[3, 4], [1, 2]], "slips": [[1, 3, "mistake", "win"]]}
    assert Judgement.parse(old) == Judgement(
        (Accuracy(3, 4), Accuracy(1, 2)), (Slip(1, 3, "mistake", "win"),)
    )
    new = Judgement((Accuracy(3, 4, 9), Accuracy(1, 2, 8)), ())
    assert Judgement.parse(new.json()) == new


# -- what was missed ------------------------------------------------------------------------


def test_a_game_is_judged_by_who_missed_which_idea() -> None:
    text = f"Game: {numduel.game('factors').id}\n\n20 1 14 2 6 5!\n"
    found = review.judge(report(parse(text)))
    assert found.kept == (Accuracy(2, 3, 3), Accuracy(0, 2, 3))
    assert [slip[:5] for slip in found.slips] == [
        (1, 1, "inaccuracy", "starve", ""), (1, 3, "mistake", "win", "20 1"),
        (2, 4, "mistake", "win", "20 1 14"), (2, 6, "broken", "", None),
    ]  # fmt: skip


def test_a_class_sees_what_it_misses_most_and_everybody_their_own_slips_move_by_move() -> None:
    one = Played(2, games=[numduel.game("factors")])
    a, b = one.paired()[0]
    one.win(a)
    slips = (
        Slip(1, 3, "inaccuracy", "win"), Slip(1, 5, "mistake", "fork"), Slip(2, 2, "broken", ""),
        Slip(2, 4, "mistake", "fork"), Slip(1, 7, "mistake", "starve"), Slip(1, 9, "mistake", ""),
        Slip(1, 11, "mistake", "starve"),
    )  # fmt: skip
    one.do(actions.judge, "game-1", Judgement((Accuracy(0, 5), Accuracy(0, 2)), slips))
    own = [slip.slip.ply for slip in review.own_slips(one.event, a)]
    assert own == [3, 5, 7, 9, 11]
    top = [(m.idea, m.times, m.players, m.step) for m in review.missed(one.event)]
    assert top == [("fork", 2, 2, 7), ("starve", 2, 1, 5), ("", 1, 1, 1)]
    most = review.missed(one.event, [b])
    assert [missed.idea for missed in most] == ["", "fork"]
    assert most[1].instruction.endswith(".")


def test_of_ideas_missed_as_often_those_that_more_people_missed_come_first() -> None:
    """Then the names of the game and the idea decide."""
    one = Played(4, games=[numduel.game("line"), numduel.game("duel")])
    one.finish_round()
    one.finish_round()
    mistakes = {
        "game-3": [("win", 1), ("deny", 2)],
        "game-1": [("win", 2), ("deny", 1), ("deny", 1), ("fork", 2), ("fork", 1), ("central", 1)],
    }
    for game, made in mistakes.items():
        slips = tuple(Slip(seat, 3, "mistake", idea) for idea, seat in made)
        one.do(actions.judge, game, Judgement((Accuracy(0, 6), Accuracy(0, 6)), slips))
    found = [(each.game, each.idea, each.times, each.players) for each in review.missed(one.event)]
    line, duel = (numduel.game(name).display_name for name in ("line", "duel"))
    assert line < duel
    assert found == [
        (line, "fork", 2, 2), (line, "deny", 2, 1), (line, "central", 1, 1), (line, "win", 1, 1),
        (duel, "deny", 1, 1), (duel, "win", 1, 1),
    ]  # fmt: skip


def discussed() -> Played:
    """A class of two, the first game of which is judged."""
    one = Played(2, games=[numduel.game("factors")])
    one.win(one.paired()[0][0])
    text = f"Game: {numduel.game('factors').id}\n\n20 4 8 16 1 11\n"
    one.do(actions.judge, "game-1", review.judge(report(parse(text))))
    return one


def test_every_idea_that_a_class_missed_has_a_position_to_discuss() -> None:
    one = discussed()
    (missed,) = (each for each in review.missed(one.event) if each.idea == "one")
    found = review.example(one.event, missed)
    assert found is not None
    assert (found.pairing.id, found.slip.ply, found.slip.at) == ("game-1", 5, "20 4 8 16")
    assert found.slip.told == (
        "Somebody played 1. It let the opponent win at once with 11; 2 would have kept the win."
    )
    assert Judgement.parse(one.event.by_game["game-1"].judgement.json()).slips[-1] == found.slip  # type: ignore[union-attr]


def test_a_class_of_several_languages_discusses_a_position_in_each() -> None:
    """Its log is shared, so it has the English sentence and the others."""
    one = discussed()
    (slip,) = (slip for slip in one.event.by_game["game-1"].judgement.slips if slip.ply == 5)  # type: ignore[union-attr]
    assert slip.sentence == slip.told
    with speaking("de"):
        assert slip.sentence.startswith("Jemand ")
        assert director.reason(one.event, 1, one.now).startswith("Die anderen spielen gerade.")  # type: ignore[union-attr]
    with speaking("fr"):
        assert slip.sentence.startswith("Quelqu’un ")
    with speaking("xx"):
        assert slip.sentence.startswith("⟦")


def test_the_position_that_most_people_met_is_discussed() -> None:
    one = Played(6, games=[numduel.game("factors")])
    one.finish_round()
    for number, at in enumerate(("20 10", "18 9", "18 9"), 1):
        slip = Slip(1, 3, "mistake", "one", at, "Somebody played 1.")
        one.do(actions.judge, f"game-{number}", Judgement((Accuracy(), Accuracy()), (slip,)))
    (missed,) = review.missed(one.event)
    found = review.example(one.event, missed)
    assert found is not None
    assert found.slip.at == "18 9"


def test_a_position_is_put_on_the_wall_then_its_answer_and_taken_away() -> None:
    one = discussed()
    one.do(actions.show, "game-1", 5)
    assert one.event.shown == ("game-1", 5, False)
    one.do(actions.show, "game-1", 5, answer=True)
    assert fold(one.log).shown == ("game-1", 5, True)
    one.do(actions.unshow)
    assert fold(one.log).shown is None
    with pytest.raises(BadEvent, match="Nothing is shown"):
        one.do(actions.unshow)


@pytest.mark.parametrize(("game", "ply"), [("game-1", 4), ("game-9", 5)])
def test_only_a_slip_can_be_shown(game: str, ply: int) -> None:
    with pytest.raises(BadEvent, match="no such mistake"):
        discussed().do(actions.show, game, ply)


def test_a_slip_whose_position_nobody_noted_cannot_be_shown() -> None:
    one = Played(2)
    one.win(one.paired()[0][0])
    slip = Slip(1, 3, "mistake", "one")
    one.do(actions.judge, "game-1", Judgement((Accuracy(), Accuracy()), (slip,)))
    with pytest.raises(BadEvent, match="no such mistake"):
        one.do(actions.show, "game-1", 3)


def test_an_inaccuracy_and_a_mistake_without_an_idea_are_not_what_a_class_missed() -> None:
    one = Played(2)
    one.finish_round()
    slips = (
        Slip(1, 1, "inaccuracy", "win"), Slip(1, 2, "mistake", ""), Slip(1, 3, "mistake", "fork"),
        Slip(1, 4, "broken", ""),
    )  # fmt: skip
    judgement = Judgement((Accuracy(0, 4), Accuracy(1, 1)), slips)
    one.do(actions.judge, "game-1", judgement)
    found = {each.idea: (each.times, each.instruction) for each in review.missed(one.event)}
    fork = next(idea for idea in vocabulary(numduel.game("duel")) if idea.name == "fork")
    assert found == {"fork": (1, fork.instruction), "": (1, review.BROKEN)}
    first = one.event.by_game["game-1"].players[0]
    assert [own.slip.kind for own in review.own_slips(one.event, first)] == [
        "inaccuracy", "mistake", "mistake", "broken",
    ]  # fmt: skip
    assert review.own_slips(one.event, 3 - first) == []


def test_the_table_of_a_spreadsheet_says_what_somebody_missed_most() -> None:
    one = Played(2)
    one.finish_round()
    slips = (Slip(1, 3, "mistake", "win"), Slip(1, 5, "mistake", "fork"),
             Slip(1, 7, "mistake", "fork"))  # fmt: skip
    one.do(actions.judge, "game-1", Judgement((Accuracy(1, 3, 8), Accuracy()), slips))
    rows = {
        row["Nickname"]: row for row in csv.DictReader(io.StringIO(review.table_csv(one.event)))
    }
    first = one.event.by_game["game-1"].players[0]
    mine, theirs = rows[f"P{first}"], rows[f"P{3 - first}"]
    assert mine["Missed most"] == (
        "Sequence Duel: Win if you can; if not, set up a win they can't stop."
    )
    columns = "Choices that mattered and gave nothing away", "Choices that mattered", "Moves judged"
    assert tuple(mine[column] for column in columns) == ("1", "3", "8")
    assert (mine["Accuracy in %"], theirs["Accuracy in %"], theirs["Missed most"]) == (
        "33.3",
        "",
        "",
    )
    assert {row["Games"] for row in rows.values()} == {"1"}
    assert {row["Wins"] for row in rows.values()} == {"1", "0"}


def test_the_table_of_a_spreadsheet_counts_forfeits_and_knows_the_decimal_comma() -> None:
    one = Played(2)
    first, second = one.event.open_pairings[0].players
    one.win(first, milliseconds=5000, moves=2)
    one.settle(force=True)
    one.do(actions.forfeit, first)
    written = io.StringIO(review.table_csv(one.event, comma=True))
    rows = {row["Nickname"]: row for row in csv.DictReader(written, delimiter=";")}
    columns = "Won by forfeit", "Lost by forfeit", "Seconds per move"
    assert [rows[f"P{first}"][column] for column in columns] == ["0", "1", "2,5"]
    assert [rows[f"P{second}"][column] for column in columns] == ["1", "0", "4,0"]


def test_the_table_of_a_spreadsheet_has_no_formula_in_it() -> None:
    one = Played(2)
    one.event.participants[1].nickname = "=1+1"
    one.event.participants[2].nickname = '@x,"y"'
    rows = [*csv.reader(io.StringIO(review.table_csv(one.event)))]
    assert rows[0] == list(review.columns())
    assert {row[1] for row in rows[1:]} == {"'=1+1", '\'@x,"y"'}


# -- codes and nicknames --------------------------------------------------------------------


def test_a_code_has_six_characters_that_look_like_no_others() -> None:
    codes = {names.new_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 6 and not set(code) & set("0O1IL2Z5S8BUVAE") for code in codes)
    code = min(codes)
    assert names.read_code(f" {code[:3].lower()}-{code[3:]} ") == code
    for wrong in ("", "K7M4Q", "K7M4QXX", "K7M4Q0", "\u212a7M4QX", "K" * 10_000):
        with pytest.raises(BadEvent, match="six characters"):
            names.read_code(wrong)


def test_a_personal_code_has_four_digits() -> None:
    assert all(len(code) == 4 and code.isdigit() for code in (names.new_personal_code(),) * 9)


@pytest.mark.parametrize(
    "name", ["Ada", "Ada L.", "O'Neil", "Zoë", "Ngọc", "Ωmega", "আশা", "小明", "7of9", "Å"]
)
def test_a_nickname_is_in_any_script(name: str) -> None:
    assert names.nickname(name)


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u3164", "\u200b", "a\u200bb", "x" * 21, "x" * 10_000, "=1+1", "-1", "@ada", "<b>",
     "a\u0301\u0302\u0303\u0304", "a\x00", "a\u202eb", "\u0301", "a\u20dd", "😀", "...",
     "compu ter", "Computer 2", "C\u00f4mputer_easy", "a\u034fb", "a\ufe0f", "a\u180bb",
     "a\U000e0100", "a\uffa0b", "a|b", "a,b", 'a"b'],
)  # fmt: skip
def test_a_nickname_that_could_deceive_or_hurt_is_refused(name: str) -> None:
    with pytest.raises(BadEvent, match="nickname"):
        names.nickname(name)


@pytest.mark.parametrize(
    "other", ["ada l", "ADA L", "Ada\u00a0L", "Ada\u2003 L", "AdaL", "Ａda-L."]
)
def test_two_nicknames_that_could_be_mistaken_are_the_same(other: str) -> None:
    one = Played(start=False)
    one.do(actions.join, "Ada L")
    with pytest.raises(BadEvent, match="has that nickname"):
        one.do(actions.join, other)


@given(
    st.text(st.sampled_from("aB7 -'._\u00a0\u0301\u0345ıİßﬁＡ\u200d\u3164ﷺ½²ſ=\t😀"), max_size=25)
)
def test_a_nickname_is_short_printable_and_its_own_spelling(text: str) -> None:
    try:
        name = names.nickname(text)
    except BadEvent:
        return
    assert name == names.nickname(name)
    assert 1 <= len(name) <= names.MAX_NICKNAME
    assert name.isprintable()
    assert names.nickname_key(name)
