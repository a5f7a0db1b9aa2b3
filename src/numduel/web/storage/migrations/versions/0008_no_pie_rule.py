"""The pie rule has gone, and with it the games that were played by it."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Drop those games and the column."""
    for table in ("log", "seats"):
        op.execute(f"DELETE FROM {table} WHERE game IN (SELECT id FROM games WHERE pie)")
    op.execute("DELETE FROM games WHERE pie")
    op.drop_column("games", "pie")


def downgrade() -> None:
    """Add the column again."""
    op.add_column("games", sa.Column("pie", sa.Boolean, nullable=False, server_default=sa.false()))
