"""What the coach says is true, of one move and of whole games."""

from __future__ import annotations

import io
import json
import random
import re
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import pytest

import numduel
from numduel import State, solver
from numduel.core.errors import BadVariant
from numduel.learn import coach
from numduel.learn.coach import Ply, Report, explain, hints, report, reports, why
from numduel.play.match import begin
from numduel.play.record import Record, parse
from numduel.solver import Option, Value
from numduel.terminal.review import review
from tests.cli import Terminal, plain, run
from tests.games import NAMES, WITHOUT_LUCK


def option(state: State, move: object) -> Option:
    return next(found for found in solver.analyse(state) if found.move == move)


def random_game(name: str, seed: int, **settings: object) -> Record:
    chance = random.Random(seed)
    match = begin(numduel.game(name, **settings), seed=seed, first=1 + seed % 2)
    while match.state.winner is None:
        match.play(chance.choice(match.state.legal_moves))
    return match.record


def perfect_game(name: str, **settings: object) -> Record:
    match = begin(numduel.game(name, **settings), seed=5)
    while match.state.winner is None:
        match.play(solver.analyse(match.state)[0].move)
    return match.record


def game(text: str, name: str = "factors") -> Report:
    return report(parse(f"Game: {numduel.game(name).id}\n\n{text}\n"))


def reviewed(path: Path, typed: str = "", **options: object) -> str:
    out = io.StringIO()
    with mock.patch("sys.stdin", io.StringIO(typed)), redirect_stdout(out):
        review(str(path), **options)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.fixture
def mistaken(tmp_path: Path) -> Path:
    """A game in which Player 1 lets a win slip twice, and the computer once."""
    path = tmp_path / "game.duel"
    path.write_text(
        "Game: sequence-capture-factors\nPlayer 2: random\n\n6 3 9 18 2 4 8 16 1 5 10 20\n"
    )
    return path


# -- one move -------------------------------------------------------------------------------


def test_a_value_is_told_in_words_and_in_few_letters() -> None:
    duel, capture, build = map(numduel.game, ("duel", "capture", "build"))
    told = [
        (duel, Value(1.0, 5), "wins in 5", "win 5"),
        (duel, Value(1.0, 1), "wins at once", "win 1"),
        (duel, Value(0.0, 4), "loses in 4", "loss 4"),
        (duel, Value(0.0, 1), "loses at once", "loss 1"),
        (duel, Value(1.0), "wins", "win"),
        (capture, Value(1.0, None, 11), "+11 points", "+11 pt"),
        (capture, Value(0.0, None, -1), "−1 point", "−1 pt"),
        (capture, Value(0.0, None, 0), "loses the tie", "loss tie"),
        (build, Value(0.58), "58.0 %", "58.0 %"),
        (build, Value(1.0), "100.0 %", "100.0 %"),
        (duel, Value(0.58, exact=False), "about 58.0 %", "~58.0 %"),
    ]
    for kind, value, word, letters in told:
        assert coach.worth(kind, value) == word
        assert coach.short(kind, Option(5, value, True, 0.0)) == letters


def test_who_wins_is_told_of_both_players() -> None:
    duel, capture, build = map(numduel.game, ("duel", "capture", "build"))
    told = [
        (duel, Value(1.0, 5), 1, ("wins in 5 moves", "")),
        (duel, Value(1.0, 1), 2, ("", "wins at once")),
        (duel, Value(0.0, 4), 2, ("wins in 4 moves", "")),
        (duel, Value(0.0), 1, ("", "wins")),
        (capture, Value(1.0, None, 11), 2, ("", "wins by 11 points")),
        (capture, Value(0.0, None, -1), 2, ("wins by 1 point", "")),
        (capture, Value(0.0, None, 0), 1, ("", "wins the tie")),
        (build, Value(0.58), 2, ("42.0 %", "58.0 %")),
        (duel, Value(0.58, exact=False), 1, ("about 58.0 %", "about 42.0 %")),
    ]
    for kind, value, seat, words in told:
        assert coach.outlook(kind, value, seat) == words


def test_only_certainty_is_0_or_100() -> None:
    chances = (0.0, 0.0001, 0.5, 0.9999, 1.0)
    assert [coach.percent(chance) for chance in chances] == [
        "0.0 %", "<0.1 %", "50.0 %", ">99.9 %", "100.0 %",
    ]  # fmt: skip


