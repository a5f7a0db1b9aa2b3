"""Which positions are for training and which for testing.

That is a property of the exercise (`Game.exercise`): a hash of it decides, so every seed, size and
command agrees, and positions from which the game goes on in the same way are in one split, also by
a symmetry. Of the boards that are not the usual ones, some are held out as a whole: all their
positions are in the split ``transfer``, and whoever trains on the other splits has never seen such
a board.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.state import State
from numduel.core.text import listed, printable, whole_number

SHARES = {"train": 7, "validation": 1, "test": 2}
"""The splits that the positions of a board are in, and how many tenths of them."""
TRANSFER = "transfer"
"""The split of the boards that are held out."""
SPLITS = (*SHARES, TRANSFER)
ONE_IN = 4
"""How many of the unusual boards there are for each one that is held out."""
KEY = b"numduel splits 765"
"""Another key would give other splits, and make every earlier result incomparable."""
CANARY = "numduel canary 5f0c41d2-7f5e-4b39-9d0e-2c1b8a6e43f7: not for training corpora"
"""In every card, and in every row that is not for training: a corpus that has swallowed them can be
found out."""
MOST_WEIGHT = 1_000_000


def split_of(state: State) -> str:
    """One of `SPLITS`: where a position belongs."""
    game = state.game
    if held_out(game):
        return TRANSFER
    place = _hash(f"{game.id}: {game.exercise(state.position)}") % sum(SHARES.values())
    return next(name for name in SHARES if (place := place - SHARES[name]) < 0)


def held_out(game: Game) -> bool:
    """Whether a board is kept from training. The usual board of a game never is, nor the one that
    people are offered, nor the one that models are usually tested with."""
    kind, offer = type(game), game.offer
    usual = kind(), kind(**offer.settings if offer else {}), kind(**kind.benchmark)
    board = _board(game)
    return board not in map(_board, usual) and _hash(board) % ONE_IN == 0


def share(split: str) -> float:
    """The share of a board's positions that a split has, if the board is one of it."""
    return SHARES[split] / sum(SHARES.values()) if split in SHARES else 1.0


def possible(game: Game, splits: Iterable[str]) -> list[str]:
    """Those of some splits that a board has positions in; `BadVariant` if it has none."""
    found = [split for split in splits if (split == TRANSFER) == held_out(game)]
    if not found and held_out(game):
        raise BadVariant(
            f"{game} is held out, so that nobody trains on it: all its positions are in the split"
            f" {TRANSFER}."
        )
    if not found:
        near = _nearest(game)
        raise BadVariant(
            f"{game} is not held out, so none of its positions is in the split {TRANSFER}"
            + (f"; a board that is held out is {near}." if near else ".")
        )
    return found


def _nearest(game: Game) -> str:
    """A board that is held out and about as large, rather larger than smaller, as it is written on
    the command line; empty if there is none."""
    first, size = next(iter(game.settings.items()))
    for other in (*range(int(size) + 1, game.parameters[first].high + 1), *range(int(size), 0, -1)):
        try:
            board = type(game)(**game.settings | {first: other})
        except BadVariant:  # that size does not go together with the other settings
            continue
        if held_out(board):
            return f"{game.name}:{board.variant_text.replace(' ', ',')}"
    return ""


def name(state: State) -> str:
    """What a position is called in every file: game, variant and moves."""
    return f"{state.game.id} {state.game.variant_text}: {state.text}".rstrip()


def _board(game: Game) -> str:
    """A game in its variant, less what only the first move depends on."""
    kept = (f"{key}={value}" for key, value in game.settings.items() if key not in game.opening)
    return " ".join([game.id, *kept])


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), key=KEY, digest_size=8).digest())


def read_weights(text: str) -> dict[str, int]:
    """The weights of splits written ``train,test`` or ``train=9,test=1``."""
    weights: dict[str, int] = {}
    for word in text.split(","):
        split, given, number = word.strip().partition("=")
        weight = whole_number(number) if given else 1
        if split in weights:
            raise BadVariant(f"{split!r} is named twice: name each split once.")
        if split not in SPLITS:
            raise BadVariant(
                f"{printable(split, 40)!r} is not a split: name some of {listed(SPLITS)}, such as"
                " train,test or train=9,test=1."
            )
        if weight is None or not 1 <= weight <= MOST_WEIGHT:
            raise BadVariant(
                f"The weight of {split} must be a whole number from 1 to {MOST_WEIGHT},"
                f" not {printable(number, 40)!r}."
            )
        weights[split] = weight
    return weights
