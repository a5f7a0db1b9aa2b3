"""The commands that begin a game or go on with one, and the one that opens the app."""

from __future__ import annotations

from typing import Annotated

import typer

from numduel.activities.keeping import new_game
from numduel.core.errors import BadVariant
from numduel.core.text import (
    MAX_SEED,
    in_range,
    player_names,
    read_settings,
    whole_number,
)
from numduel.games import game as find
from numduel.play.match import begin, beginner
from numduel.play.players import seat_names
from numduel.terminal.choice import choose_game
from numduel.terminal.options import AnyGame, Plain, Settings, Which, complete_player
from numduel.terminal.picker import pick
from numduel.terminal.screen import Screen
from numduel.terminal.sitting import go_on, sit_down
from numduel.tui import full_screen, run


def play(
    game: AnyGame = None,
    settings: Settings = None,
    p1: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help=(
                "Who plays as Player 1: human, random, easy, medium, hard, perfect or search (which"
                " tries out games)."
            ),
            autocompletion=complete_player,
        ),
    ] = "human",
    p2: Annotated[
        str,
        typer.Option(metavar="WHO", help="Who plays as Player 2.", autocompletion=complete_player),
    ] = "human",
    first: Annotated[str, typer.Option(metavar="SEAT", help="Who begins: 1, 2 or random.")] = "1",
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER", help="Make shuffles, random moves and a random start repeatable."
        ),
    ] = None,
    deck: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help='The top cards of the deck, in order, such as "7 5 6".'),
    ] = None,
    name1: Annotated[str, typer.Option(metavar="NAME", help="The name of Player 1.")] = "",
    name2: Annotated[str, typer.Option(metavar="NAME", help="The name of Player 2.")] = "",
    forgiving: Annotated[
        bool,
        typer.Option(
            "--forgiving", help="After a broken rule, ask again instead of ending the game."
        ),
    ] = False,
    plain: Plain = False,
) -> None:
    """Play a game at the prompt."""
    screen = Screen(plain=plain)
    chosen = choose_game(screen, game)
    if chosen is None:
        return
    chance = in_range("--seed", seed, 0, MAX_SEED)
    players = p1.strip().lower(), p2.strip().lower()
    begun = begin(
        find(chosen, **read_settings(settings or ())),
        first=beginner(first, chance),
        players=players,
        names=seat_names(players, player_names(name1, name2)),
        forgiving=forgiving,
        seed=chance,
        deck=_cards(deck),
    )
    sit_down(new_game(begun, chance), screen)


def resume(which: Which = None, plain: Plain = False) -> None:
    """Go on with an unfinished game."""
    screen = Screen(plain=plain)
    path = pick(screen, which, "resume", over=False)
    if path is not None:
        go_on(screen, path)


def tui() -> None:
    """Open the full-screen app: play, learn and look back."""
    if not full_screen():
        raise BadVariant("The app needs a terminal; without one, use numduel play.")
    run()


def _cards(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    words = text.replace(",", " ").split()
    cards = tuple(card for card in map(whole_number, words) if card is not None)
    if len(cards) < len(words):
        raise BadVariant('--deck must be whole numbers, such as "7 5 6".')
    return cards
