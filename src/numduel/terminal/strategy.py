"""The command ``numduel strategy``: how to win a game, short enough to remember."""

from __future__ import annotations

import json

from numduel.core.text import read_settings
from numduel.games import game as find
from numduel.terminal.choice import choose_game
from numduel.terminal.options import AnyGame, Json, Plain, Settings
from numduel.terminal.screen import Screen


def strategy(
    game: AnyGame = None, settings: Settings = None, as_json: Json = False, plain: Plain = False
) -> None:
    """Explain how to win a game, in a few proven sentences."""
    chosen = choose_game(Screen(plain=plain), game)
    if chosen is None:
        return
    from numduel.learn.strategies import strategy as known

    found = known(find(chosen, **read_settings(settings or ())))
    if as_json:
        print(json.dumps(found.json()))
    else:
        Screen(plain=plain).say(*found.lines())
