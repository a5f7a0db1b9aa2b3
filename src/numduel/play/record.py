"""Games as text: the ``.duel`` record, which people can read, and which is checked when it is read.

Format: 1
Game: sequence-duel
Variant: n=9 k=3
First: 1
Player 1: human
Player 2: random
Help: hint undo
Date: 2026-11-15 10:30:00
Result: 1

4 6 5 7 3

``Help`` names the help that a player had, if any: hints, the values of moves, and moves taken back.
A record without ``Format`` is one of 0.1 or 0.2, or was written by hand; it is read as format 1.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from numduel.core.errors import BadRecord, BadVariant, IllegalMove, UnknownGame
from numduel.core.game import Game
from numduel.core.language import ENGLISH, N_, _, speaking
from numduel.core.state import RESIGNATIONS, State
from numduel.core.text import (
    DEFAULT_NAMES,
    HUMAN,
    MAX_NAME,
    both,
    player_names,
    printable,
    read_settings,
    whole_number,
)
from numduel.core.view import view
from numduel.games import game
from numduel.system import NO_WAIT

MAX_BYTES = 1 << 16
"""The longest game, of a thousand moves, is far smaller."""
FORMAT = "1"
"""The version of this notation. Another one is refused: its moves may mean something else."""
MATCH = "Match"
"""The header of 1.0 that says which games of a match of two came before."""
KEYS = (
    "Format",
    "Game",
    "Variant",
    "First",
    "Player 1",
    "Player 2",
    "Name 1",
    "Name 2",
    "Rules",
    "Seat",
    "Online",
    "Seed",
    "Deck",
    MATCH,
    "Help",
    "Next",
    "Date",
    "Result",
)
"""``Next`` was written by version 0.1; it is only checked."""
MAX_ADDRESS = 200
"""Characters of the address of a game."""
UNFINISHED = "*"
NOT_MOVES = ("pass", *RESIGNATIONS)
"""What stands among the moves, but was not decided on the board."""
FORGIVING = "forgiving"
"""The house rule that a record may name."""
PIE = "pie"
"""A house rule of 1.0: the first move could be answered with ``swap``."""
HELP = ("hint", "values", "undo")
"""What a player may have had help from: hints, the values of moves, and moves taken back."""
NO_HELP: frozenset[str] = frozenset()
ADDRESS = {
    "game": "Game", "variant": "Variant", "first": "First", "name1": "Name 1", "name2": "Name 2",
}  # fmt: skip
"""The headers, by their names in an address."""


@dataclass(frozen=True)
class Record:
    """A game, finished or not, with who played it and when."""

    states: tuple[State, ...]
    """Every state, from the start to the last."""
    players: tuple[str, str] = ("human", "human")
    names: tuple[str, str] = DEFAULT_NAMES
    forgiving: bool = False
    seed: int | None = None
    """The seed that the players asked for."""
    deck: tuple[int, ...] | None = None
    """The deck that the players wrote by hand."""
    help: frozenset[str] = NO_HELP
    """Which of `HELP` was used, as far as it is known."""
    seat: int | None = None
    """Where the person of this machine sat in a game that was played online."""
    online: str = ""
    """The address of that game, without any secret."""
    date: datetime | None = field(default_factory=lambda: datetime.now().replace(microsecond=0))

    @property
    def state(self) -> State:
        """The last state."""
        return self.states[-1]

    @property
    def game(self) -> Game:
        """The game and its variant."""
        return self.state.game

    @property
    def person(self) -> int | None:
        """The seat of the person, if there is only one here."""
        if self.seat is not None:
            return self.seat
        people = [seat for seat in (1, 2) if self.players[seat - 1] == HUMAN]
        return people[0] if len(people) == 1 else None

    @property
    def made(self) -> int:
        """How many moves were made; resigning is not one."""
        return self.state.ply

    def moves_of(self, seat: int) -> int:
        """How many moves a seat has made; resigning and forced passes are none."""
        made = zip(self.state.movers, self.state.moves, strict=True)
        return sum(mover == seat and move not in NOT_MOVES for mover, move in made)

    @property
    def begun(self) -> bool:
        """Whether a person of this machine has made a move."""
        people = [seat for seat in (1, 2) if self.players[seat - 1] == HUMAN]
        return any(self.moves_of(seat) for seat in people if self.seat in (None, seat))

    @property
    def unplayed(self) -> bool:
        """Whether people sat down here, but none of them has made a move."""
        return HUMAN in self.players and not self.online and not self.begun

    @property
    def abandoned(self) -> bool:
        """Whether a game against the computer goes on, and its person has made one move in it."""
        if self.state.winner or self.players.count(HUMAN) != 1:
            return False
        return self.moves_of(self.players.index(HUMAN) + 1) <= 1

    @property
    def result(self) -> str:
        """The winning seat, or ``*`` while the game goes on."""
        winner = self.state.winner
        return str(winner) if winner else UNFINISHED

    def headers(self) -> Iterator[tuple[str, str]]:
        """The header lines that are set, as pairs."""
        yield "Format", FORMAT
        yield "Game", self.game.id
        yield "Variant", self.game.variant_text
        yield "First", str(self.states[0].first)
        for seat in (1, 2):
            yield f"Player {seat}", self.players[seat - 1]
        for seat in (1, 2):
            if self.names[seat - 1] != DEFAULT_NAMES[seat - 1]:
                yield f"Name {seat}", self.names[seat - 1]
        if self.forgiving:
            yield "Rules", FORGIVING
        if self.seat is not None:
            yield "Seat", str(self.seat)
        if self.online:
            yield "Online", self.online
        if self.seed is not None:
            yield "Seed", str(self.seed)
        if self.deck is not None:
            yield "Deck", " ".join(map(str, self.deck))
        if self.help:
            yield "Help", " ".join(word for word in HELP if word in self.help)
        if self.date is not None:
            yield "Date", str(self.date)
        yield "Result", self.result

    def text(self) -> str:
        """The record as the text of a file."""
        head = "".join(f"{key}: {value}\n" for key, value in self.headers())
        return f"{head}\n{self.state.text}\n"

    def json(self) -> dict[str, object]:
        """The record as plain data."""
        state, winner = self.state, self.state.winner
        with speaking(ENGLISH):
            why = " ".join(self.game.end_reason(view(state, self.names), winner)) if winner else ""
        return {
            "game": self.game.id,
            "variant": self.game.settings,
            "first": self.states[0].first,
            "players": list(self.players),
            "names": list(self.names),
            "forgiving": self.forgiving,
            "help": [word for word in HELP if word in self.help],
            "date": self.date and str(self.date),
            "moves": [str(move) for move in state.moves],
            "card": state.card,
            "to_move": None if winner else state.to_move,
            "outcome": {"winner": winner, "reason": why} if winner else None,
        }


def read(path: Path | str) -> Record:
    """The record in a file; `BadRecord` says in one line what is wrong with it."""
    name = printable(str(path))
    try:
        with open_file(path) as file:
            regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            data = file.read(MAX_BYTES + 1) if regular else b""
    except OSError as error:
        raise BadRecord(
            _("{name} cannot be read: {why}.", name=name, why=error.strerror or error)
        ) from None
    except ValueError:
        raise BadRecord(_("{name} is not a file name.", name=name)) from None
    if not regular:
        raise BadRecord(_("{name} is not a file.", name=name))
    if len(data) > MAX_BYTES:
        raise BadRecord(
            _(
                "{name} is too large for a game record (over {most} KiB).",
                name=name, most=MAX_BYTES // 1024,
            )
        )  # fmt: skip
    try:
        return parse(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadRecord(_("{name} is not a text file.", name=name)) from None
    except BadRecord as error:
        raise BadRecord(f"{name}: {error}") from None


def open_file(path: Path | str) -> BinaryIO:
    """Open a file for reading. A named pipe that nobody writes to does not block."""
    return open(path, "rb", opener=_without_blocking)


def _without_blocking(path: str, flags: int) -> int:
    return os.open(path, flags | NO_WAIT)


def parse(text: str) -> Record:
    """The record in a text. Every move is checked against the rules, and the result as well."""
    if len(text) > MAX_BYTES:
        raise BadRecord(_("It is too large for a game record."))
    head, moves = _split(text)
    try:
        record = _started(head)
    except (UnknownGame, BadVariant) as error:
        raise BadRecord(str(error)) from None
    record = _played(record, moves)
    claimed = head.get("Result", UNFINISHED)
    if claimed not in (record.result, UNFINISHED):
        why = (
            N_("It says the result is {claimed}, but its moves make it {result}.")
            if record.state.winner
            else N_("It says the result is {claimed}, but its moves do not end the game.")
        )
        raise BadRecord(_(why, claimed=printable(claimed), result=record.result))
    return record


def addressed(parts: Mapping[str, str]) -> Record:
    """The record described by the parts of an address: `game`, `variant`, `first`, `moves`, `name1`
    and `name2`."""
    head = {key: parts.get(part, "") for part, key in ADDRESS.items()}
    lines = [f"{key}: {' '.join(value.split())}" for key, value in head.items() if value.strip()]
    return parse("\n".join([*lines, "", " ".join(parts.get("moves", "").split()), ""]))


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    if not text.endswith("\n"):
        raise BadRecord(_("The file is cut short: its last line is incomplete."))
    lines = text.replace("\r\n", "\n").split("\n")
    if "" not in lines[:-1]:
        raise BadRecord(_("There is no empty line between the header and the moves."))
    gap = lines.index("")
    head: dict[str, str] = {}
    for number, line in enumerate(lines[:gap], 1):
        key, colon, value = line.partition(": ")
        if not colon or key not in KEYS or key in head:
            raise BadRecord(
                _(
                    "Line {number} is not a header of a game record: {line!r}.",
                    number=number,
                    line=printable(line, 40),
                )
            )
        head[key] = value.strip()
        if key == "Format" and head[key] != FORMAT:
            raise BadRecord(
                _(
                    "It is written in format {given}; this version of numduel reads format"
                    " {format}.",
                    given=printable(head[key], 20),
                    format=FORMAT,
                )
            )
    if "Game" not in head:
        raise BadRecord(_("It does not say which game it is (expected: Game: …)."))
    return head, " ".join(lines[gap:]).split()


def _started(head: dict[str, str]) -> Record:
    if MATCH in head:
        raise BadRecord(_("It is a game of a match of two, which numduel no longer has."))
    settings = read_settings(head.get("Variant", "").split())
    players = head.get("Player 1", "human"), head.get("Player 2", "human")
    for player in players:
        if not player.isprintable() or not 0 < len(player) <= MAX_NAME:
            raise BadRecord(_("{given!r} is not a kind of player.", given=printable(player, 40)))
    rules = head.get("Rules", "").split()
    if PIE in rules:
        raise BadRecord(_("It was played with the pie rule, which numduel no longer has."))
    if not set(rules) <= {FORGIVING}:
        raise BadRecord(_("Rules can only be {words}.", words=FORGIVING))
    helped = frozenset(head.get("Help", "").split())
    if not helped <= {*HELP}:
        raise BadRecord(_("Help can only be {words}.", words=both(HELP)))
    try:
        date = datetime.fromisoformat(head["Date"]).replace(tzinfo=None) if "Date" in head else None
    except ValueError:
        raise BadRecord(_("Its date is not a date (expected: 2026-01-31 12:00:00).")) from None
    _integers(head, "Next")
    seat = _integer(head, "Seat")
    if seat not in (None, 1, 2):
        raise BadRecord(_("Seat must be 1 or 2, not {seat}.", seat=seat))
    record = Record(
        states=(),
        players=players,
        names=player_names(head.get("Name 1", ""), head.get("Name 2", "")),
        forgiving=FORGIVING in rules,
        seed=_integer(head, "Seed"),
        deck=_integers(head, "Deck"),
        help=helped,
        seat=seat,
        online=printable(head.get("Online", ""), MAX_ADDRESS),
        date=date,
    )
    first = _integer(head, "First")
    kind = game(head["Game"], **settings)
    start = kind.start(first=1 if first is None else first)
    if not kind.has_deck and {"Deck", "Next"} & head.keys():
        raise BadRecord(_("{game} has no deck, so it has no cards.", game=kind.display_name))
    return replace(record, states=(start,))


def _played(record: Record, moves: list[str]) -> Record:
    state = record.states[0]
    states = [state]
    for number, token in enumerate(moves, 1):
        try:
            states[-1] = state.revealed(token)
            state = state.apply_token(token, forgiving=record.forgiving)
        except IllegalMove as error:
            move = printable(token, 20)
            raise BadRecord(
                _("Move {number} ({move}): {error}", number=number, move=move, error=error)
            ) from None
        if len(state.moves) == len(states[-1].moves):
            states.pop()
        states.append(state)
    return replace(record, states=tuple(states))


def _integer(head: dict[str, str], key: str) -> int | None:
    if key not in head:
        return None
    number = whole_number(head[key])
    if number is None:
        raise BadRecord(
            _("{key} is not a whole number: {given!r}.", key=key, given=printable(head[key], 20))
        )
    return number


def _integers(head: dict[str, str], key: str) -> tuple[int, ...] | None:
    if key not in head:
        return None
    values = [whole_number(part) for part in head[key].split()]
    if None in values:
        raise BadRecord(
            _("{key} is not a list of cards: {given!r}.", key=key, given=printable(head[key], 20))
        )
    return tuple(value for value in values if value is not None)
