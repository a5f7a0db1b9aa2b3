"""Facts about a whole game, computed over every position, never sampled."""

from __future__ import annotations

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.lab.audit.endings import sentence
from numduel.lab.audit.findings import Audit, Decisions, Ending, Opening
from numduel.solver.values import Report, TooLarge, unreported

__all__ = ["Audit", "Decisions", "Ending", "Opening", "Report", "audit", "sentence"]


def audit(game: Game, report: Report = unreported) -> Audit:
    """Audit a game; `BadVariant` if it has too many positions for this machine's memory."""
    try:
        if game.has_deck:
            from numduel.lab.audit.decks import DeckAudit

            return DeckAudit(game, report).audit()
        from numduel.lab.audit.plies import PlyAudit

        return PlyAudit(game, report).audit()
    except (TooLarge, MemoryError) as error:
        why = str(error) or "it has too many positions"
        raise BadVariant(f"{game} cannot be audited: {why}. Choose smaller numbers.") from None
