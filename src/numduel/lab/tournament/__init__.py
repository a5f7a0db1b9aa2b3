"""Tournaments: round robins among any players, seeded, resumable, and judged exactly.

`entrants` says who can take part. Other people's players are asked in the lines of `protocol`, in a
`child` process; for players in Python that runs `player`, and `hosts` keeps it for further games.
`openings` says how games begin, `jobs` plays one, `journal` keeps the results in a file, `runner`
plays all games on some cores or on a cluster, `standings` and `ratings` evaluate the results, and
`report` prints them as tables and as a page.
"""
