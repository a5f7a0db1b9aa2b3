"""The rules, against an independent reading of the rulebooks and in single statements."""

from collections.abc import Callable, Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel import BadVariant, Game, IllegalMove, NotAMove, State, UnknownGame
from numduel.core.language import speaking
from numduel.games import build, capture, offered
from numduel.play.record import Record, parse
from tests.games import NAMES, RULEBOOKS, naive

SMALL: list[tuple[str, Mapping[str, object]]] = [
    *(("line", {"n": n, "k": k}) for n in range(1, 8) for k in range(1, n + 1)),
    *(("duel", {"n": n, "k": k}) for n in range(1, 8) for k in range(1, n + 1)),
    *(("factors", {"n": n, "first": "any"}) for n in range(1, 11)),
    *(("factors", {"n": n, "first": "even"}) for n in range(2, 11)),
    *(("capture", {"n": n}) for n in range(1, 9)),
    *(("capture", {"n": n, "gaps": "square"}) for n in (2, 5, 10)),
    *(
        ("build", {"n": n, "copies": c, "k": k})
        for n, c in ((1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1))
        for k in range(1, min(4, n * c) + 1)
    ),
]


def witness(game: Game) -> tuple[Callable[[State], set[int | str]], Callable[[State], int]]:
    """The independent legal moves and winner (as first or second player) of a state."""
    v = game.variant
    if game.name == "build":
        return (
            lambda s: set(naive.build_moves(s.moves, s.card)) if s.card else set(),
            lambda s: naive.build_winner(s.moves, *v),
        )
    legal = getattr(naive, f"{game.name}_moves")
    winner = getattr(naive, f"{game.name}_winner")
    return lambda s: set(legal(s.moves, *v)), lambda s: winner(s.moves, *v)


def agree(state: State) -> None:
    legal, winner = witness(state.game)
    assert set(state.legal_moves) == legal(state), state
    won = winner(state)
    expected = None if not won else (state.first if won == 1 else 3 - state.first)
    assert (state.outcome.winner if state.outcome else None) == expected, state


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_every_line_of_play_of_small_boards_follows_the_rulebook(
    name: str, settings: Mapping[str, object]
) -> None:
    follow_every_line(numduel.game(name, **settings))


def follow_every_line(game: Game) -> None:
    """Go through all positions of a game, and ask the second reading about each."""
    seen = set()
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        if state.draws:
            assert sum(state.draws.values()) == pytest.approx(1)
            waiting += [state.draw(card) for card in state.draws]
            continue
        agree(state)
        assert (state.outcome is None) == bool(state.legal_moves)
        waiting += [state.play(move) for move in state.legal_moves]


@given(st.sampled_from(RULEBOOKS), st.integers(0, 10**6), st.sampled_from((1, 2)), st.data())
def test_every_default_game_follows_the_rulebook_and_ends(
    name: str, seed: int, first: int, data: st.DataObject
) -> None:
    state = numduel.game(name).start(seed=seed, first=first)
    agree(state)
    while state.outcome is None:
        state = state.play(data.draw(st.sampled_from(state.legal_moves)))
        agree(state)
    assert state.outcome.winner in (1, 2)
    assert state.outcome.reason
    assert len(state.moves) <= 60


# -- all games --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_found_by_its_id_and_its_short_name(name: str) -> None:
    game = numduel.game(name)
    assert numduel.game(game.id) == game
    assert numduel.game(game.id.upper()) == game


