"""Exactly solved number games as a verifiers environment: decisions, or whole games.

The taskset has the positions, the harness asks for a move and once more if the answer is not a
legal one, and the environment plays whole games, with a trace and a reward for each decision.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import verifiers.v1 as vf

from numduel.agents.asking import Asking
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import Move, State, settled
from numduel.core.text import counted, file_name, read_settings
from numduel.games import game as find
from numduel.games import games as every_game
from numduel.games import tested, variant
from numduel.lab.dataset import SPLITS, split_of
from numduel.lab.dataset.decisions import credit
from numduel.lab.dataset.drawing import positions
from numduel.play.players import COMPUTERS, Player, player
from numduel.solver import analyse

__all__ = ["NumduelEnv", "NumduelHarness", "NumduelTaskset"]

log = logging.getLogger(__name__)
ID = "numduel-v1"
ASK = Asking()


class NumduelConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which decisions or games to load."""

    id: str = ID
    games: list[str] = []
    count: int = 1000
    seed: int = 0
    split: str = "train"
    data: str = ""
    opponent: str = ""


class NumduelData(vf.TaskData):  # type: ignore[misc]
    """A position to decide; or, with an opponent, a game to play."""

    game: str
    variant: dict[str, int | str]
    moves: str = ""
    seat: int
    opponent: str = ""
    seed: str = ""

    def board(self) -> State:
        """The position."""
        return find(self.game, **self.variant).replay(self.moves)


class NumduelTask(vf.Task[NumduelData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """A decision, judged by the exact values of all legal moves."""

    @vf.reward  # type: ignore[untyped-decorator]
    async def kept(self, task: NumduelData, trace: Any) -> float:
        """1 less the regret; 0 if there is no legal answer."""
        board = task.board()
        return credit(analyse(board), ASK.move(board, trace.last_reply))

    @vf.metric  # type: ignore[untyped-decorator]
    async def fault(self, task: NumduelData, trace: Any) -> float:
        """Whether there is no legal answer."""
        return float(ASK.move(task.board(), trace.last_reply) is None)


def posed(board: State) -> NumduelTask:
    """The task of choosing a move in a position."""
    game = board.game
    return NumduelTask(
        NumduelData(
            name=f"{game.id} {game.variant_text}: {board.text}",
            prompt=ASK.prompt(board),
            game=game.id,
            variant=game.settings,
            moves=board.text,
            seat=board.to_move,
        )
    )


class NumduelTaskset(vf.Taskset[NumduelTask, NumduelConfig]):  # type: ignore[misc]
    """Decisions drawn anew or from a dataset, or whole games against a level of the computer."""

    def load(self) -> Iterator[NumduelTask]:
        """Every task, game by game."""
        config = self.config
        if config.opponent and config.opponent not in COMPUTERS:
            raise BadVariant(f"opponent must be one of {', '.join(COMPUTERS)}.")
        if config.split not in SPLITS:
            raise BadVariant(f"split must be one of {', '.join(SPLITS)}.")
        if config.data and not config.opponent:
            yield from self._kept([variant(word) for word in config.games])
            return
        for word in config.games or [kind.id for kind in every_game()]:
            game = variant(word, named=tested)
            if config.opponent:
                yield from self._games(game)
            else:
                yield from map(posed, positions(game, config.split, config.count, config.seed))

    def _kept(self, named: list[Game]) -> Iterator[NumduelTask]:
        """The decisions of these games, or of all, in a folder that numduel has written. Whatever
        the files are called, only positions of the wanted split are taken."""
        config, boards = self.config, list[State]()
        for path in sorted(Path(config.data).glob(f"data/*/{config.split}.jsonl")):
            for row in map(json.loads, path.read_text("utf-8").splitlines()):
                game = find(row["game"], **read_settings(row["variant"].split()))
                if not named or game in named:
                    boards.append(game.replay(row["history"]))
        kept = [board for board in boards if split_of(board) == config.split]
        if len(kept) < len(boards):
            log.warning(
                "%s in %s left out: in another split than %s.",
                counted(len(boards) - len(kept), "position"),
                file_name(config.data),
                config.split,
            )
        if not kept:
            raise BadVariant(
                f"{file_name(config.data)} has no such decisions in the split {config.split}: it"
                " must be a folder that numduel dataset has written."
            )
        yield from map(posed, kept)

    def _games(self, game: Game) -> Iterator[NumduelTask]:
        config = self.config
        for number in range(config.count):
            yield NumduelTask(
                NumduelData(
                    name=f"{game.id} against {config.opponent}, {number}",
                    game=game.id,
                    variant=game.settings,
                    seat=1 + number % 2,
                    opponent=config.opponent,
                    seed=f"{config.seed} {config.split} {number}",
                )
            )


class NumduelHarnessConfig(vf.HarnessConfig):  # type: ignore[misc]
    """There is nothing to set."""

    id: str = ID


class NumduelHarness(vf.Harness[NumduelHarnessConfig]):  # type: ignore[misc]
    """Asks for a move, and once more if the answer is not legal; runs in this process."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: NumduelData,
    ) -> Any:
        """Ask about a position, through the endpoint, which keeps the trace."""
        system, _ = self.resolve_prompt(data)
        talk = [{"role": "system", "content": system}] if system else []
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113

            async def say(text: str) -> str:
                talk.append({"role": "user", "content": text})
                reply = await client.post(
                    f"{endpoint}/chat/completions",
                    headers={"Authorization": f"Bearer {secret}"},
                    json={"model": ctx.model, "messages": talk},
                )
                reply.raise_for_status()
                message = reply.json()["choices"][0]["message"]
                answer = str(message["content"] or "")
                talk.append({"role": "assistant", "content": answer})
                return answer

            _, refusals = await ASK.decided(trace.task.data.board(), say)
        return vf.ProgramResult(0, "", "\n".join(refusals))


class NumduelEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """The agent that plays."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class NumduelEnv(vf.Env[NumduelEnvConfig]):  # type: ignore[misc]
    """A decision has one trace; a game has one for each decision of the model."""

    async def run(self, task: NumduelTask, agents: Any) -> None:
        """Decide, or play a game to its end."""
        if not task.data.opponent:
            await agents.player.run(task)
            return
        data, traces = task.data, []
        luck = random.Random(f"numduel {data.game} {data.seed}").random
        rival = cast("Player", player(data.opponent, int(luck() * 2**30)))
        board = settled(find(data.game, **data.variant).start(), luck)
        while board.winner is None:
            if board.to_move != data.seat:
                move: Move | None = rival.choose(board)
            else:
                traces.append(await agents.player.run(posed(board)))
                if traces[-1].has_error:  # the provider failed, not the model
                    return
                move = ASK.move(board, traces[-1].last_reply)
            after = board.resign() if move is None else board.play(move)
            board = settled(after, luck)
        for trace in traces:
            trace.record_metric("won", float(board.winner == data.seat))
