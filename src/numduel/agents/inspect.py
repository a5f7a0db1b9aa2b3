"""The games as Inspect tasks: a language model plays whole games and every move is judged exactly.

    inspect eval numduel/number_capture --model openai/gpt-5 -T opponent=hard -T games=50

There is a task for each game, named by its id with underscores. A sample is one game. On every turn
the model is told all it needs in one message, without earlier turns; cards are drawn only when they
are due, so that no deck order exists that could be seen or logged.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from threading import Lock
from typing import Any, TypeVar, cast

from anyio import to_thread
from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError  # shown without a traceback
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageUser, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from numduel.agents.common import settled
from numduel.coach import Ply, Report, report
from numduel.core.errors import BadVariant, IllegalMove, NotAMove
from numduel.core.game import Game
from numduel.core.state import State
from numduel.core.text import HUMAN, whole_number
from numduel.core.view import view
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.players import KINDS, Player, player
from numduel.record import Record, parse
from numduel.solver import evaluate

OPPONENTS = tuple(kind for kind in KINDS if kind != HUMAN)
NOTATIONS = ("numbers", "indices")
MOST_GAMES = 100_000
LISTED = 10
"""Up to this many actions are each explained; of more, the first two and the last."""
SAID = re.compile(r"^[\s>*_`#-]*(?:final )?move[*_`]*[^\S\n]*:(.*)$", re.IGNORECASE | re.MULTILINE)
"""The final MOVE line of an answer, with models' markup."""
DECORATION = " \t\r*_`~\"'.,;:!?()[]{}<>"
"""Characters stripped around a move in running text. A sign is kept."""
CONSEQUENCE = (
    "You are asked once more if your answer is not a legal move; a second such answer loses the"
    " game, whatever else the rules say."
)
T = TypeVar("T")


# -- tasks ----------------------------------------------------------------------------------


def _offer(kind: type[Game]) -> Callable[..., Task]:
    """The task of a game, registered under its name."""

    @task(name=kind.id.replace("-", "_"))
    def play(
        opponent: str = "perfect",
        games: int = 20,
        seat: int | str = "both",
        legal: bool = True,
        notation: str = "numbers",
        rules: bool = True,
        seed: int = 0,
        **variant: int | str,
    ) -> Task:
        """Whole games against the computer; `variant` is any setting of the game, such as n=12."""
        try:
            game = kind(**variant)
            _check("opponent", opponent, OPPONENTS)
            _check("notation", notation, NOTATIONS)
            _check("seat", str(seat), ("1", "2", "both"))
            if type(games) is not int or not 1 <= games <= MOST_GAMES:
                raise BadVariant(f"games must be a whole number from 1 to {MOST_GAMES}.")
            if type(seed) is not int:
                raise BadVariant("seed must be a whole number.")
        except BadVariant as error:
            raise PrerequisiteError(str(error)) from None
        first = evaluate(game.start())
        samples = []
        for number in range(1, games + 1):
            sits = 2 - number % 2 if seat == "both" else int(seat)
            chance = first.win_probability
            samples.append(
                Sample(
                    id=number,
                    input=f"{game.title}, as Player {sits} against {opponent}.",
                    metadata={
                        "game": game.id,
                        "variant": game.settings,
                        "seat": sits,
                        "opponent": opponent,
                        "par": chance if sits == 1 else 1 - chance,
                        "exact": first.exact,
                    },
                )
            )
        return Task(
            dataset=MemoryDataset(samples, name=game.id),
            solver=duellist(opponent, legal, notation, rules, seed),
            scorer=values(),
        )

    return play


