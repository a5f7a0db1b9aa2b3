"""The games as environments for agents and as tasks for language models.

`common` is what the environments share, `asking` how language models are asked, `rewards` what
trivial rules would be rewarded with; `results` and `report` read logs and make a page of them.
"""
