"""Game 616 of gg-bench: Sequence Capture (factors and multiples)."""

from numduel.agents.ggbench import WithCurrentNumber


class CustomEnv(WithCurrentNumber):
    """Sequence Capture (factors and multiples), played by both players in turn."""

    kind = "sequence-capture-factors"
