"""Events: many people play at once, and are paired again and again."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables of events, and let a game belong to one."""
    op.create_table(
        "events",
        sa.Column("code", sa.String(6), primary_key=True),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("events_host", "events", ["host"], unique=True)
    op.create_table(
        "event_log",
        sa.Column("event", sa.String(6), sa.ForeignKey("events.code"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("event", "number"),
    )
    # Two entries of an event say whether it goes on: the others are not looked at for that.
    some = sa.text("kind IN ('start', 'end')")
    op.create_index(
        "event_log_course", "event_log", ["event", "kind"], sqlite_where=some, postgresql_where=some
    )
    op.add_column("games", sa.Column("event", sa.String(6), nullable=True))
    # Most games belong to none, and must not pay for this index.
    some = sa.text("event IS NOT NULL")
    op.create_index("games_event", "games", ["event"], sqlite_where=some, postgresql_where=some)


def downgrade() -> None:
    """Drop them again."""
    op.drop_index("games_event", "games")
    op.drop_column("games", "event")
    op.drop_table("event_log")
    op.drop_table("events")
