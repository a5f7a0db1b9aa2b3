"""A dataset as a folder: JSON lines, the rulebooks, and a card.

    README.md                             the card
    data/sequence-duel-n9-k3/train.jsonl  the rows of a split
    rules/sequence-duel-n9-k3.md          what a player is told

The same rows give the same bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from numduel.core.cards import CardGame
from numduel.core.errors import BadVariant
from numduel.core.game import Game
from numduel.core.text import both, file_name
from numduel.lab.dataset.decisions import PHASES
from numduel.lab.dataset.rows import COLUMNS, DIGITS, Row, rules_text, rules_version
from numduel.lab.dataset.splits import CANARY, SPLITS


class Part(NamedTuple):
    """The rows of one game in one variant."""

    game: Game
    splits: Mapping[str, Sequence[Row]]


def check(folder: Path) -> None:
    """Raise `BadVariant` if a folder cannot be written, before any work is done."""
    if os.path.lexists(folder):
        raise BadVariant(f"{file_name(folder)} exists already; choose another name.")
    if not os.path.isdir(folder.absolute().parent):
        raise BadVariant(f"There is no folder {file_name(folder.absolute().parent)}.")
    with _told(folder):
        folder.mkdir()
        folder.rmdir()


def write(folder: Path, parts: Sequence[Part], command: str) -> None:
    """Write a dataset to a new folder, all of it or nothing; `command` makes it again."""
    check(folder)
    with _told(folder):
        unfinished = Path(tempfile.mkdtemp(prefix=".numduel-", dir=folder.absolute().parent))
        try:
            for part in parts:
                _write_part(unfinished, part)
            _write_text(unfinished / "README.md", card(parts, command))
            unfinished.chmod(0o755)
            unfinished.rename(folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise BadVariant(f"{file_name(folder)} cannot be written: {why}.") from None


def _write_part(folder: Path, part: Part) -> None:
    for split, rows in part.splits.items():
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        _write_text(folder / "data" / part.game.slug / f"{split}.jsonl", lines)
    _write_text(folder / "rules" / f"{part.game.slug}.md", rules_text(part.game))


def _write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


# -- the card -------------------------------------------------------------------------------


def card(parts: Sequence[Part], command: str) -> str:
    """The card of a dataset: what it holds, what it is for, and what not."""
    splits = [split for split in SPLITS if any(split in part.splits for part in parts)]
    counts = [
        [
            str(part.game),
            f"`{part.game.slug}`",
            *(phases(part.splits.get(name, ())) for name in splits),
        ]
        for part in parts
    ]
    rulebooks = {part.game.slug: rules_version(part.game) for part in parts}
    versions = [
        (f"[`rules/{name}.md`](rules/{name}.md)", f"`{version}`")
        for name, version in rulebooks.items()
    ]
    columns = [[f"`{column}`", meaning] for column, meaning in COLUMNS.items()]
    return TEXT.format(
        command=command,
        counts=_table(["game", "name", *splits], counts),
        columns=_table(["column", "meaning"], columns),
        versions=_table(["rulebook", "version (of its SHA-256)"], versions),
        digits=DIGITS,
        notation=_notation(parts),
        canary=CANARY,
    )


def phases(rows: Sequence[Row]) -> str:
    """How many rows there are, and of which phases: ``60 (20, 20, 20)``."""
    seen = Counter(row["phase"] for row in rows)
    return f"{len(rows):,} ({', '.join(f'{seen[phase]:,}' for phase in PHASES)})" if rows else "–"


def _notation(parts: Sequence[Part]) -> str:
    """What moves that are not numbers mean, in games of cards."""
    kinds = {type(part.game): part.game for part in parts if isinstance(part.game, CardGame)}
    told = ""
    for game in kinds.values():
        card = game.cards[len(game.cards) // 2]
        moves = both(f"`{card}{way}` {game.does(f'{card}{way}')}" for way in game.ways)
        told += f" In {game.display_name}, {moves}; a number alone is the card that was drawn last."
    return told


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TEXT = """\
# Number games with exact answers

Positions of two-player number games in which something is at stake: some legal moves lose what
others keep. What each of them loses is known exactly, because the games are solved.

```sh
{command}
```

The files are `data/NAME/SPLIT.jsonl`; each line is a row, in JSON. In these there are so many:

{counts}

In brackets: early, middle and late positions, in which up to a third, up to two thirds, and more of
the numbers or cards are used up. Their shares are the same in every split of a game, and as even as
the scarcest phase allows.

{columns}

- **Drawn** from games between players of different strengths, each position once, difficulties
  balanced as far as possible. The first rows of a split are at least as mixed as all of it.
- **Moves** are numbers, and `pass` where a player had none.{notation}
- **Difficulty** is the smallest list of ideas, of at most two, that leaves only best moves.
- **Splits** share no exercise: no position, nor two from which the game goes on in the same way,
  also by a symmetry or in a variant. Which split an exercise is in is a property of it (a keyed
  hash): the same for every seed, size and command. `transfer` has boards that are in no other
  split; late positions on them can still be the same exercise as on another board. Whole games
  pass through positions of every split.
- **Canary**, in this card and in every row that is not in `train`: `{canary}`
- **Regret** is 0 for a best move; an answer that is not legal loses as much as the worst one.
- **Reproducible**: the command gives the same files, to the byte. Chances are rounded to {digits}
  digits.
- **Meant for** training agents with exact rewards (`train`, `validation`) and for testing what they
  learned about a board (`test`) and about the game (`transfer`). Not meant for statements about
  intelligence or mathematics in general: these are small games with few rules.
- **Limits**: rows are positions as they come up in play, so short rules do well in many of them,
  and taking the highest number is always best in Number Capture without gaps. Small boards have few
  positions with something at stake. Anything that can run a program solves them. Texts are English.
- **Licence**: MIT, rows and code. There are no personal data and no human labels: a solver made all
  of it.

{versions}
"""
