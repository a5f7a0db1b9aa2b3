"""Two teams in an event: who is in which, whom they meet, and what they have won together."""

from __future__ import annotations

from itertools import count

import numduel
from numduel.events import actions, director
from numduel.events.event import Event, Result
from numduel.events.settings import chosen
from numduel.events.standings import teams


def event_of(size: int, **settings: object) -> Event:
    """An event of two teams, which so many have joined."""
    wish = {"teams": True} | settings
    event = Event(actions.create(chosen([numduel.game("duel")], **wish), "host", 0.0))
    for number in range(size):
        event.apply(actions.join(event, f"Player {number}", 0.0))
    return event


def test_everybody_comes_into_the_smaller_team() -> None:
    event = event_of(5)
    assert [one.team for one in event.members] == [1, 2, 1, 2, 1]
    event.apply(actions.remove(event, 1, 1.0))
    event.apply(actions.remove(event, 3, 1.0))
    event.apply(actions.join(event, "Late", 2.0))
    assert event.members[-1].team == 1
    assert [one.members for one in teams(event)] == [2, 2]


def test_the_points_of_a_team_are_the_games_that_its_members_won() -> None:
    event = event_of(4)
    event.apply(actions.start(event, 1.0))
    for number, (one, two) in enumerate(((1, 2), (3, 4), (1, 4))):
        game = f"game {number}"
        event.apply(actions.pair(event, one, two, event.settings.games[0], game, 2.0))
        winner = 2 if number == 2 else 1
        event.apply(actions.result(event, game, Result(winner, (0, 0), (0, 0)), 3.0))
    assert [(one.name, one.points) for one in teams(event)] == [("Blue", 2), ("Orange", 1)]


def test_the_teams_play_each_other() -> None:
    event = event_of(8)
    event.apply(actions.start(event, 1.0))
    ids = map(str, count())
    for entry in director.due(event, 1.0, lambda: next(ids)):
        event.apply(entry)
    found = [{event.participants[one].team for one in p.players} for p in event.open_pairings]
    assert found == [{1, 2}] * 4


def test_where_nobody_else_is_free_two_of_one_team_play() -> None:
    event = event_of(4)
    for player in (2, 4):
        event.apply(actions.remove(event, player, 1.0))
    event.apply(actions.start(event, 1.0))
    (pair,) = director.next_pairs(event, 1.0)
    assert set(pair) == {1, 3}


def test_without_teams_everybody_plays_for_themselves() -> None:
    event = event_of(2, teams=False)
    assert [one.team for one in event.members] == [None, None]
    assert teams(event) == []
