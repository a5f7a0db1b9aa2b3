"""Game 224 of gg-bench: Sequence Duel."""

from numduel.agents.ggbench import TwoPlayers


class CustomEnv(TwoPlayers):
    """Sequence Duel, played by both players in turn."""

    kind = "sequence-duel"
