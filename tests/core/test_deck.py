"""The hidden deck: fair, reproducible, and out of everybody's reach."""

import copy
import gc
import pickle
from collections import Counter

import pytest

import numduel
from numduel import BadVariant, IllegalMove, State
from numduel.play.match import begin

GAME = numduel.game("build")
ORDER = tuple(card for card in (7, 5, 6, 6, 8, 4, 5, 7, 9, 1, 1, 2, 2, 3, 3, 4, 8, 9, 10, 10))


def discard_all(state: State) -> tuple[int, ...]:
    """The cards of a dealt game, found by the only honest way: playing it."""
    while state.outcome is None:
        state = state.play("discard")
    return tuple(int(str(move)[:-1]) for move in state.moves)


def test_a_seed_makes_a_game_reproducible() -> None:
    assert discard_all(GAME.start(seed=7)) == discard_all(GAME.start(seed=7))
    assert discard_all(GAME.start(seed=7)) != discard_all(GAME.start(seed=8))


def test_the_deck_of_a_seed_never_changes_between_versions() -> None:
    assert discard_all(GAME.start(seed=7))[:8] == (5, 4, 6, 2, 6, 8, 1, 8)


def test_a_deck_holds_every_card_as_often_as_it_should() -> None:
    assert Counter(discard_all(GAME.start(seed=1))) == dict.fromkeys(range(1, 11), 2)


def test_decks_that_nobody_asked_for_are_all_different() -> None:
    assert len({discard_all(GAME.start(deck=())) for _ in range(5)}) == 5


def test_a_hand_written_deck_is_dealt_in_its_order() -> None:
    assert discard_all(GAME.start(deck=ORDER)) == ORDER


def test_a_partial_deck_comes_first_and_the_rest_is_shuffled() -> None:
    dealt = discard_all(GAME.start(deck=(7, 7, 1), seed=3))
    assert dealt[:3] == (7, 7, 1)
    assert Counter(dealt) == Counter(ORDER)


@pytest.mark.parametrize("deck", [(7, 7, 7), (11,), (0,), (-1,)])
def test_an_impossible_deck_is_refused(deck: tuple[int, ...]) -> None:
    with pytest.raises(BadVariant, match=r"in the deck|The deck has only 2"):
        GAME.start(deck=deck)


def test_a_game_without_a_deck_takes_none() -> None:
    with pytest.raises(BadVariant, match="has no deck"):
        numduel.game("duel").start(deck=(1,))


def test_without_seed_or_deck_every_draw_is_explicit() -> None:
    state = GAME.start()
    assert state.draws == dict.fromkeys(range(1, 11), 0.1)
    assert state.legal_moves == ()
    assert state.outcome is None
    with pytest.raises(IllegalMove, match="A card must be drawn first"):
        state.play("7e")
    state = state.draw(7)
    assert state.draws == {}
    assert state.card == 7
    state = state.play("7x")
    assert state.draws[7] == pytest.approx(1 / 19)
    assert state.draws[8] == pytest.approx(2 / 19)
    with pytest.raises(IllegalMove, match="cannot be drawn now"):
        state.draw(7).play("7x").draw(7)


def reachable(root: object) -> list[object]:
    """Everything that can be walked to from an object, privates included."""
    seen: dict[int, object] = {}
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type) or type(thing).__name__ == "module":
            continue
        seen[id(thing)] = thing
        if not callable(thing):
            waiting += gc.get_referents(thing)
    return list(seen.values())


def test_a_public_record_tells_neither_deck_nor_seed() -> None:
    for record in (begin(GAME, deck=ORDER).record, begin(GAME, seed=7).record):
        assert (record.deck, record.seed) == (None, None)
        assert "Deck" not in record.text()
        assert "Seed" not in record.text()


def test_no_walk_through_a_state_or_a_match_meets_the_undrawn_cards() -> None:
    match = begin(GAME, deck=ORDER)
    rest = ORDER[1:]
    for root in (
        GAME.start(deck=ORDER),
        match.state,
        match.record,
        match.view,
        GAME.start(deck=ORDER).public,
    ):
        for thing in reachable(root):
            if isinstance(thing, tuple | list) and len(thing) >= 19:
                assert tuple(thing)[-len(rest) :] != rest
            assert not (isinstance(thing, str) and "6 6 8 4" in thing)


def test_a_pickle_does_not_hold_the_deck() -> None:
    one, two = GAME.start(deck=ORDER), GAME.start(deck=(7, *reversed(ORDER[1:])))
    assert pickle.dumps(one) == pickle.dumps(two)
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.play("x").draws


def test_what_is_public_of_two_decks_is_the_same() -> None:
    one, two = GAME.start(deck=ORDER), GAME.start(deck=(7, *reversed(ORDER[1:])))
    assert one == two
    assert hash(one) == hash(two)
    assert repr(one) == repr(two)
    assert str(one) == str(two)
    assert one.public.play("7e") == two.public.play("7e")


def test_a_players_state_cannot_be_played_on_to_see_the_next_card() -> None:
    state = begin(GAME, deck=ORDER).state
    assert state.play("7e").card is None
    assert len(state.play("7e").draws) == 10


def test_copies_are_the_state_itself() -> None:
    state = GAME.start(seed=1)
    assert copy.copy(state) is state
    assert copy.deepcopy(state) is state


@pytest.mark.parametrize("text", ["7e 5e 6", "7e 5x 6b!", "7e 5e 6 resign", "4 6 5", "7e 5e"])
def test_a_pickled_state_comes_back_equal(text: str) -> None:
    game = numduel.game("duel") if text[0] == "4" else GAME
    if text.endswith("6b!"):
        text = "7e 5x 5b!"
    state = game.replay(text, first=2)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.text == state.text == text
    assert again.outcome == state.outcome


def test_decks_are_forgotten_with_their_games() -> None:
    from numduel.core import state as module

    gc.collect()
    before = len(module._ORDERS)
    for seed in range(100):
        GAME.start(seed=seed)
    gc.collect()
    assert len(module._ORDERS) == before
