"""A browser's key proves its seats in all games: they can be found by it, and it can be carried to
another device."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the indexes of tokens, and the table of links."""
    op.create_index("seats_token", "seats", ["token"])
    # Few entries have one: a move must not pay for this index.
    some = sa.text("token IS NOT NULL")
    op.create_index("log_token", "log", ["token"], sqlite_where=some, postgresql_where=some)
    op.create_table(
        "device_links",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("used_by", sa.String(64), nullable=True),
    )
    op.create_index("device_links_secret", "device_links", ["secret"], unique=True)


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("device_links")
    op.drop_index("log_token", "log")
    op.drop_index("seats_token", "seats")
