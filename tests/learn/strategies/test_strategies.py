"""Strategies win every game, as they say; those of the page are proved once more."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from math import inf
from operator import itemgetter
from pathlib import Path

import pytest
from numduel_examples.pile import Pile
from typer.testing import CliRunner

import numduel
from numduel import BadVariant, Game, IllegalMove, State, Strategy
from numduel.core.ideas import Idea
from numduel.core.matching import matching
from numduel.core.state import Move
from numduel.games.duel import Duel
from numduel.learn.ideas import FITS, SMALLEST, USE, situation, vocabulary, winning
from numduel.learn.strategies import decks, known, trees
from numduel.learn.strategies.base import Branch
from numduel.learn.strategies.card import card
from numduel.learn.strategies.facts import always_winning
from numduel.learn.strategies.lists import HARDEST, play_out, shortest
from numduel.learn.strategies.pairs import odd_pieces, pairing, ruled_pairing
from numduel.learn.strategies.trees import smallest_tree
from numduel.terminal.app import app
from tests.learn.strategies.checker import GAMES, Board, Ideas, Left, Rules, played, wins_always
from tests.learn.strategies.reader import pairs as read_pairs

PAGE = (Path(__file__).parents[3] / "docs" / "strategies.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and line.split("|")[1].strip() in GAMES
]

SHORT = 2000
"""A longer proof belongs to the long run."""


def said(*words: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    return done.stdout


def settings(text: str) -> dict[str, int | str]:
    pairs = (pair.split("=") for pair in text.split())
    return {key: int(value) if value.isdigit() else value for key, value in pairs}


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row,
            id=f"{row[0]} {row[1]}",
            marks=[pytest.mark.proof] if int(row[6] or 0) > SHORT else [],
        )
        for row in ROWS
    ],
)
def test_every_line_of_the_page_is_proved_once_more(row: list[str]) -> None:
    name, variant, seat, opening, told, margin, positions = row
    rules = GAMES[name](**settings(variant))
    if "–" in told:
        proved_by_pairs(name, settings(variant), int(seat), opening, told, positions)
        return
    if not positions:
        assert (name, told) == ("capture", "largest"), "test_theorems.py has the proof"
        return
    ideas = [] if told == "any" else told.split(", ")
    won, met = wins_always(
        rules, int(seat), int(opening) if opening else None, ideas, int(margin or 0)
    )
    assert won
    assert met == int(positions)


def proved_by_pairs(
    name: str, variant: dict[str, int | str], seat: int, opening: str, told: str, positions: str
) -> None:
    """Answering with partners wins, wherever it was played out. Elsewhere, partners are factors and
    multiples, whoever is to answer has a partner, and no pairing is larger: without the numbers of
    the check, too many of the pieces are odd. Only a number in an odd piece can stay single; so the
    opening is in one, or no allowed opening is."""
    n, pairs = int(variant["n"]), read_pairs(told.split())
    paired = [number for pair in pairs for number in pair]
    assert len(set(paired)) == len(paired)
    rules = GAMES[name](**variant)
    if positions:
        left = partners(rules, int(opening) if opening else None, pairs)
        assert played(rules, seat, left) == (True, int(positions))
    if name != "factors":
        return
    assert all(two % one == 0 for one, two in pairs)
    found = pairing(numduel.game("factors", **variant), seat)
    assert found is not None
    without = set(range(1, n + 1)) - set(found.apart)
    odd = [piece for piece in pieces(without) if len(piece) % 2]
    assert len(odd) - len(found.apart) == n - 2 * len(pairs)
    allowed = rules.moves(rules.start)
    if seat == 1:
        assert int(opening) in allowed
        assert int(opening) not in paired
    else:
        assert set(allowed) <= set(paired)
        assert set(allowed).isdisjoint(set[int]().union(*odd))


def partners(rules: Rules, opening: int | None, pairs: list[tuple[int, int]]) -> Left:
    """What is left to whoever answers with partners, and with anything where there is none."""
    partner = dict([*pairs, *(pair[::-1] for pair in pairs)])

    def left(board: Board, theirs: int, _: int) -> list[int]:
        moves = rules.moves(board)
        if opening is not None and board == rules.start:
            return [opening]
        return [move for move in moves if move == partner.get(theirs)] or moves

    return left


def pieces(left: set[int]) -> list[set[int]]:
    """The connected parts of some numbers, joined with their factors and multiples."""
    found: list[set[int]] = []
    for number in left:
        near = [p for p in found if any(number % o == 0 or o % number == 0 for o in p)]
        found = [p for p in found if p not in near] + [{number}.union(*near)]
    return found


def test_the_page_has_the_variants_that_people_play() -> None:
    variants = {(row[0], row[1]) for row in ROWS}
    wanted = {("line", f"n={n} k=4") for n in range(8, 15)}
    wanted |= {("duel", f"n={n} k=3") for n in range(7, 15)}
    wanted |= {("capture", f"n={n} gaps=none") for n in range(3, 31)}
    wanted |= {
        ("factors", f"n={n} first={first}")
        for n in (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
        for first in ("any", "even")
    }
    assert wanted <= variants


def test_the_page_tells_the_ideas_of_its_tables_in_their_own_words() -> None:
    told = dict(re.findall(r"^\| `(\S+)` \| (.+) \|$", PAGE, re.MULTILINE))
    games = [kind() for kind in numduel.games()]
    words = {idea.name: idea.instruction for game in games for idea in vocabulary(game)}
    assert told.items() <= words.items()
    rows = [line.split(" | ") for line in PAGE.splitlines()]
    named = [row[4] for row in rows if len(row) == 7 and "–" not in row[4] and "=" in row[1]]
    assert set(told) == {name for cell in named for name in cell.split(", ")}


def test_the_transcript_of_the_page_is_what_is_printed() -> None:
    shown = PAGE.partition("$ numduel strategy line\n")[2].partition("```")[0]
    assert shown == said("strategy", "line")


def test_links_within_the_page_lead_to_its_headings() -> None:
    headings = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors


# -- playing by them ------------------------------------------------------------------------


def wins_every_game(strategy: Strategy, games: int = 200) -> bool:
    for seed in range(games):
        luck, state = random.Random(seed), strategy.game.start()
        while state.winner is None:
            mine = state.to_move == strategy.seat
            state = state.play(strategy.choose(state) if mine else luck.choice(state.legal_moves))
        if state.winner != strategy.seat:
            return False
    return True


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("line", {}),
        ("duel", {}),
        ("capture", {"n": 12}),
        ("factors", {}),
        ("factors", {"n": 10}),
        ("factors", {"n": 15, "first": "even"}),
        pytest.param("factors", {"n": 26, "first": "even"}, marks=pytest.mark.proof),
    ],
)
def test_whoever_plays_by_a_strategy_wins(name: str, variant: dict[str, object]) -> None:
    assert wins_every_game(numduel.strategy(numduel.game(name, **variant)))


@pytest.mark.parametrize(
    ("find", "game", "seat"),
    [
        (shortest, numduel.game("duel"), 1),
        (shortest, numduel.game("capture", n=10), 1),
        (ruled_pairing, numduel.game("line"), 1),
        (pairing, numduel.game("factors", n=15, first="even"), 2),
        (pairing, numduel.game("factors", n=30, first="even"), 1),
        (smallest_tree, numduel.game("duel"), 1),
        (smallest_tree, numduel.game("line", n=8), 1),
    ],
)
def test_off_its_path_a_strategy_still_makes_a_legal_move(
    find: Callable[[Game, int], Strategy | None], game: Game, seat: int
) -> None:
    found = find(game, seat)
    assert found is not None
    for seed in range(60):
        luck, state = random.Random(seed), found.game.start()
        while state.winner is None:
            assert found.choose(state) in state.legal_moves
            state = state.play(luck.choice(state.legal_moves))
        with pytest.raises(IllegalMove, match="There is no move to make"):
            found.choose(state)


def test_a_list_that_loses_somewhere_is_no_strategy() -> None:
    game = numduel.game("line")
    for idea in vocabulary(game):
        assert not play_out(Strategy(game, 1, 9, (idea,), 0))[0], "9 loses"


def test_no_shorter_list_wins() -> None:
    game = numduel.game("duel")
    found = shortest(game, 1)
    assert found is not None
    assert len(found.ideas) == 1
    assert not any(play_out(Strategy(game, 1, o, (), 0))[0] for o in (None, *range(1, 10)))


def test_a_list_that_goes_by_the_last_move_is_not_proved_by_positions_alone() -> None:
    """This list answers the same position in two ways, by the move that led to it; looked at once,
    with one of them, it seems to win."""
    game = numduel.game("line", n=6, k=3)
    known_here = {idea.name: idea for idea in vocabulary(game)}
    names = "win", "cut", "beside-theirs", "smallest"
    listed = Strategy(game, 1, None, tuple(known_here[name] for name in names), 0)
    assert not wins_always(GAMES["line"](n=6, k=3), 1, None, [*names])[0]
    assert play_out(listed)[0] is False
    forgetful = tuple(idea._replace(history=False) for idea in listed.ideas)
    assert play_out(replace(listed, ideas=forgetful))[0], "so it matters here"


def test_a_position_that_is_met_after_several_moves_counts_once() -> None:
    game = numduel.game("line", n=7, k=3)
    found = ruled_pairing(game, 1)
    assert found is not None
    assert found.remembers
    met, waiting = set(), [game.start()]
    while waiting:
        state = waiting.pop()
        if state.winner is None:
            met.add(state.position)
            after = state.play(found.choose(state))
            waiting += after.successors
    assert found.positions == len(met)


def test_a_list_that_passes_over_a_win_is_not_told() -> None:
    game = numduel.game("line", n=6, k=3)
    ideas = {idea.name: idea for idea in vocabulary(game)}
    slow = Strategy(game, 1, None, (ideas["deny"], ideas["central"]), 0)
    assert wins_every_game(slow), "but not as soon as it could"
    assert play_out(slow)[0] is False
    assert play_out(replace(slow, ideas=(ideas["win"], *slow.ideas)))[0]


def test_a_list_is_proved_for_whichever_move_is_left() -> None:
    game = numduel.game("line")
    ideas = {idea.name: idea for idea in vocabulary(game)}
    lucky = Strategy(game, 1, 3, (ideas["win"], ideas["deny-fork"], ideas["smallest"]), 0)
    assert play_out(lucky)[0]
    assert play_out(replace(lucky, ideas=lucky.ideas[:2]))[0] is False


def test_where_the_smallest_matters_it_is_said() -> None:
    game = numduel.game("line", n=6, k=3)
    found = shortest(game, 1, last=(SMALLEST,))
    assert found is not None
    assert found.instructions()[-1] == (
        "If several numbers are left, take the smallest: it matters here."
    )


@pytest.mark.parametrize("n", range(3, 9))
def test_a_line_is_won_by_pairs_whatever_makes_a_row(n: int) -> None:
    for k in range(3, n + 1):
        found = numduel.strategy(numduel.game("line", n=n, k=k))
        assert (found.opening, found.pairs) == (1, tuple((p, p + 1) for p in range(2, n, 2)))
        assert found.positions
        assert ruled_pairing(found.game, 1) == replace(found, theorem=False)


def test_a_theorem_is_told_of_boards_that_nobody_could_play_out() -> None:
    found = numduel.strategy(numduel.game("line", n=200, k=7))
    assert found.instructions() == [
        "Open with 1.",
        "Answer each of their numbers with its partner: 2–3, 4–5, 6–7, …, 198–199.",
        "If it has no partner, or the partner is gone, take any number you like.",
    ]
    assert found.proof() == "Proved for boards of every size: you win every game as Player 1."
    assert numduel.strategy(numduel.game("capture", n=99)).margin == 50
    with pytest.raises(BadVariant, match="No strategy wins as Player 2"):
        numduel.strategy(numduel.game("line", n=200, k=7), 2)


class Squares(Duel):
    """A game whose moves are no numbers: nobody knows which of them is the smallest."""

    numeric = False


def test_moves_that_are_no_numbers_are_never_told_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    found = numduel.strategy(Squares(n=7))
    assert found.instructions()[-1] == "If several moves are left, choose any of them."
    monkeypatch.setattr("numduel.learn.strategies.shortest", only_by_size)
    found = numduel.strategy(Squares(n=7))
    assert found.tree, "a table can be followed"
    assert SMALLEST in numduel.strategy(numduel.game("duel", n=7)).ideas


def only_by_size(game: Game, seat: int, *_: object, **given: object) -> Strategy | None:
    """A search that finds nothing but a list that goes by size."""
    return Strategy(game, seat, 4, (SMALLEST,), 1) if given.get("last") else None


TOLD = {"line": {"n": 6, "k": 3}, "duel": {"n": 7}, "capture": {"n": 7}, "factors": {"n": 10}}


def tellable(game: Game) -> list[Idea]:
    """The ideas that the second reading knows, too."""
    second = Ideas(GAMES[game.name](**game.settings))
    return [idea for idea in vocabulary(game) if hasattr(second, idea.name.replace("-", "_"))]


@pytest.mark.parametrize("name", TOLD)
def test_whether_a_list_wins_and_how_many_positions_that_takes_is_what_a_second_reading_says(
    name: str,
) -> None:
    """Where an idea looks back at the last moves, a position counts once all the same."""
    game = numduel.game(name, **TOLD[name])
    rules, known_there = GAMES[name](**game.settings), tellable(game)
    lists = [[first, second] for first in known_there for second in known_there if first != second]
    won = set()
    for ideas in [*([idea] for idea in known_there), *lists]:
        for seat in (1, 2):
            listed = Strategy(game, seat, None, tuple(ideas), 0)
            found, met = play_out(listed)
            expected = wins_always(rules, seat, None, [idea.name for idea in ideas])
            assert (found, met if found else 0) == expected, ideas
            if found:
                won.add(any(idea.history for idea in ideas))
                assert play_out(listed, met) == (True, met)
                assert play_out(listed, met - 1)[0] is None, "one too many"
    assert won == ({False} if name == "duel" else {False, True}), "with and without history"


def test_a_list_of_a_counted_game_wins_by_as_many_points_as_a_second_reading_says() -> None:
    game = numduel.game("capture", n=6)
    rules = GAMES["capture"](n=6)
    most = 0
    for idea in tellable(game):
        for opening in (None, *range(1, 7)):
            for margin in range(1, 8):
                found, met = play_out(Strategy(game, 1, opening, (idea,), 0, margin=margin))
                expected = wins_always(rules, 1, opening, [idea.name], margin)
                assert (found, met if found else 0) == expected, (idea.name, opening, margin)
                most = max(most, margin if found else 0)
    assert most == numduel.evaluate(game.start()).margin


@pytest.mark.parametrize(
    ("name", "settings", "seat"),
    [("line", {"n": 6, "k": 3}, 1), ("duel", {"n": 7}, 1), ("duel", {"n": 7, "k": 4}, 2)],
)
def test_of_the_shortest_lists_that_win_the_one_with_the_least_to_prove_is_told(
    name: str, settings: dict[str, int], seat: int
) -> None:
    game = numduel.game(name, **settings)
    ideas = [idea for idea in vocabulary(game) if idea.grade <= HARDEST and idea != SMALLEST]
    openings = (None, *range(1, settings["n"] + 1)) if seat == 1 else (None,)
    for length in range(3):
        wins = [
            (met, some, opening)
            for some in permutations(ideas, length)
            for opening in openings
            for won, met in [play_out(Strategy(game, seat, opening, some, 0))]
            if won
        ]
        if wins:
            break
    found = shortest(game, seat)
    assert found is not None
    assert (found.positions, found.ideas, found.opening) == min(wins, key=itemgetter(0))
    assert found.margin is None


def test_a_seat_that_loses_has_no_strategy() -> None:
    with pytest.raises(BadVariant, match="No strategy wins as Player 2: with best play, Player 1"):
        numduel.strategy(numduel.game("line"), 2)


def test_a_strategy_of_a_counted_game_keeps_the_points_of_best_play() -> None:
    found = numduel.strategy(numduel.game("capture", n=15))
    assert found.margin == 8
    assert "by 8 points or more" in found.proof()


# -- pairs and trees ------------------------------------------------------------------------


def test_the_check_of_a_pairing_counts_odd_pieces() -> None:
    star: dict[int, list[int]] = {1: [2, 3, 4], 2: [1], 3: [1], 4: [1]}
    assert odd_pieces(star, (1,)) == 3
    assert len(matching(star)) == 2
    assert odd_pieces(star, ()) == 0


def test_pairs_that_leave_a_number_single_say_why_no_others_leave_fewer() -> None:
    found = pairing(numduel.game("factors", n=22, first="even"), 2)
    assert found is not None
    assert found.apart == (1,)
    assert found.proof() == (
        "Proved: 17 and 19 stay single; no pairing leaves fewer, and none leaves a number single"
        " that they may begin with (without 1 the others fall into 3 groups of odd size, with one"
        " over in each, and none of these holds such a number). So they never get to a number"
        " without a partner: the pairs on the way there could be shifted, and their first number"
        " would stay single instead."
    )
    assert wins_every_game(found)


@pytest.mark.parametrize(
    "game",
    [
        numduel.game("duel"),
        numduel.game("duel", n=8, k=4),
        numduel.game("line", n=8),
        Pile(pile=13),
    ],
    ids=str,
)
def test_a_tree_wins_and_uses_the_mirror_only_where_the_rules_do(game: Game) -> None:
    found = smallest_tree(game, 1)
    assert found is not None
    assert wins_every_game(found)
    # On a full line the run that starts lower wins; in a mirror it would be the other.
    assert found.symmetry == (game.name == "duel")


def test_a_tree_with_a_mirror_answers_a_mirrored_position_with_the_mirrored_move() -> None:
    game = numduel.game("duel")
    found = smallest_tree(game, 1)
    assert found is not None
    assert found.tree
    remembered = {branch.position for branch in found.tree}
    for branch in found.tree:
        state = game.replay([10 - int(move) for move in branch.path])
        if state.position not in remembered:
            assert found.choose(state) == 10 - branch.answer


def test_a_tree_that_nobody_could_remember_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = numduel.game("duel", n=6)
    found = smallest_tree(game, 1)
    assert found is not None
    for most, told in ((found.positions, found), (found.positions - 1, None)):
        monkeypatch.setattr(trees, "MOST_BRANCHES", most)
        assert smallest_tree(game, 1) == told
    monkeypatch.setattr(trees, "MOST_POSITIONS", 3)
    assert smallest_tree(game, 1) is None


def to_remember(state: State) -> float:
    """How many positions a player must remember who is to move and wants to win, if what is met
    twice counts twice and winning at once goes without saying."""
    if state.winner is not None:
        return 0 if state.winner == state.to_move else inf
    if winning(state.game, state.position):
        return 0
    return min(price(state, move) for move in state.legal_moves)


def price(state: State, move: Move) -> float:
    """The same, if a move is made that does not win at once."""
    after = state.play(move)
    if after.winner is not None:
        return inf
    return 1 + sum(to_remember(after.play(reply)) for reply in after.legal_moves)


@pytest.mark.parametrize("game", [numduel.game("line", n=6, k=3), numduel.game("duel", n=7)])
def test_a_tree_remembers_as_little_as_can_be_in_the_order_in_which_it_is_met(game: Game) -> None:
    found = smallest_tree(game, 1)
    assert found is not None
    assert found.tree
    paths = [branch.path for branch in found.tree]
    assert [*map(len, paths)] == sorted(map(len, paths)), "what comes first is told first"
    positions = set()
    for branch in found.tree:
        state = game.replay(branch.path)
        assert state.position == branch.position
        assert not winning(game, state.position)
        assert price(state, branch.answer) == to_remember(state) < inf
        positions.add(branch.position)
        if not found.symmetry:
            cheapest = [m for m in state.legal_moves if price(state, m) == to_remember(state)]
            assert branch.answer == min(cheapest)
    assert len(positions) == len(found.tree) == found.positions
    assert found.opening is None


def test_the_pile_of_the_examples_has_a_table_to_remember() -> None:
    found = numduel.strategy(Pile(pile=10))
    assert found.proved
    assert wins_every_game(found)


# -- decks ----------------------------------------------------------------------------------


def value(state: State, seat: int, strategy: Strategy) -> float:
    """The chance of a strategy against perfect answers, by trying everything."""
    if state.winner is not None:
        return float(state.winner == seat)
    if state.draws:
        return sum(odds * value(state.draw(c), seat, strategy) for c, odds in state.draws.items())
    if state.to_move == seat:
        left = state.game.moves(strategy.left(situation(state), state.card), state)
        return min(value(state.play(move), seat, strategy) for move in left)
    return min(value(state.play(move), seat, strategy) for move in state.legal_moves)


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("begins", [None, (2, 3)])
def test_the_chance_of_a_list_is_that_of_trying_all_decks(
    seat: int, begins: tuple[int, ...] | None
) -> None:
    game = numduel.game("build", n=4, copies=1, k=3)
    for ideas in [(USE,), (FITS,), (USE, FITS)]:
        strategy = Strategy(game, seat, begins, ideas, 0, chance=0.0)
        exact = decks.chance(decks.players_of(game), seat, ideas, begins)
        assert exact == pytest.approx(value(game.start(), seat, strategy), abs=1e-12)


def test_the_list_that_loses_least_is_close_to_perfect_play() -> None:
    found = numduel.strategy(numduel.game("build", n=6, k=4))
    assert found.chance is not None
    assert found.perfect is not None
    assert found.perfect - 0.01 < found.chance <= found.perfect
    assert not found.proved


# -- how they are told ----------------------------------------------------------------------


def test_a_strategy_as_data() -> None:
    found = json.loads(said("strategy", "duel", "--json"))
    assert found == {
        "game": "sequence-duel", "variant": {"n": 9, "k": 3}, "seat": 1, "opening": 3,
        "ideas": ["fork"], "positions": 90, "proved": True,
    }  # fmt: skip
    pairs = json.loads(
        said("strategy", "factors", "--set", "n=15", "--set", "first=even", "--json")
    )
    assert pairs["pairs"]
    assert pairs["opening"] is None


@pytest.mark.parametrize(
    "game",
    [numduel.game("duel"), numduel.game("capture", n=9), numduel.game("build", n=4, k=3)],
    ids=str,
)
def test_a_card_shows_the_board_and_every_step(game: Game) -> None:
    found = numduel.strategy(game)
    drawn = card(found)
    assert drawn.steps == found.instructions()
    assert any(tile.kind == "next" for row in drawn.rows for tile in row)
    if columns := game.layout.columns:
        assert {len(row) for row in drawn.rows} == {columns}, "as the board is drawn everywhere"
    framed = "the card that you have drawn" if game.has_deck else "your next move"
    assert f"he one with a thick frame is {framed}. " in drawn.caption
    kinds = {tile.kind for row in drawn.rows for tile in row}
    assert ("striped" in drawn.caption) == ("theirs" in kinds), "only marks that are there"
    assert "<svg" in drawn.html()
    assert "http" not in drawn.svg().replace("http://www.w3.org/2000/svg", "")


def test_a_card_of_pairs_shows_them_side_by_side_and_what_to_open_with() -> None:
    drawn = card(numduel.strategy(numduel.game("line")))
    assert [[tile.text for tile in row] for row in drawn.rows] == [[*"23456789"], ["1", "10"]]
    assert [tile.text for row in drawn.rows for tile in row if tile.kind == "next"] == ["1"]
    assert drawn.caption == (
        "Partners stand side by side and look alike; open with the one in a thick frame."
    )


def test_a_card_is_written_once(tmp_path: Path) -> None:
    file = tmp_path / "card.svg"
    said("strategy", "duel", "--card", str(file))
    assert file.read_text().startswith("<svg")
    file.write_text("mine")
    refused = CliRunner().invoke(app, ["strategy", "duel", "--card", str(file)]).exception
    assert str(refused).endswith("card.svg exists already; --force replaces it.")
    assert file.read_text() == "mine"
    said("strategy", "duel", "--card", str(file), "--force")
    assert file.read_text().startswith("<svg")


@pytest.mark.parametrize("game", [kind() for kind in numduel.games() if kind().strategy], ids=str)
def test_a_strategy_that_a_game_ships_is_the_one_of_the_page(game: Game) -> None:
    """What takes long to find is kept; the lines of the page are proved."""
    found = known(game)
    assert found is not None
    opening = found.opening
    begin = ", ".join(map(str, opening)) if isinstance(opening, tuple) else str(opening or "")
    ideas = ", ".join(idea.name for idea in found.ideas)
    head = f"| {game.name} | {game.variant_text} | {found.seat} | {begin} | {ideas}"
    if found.chance is None or found.perfect is None:
        assert f"{head} | {found.margin or ''} | {found.positions} |" in PAGE
    else:
        assert f"{head} | {100 * found.chance:.2f} % | {100 * found.perfect:.2f} % |" in PAGE
    assert card(found).steps == found.instructions()


def test_what_decides_a_game_is_kept_with_the_strategy_that_it_ships(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a game of another package may, of which no theorem is known."""
    found = replace(numduel.strategy(numduel.game("duel", n=4)), deciding=(2, 3))
    monkeypatch.setattr(type(found.game), "strategy", json.dumps(found.json()))
    again = known(found.game)
    assert again is not None
    assert again.facts == found.facts == ("Whoever owns 2 and 3 wins, whatever else happens.",)


