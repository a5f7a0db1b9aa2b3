"""Stepping through a recorded game, or jumping to a move of it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from numduel.core.errors import BadVariant
from numduel.core.text import printable, whole_number
from numduel.core.view import view
from numduel.play.record import Record, read
from numduel.terminal.options import Json, Plain, Which
from numduel.terminal.picker import pick
from numduel.terminal.screen import NO_BREAK, Screen
from numduel.terminal.waiting import waited

STEPS = {"": 1, "n": 1, "next": 1, "b": -1, "back": -1, "p": -1, "previous": -1}
LEAVE = ("q", "quit", "exit")
VALUES = ("v", "values")


def replay(
    which: Which = None,
    at: Annotated[
        str | None, typer.Option(metavar="MOVE", help="Start at the position after this move.")
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Step through a game, move by move."""
    screen = Screen(plain=plain)
    path = pick(screen, which, "replay")
    if path is None:
        return
    record = read(path)
    if as_json:
        print(json.dumps(record.json()))
    else:
        step_through(record, screen, at)


def step_through(record: Record, screen: Screen, at: str | None = None) -> None:
    """Show a game move by move, from the position after move `at`. Through a pipe, show all of it
    at once, or that position alone."""
    last = len(record.states) - 1
    start = 0 if at is None else whole_number(at)
    if start is None or not 0 <= start <= last:
        given = printable(at or "", 20)
        raise BadVariant(f"--at must be a move from 0 to {last}, not {given!r}.")
    Replay(record, screen, start).run(alone=at is not None)


class Replay:
    """A recorded game, and the place in it that a person looks at."""

    def __init__(self, record: Record, screen: Screen, at: int) -> None:
        self.record = record
        self.screen = screen
        self.at = at
        self.last = len(record.states) - 1
        screen.tell_apart(record.names, record.game.markers)

    def run(self, *, alone: bool) -> None:
        """Show the first position, then what the person asks for, or the rest of the game."""
        self._show(*([] if alone else self.record.game.welcome()))
        if not self.screen.interactive:
            while self.at < self.last and not alone:
                self.at += 1
                self.screen.say("")
                self._show()
            return
        try:
            while self._go():
                pass
        except (EOFError, KeyboardInterrupt):
            self.screen.say("")

    def _go(self) -> bool:
        """Ask how to go on, and do it; False if the person leaves."""
        ended = self.at == self.last
        question = f"Enter: next move, b: back, 0-{self.last}: jump, v: values, q: leave > "
        if ended:
            question = f"Enter: leave, b: back, 0-{self.last}: jump, v: values > "
        answer = self.screen.ask(question.replace(": ", f":{NO_BREAK}")).strip().lower()
        number = whole_number(answer)
        if answer in LEAVE or (ended and not answer):
            return False
        if answer in VALUES:
            self._values()
            return True
        if number is not None and 0 <= number <= self.last:
            self.at = number
        elif answer in STEPS:
            self.at = min(self.last, max(0, self.at + STEPS[answer]))
        else:
            self.screen.fail(
                f"Please press Enter, or type b, v, q or a move from 0 to {self.last}."
            )
            return True
        self.screen.say("")
        self._show()
        return True

    def _values(self) -> None:
        from numduel.learn.coach import table
        from numduel.learn.coach.words import WIDTH

        state, width = self.record.states[self.at], min(WIDTH, self.screen.width)
        if state.legal_moves:
            self.screen.say_values(*waited(lambda: table(state, width)))
        else:
            self.screen.say("There is no move to make here.")

    def _show(self, *lines: str) -> None:
        """Show the last move, the board, and the result if it is the end."""
        state, game = self.record.states[self.at], self.record.game
        seen, told = view(state, self.record.names), [*lines]
        if not state.moves:
            told += game.board(seen)
        else:
            did = game.does(game.worded_moves(state)[-1])
            number, name = len(state.moves), seen.name(seen.mover)
            told.append(f"Move {number}: {name} {did}.")
            if state.fault is None and not state.resigned:
                told += game.move_lines(seen)
            if state.outcome is not None:
                told += ["", *game.closing(seen)]
        self.screen.say_board(told, seen.cells)
