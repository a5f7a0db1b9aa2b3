"""A language model as a player: asked as in the Inspect tasks, once more if need be."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

import numduel
from numduel.agents.asking import Asking
from numduel.lab.tournament.child import Fault, Unavailable

if TYPE_CHECKING:  # It takes long to be imported, which only those who run these tests should do.
    from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput

pytestmark = [
    pytest.mark.skipif(find_spec("inspect_ai") is None, reason="Inspect is not installed"),
    pytest.mark.filterwarnings("ignore:The 'initial' parameter:DeprecationWarning"),
]
"""Inspect's own."""
START = numduel.game("duel").start()
Mock = Callable[..., "list[list[ChatMessage]]"]


@pytest.fixture(scope="module", autouse=True)
def _tasks() -> None:
    """Import the tasks before `get_model` is patched: Inspect imports them when it looks for a
    model, and they would keep the patched one for good."""
    import_module("numduel.agents.inspect")


def asked_model(name: str, seed: int) -> Any:
    from numduel.agents.model import Model

    return Model(name, seed)


@pytest.fixture
def mock(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Let the mock give these answers; what it was asked is kept in a list."""
    from inspect_ai.model import ModelOutput
    from inspect_ai.model import get_model as real

    def answering(*answers: str) -> list[list[ChatMessage]]:
        asked: list[list[ChatMessage]] = []
        left = iter(answers)

        def output(talk: list[ChatMessage], *_: Any) -> ModelOutput:
            asked.append(list(talk))
            return ModelOutput.from_content("mockllm/model", next(left))

        monkeypatch.setattr(
            "inspect_ai.model.get_model",
            lambda name, **options: real(name, custom_outputs=output, **options),
        )
        return asked

    return answering


def test_a_model_chooses_the_move_that_it_answers(mock: Mock) -> None:
    asked = mock("I like the middle.\n\n**MOVE: 5**", "MOVE: 4")
    model = asked_model("mockllm/model", 7)
    assert model.choose(START) == 5
    assert model.choose(START.play(5)) == 4
    assert [[message.text for message in talk] for talk in asked] == [
        [Asking().prompt(START)],
        [Asking().prompt(START.play(5))],
    ]


def test_an_illegal_answer_is_asked_once_more(mock: Mock) -> None:
    asked = mock("MOVE: 99", "MOVE: 5")
    assert asked_model("mockllm/model", 7).choose(START) == 5
    assert [message.role for message in asked[1]] == ["user", "assistant", "user"]
    assert asked[1][2].text.startswith("99 is out of range: the numbers are 1 to 9.")


def test_a_second_one_is_a_fault_that_says_why(mock: Mock) -> None:
    mock("I cannot choose from 1 to 9.", "MOVE: 99")
    with pytest.raises(Fault, match=r"^99 is out of range: the numbers are 1 to 9\.$"):
        asked_model("mockllm/model", 7).choose(START)


def test_a_card_is_played_as_the_notation_writes_it(mock: Mock) -> None:
    mock("MOVE: discard")
    assert asked_model("mockllm/model", 7).choose(numduel.game("build").start().draw(7)) == "7x"


def test_a_provider_that_fails_says_nothing_about_the_model(mock: Mock) -> None:
    mock()
    with pytest.raises(Unavailable, match=r"^The model 'mockllm/model' cannot be asked: \w+"):
        asked_model("mockllm/model", 7).choose(START)


def test_the_seed_reaches_the_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    def get_model(name: str, *, config: GenerateConfig, memoize: bool) -> None:
        seeds.append((name, config.seed, memoize))

    monkeypatch.setattr("inspect_ai.model.get_model", get_model)
    asked_model("openai/gpt-5", 7)
    assert seeds == [("openai/gpt-5", 7, False)]


@pytest.mark.parametrize("name", ["nonsense", "nobody/nothing", ""])
def test_an_unknown_model_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(numduel.BadVariant, match="cannot be used") as refused:
        asked_model(name, 7)
    assert "\n" not in str(refused.value)
