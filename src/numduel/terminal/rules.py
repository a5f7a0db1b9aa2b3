"""The commands that show the games and their rules."""

from __future__ import annotations

import json

from numduel.core.text import titled
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.terminal.choice import choose_game
from numduel.terminal.options import AnyGame, Json, Plain
from numduel.terminal.screen import Screen


def rules(game: AnyGame = None, as_json: Json = False, plain: Plain = False) -> None:
    """Show the rules of a game."""
    screen = Screen(plain=plain)
    chosen = choose_game(screen, game)
    if chosen is None:
        return
    kind = find(chosen)
    if as_json:
        print(json.dumps({"game": kind.id, "page": kind.page}))
    else:
        screen.page(kind.page)


def games(as_json: Json = False) -> None:
    """List the games and their variants."""
    if as_json:
        print(json.dumps([kind().to_dict() for kind in every_game()]))
        return
    screen = Screen(plain=True)
    for kind in every_game():
        screen.say(f"{kind.name:9}  {kind().display_name}", f"{'':9}  {kind.summary}")
        settings = kind().settings
        for name, parameter in kind.parameters.items():
            setting = f"{name}={settings[name]}"
            told = titled(parameter.meaning, parameter.choices)
            screen.say(f"{'':9}  --set {setting:10} {told}")
        screen.say("")
    screen.say("Play one with: numduel play NAME")
