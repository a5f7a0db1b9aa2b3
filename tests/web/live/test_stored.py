"""What is stored of an event: where it is not what was written, it is damaged."""

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import orjson
import pytest

from numduel.core.errors import NumduelError
from numduel.events import actions, director, review
from numduel.events import event as events
from numduel.web.events.live import LiveEvents
from numduel.web.events.serialise import class_page, door_page, own_page, own_rows, serialise
from numduel.web.http.errors import Damaged
from tests.events.test_events import Played, discussed
from tests.web.events.test_events import join, new_event
from tests.web.site import asked, refused, served

JSON: tuple[Any, ...] = (None, True, 7, 1.5, "7", [], ["7"], {}, {"7": 7})
"""Something of every type."""


def lesson() -> Played:
    """An event in which everything has happened that is stored."""
    one = discussed()
    one.do(actions.show, "game-1", 5, answer=True)
    one.do(actions.broadcast, "Hello")
    one.do(actions.places, top_only=True)
    one.do(actions.door, approval=True, own_names=True)
    one.do(actions.join, "Waiting", token="w", code="c")
    one.do(actions.join, "Other", token="o", code="c")
    one.do(actions.admit, one.event.number)
    one.do(actions.decline, next(iter(one.event.asking)))
    one.do(actions.join, "Third", token="t", code="c")
    one.do(actions.lock)
    one.do(actions.join, "Easy", player="easy")
    one.do(actions.come_back, 1, "r")
    one.do(actions.renew_code, 1, "new")
    one.do(actions.rename, 2, "Renamed")
    one.do(actions.ask_for_help, 1, calendar=1.0)
    one.do(actions.extend, 5)
    one.wait(60.0)
    one.do(actions.pause)
    return one


def use_event(event: events.Event) -> None:
    """Tell everything that is told of an event, and find what can happen next."""
    now = event.changed + 1.0
    serialise("ABCDEF", event, now, {})
    own_rows(event)
    for one in event.members:
        orjson.dumps(own_page(event, one.number, now))
        event.with_token(one.token)
        json.dumps([one.code, one.token])
    orjson.dumps([door_page(event), class_page(event)])
    review.table_csv(event)
    event.named("Somebody")
    event.is_free("Somebody")
    if event.phase == "paused":
        event.apply(actions.resume(event, now))
    director.due(event, now, lambda: "new", force=True, watched=True)
    assert isinstance(event.host, str)


def places(data: Any) -> Iterator[tuple[Any, ...]]:
    """Where in some data there is something."""
    yield ()
    inside = enumerate(data) if isinstance(data, list) else {}.items()
    for key, value in data.items() if isinstance(data, dict) else inside:
        for place in places(value):
            yield key, *place


def changed(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The data with another value at a place."""
    if not place:
        return value
    data = copy.deepcopy(data)
    where = data
    for key in place[:-1]:
        where = where[key]
    where[place[-1]] = value
    return data


def opened(registry: LiveEvents, rows: list[dict[str, Any]]) -> Any:
    """What the rows of a log are opened as."""
    connection = MagicMock()
    connection.execute.return_value.mappings.return_value = rows
    return registry.fold(connection, "ABCDEF")


def test_data_of_any_other_type_is_damage_or_does_no_harm() -> None:
    """What makes no sense may also be told in a sentence: a game that is not installed here."""
    registry, log = LiveEvents(MagicMock(), MagicMock()), lesson().log
    rows = [{**entry._asdict(), "data": json.dumps(entry.data)} for entry in log]
    use_event(opened(registry, rows))
    kinds = {"create": 1, **dict.fromkeys({entry.kind for entry in log if entry.data}, 1)}
    assert len(kinds) >= 6
    for number, row in enumerate(rows):
        data = json.loads(row["data"])
        for place, value in product(places(data), JSON):
            text = json.dumps(changed(data, place, value))
            rows[number] = {**row, "data": text}
            with suppress(NumduelError):
                try:
                    fold = opened(registry, rows)
                except Damaged:
                    continue
                with raised_by(f"{row['kind']}: {text}"):
                    use_event(fold)
        rows[number] = row


@contextmanager
def raised_by(what: str) -> Iterator[None]:
    """Say of an error what has led to it."""
    try:
        yield
    except Exception as error:
        error.add_note(what)
        raise


@pytest.mark.parametrize("value", [{}, 7, None, ["Ada"]], ids=str)
def test_an_event_with_data_of_another_type_is_damaged_in_one_sentence_and_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, value: object
) -> None:
    with served(tmp_path / "games.db") as site:
        host = new_event(site.http)
        pupil = join(host, "Ada")
        question = "UPDATE event_log SET data = {} WHERE number = 2"
        asked(site.database, question, json.dumps({"nickname": value, "token": pupil.token}))
    with served(tmp_path / "games.db") as site:
        for person, what in product(
            (host.moved(site.http), pupil.moved(site.http)), ("", "/me", "/door", "/names")
        ):
            assert refused(person.get(what), 410) == (
                "This event cannot be opened: what is stored of it is damaged."
            )
    told = [record.message for record in caplog.records if record.levelname != "INFO"]
    assert told == ["the stored event is damaged"]
