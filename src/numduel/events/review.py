"""What to learn from an event: who missed which ideas, and how often.

`judge` turns the report of a game into what the event keeps. Everything else is read from the
event: each player's own slips, and the ideas that the class misses most, with the step of a lesson
for each.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from numduel.core.errors import BadLesson
from numduel.core.game import Game
from numduel.core.language import ENGLISH, N_, _, languages, pgettext, speaking
from numduel.events.event import Event, Judgement, Pairing, Slip, SlipKind
from numduel.events.settings import read_game
from numduel.events.standings import Standing, standings
from numduel.learn.coach import Ply, Report
from numduel.learn.ideas import idea_named
from numduel.learn.lesson import lesson

BROKEN = N_("Look again at which moves are allowed.")
"""Said to somebody who broke a rule."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How formulas begin in a spreadsheet."""


@dataclass(frozen=True)
class Missed:
    """An idea that was missed, and where it can be learnt."""

    game: str
    """The name of the game."""
    idea: str
    """The name of the idea; empty where a rule was broken."""
    instruction: str
    """What to do: ``Leave them as few answers as you can.``"""
    times: int
    players: int
    """How many people missed it."""
    lesson: str
    """The id of the game whose lesson teaches it."""
    name: str
    """The game's name in addresses."""
    step: int | None
    """The step of the lesson; None if no step is about it."""
    settings: str
    """The game with its settings, as pairings name it."""

    @property
    def key(self) -> tuple[str, str]:
        """What it is told apart by."""
        return self.settings, self.idea


class OwnSlip(NamedTuple):
    """A slip of one player, and where it happened."""

    pairing: Pairing
    slip: Slip


# -- a game ---------------------------------------------------------------------------------


def judge(report: Report) -> Judgement:
    """What an event keeps of the report of a game."""
    slips = [_slip(ply) for ply in report.plies if ply.slip]
    return Judgement((report.accuracy(1), report.accuracy(2)), tuple(slips))


def _slip(ply: Ply) -> Slip:
    if ply.broken:
        return Slip(ply.seat, ply.number, "broken", "")
    kind: SlipKind = "mistake" if ply.mistake else "inaccuracy"
    idea = ply.cause.idea.name if ply.cause else ""
    if ply.resigned:
        return Slip(ply.seat, ply.number, kind, idea)
    told = {code: _sentence(ply, code) for code in languages()}
    return Slip(ply.seat, ply.number, kind, idea, ply.state.text, told.pop(ENGLISH), told)


def _sentence(ply: Ply, code: str) -> str:
    """A slip on the board in a language, without names."""
    game = ply.state.game
    with speaking(code):
        played = game.does(game.worded(ply.move, ply.state), past=True)
        reason = ply.reason(_("the opponent"))
        return _("Somebody {played}. {reason}", played=played, reason=reason)


# -- people ---------------------------------------------------------------------------------


def own_slips(event: Event, player: int) -> list[OwnSlip]:
    """The slips of a player in all games, move by move."""
    return [
        OwnSlip(pairing, slip)
        for pairing in event.pairings_of(player)
        if pairing.judgement is not None
        for slip in pairing.judgement.slips
        if pairing.players[slip.seat - 1] == player
    ]


def missed(event: Event, players: Iterable[int] | None = None) -> list[Missed]:
    """The ideas that some people missed, by default everyone; those missed most often first, and of
    these the ones that most people missed."""
    chosen = [one.number for one in event.people]
    times: Counter[tuple[str, str]] = Counter()
    people: Counter[tuple[str, str]] = Counter()
    for player in chosen if players is None else players:
        own = Counter(
            (slip.pairing.game, slip.slip.idea) for slip in own_slips(event, player) if _told(slip)
        )
        times += own
        people.update(own.keys())
    found = [_missed(game, idea, n, people[game, idea]) for (game, idea), n in times.items()]
    return sorted(found, key=lambda one: (-one.times, -one.players, one.game, one.idea))


def example(event: Event, missed: Missed) -> OwnSlip | None:
    """A position in which an idea was missed, to discuss with everybody: the one that most people
    met; None if there is none."""
    found = [
        own
        for one in event.people
        for own in own_slips(event, one.number)
        if _told(own)
        and own.slip.at is not None
        and (own.pairing.game, own.slip.idea) == missed.key
    ]
    met = Counter(own.slip.at for own in found)
    return max(found, key=lambda own: met[own.slip.at], default=None)


def _told(own: OwnSlip) -> bool:
    """Whether a slip cost something and has words: an inaccuracy mostly wins all the same."""
    return own.slip.kind == "broken" or (own.slip.kind == "mistake" and own.slip.idea != "")


def _missed(text: str, idea: str, times: int, players: int) -> Missed:
    game = read_game(text)
    known = idea_named(game, idea)
    told = known.instruction if known else idea or _(BROKEN)
    step = _step(game, idea)
    return Missed(game.display_name, idea, told, times, players, game.id, game.name, step, text)


@lru_cache(maxsize=256)
def _step(game: Game, idea: str) -> int | None:
    """The first step of a game's lesson that is about an idea; for the rules, step 1."""
    try:
        steps = lesson(type(game)()).steps
    except BadLesson:
        return None
    if not idea:
        return 1
    about = [at for at, step in enumerate(steps, 1) if step.idea and step.idea.name == idea]
    return about[0] if about else None


# -- the class ------------------------------------------------------------------------------


def columns() -> tuple[str, ...]:
    """The heads of the table for a spreadsheet."""
    return (
        _("Place"), _("Nickname"), _("Wins"), pgettext("games that somebody played", "Games"),
        _("Against the computer"), _("Won by forfeit"), _("Lost by forfeit"),
        _("Choices that mattered and gave nothing away"), _("Choices that mattered"),
        _("Moves judged"), _("Accuracy in %"), _("Seconds per move"), _("Asked for help"),
        _("Missed most"),
    )  # fmt: skip


def table_csv(event: Event, *, comma: bool = False) -> str:
    """The table of an event for a spreadsheet, with no formulas. With `comma`, numbers have a
    decimal comma and semicolons part the columns, as spreadsheets in most of Europe expect."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if comma else ",", lineterminator="\r\n")
    writer.writerow(columns())
    for one in standings(event):
        writer.writerow(_cell(value, comma) for value in _row(event, one))
    return out.getvalue()


def _row(event: Event, one: Standing) -> tuple[object, ...]:
    kept, time, tally = one.accuracy, one.seconds_per_move, one.tally
    most = missed(event, [one.participant.number])
    return (
        one.place,
        one.participant.nickname,
        tally.wins,
        tally.games,
        tally.with_computer,
        tally.forfeits,
        tally.forfeited,
        *tally.accuracy,
        "" if kept is None else float(100 * kept),
        "" if time is None else float(time),
        one.participant.helped,
        _("{game}: {rule}", game=most[0].game, rule=most[0].instruction) if most else "",
    )


def _cell(value: object, comma: bool) -> object:
    """A value that a spreadsheet shows as it is: a text that looks like a formula gets an
    apostrophe."""
    if isinstance(value, float):
        return f"{value:.1f}".replace(".", "," if comma else ".")
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
