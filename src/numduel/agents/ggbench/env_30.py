"""Game 30 of gg-bench: Sequence Capture (four in a row)."""

from numduel.agents.ggbench import TwoPlayers


class CustomEnv(TwoPlayers):
    """Sequence Capture (four in a row), played by both players in turn."""

    kind = "sequence-capture-line"