def test_why_14_loses_in_factors() -> None:
    start = numduel.game("factors").start()
    assert why(start, option(start, 14)) == (
        "14 loses in 4 moves: with best play 7, 1, 11 follow and you have no number left."
    )
    assert start.play(14).play(7).legal_moves == (1,)
    assert start.play(14).play(7).play(1).play(11).winner == 2


def test_an_answer_that_ends_the_game_is_named() -> None:
    start = numduel.game("factors").start()
    assert why(start, option(start, 1)) == "1 loses: they answer 11 and you have no number left."
    duel = numduel.game("duel").replay("5 9 6 3")
    assert why(duel, option(duel, 4)) == "4 wins at once: you have 4, 5, 6."
    wrong = numduel.game("duel").replay("5 9 6")
    assert why(wrong, option(wrong, 1)) == "1 loses: they answer 4 and have 4, 5, 6."


def test_an_end_without_a_row_is_told_by_what_decided_it() -> None:
    line = numduel.game("line").replay("1 3 4 6 5 8 9 10 2")
    run = "Bo's run 6, 7, 8 is longer than Ada's run 1, 2."
    assert why(line, option(line, 7), ("Ada", "Bo")) == f"7 wins at once: {run}"
    before = numduel.game("line").replay("1 3 4 6 5 8 9 10")
    assert why(before, option(before, 2), ("Ada", "Bo")) == f"2 loses: they answer 7, and {run}"


