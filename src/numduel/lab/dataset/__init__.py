"""Positions with exact answers, to train on and to test with.

>>> import numduel
>>> from numduel.lab.dataset import draw
>>> splits = draw(numduel.game("duel"), 20, seed=1, weights={"train": 4, "test": 1})
>>> {name: len(rows) for name, rows in splits.items()}
{'train': 16, 'test': 4}
>>> row = splits["test"][0]
>>> row["history"], row["legal_moves"], row["regrets"]
('5 9 4 7 1', ['2', '3', '6', '8'], [1.0, 1.0, 1.0, 0.0])
>>> row["phase"], row["ideas"], row["grade"]
('middle', ['win'], 1)
"""

from numduel.lab.dataset.files import Part, write
from numduel.lab.dataset.rows import COLUMNS, Row
from numduel.lab.dataset.splits import draw, read_weights

__all__ = ["COLUMNS", "Part", "Row", "draw", "read_weights", "write"]
