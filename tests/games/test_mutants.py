"""Break any line of a game's rules, and a second reading or the promises of games notice it."""

import inspect
import linecache
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import pytest
from tools.mutating import Mutation, mutations

import numduel
from numduel import Game
from numduel.games.build import BEGINNING
from numduel.solver.digests import reachable
from numduel.testing import check_game
from tests.games import RULEBOOKS
from tests.games.test_rules import SMALL, check_sequences, follow_every_line

MOST_LINES = 5_000
"""Lines of rules that no answer takes on a small board."""
MOST_QUESTIONS = 3_000_000
"""Questions to the rules that no check of a game takes."""


def functions(kind: type[Game]) -> list[FunctionType]:
    """The functions of a game's file that its rules are made of, helpers included."""
    rules = [*kind.rules, *(kind.chance if kind.has_deck else ())]
    found = reachable(*(rule for rule in rules if isinstance(rule, FunctionType)))
    return [function for function in found if function.__module__ == kind.__module__]


def rule_mutations(kind: type[Game]) -> Iterator[Mutation]:
    """Every small change to the rules of a game."""
    module = sys.modules[kind.__module__]
    source = inspect.getsource(module)
    lines = set[int]()
    for function in functions(kind):
        text, first = inspect.getsourcelines(function)
        lines.update(range(first, first + len(text)))
    file = Path(inspect.getfile(module)).name
    return (one for one in mutations(source, file) if one.line in lines)


def changed(kind: type[Game], mutation: Mutation) -> type[Game]:
    """The game with the changed rules."""
    module = ModuleType(kind.__module__)
    name = f"<{mutation}>"
    linecache.cache[name] = (len(mutation.source), None, mutation.source.splitlines(True), name)
    sys.modules[module.__name__], before = module, sys.modules[module.__name__]
    try:
        exec(compile(mutation.source, name, "exec"), vars(module))
    finally:
        sys.modules[module.__name__] = before
    found: type[Game] = getattr(module, kind.__name__)
    return found


class Endless(BaseException):
    """The rules have been followed for longer than any of these games takes; nobody catches it."""


class Watch:
    """Ends what has become endless: it counts the questions to the rules, and the lines that one
    answer takes. No clock decides."""

    def __init__(self, kind: type[Game]) -> None:
        self._file = kind.rules.legal.__code__.co_filename
        self._questions = self._lines = 0

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        sys.settrace(self._call)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _call(self, frame: FrameType, *_: object) -> Any:
        if frame.f_code.co_filename != self._file:
            return None
        asked_by = frame.f_back
        if asked_by is None or asked_by.f_code.co_filename != self._file:
            self._questions += 1
            self._lines = 0
        if self._questions > MOST_QUESTIONS:
            raise Endless
        return self._line

    def _line(self, frame: FrameType, event: str, answer: object) -> Any:
        self._lines += 1
        endless = event == "return" and isinstance(answer, int) and answer < 0  # as a set
        if self._lines > MOST_LINES or (endless and frame.f_code.co_name == "legal"):
            raise Endless
        return self._line


TOLD: list[tuple[str, dict[str, int], str, str]] = [
    ("duel", {}, "3 5 2 1 6 8 4", "numbers 2, 3, 4."),
    ("duel", {}, "1 4 2 7 5 8 3", "numbers 1, 2, 3."),
    ("duel", {}, "1 2 4 8 5 9 3", "numbers 1, 3, 5."),
]
"""Games whose end tells what does not decide who wins, but follows from the rules."""


def check_rules(kind: type[Game]) -> None:
    """What the tests of rules say of a game, on boards as small as still say it."""
    for name, settings in SMALL:
        if name == kind.name:
            follow_every_line(kind(**settings))
    for name, settings, moves, end in TOLD:
        if name == kind.name:
            outcome = kind(**settings).replay(moves).outcome
            assert outcome is not None
            assert outcome.reason.endswith(end)
    if kind.name == "capture":
        check_scoring(kind)
    if kind.name == "build":
        drawn = kind().start().draw(7)
        assert kind.rules.aliases is not None
        assert kind.rules.aliases(*drawn.position, drawn.game.variant) == 1 << BEGINNING
        helpers = {function.__name__: function for function in functions(kind)}
        check_sequences(helpers["length"], helpers["total"])
    check_game(kind, compiled=False)


def check_scoring(kind: type[Game]) -> None:
    """Scoring, also of sets that no line of play leads to, where sums may be equal."""
    rules, v = kind.rules, kind(n=5).variant
    sets = [some for size in range(4) for some in combinations(range(1, 6), size)]
    assert rules.margin is not None
    for own in sets:
        for other in sets:
            if set(own).isdisjoint(other) and (own or other):
                a, b = (sum(1 << number for number in some) for some in (own, other))
                mine, theirs = ((sum(some), max(some, default=0)) for some in (own, other))
                assert rules.result(a, b, v) == (1 if mine > theirs else -1)
                assert rules.margin(a, b, v) == mine[0] - theirs[0]


THE_SAME = {
    ("capture.py", "return 1 if own >= other else -1"),  # the sets share no number
    ("capture.py", "return 1 if ahead >= 0 else -1"),  # equal sums were decided before
    ("capture.py", "score = 1"),  # both sums are one higher
    ("build.py", "other = sequence(hands, 2, v)"),  # anything but 0 is the opponent
    ("build.py", "return 1 if mine >= theirs else -1"),  # what is equal was decided before
    ("line.py", "return 1 if mine >= theirs else -1"),  # equal lengths are decided below
    # Two runs do not begin with the same number.
    ("line.py", "return 1 if lowest(runs(own, mine)) <= lowest(runs(other, theirs)) else -1"),
    # A run is as long from its end, and equally long ones end in the order in which they begin.
    ("line.py", "numbers &= numbers << 1"),
    # A progression has a first number and a difference, or neither.
    ("duel.py", "if progression(other, v)[1]:"),
    ("duel.py", "return -1 if progression(other, v)[1] else 1"),
    ("duel.py", "difference = 1"),  # nobody asks for the difference where there is none
    # Differences that are too wide, or another for a single number, find nothing more.
    ("duel.py", "widest = (v.n - 1) * steps if steps else 1"),
    ("duel.py", "widest = (v.n + 1) // steps if steps else 1"),
    ("duel.py", "widest = (v.n - 1) // steps if steps else 2"),
    ("duel.py", "for d in range(1, widest + 2):"),
    ("factors.py", "return 1, 0"),  # bit 0 is no number
    ("factors.py", "while factor + factor <= current:"),  # more is tried, and nothing else found
}
"""Changes that change nothing, and why."""


@pytest.mark.proof
@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_change_to_the_rules_is_noticed(name: str) -> None:
    kind = type(numduel.game(name))
    check_rules(kind)
    unnoticed, tried = [], 0
    for mutation in rule_mutations(kind):
        tried += 1
        try:
            mutant = changed(kind, mutation)
            with Watch(mutant):
                check_rules(mutant)
        except (Exception, Endless):  # whatever it is, it was noticed
            continue
        if (mutation.file, mutation.after) not in THE_SAME:
            unnoticed.append(str(mutation))
    assert tried > 20
    assert unnoticed == []
