"""The audit against plain recursion over states, in exact fractions."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import numduel
from numduel import BadVariant, Game
from numduel.core.state import Move, State
from numduel.lab.audit import audit
from numduel.terminal import audit as command
from tests.games import compiled_in_proof

Policy = Callable[[State], dict[Move, Fraction]]
Rank = tuple[Fraction, int]

SMALL: list[tuple[str, dict[str, object]]] = [
    ("duel", {"n": 5}),
    ("duel", {"n": 6, "k": 4}),
    ("line", {"n": 5, "k": 3}),
    ("line", {"n": 6}),
    ("capture", {"n": 5}),
    ("capture", {"n": 6}),
    ("factors", {"n": 6}),
    ("factors", {"n": 9, "first": "even"}),
    ("build", {"n": 2, "copies": 2, "k": 1}),
    ("build", {"n": 2, "copies": 2, "k": 2}),
    ("build", {"n": 3, "copies": 2, "k": 3}),
    ("build", {"n": 4, "copies": 1, "k": 3}),
]


@pytest.fixture(
    params=[
        pytest.param(case, id=f"{case[0]}-{case[1]}", marks=compiled_in_proof(case[0]))
        for case in SMALL
    ]
)
def small(request: pytest.FixtureRequest) -> Game:
    name, settings = request.param
    return numduel.game(name, **settings)


@cache
def rank(state: State) -> Rank:
    """What the player to move can reach: the chance to win, then points or haste."""
    if state.winner is not None:
        return Fraction(int(state.winner == state.to_move)), _points(state)
    if state.draws:
        return _expected(state, lambda drawn: rank(drawn)[0]), 0
    return max(moved(state, move) for move in state.legal_moves)


def moved(state: State, move: Move) -> Rank:
    chance, rest = rank(state.play(move))
    if state.game.has_deck:
        return 1 - chance, 0
    if state.game.rules.margin is not None:
        return 1 - chance, -rest
    return 1 - chance, -rest - 1 if 1 - chance else -rest + 1


def _points(state: State) -> int:
    margin = state.game.rules.margin
    return margin(*state.position, state.game.variant) if margin else 0


def _expected(state: State, of: Callable[[State], Fraction]) -> Fraction:
    total = sum(state.game.undrawn(state.position).values())
    return sum(
        (of(state.draw(card)) * Fraction(count, total)
         for card, count in state.game.undrawn(state.position).items()),
        Fraction(0),
    )  # fmt: skip


@cache
def blind(state: State) -> dict[Move, Fraction]:
    moves = state.legal_moves
    return {move: Fraction(1, len(moves)) for move in moves}


@cache
def perfect(state: State) -> dict[Move, Fraction]:
    values = {move: moved(state, move) for move in state.legal_moves}
    best = [move for move, value in values.items() if value == max(values.values())]
    return {move: Fraction(1, len(best)) for move in best}


def first_wins(game: Game, one: Policy, two: Policy) -> float:
    """How often Player 1, who moves first, wins."""

    @cache
    def chance(state: State) -> Fraction:
        if state.winner is not None:
            return Fraction(int(state.winner == 1))
        if state.draws:
            return _expected(state, chance)
        policy = (one if state.to_move == 1 else two)(state)
        return sum((p * chance(state.play(move)) for move, p in policy.items()), Fraction(0))

    return float(chance(game.start()))


def walk(game: Game) -> tuple[set[State], Counter[int]]:
    """Every state that is not waiting for a card, and the number of games of each length."""
    states: set[State] = set()
    games: Counter[int] = Counter()

    def visit(state: State) -> None:
        if state.draws:
            for card in state.draws:
                visit(state.draw(card))
            return
        states.add(state)
        if state.winner is not None:
            games[len(state.moves)] += 1
        for move in state.legal_moves:
            visit(state.play(move))

    visit(game.start())
    return states, games


def test_chances_are_those_of_plain_recursion(small: Game) -> None:
    found = audit(small)
    assert found.perfect_first == pytest.approx(first_wins(small, perfect, blind), abs=1e-12)
    assert found.perfect_second == pytest.approx(1 - first_wins(small, blind, perfect), abs=1e-12)
    policies = {"perfect": perfect, "random": blind}
    assert found.equals.keys() == policies.keys()
    for name, policy in policies.items():
        assert found.equals[name] == pytest.approx(first_wins(small, policy, policy), abs=1e-12)


def test_counts_are_those_of_plain_recursion(small: Game) -> None:
    found = audit(small)
    states, games = walk(small)
    # Whose turn it is follows from the position, except that a pass can turn the tables.
    positions = {state.position: state for state in states}
    assert found.positions == len(positions)
    assert found.games == dict(sorted(games.items()))
    over = [state for state in positions.values() if state.winner is not None]
    assert found.finished == len(over) == sum(ending.positions for ending in found.endings)
    choices = [state for state in positions.values() if len(state.legal_moves) > 1]
    matter = [s for s in choices if len({moved(s, move)[0] for move in s.legal_moves}) > 1]
    assert (found.decisions.positions, found.decisions.result) == (len(choices), len(matter))
    if small.rules.margin is not None:
        points = [s for s in choices if len({moved(s, move) for move in s.legal_moves}) > 1]
        assert found.decisions.points == len(points)
    assert sum(found.random_lengths.values()) == pytest.approx(1)


def test_openings_are_worth_what_recursion_says(small: Game) -> None:
    for card, option in audit(small).openings:
        state = small.start() if card is None else small.start().draw(card)
        worth = moved(state, option.move)
        assert option.win_probability == pytest.approx(float(worth[0]))
        assert option.best == (worth == rank(state))


@pytest.mark.parametrize("name", ["duel", pytest.param("line", marks=pytest.mark.proof)])
def test_no_game_is_drawn(name: str) -> None:
    """That every game of each has a winner, tests/games/test_counts.py says without the audit."""
    assert audit(numduel.game(name)).draws == 0


def test_nobody_ever_selects_all_numbers_of_the_duel_on_nine() -> None:
    endings = {ending.text: ending.positions for ending in audit(numduel.game("duel")).endings}
    (never,) = [text for text, positions in endings.items() if positions == 0]
    assert never.startswith("All numbers have been selected.")
    eight = audit(numduel.game("duel", n=8)).endings
    assert all(ending.positions for ending in eight)


def test_equal_totals_are_listed_as_an_ending_that_never_occurs() -> None:
    endings = audit(numduel.game("capture", n=8)).endings
    assert [ending.positions > 0 for ending in endings] == [True, False]


def test_a_board_too_large_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadVariant, match="300 different moves, more than the 62 allowed"):
        audit(numduel.game("factors", n=300))
    with pytest.raises(BadVariant, match="too many positions"):
        audit(numduel.game("build", n=40))


def test_a_deck_of_one_card_is_won_by_who_draws_it() -> None:
    found = audit(numduel.game("build", n=1, copies=1, k=1))
    assert (found.positions, found.equals["random"]) == (3, 1.0)


def test_the_data_says_everything(capsys: pytest.CaptureFixture[str]) -> None:
    command.audit("duel", ["n=5"], as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert said.keys() == {
        "game", "variant", "draws", "value", "openings", "positions", "finished", "games",
        "games_by_length", "shortest", "longest", "random_lengths", "decisions",
        "perfect_beats_random", "first_player_wins", "endings", "missing",
    }  # fmt: skip
    assert said["variant"] == {"n": 5, "k": 3}
    assert said["value"] == {"win_probability": 1.0, "plies": 5, "exact": True}
    assert said["openings"][0].keys() == {*said["value"], "move", "best", "loss"}
    assert said["games"] == sum(said["games_by_length"].values())


def test_the_table_goes_through_a_pipe_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    command.audit("build", ["n=2", "k=2"])
    said = capsys.readouterr()
    assert "Perfect beats random\n  moving first" in said.out
    assert "\x1b" not in said.out
    assert said.err == ""


@pytest.mark.parametrize("case", [("duel", "n=5"), ("capture", "n=6"), ("build", "n=2")])
def test_the_page_is_whole_and_needs_nothing_else(
    case: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "audit.html"
    settings = [case[1]] if case[0] != "build" else [case[1], "k=2"]
    command.audit(case[0], settings, str(place))
    text = place.read_text("utf-8")
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    assert len(root.findall(".//svg")) == 4
    assert root.find(".//script") is None
    assert not {"src", "href"} & {name for element in root.iter() for name in element.attrib}
    assert "url(" not in text
    assert "prefers-color-scheme: dark" in text
    assert capsys.readouterr().out


def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadVariant, match="There is no folder for"):
        command.audit("duel", ["n=5"], str(tmp_path / "nowhere" / "page.html"))


def test_a_page_does_not_overwrite_a_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("mine", "utf-8")
    with pytest.raises(BadVariant, match="exists already; --force replaces it"):
        command.audit("duel", ["n=5"], str(tmp_path / "page.html"))
    command.audit("duel", ["n=5"], str(tmp_path / "page.html"), force=True)
    assert (tmp_path / "page.html").read_text("utf-8") != "mine"
    with pytest.raises(BadVariant, match="is a folder"):
        command.audit("duel", ["n=5"], str(tmp_path), force=True)
