"""What a move is worth, in words."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from numduel.core.game import Game
from numduel.core.text import counted, percentage, signed
from numduel.solver import Option, Value

LONGEST_LINE = 6
"""Moves of the longest continuation that is given in full."""
LOOK_AHEAD = "What is their best answer to each of your moves?"
"""The nudge where no idea leads to the move."""
NO_BREAK = "\N{NO-BREAK SPACE}"
WIDTH = 80
"""Columns of the table of values, unless a terminal is narrower."""


def capital(text: str) -> str:
    """A sentence with a capital first letter; a move such as a3 stays as it is."""
    return text[:1].upper() + text[1:] if text[:3].isalpha() else text


def uncapital(sentence: str) -> str:
    """A sentence as the part of another one that follows a colon."""
    return sentence[:1].lower() + sentence[1:]


def verdict(value: Value | Option) -> str:
    """``wins`` or ``loses``."""
    return "wins" if value.win_probability else "loses"


def in_moves(plies: int | None) -> str:
    """``at once`` or ``in 5 moves``."""
    return "at once" if plies == 1 else f"in {plies} moves"


def percent(chance: float) -> str:
    """A chance in percent; what is not certain is never rounded to 0 or 100."""
    if 0 < chance < 0.0005:
        return "<0.1 %"
    if 0.9995 <= chance < 1:
        return ">99.9 %"
    return percentage(chance, 1)


def worth(game: Game, value: Value | Option) -> str:
    """A value in a word or two: ``wins in 5``, ``+11 points``, or ``58.0 %``, a chance to win."""
    if not value.exact:
        return f"about {percent(value.win_probability)}"
    if game.has_deck:
        return percent(value.win_probability)
    result = verdict(value)
    if value.margin is not None:
        sign = "+" if value.margin > 0 else "−"
        points = f"{sign}{counted(abs(value.margin), 'point')}"
        return points if value.margin else f"{result} the tie"
    if value.plies is None:
        return result
    return f"{result} at once" if value.plies == 1 else f"{result} in {value.plies}"


def outlook(game: Game, value: Value, seat: int) -> tuple[str, str]:
    """What becomes of each player if both play their best, from the value for a seat: ``wins in 5
    moves`` and nothing, or the chance of each."""
    chance = value.win_probability
    if game.has_deck or not value.exact:
        about = "" if value.exact else "about "
        one, two = (chance, 1 - chance) if seat == 1 else (1 - chance, chance)
        return f"{about}{percent(one)}", f"{about}{percent(two)}"
    wins = "wins"
    if value.margin is not None:
        wins = f"wins by {counted(abs(value.margin), 'point')}" if value.margin else "wins the tie"
    elif value.plies is not None:
        wins = f"wins {in_moves(value.plies)}"
    return (wins, "") if (seat == 1) == (chance == 1) else ("", wins)


def short(game: Game, option: Option) -> str:
    """A value in few letters, for small tiles: ``win 5``, ``+11 pt`` or ``58.0 %``."""
    if not option.exact:
        return f"~{percent(option.win_probability)}"
    if game.has_deck:
        return percent(option.win_probability)
    result = "win" if option.win_probability else "loss"
    if option.margin is not None:
        return f"{signed(option.margin)} pt" if option.margin else f"{result} tie"
    return result if option.plies is None else f"{result} {option.plies}"


def legend(game: Game, values: Sequence[Value | Option]) -> str:
    """What the values of moves mean, in one sentence."""
    if not all(value.exact for value in values):
        return "Estimates of the chance to win: the board is too large to be exact."
    if game.has_deck:
        return "The chance to win if both play their best from here."
    if game.rules.margin is not None:
        return "Points ahead (+) or behind (−) at the end if both play their best."
    if any(value.plies is None for value in values):
        return "Who wins if both play their best."
    told = "Who wins if both play their best, and in how many moves, theirs included."
    later = len({value.plies for value in values}) > 1
    doomed = later and not any(value.win_probability for value in values)
    return f"{told} Every move loses: the best holds out longest." if doomed else told


def starred_legend(game: Game, options: Sequence[Option]) -> str:
    """The legend where a star marks the best moves; no move has one where all are alike."""
    alike = all(option.best for option in options)
    return legend(game, options) + ("" if alike else " A star marks the best.")


def table(game: Game, options: Sequence[Option], width: int = WIDTH) -> list[str]:
    """Every move by what it is worth, best first, and what that means, in so many columns."""
    alike = all(option.best for option in options)
    groups: dict[tuple[str, str], list[str]] = {}
    for option in options:
        value = worth(game, option)
        unit = " moves" if value[-1].isdigit() else ""
        key = "*" if option.best and not alike else " ", value + unit
        groups.setdefault(key, []).append(game.label(option.move))
    wide = max(len(value) for _, value in groups)
    lines = []
    for (star, value), moves in groups.items():
        head = f"{star} {value:<{wide}}  "
        whole = (move.replace(" ", NO_BREAK) for move in moves)
        rows = wrap(", ".join(whole), max(12, width - len(head)))
        lines += [head + rows[0], *(" " * len(head) + row for row in rows[1:])]
    lines = [line.replace(NO_BREAK, " ") for line in lines]
    return [*lines, *wrap(starred_legend(game, options), max(12, width))]
