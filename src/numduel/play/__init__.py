"""Who plays, what is written down of it, and what is kept.

`players` can sit in a seat, `match` is a game being played, `score` says who wins several, `record`
is the text of a game, `store` where it is kept, and `statistics` what somebody's games come to.
"""
