"""The analysis board: lines are tried and found again, whatever door it is done at."""

from urllib.parse import parse_qsl, urlencode

import pytest
from pydantic import TypeAdapter

import numduel
from numduel.activities import Analysis, performed
from numduel.activities.analysis import MAX_LINES, MAX_SHARED, values
from numduel.core.errors import NumduelError
from numduel.play.record import parse

GAME = "game=duel&moves=1+5+9+4&name1=Ada"


def at(analysis: Analysis) -> str:
    """The moves that led to the position."""
    return parse(analysis.scene.at).state.text


def begun(*actions: str, address: str = GAME) -> Analysis:
    """After some actions; what is none of the choices is a move."""
    analysis = performed(Analysis(), "begin", address)
    words = {choice.action for choice in Analysis.CHOICES}
    for action in actions:
        word = action in words
        analysis = performed(analysis, action if word else "move", "" if word else action)
    return analysis


def offered(analysis: Analysis) -> set[str]:
    return {choice.action for choice in analysis.scene.choices} - {"values"}


def told(analysis: Analysis) -> str:
    return " ".join(said.text for said in analysis.scene.said)


def drawn(analysis: Analysis) -> list[str]:
    """Every line of the tree to its end, what was tried first first."""
    tree = analysis.scene.tree
    lines = [ply.move if ply.before < 0 else "" for ply in tree]
    for number, ply in enumerate(tree):
        if ply.before >= 0:
            assert ply.before < number
            lines[number] = f"{lines[ply.before]} {ply.move}"
    parents = {ply.before for ply in tree}
    return [line for number, line in enumerate(lines) if number not in parents]


def test_a_board_begins_with_the_game_that_is_offered_and_an_address_is_what_it_says() -> None:
    def first(address: str) -> object:
        return parse(begun(address=address).scene.at).game.settings["first"]

    assert first("game=factors") == "even"
    assert first("game=factors&variant=n%3D20") == first("game=factors&moves=11") == "any"


def test_one_steps_through_a_game_and_not_beyond() -> None:
    assert at(begun()) == "1 5 9 4"
    assert offered(begun()) == {"back", "start"}
    assert at(begun("back", "back")) == "1 5"
    assert offered(begun("back")) == {"back", "start", "on", "end"}
    assert at(begun("start")) == at(begun("start", "back")) == ""
    assert offered(begun("start")) == {"on", "end"}
    assert at(begun("start", "on")) == "1"
    assert at(begun("start", "end", "on")) == "1 5 9 4"
    three = performed(begun(), "back", "3")
    assert at(three) == "1"
    assert at(performed(three, "on", "99")) == "1 5 9 4"
    assert at(performed(three, "on", "0")) == "1"


def test_it_is_said_which_move_it_is_and_whose_turn() -> None:
    assert told(begun()) == "Move 4 of 4. Ada to move."
    assert told(begun("back")) == "Move 3 of 4. Player 2 to move."
    assert told(begun("back", "7")) == "Move 4 of 4, on a branch. Ada to move."
    assert told(begun("2", address="game=duel")) == "Move 1 of 1. Player 2 to move."
    over = begun(address="game=duel&moves=4+6+5+7+3")
    assert told(over).endswith("Player 1 wins the game! Move 5 of 5.")
    assert not over.scene.moves
    assert over.scene.then == ""


def test_what_was_tried_stays_and_going_on_leads_to_what_was_looked_at_last() -> None:
    tried = begun("back", "back", "7", "3")
    assert drawn(tried) == ["1 5 9 4", "1 5 7 3"]
    assert at(performed(performed(tried, "start"), "end")) == "1 5 7 3"
    other = performed(performed(tried, "go", "1 5 9"), "back")
    assert at(performed(other, "on")) == "1 5 9"
    assert drawn(other) == drawn(tried), "each stays in its place"
    again = performed(performed(other, "go", "1 5 7"), "start")
    assert at(performed(again, "end")) == "1 5 7 3"
    assert drawn(performed(performed(other, "back"), "move", "6")) == [*drawn(tried), "1 6"]


