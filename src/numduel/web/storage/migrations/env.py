"""How Alembic reaches the database: over the connection that the server gives it."""

from alembic import context

from numduel.web.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
