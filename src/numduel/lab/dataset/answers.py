"""Somebody's answers to decisions, as plain data that says enough to judge them again anywhere.

The decisions themselves are not among it: game, number and seed decide which they are, so nobody
can choose the ones that suit them. A digest says whether another version decides alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, Self

from numduel.core.errors import BadRecord, IllegalMove, NumduelError
from numduel.core.game import Game
from numduel.core.state import Move, State
from numduel.core.text import MAX_SEED, counted, file_name
from numduel.games import game as find
from numduel.games import games
from numduel.lab.dataset.decisions import Decision, decisions
from numduel.lab.dataset.splits import CANARY
from numduel.lab.dataset.trivial import chosen
from numduel.play.record import open_file
from numduel.solver import analyse

MARK = "numduel answers 1"
"""Stands in every file of answers."""
WANTED, SEED, EACH = 100, 0, 10
"""What everybody on the leaderboard is asked: the decisions of each game that models are asked with
the usual options, and of people so many of them."""
MOST = 2000
"""Decisions of one game."""
MOST_ROUNDS = 1000
"""How often the decisions of one game may have been answered."""
MOST_BYTES = 1 << 24
"""Of a file of answers."""
MOST_PARTS = 100
"""Games in it."""
MOST_NAME = 120
"""Characters of the name of whoever answered."""
FAULT = "-"
"""Stands for an answer that was no legal move."""


_REMEMBERED: dict[tuple[Game, int, int], tuple[Decision, ...]] = {}


class Asked(NamedTuple):
    """What was asked: these say which decisions."""

    game: Game
    wanted: int
    """How many decisions were asked for; a small board may have fewer."""
    seed: int
    few: int = 0
    """If not 0, only so many of them, chosen so that trivial rules score as little in these."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions, as in Inspect."""
        every = self.game, self.wanted, self.seed
        found = _REMEMBERED.get(every) or _drawn(*every)
        return tuple(chosen(found, self.few)) if self.few else found

    @classmethod
    def read(cls, data: Any) -> Self:
        """What was asked, by plain data; `BadRecord` if that is not said, or too much."""
        limits = {"decisions": (1, MOST), "seed": (0, MAX_SEED), "few": (0, MOST)}
        try:
            game = find(data["game"], **data["variant"])
            numbers = {name: data[name] for name in limits if name in data or name != "few"}
        except (KeyError, TypeError, AttributeError, NumduelError):
            numbers = {}
        if not numbers or not all(
            type(number) is int and limits[name][0] <= number <= limits[name][1]
            for name, number in numbers.items()
        ):
            raise BadRecord(
                f"Answers have a game, its variant, a number of decisions from 1 to {MOST:,}, and a"
                " seed."
            )
        return cls(game, *numbers.values())

    def json(self) -> dict[str, Any]:
        """The same as plain data."""
        few = {"few": self.few} if self.few else {}
        told = {"game": self.game.id, "variant": self.game.settings, "decisions": self.wanted}
        return {**told, "seed": self.seed, **few}


@lru_cache(maxsize=64)
def _drawn(game: Game, count: int, seed: int) -> tuple[Decision, ...]:
    return tuple(decisions(game, count, seed))


def remember(data: Iterable[Mapping[str, Any]]) -> None:
    """Take decisions from a file instead of drawing them, which takes minutes."""
    for one in data:
        game = find(one["game"], **one["variant"])
        states = [game.replay(text) for text in one["positions"]]
        found = tuple(Decision(state, analyse(state)) for state in states)
        _REMEMBERED[game, one["decisions"], one["seed"]] = found


@cache
def benchmark_games() -> tuple[Game, ...]:
    """The games of the leaderboard, each in the variant that is tested with. Those of other
    packages are not among them."""
    own = "numduel.games."
    return tuple(kind(**kind.benchmark) for kind in games() if kind.__module__.startswith(own))


