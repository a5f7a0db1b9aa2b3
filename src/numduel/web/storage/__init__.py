"""What is kept: `database` (the logs), its `writer` (one thread, shared commits), the tables of
`schema` and their `migrations`."""
