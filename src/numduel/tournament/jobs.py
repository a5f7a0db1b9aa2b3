"""A tournament as a list of games, and one such game: dealt, played, and judged exactly.

What happens in a game depends on its job alone: the seed, the game, who meets whom, and for the
how manieth time. So games can be played in any order, anywhere, and again.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from itertools import combinations
from threading import Lock
from typing import Any, NamedTuple

from numduel.core.errors import BadVariant, IllegalMove, NotAMove
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import printable
from numduel.games import games as every_game
from numduel.solver import Option, analyse, evaluate
from numduel.tournament.entrants import Entrant, Fault, seated

SEEDS = 10**9
"""Seeds of players are below this: every generator takes one."""

Key = tuple[str, str, str, int]
"""What tells a game of a tournament from all others: the game, who sat where, and its number."""


@dataclass(frozen=True)
class Tournament:
    """Everybody meets everybody in every game, once in each round, and changes seats each time."""

    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...]
    rounds: int = 20
    seed: int = 0
    patience: float = 10.0
    """Seconds that a program has for a move."""

    def jobs(self) -> Iterator[Job]:
        """Every game, round by round, so that a tournament cut short is a fair one."""
        for index in range(self.rounds):
            for game in self.games:
                for one, two in combinations(self.entrants, 2):
                    players = (one, two) if index % 2 == 0 else (two, one)
                    yield Job(game, players, index, self.seed, self.patience)

    def header(self) -> dict[str, object]:
        """The tournament as the first line of its file tells it."""
        return {
            "tournament": "numduel",
            "version": version("numduel"),
            "players": [one._asdict() for one in self.entrants],
            "games": [{"game": game.id, "variant": game.settings} for game in self.games],
            "rounds": self.rounds,
            "seed": self.seed,
            "patience": self.patience,
        }

    def command(self) -> str:
        """The command line that plays this tournament."""
        words = ["numduel", "tournament"]
        for one in self.entrants:
            words.append(one.spec if one.name == one.spec else f"{one.name}={one.spec}")
        if self.games != tuple(kind() for kind in every_game()):
            words += [word for game in self.games for word in ("--game", game.name)]
        settings = {pair for game in self.games for pair in _changed(game)}
        words += [word for pair in sorted(settings) for word in ("--set", pair)]
        words += ["--rounds", str(self.rounds), "--seed", str(self.seed)]
        if self.patience != Tournament.patience:
            words += ["--patience", f"{self.patience:g}"]
        return shlex.join(words)


def _changed(game: Game) -> list[str]:
    """The settings of a game that are not its own."""
    usual = type(game)().settings
    return [f"{key}={value}" for key, value in game.settings.items() if value != usual[key]]


@dataclass(frozen=True)
class Job:
    """A game to be played."""

    game: Game
    players: tuple[Entrant, Entrant]
    """In seats 1 and 2; seat 1 begins."""
    index: int
    """How often these two have met in this game before."""
    seed: int
    patience: float

    @property
    def key(self) -> Key:
        """What tells it from all others of a tournament."""
        return self.game.id, self.players[0].name, self.players[1].name, self.index

    def luck(self, *what: object) -> str:
        """A text that the luck of this game is drawn from."""
        settings = " ".join(map(str, self.game.variant))
        return "\n".join(map(str, (self.seed, self.game.id, settings, *what)))

    def deck(self) -> list[int]:
        """The cards in the order in which they come: the same for both games of a pair in which
        the same two change seats, so that neither is luckier than the other."""
        pair = sorted(player.name for player in self.players)
        draw = random.Random(self.luck("deck", *pair, self.index // 2)).random
        return [card for _, card in sorted([(draw(), card) for card in self.game.cards])]

    def seeds(self) -> tuple[int, int]:
        """The seeds of the players. They tell nothing of the deck, nor of each other."""
        names = [player.name for player in self.players]
        one, two = (
            int(sha256(self.luck(seat, *names, self.index).encode()).hexdigest(), 16) % SEEDS
            for seat in (1, 2)
        )
        return one, two


class Tally(NamedTuple):
    """What a seat did with its decisions in one game. A decision is a move where there was a
    choice, or a fault; all values are exact."""

    decisions: int = 0
    regret: float = 0.0
    """Chance to win that its decisions lost against the best moves; a fault loses all there is."""
    points: float | None = None
    """Points that its decisions lost, in a game that is counted; a fault loses none."""
    best: float = 0.0
    """Chance to win that there was to keep, summed over its decisions."""
    kept: float = 0.0
    """Chance to win that it did keep, likewise."""


class Broken(NamedTuple):
    """A fault: the seat that lost the game by it, and a sentence."""

    seat: int
    why: str


@dataclass(frozen=True)
class Result:
    """A finished game."""

    game: str
    variant: dict[str, Any]
    index: int
    seed: int
    players: tuple[str, str]
    """Their names, in seats 1 and 2."""
    moves: str
    winner: int
    fault: Broken | None
    seats: tuple[Tally, Tally]

    @property
    def key(self) -> Key:
        """What tells it from all others of a tournament."""
        return self.game, *self.players, self.index

    def json(self) -> dict[str, object]:
        """The result as plain data."""
        return {
            "game": self.game,
            "variant": self.variant,
            "index": self.index,
            "seed": self.seed,
            "players": list(self.players),
            "moves": self.moves,
            "winner": self.winner,
            "fault": self.fault and self.fault._asdict(),
            "seats": [tally._asdict() for tally in self.seats],
        }

    @classmethod
    def read(cls, data: dict[str, Any]) -> Result:
        """The result that plain data is; raises KeyError, TypeError or ValueError if it is none."""
        one, two = (Tally(**tally) for tally in data["seats"])
        first, second = data["players"]
        fault = None if data["fault"] is None else Broken(**data["fault"])
        found = cls(**{**data, "players": (first, second), "fault": fault, "seats": (one, two)})
        numbers = (*one[:2], *one[3:], *two[:2], *two[3:], one.points or 0, two.points or 0)
        if found.winner not in (1, 2) or not all(isinstance(n, int | float) for n in numbers):
            raise ValueError
        return found


def play(job: Job) -> Result:
    """Play a game to its end and judge every decision."""
    prepare(job.game)
    with ExitStack() as stack:
        seats = [
            stack.enter_context(seated(entrant, seed, job.patience))
            for entrant, seed in zip(job.players, job.seeds(), strict=True)
        ]
        return _played(job, [seat.choose for seat in seats])


def _played(job: Job, choosers: list[Any]) -> Result:
    deck = iter(job.deck())
    # Cards are drawn by hand: no state that a player is given has a deck.
    state = job.game.start()
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
                state = _moved(state, choosers[seat - 1](state))
                chosen = state.moves[-1]
            except Fault as error:
                fault = Broken(seat, str(error))
            tallies[seat - 1] = _judged(tallies[seat - 1], options, chosen)
    return Result(
        job.game.id,
        job.game.settings,
        job.index,
        job.seed,
        (job.players[0].name, job.players[1].name),
        state.text,
        state.winner or (3 - fault.seat if fault else 0),
        fault,
        (tallies[0], tallies[1]),
    )


def _moved(state: State, move: Move) -> State:
    """The state after an answer; a fault if the rules know no such move here."""
    try:
        return state.play(move)
    except NotAMove:
        raise Fault(f"It answered {printable(str(move), 40)!r}, which is no move.") from None
    except IllegalMove as error:
        raise Fault(str(error)) from None


def _judged(tally: Tally, options: tuple[Option, ...], chosen: Move | None) -> Tally:
    """The tally with one more move in it; None is a fault."""
    if len(options) == 1 and chosen is not None:
        return tally
    best = options[0].win_probability
    taken = next((option for option in options if option.move == chosen), None)
    kept = taken.win_probability if taken else 0.0
    lost = taken.loss if taken else 0.0
    return Tally(
        tally.decisions + 1,
        tally.regret + best - kept,
        None if tally.points is None else tally.points + lost,
        tally.best + best,
        tally.kept + kept,
    )


_PARS: dict[Game, tuple[float, float]] = {}
_PREPARING = Lock()


def prepare(game: Game) -> tuple[float, float]:
    """Par: what each seat wins if both play their best; a win that perfect play cannot prevent is
    no more than that. Refuses a board on which it cannot be known.

    The first call solves the game for this process; other threads wait for it.
    """
    with _PREPARING:
        if game not in _PARS:
            value = evaluate(game.start())
            if not value.exact:
                settings = " ".join(f"{key}={value}" for key, value in game.settings.items())
                raise BadVariant(
                    f"{game.title} with {settings} is too large for exact values, which a"
                    " tournament needs: choose a smaller board."
                )
            _PARS[game] = value.win_probability, 1 - value.win_probability
        return _PARS[game]
