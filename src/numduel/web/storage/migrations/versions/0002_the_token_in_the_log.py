"""The hash of a token is part of its entry: people who ask for a seat have one before a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column, with the tokens of those who have joined."""
    op.add_column("log", sa.Column("token", sa.String(64), nullable=True))
    op.execute(
        "UPDATE log SET token = (SELECT seats.token FROM seats"
        " WHERE seats.game = log.game AND seats.seat = log.seat) WHERE kind = 'join'"
    )


def downgrade() -> None:
    """Put those tokens back to the seats, and drop the column."""
    op.execute(
        "UPDATE seats SET token = (SELECT log.token FROM log WHERE log.game = seats.game"
        " AND log.seat = seats.seat AND log.kind = 'join') WHERE invite IS NOT NULL"
    )
    op.drop_column("log", "token")
