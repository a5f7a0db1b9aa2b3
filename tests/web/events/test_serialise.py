"""What is sent of events."""

import numduel
from numduel.events import actions
from numduel.events.event import fold
from numduel.events.settings import chosen
from numduel.web.events.serialise import class_page


def test_the_table_says_who_is_away() -> None:
    event = fold([actions.create(chosen([numduel.game("duel")]), "", 1000.0)])
    for name in ("Ada", "Bo"):
        event.apply(actions.join(event, name, 1000.0))
    event.apply(actions.away(event, 2, 1001.0))
    rows = class_page(event)["players"]
    assert {row["nickname"]: row["away"] for row in rows} == {"Ada": False, "Bo": True}
