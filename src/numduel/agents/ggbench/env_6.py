"""Game 6 of gg-bench: Sequence Build."""

from numduel.agents.ggbench import WithCards


class CustomEnv(WithCards):
    """Sequence Build, played by both players in turn."""

    kind = "sequence-build"
