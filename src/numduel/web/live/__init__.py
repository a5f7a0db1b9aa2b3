"""Logs folded in memory, pushed to watchers, and kept the same in all processes."""
