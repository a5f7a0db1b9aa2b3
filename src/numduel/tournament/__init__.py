"""Tournaments: round robins among any players, seeded, resumable, and judged exactly.

`entrants` says who can take part, `jobs` plays one game, `journal` writes the results to a file,
`runner` plays all games on some cores or on a cluster, `standings` and `ratings` compute what the
results say, and `report` prints that as tables and as a page.
"""
