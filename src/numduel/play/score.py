"""The score of several games between the same two players, who begin in turn.

The player who wins more games wins. After an even number of games, when each has begun equally
often, that is a match: if both won as many, it goes to the one who won by more points, or in fewer
moves where there are no points. Resigning must not pay: it loses by the most points possible, or
in no moves at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from numduel.core.game import Game
from numduel.core.language import N_, _, plural
from numduel.core.state import State
from numduel.core.text import name_told

MATCH = 2
"""How many games a match has."""


class Finished(NamedTuple):
    """A finished game, as far as a score needs it."""

    game: Game
    winner: int
    measure: int
    """The points by which it was won, or the moves that took where there are no points."""
    given_up: bool
    """Whether the loser resigned or broke a rule."""


class Score(NamedTuple):
    """The finished games between two players, and who is ahead."""

    games: tuple[Finished, ...] = ()

    @classmethod
    def of(cls, states: Iterable[State]) -> Score:
        """The score of games, from their last states."""
        return cls(tuple(map(finished, states)))

    def add(self, state: State) -> Score:
        """The score after one more game."""
        return Score((*self.games, finished(state)))

    @property
    def won(self) -> tuple[int, int]:
        """How many games Player 1 and Player 2 won."""
        return len(self._won_by(1)), len(self._won_by(2))

    @property
    def tiebreak(self) -> tuple[int, int]:
        """The points by which Player 1 and Player 2 won their games, or the moves they took."""
        one, two = (sum(game.measure for game in self._won_by(seat)) for seat in (1, 2))
        return one, two

    @property
    def leader(self) -> int | None:
        """The seat that is ahead, by the tiebreak if need be; None in a tie."""
        one, two = self.won
        if one == two:
            one, two = self.tiebreak if self._counted else self.tiebreak[::-1]
        return None if one == two else 1 if one > two else 2

    def told(self, names: tuple[str, str]) -> list[str]:
        """The score, in words."""
        (one, two), names = self.won, _shown(names)
        told = (
            N_("The score is {more} to {less}.")
            if one == two
            else N_("The score is {more} to {less} for {name}.")
        )
        name = names[0 if one > two else 1]
        return [_(told, more=max(one, two), less=min(one, two), name=name)]

    def verdict(self, names: tuple[str, str]) -> list[str]:
        """Who wins the match, in words; the score if the match goes on."""
        (one, two), names = self.won, _shown(names)
        if len(self.games) % 2:
            return self.told(names)
        if one == two:
            return [*self.told(names), *self._tiebreak_told(names)]
        return [
            _(
                "{name} wins the match, {more} to {less}.",
                name=names[0 if one > two else 1],
                more=max(one, two),
                less=min(one, two),
            )
        ]

    def _tiebreak_told(self, names: tuple[str, str]) -> list[str]:
        one, two = map(self._measure_told, self.tiebreak)
        leader = self.leader
        in_all = self.won[0] > 1
        if leader:
            verdict = (
                N_("{one} won {measure} in all, {two} {other}: {leader} wins the match.")
                if in_all
                else N_("{one} won {measure}, {two} {other}: {leader} wins the match.")
            )
        else:
            verdict = (
                N_("{one} won {measure} in all, {two} {other}: the match is a tie.")
                if in_all
                else N_("{one} won {measure}, {two} {other}: the match is a tie.")
            )
        told = _(
            verdict, one=names[0], measure=one, two=names[1], other=two,
            leader=names[leader - 1] if leader else "",
        )  # fmt: skip
        given_up = any(game.given_up for game in self.games)
        return [_price(self.games[0].game), told] if given_up else [told]

    def _measure_told(self, measure: int) -> str:
        """A tiebreak in words: ``by 3 points``, ``in 5 moves``, ``at once``."""
        if self._counted:
            return plural("by {n:,} point", "by {n:,} points", measure)
        return plural("in {n:,} move", "in {n:,} moves", measure) if measure else _("at once")

    @property
    def _counted(self) -> bool:
        return bool(self.games) and _has_points(self.games[0].game)

    def _won_by(self, seat: int) -> list[Finished]:
        return [game for game in self.games if game.winner == seat]


def finished(state: State) -> Finished:
    """A finished game, from its last state."""
    measure = _points if _has_points(state.game) else _moves
    return Finished(state.game, state.winner or 0, measure(state), _given_up(state))


def between(names: Sequence[str], won: Sequence[int]) -> str:
    """The games that two players have won, as a title shows them: ``Ada 2 : 1 Bo``."""
    one, two = map(name_told, names)
    return f"{one} {won[0]} : {won[1]} {two}"


def _shown(names: tuple[str, str]) -> tuple[str, str]:
    return name_told(names[0]), name_told(names[1])


def match_rule(game: Game) -> str:
    """How a match is decided, in words for players who are about to begin one."""
    if _has_points(game):
        return plural(
            "A match is two games, and each player begins one. If each wins one, the player who"
            " won by more points wins the match; a game that is given up is lost by {n:,} point.",
            "A match is two games, and each player begins one. If each wins one, the player who"
            " won by more points wins the match; a game that is given up is lost by {n:,} points.",
            game.bounds.points,
        )
    return _(
        "A match is two games, and each player begins one. If each wins one, the player who won in"
        " fewer moves wins the match; a game that is given up counts as won at once."
    )


def _has_points(game: Game) -> bool:
    return game.rules.margin is not None


def _price(game: Game) -> str:
    """What it costs to give a game up."""
    if _has_points(game):
        return plural(
            "A game that is given up is lost by {n:,} point.",
            "A game that is given up is lost by {n:,} points.",
            game.bounds.points,
        )
    return _("A game that is given up counts as won at once.")


def _points(state: State) -> int:
    """The points by which a finished game was won: the most possible if the loser resigned or broke
    a rule, as resigning early must not save points."""
    game = state.game
    if game.rules.margin is None or _given_up(state):
        return game.bounds.points
    return abs(game.rules.margin(*state.position, game.variant))


def _moves(state: State) -> int:
    """The moves in which a finished game was won: none if the loser resigned or broke a rule, which
    must not pay."""
    return 0 if _given_up(state) else len(state.moves)


def _given_up(state: State) -> bool:
    return state.resigned or state.fault is not None
