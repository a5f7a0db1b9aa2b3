"""Logs that are folded in memory, pushed to watchers, and kept in step in all processes."""
