"""The clock of events, and how many transactions there were."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Begin the clock where the last entry was written, so that nobody loses time by the upgrade;
    entries now also say when they were written by the calendar."""
    op.add_column("event_log", sa.Column("written", sa.Float, nullable=True))
    op.execute("UPDATE event_log SET written = at")
    op.add_column("server", sa.Column("uptime", sa.Float, nullable=True))
    op.add_column("server", sa.Column("commits", sa.BigInteger, nullable=True))
    last = op.get_bind().execute(sa.text("SELECT max(at) FROM event_log")).scalar()
    began = sa.text("UPDATE server SET uptime = :began, commits = 0")
    op.get_bind().execute(began, {"began": last or time.time()})


def downgrade() -> None:
    """Drop them again."""
    for table, column in (("server", "commits"), ("server", "uptime"), ("event_log", "written")):
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)
