"""One move in words: what it is worth, and why."""

from __future__ import annotations

from collections.abc import Sequence

from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import DEFAULT_NAMES, listed
from numduel.core.view import view
from numduel.solver import Option, analyse

LONGEST_LINE = 6
"""Moves of the longest continuation that is given in full."""
BEGINNING = 3
"""Moves that are given of a longer continuation, and best moves that are named one by one."""
WIDTH = 72
"""Columns of the table of values."""


def signed(option: Option) -> str:
    """What a move is worth as one number. The sign says who wins, the size how many moves it takes
    or how many points. Where luck decides or the value is an estimate, it is a chance to win."""
    if not option.exact:
        return f"~{percent(option.win_probability)}"
    if option.win_probability not in (0, 1):
        return percent(option.win_probability)
    size = option.plies if option.margin is None else abs(option.margin)
    return ("+" if option.win_probability else "-") + ("" if size is None else str(size))


def legend(game: Game, options: Sequence[Option]) -> str:
    """What the numbers of `signed` mean, in one sentence."""
    if not all(option.exact for option in options):
        return "~ is an estimate of the chance to win: the board is too large to be exact."
    if game.has_deck:
        return "The chance to win if both play their best from here."
    if game.rules.margin is not None:
        return "Points ahead (+) or behind (-) at the end if both play their best."
    if any(option.plies is None for option in options):
        return "+ wins and - loses if both play their best."
    return "+5 wins and -4 loses, in so many moves, if both play their best."


def hint(state: State, names: tuple[str, str] = DEFAULT_NAMES) -> list[str]:
    """The best moves of a position, and why the first of them is one."""
    game, options = state.game, analyse(state)
    moves = [game.spoken(option.move) for option in options if option.best]
    return [
        f"Best: {best_moves(moves, value_text(game, options[0]))}.",
        why(state, options[0], names),
    ]


def table(state: State) -> list[str]:
    """Every legal move and what it is worth, best first, and what the numbers mean."""
    game, options = state.game, analyse(state)
    cells = [(game.spoken(option.move), value_text(game, option)) for option in options]
    left, right = (max(len(cell[side]) for cell in cells) for side in (0, 1))
    texts = [f"{move:>{left}} {worth:>{right}}" for move, worth in cells]
    across = max(1, WIDTH // (left + right + 4))
    rows = [texts[at : at + across] for at in range(0, len(texts), across)]
    return [*("  " + "   ".join(row) for row in rows), legend(game, options)]


def why(state: State, option: Option, names: tuple[str, str] = DEFAULT_NAMES) -> str:
    """Why a move is worth what it is, by the moves that follow it. The player to move is "you", the
    opponent is "they"."""
    state, game = state.public, state.game
    name, verdict = game.spoken(option.move), "wins" if option.win_probability else "loses"
    after = state.play(option.move)
    if after.winner is not None:
        return f"{name} {verdict} at once: {_ending(after, state.to_move, names)}."
    if not option.exact:
        return f"{name} won about {percent(option.win_probability)} of the games tried out."
    if game.has_deck:
        return _comparison(state, option)
    if option.margin is not None:
        points = "1 point" if abs(option.margin) == 1 else f"{abs(option.margin)} points"
        margin = f"by {points}" if option.margin else "with equal points"
        return f"{name} {verdict} {margin}{_beginning(option.move, after)}."
    if option.plies is None:
        if option.win_probability:
            return f"{name} wins: whatever they answer, you have a winning reply."
        return f"{name} loses: they answer {analyse(after)[0].move}, which wins."
    if option.plies - 1 > LONGEST_LINE:
        return f"{name} {verdict} in {option.plies} moves{_beginning(option.move, after)}."
    follow = best_line(after, LONGEST_LINE)
    for move in follow:
        after = after.play(move)
    ending = _ending(after, state.to_move, names)
    joined = f" and {ending}" if ending.startswith(("you ", "they ")) else f". {ending}"
    if len(follow) == 1:
        joined = joined.replace(" and they have ", " and have ", 1)
        return f"{name} {verdict}: they answer {follow[0]}{joined}."
    moves = ", ".join(map(str, follow))
    return f"{name} {verdict} in {option.plies} moves: with best play {moves} follow{joined}."


def percent(chance: float) -> str:
    """A chance in percent; what is not certain is never rounded to 0 or 100."""
    if 0 < chance < 0.0005:
        return "<0.1 %"
    if 0.9995 <= chance < 1:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def value_text(game: Game, option: Option) -> str:
    """What a move is worth: as `signed` writes it, but always as a chance in a game with a deck."""
    return percent(option.win_probability) if game.has_deck and option.exact else signed(option)


def best_moves(moves: Sequence[str], worth: str) -> str:
    """The best moves and what they are worth: ``3, 4 or 5 (+5)``."""
    some = [*moves[:BEGINNING]]
    if len(moves) > len(some):
        others = len(moves) - len(some)
        return f"{', '.join(some)} and {others} {'other' if others == 1 else 'others'} ({worth})"
    some[-2:] = [" or ".join(some[-2:])]
    return f"{', '.join(some)} ({worth})"


def _comparison(state: State, option: Option) -> str:
    """A move in a game with a deck, compared with the best move, or with the next best."""
    game, options = state.game, analyse(state)
    kept = f"{game.spoken(option.move)} keeps {percent(option.win_probability)}"
    if len(options) == 1:
        return f"{kept}: it is the only move."
    others = [other for other in options if other.best != option.best]
    if not others:
        return f"{kept}, and no move keeps more."
    other = others[0]
    return f"{kept}; {game.spoken(other.move)} keeps {percent(other.win_probability)}."


def _beginning(move: Move, after: State) -> str:
    """The first moves of a long continuation."""
    moves = ", ".join(map(str, (move, *best_line(after, BEGINNING))))
    return f" with best play, beginning {moves}"


def best_line(state: State, most: int) -> tuple[Move, ...]:
    """The moves that follow if both play their best: at most so many, or up to the end."""
    moves: list[Move] = []
    while state.mask and len(moves) < most:
        moves.append(analyse(state)[0].move)
        state = state.play(moves[-1])
    return tuple(moves)


def _ending(state: State, seat: int, names: tuple[str, str]) -> str:
    """How a game ended, in words for the player in a seat, without the full stop."""
    game, winner = state.game, state.winner or 0
    row = game.winning(state)
    if row:
        return f"{_pronoun(winner, seat)} have {listed(row)}"
    if game.rules.edges is not None:
        return f"{_pronoun(3 - winner, seat)} have no number left"
    return " ".join(game.explain(view(state, names), winner)).removesuffix(".")


def _pronoun(whose: int, seat: int) -> str:
    return "you" if whose == seat else "they"
