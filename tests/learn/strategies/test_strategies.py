"""The strategies that are known win every game, as they say."""

import json
import re
from pathlib import Path

import pytest
from numduel_examples.pile import Pile
from typer.testing import CliRunner

import numduel
from numduel import BadVariant, State, Strategy
from numduel.core.state import Move
from numduel.games import offered
from numduel.learn.ideas import FITS, USE, preferred
from numduel.learn.strategies import KNOWN
from numduel.terminal.app import app
from tests.games import RULEBOOKS
from tests.learn.strategies.checker import GAMES, partners, played, wins_always

PAGE = (Path(__file__).parents[3] / "docs" / "strategies.md").read_text("utf-8")
PROVED = [
    numduel.game("line"), numduel.game("factors"), offered("factors"),
    pytest.param(numduel.game("capture"), marks=pytest.mark.proof), numduel.game("duel"),
]  # fmt: skip


def said(*words: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    return done.stdout


def wins(found: Strategy) -> tuple[bool, int]:
    """Whether a strategy wins against every answer, whichever of the moves that it leaves open is
    made, by rules that share no code with the package; and in how many positions it had to move."""
    rules = GAMES[found.game.name](**found.game.settings)
    assert not isinstance(found.opening, tuple)
    if found.pairs:
        return played(rules, found.seat, partners(rules, found.opening, found.pairs))
    ideas = [idea.name for idea in found.ideas]
    return wins_always(rules, found.seat, found.opening, ideas, found.margin or 0)


def test_every_game_has_a_strategy_as_it_is_in_its_rulebook_and_as_people_are_offered_it() -> None:
    boards = [make(name) for name in RULEBOOKS for make in (numduel.game, offered)]
    assert {(game.name, game.variant_text) for game in boards} == {*KNOWN}
    for game in boards:
        assert numduel.strategy(game).seat == 1


@pytest.mark.parametrize("game", PROVED, ids=str)
def test_a_strategy_wins_every_game_in_as_many_positions_as_it_says(game: numduel.Game) -> None:
    found = numduel.strategy(game)
    assert wins(found) == (True, found.positions)
    assert found.margin == numduel.evaluate(game.start()).margin
    assert f" {found.positions:,} positions against every answer." in found.proof()


def test_a_strategy_that_loses_somewhere_is_seen_to_lose() -> None:
    rules = GAMES["line"](n=10, k=4)
    assert wins_always(rules, 1, 3, ["win", "deny-fork", "smallest"])[0]
    assert not wins_always(rules, 1, 3, ["win", "deny-fork"])[0]
    assert not played(rules, 1, partners(rules, 2, [(3, 4), (5, 6), (7, 8)]))[0]


@pytest.mark.parametrize(
    "game", [numduel.game("duel", n=8), offered("line", n=12), Pile(pile=13)], ids=str
)
def test_of_other_boards_it_is_said_that_none_is_known(game: numduel.Game) -> None:
    with pytest.raises(BadVariant, match="No strategy short enough to remember is known for "):
        numduel.strategy(game)


# -- cards ----------------------------------------------------------------------------------


def regret(state: State, found: Strategy) -> float:
    """What somebody loses in a whole game who plays by the sentences against perfect play."""
    lost = 0.0
    while state.winner is None:
        options = {option.move: option for option in numduel.analyse(state)}
        move = next(iter(options))
        if state.to_move == found.seat:
            move = by_the_sentences(state, found)
            lost += options[move].loss
        state = state.play(move)
    return lost


def by_the_sentences(state: State, found: Strategy) -> Move:
    assert isinstance(found.opening, tuple)
    empty = not numduel.view(state).hand(found.seat)
    if empty and state.card not in found.opening:
        return f"{state.card}x"
    return preferred(state, USE, FITS)[0]


@pytest.mark.proof
def test_the_list_of_build_loses_as_little_as_it_says() -> None:
    """A chance is the one of perfect play without what the choices on the way cost, on average."""
    game = numduel.game("build")
    found = numduel.strategy(game)
    assert found.chance is not None
    assert found.perfect is not None
    assert found.perfect == pytest.approx(numduel.evaluate(game.start()).win_probability)
    lost = [regret(game.start(seed=seed), found) for seed in range(1000)]
    assert sum(lost) / len(lost) == pytest.approx(found.perfect - found.chance, abs=0.003)


# -- how they are told ----------------------------------------------------------------------


def test_the_transcript_of_the_page_is_what_is_printed() -> None:
    shown = PAGE.partition("$ numduel strategy line\n")[2].partition("```")[0]
    assert shown == said("strategy", "line")


def test_links_within_the_page_lead_to_its_headings() -> None:
    headings = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors


def test_a_strategy_as_data() -> None:
    found = json.loads(said("strategy", "duel", "--json"))
    assert found == {
        "game": "sequence-duel", "variant": {"n": 9, "k": 3}, "seat": 1, "opening": 3,
        "ideas": ["fork"], "positions": 90, "proved": True,
    }  # fmt: skip
    assert json.loads(said("strategy", "line", "--json"))["pairs"] == [
        [2, 3],
        [4, 5],
        [6, 7],
        [8, 9],
    ]
