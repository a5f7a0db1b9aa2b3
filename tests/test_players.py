"""Opponents of every strength, and the pie rule that makes one-sided games fair."""

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel import IllegalMove, NotAMove, State
from numduel.match import begin, resume
from numduel.players import KINDS, LEVELS, Policy, Search, mistakes, player
from numduel.record import parse
from numduel.solver import analyse
from tests.games import NAMES, WITHOUT_LUCK


def played(state: State, one: str, two: str, seed: int) -> State:
    seats = [player(kind, seed + seat) for seat, kind in ((1, one), (2, two))]
    while state.winner is None:
        chooser = seats[state.to_move - 1]
        assert chooser is not None
        state = state.play(chooser.choose(state.public))
    return state


@pytest.mark.parametrize("name", WITHOUT_LUCK)
@pytest.mark.parametrize("seed", range(5))
def test_two_perfect_players_realise_the_value(name: str, seed: int) -> None:
    start = numduel.game(name).start()
    value = numduel.evaluate(start)
    end = played(start, "perfect", "perfect", seed)
    assert end.winner == (1 if value.win_probability else 2)
    if value.plies is not None:
        assert len(end.moves) == value.plies
    if value.margin is not None:
        one, two = numduel.view(end).hands
        assert sum(one) - sum(two) == value.margin


@pytest.mark.parametrize("name", WITHOUT_LUCK)
@pytest.mark.parametrize("rival", ["random", "easy", "medium", "hard"])
def test_perfect_never_loses_a_won_game(name: str, rival: str) -> None:
    """From the start, and from wherever the rival lets it win: thousands of decisions in all."""
    for seed in range(150):
        perfect = seed % 2 + 1
        seats = ("perfect", rival) if perfect == 1 else (rival, "perfect")
        state = numduel.game(name).start()
        players = [player(kind, seed * 7 + seat) for seat, kind in enumerate(seats)]
        won = False
        while state.winner is None:
            if state.to_move == perfect:
                now = numduel.evaluate(state).win_probability == 1
                assert now or not won, state
                won = now
            chooser = players[state.to_move - 1]
            assert chooser is not None
            state = state.play(chooser.choose(state))
        assert state.winner == perfect or not won


@pytest.mark.parametrize("name", ["line", "duel"])
def test_no_line_of_play_at_all_beats_perfect_from_a_won_start(name: str) -> None:
    """An adversary that tries everything, against every best move: the whole tree."""
    waiting = [numduel.game(name).start()]
    seen = set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        if state.winner is not None:
            assert state.winner == 1, state
        elif state.to_move == 1:
            waiting += [state.play(option.move) for option in analyse(state) if option.best]
        else:
            waiting += [state.play(move) for move in state.legal_moves]


def test_perfect_does_better_than_random_with_cards() -> None:
    start = [numduel.game("build").start(seed=seed) for seed in range(200)]
    wins = sum(played(state, "perfect", "random", 3).winner == 1 for state in start)
    assert wins > 150


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", [*LEVELS, "random"])
def test_a_seeded_player_repeats_itself(name: str, level: str) -> None:
    game = numduel.game(name)
    one, two = (played(game.start(seed=5), level, level, 8) for _ in range(2))
    assert one.moves == two.moves


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
def test_a_level_loses_value_as_often_as_it_says(level: str) -> None:
    found = mistakes(numduel.game("duel"), level, 300, seed=1)
    sigma = (LEVELS[level] * (1 - LEVELS[level]) / found.decisions) ** 0.5
    assert abs(found.rate - LEVELS[level]) <= 4 * sigma


@pytest.mark.parametrize("level", [*LEVELS, "random"])
def test_a_player_chooses_by_the_odds_that_it_tells(level: str) -> None:
    state = numduel.game("duel").replay("1 2")
    policies = [player(level, seed) for seed in range(500)]
    chosen = [policy.choose(state) for policy in policies if isinstance(policy, Policy)]
    assert isinstance(policies[0], Policy)
    odds = policies[0].odds(state)
    assert sum(odds.values()) == pytest.approx(1)
    for move in state.legal_moves:
        likely = odds.get(move, 0.0)
        sigma = (likely * (1 - likely) / len(chosen)) ** 0.5
        assert abs(chosen.count(move) / len(chosen) - likely) <= 4 * sigma


