"""What a move is worth in words, and what became of a whole game.

`hints` helps in a position, `cause` says which idea tells right moves from wrong ones, `explain`
which move to recommend and which ideas lead to it, `plies` judges one move of a game and `reports`
all of them, `chart` draws how a game went, and `words` has what a value is called. All of it
follows from the rules and the solver's values; nothing is printed here, and nothing is read.
"""

from numduel.learn.coach.chart import Chart
from numduel.learn.coach.explain import why
from numduel.learn.coach.hints import Hint, hint, table
from numduel.learn.coach.plies import Ply
from numduel.learn.coach.reports import Report, report
from numduel.learn.coach.words import legend, outlook, percent, short, worth

__all__ = [
    "Chart", "Hint", "Ply", "Report", "hint", "legend", "outlook", "percent", "report", "short",
    "table", "why", "worth",
]  # fmt: skip
