"""Games being played, and what is kept of them.

`players` are the computer players, `match` is a game being played, `score` that of several games,
`record` the text of a game, `store` where games are saved, and `statistics` counts wins.
"""
