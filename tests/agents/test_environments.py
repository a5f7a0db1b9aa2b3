"""The environments are the library: move for move, mask for mask, result for result."""

import copy
import doctest
import importlib
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import numduel
import numduel.agents.gymnasium as single
from numduel.agents import common, openspiel
from numduel.core.state import Move, State, settled
from numduel.lab.batch import Batch
from numduel.play import players
from numduel.play.players import Level

KINDS = {kind.name: kind for kind in numduel.games()}
NAMES = sorted(KINDS)

# Each function of a batch takes a second or more to compile, for every game anew. So only two games
# are compiled: the one in the examples of the docs, and the one with cards. The simulator of a GPU
# compiles nothing, so it plays the others.
COMPILED = ("build", "duel")
SIMULATED = ("build", "capture", "factors", "line")
ON_DEVICES = [
    pytest.param(name, device, marks=() if name in quick else pytest.mark.proof)
    for device, quick in (("cpu", COMPILED), ("cuda", SIMULATED))
    for name in NAMES
]
AGAINST = [
    pytest.param(name, opponent, marks=() if quick else pytest.mark.proof)
    for name in NAMES
    for opponent in ("random", "medium")
    for quick in [name == "duel" or (name, opponent) == ("build", "random")]
]


class Luck:
    """Repeatable random numbers, in place of NumPy's."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def random(self) -> float:
        return self._chance.random()

    def integers(self, low: int, high: int | None = None) -> int:
        return 1 if high is not None else 0


def played(name: str, seed: int) -> Iterator[tuple[State, Move | None]]:
    """A random game: every state with a decision, and its move; then the end."""
    luck, chance = Luck(seed), random.Random(seed + 1)
    state = settled(KINDS[name]().start(), luck.random)
    while state.winner is None:
        move = chance.choice(state.legal_moves)
        yield state, move
        state = settled(state.play(move), luck.random)
    yield state, None


def observed(state: State, seat: int) -> list[int]:
    """What a seat should observe, by what a person in it sees."""
    seen, v, turn = numduel.view(state), state.game.variant, int(state.to_move == seat)
    mine, theirs = seen.hand(seat), seen.hand(3 - seat)
    if state.game.has_deck:
        hands = [card for hand in (mine, theirs) for card in (*hand, *[0] * (v.k - len(hand)))]
        left = state.game.undrawn(state.position)
        return [*hands, seen.card or 0, *(left.get(card, 0) for card in range(1, v.n + 1)), turn]
    if state.game.name == "factors":
        used = [int(cell.owner is not None) for cell in seen.cells]
        return [*used, int(state.moves[-1]) if state.moves else 0, turn]
    numbers = range(1, len(seen.cells) + 1)
    return [*((number in mine) - (number in theirs) for number in numbers), turn]


class Scripted:
    """An opponent who replays a given game."""

    def __init__(self, game: list[tuple[State, Move | None]]) -> None:
        self._moves = {(state.text, state.to_move): move for state, move in game}

    def choose(self, state: State) -> Move:
        move = self._moves[state.text, state.to_move]
        assert move is not None
        return move


def zoo(name: str) -> Any:
    return importlib.import_module(
        f"numduel.agents.pettingzoo.{KINDS[name].id.replace('-', '_')}_v0"
    )


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
            assert seen.tolist() == observed(state, seat)
            assert (info["action_mask"] == common.mask(state)).all()
            assert env.action_masks().tolist() == common.mask(state).tolist()
            assert move is not None
            seen, reward, over, truncated, info = env.step(common.action(state, move))
            assert not truncated
        end = game[-1][0]
        assert over
        assert seen.tolist() == observed(end, seat)
        assert (reward == 1.0) == (end.winner == seat)
        assert (info["winner"], info["action_mask"].sum()) == (end.winner, 0)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_plays_the_games_of_the_library(name: str) -> None:
    for seed in SEEDS:
        env = zoo(name).raw_env()
        env._chance = Luck(seed)
        env.reset()
        for state, move in played(name, seed):
            for agent_seat in (1, 2):
                seen = env.observe(f"player_{agent_seat}")["observation"]
                assert seen.tolist() == observed(state, agent_seat)
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
            for player in (0, 1):
                assert spiel.observation_tensor(player) == observed(state, player + 1)
            if move is None:
                assert spiel.is_terminal()
                assert spiel.returns()[(state.winner or 0) - 1] == 1
                break
            assert spiel.current_player() == state.to_move - 1
            assert spiel.legal_actions() == common.legal(state)
            action = common.action(state, move)
            assert spiel.action_to_string(action) == str(move)
            spiel.apply_action(action)


@pytest.mark.filterwarnings("ignore:Grid size")
@pytest.mark.parametrize(("name", "device"), ON_DEVICES)
def test_a_batch_plays_the_games_of_the_library(name: str, device: str) -> None:
    game = KINDS[name]()
    batch = Batch(game, 40 if device == "cpu" else 6, seed=3, device=device)
    seats = [np.full(batch.count, seat, np.int8) for seat in (1, 2)]
    chance, ended = random.Random(4), 0

    def at_decision(state: State, i: int) -> State:
        return common.reached(state, (int(np.asarray(batch.a)[i]), int(np.asarray(batch.b)[i])))

    states = [at_decision(game.start(), i) for i in range(batch.count)]
    for _ in range(30):
        seen = [np.asarray(batch.observed_by(seat)).tolist() for seat in seats]
        own, mask = np.asarray(batch.observations), np.asarray(batch.mask)
        a, b, to_move = (np.asarray(array) for array in (batch.a, batch.b, batch.to_move))
        for i, state in enumerate(states):
            assert state.position == (a[i], b[i])
            assert state.to_move == to_move[i]
            assert (mask[i] == common.mask(state)).all()
            assert [rows[i] for rows in seen] == [observed(state, 1), observed(state, 2)]
            assert own[i].tolist() == observed(state, state.to_move)
        moves = [chance.choice(state.legal_moves) for state in states]
        pairs = zip(states, moves, strict=True)
        batch.step(np.array([common.action(state, move) for state, move in pairs]))
        last = [np.asarray(batch.final(seat)).tolist() for seat in seats]
        done, rewards = np.asarray(batch.done), np.asarray(batch.rewards)
        ended += int(done.sum())
        for i, move in enumerate(moves):
            after = states[i].play(move)
            if done[i]:
                # A card that came before the end cannot be seen any more, and does not matter.
                after = common.passed(after)
                assert after.winner is not None
                assert [rows[i] for rows in last] == [observed(after, 1), observed(after, 2)]
                assert rewards[i, after.winner - 1] == 1
                assert rewards[i].sum() == 0
                states[i] = at_decision(game.start(), i)
            else:
                states[i] = at_decision(after, i)
                assert not rewards[i].any()
    assert ended >= batch.count


@pytest.mark.parametrize(
    "name",
    ["lab.batch", *(f"agents.{one}" for one in ("gymnasium", "pettingzoo", "openspiel"))],
)
def test_the_examples_in_the_code_run(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"numduel.{name}"))
    assert (found.failed, found.attempted > 2) == (0, True)


# -- what each world asks of its environments ----------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_environments_pass_the_checks_of_gymnasium(name: str) -> None:
    env = gymnasium.make(f"numduel/{common.env_name(KINDS[name])}-v0", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.reset(seed=1)
    assert env.render()


@pytest.mark.parametrize("name", NAMES)
def test_environments_pass_the_checks_of_pettingzoo(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It warns of its own old names.
        api_test(zoo(name).env(), num_cycles=100)
        seed_test(zoo(name).env, num_cycles=30)
        render_test(zoo(name).env)


@pytest.mark.parametrize("name", NAMES)
def test_games_pass_the_checks_of_openspiel(name: str) -> None:
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


@pytest.mark.filterwarnings("ignore:Grid size")
@pytest.mark.parametrize(("name", "device"), ON_DEVICES)
def test_an_illegal_action_loses_in_a_batch(name: str, device: str) -> None:
    batch = Batch(name, 3, device=device)
    batch.step(np.array([-1, 99, 10**12]))
    assert np.asarray(batch.illegal).all()
    assert (np.asarray(batch.rewards) == [-1, 1]).all()


class Unwilling:
    """Not a whole number, and raises an error of its own."""

    def __index__(self) -> int:
        raise RuntimeError

    def __str__(self) -> str:
        return "unwilling"


NOTHING: list[Any] = [None, "x", "0", 1.0, 0.5, float("nan"), [], [0, 1], {}, np.zeros(2), np.inf,
                      Unwilling()]  # fmt: skip


@pytest.mark.parametrize("action", NOTHING, ids=str)
def test_anything_but_a_whole_number_is_an_illegal_action(action: Any) -> None:
    env = single.DuelEnv("duel", seat=2)
    env.reset(seed=1)
    assert env.step(action)[1:3] == (-1.0, True)
    assert "Player 2 chose an illegal action.\nPlayer 1 wins the game!" in common.words(
        env.state, env._forfeit
    )
    pair = zoo("duel").raw_env()
    pair.reset(seed=1)
    pair.step(action)
    assert pair.rewards == {"player_1": -1, "player_2": 1}


def test_arrays_of_the_wrong_size_or_type_are_refused() -> None:
    for actions in (np.zeros(2, int), np.zeros(3), np.zeros((3, 1), int), [None] * 3):
        with pytest.raises(
            numduel.BadVariant, match="a whole number as its action: 3 were expected"
        ):
            Batch("duel", 3).step(np.array(actions))
    with pytest.raises(numduel.BadVariant, match="its own seed: 3 were expected"):
        Batch("duel", 3, seed=[1, 2])
    games: Any = Batch("duel", 3)
    for ask in (games.answer, games.gained, games.final, games.observed_by):
        for seats in (np.ones(2, np.int8), np.ones(3), 1):
            with pytest.raises(numduel.BadVariant, match="a seat, 1 or 2: 3 were expected"):
                ask(seats)
    everywhere = np.ones(3, bool)
    for given, told in (
        ((everywhere[:2],), "True or False: 3 were expected"),
        ((everywhere, np.ones((3, 8))), "the odds of all actions: 3 were expected"),
    ):
        with pytest.raises(numduel.BadVariant, match=told):
            games.sample(*given)


@pytest.mark.parametrize("count", [0, -1, 1.5, "3", None], ids=str)
def test_a_batch_has_a_whole_number_of_games(count: Any) -> None:
    with pytest.raises(numduel.BadVariant, match="number of games is a whole number from 1, not"):
        Batch("duel", count)


def test_more_games_than_fit_into_memory_are_refused_in_one_sentence() -> None:
    with pytest.raises(numduel.BadVariant, match="do not fit into memory: choose fewer"):
        Batch("duel", 10**15)


def test_odds_that_add_up_to_less_than_1_still_choose_a_move() -> None:
    games = Batch("duel", 1000, seed=1)
    odds = np.tile(np.cumsum(np.full(9, 1 / 9)), (1000, 1)) * 0.9
    assert set(games.sample(np.ones(1000, bool), odds)) == set(range(9))
    assert not games.illegal.any()


@pytest.mark.parametrize("seed", [1.5, -1, "abc", [1, 2.5, 3], [1, -1, 3]], ids=str)
def test_a_wrong_seed_is_refused_in_one_sentence(seed: Any) -> None:
    with pytest.raises(numduel.BadVariant, match="A seed is a whole number from 0, not"):
        Batch("duel", 3, seed=seed)
    with pytest.raises(numduel.BadVariant, match="A seed is a whole number from 0, not"):
        many("duel", 3).reset(seed=seed)


def test_compiled_games_are_not_rendered() -> None:
    with pytest.raises(numduel.BadVariant, match="Compiled games are not rendered"):
        many("duel", 3, render_mode="human")


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


def many(name: str, count: int, **settings: Any) -> Any:
    """The compiled vector environment of a game."""
    known = f"numduel/{common.env_name(KINDS[name])}-v0"
    return gymnasium.make_vec(known, num_envs=count, **settings)


def at_the_end(name: str, seen: list[int]) -> int:
    """Who won, by the final observation: 1 for the observer, -1 for the other."""
    game, *row, turn = KINDS[name](), *seen
    if name == "factors":
        return -1 if turn else 1
    if name == "build":
        mine, theirs = ([card for card in row[at : at + 5] if card] for at in (0, 5))
        tie = 1 if turn else -1  # The deck is even, so the player to move next began.
        return (
            (len(mine) > len(theirs)) - (len(mine) < len(theirs))
            or (sum(mine) > sum(theirs)) - (sum(mine) < sum(theirs))
            or tie
        )
    own, other = (
        sum(1 << number for number, mark in enumerate(row, 1) if mark == sign) for sign in (1, -1)
    )
    if turn:
        return game.rules.result(own, other, game.variant)
    return -game.rules.result(other, own, game.variant)


@pytest.mark.parametrize(("name", "opponent"), AGAINST)
def test_many_games_at_once_are_like_one(name: str, opponent: str) -> None:
    envs = many(name, 50 if opponent == "random" else 20, opponent=opponent)
    seen, info = envs.reset(seed=5)
    chance = np.random.default_rng(6)
    ended = 0
    for _ in range(60 if opponent == "random" else 10):
        assert seen[:, -1].all()
        assert envs.observation_space.contains(seen)
        assert info["action_mask"].any(axis=1).all()
        actions = np.array([chance.choice(np.flatnonzero(row)) for row in info["action_mask"]])
        seen, rewards, over, truncated, info = envs.step(actions)
        assert not truncated.any()
        assert (np.abs(rewards) == over).all()
        assert not info["illegal"].any()
        ended += int(over.sum())
        for i in np.flatnonzero(over):
            assert at_the_end(name, info["final_obs"][i].tolist()) == rewards[i]
    assert ended > 50 or opponent != "random"


def test_the_opponents_of_many_games_play_like_one() -> None:
    """What a level answers to a first move: in many games at once, in single ones, by its odds."""
    envs = many("duel", 4000, opponent="medium", seat=1)
    envs.reset(seed=1)
    seen, *_ = envs.step(np.full(4000, 4))
    state = numduel.game("duel").start().play(5)
    odds = Level("medium").odds(state)
    assert sum(odds.values()) == pytest.approx(1)
    env, ones = single.DuelEnv("duel", opponent="medium", seat=1), []
    for seed in range(400):
        env.reset(seed=seed)
        ones.append(env.step(4)[0])
    for rows in (seen, np.array(ones)):
        for number in state.legal_moves:
            share, likely = np.mean(rows[:, int(number) - 1] == -1), odds.get(number, 0.0)
            assert abs(share - likely) <= 4 * (likely * (1 - likely) / len(rows)) ** 0.5


def told(envs: Any, seed: Any, steps: int) -> list[list[Any]]:
    """The course of every game, if the agent always takes the first legal action."""
    seen, info = envs.reset(seed=seed)
    course = [seen.tolist()]
    for _ in range(steps):
        seen, rewards, *_, info = envs.step(info["action_mask"].argmax(axis=1))
        course.append([[*row, reward] for row, reward in zip(seen.tolist(), rewards, strict=True)])
    return [list(game) for game in zip(*course, strict=True)]


@pytest.mark.parametrize(
    ("name", "opponent"),
    [
        ("build", "random"), ("duel", "random"), ("duel", "medium"), ("duel", "perfect"),
        pytest.param("build", "medium", marks=pytest.mark.proof),
    ],
)  # fmt: skip
def test_a_game_depends_only_on_its_own_seed(name: str, opponent: str) -> None:
    envs = many(name, 4, opponent=opponent, seat=2)
    seeds = [5, 6, 7, 10**30]
    games = told(envs, seeds, 15)
    assert len({str(game) for game in games}) == 4
    assert told(envs, seeds[::-1], 15) == games[::-1]
    assert told(envs, 5, 15)[:3] == games[:3]
    assert told(many(name, 1, opponent=opponent, seat=2), [7], 15) == games[2:3]
    assert told(envs, [9, None, 6, None], 15)[2] == games[1]


def test_a_seat_that_never_moves_is_refused() -> None:
    """With k=1 the first number wins."""
    settings: dict[str, Any] = {"opponent": "perfect", "seat": 2, "n": 3, "k": 1}
    sentence = r"Sequence Duel \(n=3, k=1\) ends before seat 2 can move"
    with pytest.raises(numduel.BadVariant, match=sentence):
        single.DuelEnv("duel", **settings).reset(seed=1)
    # The simulator of a GPU need not compile what happens, which is the same there.
    settings |= {"opponent": "random", "device": "cuda"}
    with pytest.raises(numduel.BadVariant, match=sentence):
        many("duel", 1, **settings).reset(seed=1)
    envs = many("duel", 3, **settings | {"seat": 1})
    envs.reset(seed=1)
    assert np.asarray(envs.step(np.array([0, 1, 9]))[1]).tolist() == [1, 1, -1]


def test_games_that_end_before_the_first_decision_are_no_episodes() -> None:
    """With k=1 seat 2 gets to move only if the first card is discarded."""
    env = single.DuelEnv("build", seat=2, k=1)
    for seed in range(50):
        _, info = env.reset(seed=seed)
        assert env.state.winner is None
        assert info["action_mask"].tolist() == [1, 1, 1]
        assert env.step(1)[1] == 1.0
    envs = many("build", 12, seat=2, k=1, device="cuda")
    envs.reset(seed=1)
    for _ in range(3):
        seen, rewards, *_, info = envs.step(np.ones(12, int))
        assert np.asarray(rewards).tolist() == [1.0] * 12
        assert (np.asarray(info["final_obs"])[:, 0] > 0).all()
        assert not np.asarray(seen)[:, :2].any()


def test_compiled_games_refuse_an_opponent_without_odds() -> None:
    with pytest.raises(numduel.BadVariant, match="vectorization_mode='sync'"):
        many("duel", 3, opponent="search:20")


def test_a_search_can_be_the_opponent_and_says_that_it_estimates() -> None:
    env = single.DuelEnv("duel", opponent="search:20", seat=1, render_mode="ansi")
    _, info = env.reset(seed=1)
    assert not info["opponent_exact"]
    over = False
    while not over:
        *_, over, _, info = env.step(info["action_mask"].argmax())
    assert "The opponent plays by estimates." in str(env.render())
    with pytest.raises(numduel.BadVariant, match="search:N plays out N games"):
        single.DuelEnv("duel", opponent="search:0")


@pytest.mark.usefixtures("quick_estimates")
def test_an_opponent_says_when_its_values_are_estimates() -> None:
    for n, exact in ((9, True), (999, False)):
        env = single.DuelEnv("capture", opponent="perfect", seat=2, n=n, render_mode="ansi")
        _, info = env.reset(seed=1)
        assert info["opponent_exact"] is exact
        assert ("by estimates" not in str(env.render())) is exact
    envs = many("duel", 2, opponent="perfect")
    assert envs.reset(seed=1)[1]["opponent_exact"].tolist() == [True, True]


# -- the beginning of an empty sequence is its end -------------------------------------------------


def test_both_names_of_a_move_are_legal_in_every_environment() -> None:
    env = single.DuelEnv("build", seat=1)
    _, info = env.reset(seed=4)
    assert info["action_mask"].tolist() == env.action_masks().tolist() == [1, 1, 1]
    pair = zoo("build").raw_env()
    pair.reset(seed=4)
    assert pair.observe("player_1")["action_mask"].tolist() == [1, 1, 1]
    spiel = pyspiel.load_game("python_numduel_sequence_build").new_initial_state()
    spiel.apply_action(4)
    assert spiel.legal_actions() == [0, 1, 2]
    assert [spiel.action_to_string(action) for action in (0, 1, 2)] == ["5b", "5e", "5x"]
    envs = many("build", 3, seat=1)
    assert envs.reset(seed=4)[1]["action_mask"].all()


def test_both_names_of_a_move_lead_to_the_same_state() -> None:
    def after(action: int) -> list[Any]:
        env, pair, spiel = environments().values()
        envs, batch = many("build", 3, seat=1), Batch("build", 3, seed=4)
        envs.reset(seed=4)
        for one in (env, pair):
            one.step(action)
        spiel.apply_action(action)
        batch.step(np.full(3, action))
        seen, rewards, *_, info = envs.step(np.full(3, action))
        assert not batch.illegal.any()
        assert not info["illegal"].any()
        arrays = (seen, rewards, batch.a, batch.b, batch.mask)
        return [env.state, pair.state_now, str(spiel), *(item.tolist() for item in arrays)]

    assert after(0) == after(1)


# -- what is rendered ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_render_shows_the_board_the_card_and_who_is_to_move(name: str) -> None:
    env = single.DuelEnv(name, seat=1, render_mode="ansi")
    env.reset(seed=3)
    pair = zoo(name).raw_env(render_mode="ansi")
    pair.reset(seed=3)
    for state, text in ((env.state, env.render()), (pair.state_now, pair.render())):
        assert text == common.words(state)
        assert "\n".join(state.game.board(numduel.view(state))) in str(text)
        assert str(text).endswith("Player 1 to move.")
        assert (f"\nDrawn card: {state.card}\n" in str(text)) == state.game.has_deck
    while not pair.terminations["player_1"]:
        mask = pair.observe(pair.agent_selection)["action_mask"]
        pair.step(mask.argmax())
    assert pair.render().endswith(f"Player {pair.state_now.winner} wins the game!")


@pytest.mark.parametrize("game", ["duel", pytest.param("build", marks=pytest.mark.proof)])
def test_a_batch_does_not_depend_on_the_number_of_threads(game: str) -> None:
    one, two = (Batch(game, 2000, seed=1, threads=threads) for threads in (1, 2))
    one.random(40)
    two.random(40)
    assert (one.a == two.a).all()
    assert (one.b == two.b).all()
    assert one.finished == two.finished > 0


def test_a_step_of_a_thousand_games_asks_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """To wake one takes longer than all of its moves."""
    batch = Batch("duel", 1024, threads=8)
    monkeypatch.delattr(ThreadPoolExecutor, "submit")
    batch.step(batch.mask.argmax(axis=1))
    with pytest.raises(NotImplementedError):  # that of the class above
        batch.random(100)


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
    spiel = pyspiel.load_game("python_numduel_sequence_build").new_initial_state()
    spiel.apply_action(4)
    return {"gymnasium": env, "pettingzoo": pair, "openspiel": spiel}


def repickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("which", ["gymnasium", "pettingzoo", "openspiel"])
def test_no_environment_holds_the_order_of_the_deck(which: str) -> None:
    env = environments()[which]
    copies = [env, copy.deepcopy(env)] if which != "openspiel" else [env, env.clone()]
    for one in copies:
        assert not [item for item in reachable(one) if is_order(item)]


@pytest.mark.parametrize("which", ["gymnasium", "pettingzoo"])
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


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, repickled])
@pytest.mark.parametrize("which", ["gymnasium", "pettingzoo"])
def test_a_copy_plays_the_same_game_with_other_cards(
    which: str, copied: Callable[[Any], Any]
) -> None:
    """Of 20 cards, 2 are like any one of them. What a copy does changes nothing in the original."""

    def shown(env: Any) -> str:
        return str((env.state_now if which == "pettingzoo" else env.state).text)

    same = 0
    for seed in range(60):
        env, again = environments()[which], environments()[which]
        for one in (env, again):
            one.reset(seed=seed)
        twin, before, whole = copied(env), shown(env), pickle.dumps(env)
        assert not [item for item in reachable(twin) if is_order(item)]
        assert shown(twin) == before
        twin.step(2)
        assert shown(env) == before
        assert pickle.dumps(env) == whole
        env.step(2)
        again.step(2)
        assert shown(env) == shown(again), "looking ahead does not change what comes"
        same += shown(env) == shown(twin)
    assert same < 30


class Own:
    """A player of somebody's own."""

    def choose(self, state: State) -> Move:
        return state.legal_moves[0]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, repickled])
