"""Every text that a person can meet is in a file of this folder, to be read in one go.

A change to a word shows up there as a diff; ``pytest tests/texts --rewrite`` writes them anew.
"""

from pathlib import Path

import pytest

from tests.texts.gather import DOORS, texts


@pytest.mark.parametrize("door", DOORS)
def test_the_texts_of_a_door_are_those_that_were_read(
    door: str, request: pytest.FixtureRequest
) -> None:
    path = Path(__file__).parent / f"{door}.txt"
    found = texts(door)
    if request.config.getoption("--rewrite"):
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8"), "pytest tests/texts --rewrite, and read the diff"
