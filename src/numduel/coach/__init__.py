"""What a move is worth in words, and what became of a whole game.

`hints` speaks about one move, `reports` judges every move of a game, and `chart` draws how a game
went. All of it follows from the solver's values; nothing is printed here, and nothing is read.
"""

from numduel.coach.chart import Chart
from numduel.coach.hints import hint, legend, percent, signed, table, why
from numduel.coach.reports import Ply, Report, report

__all__ = [
    "Chart",
    "Ply",
    "Report",
    "hint",
    "legend",
    "percent",
    "report",
    "signed",
    "table",
    "why",
]
