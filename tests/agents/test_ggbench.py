"""gg-bench's harness on our environments: strict turns, and every win goes to the winner.

The harness knows nothing of the rules. Two players act in turn, whatever happens; the reward of the
last action says whether its player has won (1) or lost (-1). Players see valid moves, or a prompt
made of the rendered text, or look ahead in deep copies.
"""

import copy
import pickle
import random
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import numduel
from numduel import State

NUMBERS = {"build": 6, "line": 30, "duel": 224, "capture": 613, "factors": 616}
PUBLISHED = {"build": 3, "line": 10, "duel": 9, "capture": 21, "factors": 20}
"""How many actions the published environments have."""
NAMES = sorted(NUMBERS)
WAYS = ("beginning", "end", "discard")
Chooser = Callable[[Any], int]


def make(name: str) -> Any:
    return import_module(f"numduel.agents.ggbench.env_{NUMBERS[name]}").CustomEnv()


def harness(env: Any, one: Chooser, two: Chooser, seed: int) -> tuple[int, list[tuple[int, str]]]:
    """The winner by the rewards, 1 if they acted first, else 2; and the actions, with the text that
    was rendered before each where it shows a card."""
    env.reset(seed=seed)
    log = []
    for turn in range(100):
        mover = turn % 2 + 1
        action = (one, two)[mover - 1](env)
        log.append((action, env.render() if env.game.has_deck else ""))
        _, reward, over, truncated, _ = env.step(action)
        assert not truncated
        if over:
            assert reward in (1, -1), log
            return mover if reward == 1 else 3 - mover, log
        assert reward == 0
    raise AssertionError("the game does not end")


def replayed(name: str, log: list[tuple[int, str]]) -> State:
    """The same game in the library. Player 1 begins, whoever began in the environment."""
    state = numduel.game(name).start()
    for action, text in log:
        if state.draws:
            state = state.draw(int(re.findall(r"Drawn card: (\d+)", text)[0]))
            state = state.play(WAYS[action])
        else:
            state = state.play("pass" if state.forced_pass else action + 1)
    return state


def at_random(seed: int) -> Chooser:
    luck = random.Random(seed)
    return lambda env: luck.choice(env.valid_moves())


def looking_ahead(seed: int) -> Chooser:
    """Monte Carlo search: random games in deep copies of the environment, in strict turns."""
    luck = random.Random(seed)

    def value(env: Any, action: int) -> float:
        ahead, turn = copy.deepcopy(env), 1
        _, reward, over, *_ = ahead.step(action)
        while not over:
            _, reward, over, *_ = ahead.step(luck.choice(ahead.valid_moves()))
            turn = -turn
        return float(reward * turn)

    def choose(env: Any) -> int:
        before: str = env.render()
        valid: list[int] = env.valid_moves()
        tries = 1 + 24 // len(valid)
        totals = {action: sum(value(env, action) for _ in range(tries)) for action in valid}
        assert env.render() == before
        return max(totals, key=lambda action: totals[action])

    return choose


class Reader:
    """Plays by the prompt alone: reads the board, its seat, and the legal moves."""

    def __init__(self, seed: int) -> None:
        self._luck = random.Random(seed)
        self._seat = ""

    def __call__(self, env: Any) -> int:
        return self.answer(f"Board:\n{env.render()}\nLegal moves: {sorted(env.valid_moves())}")

    def answer(self, prompt: str) -> int:
        (seat,) = re.findall(r"(Player [12]) to move\.", prompt)
        assert self._seat in ("", seat), "it is asked to move for the other player"
        self._seat = seat
        (listed,) = re.findall(r"Legal moves: \[(.*)\]", prompt)
        legal = [int(number) for number in listed.split(", ")]
        card = re.findall(r"Drawn card: (\d+)", prompt)
        if card:
            (held,) = re.findall(rf"{seat}'s Sequence: \[(.*)\]", prompt)
            assert legal == self._places(int(card[0]), [int(c) for c in held.split(", ") if c])
        if "pass" in prompt:
            (only,) = re.findall(r"the only valid action is (\d+), which passes", prompt)
            assert legal == [int(only)]
        return self._luck.choice(legal)

    @staticmethod
    def _places(card: int, held: list[int]) -> list[int]:
        """Where a card can go, by the rulebook."""
        if not held:
            return [0, 1, 2]
        ends = [place for place, end in enumerate((held[0], held[-1])) if abs(card - end) == 1]
        return [*ends, 2]