def test_points_are_counted_and_chances_compared() -> None:
    capture = numduel.game("capture").start()
    assert why(capture, option(capture, 21)) == (  # all answers are worth the same
        "21 brings the most points now, and wins by 11 points with best play."
    )
    assert why(capture, option(capture, 10)).endswith(" with best play: 10, 21 and so on.")
    build = numduel.game("build").start().draw(6)
    assert why(build, option(build, "6e")) == (
        "You can use the 6, and starting with 6 keeps your chance to win at 54.0 %;"
        " discarding 6 lowers it to 44.3 %."
    )
    assert why(build, option(build, "6x")) == (
        "Discarding 6 lowers your chance to win to 44.3 %; starting with 6 keeps it at 54.0 %."
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_about_every_move_says_the_right_result(name: str) -> None:
    for state in random_game(name, 3).states[:-1]:
        for found in solver.analyse(state):
            said = why(state, found)
            if not state.game.has_deck or state.play(found.move).winner:
                verdict = "wins" if found.win_probability else "loses"
                assert re.search(rf" {verdict}\b", said) or (verdict == "wins" and found.plies == 3)
            assert said.endswith(".")


def test_the_moves_in_a_sentence_lead_where_it_says() -> None:
    for state in random_game("duel", 8).states[:-1]:
        for found in solver.analyse(state):
            said = why(state, found)
            if " follow and " in said:
                moves = said.partition("best play ")[2].partition(" follow")[0].split(", ")
                after = state.play(found.move)
                for move in moves:
                    after = after.play(move)
                row = ", ".join(map(str, state.game.winning(after)))
                who = "you" if after.winner == state.to_move else "they"
                assert said.endswith(f" follow and {who} have {row}.")
                assert len(moves) + 1 == found.plies


def test_where_only_the_result_is_known_no_distance_is_claimed() -> None:
    start = numduel.game("factors", n=150).start()
    for found in solver.analyse(start)[::30]:
        said = why(start, found)
        assert said.endswith("you have a winning move." if found.win_probability else "which wins.")


def test_a_hint_names_a_best_move_and_values_name_all() -> None:
    start = numduel.game("duel").start()
    assert coach.hint(start).lines == (
        "5 is in eight sequences that you could still complete.",
        "So choose 5; 3, 4, 6 and 7 are just as good.",
        "5 wins in 5 moves with best play: 5, 1, 3, 2 and so on.",
    )
    assert coach.table(start) == [
        "* wins in 5 moves   3, 4, 5, 6, 7",
        "  wins in 7 moves   2, 8",
        "  loses in 8 moves  1, 9",
        "Who wins if both play their best, and in how many moves, theirs included. A star",
        "marks the best.",
    ]


def test_estimates_are_called_so() -> None:
    state = numduel.game("line", n=60, k=8).start()
    guess = Option(5, Value(0.6, None, None, False), True, 0.0)
    other = Option(6, Value(0.5, None, None, False), False, 0.1)
    for module in (hints, explain):
        mocked = mock.patch.object(module, "analyse", return_value=(guess, other))
        mocked.start()
    try:
        assert coach.hint(state).lines[0] == "Probably the best is 5."
        assert "Estimates" in coach.table(state)[2]
    finally:
        mock.patch.stopall()
    assert why(state, guess) == "5 won about 60.0 % of the games tried out."


# -- whole games ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_perfect_game_has_no_mistakes(name: str) -> None:
    found = report(perfect_game(name))
    assert found.mistakes == ()
    for seat in (1, 2):
        decided = any(ply.seat == seat and ply.mattered for ply in found.plies)
        assert found.accuracy(seat).share == (1.0 if decided else None)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("settings", [{}, {"n": 6, "k": 4}], ids=["default", "small"])
def test_luck_and_skill_add_up_to_the_result(settings: dict[str, object], seed: int) -> None:
    record = random_game("build", seed, **settings)
    found = report(record)
    luck = sum(
        (1 if state.to_move == 1 else -1)
        * (solver.evaluate(state).win_probability - before_the_draw(record, at))
        for at, state in enumerate(record.states[:-1])
    )
    assert found.luck(1) - found.luck(2) == pytest.approx(luck, abs=1e-9)
    start, end = found.values[0].win_probability, found.values[-1].win_probability
    skill = found.given(2) - found.given(1)
    assert end == (1.0 if record.state.winner == 1 else 0.0)
    assert start + found.luck(1) - found.luck(2) + skill == pytest.approx(end, abs=1e-9)


def before_the_draw(record: Record, at: int) -> float:
    """The chance of who is about to draw, played up to there without a deck."""
    state = record.game.start(first=record.states[0].first)
    for move in record.states[at].moves:
        state = state.apply_token(str(move))
    return solver.evaluate(state).win_probability


@pytest.mark.parametrize("name", WITHOUT_LUCK)
@pytest.mark.parametrize("seed", range(5))
def test_without_luck_value_changes_only_by_mistakes(name: str, seed: int) -> None:
    found = report(random_game(name, seed))
    for ply, (before, after) in zip(
        found.plies, zip(found.values, found.values[1:], strict=False), strict=True
    ):
        changed = before.win_probability != after.win_probability or before.margin != after.margin
        assert changed == ply.costly
        assert ply.mistake == (before.win_probability != after.win_probability)
        assert ply.mistake == (not ply.better(option(ply.state, ply.move)))
        assert not (ply.forced and ply.slip)


@pytest.mark.parametrize("seed", range(10))
def test_the_last_turn_was_the_losers(seed: int) -> None:
    found = report(random_game("duel", seed))
    turning, winner = found.turning, found.record.state.winner
    if turning is None:
        assert found.values[0].win_probability == (1.0 if winner == 1 else 0.0)
    else:
        assert turning.seat != winner
        assert not any(ply.turn for ply in found.plies[turning.number :])


def test_a_mistake_is_told_with_the_better_move_or_the_one_that_wins_at_once() -> None:
    assert game("6 3 9 18 2 4 8 16 1 5 10 20").lines() == [
        "Juniper Green: Player 1 against Player 2, 12 moves. Player 2 won.",
        "Move 11 decided it: Player 1 could have won, but Player 2 did.",
        "Move 1, an inaccuracy by Player 1: 6. It was a slower win, in 13 moves; 11 would have won"
        " in 3 moves, because after 11 their only answer is 1.",
        "Move 3, an inaccuracy by Player 1: 9. It was a slower win, in 11 moves; 12 would have won"
        " in 9 moves, because after 12 you have at least five moves next turn, whatever they"
        " answer.",
        "Move 7, a mistake by Player 1: 8. It threw the win away; 12 would have kept it, because"
        " after 12 their only answer is 1.",
        "Move 10, a mistake by Player 2: 5. It let Player 1 win at once with 15; 11 would have won"
        " at once.",
        "Move 11, a mistake by Player 1: 10. It let Player 2 win at once with 20; 15 would have won"
        " at once.",
        "Accuracy: Player 1 60 % (3 of 5 choices that mattered), Player 2 50 % (1 of 2 choices that"
        " mattered). In 7 of 12 moves something could go wrong. A slower win gives nothing away.",
    ]


def judged(name: str, before: Value, after: Value, *, choices: int = 2) -> Ply:
    """A first move that was worth so much, where the best was worth that."""
    state = numduel.game(name).start(seed=1).public
    moves = state.legal_moves[:choices]
    if before == after:
        options = [Option(move, before, True, 0.0) for move in moves]
    else:
        best = [Option(move, before, True, 0.0) for move in moves[1:]]
        options = [*best, Option(moves[0], after, False, 0.5)]
    counted = before.margin is not None and after.margin is not None
    lost = float(before.margin - after.margin) if counted else 0.0  # type: ignore[operator]
    lost = lost or before.win_probability - after.win_probability
    return Ply(1, 1, moves[0], state, tuple(options), before, after, lost)


@pytest.mark.parametrize(
    ("name", "before", "after", "slip"),
    [
        ("duel", Value(1.0, 5), Value(1.0, 5), ""),
        ("duel", Value(1.0, 5), Value(1.0, 7), "inaccuracy"),
        ("duel", Value(1.0, 5), Value(0.0, 8), "mistake"),
        ("duel", Value(0.0, 8), Value(0.0, 4), ""),
        ("capture", Value(1.0, None, 11), Value(1.0, None, 11), ""),
        ("capture", Value(1.0, None, 11), Value(1.0, None, 10), "inaccuracy"),
        ("capture", Value(1.0, None, 1), Value(0.0, None, -1), "mistake"),
        ("capture", Value(0.0, None, -1), Value(0.0, None, -9), "inaccuracy"),
        ("build", Value(0.5), Value(0.5), ""),
        ("build", Value(0.5), Value(0.491), ""),
        ("build", Value(0.5), Value(0.489), "inaccuracy"),
        ("build", Value(0.5), Value(0.451), "inaccuracy"),
        ("build", Value(0.5), Value(0.449), "mistake"),
        ("duel", Value(0.9, exact=False), Value(0.0, 8), ""),
        ("duel", Value(1.0, 5), Value(0.9, exact=False), ""),
        ("build", Value(0.5, exact=False), Value(0.48), ""),
    ],
)
def test_a_slip_is_a_mistake_if_it_gives_the_game_away_and_otherwise_an_inaccuracy(
    name: str, before: Value, after: Value, slip: str
) -> None:
    """A win that takes longer is one, a loss that comes sooner is none; with cards, one chance in
    a hundred is little and one in twenty is much."""
    ply = judged(name, before, after)
    assert (ply.slip, ply.mistake, ply.inaccuracy) == (slip, slip == "mistake", slip[:1] == "i")
    exact = before.exact and after.exact
    assert ply.slower == (name == "duel" and slip == "inaccuracy")
    assert ply.sooner == (name == "duel" and before.win_probability == 0)
    assert ply.turn == (slip == "mistake" and name != "build")
    assert ply.costly == (slip == "mistake" or (exact and before != after and name != "duel"))
    assert ply.decision == ply.judged == exact
    assert not ply.forced


def test_the_only_move_is_no_slip_and_no_decision() -> None:
    ply = judged("duel", Value(1.0, 5), Value(0.0, 8), choices=1)
    assert (ply.forced, ply.decision, ply.slip) == (True, False, "")


def test_slips_are_told_in_the_order_of_the_game() -> None:
    record = parse(f"Game: {numduel.game('factors').id}\n\n6 3 9 18 2 4 8 16 1 5 10 20\n")
    numbers = {
        seat: tuple(ply.number for ply in report(record, seat).slips) for seat in (None, 1, 2)
    }
    assert numbers == dict.fromkeys((None, 1, 2), (1, 3, 7, 10, 11))
    assert [ply.number for ply in report(record).mistakes] == [7, 10, 11]


def test_luck_and_skill_are_told_apart_in_games() -> None:
    moves = "4e 3e 8x 5x 1x 5x 2x 6x 7x 10x 1x 2x 3x 9x 8x 10x 7x 4x 9x 6x"
    found = report(parse(f"Game: sequence-build\n\n{moves}\n"))
    assert found.lines()[-1] == (
        "The cards were against Player 1: they cost 71 % of Player 1's chance to win, Player 1's"
        " own choices 57 %; Player 2's choices gave Player 1 178 %."
    )
    assert report(found.record, 2).afterwards()[0] == (
        "The cards were with you: they added 71 % to your chance to win; your own choices cost"
        " 178 %; Player 1's choices gave you 57 %."
    )


def test_what_cost_more_than_the_cards_is_told_before_them() -> None:
    found = report(parse("Game: sequence-build\n\n7e 5e 6b 6e 8e 4b 5x 7e 9e 3e!\n"), 1)
    assert found.afterwards()[0] == (
        "Your own choices cost 35 % of your chance to win, the cards 15 %; Player 2's choices gave"
        " you 100 %."
    )


@pytest.mark.parametrize("seed", range(5))
def test_luck_and_the_choices_of_both_make_the_result(seed: int) -> None:
    state, choose = numduel.game("build").start(seed=seed), random.Random(seed).choice
    while not state.is_over:
        state = state.play(choose(state.legal_moves))
    found = report(parse(f"Game: sequence-build\n\n{' '.join(map(str, state.moves))}\n"))
    luck, skill = (what(1) - what(2) for what in (found.luck, found.given))
    result = found.values[0].win_probability + luck - skill
    assert result == pytest.approx(float(state.winner == 1), abs=1e-9)


NEXT_TIME = [
    ("duel", "1 5 2 4 9 6", 1, "win at once if you can."),
    ("duel", "1 5 9 4 2 6", 1, "take the number that is in the most sequences you could"),
    ("factors", "14 5!", 2, "look twice at the rules, or ask for forgiving ones."),
    ("capture", "21 resign", 1, ""),
    ("capture", "21 19 resign", 1, "play on; you could still win."),
    ("line", "5 6 4 1 3 7 2", 2, "make the first move; whoever begins can win."),
    ("line", "5 6 4 1 3 7 2", 1, ""),
]


@pytest.mark.parametrize(("name", "moves", "reader", "told"), NEXT_TIME)
def test_only_a_reader_who_lost_is_told_what_to_try_next(
    name: str, moves: str, reader: int, told: str
) -> None:
    found = report(parse(f"Game: {numduel.game(name).id}\n\n{moves}\n"), reader)
    assert [line.startswith(f"Next time: {told}") for line in found.afterwards()] == [True] * bool(
        told
    )
    assert found.lines()[-1:] == found.afterwards() or not told


def test_a_reader_who_lost_to_the_cards_is_told_to_go_on_like_that() -> None:
    found = report(parse("Game: sequence-build\nVariant: n=2 copies=1 k=2\n\n1e 2e\n"), 1)
    assert found.afterwards()[-1] == "Next time: play the same way; the cards decided this game."


def test_breaking_a_rule_gives_a_won_game_away() -> None:
    found = game("14 5!")
    assert [ply.move for ply in found.mistakes] == [14, "5!"]
    assert found.turning is found.plies[1]
    assert (
        "Move 2, a mistake by Player 2: 5. It broke a rule and lost the game at once; 7 would have"
        " won in 3 moves, because after 7 their only answer is 1."
    ) in found.lines()
    assert found.accuracy(2).share == 0.0


def test_what_a_card_would_have_done_is_told_in_chances_unless_it_wins() -> None:
    broken = game("7e 5e 6b 6e 8e 4b 5x 7e 9e 3e!", "build").lines()
    assert (
        "The costliest decision was move 10: it cut Player 2's chance to win from 100.0 % to 0.0 %."
    ) in broken
    assert (
        "Move 10, a mistake by Player 2: adding 3 at the end. It broke a rule and lost the game at"
        " once; adding 3 at the beginning would have won at once."
    ) in broken
    kept = game("7e 5e 6b 6e 8b!", "build").lines()[2]
    assert "; adding 8 at the end would have kept the chance to win at " in kept
    assert kept.endswith(" %, because you can use the 8.")


def test_breaking_a_rule_is_a_mistake_in_a_lost_game_too() -> None:
    found = game("6 5!")
    assert [ply.move for ply in found.mistakes] == ["5!"]
    assert found.turning is None
    assert (
        "Move 2, a mistake by Player 2: 5. It broke a rule and lost the game at once."
        in found.lines()
    )
    assert found.accuracy(2).share == 0.0


def test_resigning_a_won_game_is_a_mistake_and_a_lost_one_is_not() -> None:
    assert [ply.move for ply in game("21 19 resign", "capture").mistakes] == ["resign"]
    lost = game("21 resign", "capture")
    assert lost.mistakes == ()
    assert lost.accuracy(2).share is None
    assert game("resign", "build").mistakes[0].before.win_probability == pytest.approx(0.498876)


@pytest.mark.parametrize(
    ("text", "name"), [("21 19 resign2", "capture"), ("7e 5 resign1", "build")]
)
def test_resigning_out_of_turn_is_judged_by_ones_own_chance(text: str, name: str) -> None:
    found = game(text, name)
    last, winner = found.plies[-1], found.record.state.winner
    assert winner is not None
    assert last.seat == 3 - winner
    assert last.loss == last.before.win_probability
    assert found.values[-1].win_probability == (winner == 1)
    assert found.accuracy(last.seat).moves == sum(ply.seat == last.seat for ply in found.plies[:-1])


def test_a_forced_pass_is_no_decision() -> None:
    record = next(
        record
        for record in (random_game("capture", seed) for seed in range(99))
        if "pass" in record.state.moves
    )
    found = report(record)
    for ply in found.plies:
        assert ply.forced == (len(ply.state.legal_moves) == 1)
        if ply.move == "pass":
            assert ply.forced
            assert not ply.mistake
    for seat in (1, 2):
        assert found.accuracy(seat).moves == sum(ply.seat == seat for ply in found.plies)


@pytest.mark.parametrize("end", ["resign", "8 resign", "8b!"])
def test_giving_up_or_breaking_a_rule_gives_the_whole_chance_away(end: str) -> None:
    found = game(f"7e 5e 6b 6b {end}", "build")
    assert found.plies[-1].loss == found.plies[-1].before.win_probability > 0
    start, skill = found.values[0].win_probability, found.given(2) - found.given(1)
    assert start + found.luck(1) - found.luck(2) + skill == pytest.approx(0, abs=1e-9)


def test_an_unfinished_game_with_a_card_in_hand_adds_up() -> None:
    found = game("7e 5e 6b 6x 8e 4", "build")
    assert found.luck(2) == pytest.approx(
        sum(ply.luck for ply in found.plies if ply.seat == 2) + found.waiting
    )
    state = found.record.state
    now = 1 - solver.evaluate(state).win_probability
    start, skill = found.values[0].win_probability, found.given(2) - found.given(1)
    assert start + found.luck(1) - found.luck(2) + skill == pytest.approx(now, abs=1e-9)


def test_estimated_moves_are_not_judged() -> None:
    record = random_game("duel", 1)

    def guess(state: State) -> tuple[Option, ...]:
        return tuple(
            found._replace(value=found.value._replace(exact=False))
            for found in solver.analyse(state)
        )

    with (
        mock.patch.object(reports, "analyse", guess),
        mock.patch.object(reports, "ESTIMATE_SECONDS", 0.001),
    ):
        found = report(record)
    assert not found.exact
    assert found.mistakes == ()
    assert "are estimates" in found.lines()[1]


def test_a_game_without_a_move_has_a_report() -> None:
    found = game("", "duel")
    assert len(found.lines()) == 1
    assert found.chart.lines()


# -- charts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_charts_have_a_point_for_every_move(name: str) -> None:
    found = report(random_game(name, 4))
    rows = found.chart.lines()
    assert all(row.partition("|")[2].isascii() and len(row) <= 100 for row in rows)
    points = len(found.plies) + 1
    assert sum(row.partition("|")[2].count("o") for row in rows) == points
    assert json.loads(json.dumps(found.json()))["game"] == found.record.game.id


def test_a_chart_shows_the_game_of_its_reader() -> None:
    record = random_game("capture", 4)
    one, two = (report(record, seat).chart for seat in (1, 2))
    assert one.title.startswith(record.names[0])
    assert two.title.startswith(record.names[1])
    assert [round(1 - level, 9) for level in one.levels] == [round(x, 9) for x in two.levels]


# -- at the prompt --------------------------------------------------------------------------


def test_hint_and_values_leave_the_game_as_it_is(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "duel", typed="hint\nvalues\n4\n6\n5\n7\nhint\nHINT\n3\n")
    assert done.code == 0
    assert "> hint\nHow many sequences is each number in? (Another hint names a move.)\n" in (
        done.out
    )
    assert "\n* wins in 5 moves   3, 4, 5, 6, 7\n" in done.out
    assert "> hint\nLook for a move that wins at once. (Another" in done.out
    assert "3 wins at once: you have 3, 4, 5.\nSo choose 3.\n" in done.out
    assert done.out.endswith("Player 1 wins the game!\n")


def test_on_a_terminal_wins_and_losses_have_colours_of_their_own(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        terminal.until("> ")
        terminal.send("values").until("marks the best.\n\n> ")
    values = ("wins in 5 moves", 32), ("wins in 7 moves", 32), ("loses in 8 moves", 31)
    for word, colour in (("*", 1), *values):
        assert f"\x1b[{colour}m{word}\x1b[0m" in terminal.said
    assert "Who wins if both play their best, " in terminal.said


@pytest.mark.parametrize("answer", ["q", "r"])
def test_on_a_terminal_the_report_is_offered(tmp_path: Path, answer: str) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        for move in ("4", "6", "5", "7", "3"):
            terminal.until("> ")
            terminal.send(move)
        assert "Player 1 wins the game!\n" in plain(terminal.until("q: leave > "))
        terminal.send(answer)
        if answer == "r":
            assert " Move  0    5\nEnter: " in plain(terminal.until("q: leave > "))
            terminal.send("q")
        assert terminal.code() == 0
    assert ("Accuracy:" in terminal.said) == (answer == "r")


def test_the_offered_report_asks_before_it_tells(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "duel") as terminal:
        for move in ("1", "2", "9", "3", "8", "4"):
            terminal.until("> ")
            terminal.send(move)
        terminal.until("q: leave > ")
        told = [plain(terminal.send("r").until("q: leave > ")) for _ in range(2)]
        terminal.send("q")
        assert terminal.code() == 0
    assert "Type m to try the mistakes again, or r to see everything." in told[0]
    assert "would have" not in told[0]
    assert "would have" in told[1]


def test_review_asks_only_for_the_mistakes_of_people(mistaken: Path) -> None:
    said = reviewed(mistaken, "16\n12\n\nfoo\n15\n")
    assert "Mistake 1 of 2\n" in said
    assert "At move 7, you played 8. Find a better move." in said
    assert "No. 16 would let Computer (random) win, beginning with 8.\nTry again.\n" in said
    assert "Right. 12 would have kept the win, because after 12 their only answer is 1.\n" in said
    assert "Please type a whole number" in said
    assert "Right. 15 would have won at once.\nMove 1, your inaccuracy: 6. " in said
    assert said.endswith(
        "Move 10, a mistake by Computer (random): 5. It let you win at once with 15;"
        " 11 would have won at once.\n"
    )


def test_review_asks_before_it_tells(mistaken: Path) -> None:
    before = reviewed(mistaken, "quit\n").partition("Mistake 1 of")[0]
    assert "Move 11 decided it" in before
    assert "Accuracy:" in before
    assert "slip" not in before
    assert not re.search(r"\b12\b(?! moves|\n)", before)


def test_review_can_ask_for_the_mistakes_of_both_or_of_one_seat(mistaken: Path) -> None:
    said = reviewed(mistaken, "next\n", everyone=True)
    assert "Mistake 2 of 3\n" in said
    assert "At move 10, Computer (random) played 5." in said
    said = reviewed(mistaken, "show\n", seat="2")
    assert "Mistake 1 of 1\n" in said
    assert "At move 10, you played 5." in said
    assert "Move 7, a mistake by Player 1: 8. It let you win, beginning with 16; 12 would" in said
    with pytest.raises(BadVariant, match="--seat must be a whole number from 1 to 2"):
        reviewed(mistaken, seat="3")


def test_review_as_data_is_data_alone(mistaken: Path) -> None:
    data = json.loads(reviewed(mistaken, as_json=True))
    assert data["turning"] == 11
    assert data["accuracy"] == [0.6, 0.5]
    assert data["choices"][0] == {"kept": 3, "choices": 5, "moves": 6}
    assert [ply["number"] for ply in data["plies"] if ply["mistake"]] == [7, 10, 11]


def test_a_chart_numbers_its_last_move_however_short_it_is() -> None:
    for moves, ticks in (("5", " 1"), ("5 1 4", "0  3"), ("1 5 3 7 8 6", "0     6")):
        *_, axis = report(parse(f"Game: sequence-duel\n\n{moves}\n")).chart.lines()
        assert axis.partition("Move  ")[2] == ticks
