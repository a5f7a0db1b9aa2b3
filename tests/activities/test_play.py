"""Playing, by the state machine alone: no door, no file, no clock."""

import json
import re

import pytest

import numduel
from numduel.activities import Sitting, performed, run
from numduel.activities.play import AGAIN, FORCED_PAUSE, HINT, REMATCH, RESIGN, UNDO
from numduel.learn.coach import hint
from numduel.play.match import begin, resume
from numduel.play.players import ESTIMATES, player
from numduel.play.record import parse
from numduel.play.score import Score
from tests.games import NAMES


def seated(name: str, *players: str, seed: int | None = 3, **settings: object) -> Sitting:
    """A sitting that has begun, of two people unless it is said who plays."""
    kinds = players or ("human", "human")
    match = begin(numduel.game(name), players=(kinds[0], kinds[1]), seed=seed)
    return performed(Sitting(match=match, seed=seed, **settings), "begin")  # type: ignore[arg-type]


def said(sitting: Sitting) -> list[tuple[str, str]]:
    return [(sentence.kind, sentence.text) for sentence in sitting.said]


def played(sitting: Sitting) -> Sitting:
    """The same to the end of the game, by the first legal moves."""
    while not sitting.over:
        sitting = performed(sitting, "move", str(sitting.match.state.legal_moves[0]))
    return sitting


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_and_another_that_the_other_one_begins(name: str) -> None:
    begun = seated(name)
    seen, sitting = begun.scene, begun
    while not sitting.over:
        assert sitting.scene.moves
        assert parse(sitting.scene.at).state == sitting.match.state
        undo = (UNDO,) if sitting.match.state.moves else ()
        assert sitting.scene.choices == (HINT, *undo, RESIGN)
        state = sitting.match.state
        sitting = sitting.act("move", str(state.legal_moves[0]))
        assert len(sitting.match.state.moves) > len(state.moves)
        assert not sitting.match.state.forced_pass
    assert begun.scene == seen, "what comes after it changes no state"
    assert sitting.scene.choices == (REMATCH, AGAIN, UNDO)
    assert sitting.scene.goal == sitting.view.status
    assert sitting.act("move", "1") is sitting
    other = sitting.act("rematch")
    assert (other.match.state.first, other.match.state.moves) == (2, ())
    assert other.score.games == 1
    assert re.search(r" · Player 1 (1 : 0|0 : 1) Player 2$", other.scene.title)
    assert played(other).standing == [played(other).total.told(other.names)]
    assert sitting.act("again").score == Score()
    assert sitting.act("again").match.state.first == 1


@pytest.mark.parametrize("name", NAMES)
def test_computers_play_by_data_that_travels(name: str) -> None:
    sitting = Sitting(match=begin(numduel.game(name), players=("easy", "random"), seed=5), seed=5)
    sitting = sitting.act("begin")
    while sitting.work is not None:
        state, seat = sitting.match.state, sitting.match.state.to_move
        assert sitting.act("hint") is sitting
        assert said(sitting.act("move", "1")) == [("error", f"It is Player {seat}'s turn.")]
        assert sitting.scene.said[-1].text == f"Player {seat} is thinking…"
        data = json.loads(json.dumps(sitting.work.arguments))
        chooser = player(data[1], data[2])
        assert chooser is not None
        sitting = sitting.fed(run(sitting.work))
        assert sitting.match.state.moves[len(state.moves)] == chooser.choose(state)
    assert sitting.over


@pytest.mark.parametrize("name", NAMES)
def test_the_second_hint_in_a_position_names_a_move(name: str) -> None:
    sitting = seated(name)
    found = hint(sitting.match.state, sitting.names)
    sitting = performed(sitting, "hint")
    assert said(sitting) == [("hint", f"{found.nudge} (Another hint names a move.)")]
    assert sitting.scene.said == sitting.said
    sitting = performed(sitting, "hint")
    assert said(sitting) == [("hint", line) for line in found.lines]
    sitting = performed(sitting.act("move", str(sitting.match.state.legal_moves[0])), "hint")
    assert said(sitting)[0][1].endswith("(Another hint names a move.)")


def test_a_game_remembers_which_help_was_used_and_the_next_one_begins_without() -> None:
    begun = performed(seated("duel", "human", "easy"), "move", "5")
    assert begun.match.help == frozenset()
    undone, hinted = performed(begun, "undo"), performed(begun, "hint")
    assert undone.match.help == {"undo"}
    assert hinted.match.help == {"hint"}
    helped = performed(hinted, "values")
    assert helped.match.help == {"hint", "values"}
    assert performed(helped, "values") is helped
    assert resume(parse(helped.match.record.text())).help == {"hint", "values"}
    assert "Help" not in helped.scene.at, "the board is the same"
    over = performed(helped, "resign")
    assert performed(over, "values") is over
    assert performed(over, "rematch").match.help == frozenset()


def test_a_hint_that_is_waited_for_goes_with_the_position() -> None:
    waiting = seated("duel").act("hint")
    assert waiting.act("hint") is waiting
    assert waiting.act("move", "5").work is None
    assert waiting.act("leave").work is None