@pytest.mark.parametrize("name", NAMES)
def test_every_win_is_credited_to_the_winner(name: str) -> None:
    env, passes, ties = make(name), 0, 0
    for seed in range(120):
        credited, log = harness(env, at_random(2 * seed), at_random(2 * seed + 1), seed)
        state = replayed(name, log)
        assert state.winner == credited
        passes += "pass" in state.moves
        ties += "wins the tie" in str(state.outcome)
    assert passes > 12 or name != "capture"
    assert ties > 1 or name != "build"


@pytest.mark.parametrize("name", NAMES)
def test_every_win_is_credited_to_players_who_see_only_a_prompt(name: str) -> None:
    env = make(name)
    for seed in range(40):
        credited, log = harness(env, Reader(2 * seed), Reader(2 * seed + 1), seed)
        assert replayed(name, log).winner == credited


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in ("build", "duel") else pytest.mark.proof)
        for name in NAMES
    ],
)
def test_looking_ahead_in_copies_wins_and_is_credited(name: str) -> None:
    env, wins, games = make(name), 0, 6
    for seed in range(games):
        seat = seed % 2 + 1
        players = [at_random(seed), looking_ahead(seed)]
        one, two = players[:: -1 if seat == 1 else 1]
        credited, log = harness(env, one, two, seed)
        assert replayed(name, log).winner == credited
        wins += credited == seat
    assert wins > games / 2


def test_the_seed_may_be_positional() -> None:
    one, two = make("build"), make("build")
    assert (one.reset(7)[0] == two.reset(seed=7)[0]).all()
    assert one.render() == two.render()


def test_a_copy_to_look_ahead_in_does_not_know_the_cards_to_come() -> None:
    """Else the harness's search would see the deck. Of 20 cards, 2 are like any one of them."""
    env, same, copies = make("build"), 0, set()
    for seed in range(100):
        env.reset(seed=seed)
        pickled = pickle.loads(pickle.dumps(env))
        ahead = [copy.deepcopy(one) for one in (env, env, pickled)]
        ahead.append(pickled)
        for one in (env, *ahead, copy.deepcopy(ahead[0])):
            one.step(2)
        same += sum(one.state.card == env.state.card for one in ahead)
        copies.add(tuple(one.state.card for one in ahead))
    assert same < 4 * 100 / 4
    assert len(copies) > 50


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_the_published_ones(name: str) -> None:
    env = make(name)
    assert env.action_space.n == PUBLISHED[name]
    for seed in range(20):
        _, log = harness(env, at_random(seed), at_random(seed + 1), seed)
        assert all(env.action_space.contains(np.int64(action)) for action, _ in log)


def test_at_a_forced_pass_only_the_pass_is_valid() -> None:
    env = make("capture")
    for seed in range(100):
        env.reset(seed=seed)
        luck = random.Random(seed)
        while not env.done and "passes" not in env.render():
            env.step(luck.choice(env.valid_moves()))
        if env.done:
            continue
        board, player = env.observed().tolist(), env.current_player
        (only,) = env.valid_moves()
        for wrong in {*range(-1, 22), None} - {only}:
            _, reward, over, *_ = copy.deepcopy(env).step(wrong)
            assert (reward, over) == (-10, True)
        env.step(only)
        assert env.observed().tolist() == board
        assert env.current_player == -player


@pytest.mark.parametrize("name", NAMES)
def test_render_says_who_is_to_move_and_who_won(name: str) -> None:
    env = make(name)
    for seed in range(10):
        env.reset(seed=seed)
        luck = random.Random(seed)
        while not env.done:
            player = env.marks.index(env.current_player) + 1
            assert f"Player {player} to move." in env.render()
            _, reward, *_ = env.step(luck.choice(env.valid_moves()))
        winner = player if reward == 1 else 3 - player
        assert f"Player {winner} wins the game!" in env.render()
        env.reset(seed=seed)
        player = env.marks.index(env.current_player) + 1
        env.step(99)
        assert f"Player {player} chose an illegal action." in env.render()
        assert f"Player {3 - player} wins the game!" in env.render()
