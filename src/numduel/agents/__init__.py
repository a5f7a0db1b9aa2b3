"""The games as environments for agents, and as tasks for language models."""
