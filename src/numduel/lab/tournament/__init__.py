"""Tournaments: round robins among any players, seeded, resumable, and judged exactly.

`entrants` says who can take part; those that others have written are asked by the lines of
`protocol` in a `child` process, which for players in Python runs `player` and is kept by `hosts`.
`openings` says how games begin, `jobs` plays one, `journal` writes the results to a file, `runner`
plays all games on some cores or on a cluster, `standings` and `ratings` compute what the results
say, and `report` prints that as tables and as a page.
"""
