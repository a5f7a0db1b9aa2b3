"""What the solving processes answer."""

import subprocess
import sys

from numduel.learn import coach
from numduel.play.record import parse
from numduel.web.solving import tasks

RECORD = "Game: sequence-capture-factors\n\n6 3 9 18 2 4 8 16 1 5 10 20\n"


def test_a_report_tells_every_slip_and_those_of_its_reader_first() -> None:
    for seat in (1, 2):
        found, sent = coach.report(parse(RECORD), seat), tasks.report(RECORD, seat)
        told = {ply["number"]: ply["told"] for ply in sent["plies"] if ply["told"]}
        assert sent["slips"] == [ply.number for ply in found.slips]
        assert [told.pop(number) for number in sent["slips"]] == found.sentences(found.slips)
        assert not told


def test_solving_processes_do_not_import_the_web_framework() -> None:
    script = (
        "import sys, numduel.web.solving.solvers, numduel.web.solving.tasks\n"
        "print(sorted({'fastapi', 'numba', 'numpy', 'pydantic', 'sqlalchemy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert done.stdout == "[]\n"
