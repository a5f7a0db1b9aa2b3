"""Two trained players for the leaderboard: masked PPO, and the net of ``selfplay.py``.

In this folder:

    python trained.py --steps 50000                       # PPO against medium, in all games
    python selfplay.py duel --count 1024 --save trained/selfplay-duel.pt
    numduel submit --player python:trained:Ppo
    numduel submit --player python:trained:SelfPlay

Both see a position as the environments show it, and know nothing of its exact value.
"""

import argparse
from functools import cache
from pathlib import Path
from typing import Any

try:
    import gymnasium
    import torch
    from sb3_contrib import MaskablePPO
except ImportError:
    raise SystemExit("This example needs: pip install gymnasium torch sb3-contrib.") from None

from selfplay import Policy

import numduel
import numduel.agents.gymnasium
from numduel import Game, State
from numduel.agents import common
from numduel.core.state import Move
from numduel.lab.batch import Batch

FOLDER = Path(__file__).parent / "trained"
OPPONENT = "medium"


class Ppo:
    """Plays what PPO has learnt."""

    def choose(self, state: State) -> Move | None:
        """The action that it finds likeliest."""
        seen, mask = common.observe(state, state.to_move), common.mask(state)
        action, _ = _ppo(state.game.name).predict(seen, action_masks=mask, deterministic=True)
        return common.move(state, action)


class SelfPlay:
    """Plays what the net has learnt in self-play."""

    def choose(self, state: State) -> Move | None:
        """The action that it values most."""
        seen, mask = common.observe(state, state.to_move), common.mask(state)
        with torch.no_grad():
            worth = _net(state.game)(torch.from_numpy(seen)[None], torch.from_numpy(mask)[None])
        return common.move(state, int(worth.argmax()))


@cache
def _ppo(name: str) -> Any:
    return MaskablePPO.load(FOLDER / f"ppo-{name}", device="cpu")


@cache
def _net(game: Game) -> Policy:
    policy = Policy(Batch(game, 1))
    policy.load_state_dict(torch.load(FOLDER / f"selfplay-{game.name}.pt"))
    return policy


def main() -> None:
    """Train PPO in every game, in the variant that is tested."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=50_000)
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for kind in numduel.games():
        name = "".join(word.title() for word in kind.id.split("-"))
        env = gymnasium.make(f"numduel/{name}-v0", opponent=OPPONENT, **kind.benchmark)
        model = MaskablePPO("MlpPolicy", env, seed=0, device="cpu").learn(options.steps)
        model.save(FOLDER / f"ppo-{kind.name}")
        print(f"{kind.name}: trained", flush=True)


if __name__ == "__main__":
    main()
