"""What is known of a game, put into words.

`ideas` are what a person sees in a position; `strategies`, `coach`, `lesson` and `puzzle` are made
of them. `streaks` are days in a row.
"""
