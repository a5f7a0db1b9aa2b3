"""The command ``numduel stats``: this user's profile."""

from __future__ import annotations

import json

from numduel.activities import Profile, performed
from numduel.activities.base import Place
from numduel.activities.keeping import against, profile, storm
from numduel.play.statistics import Tally
from numduel.terminal.activity import Prompt
from numduel.terminal.learn import learn
from numduel.terminal.options import Json, Plain
from numduel.terminal.puzzle import puzzle
from numduel.terminal.screen import Screen, complain
from numduel.terminal.sitting import sit_down


def stats(as_json: Json = False, plain: Plain = False) -> None:
    """Show your profile: wins by game and level, accuracy, days in a row, lessons, and what to do
    next."""
    if as_json:
        kept = profile()
        kept.complain = complain
        shown = performed(kept.activity, "begin")
        while shown.scene.then:
            shown = performed(shown, shown.scene.then)
        kept.keep(shown)
        print(json.dumps(_data(shown)))
    else:
        show_profile(Screen(plain=plain))


def show_profile(screen: Screen, *, leaving: str = "leave") -> None:
    """Print the profile, and do what comes next if that is wanted; `leaving` is the word for
    leaving a game."""
    place = Prompt(profile(), screen).run("")
    if place is not None:
        screen.say("")
        _go(place, screen, leaving)


def _go(place: Place, screen: Screen, leaving: str) -> None:
    if place.activity == "play":
        sit_down(against(place), screen, leaving=leaving)
    elif place.activity == "lesson":
        learn(place.game)
    elif place.activity == "storm":
        Prompt(storm(), screen).run("")
    else:
        puzzle()


def _data(profile: Profile) -> dict[str, object]:
    found, scene = profile.statistics, profile.scene
    tables = {
        "by_game": found.by_game(),
        "by_level": found.by_level(),
        "by_seat": found.by_seat(),
        "between_people_by_name": dict(found.names),
        "with_help_by_game": found.by_game(helped=True),
    }
    return {
        "games": found.games,
        "between_people": found.people,
        "between_computers": found.computers,
        "unfinished": found.unfinished,
        "against_the_computer": found.total()._asdict(),
        "with_help": found.total(helped=True)._asdict(),
        "streak": found.streak,
        "longest_streak": found.longest,
        **{name: _counted(tallies) for name, tallies in tables.items()},
        "accuracy": {one: found and found.share for one, found in profile.accuracy.items()},
        "choices": {one: found and found._asdict() for one, found in profile.accuracy.items()},
        "lessons": {name: list(steps) for name, steps in profile.done.items()},
        "next": scene.goal,
    }


def _counted(tallies: dict[str, Tally]) -> dict[str, object]:
    return {name: tally._asdict() for name, tally in tallies.items()}
