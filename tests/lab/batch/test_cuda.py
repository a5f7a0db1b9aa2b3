"""Games on a GPU are the games on the processor, bit for bit.

Where there is no GPU, Numba's simulator takes its place: `tests.conftest` sees to that.
"""

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numduel_examples.reach import Reach

import numduel
from numduel import BadVariant, Game, solver
from numduel.agents.gymnasium import DuelVectorEnv
from numduel.extras import install
from numduel.lab.batch import Batch

ported = pytest.importorskip("numduel.lab.batch.ported", reason="numba.cuda cannot be imported")
pytestmark = pytest.mark.filterwarnings("ignore:Grid size")

ROOT = Path(__file__).parents[3]
COUNT = 12
PUBLIC = ("a", "b", "bits", "to_move", "mask", "rewards", "done", "illegal", "observations")
SOLVED = ("duel", pytest.param("capture", marks=pytest.mark.proof), "build")
"""A game for each kind of table."""


def both(game: Game | str, seed: int, **options: Any) -> tuple[Any, Any]:
    """The same games here and on the GPU."""
    here = Batch(game, COUNT, seed=seed, **options)
    return here, Batch(game, COUNT, seed=seed, device="cuda", **options)


def check_same(here: Any, there: Any) -> None:
    for name in PUBLIC:
        one, two = getattr(here, name), getattr(there, name).copy_to_host()
        assert one.dtype == two.dtype, name
        assert one.tolist() == two.tolist(), name
    assert here.finished == there.finished


@pytest.mark.parametrize(
    "game",
    [
        "duel",
        *(
            pytest.param(game, marks=pytest.mark.proof)
            for game in ("build", "capture", "factors", "line", Reach())
        ),
    ],
    ids=str,
)  # fmt: skip
def test_everything_has_the_same_results(game: Game | str) -> None:
    here, there = both(game, 3, observe=True)
    check_same(here, there)
    chance = np.random.default_rng(1)
    for steps in (1, 1, 1, 5):
        here.random(steps)
        there.random(steps)
        check_same(here, there)
    for _ in range(3):
        actions = chance.integers(-1, here.game.bounds.actions + 1, COUNT)  # some are illegal
        here.step(actions)
        there.step(actions)
        check_same(here, there)
        for seat in (1, 2):
            seats = np.full(COUNT, seat, np.int8)
            for ask in ("gained", "final", "observed_by"):
                answer = getattr(there, ask)(seats).copy_to_host()
                assert (getattr(here, ask)(seats) == answer).all(), ask
    where = chance.random(COUNT) < 0.5
    odds = np.cumsum(here.mask, axis=1) / here.mask.sum(axis=1, keepdims=True)
    for given in (None, odds):
        assert (
            here.sample(where, given).tolist() == there.sample(where, given).copy_to_host().tolist()
        )
        check_same(here, there)
        odds[:] = np.cumsum(here.mask, axis=1) / here.mask.sum(axis=1, keepdims=True)
    seats = (1 + np.arange(COUNT) % 2).astype(np.int8)
    for _ in range(4):
        here.answer(seats)
        there.answer(seats)
        check_same(here, there)
        assert (here.to_move == seats).all()
        assert (here.final(seats) == there.final(seats).copy_to_host()).all()
        actions = here.mask.argmax(axis=1)
        here.step(actions)
        there.step(actions)
    for batch in (here, there):
        batch.seed([5, *[None] * (COUNT - 1)])
        batch.reset()
    check_same(here, there)


