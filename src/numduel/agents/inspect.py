"""The games as Inspect tasks: what a language model's moves lose, exactly.

    inspect eval numduel/number_capture --model openai/gpt-5
    inspect eval numduel/number_capture_games --model openai/gpt-5 -T opponent=hard -T games=50

Each game has two tasks, named after its id with underscores. In the first a sample is one decision:
a position in which something is at stake. In the second, whose name ends with ``_games``, it is a
whole game. In both the model is told all it needs in one message, without earlier turns. Cards are
drawn only when they are due, so there is no deck order to see or log.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar, cast

from anyio import to_thread

from numduel.agents.asking import TRIES, Asking
from numduel.agents.metrics import decided, faults, wins
from numduel.core.errors import BadVariant, IllegalMove
from numduel.core.game import Game
from numduel.core.state import Move, State, settled
from numduel.core.text import counted
from numduel.extras import needing
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.games import tested
from numduel.lab.dataset.decisions import (
    PHASES,
    Decision,
    at_stake,
    decisions,
    difficulty,
    random_regret,
    regret,
    unit,
    worst_regret,
)
from numduel.lab.dataset.splits import CANARY
from numduel.lab.tournament.ratings import LEAST
from numduel.learn.coach import Report, report
from numduel.play.players import COMPUTERS, Player, player
from numduel.play.record import Record, parse
from numduel.solver import Option, analyse, evaluate
from numduel.solver.values import TIE

with needing("inspect"):
    from inspect_ai import Task, task
    from inspect_ai._util.error import PrerequisiteError  # shown without a traceback
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessage, ChatMessageUser, Model, ModelName, get_model
    from inspect_ai.scorer import Score, Scorer, Target, scorer
    from inspect_ai.solver import Generate, Solver, TaskState, solver

log = logging.getLogger(__name__)
INDICES = "indices"
NOTATIONS = ("numbers", INDICES)
MAX_GAMES = 100_000
MAX_DECISIONS = 2_000
UNEVEN = 0.1
"""If phases differ by more than this share of the decisions, that is said."""
MOCK = "mockllm"
"""Inspect's provider of mock models."""
T = TypeVar("T")


# -- tasks ----------------------------------------------------------------------------------


def _offer_decisions(kind: type[Game]) -> Callable[..., Task]:
    """Register the task of single decisions in a game."""

    @task(name=_name(kind))
    def decide(
        decisions: int = 100,
        legal: bool = True,
        notation: str = "numbers",
        rules: bool = True,
        seed: int = 0,
        **variant: int | str,
    ) -> Task:
        """Single decisions; `variant` is any setting of the game, such as n=12."""
        with _plain_errors():
            _check_count("decisions", decisions, MAX_DECISIONS)
            ask = _asking(legal, notation, rules, seed)
            samples = _decision_samples(tested(kind.id, **variant), decisions, seed, ask)
        return Task(
            dataset=MemoryDataset(samples, name=kind.id),
            solver=decider(legal, notation, rules, seed),
            scorer=decision_values(notation),
        )

    return decide


def _offer_games(kind: type[Game]) -> Callable[..., Task]:
    """Register the task of whole games."""

    @task(name=f"{_name(kind)}_games")
    def play(
        opponent: str = "medium",
        games: int = 20,
        seat: int | str = "both",
        legal: bool = True,
        notation: str = "numbers",
        rules: bool = True,
        seed: int = 0,
        **variant: int | str,
    ) -> Task:
        """Whole games against the computer; `variant` is any setting of the game, such as n=12.

        The default opponent makes mistakes: against a perfect one, nothing is ever at stake in the
        seat that is lost from the start.
        """
        with _plain_errors():
            game = tested(kind.id, **variant)
            _check("opponent", opponent, COMPUTERS)
            _check("seat", str(seat), ("1", "2", "both"))
            _check_count("games", games, MAX_GAMES)
            _asking(legal, notation, rules, seed)
            _warn_of_few(games)
        return Task(
            dataset=MemoryDataset(_game_samples(game, opponent, games, seat), name=game.id),
            solver=duellist(opponent, legal, notation, rules, seed),
            scorer=game_values(),
        )

    return play


def _name(kind: type[Game]) -> str:
    return kind.id.replace("-", "_")


