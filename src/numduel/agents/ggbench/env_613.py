"""Game 613 of gg-bench: Number Capture."""

from numduel.agents.ggbench import TwoPlayers


class CustomEnv(TwoPlayers):
    """Number Capture, played by both players in turn."""

    kind = "number-capture"
