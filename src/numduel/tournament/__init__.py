"""Tournaments: round robins among any players, seeded, resumable, and judged exactly.

`entrants` says who can take part, `jobs` plays one game, `journal` keeps the results as they come,
`runner` plays all of them on some cores or on a cluster, `standings` and `ratings` make numbers of
the results, and `report` makes tables and a page of the numbers.
"""