def _decision_samples(game: Game, count: int, seed: int, ask: Asking) -> list[Sample]:
    found = decisions(game, count, seed)
    if len(found) < count:
        log.warning(
            "%s has %s to test with, not the %s that were asked for.",
            game, counted(len(found), "decision"), f"{count:,}",
        )  # fmt: skip
    _warn_of_few(len(found))
    phases = [sum(one.phase == phase for one in found) for phase in PHASES]
    if max(phases) - min(phases) > UNEVEN * len(found):
        log.warning(
            "Of these decisions of %s, %s are early, %s in the middle and %s late: figures count"
            " them as they are.",
            game, *phases,
        )  # fmt: skip
    return [
        Sample(
            id=number,
            input=ask.prompt(decision.state),
            target=[ask.written(decision.state, move) for move in decision.best],
            metadata=_described(decision),
        )
        for number, decision in enumerate(found, 1)
    ]


def _warn_of_few(count: int) -> None:
    if count < LEAST:
        log.warning("Fewer than %s samples are too few for intervals.", LEAST)


def _described(decision: Decision) -> dict[str, Any]:
    """A decision as the metadata of its sample, which the model does not see."""
    state, options = decision.state, decision.options
    return {
        "game": state.game.id,
        "variant": state.game.settings,
        "unit": unit(state.game),
        "moves": state.text,
        "seat": state.to_move,
        "phase": decision.phase,
        "grade": decision.grade,
        "difficulty": difficulty(options),
        "random_regret": random_regret(options),
        "worst_regret": worst_regret(options),
        "options": [option.json() for option in options],
        "canary": CANARY,
    }


def _game_samples(game: Game, opponent: str, count: int, seat: int | str) -> list[Sample]:
    first = evaluate(game.start())
    chance = first.win_probability if first.exact else None
    pars = chance, None if chance is None else 1 - chance
    seats = [2 - number % 2 if seat == "both" else int(seat) for number in range(1, count + 1)]
    return [
        Sample(
            id=number,
            input=f"{game.display_name}, as Player {sits} against {opponent}.",
            metadata={
                "game": game.id,
                "variant": game.settings,
                "unit": unit(game),
                "seat": sits,
                "opponent": opponent,
                "par": pars[sits - 1],
            },
        )
        for number, sits in enumerate(seats, 1)
    ]


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Let Inspect report a wrong option in one sentence."""
    try:
        yield
    except BadVariant as error:
        raise PrerequisiteError(str(error)) from None


def _asking(legal: bool, notation: str, rules: bool, seed: int) -> Asking:
    _check("notation", notation, NOTATIONS)
    if type(seed) is not int:
        raise BadVariant("seed must be a whole number.")
    return Asking(legal=legal, indices=notation == INDICES, rules=rules, order=seed)


def _check(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise BadVariant(f"{name} must be one of {', '.join(allowed)}, not {str(value)[:40]!r}.")


def _check_count(name: str, value: object, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise BadVariant(f"{name} must be a whole number from 1 to {most}.")


# -- playing --------------------------------------------------------------------------------


@solver
def decider(legal: bool, notation: str, rules: bool, seed: int) -> Solver:
    """Ask the model for one move, and once more if its answer is not legal."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        ask = _asking(legal, notation, rules, seed)
        state.messages = []
        _, refusals = await ask.decided(_board(state), _conversation(state))
        state.store.set("refusals", refusals)
        state.completed = True
        return state

    return solve