@pytest.mark.parametrize("name", SOLVED)
def test_values_are_those_of_the_solver(name: str) -> None:
    game = numduel.game(name)
    here, there = both(game, 1)
    solved = solver.solution(game)
    chance = np.random.default_rng(1)
    for _ in range(3):
        check_same(here, there)
        values, actions = here.values(), here.action_values()
        for i, position in enumerate(zip(here.a.tolist(), here.b.tolist(), strict=True)):
            assert solved.value(position).win_probability == values[i]
        assert (np.nanmax(actions, axis=1) == values).all()
        assert (np.isnan(actions) == (here.mask == 0)).all()
        assert (np.asarray(there.values()) == values).all()
        assert np.array_equal(np.asarray(there.action_values()), actions, equal_nan=True)
        chosen = np.array([chance.choice(np.flatnonzero(row)) for row in here.mask])
        here.step(chosen)
        there.step(chosen)


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows when the GPU is waited for."""
    found: list[str] = []
    wait = ported.cuda.synchronize

    def noted() -> None:
        wait()
        found.append("waited")

    monkeypatch.setattr(ported.cuda, "synchronize", noted)
    return found


def test_whoever_is_given_an_array_of_a_gpu_finds_the_numbers_there(waited: list[str]) -> None:
    games: Any = Batch("duel", COUNT, device="cuda")
    waited.clear()
    games.mask.__dlpack__()
    assert waited == ["waited"]


@pytest.mark.parametrize(
    "name",
    [
        "duel",
        *(
            pytest.param(name, marks=pytest.mark.proof)
            for name in ("build", "capture", "factors", "line")
        ),
    ],
)
def test_a_vector_environment_is_the_same_on_a_gpu(name: str) -> None:
    here, there = (DuelVectorEnv(COUNT, name, device=device) for device in ("cpu", "cuda"))
    (seen, info), (view, told) = (env.reset(seed=4) for env in (here, there))
    ended = 0
    for _ in range(12):
        assert (seen == np.asarray(view)).all()
        assert (info["action_mask"] == np.asarray(told["action_mask"])).all()
        actions = info["action_mask"].argmax(axis=1)
        seen, rewards, done, _, info = here.step(actions)
        view, gained, over, _, told = there.step(actions)
        assert (rewards == np.asarray(gained)).all()
        assert (done == np.asarray(over)).all()
        ended += int(done.sum())
        if done.any():
            assert (info["final_obs"][done] == np.asarray(told["final_obs"])[done]).all()
    assert ended


def test_an_opponent_that_is_not_compiled_is_refused_on_a_gpu() -> None:
    with pytest.raises(BadVariant, match="On a GPU the opponent is random"):
        DuelVectorEnv(1, "duel", device="cuda", opponent="medium")


def test_arrays_reach_other_libraries_without_a_copy() -> None:
    games: Any = Batch("duel", COUNT, device="cuda", observe=True)
    if ported.SIMULATED:
        assert np.from_dlpack(games.mask).shape == (COUNT, 9)
        return
    torch = pytest.importorskip("torch")
    for array in (games.mask, games.observations, games.done, games.a):
        for view in (torch.from_dlpack(array), torch.as_tensor(array, device="cuda")):
            assert view.data_ptr() == array.__cuda_array_interface__["data"][0]
            assert view.cpu().numpy().tolist() == np.asarray(array).tolist()
    games.step(torch.from_dlpack(games.mask).int().argmax(dim=1))
    assert torch.from_dlpack(games.observations)[:, 0].tolist() == COUNT * [-1]


def test_the_example_of_the_page_runs() -> None:
    """With few games; with the simulator, NumPy looks at the arrays in PyTorch's place."""
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")
    (training,) = (
        text for text in re.findall(r"```py\n(.*?)```", page, re.DOTALL) if 'device="cuda"' in text
    )
    torch = (
        SimpleNamespace(from_dlpack=np.from_dlpack)
        if ported.SIMULATED
        else pytest.importorskip("torch")
    )
    there: dict[str, Any] = {
        "Batch": Batch, "torch": torch, "policy": lambda _, mask: (mask + 0.0).argmax(1),
    }  # fmt: skip
    exec(training.replace("1 << 20", str(COUNT)), there)
    assert tuple(there["seen"].shape) == (COUNT, 10)
    assert tuple(there["exact"].shape) == (COUNT, 9)


def test_self_play_learns_and_is_judged_exactly() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    example = ROOT / "examples" / "selfplay.py"
    train = runpy.run_path(str(example))["train"]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    curve = list(train("duel", device=device, count=512, steps=600, every=300))
    assert [step for step, _ in curve] == [0, 300, 600]
    assert curve[0][1] > 0.2
    assert curve[-1][1] < 0.05


def test_what_cannot_be_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadVariant, match=r"^A device is cpu or cuda, not 'tpu'\.$"):
        Batch("duel", 1, device="tpu")
    games = Batch("duel", COUNT, device="cuda")
    for actions in (np.zeros(COUNT), np.zeros(COUNT - 1, np.int64), np.zeros((COUNT, 1), np.int8)):
        with pytest.raises(BadVariant, match="needs a whole number as its action"):
            games.step(actions)
    with pytest.raises(BadVariant, match="needs a seat, 1 or 2"):
        games.answer(np.ones(COUNT - 1, np.int8))
    with pytest.raises(BadVariant, match="do not fit into memory"):
        Batch("duel", 10**15, device="cuda")
    with pytest.raises(BadVariant, match="too large to be solved"):
        Batch(numduel.game("factors", n=40), 1, device="cuda").values()
    with monkeypatch.context() as without:
        without.setattr("numduel.lab.batch.find_spec", lambda _: None)
        with pytest.raises(BadVariant, match=re.escape(f"needs numba-cuda: {install('cuda')}")):
            Batch("duel", 1, device="cuda")
    monkeypatch.setattr(ported, "SIMULATED", False)
    monkeypatch.setattr(ported.cuda, "is_available", lambda: False)
    with pytest.raises(BadVariant, match="needs an NVIDIA GPU"):
        Batch("duel", 1, device="cuda")
