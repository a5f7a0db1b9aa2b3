"""Positions with exact answers, to train on and to test with.

>>> import numduel
>>> from numduel.lab.dataset import draw
>>> splits = draw(numduel.game("duel"), 20, seed=1, weights={"train": 4, "test": 1})
>>> {name: len(rows) for name, rows in splits.items()}
{'train': 16, 'test': 4}
>>> row = splits["test"][0]
>>> row["history"], row["legal_moves"], row["regrets"]
('5 3', ['1', '2', '4', '6', '7', '8', '9'], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0])
>>> row["phase"], row["ideas"], row["grade"]
('early', ['chances'], 2)
"""

from numduel.lab.dataset.drawing import draw
from numduel.lab.dataset.files import Part, write
from numduel.lab.dataset.rows import COLUMNS, Row
from numduel.lab.dataset.splits import CANARY, SPLITS, held_out, read_weights, split_of

__all__ = [
    "CANARY",
    "COLUMNS",
    "SPLITS",
    "Part",
    "Row",
    "draw",
    "held_out",
    "read_weights",
    "split_of",
    "write",
]
