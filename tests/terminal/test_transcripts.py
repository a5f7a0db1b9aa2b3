"""Whole games, word for word: what the rulebooks show, typed in as they give it.

Each transcript is a committed text; a change to a rule or a word shows up in it as a diff.
``pytest tests/terminal --rewrite`` rewrites them; read the diff.
"""

import re
import sys
from pathlib import Path

import pytest

if sys.platform == "linux":
    from tests.cli import run
else:
    from tests.everywhere import run

HERE = Path(__file__).parent / "transcripts"
GAMES: dict[str, tuple[str, str]] = {
    # The rulebook's example, all seven turns, and its command-line sample.
    "line-rulebook": ("line", "5 6 4 7 3 8 2"),
    "line-refused": ("line", "5 5 0 11 -3 abc 4.5 6 quit"),
    "line-tiebreak-longer": ("line", "1 3 4 6 5 8 9 10 2 7"),
    "line-tiebreak-lower": ("line --set n=4", "1 2 3 4"),
    # The rulebook's thirteen turns; its sample is the first three.
    "factors-rulebook": ("factors", "6 3 9 18 2 4 8 16 1 5 10 20"),
    "factors-fault": ("factors", "6 abc 5"),
    "factors-used": ("factors", "6 3 6"),
    "factors-out-of-pool": ("factors", "6 24"),
    "factors-forgiving": ("factors --forgiving", "6 5 24 6 7 3 resign"),
    "factors-even": ("factors --set first=even --forgiving", "7 14 7 quit"),
    # The rulebook's first three turns are legal; the fourth (12 beside one's own 13) is not.
    "capture-example": ("capture", "11 13 9 12 14 15 quit"),
    # The command-line sample: 11, 12, 13, 9, and what Player 1 cannot choose on the way.
    "capture-sample": ("capture", "11 12 10 12 11 13 9 quit"),
    # The rulebook's final hands hold neighbours: they cannot be reached.
    "capture-final-hands": ("capture", "9 12 11 13 15 quit"),
    "capture-whole-with-a-pass": ("capture --p1 random --p2 random --seed 3", ""),
    "duel-example-1": ("duel", "4 6 5 7 3"),
    # Example 2 ends on its fifth pick: the rest of its moves find no game.
    "duel-example-2": ("duel", "2 5 4 7 6 1 8 3 9"),
    "duel-sample": ("duel", "pick,4 pick,5 pick,4 pick quit"),
    "duel-all-selected": ("duel --set n=3", "1 2 3"),
    # The game-flow example; the ruling lets Player 2 add the 7 that the example discards.
    "build-flow": ("build --deck 7,5,6,6,8,4,5,7,9", "end end b end e b beginning discard e"),
    "build-flow-the-7-fits": ("build --deck 7,5,6,6,8,4,5,7,9", "e e b e e b b e quit"),
    # Examples 1 to 4.
    "build-examples": ("build --deck 7,5,8,3,6,6,5,4,9", "e e e d b e b b e"),
    "build-wrong-end": ("build --deck 7,1,8,1,6", "e d e d e"),
    "build-wrong-end-forgiving": (
        "build --forgiving --deck 7,1,8,1,6,2", "e d e d e 6e 7b b undo b quit"),
    "build-exhausted": (
        "build --set n=3 --set k=4 --deck 2,3,2,3,1,1", "e e d d e d"),
    # The exhausted-deck scenario: [2, 3, 4, 5] against [7, 8, 9].
    "build-exhausted-rulebook": (
        "build --deck 2,7,3,8,4,9,5,1,1,2,3,4,5,6,6,7,8,9,10,10", "e e e e e e e" + " d" * 13),
    "build-dead-tie": ("build --set n=2 --set k=3 --first 2 --deck 1,1,2,2", "e e d d"),
    "names-and-first": ("duel --name1 Ann --name2 Bo --first 2", "help undo 5 save 5 undo resign"),
}  # fmt: skip


def play(command: str, typed: str, folder: Path) -> str:
    lines = "".join(f"{word.replace(',', ' ')}\n" for word in typed.split())
    done = run(folder, "play", *command.split(), typed=lines)
    assert (done.code, done.err) == (0, "")
    return re.sub(r"saved in .*\.duel\.", "saved in GAME.duel.", done.out)


@pytest.mark.parametrize("name", GAMES)
def test_transcript(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = HERE / f"{name}.txt"
    command, typed = GAMES[name]
    text = f"$ numduel play {command}\n{play(command, typed, tmp_path)}"
    if request.config.getoption("--rewrite"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_there_is_no_transcript_that_nothing_checks() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(GAMES)