def test_the_tree_says_who_made_each_move_which_line_is_followed_and_where_one_is() -> None:
    tree = begun("back", "back", "7", "back").scene.tree
    assert [(ply.move, ply.seat, ply.followed, ply.here) for ply in tree] == [
        ("1", 1, True, False), ("5", 2, True, True), ("9", 1, False, False), ("4", 2, False, False),
        ("7", 1, True, False),
    ]  # fmt: skip


def test_from_a_branch_one_goes_back_to_where_it_left_the_game() -> None:
    branch = begun("start", "on", "3", "7")
    assert "game" in offered(branch)
    back = performed(branch, "game")
    assert at(back) == "1"
    assert "game" not in offered(back)
    assert at(performed(back, "end")) == "1 5 9 4"
    beyond = begun("7")
    assert at(performed(beyond, "game")) == "1 5 9 4"
    assert at(performed(performed(beyond, "game"), "on")) == "1 5 9 4 7", "it is not lost"
    assert "game" not in offered(begun("2", address="game=duel"))


def test_the_branches_from_a_position_are_gone_through_in_a_circle() -> None:
    tried = begun("start", "2", "start", "3")
    seen = [at(tried := performed(tried, "other")) for _ in range(4)]
    assert seen == ["2", "1", "3", "2"]
    assert at(performed(tried, "other", "later")) == "3"
    assert "other" in offered(tried)
    assert "other" not in offered(begun())
    assert performed(begun("start"), "other") == begun("start")


def test_a_drawn_card_is_a_step_and_is_told_with_the_move_that_plays_it() -> None:
    deck = begun(address="game=build&moves=7e+5e")
    assert told(deck) == "Move 2 of 2. Player 1 draws: choose the card."
    drawn_card = performed(deck, "move", "6")
    assert told(drawn_card) == "Move 2 of 2, on a branch. Player 1 to move."
    assert [ply.seat for ply in drawn_card.scene.tree] == [1, 2, 0]
    played = performed(drawn_card, "move", "b")
    assert [ply.label for ply in played.scene.tree] == [
        "starts with 7",
        "starts with 5",
        "adds 6 at the beginning",
    ]
    back = performed(performed(played, "back"), "move", "x")
    assert drawn(back) == ["7e 5e 6b", "7e 5e 6x"]
    assert at(performed(back, "back", "2")) == "7e 5e"
    assert at(performed(back, "back", "3")) == "7e 5"
    waiting = begun("e", address="game=build&moves=7e+5")
    assert [ply.move for ply in waiting.scene.tree] == ["7e", "5e"]


def test_what_is_no_move_is_refused_and_changes_nothing() -> None:
    for move, why in (("5", "5 has already been picked."), ("x", "x is not a move."), ("", "")):
        refused = begun(move)
        assert at(refused) == at(begun())
        assert refused.scene.said[0].kind == "error"
        assert refused.scene.said[0].text.startswith(why)
    no_card = begun("x", address="game=build").scene.said[0].text
    assert no_card.startswith("x is not a move. Please choose a card: 1, 2,")


@pytest.mark.parametrize("address", ["game=nothing", "game=duel&moves=1+1", "variant=x", "first=3"])
def test_an_address_that_is_no_position_is_refused(address: str) -> None:
    with pytest.raises(NumduelError):
        performed(Analysis(), "begin", address)


def test_without_an_address_it_is_the_first_game_and_what_was_begun_goes_on() -> None:
    first = performed(Analysis(), "begin")
    assert parse(first.scene.at).game == numduel.games()[0]()
    tried = begun("back", "7")
    assert performed(tried, "begin") == tried


