"""The games as environments for agents and as tasks for language models.

`common` is what the environments share, `asking` how language models are asked.
"""
