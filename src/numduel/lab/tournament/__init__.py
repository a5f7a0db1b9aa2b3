"""Tournaments: round robins among any players, repeatable, resumable, and judged exactly.

`entrants` says who can take part, `openings` how games begin; `jobs` plays a game, `file` keeps the
results, `runner` plays all games on some cores, `standings` and `ratings` evaluate the results, and
`report` puts them into tables.
"""