@pytest.mark.parametrize("kind", ["random", "easy", "search:2"])
def test_a_copy_does_not_foretell_an_opponent_with_a_seed(
    kind: str, copied: Callable[[Any], Any]
) -> None:
    """Neither in this game nor in the next; the original goes on as if there were no copy."""

    def opened(seed: int) -> single.DuelEnv:
        opponent = cast("players.Player", players.player(kind, seed))
        env = single.DuelEnv("capture", opponent=opponent, seat=1)
        env.reset(seed=seed)
        return env

    foretold = {"this": 0, "next": 0}
    for seed in range(40):
        env, again = opened(seed), opened(seed)
        twin = copied(env)
        for game in foretold:
            for one in (twin, env, again):
                one.step(6)
            assert env.state == again.state
            foretold[game] += env.state == twin.state
            for one in (twin, env, again):
                one.reset(seed=seed)
    assert max(foretold.values()) < 32, foretold  # by chance it is about 13
    assert type(copied(single.DuelEnv("capture", opponent=Own()))._rival) is Own


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, repickled])
def test_a_copy_of_a_batch_has_other_cards(copied: Callable[[Any], Any]) -> None:
    games = Batch("build", 300, seed=5)
    games.random(3)
    twin = copied(games)
    for one in ("a", "b", "to_move", "mask", "rewards", "done", "observations"):
        assert (getattr(twin, one) == getattr(games, one)).all()
    before = games.b.copy()
    twin.step(np.full(300, 2))
    assert (games.b == before).all()
    games.step(np.full(300, 2))
    assert (games.b == twin.b).mean() < 0.4


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, repickled])
def test_a_copy_of_many_games_at_once_has_other_cards_and_changes_nothing(
    copied: Callable[[Any], Any],
) -> None:
    envs, again = many("build", 300, seat=1), many("build", 300, seat=1)
    for one in (envs, again):
        one.reset(seed=5)
    twin, discards = copied(envs), np.full(300, 2)
    seen = twin.step(discards)[0]
    came = envs.step(discards)[0]
    assert (came == again.step(discards)[0]).all()
    assert (came == seen).all(axis=1).mean() < 0.4


def test_openspiel_states_survive_being_pickled_and_cloned() -> None:
    game = pyspiel.load_game("python_numduel_sequence_build")
    state = game.new_initial_state()
    for action in (4, 1, 5, 2, 6):
        state.apply_action(action)
    for again in (pickle.loads(pickle.dumps(state)), state.clone()):
        assert str(again) == str(state)
        assert again.legal_actions() == state.legal_actions()
        assert again.history() == state.history()
