"""The computer players.

>>> import numduel
>>> from numduel.play.players import describe, player
>>> duel = numduel.game("duel")
>>> describe(duel, "medium")
'It sees a move that wins at once and what the opponent threatens. It does not see two threats at \
once.'
>>> player("medium").odds(duel.replay("1 5 2"))          # 3 would win
{3: 1.0}

`easy`, `medium` and `hard` know ideas (see `numduel.learn.ideas`) and nothing else: of the moves
left when these are applied in turn, each is equally likely. So each level has blind spots that can
be named and learned. They never ask the solver.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache
from itertools import chain
from typing import Protocol, runtime_checkable

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.language import N_, _
from numduel.core.state import Move, State, settled
from numduel.core.text import (
    DEFAULT_NAMES,
    HUMAN,
    both,
    printable,
    similar,
    whole_number,
)
from numduel.learn.ideas import HABITS, POINTS, preferred, situation, vocabulary
from numduel.solver.values import TIE, Option

LEVELS = (N_("easy"), N_("medium"), N_("hard"))
"""The players that know ideas, the weakest first."""
COMPUTERS = (N_("random"), *LEVELS, N_("perfect"))
"""Every kind of computer player, the weakest first."""
KINDS = (HUMAN, *COMPUTERS)
PLAIN_STEPS = (("win",), ("deny", "resist"), ("fork",))
DECK_STEPS = (("win",), ("use",), ("fits",))
"""What each level knows that the one below does not, in a game that does not say otherwise."""
MOST_PLAYED = 200_000
"""A level does without an idea that has to try more moves than this on a board."""
MOST_TRAPS = 100
"""Positions of the opponent to look at for a trap."""
ESTIMATES = N_("This board is too large to be solved: the computer plays by search.")
"""Said to the opponent of a computer player that `estimates`."""
SEARCH_GAMES = 200
"""Games that ``search`` plays out before each move, by default."""
MAX_SEARCH_GAMES = 1_000_000


class Player(Protocol):
    """Anything that can choose a legal move."""

    def choose(self, state: State) -> Move:
        """One of the state's legal moves."""
        ...


@runtime_checkable
class Policy(Player, Protocol):
    """A player whose choice depends on the position and chance alone, with known odds."""

    exact: bool
    """Whether its odds so far were based on exact values, not on estimates."""

    def odds(self, state: State) -> dict[Move, float]:
        """How likely each move is; moves that are never chosen may be missing."""
        ...


