"""The score of several games between the same two players, who begin in turn.

Games won decide. After an even number of games each has begun equally often, and that is a match:
if both won as many, it goes to who won by more points, or in fewer moves where nothing is counted.
"""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.state import State
from numduel.core.text import counted


class Score(NamedTuple):
    """What finished games between two players come to."""

    games: tuple[State, ...] = ()
    """The last state of every game."""

    def add(self, state: State) -> Score:
        """The score after one more game."""
        return Score((*self.games, state))

    @property
    def won(self) -> tuple[int, int]:
        """How many games Player 1 and Player 2 won."""
        return len(self._won_by(1)), len(self._won_by(2))

    @property
    def tiebreak(self) -> tuple[int, int]:
        """The points by which Player 1 and Player 2 won their games, or the moves that it took."""
        measure = _points if self._counted else _moves
        one, two = (sum(map(measure, self._won_by(seat))) for seat in (1, 2))
        return one, two

    @property
    def leader(self) -> int | None:
        """The seat that is ahead, tiebreak included; None in a tie."""
        one, two = self.won
        if one == two:
            one, two = self.tiebreak if self._counted else self.tiebreak[::-1]
        return None if one == two else 1 if one > two else 2

    def told(self, names: tuple[str, str]) -> list[str]:
        """The score in words: how it stands, or who wins the match."""
        one, two = self.won
        games = f"{max(one, two)} to {min(one, two)}"
        if one == two:
            return self._tiebreak_told(names)
        name = names[(self.leader or 1) - 1]
        if len(self.games) % 2:
            return [f"The score is {games} for {name}."]
        return [f"{name} wins the match, {games}."]

    def _tiebreak_told(self, names: tuple[str, str]) -> list[str]:
        games = self.won[0]
        how, unit = ("by", "point") if self._counted else ("in", "move")
        one, two = (f"{n} {unit}" if n == 1 else f"{n} {unit}s" for n in self.tiebreak)
        leader = self.leader
        verdict = f"{names[leader - 1]} wins the match" if leader else "the match is a tie"
        lines = [
            f"The score is {games} to {games}.",
            f"{names[0]} won {how} {one}{' in all' if games > 1 else ''}, {names[1]} {how} {two}:"
            f" {verdict}.",
        ]
        if self._counted and any(map(_given_up, self.games)):
            most = self.games[0].game.bounds.points
            lines.insert(1, f"A game that is given up is lost by {counted(most, 'point')}.")
        return lines

    @property
    def _counted(self) -> bool:
        """Whether games are won by points."""
        return bool(self.games) and self.games[0].game.rules.margin is not None

    def _won_by(self, seat: int) -> list[State]:
        return [state for state in self.games if state.winner == seat]


def _points(state: State) -> int:
    """The points by which a finished game was won. One that was given up, or lost by breaking a
    rule, counts the most there can be: resigning early must not save points."""
    game = state.game
    if game.rules.margin is None or _given_up(state):
        return game.bounds.points
    return abs(game.rules.margin(*state.position, game.variant))


def _moves(state: State) -> int:
    return len(state.moves)


def _given_up(state: State) -> bool:
    return state.resigned or state.fault is not None