@pytest.mark.parametrize("spec", ["search:0", "search:", "search:many", "search:1000001"])
def test_a_search_plays_out_a_number_of_games(spec: str) -> None:
    assert isinstance(player("search"), Search)
    assert isinstance(player("search:1000000"), Search)
    with pytest.raises(numduel.BadVariant, match="from 1 to 1,000,000"):
        player(spec)


def test_an_unknown_player_is_refused_with_the_known_ones() -> None:
    with pytest.raises(numduel.BadVariant, match=", ".join(KINDS)):
        player("deep-blue")


# -- the pie rule -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_first_move_may_be_answered_by_a_swap_and_only_that(name: str) -> None:
    state = numduel.game(name).start(seed=1, pie=True)
    assert "swap" not in state.legal_moves
    with pytest.raises(NotAMove):
        state.play("swap")
    state = state.play(state.legal_moves[0])
    assert state.legal_moves[-1] == "swap"
    for after in (state.play("swap"), state.play(state.legal_moves[0])):
        assert "swap" not in after.legal_moves
        with pytest.raises(IllegalMove):
            after.play("swap")


@pytest.mark.parametrize("name", NAMES)
def test_after_a_swap_the_first_move_is_the_other_players(name: str) -> None:
    state = numduel.game(name).start(seed=1, pie=True)
    state = state.play(state.legal_moves[0])
    swapped = state.play("swap")
    before, after = numduel.view(state), numduel.view(swapped)
    assert after.hands == (before.hands[1], before.hands[0])
    assert (before.to_move, after.to_move) == (2, 1)
    assert swapped.legal_moves == state.legal_moves[:-1]


def test_without_the_pie_rule_there_is_no_swap() -> None:
    with pytest.raises(NotAMove):
        numduel.game("line").start().play(5).play("swap")
    with pytest.raises(IllegalMove, match="pie rule"):
        numduel.game("line").replay("5 swap")


@pytest.mark.parametrize("name", WITHOUT_LUCK)
def test_with_the_pie_rule_the_second_player_chooses_the_winning_side(name: str) -> None:
    start = numduel.game(name).start(pie=True)
    assert numduel.evaluate(start).win_probability == 0
    for move in start.legal_moves:
        state = start.play(move)
        found = {option.move: option for option in analyse(state)}
        plain = numduel.evaluate(numduel.game(name).start().play(move))
        assert found["swap"].win_probability == 1 - plain.win_probability
        assert numduel.evaluate(state).win_probability == 1


def test_with_cards_the_pie_rule_takes_the_better_side() -> None:
    state = numduel.game("build").start(pie=True).draw(7).play("7e")
    value = sum(
        p * max(o.win_probability for o in analyse(state.draw(card)))
        for card, p in state.draws.items()
    )
    assert numduel.evaluate(state).win_probability == pytest.approx(value)
    plain = numduel.evaluate(numduel.game("build").replay("7e")).win_probability
    assert numduel.evaluate(state).win_probability >= max(plain, 1 - plain)


@given(st.sampled_from(NAMES), st.integers(0, 999))
def test_a_game_with_a_swap_is_recorded_resumed_and_pickled(name: str, seed: int) -> None:
    chance = random.Random(seed)
    match = begin(numduel.game(name), pie=True, seed=seed, first=chance.choice((1, 2)))
    match.play(chance.choice(match.state.legal_moves))
    if match.state.winner is None:
        match.play("swap")
    for _ in range(chance.randrange(6)):
        if match.state.winner is None:
            match.play(chance.choice(match.state.legal_moves))
    record = parse(match.record.text())
    assert record.text() == match.record.text()
    assert record.state == match.state
    assert record.pie
    assert resume(record).state == match.state
    again = pickle.loads(pickle.dumps(match.state))
    assert (again, again.text, again.first) == (match.state, match.state.text, match.state.first)


def test_a_swap_can_be_taken_back() -> None:
    match = begin(numduel.game("duel"), pie=True)
    match.play(5)
    match.play("swap")
    assert match.undo() == 1
    assert match.state.legal_moves[-1] == "swap"
