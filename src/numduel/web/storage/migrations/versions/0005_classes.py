"""Classes that last for a term."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables of classes."""
    op.create_table(
        "classes",
        sa.Column("code", sa.String(5), primary_key=True),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("classes_host", "classes", ["host"], unique=True)
    op.create_table(
        "class_log",
        sa.Column("classroom", sa.String(5), sa.ForeignKey("classes.code"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("pupil", sa.Integer, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("token", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("classroom", "number"),
    )
    # Few entries are about a browser, and whose it is, is asked often.
    some = sa.text("token IS NOT NULL")
    op.create_index(
        "class_log_token", "class_log", ["token"], sqlite_where=some, postgresql_where=some
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("class_log")
    op.drop_table("classes")
