"""Train a masked policy by self-play, judged by the exact values: ``python selfplay.py duel``.

The games, the network and the values stay on one device; PyTorch sees the arrays of the batch
without a copy. A policy is judged by its regret: the chance to win that its decisions give away.
"""

import argparse
from collections.abc import Iterator

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise SystemExit("This example needs PyTorch: pip install torch.") from None

from numduel.games import variant
from numduel.lab.batch import Batch

HIDDEN = 256
RATE = 2e-3
"""How fast it learns."""
EXPLORE = 0.3
"""The share of random moves while it learns."""
OPENING = 3
"""Random moves before the decisions that a policy is judged by."""


class Policy(nn.Module):
    """What each action is worth to the player to move: from -1 to 1, and -inf if it is illegal."""

    def __init__(self, games: Batch) -> None:
        super().__init__()
        inputs, actions = games.observations.shape[1], games.mask.shape[1]
        self.layers = nn.Sequential(
            nn.Linear(inputs, HIDDEN),
            nn.ReLU(),
            nn.Linear(HIDDEN, HIDDEN),
            nn.ReLU(),
            nn.Linear(HIDDEN, actions),
            nn.Tanh(),
        )

    def forward(self, seen: Tensor, mask: Tensor) -> Tensor:
        """Evaluate the actions in many games."""
        found: Tensor = self.layers(seen.float())
        return found.masked_fill(mask == 0, -torch.inf)


def train(
    game: str, *, device: str, count: int, steps: int, seed: int = 0, every: int = 100
) -> Iterator[tuple[int, float]]:
    """Train by Q-learning in self-play. Yields now and then the number of moves made in each game
    and the regret of a decision."""
    torch.manual_seed(seed)
    games = Batch(variant(game), count, seed=seed, device=device, observe=True)
    arrays = (games.observations, games.mask, games.to_move, games.rewards, games.done)
    seen, mask, to_move, rewards, done = map(torch.from_dlpack, arrays)
    policy = Policy(games).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    for step in range(steps):
        if step % every == 0:
            yield step, regret(policy, game, device=device)
        worth, mover = policy(seen, mask), to_move.long()
        guess = torch.multinomial(mask.float(), 1)
        explore = torch.rand_like(worth[:, :1]) < EXPLORE
        action = torch.where(explore, guess, worth.argmax(dim=1, keepdim=True))
        games.step(action[:, 0])
        with torch.no_grad():
            after = policy(seen, mask).amax(dim=1)
            after = torch.where(to_move == mover, after, -after)  # to the player who moved
            won = rewards.gather(1, mover[:, None] - 1)[:, 0].float()
            target = torch.where(done, won, after)
        optimizer.zero_grad()
        (worth.gather(1, action)[:, 0] - target).square().mean().backward()
        optimizer.step()
    yield steps, regret(policy, game, device=device)


@torch.no_grad()
def regret(policy: Policy, game: str, *, device: str, count: int = 4096) -> float:
    """The chance to win that a decision gives away on average, in games with random openings."""
    games = Batch(variant(game), count, seed=1, device=device)
    games.random(OPENING)
    worth = policy(torch.from_dlpack(games.observations), torch.from_dlpack(games.mask))
    values, after = torch.from_dlpack(games.values()), torch.from_dlpack(games.action_values())
    return float((values - after.gather(1, worth.argmax(dim=1, keepdim=True))[:, 0]).mean())


def main() -> None:
    """Train, and print the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="a game, or a variant such as capture:gaps=square")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--count", type=int, default=4096, help="games at once")
    parser.add_argument("--steps", type=int, default=2000, help="moves in each of them")
    options = parser.parse_args()
    curve = train(options.game, device=options.device, count=options.count, steps=options.steps)
    for step, lost in curve:
        print(f"{step:6d} moves in each game: regret {lost:.4f}", flush=True)


if __name__ == "__main__":
    main()
