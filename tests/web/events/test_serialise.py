"""What is sent of events."""

import json
from typing import Any
from unittest.mock import MagicMock

import numduel
from numduel.events import actions
from numduel.events.event import Event, fold
from numduel.events.settings import chosen
from numduel.web.events.live import LiveEvent
from numduel.web.events.serialise import class_page, door_page
from tests.events.test_events import Played

WHO = {"number", "nickname", "kind", "team", "away"}
"""What is sent of everybody, whatever their place."""


def sent(event: Event, you: int | None = None) -> Any:
    """What somebody is sent of an event."""
    live = LiveEvent("ABCDEF", MagicMock(**{"uptime.now.return_value": 0.0}))
    live.loaded = event
    return json.loads(live.json(you))


def test_the_table_says_who_is_away() -> None:
    event = fold([actions.create(chosen([numduel.game("duel")]), "", 1000.0)])
    for name in ("Ada", "Bo"):
        event.apply(actions.join(event, name, 1000.0))
    event.apply(actions.away(event, 2, 1001.0))
    rows = class_page(event)["players"]
    assert {row["nickname"]: row["away"] for row in rows} == {"Ada": False, "Bo": True}


def test_where_places_are_hidden_nobody_is_sent_those_of_others() -> None:
    one = Played(14)
    for speed, (winner, _) in enumerate(one.paired(), 1):
        one.win(winner, milliseconds=1000 * speed)
    full = door_page(one.event)["table"]
    assert len({row["place"] for row in full}) > 6
    assert sent(one.event, 1)["own"] is None, "it is in the table"
    one.do(actions.places, top_only=True)
    assert door_page(one.event)["table"] == full, "the host sees the whole table"
    players = sent(one.event)["event"]["players"]
    assert [row["place"] for row in players[:5]] == [1, 2, 3, 4, 5]
    rest = players[5:]
    assert [row["number"] for row in rest] == sorted(row["number"] for row in rest)
    for row in rest:
        assert {row[key] for key in full[0].keys() - WHO} == {None}
    last = full[-1]
    assert sent(one.event, last["number"])["own"] == last
    assert sent(one.event, full[0]["number"])["own"] is None
    assert sent(one.event)["own"] is None
