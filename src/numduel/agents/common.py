"""What all environments share: how states, moves and chance look to an agent.

An action is a move's bit less one: where moves are numbers, action 0 is the number 1; where cards
are played, it is the first way to play one. A forced pass is not a decision, so it is made at once.
Cards are drawn only when they are due, so there is no deck order to leak.
"""

from __future__ import annotations

import sys
from copy import deepcopy
from operator import index
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from numduel.core.game import Game, numbers
from numduel.core.rules import Position
from numduel.core.state import Move, State
from numduel.core.view import view
from numduel.lab.batch import observation_type


class Unforeseen:
    """An environment whose copies and pickles have luck of their own: in one that drew the same
    cards and moved the same opponent, an agent could look ahead at what will come."""

    LUCK: ClassVar[tuple[str, ...]] = ("_np_random", "_np_random_seed")
    """The attributes that chance comes from; Gymnasium makes its own anew."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self.LUCK}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._draw_anew()

    def __copy__(self) -> Self:
        """A deep copy: what a shallow one did would change the original."""
        return deepcopy(self)

    def _draw_anew(self) -> None:
        """Replace what chance comes from."""


def passed(state: State) -> State:
    """The state after the passes that the rules force."""
    while state.forced_pass:
        state = state.play("pass")
    return state


def env_name(game: Game | type[Game]) -> str:
    """The name of a game's environments: ``NumberCapture``."""
    return "".join(part.capitalize() for part in game.id.split("-"))


def add_module(package: str, name: str, doc: str, *members: Any) -> None:
    """Add a module without a file, with these classes and functions, to another module."""
    module = ModuleType(f"{package}.{name}", doc)
    for member in members:
        member.__module__, member.__qualname__ = module.__name__, member.__name__
        setattr(module, member.__name__, member)
    sys.modules[module.__name__] = module
    setattr(sys.modules[package], name, module)


def reached(state: State, position: Position) -> State:
    """The state at the next decision. Its position is known, and with it the drawn card."""
    state = passed(state)
    for card in state.draws:
        if state.game.chance.draw(*state.position, card, state.game.variant) == position:
            return state.draw(card)
    return state


def legal(state: State) -> list[int]:
    """The legal actions; a move with two names has two."""
    game, bits = state.game, state.mask & ~1
    if bits and game.rules.aliases is not None:
        bits |= game.rules.aliases(*state.position, game.variant)
    return [bit - 1 for bit in numbers(bits)]


def mask(state: State) -> NDArray[np.int8]:
    """1 for each legal action, 0 for each other."""
    found = np.zeros(state.game.bounds.actions, np.int8)
    found[legal(state)] = 1
    return found


def move(state: State, action: object) -> Move | None:
    """The move that an action stands for; None if it is illegal, or not a whole number."""
    chosen = number(action)
    return state.game.moves(2 << chosen, state)[0] if chosen in legal(state) else None


def number(action: object) -> int:
    """An action as a Python integer; -1, which is never legal, if it is not a whole number."""
    try:
        return index(action)  # type: ignore[arg-type]
    except Exception:  # it may be any object
        return -1


def action(state: State, move: Move) -> int:
    """The action of a legal move."""
    return state.game.code(move) - 1


def observe(state: State, seat: int) -> NDArray[Any]:
    """The observation of the player in a seat, whoever is to move."""
    game = state.game
    row = game.observation.row(*state.position, state.to_move == seat, game.variant)
    return np.array(row, observation_type(game))


def words(state: State, forfeit: int = 0) -> str:
    """The state in words: the board, the drawn card, and who is to move or who won. `forfeit` is
    the seat that lost by an illegal action; 0 if none did."""
    seen = view(state)
    lines = state.game.board(seen)
    if seen.card is not None:
        lines.append(f"Drawn card: {seen.card}")
    if forfeit:
        seen = seen._replace(winner=3 - forfeit)
        lines.append(f"{seen.name(forfeit)} chose an illegal action.")
    return "\n".join([*lines, seen.status])