class Computer:
    """Plays one of its candidate moves, each equally likely."""

    exact = True
    """Whether it has had exact values whenever it needed them."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def candidates(self, state: State) -> Sequence[Move]:
        """The moves it may choose in a state."""
        raise NotImplementedError

    def odds(self, state: State) -> dict[Move, float]:
        """How likely each of its candidates is."""
        moves = self.candidates(state)
        return dict.fromkeys(moves, 1 / len(moves))

    def choose(self, state: State) -> Move:
        """One of its candidates."""
        return chance(self._seed, state).choice(self.candidates(state))


class Random(Computer):
    """Plays uniformly random legal moves."""

    def candidates(self, state: State) -> Sequence[Move]:
        """All legal moves."""
        return state.legal_moves


class Level(Computer):
    """Plays by the ideas that a level knows in the game at hand."""

    def __init__(self, kind: str, seed: int | None = None) -> None:
        super().__init__(seed)
        self.kind = kind

    def candidates(self, state: State) -> Sequence[Move]:
        """The moves that its ideas leave."""
        return preferred(state, *known(state.game, self.kind))


class Perfect(Computer):
    """Plays best moves by the exact values, as far as there are any.

    It wins as fast as it can, or by the best margin. When it is losing, it keeps the margin where
    points count, and of the moves that do so plays the one after which a medium player is most
    likely to let it win. Of moves that are worth the same, it takes the one with the most points.
    """

    def candidates(self, state: State) -> Sequence[Move]:
        """The best moves, or the best traps."""
        from numduel.solver import analyse

        found = analyse(state)
        exact = all(option.exact for option in found)
        self.exact = self.exact and exact
        lost = exact and found[0].win_probability == 0
        if lost and not state.game.has_deck:
            return _most_points(state, traps(state, found))
        return _most_points(state, [option.move for option in found if option.best])


def _most_points(state: State, moves: Sequence[Move]) -> Sequence[Move]:
    """The moves that bring the most points now; all of them where points do not count."""
    if state.game.rules.margin is None:
        return moves
    codes = sum(1 << state.game.code(move) for move in moves)
    return state.game.moves(POINTS.prefers(situation(state), codes), state)


class Search:
    """Plays by Monte Carlo tree search, with a fixed number of simulated games for each move. It
    knows only wins and losses within two moves exactly."""

    exact = False

    def __init__(self, tries: int, seed: int | None = None) -> None:
        self._tries = tries
        self._seed = seed

    def choose(self, state: State) -> Move:
        """The move with the best estimate; of equal ones, any."""
        from numduel.solver.mcts import MonteCarlo

        luck = chance(self._seed, state)
        guess = MonteCarlo(state.game, tries=self._tries, seed=luck.getrandbits(32))
        values = guess.values(state.position)
        top = max(value.rank for value in values.values())
        code = luck.choice([code for code, value in values.items() if value.rank == top])
        return state.game.moves(1 << code, state)[0]


def player(kind: str, seed: int | None = None) -> Player | None:
    """The player of a kind, such as ``hard`` or ``search:500``; None for a person."""
    if kind == HUMAN:
        return None
    if kind == "random":
        return Random(seed)
    if kind == "perfect":
        return Perfect(seed)
    if kind in LEVELS:
        return Level(kind, seed)
    name, colon, number = kind.partition(":")
    if name == "search":
        tries = whole_number(number) if colon else SEARCH_GAMES
        if tries is None or not 1 <= tries <= MAX_SEARCH_GAMES:
            raise BadVariant(
                _(
                    "search:N plays out N games before each move; N is 1 to {most:,}.",
                    most=MAX_SEARCH_GAMES,
                )
            )
        return Search(tries, seed)
    meant = similar(kind, KINDS)
    told = (
        N_(
            "There is no player {given!r}; there are {known}, search and search:N. Did you mean"
            " {meant}?"
        )
        if meant
        else N_("There is no player {given!r}; there are {known}, search and search:N.")
    )
    raise BadVariant(_(told, given=printable(kind, 40), known=", ".join(KINDS), meant=meant))


def reseeded(player: Player, seed: int) -> Player:
    """A player of ours like this one, with luck of its own; any other player itself."""
    if not isinstance(player, Computer | Search):
        return player
    twin = copy(player)
    twin._seed = seed
    return twin


def computer_name(kind: str) -> str:
    """What a computer player without a name is called: ``Computer (hard)``."""
    return f"Computer ({kind})"


def seat_names(kinds: tuple[str, str], names: tuple[str, str]) -> tuple[str, str]:
    """The names of two players. A computer without a name that plays a person is called
    ``Computer (hard)``, unless the person is."""
    one, two = (
        computer_name(kind) if name == usual and kind != HUMAN and HUMAN in kinds else name
        for kind, name, usual in zip(kinds, names, DEFAULT_NAMES, strict=True)
    )
    return names if one == two else (one, two)


def estimates(player: Player) -> bool:
    """Whether a computer player has used estimates, because a board was too large."""
    return not getattr(player, "exact", True)


def answered(state: State, seat: int, rival: Player, luck: Callable[[], float]) -> State:
    """The state at a seat's next decision, or at the end: cards are drawn by random numbers from 0
    to 1, forced passes are made, and the rival moves."""
    state = settled(state, luck)
    while state.winner is None and state.to_move != seat:
        state = settled(state.play(rival.choose(state)), luck)
    return state


def chance(seed: int | None, state: State) -> random.Random:
    """The random generator of a player for one decision.

    With a seed it depends on the seed and the number of moves made, so that a game can be repeated
    even if it is resumed, or moves are taken back.
    """
    return random.Random(None if seed is None else f"{seed} {len(state.moves)}")


# -- what a level knows ---------------------------------------------------------------------


@lru_cache(maxsize=64)
def known(game: Game, kind: str) -> tuple[Idea, ...]:
    """The ideas of a level in a game, in the order in which it applies them: those the game names,
    or the usual ones, without those that the board is too large for."""
    ideas = {idea.name: idea for idea in (*vocabulary(game), *HABITS)}
    names = game.levels.get(kind) or _usual(game, LEVELS.index(kind) + 1)
    return tuple(
        ideas[name]
        for name in names
        if name in ideas and game.bounds.actions ** ideas[name].ahead <= MOST_PLAYED
    )


def _usual(game: Game, steps: int) -> tuple[str, ...]:
    names = chain.from_iterable((DECK_STEPS if game.has_deck else PLAIN_STEPS)[:steps])
    points = ("points",) if steps > 1 and game.rules.margin is not None else ()
    return (*names, *points)


def describe(game: Game, kind: str) -> str:
    """How a kind of computer player plays a game: what it sees, and what it does not see."""
    if kind == "random":
        return _("It plays any legal move.")
    if kind == "perfect":
        if game.has_deck:
            return _("It knows what every move is worth.")
        return _("It knows what every move is worth; when it is losing, it sets traps.")
    ideas = known(game, kind)
    if not ideas:
        return _("On a board of this size it plays any legal move.")
    sees = both(idea.sees for idea in ideas if idea.sees)
    blind = _blind_spot(game, kind)
    if blind is None:
        return _("It sees {what}.", what=sees)
    return _("It sees {what}. It does not see {blind}.", what=sees, blind=blind.sees)


def _blind_spot(game: Game, kind: str) -> Idea | None:
    """What a level does not see: what the next one does; for the last one, what no level sees, if
    possible something harder than what it knows."""
    mine = known(game, kind)
    stronger = LEVELS[LEVELS.index(kind) + 1 :]
    more = [idea for level in stronger for idea in known(game, level) if idea not in mine]
    more = [idea for idea in more if idea not in HABITS]
    if more:
        return more[0]
    every = {idea for level in LEVELS for idea in known(game, level)}
    unknown = [idea for idea in vocabulary(game) if not idea.history and idea not in every]
    hardest = max(idea.grade for idea in mine)
    harder = [idea for idea in unknown if idea.grade > hardest]
    return next(iter(harder or unknown), None)


# -- traps ----------------------------------------------------------------------------------


class _OutOfTime(Exception):
    """No more positions may be looked at."""


def traps(state: State, found: Sequence[Option]) -> Sequence[Move]:
    """Of the moves of a lost state that keep its value, those after which a medium player is most
    likely to let the player to move win, as far ahead as there is time for; of these, those that
    lose most slowly."""
    kept = [option for option in found if option.loss <= TIE]
    if len(kept) == 1:
        return [kept[0].move]
    search = _TrapSearch()
    worth: dict[Move, float] = {}
    for depth in range(1, state.game.bounds.plies + 1):
        try:
            worth = {option.move: search.after(state.play(option.move), depth) for option in kept}
        except _OutOfTime:
            break
        if not search.deeper:
            break
        search.deeper = False
    top = max(worth.values(), default=0.0)
    good = [option for option in kept if worth.get(option.move, 0.0) >= top - TIE]
    slowest = max(option.value.rank for option in good)
    return [option.move for option in good if option.value.rank == slowest]


def _keeping(state: State) -> Sequence[Move]:
    """The moves of a lost state that keep its value: all, unless points count."""
    from numduel.solver import analyse

    if state.game.rules.margin is None:
        return state.legal_moves
    return [option.move for option in analyse(state) if option.loss <= TIE]


class _TrapSearch:
    """How likely a medium player is to let a lost player win, exactly, some moves ahead."""

    def __init__(self) -> None:
        self.deeper = False
        """Whether the search stopped before the end of some game."""
        self._rival = Level("medium")
        self._looked: dict[State, tuple[tuple[Move, Option], ...]] = {}

    def after(self, state: State, depth: int) -> float:
        """The chance to win of the player who has just moved; points break ties."""
        if state.winner is not None:
            return 0.0
        answers = self._answers(state)
        return sum(self._worth(state.play(move), option, depth) for move, option in answers) / len(
            answers
        )

    def _worth(self, state: State, option: Option, depth: int) -> float:
        if option.win_probability == 0:
            return 1.0
        if depth > 1 and state.winner is None:
            return max(self.after(state.play(move), depth - 1) for move in _keeping(state))
        self.deeper = self.deeper or state.winner is None
        points = state.game.bounds.points
        return -(option.margin or 0) / (1000 * points) if points else 0.0

    def _answers(self, state: State) -> tuple[tuple[Move, Option], ...]:
        """The rival's candidates, with their values for the rival."""
        from numduel.solver import analyse

        if state not in self._looked:
            if len(self._looked) >= MOST_TRAPS:
                raise _OutOfTime
            options = {option.move: option for option in analyse(state)}
            moves = self._rival.candidates(state)
            self._looked[state] = tuple((move, options[move]) for move in moves)
        return self._looked[state]
