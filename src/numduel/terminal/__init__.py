"""The prompt: the games as their rulebooks show them, in a terminal or through a pipe."""
