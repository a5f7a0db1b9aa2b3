"""What a move is worth, in words."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from numduel.core.game import Game
from numduel.core.language import N_, _, plural
from numduel.core.text import percentage, signed
from numduel.solver import Option, Value

LONGEST_LINE = 6
"""Moves of the longest continuation that is given in full."""
LOOK_AHEAD = N_("What is their best answer to each of your moves?")
"""The nudge where no idea leads to the move."""
NO_BREAK = "\N{NO-BREAK SPACE}"
WIDTH = 80
"""Columns of the table of values, unless a terminal is narrower."""


def percent(chance: float) -> str:
    """A chance in percent; what is not certain is never rounded to 0 or 100."""
    if 0 < chance < 0.0005:
        return f"<{percentage(0.001, 1)}"
    if 0.9995 <= chance < 1:
        return f">{percentage(0.999, 1)}"
    return percentage(chance, 1)


def ahead(points: int) -> str:
    """Points ahead or behind: ``+11 points``, ``−1 point``."""
    if points > 0:
        return plural("+{n:,} point", "+{n:,} points", points)
    return plural("−{n:,} point", "−{n:,} points", -points)


def worth(game: Game, value: Value | Option, *, in_full: bool = False) -> str:
    """A value in a word or two: ``wins in 5``, or in full ``wins in 5 moves``; ``+11 points``, or
    ``58.0 %``, a chance to win."""
    wins = value.win_probability
    if not value.exact:
        return _("about {share}", share=percent(wins))
    if game.has_deck:
        return percent(wins)
    if value.margin is not None:
        if value.margin:
            return ahead(value.margin)
        return _("wins the tie") if wins else _("loses the tie")
    if value.plies is None:
        return _("wins") if wins else _("loses")
    if value.plies == 1:
        return _("wins at once") if wins else _("loses at once")
    if not in_full:
        return _("wins in {n}", n=value.plies) if wins else _("loses in {n}", n=value.plies)
    if wins:
        return plural("wins in {n} move", "wins in {n} moves", value.plies)
    return plural("loses in {n} move", "loses in {n} moves", value.plies)


def outlook(game: Game, value: Value, seat: int) -> tuple[str, str]:
    """What becomes of each player if both play their best, from the value for a seat: ``wins in 5
    moves`` and nothing, or the chance of each."""
    chance = value.win_probability
    if game.has_deck or not value.exact:
        one, two = (chance, 1 - chance) if seat == 1 else (1 - chance, chance)
        told = percent(one), percent(two)
        if value.exact:
            return told
        return _("about {share}", share=told[0]), _("about {share}", share=told[1])
    points = None if value.margin is None else abs(value.margin)
    if points:
        wins = plural("wins by {n:,} point", "wins by {n:,} points", points)
    else:
        wins = worth(game, Value(1.0, value.plies, points), in_full=True)
    return (wins, "") if (seat == 1) == (chance == 1) else ("", wins)


def short(game: Game, option: Option) -> str:
    """A value in few letters, for small tiles: ``win 5``, ``+11 pt`` or ``58.0 %``."""
    wins = option.win_probability
    if not option.exact:
        return f"~{percent(wins)}"
    if game.has_deck:
        return percent(wins)
    # Translators: these are for small tiles, in few letters.
    if option.margin is not None:
        if option.margin:
            return _("{points} pt", points=signed(option.margin))
        return _("win tie") if wins else _("loss tie")
    if option.plies is None:
        return _("win") if wins else _("loss")
    return _("win {n}", n=option.plies) if wins else _("loss {n}", n=option.plies)


def legend(game: Game, values: Sequence[Value | Option]) -> str:
    """What the values of moves mean, in one sentence."""
    if not all(value.exact for value in values):
        return _("Estimates of the chance to win: the board is too large to be exact.")
    if game.has_deck:
        return _("The chance to win if both play their best from here.")
    if game.rules.margin is not None:
        return _("Points ahead (+) or behind (−) at the end if both play their best.")
    if any(value.plies is None for value in values):
        return _("Who wins if both play their best.")
    told = _("Who wins if both play their best, and in how many moves, theirs included.")
    later = len({value.plies for value in values}) > 1
    doomed = later and not any(value.win_probability for value in values)
    if not doomed:
        return told
    return " ".join([told, _("Every move loses: the best holds out longest.")])


def starred_legend(game: Game, options: Sequence[Option]) -> str:
    """The legend where a star marks the best moves; no move has one where all are alike."""
    told = legend(game, options)
    alike = all(option.best for option in options)
    return told if alike else " ".join([told, _("A star marks the best.")])


def table(game: Game, options: Sequence[Option], width: int = WIDTH) -> list[str]:
    """Every move by what it is worth, best first, and what that means, in so many columns."""
    alike = all(option.best for option in options)
    groups: dict[tuple[str, str], list[str]] = {}
    for option in options:
        star = "*" if option.best and not alike else " "
        key = star, worth(game, option, in_full=True)
        groups.setdefault(key, []).append(game.label(option.move))
    wide = max(len(value) for _star, value in groups)
    lines = []
    for (star, value), moves in groups.items():
        head = f"{star} {value:<{wide}}  "
        whole = (move.replace(" ", NO_BREAK) for move in moves)
        rows = wrap(", ".join(whole), max(12, width - len(head)))
        lines += [head + rows[0], *(" " * len(head) + row for row in rows[1:])]
    lines = [line.replace(NO_BREAK, " ") for line in lines]
    return [*lines, *wrap(starred_legend(game, options), max(12, width))]
