"""Every text that a person can meet is in a file of this folder, to be read in one go.

A change to a word shows up there as a diff; ``pytest tests/texts --rewrite`` writes them anew.
"""

from pathlib import Path

import pytest

from tests.texts.gather import DOORS, SOURCE, texts, untranslated

ENGLISH = {
    *("Computer ({…})", "Player {…}", "not here yet"),  # known by this, and translated when shown
    *("Bearer {…}", "Enter", "Notification"),  # what browsers call something
    *("nothing was copied", "width=device-width, initial-scale=1"),  # nobody is told
    '{"error": "one sentence"}',  # for programs
}
REFERENCE = "reference.js"
"""Describes the API, in English as its description is."""


@pytest.mark.parametrize("door", DOORS)
def test_the_texts_of_a_door_are_those_that_were_read(
    door: str, request: pytest.FixtureRequest
) -> None:
    path = Path(__file__).parent / f"{door}.txt"
    found = texts(door)
    if request.config.getoption("--rewrite"):
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8"), "pytest tests/texts --rewrite, and read the diff"


def test_what_a_module_of_the_page_says_is_in_the_language_of_the_page() -> None:
    left = {
        path.name: found
        for path in sorted((SOURCE / "web" / "page").rglob("*.js"))
        if path.name != REFERENCE and (found := {*untranslated(path)} - ENGLISH)
    }
    assert not left, "say it with t(…) or plural(…), from common/language.js"


def test_what_a_template_says_is_in_the_language_of_the_page() -> None:
    left = {
        path.name: found
        for path in sorted((SOURCE / "web" / "pages" / "templates").glob("*.html"))
        if (found := {*untranslated(path)} - ENGLISH)
    }
    assert not left, 'say it with {{ _("…") }} or {{ plural("…", "…", n) }}'