def _check(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise BadVariant(f"{name} must be one of {', '.join(allowed)}, not {str(value)[:40]!r}.")


# -- playing --------------------------------------------------------------------------------


@solver
def duellist(opponent: str, legal: bool, notation: str, rules: bool, seed: int) -> Solver:
    """Play one game: the model is asked for its moves, and the opponent answers."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        # Of Python's random numbers only random() on a text is promised to stay the same.
        luck = random.Random(f"{seed} {state.sample_id} {state.epoch}").random
        game = find(state.metadata["game"], **state.metadata["variant"])
        rival = cast("Player", player(opponent, int(luck() * 2**30)))
        ask = Asking(legal, notation == "indices", rules)
        state.messages = []
        start = game.start()
        board = settled(start, luck)
        while board.winner is None:
            _keep(state, start, board)
            if board.to_move == state.metadata["seat"]:
                after = await _asked(state, board, ask)
            else:
                after = board.play(await _alone(rival.choose, board))
            board = settled(after, luck)
        _keep(state, start, board)
        state.completed = True
        return state

    return solve


async def _asked(state: TaskState, board: State, ask: Asking) -> State:
    """The board after the model's move. An answer that is no legal move gets one rethink; then the
    game is forfeited, which a record calls resigning."""
    talk: list[ChatMessage] = [ChatMessageUser(content=ask.prompt(board))]
    for chance in ("rethink", "fault"):
        state.messages.append(talk[-1])
        state.output = await get_model().generate(talk)
        talk.append(state.output.message)
        state.messages.append(talk[-1])
        try:
            return ask.played(board, state.output.completion)
        except IllegalMove as refusal:
            said = {"move": len(board.moves) + 1, "why": str(refusal)}
            state.store.set(chance, [*_refused(state, chance), said])
            talk.append(ChatMessageUser(content=ask.again(board, str(refusal))))
    return board.resign()


def _refused(state: TaskState, chance: str) -> list[dict[str, Any]]:
    """The answers so far that led to a rethink, or to the fault that ended the game."""
    return cast("list[dict[str, Any]]", state.store.get(chance, []))


class Asking:
    """How a model is asked for a move, and how its answer is read."""

    def __init__(self, legal: bool, indices: bool, rules: bool) -> None:
        self._legal = legal
        self._indices = indices
        self._rules = rules

    def prompt(self, board: State) -> str:
        """Everything that the player to move needs to know, in one message."""
        game, seen = board.game, view(board)
        asked = [line.strip() for line in game.prompt(seen)]
        parts = [game.rulebook] if self._rules else []
        parts += [
            f"You are {seen.player} in a game of {game}, and it is your turn.",
            f"Player {board.first} moves first. Moves so far, in order:"
            f" {' '.join(map(str, board.moves)) or 'none'}",
            "\n".join(game.board(seen)),
            "\n".join(line for line in asked if line not in ("", ">")),
        ]
        if self._legal:
            what = "The indices of the legal moves" if self._indices else "Legal moves"
            parts.append(f"{what}: {', '.join(map(self._written(board), board.legal_moves))}")
        return "\n\n".join([*parts, self._wanted(board), CONSEQUENCE])

    def again(self, board: State, refusal: str) -> str:
        """The reply to an answer that is not a legal move."""
        return (
            f"{refusal} It is still your turn, and this is the last try: another answer that is"
            f" not a legal move loses the game. {self._wanted(board)}"
        )

    def played(self, board: State, answer: str) -> State:
        """The board after the move that an answer names; `IllegalMove` says what is wrong."""
        text = self._extracted(board, answer)
        if not self._indices:
            return board.play(text)
        number, game = whole_number(text), board.game
        if number is None or not 0 <= number < game.bounds.actions:
            raise NotAMove(
                f"The index of a move is a whole number from 0 to {game.bounds.actions - 1}."
            )
        return board.play(str(game.moves(2 << number, board)[0]))

    def _extracted(self, board: State, answer: str) -> str:
        """What follows the last MOVE:, or else the last word that reads as a move."""
        said = SAID.findall(answer)
        if said:
            return str(said[-1]).strip(DECORATION)
        words = (word.strip(DECORATION) for word in reversed(answer.split()))
        return next((word for word in words if self._reads(board, word)), "")

    def _reads(self, board: State, word: str) -> bool:
        if self._indices:
            return whole_number(word) is not None
        try:
            board.game.read(word, board)
        except NotAMove:
            return False
        return True

    def _written(self, board: State) -> Callable[[object], str]:
        """How a legal move is written down here."""
        game = board.game
        if self._indices:
            return lambda move: str(game.code(cast("int | str", move)) - 1)
        return lambda move: game.spoken(cast("int | str", move))

    def _wanted(self, board: State) -> str:
        """What an answer must end with."""
        what = f"your move: {board.game.usage()}"
        if self._indices:
            what = f"the index of your move: {self._indexed(board)}"
        return f"End your answer with a line that says MOVE: and then {what}."

    def _indexed(self, board: State) -> str:
        game = board.game
        places = [game.spoken(game.moves(2 << at, board)[0]) for at in range(game.bounds.actions)]
        told = [f"{at} means {place}" for at, place in enumerate(places)]
        return ", ".join(told if len(told) <= LISTED else [*told[:2], f"… {told[-1]}"])


def _keep(state: TaskState, start: State, board: State) -> None:
    """Store the game so far in the log, as a record."""
    seat, rival = state.metadata["seat"], state.metadata["opponent"]
    kinds = ("model", rival) if seat == 1 else (rival, "model")
    state.store.set("record", Record((start, board), players=kinds, date=None).text())


_LOCK = Lock()


async def _alone(function: Callable[..., T], *arguments: object) -> T:
    """Run a solver in a thread, so that the event loop can serve other games; but one call at a
    time, because solvers share caches."""

    def done() -> T:
        with _LOCK:
            return function(*arguments)

    return await to_thread.run_sync(done)


# -- scoring --------------------------------------------------------------------------------


@metric
def wins() -> Metric:
    """The share of games won, overall and in each seat."""

    def found(scores: list[SampleScore]) -> dict[str, float | None]:
        return {
            **_ratio("win_rate", scores, "win"),
            **{
                key: value
                for seat in (1, 2)
                for key, value in _ratio(
                    f"win_rate_seat_{seat}",
                    [score for score in scores if (score.sample_metadata or {})["seat"] == seat],
                    "win",
                ).items()
            },
        }

    return found


@metric
def regret() -> Metric:
    """The mean loss of a decision, in chance to win and in points if the game has them; and the
    share of the attainable value that was kept."""

    def found(scores: list[SampleScore]) -> dict[str, float | None]:
        return {
            **_ratio("regret", scores, "regret", "decisions"),
            **_ratio("share", scores, "kept", "available"),
            **_ratio("points_lost", scores, "points", "counted"),
        }

    return found


@metric
def faults() -> Metric:
    """The share of games that were forfeited, and how often a game needed a rethink."""

    def found(scores: list[SampleScore]) -> dict[str, float | None]:
        return {**_ratio("fault_rate", scores, "fault"), **_ratio("rethinks", scores, "rethinks")}

    return found


@scorer(metrics=[wins(), regret(), faults()])
def values() -> Scorer:
    """Judge a game by the exact values of its moves.

    A decision is a move that was not forced and whose value is known exactly. A forfeit is one,
    and gives the whole chance away. A game that a limit of Inspect cut off counts as not won.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        played = parse(state.store.get("record"))
        told = await _alone(report, played)
        seat = state.metadata["seat"]
        rethinks, fault = (_refused(state, chance) for chance in ("rethink", "fault"))
        plies = [ply for ply in told.plies if ply.seat == seat and ply.move != "pass"]
        made = [ply for ply in plies if ply.decision]
        # Only moves lose points: a forfeit loses the game, but no count of points.
        counted = [ply for ply in made if ply.option and ply.after.margin is not None]
        return Score(
            value={
                "win": float(played.state.winner == seat),
                "regret": sum(_lost(ply) for ply in made),
                "decisions": float(len(made)),
                "kept": sum(ply.after.win_probability for ply in made),
                "available": sum(ply.before.win_probability for ply in made),
                "points": sum(ply.loss for ply in counted),
                "counted": float(len(counted)),
                "fault": float(bool(fault)),
                "rethinks": float(len(rethinks)),
            },
            answer=played.state.text,
            explanation=_explained(told, [said["why"] for said in fault]),
            metadata={
                "record": played.text(),
                "moves": [{**ply.json(), "regret": _lost(ply)} for ply in plies],
                "rethinks": rethinks,
                "fault": fault,
            },
        )

    return score


def _lost(ply: Ply) -> float:
    """The chance to win that a move gave away."""
    return ply.before.win_probability - ply.after.win_probability


def _explained(told: Report, faults: list[str]) -> str:
    state = told.record.state
    if faults:
        end = f"Player {3 - state.to_move} wins by forfeit: {faults[0]}"
    elif state.outcome is None:
        end = "The game did not end: a limit was reached."
    else:
        end = state.outcome.reason
    return "\n".join([end, *told.lines()])


def _ratio(
    name: str, scores: list[SampleScore], over: str, under: str | None = None
) -> dict[str, float | None]:
    """The ratio of two sums over all games, or a mean, with its standard error: games are
    independent, moves of a game are not. Empty where nothing was counted."""
    found = [cast("Mapping[str, float]", score.score.value) for score in scores]
    tops = [value[over] for value in found]
    bottoms = [1.0 if under is None else value[under] for value in found]
    if not sum(bottoms):
        return {}
    ratio = sum(tops) / sum(bottoms)
    off = sum((top - ratio * bottom) ** 2 for top, bottom in zip(tops, bottoms, strict=True))
    games = len(found)
    error = sqrt(off * games / (games - 1)) / sum(bottoms) if games > 1 else None
    return {name: ratio, f"{name}_stderr": error}


TASKS: dict[str, Callable[..., Any]] = {
    kind.id.replace("-", "_"): _offer(kind) for kind in every_game()
}
"""The task of every game, by its name."""
