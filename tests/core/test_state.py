"""States, and the names that a library's user meets first."""

from __future__ import annotations

import numduel


def test_a_state_says_whether_it_is_over_and_what_it_gave() -> None:
    start = numduel.game("duel").start()
    won = numduel.game("duel").replay("4 1 5 9 6")
    given_up = start.play(5).resign()
    assert [(one.is_over, one.ply, one.returns) for one in (start, won, given_up)] == [
        (False, 0, (0, 0)),
        (True, 5, (1, -1)),
        (True, 1, (1, -1)),
    ]


def test_every_public_name_is_there() -> None:
    assert all(getattr(numduel, name) is not None for name in numduel.__all__)
    duel = numduel.game("duel")
    state = duel.replay("4 1 5 3")
    chooser = numduel.player("perfect")
    assert chooser is not None
    assert (chooser.choose(state), numduel.hint(state).move) == (6, 6)
    assert numduel.puzzle(duel, 9, grade=3).solution == 3
    assert numduel.parse(numduel.Record((duel.start(), state)).text()).state == state
