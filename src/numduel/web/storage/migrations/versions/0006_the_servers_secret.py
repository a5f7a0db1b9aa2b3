"""The server's secret, with which it signs what it sends to browsers and reads again."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table of the secret, and the secret."""
    table = op.create_table("server", sa.Column("secret", sa.String(64), primary_key=True))
    op.bulk_insert(table, [{"secret": secrets.token_urlsafe(32)}])


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("server")
