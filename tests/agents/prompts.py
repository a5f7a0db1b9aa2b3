"""What a model can read in a prompt: the whole position."""

from __future__ import annotations

import re
from contextlib import suppress

import numduel
from numduel import BadVariant, Game, State
from numduel.core.text import read_settings

TOLD = re.compile(
    r"in a game of ([^\n()]+) \(([^\n()]+)\).*\s+"
    r"Player ([12]) moves first\. Moves so far, in order: (.*)"
)


def position(prompt: str) -> State:
    """The position that a prompt asks about."""
    told = TOLD.search(prompt)
    assert told is not None, prompt
    name, settings, first, said = told.groups()
    state = _game(name, settings).start(first=int(first))
    for words in said.split(", ") if said != "none" else ():
        state = next(
            one.play(move)
            for one in _drawn(state)
            for move in one.legal_moves
            if one.game.label_played(one.game.worded(move, one)) == words
        )
    rest = prompt[told.end() :]
    return next(
        one for one in _drawn(state) if one.game.prompt(numduel.view(one))[0].strip() in rest
    )


def _game(name: str, settings: str) -> Game:
    for kind in numduel.games():
        with suppress(BadVariant):
            game = kind(**read_settings(settings.split(", ")))
            if game.display_name == name:
                return game
    raise AssertionError(f"There is no {name} ({settings}).")


def _drawn(state: State) -> tuple[State, ...]:
    """A state with each card that may have been drawn, or as it is if none is due."""
    return state.successors if state.draws else (state,)
