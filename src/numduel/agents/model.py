"""A language model as a player, asked in the words of the Inspect tasks.

Every move is a conversation of its own, in an event loop of its own, so a model can play in any
process that plays games one after another.
"""

from __future__ import annotations

import asyncio

from rich.text import Text

from numduel.agents.asking import Asking
from numduel.core.errors import BadVariant
from numduel.core.state import Move, State
from numduel.core.text import printable
from numduel.extras import needing
from numduel.lab.tournament.child import Fault, Unavailable

with needing("inspect"):
    import inspect_ai.model
    from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig, ModelName

MOCK = "mockllm"
"""Inspect's provider of mock models."""
MAX_RETRIES = 5
"""How often to retry a provider that is down; without a bound Inspect never gives up."""


class Model:
    """A language model by its name in Inspect, such as ``openai/gpt-5``.

    The seed is passed to the provider; not all use it. Raises `BadVariant` if there is no such
    model, or its provider is not set up here.
    """

    def __init__(self, name: str, seed: int) -> None:
        self._name = name
        self._seed = seed
        try:
            self._connected()
        except Exception as error:  # whatever a provider needs
            said = printable(" ".join(Text.from_markup(str(error)).plain.split()), 200)
            raise BadVariant(f"The model {printable(name, 60)!r} cannot be used: {said}") from None

    def choose(self, state: State) -> Move:
        """The move that the model answers. Raises `Fault` if even a rethink gives no legal one, and
        `Unavailable` if the provider fails, which says nothing about the model."""
        after, refusals = asyncio.run(self._asked(state))
        if after is None:
            raise Fault(refusals[-1])
        return after.moves[-1]

    async def _asked(self, state: State) -> tuple[State | None, list[str]]:
        talk: list[ChatMessage] = []
        async with offline(self._connected()) as model:

            async def say(text: str) -> str:
                talk.append(ChatMessageUser(content=text))
                try:
                    output = await model.generate(talk)
                except Exception as error:
                    said = printable(f"{type(error).__name__}: {error}", 100)
                    raise Unavailable(
                        f"The model {self._name!r} cannot be asked: {said}."
                    ) from None
                talk.append(output.message)
                return output.completion

            return await Asking().decided(state, say)

    def _connected(self) -> inspect_ai.model.Model:
        """The model with a new connection: one from another event loop would not work."""
        config = GenerateConfig(seed=self._seed, max_retries=MAX_RETRIES)
        return inspect_ai.model.get_model(self._name, config=config, memoize=False)


def offline(model: inspect_ai.model.Model) -> inspect_ai.model.Model:
    """A model that needs the network only for its answers. Inspect's mock would fetch a table to
    count tokens; it counts words instead."""

    async def words(text: str) -> int:
        return len(text.split())

    if ModelName(model).api == MOCK:
        model.api.count_text_tokens = words  # type: ignore[method-assign]
    return model
