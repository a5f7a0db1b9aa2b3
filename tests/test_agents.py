"""The environments are the library: move for move, mask for mask, result for result."""

import copy
import doctest
import importlib
import pickle
import random
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import numduel
import numduel.agents.gymnasium as single
from numduel.agents import common, openspiel
from numduel.batch import Batch
from numduel.core.state import Move, State

KINDS = {kind.name: kind for kind in numduel.games()}
NUMBERS = {"build": 6, "line": 30, "duel": 224, "capture": 613, "factors": 616}
NAMES = sorted(NUMBERS)


class Luck:
    """Random numbers that can be written down, in the place of NumPy's."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def random(self) -> float:
        return self._chance.random()

    def integers(self, low: int, high: int | None = None) -> int:
        return 1 if high is not None else 0


def played(name: str, seed: int) -> Iterator[tuple[State, Move | None]]:
    """A random game: every state at which somebody decides, with the move; then the end."""
    luck, chance = Luck(seed), random.Random(seed + 1)
    state = common.settled(KINDS[name]().start(), luck.random)
    while state.winner is None:
        move = chance.choice(state.legal_moves)
        yield state, move
        state = common.settled(state.play(move), luck.random)
    yield state, None


class Scripted:
    """An opponent who plays a game that was played before."""

    def __init__(self, game: list[tuple[State, Move | None]]) -> None:
        self._moves = {(state.text, state.to_move): move for state, move in game}

    def choose(self, state: State) -> Move:
        move = self._moves[state.text, state.to_move]
        assert move is not None
        return move


def module(folder: str, name: str) -> Any:
    return importlib.import_module(f"numduel.agents.{folder}.{name}")


def zoo(name: str) -> Any:
    return module("pettingzoo", KINDS[name].id.replace("-", "_") + "_v0")


SEEDS = range(12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [1, 2])
def test_gymnasium_plays_the_games_of_the_library(name: str, seat: int) -> None:
    for seed in SEEDS:
        game = list(played(name, seed))
        env = single.DuelEnv(name, opponent=Scripted(game), seat=seat)
        env.np_random = Luck(seed)  # type: ignore[assignment]
        seen, info = env.reset()
        over, reward = False, 0.0
        for state, move in game[:-1]:
            if state.to_move != seat:
                continue
            assert not over
            assert env.state == state
            assert (seen == common.observe(state)).all()
            assert (info["action_mask"] == common.mask(state)).all()
            assert env.action_masks().tolist() == common.mask(state).tolist()
            assert move is not None
            seen, reward, over, truncated, info = env.step(common.action(state, move))
            assert not truncated
        end = game[-1][0]
        assert over
        assert (reward == 1.0) == (end.winner == seat)
        assert (info["winner"], info["action_mask"].sum()) == (end.winner, 0)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_plays_the_games_of_the_library(name: str) -> None:
    for seed in SEEDS:
        env = zoo(name).raw_env()
        env._chance = Luck(seed)
        env.reset()
        for state, move in played(name, seed):
            if move is None:
                assert env.terminations == {"player_1": True, "player_2": True}
                assert env.rewards[f"player_{state.winner}"] == 1
                assert sum(env.rewards.values()) == 0
                break
            assert env.agent_selection == f"player_{state.to_move}"
            mine, theirs = (env.observe(f"player_{s}") for s in (state.to_move, 3 - state.to_move))
            assert (mine["action_mask"] == common.mask(state)).all()
            assert mine["action_mask"].dtype == np.int8
            assert not theirs["action_mask"].any()
            assert (mine["observation"] == common.observe(state)).all()
            env.step(common.action(state, move))


@pytest.mark.parametrize("name", NAMES)
def test_openspiel_plays_the_games_of_the_library(name: str) -> None:
    game = pyspiel.load_game(openspiel.short(KINDS[name]))
    for seed in SEEDS:
        spiel = game.new_initial_state()
        for state, move in played(name, seed):
            if spiel.is_chance_node():
                odds = dict(spiel.chance_outcomes())
                assert sum(odds.values()) == pytest.approx(1)
                spiel.apply_action((state.card or len(odds)) - 1)
            if move is None:
                assert spiel.is_terminal()
                assert spiel.returns()[(state.winner or 0) - 1] == 1
                break
            assert spiel.current_player() == state.to_move - 1
            assert spiel.legal_actions() == common.legal(state)
            action = common.action(state, move)
            assert spiel.action_to_string(action) == str(move)
            spiel.apply_action(action)


@pytest.mark.parametrize("name", NAMES)
def test_gg_bench_plays_the_games_of_the_library(name: str) -> None:
    for seed in SEEDS:
        env = module("ggbench", f"env_{NUMBERS[name]}").CustomEnv()
        env.np_random = Luck(seed)
        env.reset()
        reward, mover = 0, 0
        for state, move in played(name, seed):
            if move is None:
                assert env.done
                assert env.valid_moves() == []
                assert reward == (1 if state.winner == mover else -1)
                break
            mover = state.to_move
            assert env.current_player == env.marks[mover - 1]
            assert env.valid_moves() == common.legal(state)
            seen, reward, done, truncated, _ = env.step(common.action(state, move))
            assert env.observation_space.contains(seen)
            assert (done, truncated) == (env.done, False)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_plays_the_games_of_the_library(name: str) -> None:
    game = KINDS[name]()
    batch = Batch(game, 40, seed=3)
    states = [opened(game.start(), batch, i) for i in range(batch.count)]
    chance = random.Random(4)
    for _ in range(30):
        seen = batch.observations
        for i, state in enumerate(states):
            assert state.position == (batch.a[i], batch.b[i])
            assert state.to_move == batch.to_move[i]
            assert (batch.mask[i] == common.mask(state)).all()
            assert (seen[i] == common.observe(state)).all()
        moves = [chance.choice(state.legal_moves) for state in states]
        pairs = zip(states, moves, strict=True)
        batch.step(np.array([common.action(state, move) for state, move in pairs]))
        for i, move in enumerate(moves):
            after = states[i].play(move)
            if batch.done[i]:
                # A card that came before the end cannot be seen any more, and does not matter.
                while after.winner is None and after.forced_pass:
                    after = after.play("pass")
                assert after.winner is not None
                assert batch.rewards[i, after.winner - 1] == 1
                assert batch.rewards[i].sum() == 0
                states[i] = opened(game.start(), batch, i)
            else:
                states[i] = opened(after, batch, i)
                assert not batch.rewards[i].any()


def opened(state: State, batch: Batch, i: int) -> State:
    """A state at its next decision, with the card that the batch drew."""
    if state.draws:
        return state.draw(int(batch.b[i]) % (state.game.variant.n + 1))
    while state.forced_pass:
        state = state.play("pass")
    return state


@pytest.mark.parametrize(
    "name",
    ["batch", *(f"agents.{one}" for one in ("gymnasium", "pettingzoo", "openspiel", "ggbench"))],
)
def test_the_examples_in_the_code_run(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"numduel.{name}"))
    assert (found.failed, found.attempted > 2) == (0, True)


# -- what each world asks of its environments ----------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_to_complain_of(name: str) -> None:
    env = gymnasium.make(f"numduel/{single.name(KINDS[name])}-v0", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.reset(seed=1)
    assert env.render()


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_finds_nothing_to_complain_of(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It warns of its own old names.
        api_test(zoo(name).env(), num_cycles=100)
        seed_test(zoo(name).env, num_cycles=30)
        render_test(zoo(name).env)


@pytest.mark.parametrize("name", NAMES)
def test_openspiel_finds_nothing_to_complain_of(name: str) -> None:
    game = pyspiel.load_game(openspiel.short(KINDS[name]))
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_loses_and_never_raises(name: str) -> None:
    for action in (-5, 10**6, 0):
        env = single.DuelEnv(name, seat=1)
        env.reset(seed=1)
        if action == 0:
            state = env.state
            action = next(
                (a for a in range(env.game.bounds.actions) if a not in common.legal(state)), -1
            )
        _, reward, over, _, info = env.step(action)
        assert (reward, over, info["illegal"]) == (-1.0, True, True)
        assert not info["action_mask"].any()
    batch = Batch(name, 3)
    batch.step(np.array([-1, 99, 10**12]))
    assert batch.illegal.all()
    assert (batch.rewards == [-1, 1]).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_game_whatever_else_is_random(name: str) -> None:
    def run() -> list[Any]:
        random.seed()
        np.random.seed()
        env = single.DuelEnv(name, opponent="random")
        told: list[Any] = []
        for episode in range(3):
            seen, info = env.reset(seed=9 if episode == 0 else None)
            over = False
            while not over:
                told.append((seen.tolist(), info["action_mask"].tolist(), info["seat"]))
                seen, reward, over, _, info = env.step(info["action_mask"].argmax())
            told.append(reward)
        return told

    assert run() == run()


@pytest.mark.parametrize("name", NAMES)
def test_many_games_at_once_are_like_one(name: str) -> None:
    envs: Any = gymnasium.make_vec(f"numduel/{single.name(KINDS[name])}-v0", num_envs=50)
    seen, info = envs.reset(seed=5)
    chance = np.random.default_rng(6)
    ended = 0
    for _ in range(60):
        assert envs.observation_space.contains(seen)
        assert info["action_mask"].any(axis=1).all()
        actions = np.array([chance.choice(np.flatnonzero(row)) for row in info["action_mask"]])
        seen, rewards, over, truncated, info = envs.step(actions)
        assert not truncated.any()
        assert (np.abs(rewards) == over).all()
        assert not info["illegal"].any()
        ended += int(over.sum())
        if over.any():
            assert info["final_obs"].shape == seen.shape
    assert ended > 50


def test_a_batch_does_not_depend_on_the_number_of_threads() -> None:
    one, two = (Batch("build", 2000, seed=1, threads=threads) for threads in (1, 2))
    one.random(25)
    two.random(25)
    assert (one.a == two.a).all()
    assert (one.b == two.b).all()
    assert one.finished == two.finished > 0


def test_random_games_of_a_batch_are_random_games() -> None:
    """The share of games that the first player wins, against the exact one over all of them."""
    batch = Batch("duel", 3000, seed=2)
    wins = ended = 0
    for _ in range(40):
        batch.random()
        wins += int((batch.rewards[:, 0] == 1).sum())
        ended += int(batch.done.sum())
    exact = first_wins(numduel.game("duel").start(), {})
    assert abs(wins / ended - exact) < 4 * (exact * (1 - exact) / ended) ** 0.5


def first_wins(state: State, known: dict[State, float]) -> float:
    """How likely Player 1 is to win if both move at random."""
    if state.winner is not None:
        return float(state.winner == 1)
    if state not in known:
        after = [first_wins(state.play(move), known) for move in state.legal_moves]
        known[state] = sum(after) / len(after)
    return known[state]


# -- the deck --------------------------------------------------------------------------------------


def reachable(thing: object, most: int = 20_000) -> list[object]:
    """Everything that can be reached from an object by attributes, items and contents."""
    found: dict[int, object] = {}
    waiting = [thing]
    while waiting and len(found) < most:
        item = waiting.pop()
        if id(item) in found or isinstance(item, type | type(random) | str | bytes):
            continue
        found[id(item)] = item
        if isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple | set | frozenset):
            waiting += list(item)
        else:
            waiting += list(getattr(item, "__dict__", {}).values())
            for name in getattr(type(item), "__slots__", ()):
                waiting.append(getattr(item, name, None))
    return list(found.values())


def is_order(item: object) -> bool:
    """Whether something could be the order of undrawn cards."""
    try:
        cards = [int(card) for card in item]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        return False
    return len(cards) >= 10 and sorted(cards) != cards and all(1 <= card <= 10 for card in cards)


def environments() -> dict[str, Any]:
    env = single.DuelEnv("build", seat=1)
    env.reset(seed=4)
    pair = zoo("build").raw_env()
    pair.reset(seed=4)
    bench = module("ggbench", "env_6").CustomEnv()
    bench.reset(seed=4)
    spiel = pyspiel.load_game("python_numduel_sequence_build").new_initial_state()
    spiel.apply_action(4)
    return {"gymnasium": env, "pettingzoo": pair, "ggbench": bench, "openspiel": spiel}


@pytest.mark.parametrize("which", ["gymnasium", "pettingzoo", "ggbench", "openspiel"])
def test_no_environment_has_an_order_of_the_deck(which: str) -> None:
    env = environments()[which]
    copies = [env, copy.deepcopy(env)] if which != "openspiel" else [env, env.clone()]
    for one in copies:
        assert not [item for item in reachable(one) if is_order(item)]


@pytest.mark.parametrize("which", ["gymnasium", "pettingzoo", "ggbench"])
def test_the_next_card_is_not_decided_before_it_is_drawn(which: str) -> None:
    """With other random numbers the same environment draws another card: nothing in it says which
    one will come."""
    cards = set()
    for seed in range(20):
        env = copy.deepcopy(environments()[which])
        luck = Luck(seed)
        if which == "pettingzoo":
            env._chance = luck
        else:
            env.np_random = luck
        env.step(2)
        state = env.state_now if which == "pettingzoo" else env.state
        cards.add(str(state.moves[1])[:-1] if len(state.moves) > 1 else str(state.card))
    assert len(cards) > 5


@pytest.mark.parametrize("which", ["gymnasium", "pettingzoo", "ggbench"])
def test_an_environment_survives_being_pickled(which: str) -> None:
    env = environments()[which]
    again = pickle.loads(pickle.dumps(env))
    assert not [item for item in reachable(again) if is_order(item)]
    for one in (env, again):
        one.step(2)
    states = [one.state_now if which == "pettingzoo" else one.state for one in (env, again)]
    assert states[0] == states[1]


def test_openspiel_states_survive_being_pickled_and_cloned() -> None:
    game = pyspiel.load_game("python_numduel_sequence_build")
    state = game.new_initial_state()
    for action in (4, 1, 5, 2, 6):
        state.apply_action(action)
    for again in (pickle.loads(pickle.dumps(state)), state.clone()):
        assert str(again) == str(state)
        assert again.legal_actions() == state.legal_actions()
        assert again.history() == state.history()
