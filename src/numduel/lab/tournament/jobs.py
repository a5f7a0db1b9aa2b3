"""A tournament as a list of games, and how one of them is played and judged.

What happens in a game depends on its job alone: the seed, the game, how it begins, the two players
and the round. So games can be played in any order, on any machine, and repeated.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from itertools import combinations
from threading import Lock
from typing import Any, NamedTuple

from numduel.core.errors import IllegalMove, NotAMove
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import printable
from numduel.lab.dataset.decisions import check_exact, judged
from numduel.lab.tournament.entrants import Entrant, Fault, seated
from numduel.lab.tournament.openings import openings
from numduel.solver import Option, analyse, evaluate

FORMAT = 2
"""The version of the file of a tournament."""
RANDOM, NO_OPENING = OPENINGS = ("random", "none")
"""How the games of a tournament can begin."""
SEEDS = 10**9
"""Players' seeds are below this: every random generator accepts them."""

Key = tuple[str, str, str, int]
"""Identifies a game of a tournament: the game, the names in seats 1 and 2, and the round."""


@dataclass(frozen=True)
class Tournament:
    """A round robin: in each round every two players meet once in every game, seats alternating."""

    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...]
    rounds: int = 20
    openings: str = RANDOM
    """How games begin: ``random``, by random moves (see `openings`); ``none``, at the start."""
    seed: int = 0
    """What everything random comes from."""

    def jobs(self) -> Iterator[Job]:
        """Every game, round by round: a tournament that is stopped early is still balanced."""
        for index in range(self.rounds):
            for game in self.games:
                for one, two in combinations(self.entrants, 2):
                    players = (one, two) if index % 2 == 0 else (two, one)
                    yield Job(game, players, index, self.openings, self.seed)

    def has(self, key: Key) -> bool:
        """Whether a game belongs to this tournament, in any round."""
        game, *names, index = key
        order = [one.name for one in self.entrants if one.name in names]
        return (
            any(game == one.id for one in self.games)
            and len(order) == 2
            and names == (order if index % 2 == 0 else order[::-1])
            and index >= 0
        )

    def header(self) -> dict[str, object]:
        """The first line of the tournament's file: everything its games depend on. The number of
        rounds is left out, so that more can be played later."""
        return {
            "tournament": "numduel",
            "format": FORMAT,
            "version": version("numduel"),
            "players": [one._asdict() for one in self.entrants],
            "games": [{"game": game.id, "variant": game.settings} for game in self.games],
            "openings": self.openings,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Job:
    """A game to be played."""

    game: Game
    players: tuple[Entrant, Entrant]
    """In seats 1 and 2; seat 1 begins."""
    index: int
    """The number of the round, from 0."""
    openings: str
    seed: int

    @property
    def key(self) -> Key:
        """Identifies it in its tournament."""
        return self.game.id, self.players[0].name, self.players[1].name, self.index

    def _derive(self, *what: object) -> str:
        """The seed of a random generator for one purpose in this game."""
        text = "\n".join(map(str, (self.seed, self.game.id, *self.game.variant, *what)))
        return sha256(text.encode()).hexdigest()

    def opening(self) -> State:
        """The state that the game begins with: the same for all pairings, and for both rounds in
        which two players change seats."""
        if self.openings == RANDOM:
            return openings(self.game, self._derive("openings"))[self.index // 2]
        return self.game.start()

    def deck(self) -> list[int]:
        """The cards in the order in which they are drawn: no other game has this deck, because
        players may remember the cards of one game in the next."""
        draw = random.Random(self._derive("deck", *self.key)).random
        return [card for _, card in sorted([(draw(), card) for card in self.game.cards])]

    def seeds(self) -> tuple[int, int]:
        """The seeds of the players. Neither reveals the other, nor anything else."""
        one, two = (int(self._derive("seed", seat, *self.key), 16) % SEEDS for seat in (1, 2))
        return one, two


class Tally(NamedTuple):
    """The decisions of one seat in a game, summed up by their exact values. A decision is an answer
    where there was a choice; a fault is judged as the worst legal move."""

    decisions: int = 0
    regret: float = 0.0
    """Chance to win that its decisions lost, compared with the best moves."""
    points: float | None = None
    """Points that its decisions lost, in a counted game."""
    best: float = 0.0
    """Chance to win with the best move, summed over its decisions."""
    kept: float = 0.0
    """Chance to win with the moves that it is judged by, summed over its decisions."""


class Broken(NamedTuple):
    """A fault: the seat that made it, and so lost the game, and what happened."""

    seat: int
    why: str


@dataclass(frozen=True)
class Result:
    """A finished game."""

    game: str
    variant: dict[str, Any]
    index: int
    players: tuple[str, str]
    """Their names, in seats 1 and 2."""
    opening: int
    """How many of the moves were the opening, and nobody's decisions."""
    par: float
    """The chance to win of seat 1 after the opening, if both play their best."""
    moves: str
    winner: int
    fault: Broken | None
    seats: tuple[Tally, Tally]

    @property
    def key(self) -> Key:
        """Identifies it in its tournament."""
        return self.game, *self.players, self.index

    def json(self) -> dict[str, object]:
        """The result as plain data."""
        fault, seats = self.fault and self.fault._asdict(), [one._asdict() for one in self.seats]
        return vars(self) | {"players": list(self.players), "fault": fault, "seats": seats}

    @classmethod
    def read(cls, data: dict[str, Any]) -> Result:
        """The result that `json` gave; KeyError, TypeError or ValueError if the data is not one."""
        one, two = (Tally(**tally) for tally in data["seats"])
        first, second = data["players"]
        fault = None if data["fault"] is None else Broken(**data["fault"])
        found = cls(**{**data, "players": (first, second), "fault": fault, "seats": (one, two)})
        numbers = [found.index, found.opening, found.par]
        for tally in (one, two):
            numbers += [0 if number is None else number for number in tally]
        if found.winner not in (1, 2) or not all(isinstance(n, int | float) for n in numbers):
            raise ValueError
        return found


def play(job: Job) -> Result:
    """Play a game and judge every decision."""
    prepare(job.game)
    players = [seated(one, seed) for one, seed in zip(job.players, job.seeds(), strict=True)]
    deck = iter(job.deck())
    # Cards are drawn here: no state that a player is given has a deck.
    state = opening = job.opening()
    counted = 0.0 if job.game.rules.margin is not None else None
    tallies = [Tally(points=counted), Tally(points=counted)]
    fault: Broken | None = None
    while state.winner is None and fault is None:
        if state.draws:
            state = state.draw(next(deck))
        elif state.forced_pass:
            state = state.play("pass")
        else:
            seat, options = state.to_move, analyse(state)
            chosen = None
            try:
                state = _apply(state, players[seat - 1].choose(state))
                chosen = state.moves[-1]
            except Fault as error:
                fault = Broken(seat, str(error))
            tallies[seat - 1] = _add_decision(tallies[seat - 1], options, chosen)
    return Result(
        job.game.id,
        job.game.settings,
        job.index,
        (job.players[0].name, job.players[1].name),
        len(opening.moves),
        _par(opening),
        state.text,
        state.winner or (3 - fault.seat if fault else 0),
        fault,
        (tallies[0], tallies[1]),
    )


def _apply(state: State, move: Move) -> State:
    """The state after an answer; `Fault` if it is not a legal move."""
    try:
        return state.play(move)
    except NotAMove:
        raise Fault(f"It answered {printable(str(move), 40)!r}, which is not a move.") from None
    except IllegalMove as error:
        raise Fault(str(error)) from None


def _add_decision(tally: Tally, options: tuple[Option, ...], chosen: Move | None) -> Tally:
    """The tally with one more move, or with a fault (None)."""
    if len(options) == 1:
        return tally
    best, taken = options[0].win_probability, judged(options, chosen)
    return Tally(
        tally.decisions + 1,
        tally.regret + best - taken.win_probability,
        None if tally.points is None else tally.points + taken.loss,
        tally.best + best,
        tally.kept + taken.win_probability,
    )


def _par(state: State) -> float:
    chance = evaluate(state).win_probability
    return chance if state.to_move == 1 else 1 - chance


_PREPARED: set[Game] = set()
_PREPARE_LOCK = Lock()


def prepare(game: Game) -> None:
    """Solve a game for this process, once; other threads wait. `BadVariant` if the board is too
    large for exact values."""
    with _PREPARE_LOCK:
        if game not in _PREPARED:
            check_exact(game, "a tournament needs")
            _PREPARED.add(game)
