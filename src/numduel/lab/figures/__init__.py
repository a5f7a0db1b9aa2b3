"""Charts and report pages: HTML and SVG without scripts, complete in one file.

The classes here (`Text`, `Table`, …) say what is shown, ``templates/`` how it looks.
Colours follow the reader's light or dark setting, and no chart needs colour to be understood.
Jinja2 is imported when something is drawn.
"""

from numduel.lab.figures.charts import Interval, IntervalChart, Point, ScatterChart
from numduel.lab.figures.page import NONE, Block, Code, Table, Text, page, with_interval

__all__ = [
    "NONE", "Block", "Code", "Interval", "IntervalChart", "Point", "ScatterChart", "Table",
    "Text", "page", "with_interval",
]  # fmt: skip