@solver
def duellist(opponent: str, legal: bool, notation: str, rules: bool, seed: int) -> Solver:
    """Play one game: the model is asked for its moves, and the opponent answers."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        # Python promises only random() to stay the same between versions, here seeded by a text.
        luck = random.Random(f"{seed} {state.sample_id} {state.epoch}").random
        game = find(state.metadata["game"], **state.metadata["variant"])
        rival = cast("Player", player(opponent, int(luck() * 2**30)))
        ask = _asking(legal, notation, rules, seed)
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
    """The board after the model's move; without a legal one it forfeits the game, recorded as a
    resignation."""
    after, refusals = await ask.decided(board, _conversation(state))
    for chance, why in zip(("rethink", "fault"), refusals, strict=False):
        said = {"move": len(board.moves) + 1, "why": why}
        state.store.set(chance, [*_refused(state, chance), said])
    return after or board.resign()


def _refused(state: TaskState, chance: str) -> list[dict[str, Any]]:
    """The refused answers so far that led to a rethink, or to the fault that ended the game."""
    return cast("list[dict[str, Any]]", state.store.get(chance, []))


def _conversation(state: TaskState) -> Callable[[str], Awaitable[str]]:
    """A new conversation with the model, kept in the log."""
    talk: list[ChatMessage] = []

    def said(message: ChatMessage) -> None:
        talk.append(message)
        state.messages.append(message)

    async def say(text: str) -> str:
        said(ChatMessageUser(content=text))
        state.output = await _offline(get_model()).generate(talk)
        said(state.output.message)
        return state.output.completion

    return say


def _offline(model: Model) -> Model:
    """A model that needs the network only for its answers. Inspect's mock would fetch a table to
    count tokens; it counts words instead."""

    async def words(text: str) -> int:
        return len(text.split())

    if ModelName(model).api == MOCK:
        model.api.count_text_tokens = words  # type: ignore[method-assign]
    return model


def _board(state: TaskState) -> State:
    """The position of a sample that is a decision."""
    game = find(state.metadata["game"], **state.metadata["variant"])
    return game.replay(state.metadata["moves"])


def _keep(state: TaskState, start: State, board: State) -> None:
    """Store the game so far in the log, as a record."""
    seat, rival = state.metadata["seat"], state.metadata["opponent"]
    kinds = ("model", rival) if seat == 1 else (rival, "model")
    state.store.set("record", Record((start, board), players=kinds, date=None).text())


_LOCK = Lock()


async def _alone(function: Callable[..., T], *arguments: object) -> T:
    """Run a solver in a thread, so that the event loop can serve other games. One call at a time,
    because solvers share caches."""

    def done() -> T:
        with _LOCK:
            return function(*arguments)

    return await to_thread.run_sync(done)


# -- scoring --------------------------------------------------------------------------------


@scorer(metrics=[decided(), faults()])
def decision_values(notation: str) -> Scorer:
    """Judge a decision by the exact values of all legal moves."""

    async def score(state: TaskState, target: Target) -> Score:
        board, ask = _board(state), Asking(indices=notation == INDICES)
        options = await _alone(analyse, board)
        move, why = None, ""
        try:
            move = ask.played(board, state.output.completion).moves[-1]
        except IllegalMove as refusal:
            why = str(refusal)
        refusals: list[str] = state.store.get("refusals", [])
        lost = regret(options, move)
        return Score(
            value={
                **_judged([(options, move)]),
                "skill": 1 - lost / random_regret(options),
                "fault": float(move is None),
                "rethinks": float(len(refusals[: TRIES - 1])),
            },
            answer=None if move is None else ask.written(board, move),
            explanation=why
            or f"It lost {lost:g} ({state.metadata['unit']}); best: {', '.join(target)}.",
            metadata={"refusals": refusals},
        )

    return score


@scorer(metrics=[decided(), wins(), faults()])
def game_values() -> Scorer:
    """Judge a game by the exact values of its moves.

    Only decisions with something at stake count. A forfeit is judged as the worst legal move. A
    game cut off by a limit of Inspect counts as not won.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        played = parse(state.store.get("record"))
        told = await _alone(report, played)
        seat = state.metadata["seat"]
        rethinks, fault = (_refused(state, chance) for chance in ("rethink", "fault"))
        plies = [ply for ply in told.plies if ply.seat == seat and ply.move != "pass"]
        return Score(
            value={
                **_judged([(ply.options, ply.move) for ply in plies if at_stake(ply.options)]),
                "win": float(played.state.winner == seat),
                "fault": float(bool(fault)),
                "rethinks": float(len(rethinks)),
            },
            answer=played.state.text,
            explanation=_explained(told, [said["why"] for said in fault]),
            metadata={
                "record": played.text(),
                "moves": [
                    {
                        **ply.json(),
                        "at_stake": at_stake(ply.options),
                        "regret": regret(ply.options, ply.move),
                    }
                    for ply in plies
                ],
                "rethinks": rethinks,
                "fault": fault,
            },
        )

    return score


def _judged(made: Sequence[tuple[tuple[Option, ...], Move | None]]) -> dict[str, float]:
    """What some decisions lost in all, beside what random moves and the worst ones would have
    lost."""
    lost = [(regret(options, move), random_regret(options)) for options, move in made]
    return {
        "regret": sum(own for own, _ in lost),
        "random": sum(expected for _, expected in lost),
        "worst": sum(worst_regret(options) for options, _ in made),
        "saved": sum(expected - own for own, expected in lost),
        "kept": float(sum(own <= TIE for own, _ in lost)),
        "decisions": float(len(lost)),
    }


def _explained(told: Report, faults: list[str]) -> str:
    state = told.record.state
    if faults:
        end = f"Player {3 - state.to_move} wins by forfeit: {faults[0]}"
    elif state.outcome is None:
        end = "The game did not end: a limit was reached."
    else:
        end = state.outcome.reason
    return "\n".join([end, *told.lines()])


TASKS: dict[str, Callable[..., Any]] = {
    **{_name(kind): _offer_decisions(kind) for kind in every_game()},
    **{f"{_name(kind)}_games": _offer_games(kind) for kind in every_game()},
}
"""The tasks of all games, by name."""
