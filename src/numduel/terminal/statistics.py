"""The command ``numduel stats``: how this user's saved games went."""

from __future__ import annotations

import json

from numduel.core.text import percentage
from numduel.learn import streaks
from numduel.play.statistics import Statistics, Tally, accuracies, statistics
from numduel.play.store import all_games
from numduel.terminal.options import Json, Plain
from numduel.terminal.screen import Screen
from numduel.terminal.waiting import waited

LATEST = 10
"""Games whose accuracy is shown."""


def stats(as_json: Json = False, plain: Plain = False) -> None:
    """Show how your saved games went: wins by game, level and seat, accuracy, and streaks."""
    found = statistics(all_games())
    if as_json:
        print(json.dumps(_data(found)))
    else:
        show_statistics(Screen(plain=plain), found)


def show_statistics(screen: Screen, found: Statistics) -> None:
    """Print statistics."""
    screen.say(f"{found.text}.")
    if found.played:
        screen.say(f"Won against the computer: {found.total.text}.")
        screen.say(f"Wins in a row: {found.streak}; the most so far: {found.longest}.")
    for title, tallies in _tables(found).items():
        if tallies:
            wide = max(map(len, tallies))
            rows = (f"  {name:{wide}}  {one.text}" for name, one in tallies.items())
            screen.say("", title, *rows)
    if not found.played:
        screen.say("", "Play the computer to see more here: numduel play GAME --p2 easy")
        return
    shares = waited(lambda: [share for _, share in accuracies(found.played[:LATEST])])
    told = [percentage(share) for share in shares if share is not None]
    if told:
        screen.say("", f"Accuracy in your latest games, newest first: {', '.join(told)}")
    puzzles = streaks.load().first_tries
    if puzzles:
        screen.say("", f"Puzzles in a row solved on the first try: {puzzles}")


def _tables(found: Statistics) -> dict[str, dict[str, Tally]]:
    return {
        "By game": found.by_game(),
        "By level": found.by_level(),
        "By seat": found.by_seat(),
        "Between people by name": found.by_name(),
    }


def _data(found: Statistics) -> dict[str, object]:
    tables = {
        title.lower().replace(" ", "_"): {name: one._asdict() for name, one in tallies.items()}
        for title, tallies in _tables(found).items()
    }
    return {
        "games": found.games,
        "between_people": found.people,
        "between_computers": found.computers,
        "unfinished": found.unfinished,
        "against_the_computer": found.total._asdict(),
        "streak": found.streak,
        "longest_streak": found.longest,
        **tables,
    }