def test_undo_goes_back_to_the_last_decision_of_a_person() -> None:
    sitting = performed(seated("duel", "human", "easy"), "move", "5")
    assert len(sitting.match.state.moves) == 2
    sitting = sitting.act("undo")
    assert said(sitting) == [("move", "The last 2 moves are taken back.")]
    assert sitting.match.state.moves == ()
    assert said(sitting.act("undo")) == [("error", "There is no move of yours to take back.")]
    thinking = sitting.act("move", "4")
    assert thinking.thinking
    taken = thinking.act("undo")
    assert (said(taken), taken.work) == ([("move", "The last move is taken back.")], None)


def test_cards_that_nobody_chose_are_shuffled_again() -> None:
    match = resume(parse("Game: sequence-build\n\n7e 5e 2\n"))
    sitting = Sitting(match=match).act("begin").act("move", "d").act("undo")
    assert said(sitting)[1:] == [("why", "The undrawn cards are shuffled again.")]


def test_a_rule_that_costs_the_game_is_broken_twice_where_one_is_careful() -> None:
    sitting = seated("factors", careful=True).act("move", "8").act("move", "9")
    assert said(sitting)[0][1].endswith("loses the game: play it again if you mean it.")
    assert said(sitting.act("move", "eight"))[0][1].startswith("eight is not a move. ")
    assert said(sitting.act("move", "7"))[0][1].endswith("play it again if you mean it.")
    assert sitting.act("move", "9").match.state.winner == 1
    assert sitting.act("move", "4").warned == ""
    assert seated("factors").act("move", "8").act("move", "9").match.state.winner == 1
    match = begin(numduel.game("factors"), forgiving=True)
    forgiven = Sitting(match=match, careful=True).act("move", "8").act("move", "9").act("move", "9")
    assert not forgiven.over
    assert "loses the game" not in said(forgiven)[0][1]


def test_the_only_person_resigns_or_else_the_player_to_move() -> None:
    thinking = seated("duel", "human", "easy").act("move", "5")
    assert thinking.act("resign").match.state.winner == 2
    assert seated("duel").act("move", "5").act("resign").match.state.winner == 1


def build_with(hand: str, card: int, **settings: object) -> Sitting:
    """Sequence Build, with a row of Player 1 and a card that was drawn for them."""
    record = parse(f"Game: sequence-build\nPlayer 2: easy\n\n{hand} {card}\n")
    return Sitting(match=resume(record), **settings).act("begin")  # type: ignore[arg-type]


def test_a_card_that_fits_nowhere_is_discarded_by_itself_if_that_is_wanted() -> None:
    stuck = build_with("5e 1x", 9, by_itself=True)
    assert (stuck.scene.then, stuck.scene.pause) == ("forced", FORCED_PAUSE)
    assert stuck.act("forced").match.state.moves == ("5e", "1x", "9x")
    for card, wanted in ((9, False), (6, True), (4, True)):
        free = build_with("5e 1x", card, by_itself=wanted)
        assert free.scene.then == ""
        assert free.act("forced") is free
    asking = stuck.act("hint")
    for reading in (asking, asking.fed({"nudge": "Look.", "lines": ["Discard it."]})):
        assert reading.scene.then == "", "a hint can be read"
        assert reading.act("forced") is reading
    first = build_with("", 5, by_itself=True)
    assert first.scene.then == "", "a first card can be kept"
    thinking = stuck.act("forced")
    assert thinking.scene.then == "", "the computer plays its own cards"


def test_a_person_who_lost_to_the_computer_is_told_what_to_try_next() -> None:
    lost = seated("duel", "human", "easy").act("move", "1").act("resign")
    assert lost.scene.said[0].text == "You resigned."
    told = performed(seated("duel", "human", "easy").act("move", "1"), "resign").scene.said
    assert [sentence.kind for sentence in told] == ["note", "why"]
    assert told[1].text.startswith("Next time: ")
    assert seated("duel").act("move", "5").act("resign").work is None


@pytest.mark.usefixtures("quick_estimates")
def test_a_computer_that_estimates_says_so_once() -> None:
    match = begin(numduel.game("capture", n=99), players=("human", "perfect"))
    sitting = Sitting(match=match).act("begin")
    told = []
    for _ in range(2):
        sitting = performed(sitting, "move", str(sitting.match.state.legal_moves[0]))
        told.append([text for kind, text in said(sitting) if kind == "note"])
    assert told == [[f"({ESTIMATES})"], []]


def test_an_unknown_player_cannot_play() -> None:
    match = begin(numduel.game("duel"), players=("human", "nobody"))
    with pytest.raises(numduel.NumduelError, match="There is no player 'nobody'"):
        Sitting(match=match).act("begin")


def test_a_game_without_a_mistake_has_none_to_try_again() -> None:
    for moves, flawless in (("5 1 4 3 6", True), ("1 5 3 7 8 6", False)):
        record = parse(f"Game: sequence-duel\nPlayer 2: hard\n\n{moves}\n")
        assert performed(Sitting(match=resume(record)), "begin").flawless == flawless
