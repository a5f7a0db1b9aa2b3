"""The table of strategies in docs/strategies.md: ``python -m bench.strategies``."""

from collections.abc import Iterator

import numduel
from numduel import Game, Strategy
from numduel.terminal.progress import ProgressBar

POOLS = (*range(10, 31), 36, 40, 50, 60, 70, 80, 90, 100)


def variants() -> Iterator[Game]:
    """The variants that people play."""
    for name, sizes in {
        "line": range(8, 15),
        "duel": range(7, 15),
        "capture": range(3, 31),
    }.items():
        yield from (numduel.game(name, n=n) for n in sizes)
    for first in ("any", "even"):
        yield from (numduel.game("factors", n=n, first=first) for n in POOLS)


def decks() -> Iterator[Game]:
    """The variants with a deck."""
    yield from (numduel.game("build", n=n, k=k) for n, k in ((4, 3), (5, 3), (6, 4), (8, 4)))
    yield numduel.game("build")


def row(found: Strategy) -> str:
    """A line of the table: pairs stand in the place of ideas."""
    opening = "" if found.opening is None else str(found.opening)
    ideas = ", ".join(idea.name for idea in found.ideas) or "any"
    if found.pairs is not None:
        ideas = " ".join(f"{one}–{two}" for one, two in found.pairs)
    margin = "" if found.margin is None else str(found.margin)
    settings = found.game.variant_text
    return (
        f"| {found.game.name} | {settings} | {found.seat} | {opening} | {ideas} | {margin}"
        f" | {found.positions or ''} |"
    )


def main() -> None:
    """Print both tables."""
    print("| game | variant | seat | opening | ideas, or pairs | points | positions |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with ProgressBar() as bar:
        for game in bar.track(list(variants()), "strategies"):
            print(row(numduel.strategy(game)), flush=True)
    print()
    print("| game | variant | seat | begin with | ideas | wins | perfect play |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for game in decks():
        for seat in (1, 2):
            found = numduel.strategy(game, seat)
            cards = found.opening if isinstance(found.opening, tuple) else ()
            begin = ", ".join(map(str, cards))
            print(
                f"| {game.name} | {game.variant_text} | {seat} | {begin}"
                f" | {', '.join(idea.name for idea in found.ideas)}"
                f" | {100 * (found.chance or 0):.2f} % | {100 * (found.perfect or 0):.2f} % |",
                flush=True,
            )


if __name__ == "__main__":
    main()
