"""The PettingZoo environment of sequence-capture-factors."""

from typing import Any

from numduel.agents.pettingzoo import DuelAEC, wrapped


class raw_env(DuelAEC):  # noqa: N801 (the name that PettingZoo's environments have)
    """The environment as it is."""

    def __init__(self, *, render_mode: str | None = None, **variant: object) -> None:
        super().__init__("sequence-capture-factors", render_mode=render_mode, **variant)


def env(**settings: Any) -> Any:
    """The environment in the wrapper that checks the order of calls."""
    return wrapped(raw_env(**settings))
