"""Storage: the `database`, its `writer` (one thread, shared commits), the tables of `schema`."""