def test_a_strategy_that_a_game_ships_is_for_one_variant_alone() -> None:
    assert known(numduel.game("build", n=6)) is None
    assert known(numduel.game("duel")) is None


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7])
def test_the_numbers_of_every_winner_are_found_by_plain_enumeration(n: int) -> None:
    game = numduel.game("capture", n=n)
    legal, result, v = game.rules.legal, game.rules.result, game.variant
    ends = []
    for owners in product(range(3), repeat=n):
        one, two = (
            sum(2 << place for place, owner in enumerate(owners) if owner == seat)
            for seat in (1, 2)
        )
        apart = not (one & one << 1 or two & two << 1)
        if apart and not legal(one, two, v):
            ends.append(one if result(one, two, v) > 0 else two)
    common = -1
    for winner in ends:
        common &= winner
    assert always_winning(game) == common
    assert common >> n & 1, "at least the highest number decides"


class Lettered(type(numduel.game("line"))):  # type: ignore[misc]
    """Numbers that players type as letters."""

    def label(self, move: Move) -> str:
        return chr(64 + int(move))


def test_moves_are_told_as_they_are_typed() -> None:
    found = replace(numduel.strategy(numduel.game("line")), game=Lettered())
    assert found.instructions()[0] == "Open with A."
    tree = replace(found, pairs=None, tree=(Branch((0, 0), (), 3), Branch((0, 0), (3, 1), 2)))
    told = ["At the start, choose C.", "After C A, choose B."]
    assert tree.instructions()[1:] == told, "a sentence for each position"
    assert replace(tree, symmetry=True).instructions()[-1].startswith("In the mirror image ")