def test_values_come_after_the_position_and_are_of_it_alone() -> None:
    tried = begun("back")
    assert (tried.scene.values, tried.scene.then) == (None, "value")
    valued = performed(tried, "value")
    assert valued.scene.values == values(parse(tried.scene.at).state)
    assert valued.scene.then == ""
    assert performed(valued, "value") == valued
    assert performed(valued, "on").scene.values is None
    waiting = tried.act("value")
    assert waiting.work is not None
    assert waiting.act("on").work is None, "nobody waits for what is not shown any more"
    off = performed(valued, "values")
    assert (off.scene.values, off.scene.then) == (None, "")
    assert performed(performed(off, "on"), "value").scene.values is None
    assert performed(off, "values").scene.then == "value"


def test_the_best_are_marked_unless_all_are() -> None:
    duel = numduel.game("duel")
    for text in ("", "4", "4 6 5 1"):
        found = values(duel.replay(text))
        alike = all(option["best"] for option in found["options"])
        assert ("A star marks the best." in found["legend"]) is not alike
        value = numduel.evaluate(duel.replay(text))
        assert value.win_probability == found["evaluation"]["chances"][len(text.split()) % 2]
    assert values(duel.replay("4 6 5 7 3")) == {"options": [], "legend": "", "evaluation": None}


def test_an_analysis_travels_as_json() -> None:
    kind = TypeAdapter(Analysis)
    for tried in (Analysis(), begun("back", "7"), performed(begun(), "value")):
        assert kind.validate_json(kind.dump_json(tried), strict=True) == tried


def test_the_least_recent_lines_are_forgotten_first() -> None:
    tried, line = begun(address="game=line&variant=n%3D20&moves=1"), numduel.game("line", n=20)
    pairs = [(a, b) for a in range(2, 20) for b in range(2, 20) if a != b]
    for a, b in pairs:
        tried = performed(tried, "go", f"1 {a} {b}")
        assert at(tried) == line.replay(f"1 {a} {b}").text
    assert len(tried.lines) <= MAX_LINES + 1
    assert len(TypeAdapter(Analysis).dump_json(tried)) < 14_000
    assert drawn(tried)[-1] == "1 19 18"
    assert told(performed(tried, "game")) == "Move 1 of 3. Player 2 to move."


# -- links ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "actions"),
    [
        (GAME, ("back", "back", "7", "back", "8", "start")),
        ("game=duel", ("1", "5", "back", "4", "3", "back")),
        ("game=build", ("7", "7e", "back", "7x", "3", "start", "9", "9e")),
        ("game=line&first=2", ("5", "4", "back", "6")),
    ],
)
def test_a_link_has_every_line_and_the_place_among_them(
    address: str, actions: tuple[str, ...]
) -> None:
    here = begun(*actions, address=address)
    wanted = dict(parse_qsl(address)) | {"moves": at(here), "lines": here.scene.lines}
    there = begun(address=urlencode(wanted))
    assert here.scene.lines
    assert (at(there), drawn(there)) == (at(here), drawn(here))
    assert there.scene.lines == here.scene.lines
    assert offered(there) == offered(here)


def test_a_link_without_branches_is_as_it_always_was() -> None:
    assert not begun().scene.lines
    assert not begun("1", "5", address="game=duel").scene.lines
    assert begun("back").scene.lines == "1 5 9 4", "what was taken back would be lost"


def test_a_link_that_was_cut_off_keeps_its_position() -> None:
    cut = begun(address=f"{GAME}&lines=1+5+9+4.1+5+5.1+5+7.x")
    assert at(cut) == "1 5 9 4"
    assert drawn(cut) == ["1 5 9 4", "1 5 7"]
    assert drawn(begun(address=f"{GAME}&lines=x")) == ["1 5 9 4"]


def test_of_too_many_lines_a_link_has_the_game_and_the_latest() -> None:
    many = begun(address="game=capture&moves=21+18")
    for first in range(1, 21):
        for second in (one for one in range(1, 21) if abs(one - first) > 1):
            many = performed(many, "go", f"{first} {second}")
    last, there = drawn(many)[-1], begun(address=f"game=capture&lines={many.scene.lines}")
    assert len(many.scene.lines) <= MAX_SHARED
    assert drawn(there)[0] == "21 18"
    assert last in drawn(there)