def test_people_are_offered_a_fair_start_and_the_library_keeps_the_rulebook() -> None:
    for name in NAMES:
        rulebook, fair = numduel.game(name), offered(name)
        assert fair == type(rulebook)(**rulebook.offer.settings if rulebook.offer else {})
    assert offered("factors").start().legal_moves == tuple(range(2, 21, 2))
    assert offered("factors", first="any") == numduel.game("factors")


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match=", ".join(NAMES)):
        numduel.game("chess")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("line", {"n": 0}), ("line", {"n": -3}), ("line", {"n": 1000}), ("line", {"k": 11}),
        ("line", {"k": 0}), ("line", {"n": "ten"}), ("line", {"n": "4.5"}), ("line", {"n": "٣"}),
        ("line", {"n": True}), ("line", {"n": 10.0}), ("line", {"n": None}), ("line", {"m": 3}),
        ("line", {"n": "9" * 400}), ("line", {"self": 1}), ("line", {"name": 1}),
        ("duel", {"n": 2}), ("duel", {"k": 10}), ("factors", {"first": "odd"}),
        ("factors", {"first": 1}), ("factors", {"n": 1, "first": "even"}),
        ("capture", {"n": 0}), ("build", {"copies": 0}), ("build", {"k": 21}),
        ("build", {"n": 100}), ("build", {"copies": 10}),
    ],
)  # fmt: skip
def test_a_variant_that_makes_no_sense_gets_one_sentence(
    name: str, settings: Mapping[str, object]
) -> None:
    with pytest.raises(BadVariant) as refused:
        numduel.game(name, **settings)
    message = str(refused.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 200


NOT_MOVES = (
    "\x1c5", "\x0b5", "\x855", "\xa05", "pick\x1c5", "5…",
    "", " ", "abc", "4.5", "1e3", "٣", "7" * 400, "\x00", "\x1b[A", "1 2", "--3", "+", "-", "½",
    "²", "0x5", "1_0", "５", "True", "null", "5!", "7z",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", NOT_MOVES)
def test_what_is_not_a_move_changes_nothing(name: str, text: str) -> None:
    state = numduel.game(name).start(seed=1)
    with pytest.raises(NotAMove, match="Please type"):
        state.play(text)
    assert state.attempt(text) is state


@pytest.mark.parametrize("text", ["5", " 5 ", "+5", "05", "\t5\n"])
def test_blanks_signs_and_zeros_do_not_matter(text: str) -> None:
    start = numduel.game("line").start()
    assert start.play(text) == start.play(5)
    assert start.play(text).moves == (5,)


@pytest.mark.parametrize("name", NAMES)
def test_either_seat_may_move_first(name: str) -> None:
    game = numduel.game(name)
    assert game.start().to_move == 1
    assert game.start(first=2).to_move == 2
    with pytest.raises(BadVariant):
        game.start(first=3)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_can_be_played_when_the_game_is_over(name: str) -> None:
    state = numduel.game(name).start(seed=1).resign()
    assert state.outcome == (2, "Player 1 resigns.")
    assert state.legal_moves == ()
    with pytest.raises(IllegalMove, match="The game is over"):
        state.play("5")
    with pytest.raises(IllegalMove, match="The game is over"):
        state.resign()
    assert state.attempt("5") is state


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_game_is_given_up_on_either_turn_and_the_notation_says_by_whom(
    name: str, seat: int
) -> None:
    before = numduel.game(name).start(seed=1)
    state = before.resign(seat)
    assert state.outcome == (3 - seat, f"Player {seat} resigns.")
    assert state.text.split()[-1] == ("resign" if seat == 1 else "resign2")
    assert numduel.view(state).mover == seat
    assert numduel.view(state).cells == numduel.view(before).cells
    assert state.game.replay(state.text) == state
    record = Record((before.public, state))
    assert parse(record.text()).result == str(3 - seat)


@pytest.mark.parametrize("name", ["line", "capture", "duel"])
@pytest.mark.parametrize("number", [0, -3, 99, 4])
def test_a_broken_rule_is_asked_again_in_forgiving_games(name: str, number: int) -> None:
    state = numduel.game(name).start().play(4)
    with pytest.raises(IllegalMove) as refused:
        state.play(number)
    assert not isinstance(refused.value, NotAMove)
    assert state.attempt(number) is state


@pytest.mark.parametrize("number", [0, -3, 99, 4, 5])
def test_a_broken_rule_loses_factors_at_once(number: int) -> None:
    state = numduel.game("factors").start().play(4)
    with pytest.raises(IllegalMove):
        state.play(number)
    lost = state.attempt(number)
    assert lost.outcome is not None
    assert lost.outcome.winner == 1
    assert str(number) in lost.outcome.reason
    assert lost.moves == (4, f"{number}!")
    assert state.attempt(number, forgiving=True) is state


def test_states_are_equal_when_the_position_is() -> None:
    start = numduel.game("line").start()
    one, two = start.play(1).play(2).play(3), start.play(3).play(2).play(1)
    assert one == two
    assert hash(one) == hash(two)
    assert one != start
    assert one.resign() != one
    assert one != start.play(2).play(1).play(4)
    assert numduel.game("line").start() != numduel.game("line", n=11).start()


def test_states_of_different_players_or_games_are_different() -> None:
    line, duel = numduel.game("line", n=9, k=3), numduel.game("duel")
    assert line.variant == duel.variant
    assert line != duel
    assert line.start() != duel.start()
    assert line.start(first=1) != line.start(first=2)


def test_absurd_numbers_are_refused_like_any_other() -> None:
    state = numduel.game("line").start()
    with pytest.raises(NotAMove):
        state.play(10**5000)
    assert state.attempt(-(10**5000)) is state
    with pytest.raises(BadVariant):
        numduel.game("line", n=10**5000)


@pytest.mark.parametrize("card", [7.0, True, "7", [7], None])
def test_a_card_is_a_whole_number(card: object) -> None:
    with pytest.raises(IllegalMove, match="whole number"):
        numduel.game("build").start().draw(card)  # type: ignore[arg-type]


def test_large_boards_are_not_remembered() -> None:
    from numduel.core import game as module

    module._members.cache_clear()
    numduel.game("line", n=999).start().play(5).legal_moves  # noqa: B018
    assert module._members.cache_info().currsize == 0


def test_a_board_shows_what_is_free_blocked_taken_last_and_winning() -> None:
    def states(name: str, moves: str, **settings: object) -> dict[str, str]:
        seen = numduel.view(numduel.game(name, **settings).replay(moves))
        return {cell.label: cell.state for cell in seen.cells}

    assert states("capture", "2 4", n=5) == {
        "1": "blocked", "2": "taken", "3": "blocked", "4": "last", "5": "free",
    }  # fmt: skip
    assert states("duel", "4 6 5 7 3")["4"] == "winning"
    assert states("duel", "4 6 5 7 3")["7"] == "taken"


def test_at_the_end_the_numbers_that_won_are_lit() -> None:
    def lit(moves: str, name: str = "line", **settings: object) -> str:
        seen = numduel.view(numduel.game(name, **settings).replay(moves))
        return " ".join(cell.label for cell in seen.cells if cell.state == "winning")

    assert lit("1 2 3 4 5 7 6 9 8") == ""
    assert lit("1 2 3 4 5 7 6 9 8 10") == "5 6"  # as long as 9 and 10, and lower
    assert lit("1 2 3 4 6 5 7 9 8 10") == "6 7 8"
    assert lit("1 10 2 9 3 8 4") == "1 2 3 4"
    assert lit("1 10 resign") == ""
    assert lit("14 7 1 11", "factors") == "11"
    assert lit("14 7 1", "factors") == lit("14 7 5!", "factors") == ""
    assert lit("14 7 resign", "factors") == ""
    assert lit("1 5 3 2", "capture", n=5) == "2 5"
    assert lit("1 5 3", "capture", n=5) == lit("1 5 resign", "capture", n=5) == ""


@pytest.mark.parametrize(
    ("name", "moves", "told"),
    [
        ("line", "1 2 3 4 6 5 7 9 8 10", ("your run 6, 7, 8", "than your run 4, 5")),
        ("factors", "14 7 1 11", ("You have no number left", "Ada has no number left")),
        ("capture", "1 5 3 2", ("Bo has the higher total", "You have the higher total")),
        ("capture tied", "6 3 2 5", (": you hold the highest number, 6.", ": Ada holds the")),
        ("build", "1e 2e 2e 1x", ("your row of 2 is longer", "Ada's row of 2 is longer")),
        ("build", "1e 2e 1x 2x", ("Bo's sum of 2 beats your 1", "your sum of 2 beats Ada's 1")),
        ("build", "1e 1e 2x 2x", ("; you began", "; Ada began")),
        ("factors", "1 1!", ("Bo has broken a rule and loses", "You have broken a rule and lose ")),
    ],
)
def test_the_end_is_told_to_a_player_as_you(name: str, moves: str, told: tuple[str, str]) -> None:
    sizes: dict[str, dict[str, object]] = {
        "capture": {"n": 5}, "capture tied": {"n": 6, "gaps": "square"}, "build": {"n": 2, "k": 3}
    }  # fmt: skip
    state = numduel.game(name.split()[0], **sizes.get(name, {})).replay(moves)
    assert state.winner
    seen = numduel.view(state, ("Ada", "Bo"))
    for seat, words in enumerate(told, 1):
        assert words in " ".join(state.game.end_reason(seen, state.winner, seat))


def test_a_view_says_whose_turn_it_is_and_who_did_what() -> None:
    game = numduel.game("build")
    going = numduel.view(game.replay("7e 5"))
    assert (going.status, going.mover) == ("Player 2 to move.", 1)
    resigned = numduel.view(game.replay("7e 5 resign"))
    assert (resigned.status, resigned.mover) == ("Player 1 wins the game!", 2)
    assert resigned.hands == ((7,), ())
    fault = game.replay("7e 9x 5b!")
    lost = numduel.view(fault)
    assert (lost.status, lost.mover) == ("Player 2 wins the game!", 1)
    assert game.drawn(fault) == (7, 9, 5)
    assert numduel.view(game.replay("5e 1x 6e 1x 7e 2x 8e 2x 9e")).hand(1) == (5, 6, 7, 8, 9)


def test_a_game_of_another_package_is_found_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from numduel import games as found
    from numduel.games.duel import Duel

    class Nim(Duel):
        id = name = "nim"

    class Entry:
        def load(self) -> type[Game]:
            return Nim

    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [Entry()])
    found.cache_clear()
    try:
        assert type(numduel.game("nim")) is Nim
        assert "nim" in [kind.name for kind in found()]
    finally:
        monkeypatch.undo()
        found.cache_clear()


def test_states_and_games_never_change() -> None:
    state = numduel.game("line").start()
    for name in ("to_move", "moves", "position", "game", "first", "outcome", "anything"):
        with pytest.raises(AttributeError):
            setattr(state, name, 2)
    with pytest.raises(AttributeError):
        state.game.variant = None
    with pytest.raises(AttributeError):
        state.game.n = 5


@pytest.mark.parametrize("first", [0, 3, True, 2.0, "1", None])
def test_the_first_seat_is_1_or_2(first: object) -> None:
    with pytest.raises(BadVariant, match="The first player is 1 or 2"):
        numduel.game("line").start(first=first)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", ["x", 7.5, b"x", True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(BadVariant, match="A seed is a whole number"):
        numduel.game("build").start(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("deck", ["7 5", ["7"], [7.0]])
def test_a_deck_is_whole_numbers(deck: object) -> None:
    with pytest.raises(BadVariant, match="A deck is a list of whole numbers"):
        numduel.game("build").start(deck=deck)  # type: ignore[arg-type]


def test_moves_can_be_replayed_as_they_are() -> None:
    state = numduel.game("duel").replay("4 6 5")
    assert state.game.replay(state.moves) == state


# -- line -------------------------------------------------------------------------------------


def outcome(name: str, moves: str, **settings: object) -> tuple[int, str]:
    result = numduel.game(name, **settings).replay(moves).outcome
    assert result is not None
    return result


def test_four_in_a_row_win_at_once() -> None:
    assert outcome("line", "5 6 4 7 3 8 2") == (
        1, "Player 1 has claimed 4 numbers in a row: 2, 3, 4, 5.")  # fmt: skip


def test_on_a_full_line_the_longer_run_wins() -> None:
    winner, reason = outcome("line", "1 3 4 6 5 8 9 10 2 7")
    assert (winner, reason.split(": ")[0]) == (
        2, "All numbers are claimed and nobody has 4 in a row")  # fmt: skip


def test_on_equal_runs_the_one_that_starts_lower_wins() -> None:
    winner, reason = outcome("line", "1 2 3 4", n=4, k=4)
    assert winner == 1
    assert "Player 1's run 1 starts lower than Player 2's run 2" in reason


def test_a_player_with_several_longest_runs_uses_the_lowest() -> None:
    assert outcome("line", "5 1 6 2 3 7 4 8", n=8, k=5)[0] == 1
    assert outcome("line", "3 1 4 2 7 5 8 6", n=8, k=3)[0] == 2


# -- factors ----------------------------------------------------------------------------------


def test_the_rulebook_game_of_factors_is_won_by_player_2() -> None:
    assert outcome("factors", "6 3 9 18 2 4 8 16 1 5 10 20") == (
        2,
        "Player 1 has no valid number left: no factor or multiple of 20 is available.",
    )


def test_an_odd_first_number_breaks_the_rules_of_the_classroom_variant() -> None:
    start = numduel.game("factors", first="even").start()
    assert start.legal_moves == tuple(range(2, 21, 2))
    lost = start.attempt(3)
    assert lost.fault == "3 is odd, and the first number must be even."


# -- capture ----------------------------------------------------------------------------------


def test_a_player_who_holds_12_may_not_claim_13() -> None:
    state = numduel.game("capture").start().play(12).play(1)
    with pytest.raises(IllegalMove, match=r"13 is blocked: it is next to your 12\."):
        state.play(13)


def test_a_number_next_to_the_opponents_is_free() -> None:
    assert 13 in numduel.game("capture").start().play(12).legal_moves


def test_a_player_without_a_number_passes_while_the_opponent_has_one() -> None:
    state = numduel.game("capture", n=3).start().play(2)
    state = state.play(1)
    assert state.legal_moves == ("pass",)
    with pytest.raises(IllegalMove):
        state.play(3)
    state = state.play("pass")
    assert state.to_move == 2
    assert state.play(3).outcome == (2, "Player 2 has the higher total, 4 to 2.")


def test_a_player_who_can_move_may_not_pass() -> None:
    with pytest.raises(NotAMove):
        numduel.game("capture").start().play("pass")


def test_on_equal_sums_the_highest_number_wins() -> None:
    """No line of play leads to equal sums (see the exhaustive tests), so the rule is asked."""
    three, one_and_two = 1 << 3, 1 << 1 | 1 << 2
    variant = numduel.game("capture", n=3).variant
    assert capture.result(three, one_and_two, variant) == 1
    assert capture.result(one_and_two, three, variant) == -1


# -- build ------------------------------------------------------------------------------------


def test_a_sequence_may_repeat_a_number() -> None:
    state = numduel.game("build").replay("5e 9x 6e 9x 5")
    assert set(state.legal_moves) == {"5e", "5x"}
    assert numduel.view(state.play("5e")).hand(1) == (5, 6, 5)


def check_sequences(length: Callable[..., int], total: Callable[..., int]) -> None:
    """A sequence is a number whose digits are its cards: how many, and their sum."""
    variant = numduel.game("build", n=3).variant
    for size in range(6):
        for cards in product(range(1, 4), repeat=size):
            code = sum(card * 4**place for place, card in enumerate(cards))
            assert (length(code, variant), total(code, variant)) == (size, sum(cards))


def test_a_sequence_has_as_many_cards_as_were_added_and_their_sum() -> None:
    check_sequences(build.length, build.total)


def test_the_first_card_has_no_beginning_or_end() -> None:
    state = numduel.game("build").start().draw(7)
    assert state.legal_moves == ("7e", "7x")
    assert state.play("b").moves == ("7e",)
    aliases = state.game.rules.aliases
    assert aliases is not None
    assert aliases(*state.position, state.game.variant) == 1 << build.BEGINNING


def test_a_card_on_the_wrong_end_loses_at_once() -> None:
    state = numduel.game("build").replay("7e 1x 8e 1x 6")
    lost = state.attempt("end")
    assert lost.moves[-1] == "6e!"
    assert lost.outcome == (
        2,
        "6 cannot go to the end of [7, 8]: it is neither one higher nor one lower than 8."
        " Player 1 has broken a rule and loses the game.",
    )
    assert state.attempt("end", forgiving=True) is state


def test_the_rule_beats_the_flow_example_7_fits_4_5_6() -> None:
    state = numduel.game("build").replay("1x 5e 1x 6e 2x 4b 2x 7")
    assert "7e" in state.legal_moves


@pytest.mark.parametrize(
    ("moves", "winner", "why"),
    [
        ("2e 3e 2x 3x 1e 1x", 1, "longer"),
        ("2e 2e 3x 3e 1b 1x", 2, "sum of 5 is higher"),
        ("2e 2e 1x 1x 3x 3x", 1, "moved first"),
        ("2x 2x 1x 1x 3x 3x", 1, "moved first"),
    ],
)
def test_an_exhausted_deck_is_decided_by_length_then_sum_then_the_first_mover(
    moves: str, winner: int, why: str
) -> None:
    result = outcome("build", moves, n=3, copies=2, k=5)
    assert result[0] == winner
    assert why in result[1]


def test_a_dead_tie_goes_to_whoever_moved_first_in_any_seat() -> None:
    state = numduel.game("build", n=1, copies=2, k=2).replay("1x 1x", first=2)
    assert state.outcome is not None
    assert state.outcome.winner == 2


# -- duel -------------------------------------------------------------------------------------


def test_a_progression_in_any_order_wins() -> None:
    assert outcome("duel", "4 6 5 7 3") == (
        1,
        "Player 1 has formed an arithmetic sequence with numbers 3, 4, 5.",
    )


def test_the_rulebooks_second_example_ends_with_2_4_6_on_the_fifth_pick() -> None:
    assert outcome("duel", "2 5 4 7 6")[0] == 1
    with pytest.raises(IllegalMove, match="over"):
        numduel.game("duel").replay("2 5 4 7 6 1")


def test_of_several_progressions_the_lowest_then_the_closest_is_named() -> None:
    assert outcome("duel", "3 5 2 1 6 8 4")[1].endswith("numbers 2, 3, 4.")
    assert outcome("duel", "1 4 2 7 5 8 3")[1].endswith("numbers 1, 2, 3.")
    assert outcome("duel", "1 2 4 8 5 9 3")[1].endswith("numbers 1, 3, 5.")


def test_with_no_progression_the_last_to_pick_loses() -> None:
    assert outcome("duel", "1 2 3", n=3, k=3) == (
        2,
        "All numbers have been selected. Player 1 was the last to pick. Player 1 loses the game.",
    )


def test_pick_4_and_4_are_the_same() -> None:
    start = numduel.game("duel").start()
    assert start.play("pick 4") == start.play("4") == start.play("PICK  4")


def test_the_observation_of_build_is_both_rows_the_drawn_card_and_what_is_undrawn() -> None:
    state = numduel.game("build").replay("7e 5e 6b 4b 8e 2")
    v = state.game.variant
    seen = state.game.observation.row(*state.position, True, v)
    own, other, drawn = [4, 5, 0, 0, 0], [6, 7, 8, 0, 0], 2
    assert seen == [*own, *other, drawn, 2, 1, 2, 1, 1, 1, 1, 1, 2, 2, 1]


@pytest.mark.parametrize("typed", ["k", "keep", "keep 5", "K", "e", "b"])
def test_the_first_card_is_kept_by_a_word_or_a_letter(typed: str) -> None:
    deal = numduel.game("build").start(seed=7)
    assert (deal.card, deal.play(typed).moves) == (5, ("5e",))


def test_keeping_a_card_is_said_and_typed_in_the_order_of_words_of_the_language() -> None:
    deal = numduel.game("build").start(seed=7)
    with speaking("de"):
        assert deal.game.label(deal.game.worded("5e", deal)) == "5 behalten"
        assert deal.play("5 behalten").moves == ("5e",)