class Answers(NamedTuple):
    """What was answered to the decisions of one game."""

    asked: Asked
    rounds: tuple[tuple[Move | None, ...], ...]
    """The answers to all decisions in their order, for each time that they were asked; None for a
    fault."""

    @property
    def made(self) -> Iterator[tuple[State, Move | None]]:
        """Every position with every answer to it."""
        for answers in self.rounds:
            for decision, move in zip(self.asked.decisions, answers, strict=True):
                yield decision.state, move

    def json(self) -> dict[str, Any]:
        """The answers as plain data."""
        asked = digest(one.state.text for one in self.asked.decisions)
        return {**self.asked.json(), "digest": asked, "answers": [*map(written, self.rounds)]}

    @classmethod
    def read(cls, data: Any) -> Self:
        """The answers in plain data; `BadRecord` says in one sentence what is wrong with them."""
        asked = Asked.read(data)
        texts = data.get("answers")
        if not (
            isinstance(texts, list)
            and 1 <= len(texts) <= MOST_ROUNDS
            and all(isinstance(text, str) for text in texts)
        ):
            raise BadRecord(
                f"The answers to {asked.game.display_name} are a list of texts, one for each time"
                f" that it was asked, and {MOST_ROUNDS:,} at most."
            )
        found = asked.decisions
        if data.get("digest") not in (None, digest(one.state.text for one in found)):
            raise BadRecord(
                f"The answers to {asked.game.display_name} are to other positions than this version"
                " asks: their digest is another one."
            )
        return cls(asked, tuple(_moves(asked.game, found, text.split()) for text in texts))


def _moves(game: Game, found: Sequence[Decision], words: Sequence[str]) -> tuple[Move | None, ...]:
    if len(words) != len(found):
        raise BadRecord(
            f"{game.display_name} has {counted(len(words), 'answer')} to"
            f" {counted(len(found), 'decision')}: each decision has one."
        )
    return tuple(
        None if word == FAULT else _move(one.state, word, number)
        for number, (one, word) in enumerate(zip(found, words, strict=True), 1)
    )


def _move(state: State, word: str, number: int) -> Move:
    try:
        return state.play(word).moves[-1]
    except IllegalMove as refusal:
        raise BadRecord(
            f"Answer {number} in {state.game.display_name} is no legal move: {refusal}"
        ) from None


def digest(positions: Iterable[str]) -> str:
    """The digest of some positions, in the order in which they were asked."""
    return sha256("\n".join(positions).encode()).hexdigest()


def recognised(path: str) -> bool:
    """Whether a file begins as one of answers does."""
    try:
        with open_file(path) as file:
            return MARK.encode() in file.read(1 << 10)
    except (OSError, ValueError):
        return False


def load(path: str) -> dict[str, Any]:
    """A file of answers as plain data; `BadRecord` if it is none."""
    try:
        with open_file(path) as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadRecord(f"{file_name(path)} cannot be opened: {error.strerror}.") from None
    if len(text) > MOST_BYTES:
        raise BadRecord(f"{file_name(path)} is too large for a file of answers.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("numduel") != MARK:
        raise BadRecord(f"{file_name(path)} is no file of answers.")
    if not isinstance(data.get("player"), str) or not isinstance(data.get("parts"), list):
        raise BadRecord(f"{file_name(path)} does not say whose answers it has.")
    if not 1 <= len(data["parts"]) <= MOST_PARTS:
        raise BadRecord(f"{file_name(path)} must have answers to 1 to {MOST_PARTS} games.")
    if not is_name(data["player"]):
        raise BadRecord(
            f"The name in {file_name(path)} must be at most {MOST_NAME} printable characters."
        )
    return data


def is_name(text: object) -> bool:
    """Whether a text can be shown as the name of whoever answered."""
    return isinstance(text, str) and 0 < len(text.strip()) <= MOST_NAME and text.isprintable()


def written(answers: Sequence[Move | None]) -> str:
    """Answers as one text."""
    return " ".join(FAULT if move is None else str(move) for move in answers)


def export(player: str, date: str, parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A file of answers, given those to each game as plain data."""
    return {
        "numduel": MARK, "canary": CANARY, "player": player, "date": date, "parts": [*parts]
    }  # fmt: skip
