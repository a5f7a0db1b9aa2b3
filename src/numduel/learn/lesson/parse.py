"""How a lesson is written: Markdown that people read as it is.

The page begins with ``# TITLE``. Each step is a heading ``## 1. TITLE``, a few paragraphs or lists,
the board as the prompt shows it (in a fence of its own, if it is shown), and a fence called
``duel`` with one ``key: value`` a line::

    variant   the settings, such as ``n=12 k=5``; without it, those of the default game
    first     the seat that begins, if it is not 1
    after     the moves that led to the position; without it, the start
    task      what to do
    idea      the name of the idea that finds the right moves; its nudge is told after a wrong try
    nudge     another nudge, or one where no idea is named
    right     what is said after a right try
    legal     exactly the legal moves: each of them is accepted
    win       exactly the moves that win
    best      exactly the moves with the best chance to win, where there is a deck
    prefer    exactly the moves that the idea prefers, where it does not find all that are right
    beat      a level of the computer: a whole game, in seat 1
    strategy  how to beat it: the first move, if it is named, and the names of ideas in turn, or
              pairs of numbers, such as ``2-3``, that are answered with each other
    answer    the number of the right answer: a question without a board, whose text ends with the
              list of answers

A step has ``task`` and one of ``legal``, ``win``, ``best``, ``prefer``, ``beat`` and ``answer``.
A page in another language, ``lessons/de/NAME.md``, has the same steps and positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.ideas import Idea
from numduel.core.state import Move, State
from numduel.core.text import printable, read_settings, whole_number
from numduel.learn.ideas import idea_named, vocabulary
from numduel.learn.lesson.steps import MOST_ANSWERS, Kind, Lesson, Step, Text, fail
from numduel.learn.strategies import Strategy
from numduel.play.players import LEVELS

KINDS: tuple[Kind, ...] = ("legal", "win", "best", "prefer", "beat", "answer")
KEYS = ("variant", "first", "after", "task", "idea", "nudge", "right", *KINDS, "strategy")
FENCE = "```"
HEADING = re.compile(r"## ([0-9]+)\. (\S.*)")
PAIR = re.compile(r"\b([0-9]+)-([0-9]+)\b")
ITEM = re.compile(r"(?:[0-9]+\.|-) (\S.*)")


class Line(NamedTuple):
    """A line of the page, and its number."""

    number: int
    text: str


class Part(NamedTuple):
    """A heading and the lines below it."""

    heading: Line
    lines: list[Line]


def parse(game: Game, page: str) -> Lesson:
    """The lesson of a game from its page; `BadLesson` names the first line that is wrong."""
    parts = list(_parts(game, page))
    if not parts or not parts[0].heading.text.startswith("# "):
        fail(game, 1, "a lesson begins with # and its title")
    (title, lines), *rest = parts
    text, fences = _blocks(game, lines)
    if fences:
        fail(game, fences[0][0].number, "a position belongs to a step")
    if not rest:
        fail(game, title.number, "a lesson has at least one step, ## 1. and its title")
    steps = tuple(_step(game, number, part) for number, part in enumerate(rest, 1))
    return Lesson(game, title.text[2:].strip(), _text(text), steps)


# -- the page -------------------------------------------------------------------------------


def _parts(game: Game, page: str) -> Iterator[Part]:
    """The page cut at its headings."""
    part, fenced = None, False
    for number, text in enumerate(page.splitlines(), 1):
        line = Line(number, text.rstrip())
        if text.startswith("#") and not fenced:
            if part is not None:
                yield part
            part = Part(line, [])
        elif part is not None:
            part.lines.append(line)
        elif line.text:
            return
        fenced ^= text.startswith(FENCE)
    if fenced:
        fail(game, number, "a fence is not closed")
    if part is not None:
        yield part


Fence = tuple[Line, list[Line]]
"""The line that opens a fence, and the lines within."""


def _blocks(game: Game, lines: list[Line]) -> tuple[list[Line], list[Fence]]:
    """The blocks of text under a heading, one line each (an empty one between paragraphs), and its
    fences, which come last."""
    text: list[Line] = []
    fences: list[Fence] = []
    rest = iter(lines)
    for line in rest:
        if line.text.startswith(FENCE):
            inside: list[Line] = []
            for within in rest:
                if within.text.startswith(FENCE):
                    break
                inside.append(within)
            fences.append((line, inside))
        elif line.text and fences:
            fail(game, line.number, "the text of a step stands before its position")
        else:
            text.append(line)
    return _joined(text), fences


def _joined(lines: list[Line]) -> list[Line]:
    """Paragraphs and items of lists, each on one line."""
    found: list[Line] = []
    for line in lines:
        if line.text and found and found[-1].text and not ITEM.match(line.text):
            found[-1] = Line(found[-1].number, f"{found[-1].text} {line.text.strip()}")
        else:
            found.append(line)
    return found


def _text(blocks: list[Line]) -> Text:
    """Paragraphs, and lists as tuples of their items."""
    found: list[str | tuple[str, ...]] = []
    for block in blocks:
        item = ITEM.match(block.text)
        if item is None:
            found += [block.text] if block.text else []
        elif found and isinstance(found[-1], tuple):
            found[-1] = (*found[-1], item[1])
        else:
            found.append((item[1],))
    return tuple(found)


# -- a step ---------------------------------------------------------------------------------


def _step(game: Game, number: int, part: Part) -> Step:
    heading, lines = part
    title = HEADING.fullmatch(heading.text)
    if title is None or int(title[1]) != number:
        fail(game, heading.number, f"the heading of this step is written ## {number}. and a title")
    blocks, fences = _blocks(game, lines)
    *boards, last = fences or [(heading, [])]
    if last[0].text != f"{FENCE}duel":
        fail(game, last[0].number, "a step ends with a position, in a fence called duel")
    if len(boards) > 1 or (boards and boards[0][0].text != FENCE):
        fail(game, boards[-1][0].number, "before a position there is at most one board")
    fields = _fields(game, last)
    reader = Fields(game, last[0].number, fields)
    return reader.step(
        title[2],
        _text(blocks),
        tuple(line.text for line in boards[0][1]) if boards else None,
    )


def _fields(game: Game, fence: Fence) -> dict[str, Line]:
    """The values in a position, by their keys."""
    found: dict[str, Line] = {}
    for number, text in fence[1]:
        key, colon, value = text.partition(":")
        if not colon or key not in KEYS or not value.strip():
            fail(game, number, f"{printable(text, 40)!r} is not one of {', '.join(KEYS)}")
        if key in found:
            fail(game, number, f"{key} is given twice")
        found[key] = Line(number, value.strip())
    return found


class Fields:
    """The fields of one position, read in turn."""

    def __init__(self, game: Game, line: int, fields: dict[str, Line]) -> None:
        self.page = game
        self.line = line
        self.fields = fields

    def step(self, title: str, text: Text, board: tuple[str, ...] | None) -> Step:
        """The step of these fields."""
        kinds = [kind for kind in KINDS if kind in self.fields]
        if len(kinds) != 1:
            fail(self.page, self.line, f"a step has one of {', '.join(KINDS)}")
        if "task" not in self.fields:
            fail(self.page, self.line, "a step has a task")
        kind, state = kinds[0], self._state()
        idea = self._idea()
        nudge = self._value("nudge") or (idea.nudge if idea else "")
        if kind not in ("legal", "beat") and not nudge:
            fail(self.page, self.line, "a step names an idea, or has a nudge")
        if kind == "prefer" and idea is None:
            fail(self.page, self.line, "prefer needs an idea")
        whole, question = kind == "beat", kind == "answer"
        if "strategy" in self.fields and not whole:
            fail(self.page, self.fields["strategy"].number, "a strategy is for a whole game")
        return Step(
            title,
            text,
            self._value("task"),
            state,
            kind,
            () if whole or question else self._moves(kind, state),
            idea,
            nudge,
            self._value("right"),
            self._level() if whole else "",
            self._plan(state) if whole else None,
            board,
            self._right_answer(text, board) if question else 0,
        )

    def _value(self, key: str) -> str:
        return self.fields[key].text if key in self.fields else ""

    def _state(self) -> State:
        """The position: the game after some moves, with a move to make."""
        kind = type(self.page)
        line, key = self.line, "variant"
        try:
            game = kind(**read_settings(self._value("variant").split()))
            key = "first"
            first = whole_number(self._value("first") or "1")
            state = game.start(first=first or 0)
            key = "after"
            for token in self._value("after").split():
                state = state.apply_token(token)
        except NumduelError as error:
            line = self.fields[key].number if key in self.fields else line
            fail(self.page, line, str(error).rstrip("."))
        if not (state.mask or "beat" in self.fields or "answer" in self.fields):
            line = self.fields["after"].number if "after" in self.fields else line
            fail(self.page, line, "here is no move to make")
        return state

    def _moves(self, kind: Kind, state: State) -> tuple[Move, ...]:
        number, text = self.fields[kind]
        try:
            return tuple(state.play(move).moves[-1] for move in text.split())
        except NumduelError as error:
            fail(self.page, number, str(error).rstrip("."))

    def _right_answer(self, text: Text, board: tuple[str, ...] | None) -> int:
        number, right = self.fields["answer"]
        answers = text[-1] if text else ""
        if not isinstance(answers, tuple) or not 2 <= len(answers) <= MOST_ANSWERS:
            fail(self.page, number, f"a question ends with a list of 2 to {MOST_ANSWERS} answers")
        if board is not None or "after" in self.fields:
            fail(self.page, number, "a question has no board")
        found = whole_number(right) or 0
        if not 1 <= found <= len(answers):
            fail(self.page, number, f"the right answer is one of 1 to {len(answers)}")
        return found

    def _idea(self) -> Idea | None:
        return self._named(self.fields["idea"]) if "idea" in self.fields else None

    def _named(self, field: Line) -> Idea:
        found = idea_named(self.page, field.text)
        if found is None:
            known = [idea.name for idea in vocabulary(self.page)]
            fail(
                self.page,
                field.number,
                f"there is no idea {printable(field.text, 20)!r}; there are {', '.join(known)}",
            )
        return found

    def _level(self) -> str:
        number, level = self.fields["beat"]
        if level not in LEVELS:
            fail(self.page, number, f"whom to beat is one of {', '.join(LEVELS)}")
        return level

    def _plan(self, state: State) -> Strategy | None:
        if "strategy" not in self.fields:
            return None
        number, text = self.fields["strategy"]
        pairs = tuple((int(one), int(two)) for one, two in PAIR.findall(text))
        given = PAIR.sub("", text).split()
        named = [whole_number(word) for word in given]
        first = tuple(one for one in named if one is not None)
        words = given[len(first) :]
        ideas = tuple(self._named(Line(number, word)) for word in words)
        opening: int | tuple[int, ...] | None = None
        if state.game.has_deck:
            opening = first or None
        elif first:
            opening = first[0]
            if not state.mask >> max(opening, 0) & 1:
                fail(self.page, number, f"nobody can open with {opening}")
        seat = 1 if state.to_move == 1 else 2
        return Strategy(state.game, seat, opening, ideas, pairs)
