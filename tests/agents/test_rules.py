"""What an agent is told of the rules is true of the very variant that it plays."""

import re

import pytest
from numduel_examples.pawns import Pawns
from numduel_examples.pile import Pile
from numduel_examples.reach import Reach

import numduel
from numduel.agents.asking import Asking
from numduel.core.state import settled
from numduel.core.text import NUMERALS
from numduel.testing import small_variants
from tests.agents.prompts import position

MARKED: dict[str, dict[str, int | str]] = {
    "line": {"n": 113, "k": 9},
    "factors": {"n": 114, "first": "even"},
    "capture": {"n": 115},
    "build": {"n": 37, "copies": 7, "k": 8},
    "duel": {"n": 117, "k": 11},
}
"""A variant of each game with settings that no other sentence would name by chance."""
FOLLOWING = {"build": {37 * 7}, "duel": set(range(2, 23, 2))}
"""Other numbers of those rules: the cards of the deck, and an example."""
NOTATION = re.compile(r"\b\d+[bex]\b|resign|\bFirst:|`")


def numbers_in(text: str) -> set[int]:
    """The numbers in a text, in digits or words. One and two are left out, because "two neighbours"
    are two in every variant."""
    words = dict(zip(NUMERALS, range(len(NUMERALS)), strict=True))
    found = [words.get(one, one) for one in re.findall(r"\d+|[a-z]+", text.lower())]
    return {int(one) for one in found if str(one).isdigit()} - {0, 1, 2}


EXAMPLES = [
    Pawns(wide=5),
    Pile(pile=117, most=11),
    Pile(pile=117, most=4),
    Reach(high=9, suits=4, target=77),
]
"""Games of another package; of Pawns the rows are three."""


@pytest.mark.parametrize("game", EXAMPLES, ids=str)
def test_every_number_in_the_rules_of_another_package_is_one_of_the_variant(
    game: numduel.Game,
) -> None:
    found, settings = numbers_in(game.rulebook), {int(one) for one in game.settings.values()}
    assert found - settings <= ({3} if game.name in ("pawns", "pile") else {8})
    if game.settings.get("most") == 4:
        assert "taking one, two, three or four from it" in game.rulebook


def test_a_game_without_details_is_explained_by_its_page() -> None:
    class Undetailed(Pawns):
        __module__ = Pawns.__module__
        details = ()

    told = Undetailed(wide=4).rulebook
    assert told.startswith("# Pawns Across\n\nTwo rows of pawns face each other")
    assert "diagonally, if a pawn of\nyour opponent stands there" in told
    assert told.endswith("2 to 5.\n\n- how many pawns each player has: 4.")
    assert "numduel play" not in told
    assert "```" not in told
    usual = Undetailed().rulebook
    assert usual == told[: told.index("\n\n- how many")]


def test_the_rules_leave_out_what_is_only_for_people() -> None:
    class Undetailed(type(numduel.game("build"))):  # type: ignore[misc]
        __module__ = numduel.games.__module__ + ".build"
        details = ()

    page = Undetailed().rulebook
    for heading in ("At the prompt", "Notation", "Rulings, and why"):
        assert f"## {heading}" in Undetailed().page
        assert heading not in page
    assert "## A turn" in page


def test_the_rules_say_what_a_broken_one_costs() -> None:
    game = numduel.game("factors")
    assert "loses the game at once" in game.rulebook
    assert "is asked again" in (forgiving := game.rulebook_for(forgiving=True))
    assert "loses the game at once" not in forgiving


@pytest.mark.parametrize("name", MARKED)
def test_every_number_in_the_rules_is_one_of_the_variant(name: str) -> None:
    game = numduel.game(name, **MARKED[name])
    settings = {value for value in game.settings.values() if isinstance(value, int)}
    assert numbers_in(game.rulebook) == (settings | FOLLOWING.get(name, set())) - {1, 2}


def test_the_rules_say_how_a_game_may_begin() -> None:
    assert "must be an even number from 1 to 20" in numduel.game("factors", first="even").rulebook
    assert "may be any number from 1 to 20" in numduel.game("factors").rulebook


@pytest.mark.parametrize("kind", numduel.games(), ids=lambda kind: kind.name)
def test_a_prompt_tells_the_game_and_nothing_of_its_notation(kind: type[numduel.Game]) -> None:
    for game in small_variants(kind):
        state = settled(game.start(), lambda: 0.5)
        while state.winner is None:
            prompt = Asking().prompt(state)
            assert prompt.startswith(f"{game.rulebook}\n\n")
            assert not NOTATION.search(prompt), prompt
            assert "numduel" not in prompt
            assert position(prompt) == state
            state = settled(state.play(state.legal_moves[0]), lambda: 0.5)
