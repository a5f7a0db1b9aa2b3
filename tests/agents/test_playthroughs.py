"""Every rule as OpenSpiel sees it: a change to one shows up as a difference in these files.

``pytest tests/agents/test_playthroughs.py --rewrite`` writes them anew.
"""

from pathlib import Path

import pytest

import numduel
from numduel.agents import openspiel
from tests.games import RULEBOOKS

FOLDER = Path(__file__).parent / "playthroughs"


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_playthrough_is_what_it_was(game: str, request: pytest.FixtureRequest) -> None:
    # Imported here: it takes a second, which every process that collects tests would pay.
    from open_spiel.python.algorithms import generate_playthrough

    name = openspiel.short(type(numduel.game(game)))
    path = FOLDER / f"{name}.txt"
    if request.config.getoption("--rewrite"):
        path.write_text(generate_playthrough.playthrough(name, None, seed=7), "utf-8")
    # The moves are those of the file: OpenSpiel's own choice may differ from version to version.
    kept = path.read_text("utf-8")
    actions = [int(line.split(":")[1]) for line in kept.splitlines() if line.startswith("action: ")]
    assert generate_playthrough.playthrough(name, actions) == kept
